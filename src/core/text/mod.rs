//! Texts parsed for display, by the worker and by the page alike: diffs, patches, source code, commands, terminal
//! output, listings of files, paths.

pub mod command;
pub mod diff;
pub mod directory;
pub mod highlight;
pub mod listing;
pub mod patch;
mod shell_words;
pub mod terminal;
