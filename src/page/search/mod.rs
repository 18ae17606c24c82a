//! The search field, the list of hits and the marks in text.

pub mod search_actions;
pub mod searching;
