//! Words of the statistics of calls and runs.

use crate::{about, count, duration};

pub use super::runs::{SAVE_CSV, STATISTICS};

pub const RUNS_TO_COUNT: &str = "Runs to count";
pub const THIS_RUN: &str = "This run";
pub const ALL_RUNS: &str = "All runs";
pub const COUNTING: &str = "Counting…";
pub const NO_CALLS: &str = "There are no calls in this run";
pub const ACROSS_ALL_RUNS: &str = "Across all runs";
pub const TIME_SPENT: &str = "Where the time went";
pub const BY_MODELS: &str = "Models";
pub const BY_TOOLS: &str = "Tools";
pub const BY_SHELL: &str = "Shell";
pub const BY_FILES_AND_SEARCH: &str = "Files and search";
pub const BY_MCP_AND_WEB: &str = "MCP and web";
pub const BY_SUB_AGENTS: &str = "Sub-agents";
pub const BY_OTHER_TOOLS: &str = "Other tools";
pub const BY_PERSON: &str = "Between turns";
pub const IN_LOOPS: &str = "In possible loops";
pub const ABOUT_TIME_SPENT: &str = "What the end of the run had to wait for. Tools are grouped by their names; the steps of sub-agents count by their own kind. Between turns: from the last step of a turn to the next message";
pub const BY_OTHERS: &str = "Other steps";
pub const BY_NOTHING: &str = "Nothing recorded";
pub const TOTAL: &str = "Total";
pub const SORT_TITLE: &str = "Sort by this column: largest first, smallest first, as listed";
pub const SAVE_CSV_TITLE: &str = "Save the table of calls, as grouped, with plain numbers";
pub const COPY_MARKDOWN: &str = "Copy as Markdown";
pub const COPY_MARKDOWN_TITLE: &str =
    "Copy where the time went and the table of calls, as grouped and sorted";
pub const STATISTICS_COPIED: &str = "Statistics copied";
pub const CSV_NAME: &str = "calls.csv";
pub const CALLS_BY: &str = "Calls by";
pub const CALLS_BY_TOOL: &str = "Calls by tool";
pub const CALLS_BY_MODEL: &str = "Calls by model";
pub const CALLS_BY_AGENT: &str = "Calls by agent";
pub const CALLS_BY_TURN: &str = "Calls by turn";
pub const CALLS_BY_FILE: &str = "Calls by file";
pub const CALLS_BY_COMMAND: &str = "Calls by command";
pub const COMMAND: &str = "Command";
pub const TURN: &str = "Turn";
pub const NAME: &str = "Name";
pub const BY_MODEL: &str = "By model";
pub const SLOWEST_STEPS: &str = "Slowest steps";

/// A step in a list: its name and its summary.
#[must_use]
pub fn step(name: &str, summary: &str) -> String {
    format!("{name} {summary}")
}

pub const ABOUT_MEANS: &str = "Means and percentiles are of the calls whose duration is in the file; the time of a sub-agent call includes its steps. Bold: highest in its column.";
pub const ABOUT_INFERRED: &str = " ≈ marks durations that the file does not state: the time from a call to its result, which may include waiting.";
pub const ABOUT_UNFINISHED: &str =
    " ≥ marks sums with calls whose output was counted while it was still streaming.";
pub const MEASURE: &str = "Metric";
pub const KNOWN_FOR: &str = "Known for";
pub const SPELLING_OF_THE_KEYS: &str = "Key style";
pub const COPY_AS_JSON: &str = "Copy as JSON";

/// How long the active time is, and the pauses that it leaves out; how much of these was spent waiting for the user, and
/// whether that is an estimate.
#[must_use]
pub fn active_time(active_ms: f64, idle_ms: f64, (waited_ms, is_estimated): (f64, bool)) -> String {
    let active = format!("{} active", duration(active_ms));
    let waited = match (waited_ms > 0.0, is_estimated) {
        (false, _) => String::new(),
        (true, false) => format!(" ({} in calls that waited for the user)", duration(waited_ms)),
        (true, true) => {
            format!(" ({} in calls that waited, probably for approval)", about(duration(waited_ms)))
        }
    };
    if idle_ms > 0.0 {
        format!(
            "{active}; excludes {} of pauses{waited}; overlapping calls count once",
            duration(idle_ms)
        )
    } else {
        active
    }
}

/// For how many of the runs a measure is known.
#[must_use]
pub fn known_for(n: u64, of: u64) -> String {
    format!("{} of {}", count(n), count(of))
}

/// Tools without room.
#[must_use]
pub fn more_tools(n: usize) -> String {
    format!("and {} more, which are copied too", count(n as u64))
}

/// What the costs of a table are.
#[must_use]
pub fn about_costs(list: &str) -> String {
    format!(
        " Costs with ≈ are estimated with the prices of {list}; ≥ means that some calls have no price or were counted before they ended."
    )
}
