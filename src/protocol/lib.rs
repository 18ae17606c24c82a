//! Everything that is sent between the worker and the page: requests, responses and the types in them. Both programs
//! depend on this package, never on each other.

pub mod annotations;
pub mod causes;
pub mod columns;
pub mod comparison;
pub mod context_parts;
pub mod context_use;
mod cut;
pub mod detail;
pub mod exhibits;
pub mod expectation_fault;
pub mod export_form;
pub mod file_selection;
pub mod finding;
pub mod format_line;
pub mod head;
pub mod hits;
pub mod json_line;
pub mod markdown;
pub mod matches;
pub mod messages;
pub mod notes;
pub mod outline;
pub mod preview;
pub mod problem;
pub mod redaction;
pub mod report;
pub mod route;
pub mod row_columns;
pub mod run_comparison;
pub mod statistics;
pub mod summary;
pub mod text_form;
pub mod touched;
pub mod value;
