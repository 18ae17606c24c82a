//! Texts taken apart for display, by the worker and by the page alike: diffs, patches, source code, arguments,
//! output of terminals, listings of files.

pub mod argument;
pub mod diff;
pub mod highlight;
pub mod listing;
pub mod patch;
pub mod terminal;
