//! Answers to requests about the opened trace: summaries, opened rows, links.

use super::Session;
use super::store::Store;
use crate::formats::{self, EventRecords, RecordText};
use crate::input::Crc32;
use crate::json::{Gaps, Keep, Repaired, Shortener, complete, repair};
use crate::model::{Block, Detail, Event, EventId, EventKind, Flags, Place, Span, Value, key_hash};
use crate::view::route::Sel;
use crate::view::wire::detail::{ShownDetail, ShownRecord};
use crate::view::wire::value::{Cut, Shown};
use crate::view::worker::detail::show;
use crate::view::worker::preview::{LOOK_BYTES, preview, text_preview};
use crate::view::worker::values::{read_through, show_more};

/// A longer record is read piece by piece when its row is opened, and only a short text of it is taken
/// apart: long strings and lists are cut.
const LONG_RECORD_BYTES: u32 = 4 << 20;

/// What is kept of a long record. A conversation is to be there whole, a list of numbers is not.
const KEEP: Keep = Keep {
    string_bytes: 64 << 10,
    items: usize::MAX,
    list_bytes: 4 << 20,
    all_items: usize::MAX,
    all_bytes: 16 << 20,
    depth: 1_000,
};

/// The records of earlier events are only compared with: of large ones fewer are read.
const MAX_EARLIER_BYTES: u64 = 16 << 20;

/// The hash in a link covers so much of a record.
const HASHED_BYTES: u32 = 1 << 20;

impl<S: Store> Session<S> {
    pub(super) fn previews(&self, ids: &[u32]) -> Vec<(u32, String)> {
        let mut previews: Vec<(u32, String)> = ids.iter().map(|id| (*id, String::new())).collect();
        let mut wanted: Vec<(usize, Span)> = Vec::with_capacity(ids.len());
        let is_mid_string = |at: usize| {
            let id = ids.get(at).map(|id| EventId::from_index(*id as usize));
            let event = id.and_then(|id| self.trace().event(id));
            event.is_some_and(|event| event.flags.has(Flags::MID_STRING))
        };
        for (at, id) in ids.iter().enumerate() {
            let event = self.trace().event(EventId::from_index(*id as usize));
            if let Some(span) = event.and_then(|event| self.trace().summary_span(event)) {
                wanted.push((at, Span { len: span.len.min(LOOK_BYTES), ..span }));
            }
        }
        crate::order::sort_by_key(&mut wanted, |(_, span)| (span.source, span.start));
        // Rows that are seen together mostly stand together: what is near is read in one go.
        for group in wanted.chunk_by(|(_, a), (_, b)| a.source == b.source && is_near(*a, *b)) {
            let (Some((_, first)), Some((_, last))) = (group.first(), group.last()) else {
                continue;
            };
            let len = last.start + u64::from(last.len) - first.start;
            let bytes = self.read(Span { len: u32::try_from(len).unwrap_or(u32::MAX), ..*first });
            for (at, span) in group {
                let from = usize::try_from(span.start - first.start).unwrap_or(usize::MAX);
                let own = bytes.get(from..).unwrap_or_default();
                let own = own.get(..span.len as usize).unwrap_or(own);
                if let Some((_, text)) = previews.get_mut(*at) {
                    *text = if is_mid_string(*at) { text_preview(own) } else { preview(own) };
                }
            }
        }
        previews
    }

    pub(super) fn read(&self, span: Span) -> Vec<u8> {
        let Some(source) = self.sources.get(span.source.index()) else { return Vec::new() };
        self.store.read(source.handle, span.start, span.len as usize).unwrap_or_default()
    }

    /// How much of a span there is: the record of a cut document may have been closed with brackets
    /// that stand behind its end.
    fn len_in_source(&self, span: Span) -> u32 {
        let len = self.sources.get(span.source.index()).map_or(0, |source| source.len_bytes);
        u32::try_from(len.saturating_sub(span.start)).map_or(span.len, |rest| span.len.min(rest))
    }

