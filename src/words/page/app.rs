//! Words of notices, copying and settings.

use crate::bytes;

pub const COPY_REFUSED: &str = "The browser did not allow copying";
pub const LINK_COPIED: &str = "Link copied";
pub const LINK_COPIED_WITHOUT_FILE: &str =
    "Link copied. It works for people who open the same file";

/// A file was saved as a download.
#[must_use]
pub fn saved_as(len_bytes: u64, name: &str) -> String {
    format!("{} saved as {name}", bytes(len_bytes))
}

/// The theme was switched.
#[must_use]
pub fn theme(theme: &str) -> String {
    format!("Theme: {theme}")
}

pub const NO_LIST: &str = "This file is no list of prices: docs/using.md says what one looks like";
pub const LIST_IS_READ: &str = "List of prices loaded";
