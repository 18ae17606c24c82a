//! Messages from users that are in several records, perhaps in several files: they become one row.

use super::item_context::{Taken, add, push, summarize};
use crate::kit::Joins;
use traceloupe_core::model::{EventId, EventKind, TraceBuilder};

/// The row of a message from the user. Records with the same message id are one row, because some have its time and
/// others its text.
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
