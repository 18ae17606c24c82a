//! Words of the frame of the page: bars, dialogs, commands, settings.

pub use super::annotations::{NEXT_ANNOTATION, PREVIOUS_ANNOTATION};
pub use super::checks::{NEXT_CHECKED_CALL, PREVIOUS_CHECKED_CALL};
pub use super::event::COMPARE_OTHERS as COMPARE_OTHERS_WITH_THIS;
pub use super::findings::ALL_FINDINGS;
pub use super::runs::{
    COPY_LINK_TITLE as COPY_LINK_TO_RUN, EXPORT_AS, LLM_CALL, POSSIBLE_LOOP, SHARE, SHARE_TITLE,
    STATISTICS,
};
pub use super::timeline::POSSIBLE_LOOP as POSSIBLE_LOOP_TERM;
pub use crate::column_headings::POSSIBLE_LOOPS;
use crate::counts;
use crate::{bytes, count, counted};
use traceloupe_protocol::route;

pub const LINK_IS_NEWER: &str = "This link was made by a newer version of Traceloupe; what this version does not know of it is ignored";
pub const LINKED_RUN_MISSING: &str = "The linked run is not in this trace";
pub const DROP_HERE: &str = "Drop files or a folder to open them";
pub const SKIP_TO_THE_TIMELINE: &str = "Skip to the timeline";
pub const TIMELINE: &str = "Timeline";
pub const TRACELOUPE: &str = "Traceloupe";
pub const PROBLEMS: &str = "Problems";
pub const DISMISS: &str = "Dismiss";
pub const DETAILS: &str = "Details";
pub const LIVE: &str = "Live: ";
pub const LOADING: &str = "Loading ";
pub const LOADING_LABEL: &str = "Loading";
pub const STOP_AND_KEEP_TITLE: &str = "Stop reading and keep what has been read (s)";
pub const STOPPING: &str = "Stopping…";
pub const STOP_AND_KEEP: &str = "Stop and keep";
pub const DISCARD_TITLE: &str = "Stop reading and discard what has been read (Esc)";
pub const DISCARD: &str = "Discard";
pub const SEAL_TITLE: &str =
    "No fetch, no sockets, no scripts, no remote images: see docs/privacy.md";
pub const SEALED: &str = "Sealed: no fetch, no sockets, no scripts, no remote images";
pub const NOT_SEALED_YET: &str = "Not sealed yet";
pub const ALL_KEYS: &str = " all keys";
pub const NEXT_ROW: &str = "Next row";
pub const PREVIOUS_ROW: &str = "Previous row";
pub const EXPAND_ROW: &str = "Expand; if already expanded, go to the first nested row";
pub const COLLAPSE_ROW: &str = "Collapse; if already collapsed, go to the parent row";
pub const ENTER_ROW: &str =
    "Open the row and move into it; on a sub-agent, show only that agent. Esc goes back";
pub const OPEN_OR_CLOSE_THE_ROW: &str = "Open or close the row";
pub const NEXT_ROW_AT_THIS_LEVEL: &str =
    "Next turn; in a run without turns, next row at this level";
pub const PREVIOUS_ROW_AT_THIS_LEVEL: &str =
    "Previous turn; in a run without turns, previous row at this level";
pub const NEXT_POSSIBLE_LOOP: &str = "Next possible loop";
pub const PREVIOUS_POSSIBLE_LOOP: &str = "Previous possible loop";
pub const WHAT_CHANGED: &str = "What changed since the previous event";
pub const NEXT_ERROR: &str = "Next error";
pub const PREVIOUS_ERROR: &str = "Previous error";
pub const CAUSE: &str = "Cause of the error: the first failed row inside this one";
pub const NO_ERROR_HERE: &str = "There is no error at or before this row";
pub const PROMPT_CHANGE: &str = "Previous prompt change";
pub const LAST_ANSWER: &str = "Final answer";
pub const NO_ANSWER: &str = "This run has no answer";
pub const COMPARE_WITH_ANOTHER_RUN: &str = "Compare with another run";
pub const ANNOTATE_THE_ROW: &str =
    "Annotate the row; Ctrl+Enter closes the note, Esc undoes the change";
pub const COPY_LINK_TO_ROW: &str = "Copy a link to the row";
pub const SEARCH: &str = "Search";
pub const SEARCH_AND_FILTER: &str = "Search, or filter the rows";
pub const PALETTE: &str = "Commands and runs";
pub const PALETTE_EXAMPLE: &str = "Type a command or the name of a run";
/// Further words by which people look for the command with a key.
#[must_use]
pub fn also_called(key: &str) -> &'static str {
    match key {
        "0" => "summary report cost markdown",
        "3" => "slow slowest time spans",
        "g" => "slow slowest time",
        "5" => "slow slowest time cost price tokens usage",
        "/" => "find grep hide",
        "w" => "save download markdown csv json",
        "Ctrl+s" => "download share",
        "Y" => "markdown prompt",
        "f" => "problems loops errors warnings",
        "t" => "night mode",
        _ => "",
    }
}

