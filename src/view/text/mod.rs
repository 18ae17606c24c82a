//! Texts taken apart for display, by the worker and by the page alike: diffs, patches, source code, arguments.

pub mod argument;
pub mod diff;
pub mod highlight;
pub mod patch;
