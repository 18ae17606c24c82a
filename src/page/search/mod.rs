//! The search: moving between hits, the list of hits, and marks in text.

pub mod actions;
pub mod hits;
