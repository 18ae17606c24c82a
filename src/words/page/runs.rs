//! Words of the facts of a run, of the notes on how it was read, and of the table of runs.

pub use crate::column_headings::LLM_CALLS;
use crate::counts;
use crate::{count, counted, percent};
use traceloupe_core::model::{CostSum, Mapping, Reading, Usage};
use traceloupe_core::number::fixed;

/// What opens the remarks on a file of which nothing is missing.
pub const HOW_IT_WAS_READ: &str = "How the file was read";
pub const CHANGE_KEYS: &str = "Change…";
pub const CHANGE_KEYS_TITLE: &str = "Choose what each key means";

/// What the keys of a file of no known format are taken for. Plain records have a note of their own.
#[must_use]
pub fn keys_taken(reading: &Reading) -> String {
    let Reading { mapping, is_chosen, .. } = reading;
    if mapping.is_plain() {
        return "No known format.".to_owned();
    }
    let keys: Vec<String> =
        mapping.keys().map(|(slot, path)| format!("{} from `{path}`", slot.word())).collect();
    let what = if *is_chosen { "as you chose" } else { Mapping::looks_like(mapping) };
    format!("No known format. Read {what}: {}", keys.join(", "))
}

pub const FACTS: &str = "Facts";
pub const STATISTICS_TITLE: &str = "Counts and durations of calls (i)";
pub const STATISTICS: &str = "Statistics";
pub const SHOW_FILES: &str = "Files";
pub const SHOW_FILES_TITLE: &str = "Files mentioned in calls, and what was done to them (4)";
pub const COMPARE: &str = "Compare…";
pub const COMPARE_TITLE: &str = "Compare this run with another one (C)";
pub const COPY_LINK_TITLE: &str = "Copy a link to this run";
pub const COPY_LINK: &str = "Copy link";
pub const SHARE: &str = "Share";
pub const SHARE_TITLE: &str = "Share: links to this place, a link with the trace, code for a page";
pub const ID_COPIED: &str = "Id copied";
pub const COPY_ID: &str = "Copy id";
pub const CHECK_TITLE: &str = "Check this run against expected calls (c)";
pub const CHECK: &str = "Check…";
pub const EXPORT_TITLE: &str = "Save this run in the format of another program (w)";
pub const PRINT: &str = "Print…";
pub const PRINT_TITLE: &str = "Print the listed rows with their text (Ctrl+P)";
pub const EXPORT_AS: &str = "Export as…";
pub const RUN_TIME: &str = "run time";
pub const COST: &str = "cost";
pub const COST_TITLE: &str = "As stated in the file";
pub const TOKENS_IN_OUT_AT_LEAST: &str = "tokens in → out, at least";
pub const TOKENS_IN_OUT_WHERE_KNOWN: &str = "tokens in → out, where known";
pub const TOKENS_IN_OUT: &str = "tokens in → out";
pub const LLM_CALL: &str = "LLM call";
pub const TOOL_CALL: &str = "tool call";
pub const TOOL_CALLS: &str = "tool calls";
pub const POSSIBLE_LOOP: &str = "possible loop";
pub const POSSIBLE_LOOPS: &str = "possible loops";
pub const CONTEXT_WINDOW: &str = "Context window";
pub const FILTER_RUNS: &str = "Filter runs";
pub const FILTER_RUNS_BY: &str = "Filter by name, group or meta:key=value";
pub const AS_LISTED_TITLE: &str = "List the runs in the order of the file";
pub const COMPARE_TWO: &str = "Compare two…";
pub const COMPARE_TWO_TITLE: &str = "Mark two runs to compare them (x on a run)";
pub const MARK_RUN: &str = "Mark for comparison";

/// What the button says while runs are marked, of which there are none or one.
#[must_use]
pub fn runs_to_mark(is_one_marked: bool) -> &'static str {
    if is_one_marked { "Mark one more" } else { "Mark two runs" }
}

pub const FILTER_RUNS_TITLE: &str = "Words of a name, is:annotated, not:annotated, is:invariant, meta:key=value (also > < >= <= and % for contains)";
pub const NOT_UNDERSTOOD: &str = "Not understood: ";
pub const FINDING_OF_AN_ANALYZER: &str = "analyzer finding";
pub const FINDINGS_OF_AN_ANALYZER: &str = "analyzer findings";
pub const FAILED_GUARDRAIL: &str = "failed guardrail";
pub const FAILED_GUARDRAILS: &str = "failed guardrails";
pub const TEST_PASSED: &str = "test passed";
pub const TESTS_PASSED: &str = "tests passed";
pub const TEST_FAILED: &str = "test failed";
pub const TESTS_FAILED: &str = "tests failed";
pub const SUCCESSFUL: &str = "Successful";
pub const FAILED_EVALUATION: &str = "Failed evaluation";
pub const SAVE_CSV: &str = "Save as CSV";
pub const RUNS_CSV_NAME: &str = "runs.csv";
pub const RUN: &str = "Run";
pub const ALL: &str = "All";
pub const PASSED: &str = "Passed";
pub const FAILED: &str = "Failed";
pub const WITH_ERRORS: &str = "With errors";
pub const WITH_LOOPS: &str = "With loops";
pub const WHICH_RUNS: &str = "Which runs are listed";
pub const SHAPE: &str = "Steps";
pub const SHAPE_TITLE: &str =
    "What the agent did over its active time; the longest run fills the column";

