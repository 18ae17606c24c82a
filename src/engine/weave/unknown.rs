//! Records that belong to no event: records of an unknown kind, or ends without a beginning. None is lost.

use crate::Record;
use traceloupe_core::model::{EventKind, LaneId, NewEvent, RunId, TraceBuilder};
use traceloupe_core::warning_code::WarningCode;

/// Adds a row for a record, with a warning. A repaired NaN is an empty string, whose row would be empty, too.
pub(super) fn push(record: &Record<'_>, run: RunId, lane: LaneId, out: &mut TraceBuilder) {
    if record.text == "\"\"" {
        return out.warn(WarningCode::NotAnEvent, &record.place(), "");
    }
    out.warn(WarningCode::UnknownRecord, &record.place(), "");
    let event = out.push(NewEvent { kind: EventKind::Record, run, lane, place: record.place() });
    let span = record.place().span;
    out.set_summary(event, span.start, span.len);
    let kind = out.name(&record.json.get("type").label());
    if let Some(event) = out.event_mut(event) {
        event.name = kind;
    }
}
