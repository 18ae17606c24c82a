//! Compares the repetitions of a stretch call by call.

use super::doings::Doing;
use super::keys::{Compare, UNIQUE, result_key, step_key};
use super::known_calls::KnownCalls;
use super::steps::LaneSteps;
use super::stretches::Stretch;
use super::{Arguments, Results};
use traceloupe_core::json::Json;
use traceloupe_core::model::{CallOutcome, Event, EventId, EventKind, Trace};

/// The result of comparing the repetitions of a stretch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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
    /// What the calls of a repetition do: the first of waiting, going on, changing that one of them does; looking up if
    /// all of them do.
    pub(super) doing: Doing,
    /// Whether the first result says that there is nothing.
    pub(super) finds_nothing: bool,
    /// Whether the calls were refused before they ran: their arguments were bad, or there is no such tool.
    pub(super) is_refused: bool,
}

/// Compares the repetitions of a stretch: its tool calls; if it has none, its LLM calls; and if it has none of these
/// either, its states, which have no results.
pub(super) fn compare(
    trace: &Trace,
    known: &KnownCalls,
    lane: &LaneSteps,
    stretch: &Stretch,
) -> Outcome {
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
        return Outcome { args, is_one_call, has_calls, ..Outcome::default() };
    }

    let by = if same_args { by } else { Compare::Names };
    let (mut changing, mut missing, mut failing) = (false, false, false);
    let mut same_results = true;
    for at in positions() {
        let position = compare_position(trace, known, lane, stretch, at, by);
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
    let events = lane.events(stretch.repetition(0));
    let doing = doing(trace, known, events);
    // Without arguments, only equal results show that a call is repeated, and those of changes are confirmations.
    let says_little = match results {
        Results::Same => doing == Doing::Changes,
        Results::Errors => !same_results,
        Results::Missing => true,
        Results::Changing => false,
    };
    let args =
        if says_little && has_no_arguments(trace, events) { Arguments::Different } else { args };
    let finds_nothing = events
        .iter()
        .any(|id| trace.event(*id).is_some_and(|event| known.of(trace, event).finds_nothing));
    let mut calls = lane.events(stretch.full()).iter().filter_map(|id| trace.event(*id));
    let is_refused = results == Results::Errors
        && calls.all(|it| it.kind != EventKind::ToolCall || is_refused(it));
    Outcome {
        args,
        results,
        same_results,
        is_one_call,
        has_calls,
        doing,
        finds_nothing,
        is_refused,
    }
}

/// Whether a call was refused before it ran: its arguments were bad, or there is no such tool.
pub(super) fn is_refused(call: &Event) -> bool {
    matches!(call.status, CallOutcome::BadArguments | CallOutcome::UnknownTool)
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

/// Whether there are calls, and none has arguments in the file. Some producers leave them out, or write an empty object
/// instead.
fn has_no_arguments(trace: &Trace, events: &[EventId]) -> bool {
    let empty = Json::new("{}").fingerprint();
    let calls = events.iter().filter_map(|id| trace.event(*id));
    let mut calls = calls.filter(|event| event.kind == EventKind::ToolCall).peekable();
    calls.peek().is_some() && calls.all(|event| [0, empty].contains(&event.args_hash))
}

/// What the calls among some events do together.
fn doing(trace: &Trace, known: &KnownCalls, events: &[EventId]) -> Doing {
    let calls = events.iter().filter_map(|id| trace.event(*id));
    let calls = calls.filter(|event| event.kind == EventKind::ToolCall);
    let all: Vec<Doing> = calls.map(|event| known.of(trace, event).doing).collect();
    let of_one =
        [Doing::Waits, Doing::Pages, Doing::Changes].into_iter().find(|it| all.contains(it));
    let looks = !all.is_empty() && all.iter().all(|it| *it == Doing::Looks);
    of_one.unwrap_or(if looks { Doing::Looks } else { Doing::Other })
}

struct Position {
    changing: bool,
    missing: bool,
    failing: bool,
}

fn compare_position(
    trace: &Trace,
    known: &KnownCalls,
    lane: &LaneSteps,
    stretch: &Stretch,
    at: usize,
    by: Compare,
) -> Position {
    let mut position = Position { changing: false, missing: false, failing: true };
    let mut before = None;
    for nth in 0..stretch.repetitions() {
        let step = stretch.repetition(nth).start + at;
        match result_key(trace, known, lane, step, by) {
            UNIQUE => position.missing = true,
            key => position.changing |= *before.get_or_insert(key) != key,
        }
        let mut events = lane.events(step..step + 1).iter().filter_map(|id| trace.event(*id));
        position.failing &= events.any(traceloupe_core::model::Event::is_error);
    }
    position
}
