//! The search: going from hit to hit, the list of hits, and marks in text.

pub mod actions;
pub mod hits;
