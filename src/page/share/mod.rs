//! Passing a trace on: links to a place, a link with the trace itself, and code for another page.

mod data_link;
pub mod dialog;
