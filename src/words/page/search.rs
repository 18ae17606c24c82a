//! Words of the search.

use crate::counts;
use crate::{bytes, count, counted};

pub const NO_MATCHES: &str = "No matches";
pub const SEARCH_THE_TRACE: &str = "Search the trace";
pub const SEARCH: &str = "Search";
pub const PLACEHOLDER: &str = "Search, or filter: tool:bash";
pub const SEARCH_AND_FILTER: &str = "Search and filter";
pub const FIELD_TITLE: &str = "Search the whole trace (/). The browser's find covers only the rows on screen. \
    Terms such as tool:bash filter the rows: Enter adds them, commas mean “or”, - excludes";
pub const MATCH_CASE: &str = "Match case";
pub const WHOLE_WORDS: &str = "Whole words";
pub const REGULAR_EXPRESSION: &str = "Regular expression";
pub const PREVIOUS_MATCH_N: &str = "Previous match (N)";
pub const PREVIOUS_MATCH: &str = "Previous match";
pub const NEXT_MATCH_N: &str = "Next match (n)";
pub const NEXT_MATCH: &str = "Next match";
pub const HITS: &str = "Matches";
pub const CLOSE_LIST: &str = "Close the list of matches";

/// `41 matches in 12 events`.
#[must_use]
pub fn hits_in_events(n_hits: u64, n_events: usize) -> String {
    if n_hits == 0 {
        return "No matches".to_owned();
    }
    format!("{} in {}", counts::matches(n_hits), counts::events(n_events as u64))
}

/// How far the search has come, before the first hit.
#[must_use]
pub fn searching(percent: u64) -> String {
    format!("Searching… {percent}%")
}

/// How far the search has come, after some hits.
#[must_use]
pub fn hits_so_far(hits: &str, percent: u64) -> String {
    format!("{hits}… {percent}%")
}

/// The current event among those with hits.
#[must_use]
pub fn place(at: usize, n_events: usize, n_hits: u64, is_done: bool) -> String {
    let more = if is_done { "" } else { "…" };
    format!("{at} of {} · {}{more}", counts::events(n_events as u64), counts::matches(n_hits))
}

/// Hits in parts of the file that belong to no event.
#[must_use]
pub fn outside_events(n: u64) -> String {
    let hits = counted(n, "of them is", "of them are");
    format!("; {hits} outside events")
}

/// How much has been searched.
#[must_use]
pub fn searched(hits: &str, searched_bytes: u64, total_bytes: u64) -> String {
    format!("{hits}\n{} of {} searched", bytes(searched_bytes), bytes(total_bytes))
}

/// How many hits the list has.
#[must_use]
pub fn first_listed(n: u64, total: u64) -> String {
    format!("The first {} of {} matches are listed", count(n), count(total))
}

/// The place of a hit outside events.
#[must_use]
pub fn no_event(byte: u64) -> String {
    format!("no event · byte {}", count(byte))
}

/// Hits in rows that are hidden in a row.
#[must_use]
pub fn inside(n: usize) -> String {
    format!("{} inside", counts::events_with_hits(n as u64))
}

/// Where an expression is wrong.
#[must_use]
pub fn at_character(at: u32) -> String {
    format!("At character {at}: ")
}