pub const NO_COMMAND: &str = "No matching commands or runs";
pub const ALL_COMMANDS: &str = "Find a command or run";
pub const SHOW_BRIEF: &str = "Show the brief of the run";
pub const COPY_FOR_LLM: &str = "Copy for an LLM: the row, its turn, a finding or the brief";
pub const SHOW_TRANSCRIPT: &str = "Show the conversation as a transcript";
pub const SHOW_TIMELINE: &str = "Show the timeline";
pub const FLAME_GRAPH: &str = "Show or hide the flame graph";
pub const ZOOM_FLAME: &str = "Zoom the flame graph to the row, or zoom out";
pub const SHOW_FILES: &str = "Show the files mentioned in calls";
pub const SHOW_WATERFALL: &str = "Show the waterfall";
pub const NOT_OFFERED: &str = "Not available for this run";
pub const NEXT_MATCH: &str = "Next match (Enter in the search field)";
pub const PREVIOUS_MATCH: &str = "Previous match (Shift+Enter in the search field)";
pub const CHECK_AGAINST_EXPECTED_CALLS: &str = "Check against expected calls";
pub const PRINT: &str = "Print the listed rows…";
pub const EXPORT_THE_RUN_AS: &str = "Export the run as…";
pub const STATISTICS_OF_CALLS_AND_RUNS: &str = "Statistics of calls and runs";
pub const MODE_MINIMAL: &str = "Minimal: questions, answers and errors";
pub const MODE_NORMAL: &str = "Normal: every event on one line, loops folded";
pub const MODE_VERBOSE: &str = "Verbose: everything open, nothing folded";
pub const CLEAR_THE_FILTER: &str = "Clear the filter";
pub const COPY_ID_OF_RUN: &str = "Copy the id of this run";
pub const CLOSE_THE_TRACE: &str = "Close the trace";
pub const FIRST_ROW: &str = "First row";
pub const LAST_ROW: &str = "Last row";
pub const A_PAGE_DOWN: &str = "A page down";
pub const A_PAGE_UP: &str = "A page up";
pub const STOP_LOADING: &str = "Stop loading and keep what has been read";
pub const REPLAY_THE_RUN: &str = "Replay the run";
pub const SWITCH_THEME: &str = "Switch between light and dark theme";
pub const OPEN: &str = "Open…";
pub const SHORTCUTS_AND_GLOSSARY: &str = "Shortcuts and glossary";
pub const ESCAPE: &str =
    "Close a dialog, clear the search, discard what is loading, leave an open row or an agent";
