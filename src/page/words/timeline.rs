//! Words of the timeline.

use traceloupe::view::words::count;

pub const TIMELINE: &str = "Timeline";
pub const FOCUS_VISIBLE: &str = ":focus-visible";
pub const ONLY_A_SUMMARY: &str = "Only the summary of this run is here. Drop its events file (events.jsonl or spans.jsonl) together with this one to read what happened.";
pub const NO_MATCHING_EVENTS: &str = "No matching events. Clear the filters, or change the mode.";
pub const OPENED: &str = ", opened";
pub const FOLD: &str = "Fold";
pub const UNFOLD: &str = "Unfold";
pub const ENTER_FOLDS_THEM_AGAIN: &str = ". Enter folds them again";
pub const ENTER_UNFOLDS_THEM: &str = ". Enter unfolds them";

/// Rows that have arrived below the window.
pub fn new_rows(n: usize) -> String {
    format!("↓ {} new", count(n as u64))
}
