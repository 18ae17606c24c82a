//! Words of the findings of a run.

use crate::{count, counted};

pub use super::runs::POSSIBLE_LOOP as LOOP_NOUN;
pub use crate::column_headings::{
    COST as COST_HEAD, ERRORS as ERRORS_HEADING, POSSIBLE_LOOPS as LOOPS_HEADING,
    TIME as TIME_HEAD, TOKENS,
};

pub const FINDINGS: &str = "Findings";
pub const SHOW_THE_FIRST_ERROR: &str = "Show the first error";
pub const SHOW: &str = "Show";
pub const SHOW_IN_ROWS: &str = "Open the event’s row";
pub const ALL_FINDINGS: &str = "All findings";
pub const ALL_FINDINGS_TITLE: &str = "All findings, with each repetition (f)";
pub const OF_ALL_FINDINGS: &str = ": all findings";
pub const CLOSE_FINDINGS: &str = "Close the findings";
pub const DETAILS: &str = "Details";
pub const NOT_A_LOOP: &str = "Not a loop";
pub const A_LOOP_AFTER_ALL: &str = "A loop after all";
pub const MUTE: &str = "Mute";
pub const MUTE_TITLE: &str = "Stop counting and marking it, until the trace is closed";
pub const UNMUTE: &str = "Unmute";
pub const UNMUTE_TITLE: &str = "Count and mark it again";
pub const FIRST_AND_LAST: &str = "Compare first and last";
pub const NOTHING_FOUND: &str = "No loops or errors found";
pub const NOT_CHECKED: &str =
    "Not checked for loops and errors: the calls in this file are not recognized";
pub const SINCE: &str = " since";
pub const SINCE_TITLE: &str = "From the previous event to this one, including the steps between";
pub const LONGEST_HEADING: &str = "Longest call";
pub const COMPACTIONS_HEADING: &str = "Compactions";
pub const PUT_BACK_HEADING: &str = "Reverted edits";

/// Errors that are no repetitions of a possible loop, where others are.
pub const OTHER_ERRORS: &str = "Errors outside of loops";
pub const REPORTED_HEADING: &str = "Reported by the producer";
pub const REPORTED_TOO: &str = "also reported by the producer";
pub const EVIDENCE: &str = "Evidence";
pub const EVENT: &str = "Event";
pub const AT: &str = "At";
pub const WHAT: &str = "Call or reason";
pub const REPEATED: &str = "Cost of the repetitions";
pub const REPEATED_APART: &str = "Cost of the repetitions, including the steps between them";
pub const FAILED_CALLS_TOOK: &str =
    "Cost of the failed calls, including the LLM calls that requested them";
pub const IT_TOOK: &str = "Cost, including the LLM call that requested it";
pub const CALL_NOUN: &str = "call";
pub const COMPACTION_NOUN: &str = "compaction";
pub const EDIT_NOUN: &str = "edit";
pub const REPORT_NOUN: &str = "report";
pub const ERROR_NOUN: &str = "error";
pub const REPETITION_NOUN: &str = "repetition";
pub const PREVIOUS_FINDING: &str = "Previous finding";
pub const NEXT_FINDING: &str = "Next finding";

/// What the chosen finding is, and where it begins.
#[must_use]
pub fn finding_at(noun: &str, number: u32) -> String {
    format!("The {noun} at event {}", count(u64::from(number)))
}

/// Errors that are alike, and where the first one is.
#[must_use]
pub fn errors_at(n: usize, number: u32) -> String {
    format!("{n} errors, the first at event {}", count(u64::from(number)))
}

/// What a repetition is like.
#[must_use]
pub fn like_event(is_same: bool, number: u32) -> String {
    format!("{} {}", if is_same { "same as" } else { "like" }, count(u64::from(number)))
}

/// What repetitions with other calls between have in common: whether the arguments are the same, and whether all failed.
#[must_use]
pub fn why(same_args: bool, fails: bool) -> &'static str {
    match (same_args, fails) {
        (true, true) => "The same arguments and the same error each time",
        (false, true) => "Different arguments and the same error each time",
        (_, false) => "The same arguments and the same result each time",
    }
}

/// Where errors that are alike are.
#[must_use]
pub fn at_event(n: usize, number: u32) -> String {
    let first = if n > 1 { "first at event" } else { "event" };
    format!(", {first} {}", count(u64::from(number)))
}

/// Errors that were not looked into.
#[must_use]
pub fn errors_left_out(n: u64) -> String {
    format!("{} not examined", counted(n, "more error was", "more errors were"))
}

/// Findings without room.
#[must_use]
pub fn not_listed(n: u32) -> String {
    format!("{} not listed", counted(u64::from(n), "more finding is", "more findings are"))
}

/// Goes to one repetition.
#[must_use]
pub fn go_to_event(number: u32) -> String {
    format!("Go to event {number}")
}

/// The heading of a list, with the number of its entries.
#[must_use]
pub fn heading(words: &str, n: usize) -> String {
    format!("{words} ({})", count(n as u64))
}

/// The heading over a list: how many there are, and of how many kinds if some are alike.
#[must_use]
pub fn heading_of_kinds(words: &str, n_kinds: usize, n: u64) -> String {
    format!("{words} ({})", of_kinds(n_kinds, n))
}

/// The same over a list of errors, with how many were never fixed.
#[must_use]
pub fn heading_of_errors(words: &str, n_kinds: usize, n: u64, n_never_fixed: u64) -> String {
    let all = of_kinds(n_kinds, n);
    match n_never_fixed {
        0 => format!("{words} ({all})"),
        never if never == n => format!("{words} ({all}, never fixed)"),
        never => format!("{words} ({all}, {} never fixed)", count(never)),
    }
}

fn of_kinds(n_kinds: usize, n: u64) -> String {
    match n_kinds as u64 {
        kinds if kinds < n => format!("{} in {}", count(n), counted(kinds, "kind", "kinds")),
        _ => count(n),
    }
}

/// In how many places alike findings are, behind their sentence.
#[must_use]
pub fn places(n: usize) -> String {
    format!(", in {} places", count(n as u64))
}

/// Shows a finding.
#[must_use]
pub fn show(sentence: &str) -> String {
    format!("Show: {sentence}")
}
