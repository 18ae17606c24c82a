//! Which records of several files are one event, for example in a log and in an export of that log.

use super::item_context::{Taken, kind_of};
use traceloupe_core::json::Json;
use traceloupe_core::model::{EventId, RunNote, TraceBuilder, hash_of};

/// The properties that the records of one event have in common: its id, kind and start.
pub(super) fn key(taken: &Taken<'_, '_>) -> Option<u64> {
    let item = taken.item;
    item.repeats.is_once.then_some(())?;
    let id = [item.span.id, item.id].into_iter().find_map(Json::word)?;
    let kind = kind_of(item.what()).word();
    Some(hash_of((taken.run_key, "once", &*id, kind, item.time.start.get())))
}

/// The event that a record of another file already created for the same thing. The record is added to it.
pub(super) fn find(key: u64, taken: &Taken<'_, '_>, out: &mut TraceBuilder) -> Option<EventId> {
    // Two occurrences in one file are two events.
    let own = taken.record.place().span.source;
    (own.index() > 0).then_some(())?;
    let known = out.bound_late(key)?;
    (out.trace().place_of(known)?.span.source != own).then_some(())?;
    super::add(known, taken, out);
    let notes = &mut out.run_mut(taken.run).notes;
    if !notes.contains(&RunNote::EventsInSeveralFiles) {
        notes.push(RunNote::EventsInSeveralFiles);
    }
    Some(known)
}
