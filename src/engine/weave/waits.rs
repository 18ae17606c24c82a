//! The time in which a run waits for the user, where records state its beginning and its end. What follows from the name
//! or the outcome of a call is decided by the model.

use crate::fields::between;
use crate::kit::{Item, Wait, What};
use traceloupe_core::model::{Event, EventId, EventKind, Flags, MaybeNs, TimeBasis, TraceBuilder};

/// Handles what an item states about waiting. `before` is the time of the item before it.
pub(super) fn take(id: EventId, item: &Item<'_>, before: MaybeNs, out: &mut TraceBuilder) {
    if item.time.wait == Wait::Unknown {
        return;
    }
    let Some(event) = out.event_mut(id) else { return };
    match (item.time.wait, event.kind) {
        (Wait::Unknown, _) => {}
        (Wait::Begins, _) => event.expect_basis(TimeBasis::WaitingForUser),
        (Wait::Ends, EventKind::ToolCall) => {
            if item.what() == What::Update && !event.duration.is_known() {
                event.start = item.time.start;
            }
            event.expect_basis(TimeBasis::Running);
        }
        (Wait::Ends, _) => wait(event, before, item.time.start),
    }
}

/// Whether the event of an item waits until the next item of its agent.
pub(super) fn lasts_until_next(item: &Item<'_>) -> bool {
    let is_event = matches!(item.what(), What::Event(_));
    item.time.wait == Wait::Begins && is_event && !item.span.id.is_given()
}

/// Whether an item states when a call began to run, and so when the wait for its approval ended.
pub(super) fn tells_begin(item: &Item<'_>) -> bool {
    item.time.wait == Wait::Ends || item.what() == What::Update && item.time.duration.is_known()
}

/// Handles an item after an event that waits until the next one. The end of a call states how long it ran.
pub(super) fn end(waiting: &mut Option<EventId>, item: &Item<'_>, out: &mut TraceBuilder) {
    let ran_ns = match item.what() {
        What::Update | What::Result => item.time.duration.get().unwrap_or(0),
        _ => 0,
    };
    let until = item.time.start.get().and_then(|until| until.checked_sub(ran_ns));
    if let Some(event) = waiting.take().and_then(|event| out.event_mut(event)) {
        wait(event, event.start, until.into());
    }
}

fn wait(event: &mut Event, from: MaybeNs, until: MaybeNs) {
    let waited = between(from, until);
    if waited.get().is_some_and(|ns| ns > 0) {
        event.start = from;
        event.set_duration(waited, TimeBasis::WaitingForUser);
        event.flags.set(Flags::INFERRED_TIME);
    }
}
