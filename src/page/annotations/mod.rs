//! Annotations of a run: the list, the marks in text, and editing the user's own.

pub mod actions;
pub mod comments;