pub const OPEN_ANOTHER_TRACE: &str = "Open another trace";
pub const SHORTCUTS: &str = "Shortcuts";
pub const SETTINGS: &str = "Settings";
pub const ABOUT_THIS_TRACE: &str = "About this trace";
pub const IMAGE: &str = "Image";
pub const OPEN_THIS_TRACE: &str = "Open this trace?";
pub const LEAVE_THIS_TRACE: &str = "Open another trace?";
pub const OPEN_THIS_LINK: &str = "Open this link?";
pub const CLOSE_THE_DIALOG: &str = "Close the dialog";
pub const RUN: &str = "Run";
pub const RUN_IS: &str = "one execution of an agent from first input to outcome";
pub const EVENT: &str = "Event";
pub const EVENT_IS: &str = "one thing that happened; a call with its result is one event";
pub const LLM_CALL_IS: &str = "one model request with its response";
pub const TOOL_CALL: &str = "Tool call";
pub const TOOL_CALL_IS: &str = "one call of a tool, with its arguments and its result";
pub const POSSIBLE_LOOP_IS: &str = "the same calls several times in a row; the more similar their arguments and results, the more certain";
pub const RAW: &str = "Raw";
pub const RAW_IS: &str = "the exact bytes of the file, with their line and byte offset";
pub const KEYS_NOTE: &str = "You can limit single-key shortcuts to the timeline in the settings. The browser's own find searches only the rows on screen.";
/// Around the memory of the worker and the size of unpacked files.
pub const MEMORY: [&str; 3] = ["Worker: ", " of memory; ", " of unpacked files kept outside it."];
pub const NOTHING_TO_SHOW: &str = "nothing to show";
pub const WHAT_IS_THIS_FILE: &str = "What is this file?";
pub const READ_AS: &str = "Read as…";
pub const DETECTED_FORMAT: &str = "the detected format";
pub const THE_RUN: &str = "The run";
pub const RUNS_OF_THE_FOLDER: &str = "Which run?";
pub const BACK_TO_THE_FOLDER: &str = "Back to the list of runs…";
pub const NO_ORIGIN: &str = "A page without an address";
/// After the name of another page, around the size of the trace that it sends.
pub const WANTS_TO_OPEN: [&str; 2] = [
    " wants to open a trace of ",
    " here. Content only flows in: that page learns nothing about what you have open.",
];
pub const DONT_OPEN: &str = "Don't open";
pub const OPEN_ONCE: &str = "Open once";
/// Around the address that is loaded.
pub const CLOSES_AND_LOADS: [&str; 2] = [
    "This closes the open trace and loads ",
    ". The address may come from a trace: open it only if you know where it leads.",
];
pub const KEEP_THIS_TRACE: &str = "Keep this trace";
pub const OPEN_THE_ADDRESS: &str = "Open the address";
pub const THEME: &str = "Theme";
pub const SYSTEM: &str = "System";
pub const LIGHT: &str = "Light";
pub const DARK: &str = "Dark";
pub const HOW_MUCH_IS_SHOWN: &str = "Level of detail";
pub const NORMAL_SETTING: &str = "Normal: every event on one line";
pub const VERBOSE_SETTING: &str = "Verbose: everything open";
pub const NORMAL_MODE: &str = "Normal mode";
pub const SHORTEN_OUTPUTS_AFTER_LINES: &str = "Shorten outputs after (lines)";
pub const SHORTEN_OUTPUTS_AFTER_CHARACTERS: &str = "Shorten outputs after (characters)";
pub const SHORTEN_THINKING_AFTER_CHARACTERS: &str = "Shorten thinking after (characters)";
pub const AUTO_COLLAPSE_LONG_STEPS: &str = "Auto-collapse long steps";
pub const COLLAPSE_STEPS_OVER: &str = "Collapse steps with more tool calls than";
pub const REPETITIONS: &str = "Repetitions that count as a loop";
pub const DETECTION_WINDOW_EVENTS: &str = "Detection window (steps)";
pub const LIST_REPEATED_NAMES: &str = "Also list calls repeated with different arguments";
pub const COSTS: &str = "Costs";
pub const KEYBOARD: &str = "Keyboard";
pub const KEYS_EVERYWHERE: &str = "Single-key shortcuts work everywhere, not only in the timeline";
pub const RESTORE_THE_DEFAULTS: &str = "Restore defaults";
pub const RUNS_AND_FILTERS: &str = "Runs and filters";
pub const RUNS: &str = "Runs";
pub const MENU: &str = "Actions";
pub const FILTERS: &str = "Filters";
pub const CLOSE_FILTERS: &str = "Show the rows";
pub const NO_MATCHING_RUNS: &str = "No matching runs";
pub const SUMMARY_ONLY: &str = "summary only";
pub const SWITCH_THEME_TITLE: &str = "Switch between light and dark theme (t)";
pub const ABOUT_TITLE: &str = "About this trace: its files and how their formats were detected";
pub const FOLLOW_TITLE: &str = "Follow this file while it grows";
pub const FOLLOW: &str = "Follow";
pub const MINIMAL: &str = "Minimal";
pub const MINIMAL_TITLE: &str = "Questions, answers and errors";
pub const NORMAL: &str = "Normal";
pub const NORMAL_TITLE: &str = "Every event on one line, loops folded";
pub const VERBOSE: &str = "Verbose";
pub const VERBOSE_TITLE: &str = "Everything open, nothing folded";
pub const BUTTONS_FOR_ALL: &str = "Expand, collapse, replay";
pub const EXPAND_TITLE: &str = "Expand everything (*)";
pub const EXPAND_ALL: &str = "Expand all";
pub const COLLAPSE_TITLE: &str = "Collapse everything (-)";
pub const COLLAPSE_ALL: &str = "Collapse all";
pub const REPLAY_THE_RUN_P: &str = "Replay the run (p)";
pub const REPLAY: &str = "Replay";
pub const FILES_TO_COMPARE: &str = "Files to compare the open trace with";
pub const SIDE_WIDTH: &str = "Width of the left column";
pub const SIDE_WIDTH_TITLE: &str = "Drag to make the column wider or narrower";

/// Progress of a live trace.
#[must_use]
pub fn live_progress(read_bytes: u64, n_events: u64) -> String {
    format!("{}, {}", bytes(read_bytes), counts::events(n_events))
}

