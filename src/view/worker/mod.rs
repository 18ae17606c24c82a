//! View models built by the worker: outlines, previews, the contents of opened rows.

pub mod ansi;
pub mod detail;
pub mod diff;
pub mod excerpt;
pub mod exhibits;
pub mod finding_words;
pub mod json_lines;
pub mod outline_builder;
pub mod preview;
pub mod statistics;
pub mod values;
