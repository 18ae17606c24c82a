//! Words of notices, copying and settings.

use crate::bytes;

pub const COPY_REFUSED: &str = "The browser did not allow copying";
pub const LINK_COPIED: &str = "Link copied";
pub const LINK_COPIED_WITHOUT_FILE: &str =
    "Link copied. It only works for people who open the same file";

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

pub const NO_PRICE_LIST: &str = "This file is not a price list; docs/using.md describes the format";
pub const PRICE_LIST_LOADED: &str = "Price list loaded";
