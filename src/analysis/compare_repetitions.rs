//! Compares the repetitions of a stretch call by call.

use super::keys::{Compare, UNIQUE, result_key, step_key};
use super::steps::LaneSteps;
use super::stretches::Stretch;
use super::{Arguments, Results};
use traceloupe_core::case::words;
use traceloupe_core::model::{EventKind, Trace};

/// The result of comparing the repetitions of a stretch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Outcome {
    /// How the arguments compare.
    pub(super) args: Arguments,
    /// How the results compare.
    pub(super) results: Results,
    /// Whether all results are in the file and equal, including failures.
    pub(super) same_results: bool,
    /// Whether one call is repeated, as opposed to several calls that alternate.
    pub(super) is_one_call: bool,
    /// Whether there are tool calls. If not, LLM calls were compared, or else states.
    pub(super) has_calls: bool,
}

/// Compares the repetitions of a stretch: its tool calls; if it has none, its LLM calls; and if it has none of these
/// either, its states, which have no results.
pub(super) fn compare(trace: &Trace, lane: &LaneSteps, stretch: &Stretch) -> Outcome {
    let block = lane.list.get(stretch.repetition(0)).unwrap_or_default();
    let has = |kind| block.iter().any(|step| step.kind == kind);
    let (counted, by) = if has(EventKind::ToolCall) {
        (EventKind::ToolCall, Compare::Calls)
    } else if has(EventKind::LlmCall) {
        (EventKind::LlmCall, Compare::Prompts)
    } else {
        (EventKind::State, Compare::Prompts)
    };
    let positions = || (0..).zip(block).filter(|(_, step)| step.kind == counted).map(|(at, _)| at);
    let has_calls = counted == EventKind::ToolCall;
    let is_one_call = positions().count() == 1;

    let is_same = |by| has_same_arguments(trace, lane, stretch, counted, by);
    let args = match by {
        Compare::Calls if is_same(Compare::ExactCalls) => Arguments::Same,
        Compare::Calls if is_same(by) => Arguments::Alike,
        Compare::Calls => Arguments::Different,
        _ if is_same(by) => Arguments::Same,
        _ => Arguments::Different,
    };
    let same_args = args.do_the_same();
    if counted == EventKind::State {
        let results = Results::Missing;
        return Outcome { args, results, same_results: false, is_one_call, has_calls };
    }

    let by = if same_args { by } else { Compare::Names };
    let (mut changing, mut missing, mut failing) = (false, false, false);
    let mut same_results = true;
    for at in positions() {
        let position = compare_position(trace, lane, stretch, at, by);
        same_results &= !position.changing && !position.missing;
        match position.failing {
            true => failing = true,
            false => {
                changing |= position.changing;
                missing |= position.missing;
            }
        }
    }
    let results = match (changing, failing, missing) {
        (true, _, _) => Results::Changing,
        (_, true, _) => Results::Errors,
        (_, _, true) => Results::Missing,
        _ => Results::Same,
    };
    // Equal confirmations of different changes carry no information.
    let mut calls = lane.events(stretch.repetition(0)).iter().filter_map(|id| trace.event(*id));
    let is_receipts = has_calls
        && !same_args
        && results == Results::Same
        && calls.all(|it| it.kind != EventKind::ToolCall || changes_something(trace.name(it.name)));
    let same_results = same_results && !is_receipts;
    Outcome { args, results, same_results, is_one_call, has_calls }
}

/// Whether the steps of a kind have equal keys in every repetition.
#[inline(never)]
fn has_same_arguments(
    trace: &Trace,
    lane: &LaneSteps,
    stretch: &Stretch,
    kind: EventKind,
    by: Compare,
) -> bool {
    let key = |at, nth| step_key(trace, lane, stretch.repetition(nth).start + at, by);
    let block = lane.list.get(stretch.repetition(0)).unwrap_or_default();
    (0..).zip(block).filter(|(_, step)| step.kind == kind).all(|(at, _)| {
        let first = key(at, 0);
        first != UNIQUE && (1..stretch.repetitions()).all(|nth| key(at, nth) == first)
    })
}

/// Words in the names of tools that change something and answer with a confirmation.
const CHANGES: [&str; 9] =
    ["append", "create", "edit", "insert", "patch", "replace", "todo", "update", "write"];

/// Whether a tool changes something, by its name: `MultiEdit`, `apply_patch`, `fs.write_file`.
#[must_use]
pub fn changes_something(name: &str) -> bool {
    let words = words(name);
    // Input to a running process is answered with the output of the process.
    let is_typed = words.iter().any(|word| word == "stdin");
    !is_typed && words.iter().any(|word| CHANGES.contains(&word.as_str()))
}

struct Position {
    changing: bool,
    missing: bool,
    failing: bool,
}

fn compare_position(
    trace: &Trace,
    lane: &LaneSteps,
    stretch: &Stretch,
    at: usize,
    by: Compare,
) -> Position {
    let mut position = Position { changing: false, missing: false, failing: true };
    let mut known = None;
    for nth in 0..stretch.repetitions() {
        let step = stretch.repetition(nth).start + at;
        match result_key(trace, lane, step, by) {
            UNIQUE => position.missing = true,
            key => position.changing |= *known.get_or_insert(key) != key,
        }
        let mut events = lane.events(step..step + 1).iter().filter_map(|id| trace.event(*id));
        position.failing &= events.any(traceloupe_core::model::Event::is_error);
    }
    position
}