/// Progress of a file: bytes read, the total and the speed where they are known, and events.
#[must_use]
pub fn progress(
    read_bytes: u64,
    total_bytes: u64,
    bytes_per_s: Option<u64>,
    n_events: u64,
) -> String {
    let mut said = bytes(read_bytes);
    if total_bytes > 0 {
        said.push_str(&format!(" of {}", bytes(total_bytes)));
    }
    if let Some(speed) = bytes_per_s {
        said.push_str(&format!(", {}/s", bytes(speed)));
    }
    format!("{said}, {}", counts::events(n_events))
}

/// Progress from an address that has sent nothing for some seconds: bytes read, and the total if it is known.
#[must_use]
pub fn stalled(read_bytes: u64, total_bytes: u64, seconds: u32) -> String {
    if read_bytes == 0 {
        return format!("no answer for {seconds} s");
    }
    let of = if total_bytes > 0 { format!(" of {}", bytes(total_bytes)) } else { String::new() };
    format!("{}{of}, nothing for {seconds} s", bytes(read_bytes))
}

/// The place of the selected event in its run.
#[must_use]
pub fn event_of(number: u64, n_events: u64) -> String {
    format!("Event {} of {}", count(number), count(n_events))
}

pub const NOT_SHOWN_TITLE: &str =
    "They are folded, or hidden by the mode, a filter or a collapsed row";

/// Events that are hidden by the mode, a filter or a collapsed row.
#[must_use]
pub fn not_shown_here(n: usize) -> String {
    format!("{} folded or hidden", count(n as u64))
}

/// What reading was stopped after: bytes read, and all bytes (0 if unknown).
#[must_use]
pub fn reading_stopped(stopped: (u64, u64)) -> String {
    format!("Reading was {}: what was read until then is shown.", crate::stopped(stopped))
}

/// The format of a file and why it was chosen.
#[must_use]
pub fn read_as(format: &str, why: &str) -> String {
    format!("Read as {format}: {why}")
}

/// Other formats that would fit a file.
#[must_use]
pub fn could_also_be(others: &str) -> String {
    format!("It could also be {others}")
}

/// The rest of the list of runs, on the button that shows it.
#[must_use]
pub fn more_runs(n: usize) -> String {
    format!("+{}", counted(n as u64, "more run", "more runs"))
}

/// The score of a run.
#[must_use]
pub fn score(score: &str) -> String {
    format!("score {score}")
}

/// By which prices costs are estimated.
#[must_use]
pub fn costs_by(list: &str) -> String {
    if list.is_empty() {
        return "No price list is loaded: only costs stated in a file are shown.".to_owned();
    }
    format!("Estimated with the prices of {list}, where a file states no cost.")
}

pub const OWN_PRICES: &str = "Own prices";
pub const OWN_PRICES_HOW: &str = "One line per model: its name, then dollars per million tokens for input and output, and optionally for cache reads and cache writes. These override the list. End a name with * to match a prefix.";
pub const OWN_PRICES_EXAMPLE: &str = "my-model 0.5 2\nhouse-* 0 0";
pub const ANOTHER_LIST: &str = "Another price list, until the page is closed";

/// What the user's own prices are, and which lines are not understood.
#[must_use]
pub fn own_prices(n_models: usize, wrong_lines: &[usize]) -> String {
    let models = match n_models {
        0 => String::new(),
        n => format!("{}.", counted(n as u64, "price entered", "prices entered")),
    };
    let lines: Vec<_> = wrong_lines.iter().take(5).map(ToString::to_string).collect();
    match lines.len() {
        0 => models,
        n => {
            let line = if n == 1 { "Line" } else { "Lines" };
            let more = if wrong_lines.len() > n { "…" } else { "" };
            format!(
                "{models} {line} {}{more}: expected a name and at least two prices.",
                lines.join(", ")
            )
        }
    }
}

/// Models of the open trace that have no price.
pub const WITHOUT_A_PRICE: &str = "Models without a price in this trace:";

#[must_use]
pub fn enter_price_of(model: &str) -> String {
    format!("Add a line for {model}")
}

/// A run in the palette.
#[must_use]
pub fn to_run(title: &str) -> String {
    format!("Run: {title}")
}

/// The most useful keys of a view, with what they do.
#[must_use]
pub fn foot_keys(view: &str) -> &'static [(&'static [&'static str], &'static str)] {
    const MOVE: (&[&str], &str) = (&["j", "k"], "move");
    match view {
        route::RUNS => &[MOVE, (&["x"], "mark to compare")],
        route::COMPARE => &[MOVE, (&["J", "K"], "differences")],
        _ => &[MOVE, (&["[", "]"], "loops"), (&["x"], "errors")],
    }
}
