//! Numbers with their nouns.

use crate::numbers::{count, counted};

/// `1 event`, `1,284 events`.
#[must_use]
pub fn events(n: u64) -> String {
    counted(n, "event", "events")
}

/// Events by their numbers, and how many more there are: `events 7, 9 and 3 more`. Empty if there are none.
#[must_use]
pub fn at_events(numbers: &[u32], n_more: u64) -> String {
    let named: Vec<String> = numbers.iter().map(|number| count(u64::from(*number))).collect();
    match (named.as_slice(), n_more) {
        ([], _) => String::new(),
        ([one], 0) => format!("event {one}"),
        (named, 0) => format!("events {}", named.join(", ")),
        (named, n_more) => format!("events {} and {} more", named.join(", "), count(n_more)),
    }
}

/// `1 hit`, `1,284 hits`.
#[must_use]
pub fn hits(n: u64) -> String {
    counted(n, "hit", "hits")
}

/// `1 match`, `1,284 matches`.
#[must_use]
pub fn matches(n: u64) -> String {
    counted(n, "match", "matches")
}

/// `1 miss`, `1,284 misses`.
#[must_use]
pub fn misses(n: u64) -> String {
    counted(n, "miss", "misses")
}

/// `1 LLM call`, `1,284 LLM calls`.
#[must_use]
pub fn llm_calls(n: u64) -> String {
    counted(n, "LLM call", "LLM calls")
}

/// `1 tool call`, `1,284 tool calls`.
#[must_use]
pub fn tool_calls(n: u64) -> String {
    counted(n, "tool call", "tool calls")
}

/// `1 annotation`, `1,284 annotations`.
#[must_use]
pub fn annotations(n: u64) -> String {
    counted(n, "annotation", "annotations")
}

/// `1 line`, `1,284 lines`.
#[must_use]
pub fn lines(n: u64) -> String {
    counted(n, "line", "lines")
}

/// `1 character`, `1,284 characters`.
#[must_use]
pub fn characters(n: u64) -> String {
    counted(n, "character", "characters")
}

/// `1 earlier message`, `1,284 earlier messages`.
#[must_use]
pub fn earlier_messages(n: u64) -> String {
    counted(n, "earlier message", "earlier messages")
}

/// `1 more record`, `1,284 more records`.
#[must_use]
pub fn more_records(n: u64) -> String {
    counted(n, "more record", "more records")
}

/// `1 more definition is`, `1,284 more definitions are`.
#[must_use]
pub fn further_definitions(n: u64) -> String {
    counted(n, "more definition is", "more definitions are")
}

/// `1 more result is`, `1,284 more results are`.
#[must_use]
pub fn further_results(n: u64) -> String {
    counted(n, "more result is", "more results are")
}

/// `1 event with matches`, `1,284 events with matches`.
pub fn events_with_hits(n: u64) -> String {
    counted(n, "event with matches", "events with matches")
}

/// `1 repetition that may be fine`, `1,284 repetitions that may be fine`.
#[must_use]
pub fn quiet_findings(n: u64) -> String {
    counted(n, "repetition that may be fine", "repetitions that may be fine")
}

/// `1 muted finding`, `1,284 muted findings`.
#[must_use]
pub fn muted_findings(n: u64) -> String {
    counted(n, "muted finding", "muted findings")
}

/// The findings of a run that has neither possible loops nor errors, except muted ones.
#[must_use]
pub fn quiet_or_muted(n_quiet: u64, n_muted: u64) -> String {
    match (n_quiet, n_muted) {
        (_, 0) => quiet_findings(n_quiet),
        (0, _) => muted_findings(n_muted),
        _ => format!("{}, {}", quiet_findings(n_quiet), muted_findings(n_muted)),
    }
}

/// What is said of a run without loops and recorded errors whose commands printed exit codes.
#[must_use]
pub fn exit_codes(n: u64) -> String {
    let commands = counted(n, "command", "commands");
    format!("No loops or recorded errors; {commands} with a nonzero exit code")
}

/// `1 reading problem`, `1,284 reading problems`.
#[must_use]
pub fn reading_problems(n: u64) -> String {
    counted(n, "reading problem", "reading problems")
}

/// `1 file`, `1,284 files`.
#[must_use]
pub fn files(n: u64) -> String {
    counted(n, "file", "files")
}

/// `1 run`, `1,284 runs`.
#[must_use]
pub fn runs(n: u64) -> String {
    counted(n, "run", "runs")
}

/// `1 step`, `1,284 steps`.
#[must_use]
pub fn steps(n: u64) -> String {
    counted(n, "step", "steps")
}

/// `1 possible loop`, `1,284 possible loops`.
#[must_use]
pub fn possible_loops(n: u64) -> String {
    counted(n, "possible loop", "possible loops")
}

/// The entries of a list for which there is no room.
#[must_use]
pub fn and_more(n: usize) -> String {
    format!("and {} more", count(n as u64))
}

/// The rest of a list, on the button that shows it.
#[must_use]
pub fn more(n: usize) -> String {
    format!("+{} more", count(n as u64))
}

/// The next part of a list, on the button that shows it.
#[must_use]
pub fn show_more(n: usize) -> String {
    format!("Show {n} more")
}

/// For an event or a tool without a name.
pub const NO_NAME: &str = "(no name)";
