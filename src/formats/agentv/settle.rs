//! A run, once all its files are read: its title, one grade at its end, everything below its root, nothing twice.

use rustc_hash::{FxHashMap, FxHashSet};

use super::copies::absorb_copies;
use super::grading::GRADING;
use crate::model::{EventId, EventKind, Flags, LaneId, RunId, SourceId, TraceBuilder};

/// In the selector of an LLM call, that its words come again behind its calls.
pub(super) const REPEATED: u32 = 1;

/// A title of suite, test, target and attempt, as far as they are known.
pub(super) fn retitle(run: RunId, out: &mut TraceBuilder) {
    let run = out.run_mut(run);
    let fact = |label: &str| {
        run.facts.iter().find(|(known, _)| known == label).map(|(_, value)| value.as_str())
    };
    let Some(test) = fact("Test").or(fact("Target")) else { return };
    let mut title = match fact("Suite") {
        Some(suite) if fact("Test").is_some() => format!("{suite} / {test}"),
        _ => test.to_owned(),
    };
    if let Some(target) = fact("Target").filter(|target| *target != test) {
        title.push_str(" · ");
        title.push_str(target);
    }
    // Attempts are counted from 0; the first one is nothing to talk about.
    if let Some(attempt) = fact("Attempt").filter(|attempt| *attempt != "0") {
        title.push_str(" · attempt ");
        title.push_str(attempt);
    }
    run.title = Some(title);
}

/// Orders a run: one grade at its end, everything below its root span, nothing twice.
pub(super) fn settle_run(events: &[EventId], out: &mut TraceBuilder) {
    let of_kind = |kind: EventKind, out: &TraceBuilder| -> Vec<EventId> {
        let is = |id: &&EventId| out.trace().event(**id).is_some_and(|event| event.kind == kind);
        events.iter().filter(is).copied().collect()
    };
    let is_grading = |id: &EventId, out: &TraceBuilder| {
        name_of(*id, out) == GRADING && is_nested(*id, out) == Some(false)
    };
    let mut gradings = of_kind(EventKind::Note, out);
    gradings.retain(|id| is_grading(id, out));
    if let Some((first, rest)) = gradings.split_first() {
        rest.iter().for_each(|other| out.absorb(*other, *first));
    }
    // The error that ended a run stands on its root span and on its row.
    let errors = of_kind(EventKind::Error, out);
    let (inner, outer): (Vec<_>, Vec<_>) =
        errors.into_iter().partition(|id| is_nested(*id, out) == Some(true));
    if let Some(first) = inner.first() {
        for other in outer
            .into_iter()
            .filter(|id| source_of(*id, out) != source_of(*first, out))
            .collect::<Vec<_>>()
        {
            out.absorb(other, *first);
        }
    }
    mark_repeated(events, out);
    absorb_copies(events, out);
    let Some(root) = of_kind(EventKind::RunStart, out).first().copied() else { return };
    for id in events {
        if *id != root
            && let Some(event) = out.event_mut(*id)
            && event.parent().is_none()
            && event.kind != EventKind::Note
        {
            event.set_parent(Some(root));
        }
    }
    agents(events, out);
}

/// In a turn the text stands before the calls even where it is the answer after them; it then comes again as a turn of
/// its own. It is shown once, as that turn.
fn mark_repeated(events: &[EventId], out: &mut TraceBuilder) {
    let mut asking: FxHashSet<EventId> = FxHashSet::default();
    for id in events {
        let event = out.trace().event(*id).filter(|event| event.kind == EventKind::ToolCall);
        if let Some(parent) = event.and_then(crate::model::Event::parent) {
            asking.insert(parent);
        }
    }
    let mut with_calls = None;
    for id in events {
        let Some(event) = out.trace().event(*id) else { continue };
        if event.kind != EventKind::LlmCall || event.result_hash == 0 {
            continue;
        }
        let hash = event.result_hash;
        let source = source_of(*id, out);
        if asking.contains(id) {
            with_calls = Some((*id, hash, source));
        } else if let Some((earlier, ..)) =
            with_calls.take().filter(|it| (it.1, it.2) == (hash, source))
        {
            out.set_summary(earlier, 0, 0);
            if let Some(event) = out.event_mut(earlier) {
                event.flags.clear(Flags::ANSWER);
                (event.result_hash, event.selector) = (0, REPEATED);
            }
        }
    }
}

/// What an agent below the root does is in a lane of its own.
fn agents(events: &[EventId], out: &mut TraceBuilder) {
    const MAX_LEVELS: usize = 100;
    let mut lanes: FxHashMap<EventId, LaneId> = FxHashMap::default();
    for id in events {
        let Some(event) = out.trace().event(*id).filter(|it| it.kind == EventKind::Agent) else {
            continue;
        };
        let (run, name, parent) = (event.run, event.name, event.parent());
        let key = out.trace().place_of(*id).map_or(0, |place| place.span.start);
        let lane = out.lane(run, &format!("agent {key}"));
        if let Some(known) = out.lane_mut(lane) {
            (known.name, known.parent) = (name, parent);
        }
        lanes.insert(*id, lane);
    }
    if lanes.is_empty() {
        return;
    }
    for id in events {
        let mut at = Some(*id);
        for _ in 0..MAX_LEVELS {
            let Some(around) = at else { break };
            if let Some(lane) = lanes.get(&around) {
                if let Some(event) = out.event_mut(*id) {
                    event.lane = *lane;
                }
                break;
            }
            at = out.trace().event(around).and_then(crate::model::Event::parent);
        }
    }
}

fn is_nested(id: EventId, out: &TraceBuilder) -> Option<bool> {
    out.trace().event(id).map(|event| event.parent().is_some())
}

fn name_of(id: EventId, out: &TraceBuilder) -> &str {
    out.trace().event(id).map_or("", |event| out.trace().name(event.name))
}

fn source_of(id: EventId, out: &TraceBuilder) -> Option<SourceId> {
    out.trace().place_of(id).map(|place| place.span.source)
}
