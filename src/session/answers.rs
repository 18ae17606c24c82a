//! Answers to requests about the opened trace: summaries, opened rows, links.

use super::Session;
use super::store::Store;
use crate::formats::{self, EventRecords, RecordText};
use crate::json::{Repaired, complete, repair};
use crate::model::{Detail, Event, EventId, EventKind, SourceId, Span, key_hash};
use crate::view::detail::{Cut, Shown, ShownDetail, ShownRecord, show, show_span};
use crate::view::preview::{LOOK_BYTES, preview};
use crate::view::route::Sel;

/// A longer record is not taken apart when its row is opened; its raw text is shown.
const MAX_RECORD_BYTES: u32 = 256 << 20;

impl<S: Store> Session<S> {
    pub(super) fn previews(&self, ids: &[u32]) -> Vec<(u32, String)> {
        ids.iter().map(|id| (*id, self.preview(*id))).collect()
    }

    fn preview(&self, id: u32) -> String {
        let event = self.trace.event(EventId::from_index(id as usize));
        let Some(span) = event.and_then(|event| self.trace.summary_span(event)) else {
            return String::new();
        };
        preview(&self.read(Span { len: span.len.min(LOOK_BYTES), ..span }))
    }

    fn read(&self, span: Span) -> Vec<u8> {
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
        let Some(event) = self.trace.event(event_id) else { return ShownDetail::default() };
        let records = self.records_of(event);
        let earlier = self.earlier(event_id, event);
        let mut detail = Detail::default();
        let format = self.trace.run(event.run).and_then(|run| formats::by_id(run.format));
        if let Some(format) = format.filter(|_| !records.is_empty()) {
            let records =
                EventRecords { trace: &self.trace, event, records: &records, earlier: &earlier };
            format.detail(&records, &mut detail);
        }
        let sel = match &detail.native_id {
            Some(native) => Sel::Native(native.clone()).to_string(),
            None => self.place_sel(event_id).map_or(String::new(), |sel| sel.to_string()),
        };
        let places = self.trace.places(event).map(|place| ShownRecord {
            source: u32::try_from(place.span.source.index()).unwrap_or(u32::MAX),
            line: place.line,
            start: place.span.start,
            len: self.len_in_source(place.span),
        });
        let blocks = show(&detail, &|span| self.read(span));
        ShownDetail { id, sel, blocks, records: places.collect() }
    }

    fn records_of(&self, event: &Event) -> Vec<RecordText> {
        self.trace
            .places(event)
            .filter(|place| place.span.len <= MAX_RECORD_BYTES)
            .filter_map(|place| {
                let bytes = self.read(place.span);
                let text = match repair(&bytes) {
                    Repaired::Good { text, .. } => text.into_owned(),
                    // The record of a cut or broken document, which was closed for reading. What
                    // stands where its closing brackets were added may be the break itself.
                    Repaired::Bad { offset, .. } => {
                        complete(&bytes).or_else(|| complete(bytes.get(..offset)?))?
                    }
                    Repaired::Several(_) => return None,
                };
                Some(RecordText { text, place })
            })
            .collect()
    }

    /// The records of the events before this one that its detail is compared with: requests of the
    /// same run, or states of the same run. Nearest first.
    fn earlier(&self, id: EventId, event: &Event) -> Vec<Vec<RecordText>> {
        let max = match event.kind {
            EventKind::LlmCall => EventRecords::MAX_EARLIER,
            EventKind::State => 1,
            _ => return Vec::new(),
        };
        let events = self.trace.events().get(..id.index()).unwrap_or_default();
        events
            .iter()
            .rev()
            .filter(|other| other.kind == event.kind && other.run == event.run)
            .take(max)
            .map(|other| self.records_of(other))
            .collect()
    }

    pub(super) fn more(&self, cut: &Cut, max_bytes: u32) -> Shown {
        let source = SourceId::from_index(cut.source as usize);
        let span = Span { source, start: cut.start, len: cut.len };
        show_span(span, cut.form, max_bytes, &|span| self.read(span))
    }

    fn place_sel(&self, id: EventId) -> Option<Sel> {
        let place = self.trace.place_of(id)?;
        let bytes = self.read(Span { len: place.span.len.min(MAX_RECORD_BYTES), ..place.span });
        let hash = format!("{:08x}", crc32(&bytes));
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
                let found = self.trace.events().iter().position(|event| event.id_hash == hash);
                match found {
                    Some(id) => (number(id), None),
                    None => (None, Some(gone)),
                }
            }
            Some(wanted @ Sel::Place { line, byte, .. }) => {
                let events = self.trace.events();
                let at = |id: usize| self.trace.place_of(EventId::from_index(id));
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

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}
