//! Exports a run in the format of another program, or the trace as an HTML file, and reviews what is redacted in what is
//! saved.

pub mod form;
pub mod html;
pub mod html_dialog;
pub mod review;
