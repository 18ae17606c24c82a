//! Times that are only defaults: some producers give the times of the run to events that have none of their own.

use rustc_hash::FxHashMap;

use super::item_context::Taken;
use crate::kit::Lent;
use traceloupe_core::model::{Event, EventId, EventKind, Flags, MaybeNs, RunId, TraceBuilder};

/// The events of one source that may have such times, by run.
#[derive(Default)]
pub(super) struct Times(FxHashMap<RunId, (Lent, Vec<EventId>)>);

impl Times {
    /// Keeps an event of a run whose producer fills in times.
    pub(super) fn add(&mut self, taken: &Taken<'_, '_>, event: EventId) {
        let lent = taken.description.run.times.lent;
        if lent != Lent::Nothing {
            self.0.entry(taken.run).or_insert((lent, Vec::new())).1.push(event);
        } else if let Some((Lent::OfRun(..), events)) = self.0.get_mut(&taken.run) {
            // The document around the spans declared this.
            events.push(event);
        }
    }

    /// Ends the source: removes times that are not the events' own.
    pub(super) fn finish(&mut self, out: &mut TraceBuilder) {
        for (run, (lent, events)) in self.0.drain() {
            let (start, end) = match lent {
                Lent::Nothing => continue,
                Lent::OfRun(start, end) => (start, end),
                Lent::OfMessages(start, end) => bounds(&events, out).unwrap_or((start, end)),
            };
            for id in events {
                let Some(event) = out.event_mut(id).filter(|event| event.start.is_known()) else {
                    continue;
                };
                let may_lack = match lent {
                    Lent::OfMessages(..) => event.kind == EventKind::ToolCall,
                    _ => event.kind != EventKind::RunStart,
                };
                if !may_lack || event.start != start {
                    continue;
                }
                if end_of(event).is_none_or(|ns| end == MaybeNs::new(ns)) {
                    (event.start, event.duration) = (MaybeNs::UNKNOWN, MaybeNs::UNKNOWN);
                    event.flags.clear(Flags::INFERRED_TIME);
                } else {
                    // The duration is its own, but the start may be that of the run.
                    event.flags.set(Flags::INFERRED_TIME);
                }
            }
            let run = out.run_mut(run);
            if !run.start.is_known() {
                run.start = start;
            }
            if !run.end.is_known() {
                run.end = end;
            }
        }
    }
}

/// The first start and the last end of the messages that have both.
fn bounds(events: &[EventId], out: &TraceBuilder) -> Option<(MaybeNs, MaybeNs)> {
    let known = events.iter().filter_map(|id| out.trace().event(*id));
    let messages = known.filter(|event| event.kind != EventKind::ToolCall);
    let times = messages.filter_map(|event| Some((event.start.get()?, end_of(event)?)));
    let both = times.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
    both.map(|(start, end)| (MaybeNs::new(start), MaybeNs::new(end)))
}

fn end_of(event: &Event) -> Option<i64> {
    Some(event.start.get()?.saturating_add(event.duration.get()?))
}
