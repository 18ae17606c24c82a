//! Texts taken apart for display, by the worker and by the page alike: diffs, patches, source code.

pub mod diff;
pub mod highlight;
pub mod patch;
