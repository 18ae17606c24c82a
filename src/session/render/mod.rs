//! View models built by the worker: outlines, previews, the contents of opened rows.

pub mod aligned;
mod arguments;
pub mod call_preview;
pub mod call_text;
pub mod compare;
pub mod context_parts;
pub mod detail;
pub mod encoded;
pub mod excerpt;
pub mod exhibits;
pub mod failure;
mod gist;
pub mod json_lines;
pub mod labels;
mod lanes;
pub mod markdown;
pub mod net_change;
pub mod net_changes;
pub mod outline_builder;
mod pointed;
pub mod preview;
mod result_texts;
mod script;
pub mod statistics;
pub mod text_forms;
pub mod touched;
pub mod values;