    pub(super) fn detail(&self, id: u32) -> ShownDetail {
        let event_id = EventId::from_index(id as usize);
        let Some(event) = self.trace().event(event_id) else { return ShownDetail::default() };
        let mut detail = self.blocks_of(event_id, event);
        self.compare_states(event_id, event, &mut detail);
        let sel = match &detail.native_id {
            Some(native) => Sel::Native(native.clone()).to_string(),
            None => self.place_sel(event_id).map_or(String::new(), |sel| sel.to_string()),
        };
        let places = self.trace().places(event).map(|place| ShownRecord {
            source: u32::try_from(place.span.source.index()).unwrap_or(u32::MAX),
            line: place.line,
            start: place.span.start,
            len: self.len_in_source(place.span),
        });
        let blocks = show(&detail, &|span| self.read(span));
        ShownDetail { id, sel, blocks, records: places.collect() }
    }

    /// What the format says of an event.
    pub(super) fn blocks_of(&self, id: EventId, event: &Event) -> Detail {
        let records = self.records_of(event);
        let earlier = self.earlier(id, event);
        let mut detail = Detail::default();
        let format = self.trace().run(event.run).and_then(|run| formats::by_id(run.format));
        if let Some(format) = format.filter(|_| !records.is_empty()) {
            let records =
                EventRecords { trace: self.trace(), event, records: &records, earlier: &earlier };
            format.detail(&records, &mut detail);
        }
        detail
    }

    /// Behind a state stands what has changed since the state before it, whatever the format.
    fn compare_states(&self, id: EventId, event: &Event, detail: &mut Detail) {
        let Some(at) = detail.blocks.iter().position(|it| state_of(it).is_some()) else { return };
        let before = self.before(id, event).find(|(_, other)| other.lane == event.lane);
        let Some((before_id, before)) = before else { return };
        let old = self.blocks_of(before_id, before);
        let old = old.blocks.iter().find_map(state_of);
        let new = detail.blocks.get(at).and_then(state_of);
        if let (Some(old), Some(new)) = (old, new) {
            let diff = Block::Diff("Changed since the state before", old.clone(), new.clone());
            detail.blocks.insert(at, diff);
        }
    }

    /// The events before one, of its kind and run, nearest first.
    fn before(&self, id: EventId, event: &Event) -> impl Iterator<Item = (EventId, &Event)> {
        let (kind, run) = (event.kind, event.run);
        let before = self.trace().events().iter_back_from(id.index());
        before
            .map(|(at, other)| (EventId::from_index(at), other))
            .filter(move |(_, other)| other.kind == kind && other.run == run)
    }

    fn records_of(&self, event: &Event) -> Vec<RecordText> {
        self.trace().places(event).filter_map(|place| self.record_at(place)).collect()
    }

    pub(super) fn record_at(&self, place: Place) -> Option<RecordText> {
        let (bytes, gaps) = self.read_record(place.span);
        let text = match repair(&bytes) {
            Repaired::Good { text, .. } => text.into_owned(),
            // The record of a cut or broken document, which was closed for reading. What
            // stands where its closing brackets were added may be the break itself.
            Repaired::Bad { offset, .. } => {
                complete(&bytes).or_else(|| complete(bytes.get(..offset)?))?
            }
            Repaired::Several(_) => return None,
        };
        Some(RecordText { text, gaps, place })
    }

    /// The bytes of a record, or a short text of a long one.
    fn read_record(&self, span: Span) -> (Vec<u8>, Gaps) {
        if span.len <= LONG_RECORD_BYTES {
            return (self.read(span), Gaps::default());
        }
        let mut shortener = Shortener::new(KEEP);
        read_through(span, &mut shortener, &|span| self.read(span));
        let short = shortener.finish();
        (short.text, short.gaps)
    }

    /// The records of the LLM calls before this one, nearest first: a detail shows only what is new
    /// in a request.
    fn earlier(&self, id: EventId, event: &Event) -> Vec<Vec<RecordText>> {
        if event.kind != EventKind::LlmCall {
            return Vec::new();
        }
        let mut left_bytes = MAX_EARLIER_BYTES;
        let before = self.before(id, event).take(EventRecords::MAX_EARLIER);
        let near = before.take_while(|(_, other)| {
            let len: u64 = self.trace.places(other).map(|it| u64::from(it.span.len)).sum();
            let fits = len <= left_bytes;
            left_bytes = left_bytes.saturating_sub(len);
            fits
        });
        near.map(|(_, other)| self.records_of(other)).collect()
    }

