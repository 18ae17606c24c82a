//! The search field, the list of hits, and marks in text.

pub mod actions;
pub mod field;
pub mod state;
