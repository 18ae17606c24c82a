//! Words of moving through a trace.

pub const EVERYTHING_EXPANDED: &str = "Everything expanded";
pub const EVERYTHING_COLLAPSED: &str = "Everything collapsed";

/// No row of the kind that was looked for.
#[must_use]
pub fn there_is_no(what: &str) -> String {
    format!("There is no {what}")
}

/// Another mode was chosen.
#[must_use]
pub fn mode(word: &str) -> String {
    format!("{word} mode")
}
