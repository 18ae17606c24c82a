//! Words of the check against expected calls.

use crate::counted;
use crate::counts;

pub const NO_ROW: &str = "The event is not in the list of rows";
pub const CHECKED_CALL: &str = "checked call";
pub const TRACESUMMARY_COPIED: &str = "TraceSummary copied";
pub const PREPARING_THE_FILE: &str = "Preparing the file";
/// What to do, around the names of two kinds of expectations and the title of the run.
pub const PASTE_OR_DROP: [&str; 3] = [
    "Paste or drop AgentV expectations, in YAML or JSON: ",
    ", a list of evaluators, or a whole test file. They are checked against the run ",
    "; nothing leaves this page.",
];
pub const EXPECTATIONS: &str = "Expectations";
pub const FAULT_AT: &str = " (at ";
pub const EMPTY: &str = "Clear";
pub const CHECKING: &str = "Checking…";
pub const CHECK: &str = "Check";
pub const PREVIOUS_CHECKED_CALL_E: &str = "Previous checked call (E)";
pub const PREVIOUS_CHECKED_CALL: &str = "Previous checked call";
pub const NEXT_CHECKED_CALL_E: &str = "Next checked call (e)";
pub const NEXT_CHECKED_CALL: &str = "Next checked call";
pub const EDIT_TITLE: &str = "Edit the expectations (c)";
pub const EDIT: &str = "Edit";
pub const CLOSE_LIST: &str = "Close the list of expectations";
pub const HIT: &str = "Hit: ";
pub const MISS: &str = "Miss: ";
pub const NOTE: &str = "Note: ";
pub const EXPECTATION_HIT: &str = "Expectation hit";
pub const EXPECTATION_MISSED: &str = "Expectation missed";
pub const WHAT_WAS_EXPECTED: &str = "What was expected";

/// The run that was checked, where another one is shown.
#[must_use]
pub fn checked_run(title: &str) -> String {
    format!("Checked run: {title}")
}

/// Result of a check.
#[must_use]
pub fn checked(hits: u64, misses: u64) -> String {
    format!("{}, {}", counts::hits(hits), counts::misses(misses))
}

/// Events of a line besides the first.
#[must_use]
pub fn more_events(n: usize) -> String {
    format!("and {}", counted(n as u64, "more event", "more events"))
}

/// Expectations, as an example in the empty field.
pub const EXAMPLE: &str = "type: tool_trajectory
mode: in_order
expected:
  - tool: search
    args: { query: \"REST\" }
    args_match: superset
  - tool: read_file";
