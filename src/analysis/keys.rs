//! Equality of steps: one number per step and way of comparing.

use std::hash::{Hash, Hasher as _};

use super::known_calls::KnownCalls;
use super::steps::LaneSteps;
use traceloupe_core::model::{Event, EventId, EventKind, KeyHasher, NameId, Trace};

/// The key of a step that equals no other step.
pub(super) const UNIQUE: u64 = 0;

/// A way of comparing steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compare {
    /// Tool calls by name and arguments, ignoring arguments that only give information about the call; states by
    /// content; LLM calls by model only, because prompts grow from call to call even if the agent is stuck.
    Calls,
    /// The same with all arguments.
    ExactCalls,
    /// LLM calls by model and prompt, states by content. Tool calls, and content that is not in the file, are equal to
    /// nothing.
    Prompts,
    /// By name only, and by the structure of the arguments if the producer compares it.
    Names,
}

/// The key of each step of a lane.
pub(super) fn keys(trace: &Trace, lane: &LaneSteps, compare: Compare) -> Vec<u64> {
    (0..lane.list.len()).map(|step| step_key(trace, lane, step, compare)).collect()
}

/// The key of one step. The order of its calls does not matter.
pub(super) fn step_key(trace: &Trace, lane: &LaneSteps, step: usize, compare: Compare) -> u64 {
    many(trace, lane.events(step..step + 1), |event| event_key(trace, event, compare))
}

/// The key of a step's results together with the calls that gave them; [`UNIQUE`] if a result is
/// not in the file.
pub(super) fn result_key(
    trace: &Trace,
    known: &KnownCalls,
    lane: &LaneSteps,
    step: usize,
    compare: Compare,
) -> u64 {
    let key = |event: &Event| match known.of(trace, event).result {
        0 => UNIQUE,
        result => hash((event_key(trace, event, compare), result)),
    };
    many(trace, lane.events(step..step + 1), key)
}

fn event_key(trace: &Trace, event: &Event, compare: Compare) -> u64 {
    let args = match compare {
        Compare::Calls => trace.alike_hash(event),
        _ => event.args_hash,
    };
    match (compare, event.kind) {
        (Compare::Calls | Compare::ExactCalls, EventKind::LlmCall) => {
            hash((event.kind, event.name, 0_u64))
        }
        (Compare::Calls | Compare::ExactCalls, EventKind::State) => {
            hash((event.kind, NameId::NONE, args))
        }
        (Compare::Calls | Compare::ExactCalls, _) => hash((event.kind, event.name, args)),
        (Compare::Prompts, EventKind::ToolCall) => UNIQUE,
        (Compare::Prompts, _) if args == 0 => UNIQUE,
        (Compare::Prompts, EventKind::State) => hash((event.kind, NameId::NONE, args)),
        (Compare::Prompts, _) => hash((event.kind, event.name, args)),
        (Compare::Names, EventKind::State) => hash((event.kind, NameId::NONE, NameId::NONE)),
        (Compare::Names, EventKind::LlmCall) => hash((event.kind, event.name, NameId::NONE)),
        (Compare::Names, _) => hash((event.kind, event.name, trace.structure(event))),
    }
}

/// A sum of well-mixed keys does not depend on their order. One unique key makes the whole unique.
fn many(trace: &Trace, events: &[EventId], key: impl Fn(&Event) -> u64) -> u64 {
    let mut sum = 0_u64;
    for event in events.iter().filter_map(|id| trace.event(*id)) {
        match key(event) {
            UNIQUE => return UNIQUE,
            key => sum = sum.wrapping_add(key),
        }
    }
    sum.max(1)
}

/// A hash that is not [`UNIQUE`].
pub(super) fn hash(what: impl Hash) -> u64 {
    let mut hasher = KeyHasher::default();
    what.hash(&mut hasher);
    hasher.finish().max(1)
}
