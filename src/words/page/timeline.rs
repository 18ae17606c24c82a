//! Words of the timeline.

pub use super::context::MAIN_AGENT;
pub use crate::column_headings::{COST, DURATION, TIME, TOKENS};
use crate::{count, counted, percent, tokens};

pub const TIMELINE: &str = "Timeline";
pub const HAS_AN_IMAGE: &str = "Image";
pub const OVERVIEW: &str = "Overview";
pub const OVERVIEW_SIZE: &str = "Size of the overview";
pub const AXIS: &str = "Axis of the overview";
pub const STEPS: &str = "Steps";
pub const WHOLE_RUN: &str = "Whole run";
pub const OVERVIEW_TITLE: &str = "Click to go there. Drag to zoom in, or along the axis to pan. Double-click to show the whole run";
pub const TIME_OF_DAY_TITLE: &str = "Start time (UTC)";
pub const TURN: &str = "Turn ";
pub const TURN_TITLE: &str = "Go to the beginning of this turn";
pub const NAMES_WIDTH: &str = "Width of the name column";
pub const NAMES_WIDTH_TITLE: &str = "Drag to make the name column wider or narrower";
pub const OWN_TIME: &str = "Self time";
pub const TURNS: &str = "Turns";
pub const USER: &str = "User";
pub const MODEL: &str = "Assistant";
pub const FAILED: &str = "failed";
pub const ALL_OF_EVENT: &str = "Details";
pub const ALL_OF_EVENT_TITLE: &str = "Everything the file records about this event (Enter)";
pub const FOCUS_VISIBLE: &str = ":focus-visible";
pub const ONLY_A_SUMMARY: &str = "This file has only the summary of the run. Drop its events file (events.jsonl or spans.jsonl) together with it to see what happened.";
pub const NO_MATCHING_EVENTS: &str = "No matching events. Clear the filters, or change the mode.";
pub const OPENED: &str = ", open";
pub const FOLD: &str = "Fold";
pub const UNFOLD: &str = "Unfold";
pub const ENTER_FOLDS_THEM_AGAIN: &str = ". Enter folds them again";
pub const ENTER_UNFOLDS_THEM: &str = ". Enter unfolds them";

pub const AGENTS: &str = "Agents";
pub const RUN: &str = "Run";
pub const ONLY_THIS_AGENT: &str = "Only this agent";
pub const AGENT_DONE: &str = "Done";

pub const CRITICAL_PATH: &str = "Critical path";
pub const CRITICAL_TITLE: &str = "Underline what determined when the run ended, without folded gaps. The other bars could have been longer without delaying it";
pub const POSSIBLE_LOOP: &str = "Possible loop";
pub const FOLD_GAPS: &str = "Fold gaps";
pub const FOLD_GAPS_TITLE: &str = "Fold the times when no LLM call or tool call was running";
pub const SELECTED_EVENT: &str = "Selected event";
pub const START: &str = "Start";
pub const ON_THE_CRITICAL_PATH: &str = "On the critical path";
pub const NOT_ON_IT: &str = "no";
pub const PARENT: &str = "Parent";
pub const TRIES: &str = "Attempts";
pub const TRY_EVENT: &str = "Event";
pub const OUTCOME: &str = "Outcome";
pub const WORKED: &str = "succeeded";
pub const WAITED: &str = "Waited";
pub const WAITED_TITLE: &str = "Time since the previous attempt";

pub const FLAME: &str = "Flame graph";
pub const FLAME_TITLE: &str = "Show how rows are nested, above the list (g)";
pub const FLAME_HELP: &str = "Click to select. Double-click to zoom";

/// The speaker of the prompt of a sub-agent.
#[must_use]
pub fn prompt_for(agent: Option<&str>) -> String {
    agent.map_or_else(|| "Prompt".to_owned(), |agent| format!("Prompt for {agent}"))
}

/// In place of the text of an LLM call that has neither text nor calls: its tokens, which are NaN if unknown.
#[must_use]
pub fn nothing_said(tokens_in: f64, tokens_out: f64) -> String {
    let [sent, received] = [tokens_in, tokens_out].map(tokens);
    match (sent.is_empty(), received.is_empty()) {
        (true, true) => "No text in the file".to_owned(),
        (false, true) => format!("No text in the file · {sent} tokens in"),
        (true, false) => format!("No text in the file · {received} tokens out"),
        (false, false) => format!("No text in the file · {sent} tokens in, {received} out"),
    }
}

/// A bar of the flame graph.
#[must_use]
pub fn bar(name: &str, took: &str, own: &str) -> String {
    format!("{name}: {took}, self time {own}")
}

/// Bars of the flame graph that are too narrow to be told apart.
#[must_use]
pub fn bars(n: u32) -> String {
    counted(u64::from(n), "row", "rows")
}

/// When a row began: the time of day, and how long after the run.
#[must_use]
pub fn start(at: &str, since: &str) -> String {
    match (at.is_empty(), since.is_empty()) {
        (false, false) => format!("{at}, {since} in"),
        _ => format!("{at}{since}"),
    }
}

/// How long a row took, and how much of it is its own.
#[must_use]
pub fn took(duration: &str, own: &str) -> String {
    match own.is_empty() || own == duration {
        true => duration.to_owned(),
        false => format!("{duration}, {own} self time"),
    }
}

/// A part of a time, and its share, from 0 to 1.
#[must_use]
pub fn of_it(duration: &str, share: f64) -> String {
    format!("{duration} ({})", percent(share))
}

/// Shows only what an agent did.
#[must_use]
pub fn only_the_agent(name: &str) -> String {
    format!("Only the agent {name}")
}

/// Rows that have arrived below the window.
#[must_use]
pub fn new_rows(n: usize) -> String {
    format!("↓ {} new", count(n as u64))
}

/// The number of a turn.
#[must_use]
pub fn turn(number: u32) -> String {
    format!("Turn {number}")
}

/// The failed events of a turn.
#[must_use]
pub fn errors(n: u32) -> String {
    counted(u64::from(n), "error", "errors")
}

/// What is underlined in a waterfall.
#[must_use]
pub fn underlined(duration: &str, llm_share: f64) -> String {
    let llm = match llm_share >= 0.005 {
        true => format!(", {} of it in LLM calls", percent(llm_share)),
        false => String::new(),
    };
    format!("Underlined: critical path, {duration}{llm}")
}

/// What is hatched in a waterfall.
#[must_use]
pub fn hatched(durations: &str) -> String {
    format!("Hatched: {durations} folded")
}

/// What is said on paper of rows that are not printed.
#[must_use]
pub fn not_all_printed(n_printed: usize, n: usize) -> String {
    let (printed, all) = (count(n_printed as u64), count(n as u64));
    format!("The first {printed} of {all} rows. Use a filter to print others.")
}

/// The number of agents.
#[must_use]
pub fn agents(n: usize) -> String {
    counted(n as u64, "agent", "agents")
}

/// A folded gap, by its length.
#[must_use]
pub fn gap(duration: &str) -> String {
    format!("{duration} with no LLM call or tool call running")
}

/// The first event in view, with its turn.
#[must_use]
pub fn at_event(number: u64, of: u64, turn: Option<u32>) -> String {
    let turn = turn.map_or(String::new(), |turn| format!(", turn {turn}"));
    format!("{}{turn}", super::shell::event_of(number, of))
}

/// What a call changes in files: `3 lines added, 1 line removed`.
#[must_use]
pub fn changed_lines(added: u32, removed: u32) -> String {
    let lines = crate::counts::lines;
    format!("{} added, {} removed", lines(added.into()), lines(removed.into()))
}
