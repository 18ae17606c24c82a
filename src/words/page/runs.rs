//! Words of the facts and statistics of a run.

use crate::{count, counted, duration, tokens};
use traceloupe_core::model::{CostSum, Mapping, Reading, Usage};
use traceloupe_core::number::fixed;
use traceloupe_protocol::context_parts::N_LAYERS;

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
pub const SHOW_FILES_TITLE: &str = "Files that calls name, and what was done to them (4)";
pub const COMPARE: &str = "Compare…";
pub const COMPARE_TITLE: &str = "Compare this run with another one (C)";
pub const COPY_LINK_TITLE: &str = "Copy a link to this run";
pub const COPY_LINK: &str = "Copy link";
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
pub const COST_HEAD: &str = "Cost";
pub const PER_MILLION: &str = "Per million";
pub const TOKENS: &str = "Tokens";
pub const COST_IN_ALL: &str = "Total";
pub const COST_AT_LEAST: &str =
    " At least: the tokens were counted before the answer was complete.";
pub const COST_PART: &str = "For";
pub const COST_TITLE: &str = "As stated in the file";
pub const TOKENS_IN_OUT_AT_LEAST: &str = "tokens in → out, at least";
pub const TOKENS_IN_OUT_WHERE_KNOWN: &str = "tokens in → out, where known";
pub const TOKENS_IN_OUT: &str = "tokens in → out";
pub const LLM_CALL: &str = "LLM call";
pub const LLM_CALLS: &str = "LLM calls";
pub const TOOL_CALL: &str = "tool call";
pub const TOOL_CALLS: &str = "tool calls";
pub const POSSIBLE_LOOP: &str = "possible loop";
pub const POSSIBLE_LOOPS: &str = "possible loops";
pub const FINDINGS: &str = "Findings";
pub const SHOW_THE_FIRST_ERROR: &str = "Show the first error";
pub const SHOW: &str = "Show";
pub const SHOW_IN_ROWS: &str = "Open the event in the rows";
pub const ALL_FINDINGS: &str = "All findings";
pub const ALL_FINDINGS_TITLE: &str = "All findings, with each repetition (f)";
pub const OF_ALL_FINDINGS: &str = ": all findings";
pub const CLOSE_FINDINGS: &str = "Close the findings";
pub const DETAILS: &str = "Details";
pub const NOT_A_LOOP: &str = "Not a loop";
pub const NOT_A_LOOP_TITLE: &str = "Stop counting and marking it, until the trace is closed";
pub const A_LOOP_AFTER_ALL: &str = "A loop after all";
pub const A_LOOP_AFTER_ALL_TITLE: &str = "Count and mark it again";
pub const FIRST_AND_LAST: &str = "Compare first and last";
pub const NOTHING_FOUND: &str = "No loops and no errors found";
pub const NOT_CHECKED: &str =
    "Not checked for loops and errors: the calls in this file are not recognized";
