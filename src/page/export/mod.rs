//! Exports a run in the format of another program, or the trace as an HTML file.

pub mod form;
pub mod html;
pub mod html_dialog;
