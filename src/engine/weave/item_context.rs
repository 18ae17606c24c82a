//! An item of a record together with its context, and the event made from it.

use super::super::Record;
use super::super::kit::{Description, Item, Located, Wait, What, has_content};
use super::{anchor_key, cost};
use traceloupe_core::json::Json;
use traceloupe_core::model::{
    EventId, EventKind, Flags, LaneId, NewEvent, RunId, TimeBasis, TraceBuilder, key_hash,
};

/// An item together with its context.
pub(super) struct Taken<'t, 'a> {
    pub(super) record: &'t Record<'t>,
    pub(super) description: &'t Description<'a>,
    pub(super) item: &'t Item<'a>,
    /// The number of the item in its record.
    pub(super) number: u16,
    pub(super) run: RunId,
    pub(super) run_key: &'t str,
    pub(super) lane: LaneId,
    /// The lane in which calls wait for results without an id.
    pub(super) queue: LaneId,
}

impl Taken<'_, '_> {
    /// A key within the run, to which an id is bound.
    pub(super) fn key(&self, family: &str, id: Json<'_>) -> Option<u64> {
        Some(key_hash(&[self.run_key, family, &id.word()?]))
    }
}

pub(super) fn kind_of(what: What) -> EventKind {
    match what {
        What::User => EventKind::UserMessage,
        What::System => EventKind::SystemMessage,
        What::Model | What::Usage => EventKind::LlmCall,
        What::Call | What::Result | What::Update => EventKind::ToolCall,
        What::Span | What::CallSpan => EventKind::Span,
        What::Event(kind) => kind,
        What::Nothing | What::End => EventKind::Record,
    }
}

/// The basis of an item's duration. For a span, it is the span's two ends, and the span may be a wait.
pub(super) fn basis_of(item: &Item<'_>) -> TimeBasis {
    match (item.span.id.is_given(), item.time.wait) {
        (true, Wait::Begins) => TimeBasis::WaitingForUser,
        (true, Wait::Unknown | Wait::Ends) => TimeBasis::Running,
        (false, _) => TimeBasis::Stated,
    }
}

/// Adds the event of an item, with the data that every event has.
#[inline(never)]
pub(super) fn push(taken: &Taken<'_, '_>, kind: EventKind, out: &mut TraceBuilder) -> EventId {
    let Taken { record, item, number, run, lane, .. } = *taken;
    let event = out.push_item(NewEvent { kind, run, lane, place: record.place() }, number);
    let name = out.name(&item.name);
    let error = out.error(&item.ending.error);
    let id_hash = id_hash(item);
    if let Some(event) = out.event_mut(event) {
        event.name = name;
        event.error = error;
        event.start = item.time.start;
        event.flags = item.flags;
        event.set_duration(item.time.duration, basis_of(item));
        event.status = item.ending.status.unwrap_or_default();
        event.id_hash = id_hash;
    }
    if !item.usage.is_empty() && kind != EventKind::Note {
        out.set_usage(event, item.usage);
    }
    cost::tell_cost(event, item, out);
    summarize(event, taken, out);
    event
}

/// Adds an item to the event that it belongs to. The event can be found by the first id among its items.
#[inline(never)]
pub(super) fn add(event: EventId, taken: &Taken<'_, '_>, out: &mut TraceBuilder) {
    out.add_item(event, taken.record.place(), taken.number);
    cost::tell_cost(event, taken.item, out);
    if let Some(event) = out.event_mut(event)
        && event.id_hash == 0
    {
        event.id_hash = id_hash(taken.item);
    }
}

/// The hash of the id with which links find an item's event; 0 if it has none.
pub(super) fn id_hash(item: &Item<'_>) -> u64 {
    let id = [item.span.id, item.id].into_iter().find_map(Json::word);
    id.map_or(0, |id| key_hash(&[&id]))
}

/// Sets the bytes of the row's summary.
#[inline(never)]
pub(super) fn summarize(event: EventId, taken: &Taken<'_, '_>, out: &mut TraceBuilder) {
    summary_of(taken).set(event, out);
}

/// The place of a row's summary.
#[derive(Debug)]
pub(super) enum Summary {
    /// Nowhere.
    None,
    /// In the source of the row's first record; `is_escaped` if it is in a JSON string.
    At { start: u64, len_bytes: u32, is_escaped: bool },
    /// At the anchor with a key.
    Anchor(u64),
    /// A JSON value that no file contains in one piece.
    Own(Box<str>),
}

/// The place of an item's summary.
#[inline]
pub(super) fn summary_of(taken: &Taken<'_, '_>) -> Summary {
    let value = taken.item.summary_value();
    if let Some(name) = taken.description.referred(value) {
        return Summary::Anchor(anchor_key(taken.run_key, name));
    }
    let (range, is_escaped) = match taken.description.locate(value) {
        Located::Direct(range) => (range, false),
        Located::Escaped(range) => (range, true),
        Located::Nowhere if has_content(value) => return Summary::Own(value.raw().into()),
        Located::Nowhere => return Summary::None,
    };
    let len_bytes = u32::try_from(range.len()).unwrap_or(u32::MAX);
    Summary::At { start: taken.record.start + range.start as u64, len_bytes, is_escaped }
}

impl Summary {
    /// Sets it as the summary of a row.
    #[inline]
    pub(super) fn set(self, event: EventId, out: &mut TraceBuilder) {
        match self {
            Self::None => {}
            Self::At { start, len_bytes, is_escaped } => {
                if is_escaped && let Some(event) = out.event_mut(event) {
                    event.flags.set(Flags::ESCAPED);
                }
                if len_bytes > 0 {
                    out.set_summary(event, start, len_bytes);
                }
            }
            Self::Anchor(key) => {
                if let Some(event) = out.event_mut(event) {
                    event.flags.clear(Flags::ESCAPED);
                }
                out.refer_summary(event, key);
            }
            Self::Own(json) => out.set_own_summary(event, &json),
        }
    }
}