    pub(super) fn more(&self, cut: &Cut, max_bytes: u32) -> Shown {
        show_more(cut, max_bytes, &|span| self.read(span))
    }

    fn place_sel(&self, id: EventId) -> Option<Sel> {
        let place = self.trace().place_of(id)?;
        let bytes = self.read(Span { len: place.span.len.min(HASHED_BYTES), ..place.span });
        let hash = format!("{:08x}", Crc32::of(&bytes));
        Some(Sel::Place { line: place.line, byte: place.span.start, hash })
    }

    /// The event that a link means. Not found exactly: the nearest one, and a sentence about it.
    pub(super) fn find(&self, sel: &str) -> (Option<u32>, Option<String>) {
        let number = |id: usize| u32::try_from(id).ok();
        let gone = "The linked event is not in this file".to_owned();
        match Sel::parse(sel) {
            None => (None, Some("The link to an event cannot be read".to_owned())),
            Some(Sel::Native(native)) => {
                let hash = key_hash(&[&native]);
                let found = self.trace().events().iter().position(|event| event.id_hash == hash);
                match found {
                    Some(id) => {
                        let event = self.trace().present(EventId::from_index(id));
                        (number(event.index()), None)
                    }
                    None => (None, Some(gone)),
                }
            }
            Some(wanted @ Sel::Place { line, byte, .. }) => {
                let events = self.trace().events();
                let at = |id: usize| self.trace().place_of(EventId::from_index(id));
                let exact = (0..events.len()).find(|id| {
                    at(*id).is_some_and(|place| place.line == line && place.span.start == byte)
                });
                if let Some(id) = exact
                    && self.place_sel(EventId::from_index(id)).as_ref() == Some(&wanted)
                {
                    return (number(id), None);
                }
                let near = (0..events.len())
                    .filter_map(|id| Some((at(id)?.line.abs_diff(line), id)))
                    .min();
                match near {
                    Some((_, id)) => (number(id), Some(format!("{gone}; this is the nearest one"))),
                    None => (None, Some(gone)),
                }
            }
        }
    }
}

/// The value of the block that shows a state.
fn state_of(block: &Block) -> Option<&Value> {
    match block {
        Block::Json("State", value) => Some(value),
        _ => None,
    }
}

/// Whether two places are so near that reading what is between them costs less than a second read.
fn is_near(a: Span, b: Span) -> bool {
    const MAX_GAP_BYTES: u64 = 32 << 10;
    b.start.saturating_sub(a.start + u64::from(a.len)) <= MAX_GAP_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::store::MemoryStore;
    use crate::view::wire::detail::ShownBlock;
    use crate::view::wire::protocol::{Input, OpenRequest, Request, Response};

    #[test]
    fn a_state_shows_what_has_changed_since_the_one_before() {
        let line = |id: &str, state: &str| {
            format!(
                r#"{{"spec_version":"0.1","event_id":"{id}","run_id":"r-1","parent_id":null,"event_type":"STATE_UPDATE","ts":"2026-01-01T00:00:00.000Z","duration_ms":null,"name":"state","payload":{{"state":{state},"diff":null}},"meta":{{}}}}"#
            )
        };
        let text = [line("a", r#"{"phase":"plan"}"#), line("b", r#"{"phase":"book"}"#)].join("\n");
        let mut store = MemoryStore::default();
        let handle = store.add(text.into_bytes());
        let input = Input { path: "events.jsonl".to_owned(), len_bytes: 0 };
        let request = OpenRequest { inputs: vec![input], ..OpenRequest::default() };
        let mut session = Session::new(store, request);
        session.open_all(&[handle], 1 << 20);
        let diff_of = |session: &mut Session<MemoryStore>, id: u32| {
            let answers = session.handle(&Request::Detail(id));
            let [Response::Detail(detail)] = answers.as_slice() else { panic!("{answers:?}") };
            detail.blocks.iter().find_map(|block| match block {
                ShownBlock::Diff(_, lines) => Some(lines.clone()),
                _ => None,
            })
        };
        assert_eq!(diff_of(&mut session, 0), None);
        let changed =
            [('-', "{ phase: \"plan\" }".to_owned()), ('+', "{ phase: \"book\" }".to_owned())];
        assert_eq!(diff_of(&mut session, 1), Some(changed.to_vec()));
    }
}
