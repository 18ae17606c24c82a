//! The same conversation in two files of one run: the events of the fuller one stay, the others'
//! records become records of theirs.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::model::{EventId, EventKind, NameId, SourceId, Status, TraceBuilder};

/// What two copies of one thing have in common: kind, name of the tool, words or arguments.
type Sameness = (u8, NameId, u64);

/// Finds copies among the events of one run, and puts them into what they are copies of.
pub(super) fn absorb_copies(events: &[EventId], out: &mut TraceBuilder) {
    let mut by_source: Vec<(SourceId, Vec<EventId>)> = Vec::new();
    let mut at_of: FxHashMap<SourceId, usize> = FxHashMap::default();
    for id in events {
        let Some(source) = spoken_in(*id, out) else { continue };
        let at = *at_of.entry(source).or_insert_with(|| {
            by_source.push((source, Vec::new()));
            by_source.len() - 1
        });
        if let Some((_, own)) = by_source.get_mut(at) {
            own.push(*id);
        }
    }
    let n_calls = |own: &[EventId]| own.iter().filter(|id| is_call(**id, out)).count();
    let fullest = (0..by_source.len())
        .rev()
        .max_by_key(|at| by_source.get(*at).map(|(_, own)| (n_calls(own), own.len())));
    let Some((_, first)) = fullest.map(|at| by_source.swap_remove(at)) else { return };
    let mut known: FxHashMap<Sameness, VecDeque<EventId>> = FxHashMap::default();
    for id in first {
        if let Some(sameness) = sameness(id, out) {
            known.entry(sameness).or_default().push_back(id);
        }
    }
    crate::order::sort_by_key(&mut by_source, |(source, _)| *source);
    for (_, own) in by_source {
        absorb_source(&own, known.clone(), out);
    }
}

fn absorb_source(
    own: &[EventId],
    mut known: FxHashMap<Sameness, VecDeque<EventId>>,
    out: &mut TraceBuilder,
) {
    // The messages that the calls of a message turned out to belong to.
    let mut owners: FxHashMap<EventId, EventId> = FxHashMap::default();
    let (calls, messages): (Vec<EventId>, Vec<EventId>) =
        own.iter().partition(|id| is_call(**id, out));
    for id in calls {
        let Some(original) = next_of(id, &mut known, out) else { continue };
        let parent = |id: EventId| out.trace().event(id).and_then(crate::model::Event::parent);
        if let (Some(copy), Some(owner)) = (parent(id), parent(original)) {
            owners.entry(copy).or_insert(owner);
        }
        absorb(id, original, out);
    }
    for id in messages {
        let original = next_of(id, &mut known, out).or_else(|| owners.get(&id).copied());
        if let Some(original) = original {
            absorb(id, original, out);
        }
    }
}

/// The next event that this one may be a copy of. The last of equal ones stays at hand: a final answer
/// stands in many files.
fn next_of(
    id: EventId,
    known: &mut FxHashMap<Sameness, VecDeque<EventId>>,
    out: &TraceBuilder,
) -> Option<EventId> {
    let waiting = known.get_mut(&sameness(id, out)?)?;
    if waiting.len() > 1 { waiting.pop_front() } else { waiting.front().copied() }
}

fn absorb(id: EventId, original: EventId, out: &mut TraceBuilder) {
    let Some(copy) = out.trace().event(id).cloned() else { return };
    let usage = out.trace().usage(&copy);
    let has_usage = out.trace().event(original).and_then(|it| out.trace().usage(it)).is_some();
    if let Some(event) = out.event_mut(original) {
        if event.result_hash == 0 {
            event.result_hash = copy.result_hash;
        }
        if matches!(event.status, Status::Unknown | Status::NoResult) {
            event.status = copy.status;
        }
        if !event.start.is_known() {
            event.start = copy.start;
        }
        if !event.duration.is_known() {
            event.duration = copy.duration;
        }
    }
    if let (Some(usage), false) = (usage, has_usage) {
        out.set_usage(original, usage);
    }
    out.absorb(id, original);
}

fn sameness(id: EventId, out: &TraceBuilder) -> Option<Sameness> {
    let event = out.trace().event(id)?;
    let (name, hash) = match event.kind {
        EventKind::ToolCall => (event.name, event.args_hash),
        _ => (NameId::NONE, event.result_hash),
    };
    (hash != 0).then_some((event.kind as u8, name, hash))
}

fn is_call(id: EventId, out: &TraceBuilder) -> bool {
    out.trace().event(id).is_some_and(|event| event.kind == EventKind::ToolCall)
}

/// The source of an event of a conversation.
fn spoken_in(id: EventId, out: &TraceBuilder) -> Option<SourceId> {
    use EventKind::{LlmCall, SystemMessage, ToolCall, UserMessage};
    let event = out.trace().event(id)?;
    matches!(event.kind, UserMessage | SystemMessage | LlmCall | ToolCall)
        .then(|| out.trace().place_of(id).map(|place| place.span.source))?
}
