//! Annotations of a run: the list, the marks in text, and writing own ones.

pub mod actions;
pub mod comments;
