//! Messages of persons that stand in several records, perhaps of several files: one row.

use super::taken::{Taken, add, push, summarize};
use crate::kit::Joins;
use traceloupe_core::model::{EventId, EventKind, TraceBuilder};

/// The row of a person's message. Records with the id of one message are one row: some have its time, others its words.
pub(super) fn message(taken: &Taken<'_, '_>, out: &mut TraceBuilder) -> EventId {
    let key = match taken.item.joining() {
        Joins::Id(id) => taken.key("message", id),
        _ => None,
    };
    let Some(known) = key.and_then(|key| out.bound(key)) else {
        let event = push(taken, EventKind::UserMessage, out);
        if let Some(key) = key {
            out.bind(key, event);
        }
        return event;
    };
    add(known, taken, out);
    if out.trace().event(known).is_some_and(|event| out.trace().summary_span(event).is_none()) {
        summarize(known, taken, out);
    }
    if let Some(event) = out.event_mut(known)
        && !event.start.is_known()
    {
        event.start = taken.item.time.start;
    }
    known
}