pub const LOOPS_HEADING: &str = "Possible loops";
pub const SINCE: &str = " since";
pub const SINCE_TITLE: &str = "From the previous event to this one, including the steps between";
pub const LONGEST_HEADING: &str = "Longest call";
pub const COMPACTIONS_HEADING: &str = "Compactions";
pub const PUT_BACK_HEADING: &str = "Reverted edits";
/// Errors that are no repetitions of a possible loop, where others are.
pub const OTHER_ERRORS: &str = "Errors outside of loops";
pub const ERRORS_HEADING: &str = "Errors";
pub const REPORTED_HEADING: &str = "Reported by the program that wrote the trace";
pub const REPORTED_TOO: &str = "also reported by the program";
pub const EVIDENCE: &str = "Evidence";
pub const EVENT: &str = "Event";
pub const AT: &str = "At";
pub const WHAT: &str = "Call or reason";
pub const TIME_HEAD: &str = "Time";
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
pub const CONTEXT_WINDOW: &str = "Context window";
pub const FILTER_RUNS: &str = "Filter runs";
pub const FILTER_RUNS_BY: &str = "Filter by name, group or meta:key=value";
pub const AS_LISTED_TITLE: &str = "List the runs in the order of the file";
pub const COMPARE_TWO: &str = "Compare two…";
pub const COMPARE_TWO_TITLE: &str = "Mark two runs to compare them (x on a run)";
pub const MARK_RUN: &str = "Mark for the comparison";

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
pub const BY_PERSON: &str = "Waiting for the user";
pub const IN_LOOPS: &str = "In possible loops";
pub const ABOUT_TIME_SPENT: &str = "What the end of the run had to wait for. Tools are grouped by their names; the steps of sub-agents count by their own kind. Waiting for the user lasts from the last step to the next message";
pub const BY_OTHERS: &str = "Other steps";
pub const BY_NOTHING: &str = "Nothing recorded";
pub const CONTEXT_OVER_CALLS: &str = "Context over calls";
pub const CALL_TO_LOOK_AT: &str = "Selected LLM call";
pub const WHOSE_CONTEXT: &str = "Whose context";
pub const MAIN_AGENT: &str = "main";
pub const COMPACTED: &str = "Compacted: ";
pub const ADDED_MOST: &str = "Largest additions up to ";

/// The kinds of sources of a context, by their layer.
pub const LAYERS: [&str; N_LAYERS] = [
    "Instructions and tool schemas",
    "Compaction summary",
    "Messages to the model",
    "Assistant",
    "Tool output",
    "Not in the file",
];
pub const HOW_IS_IT_SPLIT: &str = "How is it split?";
pub const HOW_PARTS_ARE_ESTIMATED: &str = "The totals are from the file. The parts are estimates: each step is assumed to have added what the input of the next call grew by, and steps between the same two calls share that growth by the length of their records. If a context shrank without a compaction, all its parts shrink.";
pub const TOTAL: &str = "Total";
pub const SORT_TITLE: &str = "Sort by this column: largest first, smallest first, as listed";
pub const SAVE_CSV: &str = "Save as CSV";
pub const SAVE_CSV_TITLE: &str = "Save the table of calls, as grouped, with plain numbers";
pub const COPY_MARKDOWN: &str = "Copy as Markdown";
pub const COPY_MARKDOWN_TITLE: &str =
    "Copy where the time went and the table of calls, as grouped and sorted";
pub const STATISTICS_COPIED: &str = "Statistics copied";
pub const CSV_NAME: &str = "calls.csv";
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
    let runs = counted(n_all as u64, "run", "runs");
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
pub const ABOUT_INFERRED: &str = " ≈ marks durations that were inferred from the times of records.";
pub const ABOUT_UNFINISHED: &str =
    " ≥ marks sums with calls whose output was counted while it was still streaming.";
pub const MEASURE: &str = "Measure";
pub const KNOWN_FOR: &str = "Known for";
pub const SPELLING_OF_THE_KEYS: &str = "Spelling of the keys";
pub const COPY_AS_JSON: &str = "Copy as JSON";

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

/// Repetitions without room.
#[must_use]
pub fn and_more(n: usize) -> String {
    format!("and {n} more")
}

/// The heading of a list, with the number of its entries.
#[must_use]
pub fn heading(words: &str, n: usize) -> String {
    format!("{words} ({})", count(n as u64))
}

/// The heading over a list: how many there are, and of how many kinds if some are alike.
#[must_use]
pub fn heading_of_kinds(words: &str, n_kinds: usize, n: u64) -> String {
    match n_kinds as u64 {
        kinds if kinds < n => {
            format!("{words} ({} in {})", count(n), counted(kinds, "kind", "kinds"))
        }
        _ => format!("{words} ({})", count(n)),
    }
}