/// How many of the runs are listed, how they were graded, how long their agents were active, and what that cost.
#[must_use]
pub fn runs_listed(
    n: usize,
    n_all: usize,
    [passed, failed]: [u64; 2],
    mean_score: Option<f64>,
    sums: [String; 2],
) -> String {
    let runs = counts::runs(n_all as u64);
    let runs = if n < n_all { format!("{} of {runs}", count(n as u64)) } else { runs };
    let [active, cost] = sums;
    let active = if active.is_empty() { active } else { format!("{active} active") };
    let verdict = |n: u64, word: &str| match n {
        0 => String::new(),
        n => format!("{} {word}", count(n)),
    };
    let (passed, failed) = (verdict(passed, "passed"), verdict(failed, "failed"));
    let score = mean_score.map_or_else(String::new, |it| format!("mean score {}", fixed(it, 2)));
    let parts = [runs, passed, failed, score, active, cost];
    let parts = parts.into_iter().filter(|it| !it.is_empty());
    parts.collect::<Vec<_>>().join(" · ")
}

/// Opens what is about all runs, such as the evaluation that they are part of.
pub const ABOUT_ALL_RUNS: &str = "Open what the file states about all of these runs";

/// Copies the id of a run.
#[must_use]
pub fn copy_id(key: &str) -> String {
    format!("Copy the id of this run: {key}")
}

/// Clears the filters.
#[must_use]
pub fn show_all_events(n: u64) -> String {
    format!("{} events: show all", count(n))
}

/// Filters by a count, which is given with its noun.
#[must_use]
pub fn show_only(counted: &str) -> String {
    format!("{counted}: show only these")
}

/// Reading was stopped or broke off.
#[must_use]
pub fn reading_was(how: &str) -> String {
    format!("Reading was {how}")
}

/// A run without an end that has recent events.
#[must_use]
pub fn still_running(age: &str) -> String {
    format!("Still running: the last event is {age} old")
}

/// How often a warning occurred.
#[must_use]
pub fn times(n: u64) -> String {
    if n > 1 { format!(" ({} times)", count(n)) } else { String::new() }
}

/// A place in a file; line 0 is unknown.
#[must_use]
pub fn place(line: u32, byte: u64) -> String {
    match line {
        0 => format!("byte {byte}"),
        line => format!("line {line}, byte {byte}"),
    }
}

/// The label of the time that is not idle.
#[must_use]
pub fn active_of(wall: &str) -> String {
    format!("active, of {wall}")
}

/// The run time, with how much of it no LLM call and no tool call ran.
#[must_use]
pub fn run_time_with_waits(waited: &str) -> String {
    format!("run time, {waited} without calls")
}

/// What the active time leaves out.
#[must_use]
pub fn idle_times(n: usize) -> String {
    let n = counted(n as u64, "pause", "pauses");
    format!("Excludes {n} of more than 5 minutes in which nothing happened")
}

/// The list of prices by its name, version and date, with the user's own prices if there are any.
#[must_use]
pub fn list_of_prices(source: &str, version: &str, date: &str, has_own: bool) -> String {
    let words = [source, version].iter().filter(|it| !it.is_empty()).copied().collect::<Vec<_>>();
    let list = match (words.join(" "), date) {
        (name, "") => name,
        (name, date) if name.is_empty() => date.to_owned(),
        (name, date) => format!("{name} of {date}"),
    };
    match (list.is_empty(), has_own) {
        (_, false) => list,
        (true, true) => "your own list".to_owned(),
        (false, true) => format!("{list} and your own list"),
    }
}

/// What the sum of costs is made of, and what it lacks.
#[must_use]
pub fn cost_title(sum: &CostSum, list: &str) -> String {
    let n = counts::llm_calls(u64::from(sum.n_known));
    let how = match (sum.n_given, sum.is_estimate()) {
        (0, _) => format!(", estimated with the prices of {list}"),
        (_, false) => ", as stated in the file".to_owned(),
        (given, true) => {
            format!(
                ", {} as stated in the file, others estimated with the prices of {list}",
                count(u64::from(given))
            )
        }
    };
    let mut title = format!("Sum of {n}{how}");
    if sum.n_unknown > 0 {
        title.push_str(&format!(
            "\nExcludes {}: no price, or incomplete token counts",
            counts::llm_calls(u64::from(sum.n_unknown))
        ));
    }
    if sum.n_unfinished > 0 {
        title.push_str(&format!(
            "\n{} counted before the answer was complete",
            counted(u64::from(sum.n_unfinished), "call was", "calls were")
        ));
    }
    title
}

/// How much of the input came from a cache.
#[must_use]
pub fn cached(cached: u64, input: u64) -> String {
    #[expect(clippy::cast_precision_loss)] // a share
    let share = cached as f64 / input.max(1) as f64;
    format!("tokens, {} cached", percent(share))
}

/// The token counts of a run in full.
#[must_use]
pub fn tokens_title(how: &str, usage: &Usage) -> String {
    let mut title = format!("Sum of all calls ({how})");
    let parts = [
        ("in", usage.total_input()),
        ("from a cache", usage.cache_read),
        ("written to a cache", usage.cache_write),
        ("out", usage.output),
        ("for reasoning", usage.reasoning),
    ];
    for (words, n) in parts.into_iter().filter_map(|(words, n)| Some((words, n?))) {
        title.push_str(&format!("\n{} {words}", count(n)));
    }
    title
}
