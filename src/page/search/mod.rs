//! The search field, the list of hits and the marks in text.

pub mod actions;
pub mod field;
pub mod state;
