//! Which spans are events of one call.
//!
//! BeeAI's instrumentation writes a span for each event of a call: it began, it succeeded or failed, it ended. Such a
//! span begins with its event, and lasts until the whole trace is written. The call is the span of its beginning; the
//! others are absorbed by it, and the time of the first of them is its end. The producer numbers the events of each
//! kind on its own, so an event with the number of another call belongs to the call that began last.

use rustc_hash::FxHashMap;

use crate::fields::between;
use crate::kit::{CallEvent, CallStage, Item};
use traceloupe_core::model::{ErrorId, EventId, RunId, Status, TimeBasis, TraceBuilder};

/// The spans of events in one source.
#[derive(Default)]
pub(super) struct CallEvents {
    events: Vec<(EventId, CallEvent)>,
}

/// A call whose end has not been found.
struct Open {
    call: EventId,
    number: u32,
    has_outcome: bool,
}

/// How many calls of one kind wait for their events.
const MAX_OPEN: usize = 1_000;

impl CallEvents {
    /// Registers a span, if it is the event of a call.
    pub(super) fn add(&mut self, event: EventId, item: &Item<'_>) {
        self.events.extend(item.span.call_event.as_deref().map(|it| (event, *it)));
    }

    /// Ends the source, once all of its spans are known.
    pub(super) fn finish(&mut self, out: &mut TraceBuilder) {
        let mut events = std::mem::take(&mut self.events);
        let trace = out.trace();
        traceloupe_core::sorting::sort_by_key(&mut events, |(id, event)| {
            (trace.event(*id).and_then(|it| it.start.get()), event.stage)
        });
        let mut open: FxHashMap<(RunId, u32), Vec<Open>> = FxHashMap::default();
        for (id, CallEvent { path_hash, number, stage }) in events {
            let Some(run) = out.trace().event(id).map(|event| event.run) else { continue };
            let calls = open.entry((run, path_hash)).or_default();
            if stage == CallStage::Start {
                if calls.len() < MAX_OPEN {
                    calls.push(Open { call: id, number, has_outcome: false });
                }
                continue;
            }
            let is_end = stage == CallStage::Finish;
            let fits = |it: &Open| is_end || !it.has_outcome;
            let same = calls.iter().position(|it| it.number == number && fits(it));
            let Some(at) = same.or_else(|| calls.iter().rposition(fits)) else { continue };
            let Some(known) = calls.get_mut(at) else { continue };
            end(known.call, id, stage, out);
            known.has_outcome = true;
            if is_end {
                calls.remove(at);
            }
        }
    }
}

/// Adds the event with the outcome or the end of a call to the call.
fn end(call: EventId, event: EventId, stage: CallStage, out: &mut TraceBuilder) {
    let trace = out.trace();
    let Some((from, into)) = trace.event(event).zip(trace.event(call)) else { return };
    let (from, usage) = (from.clone(), trace.usage(from).unwrap_or_default());
    let usage = trace.usage(into).unwrap_or_default().or(usage);
    let failure = trace.failure_hash(&from);
    let summary = trace.summary_span(&from).filter(|_| trace.summary_span(into).is_none());
    out.set_usage(call, usage);
    if let Some(summary) = summary {
        out.set_summary(call, summary.start, summary.len);
    }
    if failure != 0 {
        out.set_failure(call, failure);
    }
    if let Some(into) = out.event_mut(call) {
        if !into.duration.is_known() {
            into.set_duration(between(into.start, from.start), TimeBasis::Running);
        }
        into.status = match stage {
            CallStage::Error => Status::Failed,
            CallStage::Success => Status::Ok,
            CallStage::Start | CallStage::Finish => into.status,
        };
        if from.result_hash != 0 {
            into.result_hash = from.result_hash;
        }
        if from.error != ErrorId::NONE {
            into.error = from.error;
        }
        if summary.is_some() {
            into.flags.set(from.flags);
        }
    }
    out.absorb(event, call);
}