/// How long the active time is, and the pauses that it leaves out.
#[must_use]
pub fn active_time(active_ms: f64, idle_ms: f64) -> String {
    let active = format!("{} active", duration(active_ms));
    if idle_ms > 0.0 {
        format!("{active}; excludes {} of pauses; each moment counts once", duration(idle_ms))
    } else {
        active
    }
}

/// In how many places alike findings are, behind their sentence.
#[must_use]
pub fn places(n: usize) -> String {
    format!(", in {} places", count(n as u64))
}

/// The line of the context window in a chart.
#[must_use]
pub fn window_of(model: &str, size: f64) -> String {
    let model = if model.is_empty() { "the model" } else { model };
    format!("Window of {model}: {}", tokens(size))
}

/// An LLM call by its number among the calls of its agent, and its event.
#[must_use]
pub fn call_at(call: u32, event: u32) -> String {
    format!("Call {}, event {}", count(call.into()), count(event.into()))
}

/// How full the context is, and what of it came from a cache.
#[must_use]
pub fn held(used: f64, window: Option<f64>, cached: f64) -> String {
    let of = match window {
        Some(window) => format!(" of {}", tokens(window)),
        None => " tokens".to_owned(),
    };
    let cached = match cached {
        n if n > 0.0 => format!(", {} from cache", tokens(n)),
        _ => String::new(),
    };
    format!("{}{of}{cached}", tokens(used))
}

/// Shows a finding.
#[must_use]
pub fn show(sentence: &str) -> String {
    format!("Show: {sentence}")
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
    let n = counted(u64::from(sum.n_known), LLM_CALL, LLM_CALLS);
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
            "\nExcludes {}: no price, or not all counts are known",
            counted(u64::from(sum.n_unknown), LLM_CALL, LLM_CALLS)
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

/// What the costs of a table are.
#[must_use]
pub fn about_costs(list: &str) -> String {
    format!(
        " Costs with ≈ are estimated with the prices of {list}; ≥ means that some calls have no price or were counted before they ended."
    )
}

pub const INPUT: &str = "Input";
pub const READ_FROM_CACHE: &str = "Read from a cache";
pub const WRITTEN_TO_CACHE: &str = "Written to a cache";
pub const OUTPUT: &str = "Output";
pub const REASONING: &str = "Reasoning";
pub const REQUEST: &str = "Request";

/// Says that the cost of a call is estimated by the user's own prices.
pub const ESTIMATED_BY_OWN: &str = "Estimated with your own prices.";

/// Says of a call that there is no price of its model.
#[must_use]
pub fn no_price(model: &str) -> String {
    format!("No price is known for {model}.")
}

pub const ENTER_A_PRICE: &str = "Enter a price…";

/// By which prices the cost of a call is estimated.
#[must_use]
pub fn estimated_by(provider: &str, model: &str, list: &str) -> String {
    let model = if model.is_empty() { String::new() } else { format!(" for {model}") };
    format!("Estimated with the prices of {provider}{model} in {list}.")
}

/// How much of the input came from a cache.
#[must_use]
pub fn cached(cached: u64, input: u64) -> String {
    let share = u128::from(cached) * 100 / u128::from(input.max(1));
    format!("tokens, {share}% cached")
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

/// What the chart of the context shows.
#[must_use]
pub fn fullest(call: u32, used: f64, window: Option<f64>) -> String {
    let of = window.map_or(String::new(), |window| format!(" of {}", tokens(window)));
    let used = tokens(used);
    format!(
        "totals as stated, split estimated by size; fullest at call {}: {used} tokens{of}",
        count(call.into())
    )
}

/// `call 12`, a call by its number.
#[must_use]
pub fn call_number(number: u32) -> String {
    format!("call {}", count(number.into()))
}

/// `≈ 8.1k`, an estimated number of tokens.
#[must_use]
pub fn about_tokens(tokens: f64) -> String {
    format!("≈ {}", crate::tokens(tokens))
}
