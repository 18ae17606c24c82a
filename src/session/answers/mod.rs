//! Reads the trace and its sources again to answer requests about events.

pub(crate) mod links;

use crate::intake::files::Files;
use crate::render::detail::{show, unreadable};
use crate::render::net_change::NetChange;
use crate::render::text_forms::give_forms;
use crate::render::values::{ReadError, read_through, show_more};
use crate::store::Store;
use traceloupe_core::json::{Gaps, Keep, Repaired, Shortener, complete, repair};
use traceloupe_core::model::{
    Block, BlockRole, Detail, Event, EventId, EventKind, Place, Span, Trace, Value,
};
use traceloupe_engine::{EventRecords, RecordText};
use traceloupe_formats as formats;
use traceloupe_input::restore_part;
use traceloupe_protocol::detail::{ShownBlock, ShownDetail, ShownRecord};
use traceloupe_protocol::value::{Cut, Shown};

/// Longer records are read in pieces when their row is opened, and their long strings and lists are cut.
const LONG_RECORD_BYTES: u32 = 4 << 20;

/// What is kept of a long record: all messages of a conversation, but not all of a list of numbers.
const KEEP: Keep = Keep {
    string_bytes: 64 << 10,
    items: usize::MAX,
    list_bytes: 4 << 20,
    all_items: usize::MAX,
    all_bytes: 16 << 20,
    depth: 1_000,
};

/// How many bytes of earlier LLM calls are read to determine what is new in a request. Large records mean fewer calls.
const MAX_EARLIER_BYTES: u64 = 16 << 20;

/// How many bytes are read of values that the records of an event refer to, such as the messages of a request.
const MAX_REFERRED_BYTES: u64 = 16 << 20;

/// The trace and its files, for reading.
#[derive(Debug)]
pub(crate) struct Answers<'a, S> {
    pub(crate) files: &'a Files<S>,
    pub(crate) trace: &'a Trace,
}

impl<'a, S: Store> Answers<'a, S> {
    pub(crate) fn new(files: &'a Files<S>, trace: &'a Trace) -> Self {
        Self { files, trace }
    }

    /// See [`Files::read`].
    pub(crate) fn read(&self, span: Span) -> Result<Vec<u8>, ReadError> {
        self.files.read(span)
    }

    /// The content of an opened row.
    pub(crate) fn detail(&self, id: u32) -> ShownDetail {
        let event_id = EventId::from_index(id as usize);
        let Some(event) = self.trace.event(event_id) else { return ShownDetail::default() };
        let records = self.trace.places(event).map(|place| ShownRecord {
            source: place.span.source.number(),
            line: place.line,
            start: place.span.start,
            len: self.files.len_in_source(place.span),
        });
        let records = records.collect();
        let detail = self.blocks_of(event_id, event).and_then(|mut detail| {
            self.compare_states(event_id, event, &mut detail)?;
            Ok(detail)
        });
        let (native_id, mut blocks) = match detail {
            Ok(detail) => {
                let blocks = show(&detail, &|span| self.read(span));
                (detail.native_id, blocks)
            }
            Err(error) => (None, vec![unreadable(&error)]),
        };
        give_forms(&mut blocks);
        let sel = links::sel_of(self, event_id, native_id.as_deref());
        let sel = sel.map_or(String::new(), |sel| sel.to_string());
        ShownDetail { id, sel, blocks, records }
    }

    /// The net effect of the edits of a file. Failed calls have no effect.
    pub(crate) fn net_change(&self, path: &str, ids: &[u32]) -> Vec<ShownBlock> {
        let mut net = NetChange::new(path);
        let mut n_failed = 0;
        for id in ids.iter().map(|id| EventId::from_index(*id as usize)) {
            let Some(event) = self.trace.event(id) else { continue };
            if event.status.is_error() || event.status.is_stopped() {
                n_failed += 1;
            } else if let Ok(detail) = self.blocks_of(id, event) {
                net.add(&detail, &|span| self.read(span));
            }
        }
        let mut blocks = net.blocks(n_failed);
        give_forms(&mut blocks);
        blocks
    }

    /// More of a value that was cut.
    pub(crate) fn more(&self, cut: &Cut, max_bytes: u32) -> Shown {
        show_more(cut, max_bytes, &|span| self.read(span))
    }

    /// The blocks that the format produces for an event.
    ///
    /// # Errors
    /// If the records of the event cannot be read.
    pub(crate) fn blocks_of(&self, id: EventId, event: &Event) -> Result<Detail, ReadError> {
        self.blocks_after(event, &self.earlier(id, event)?)
    }

    /// The blocks of an event, given the records of the LLM calls before it.
    ///
    /// # Errors
    /// If the records of the event cannot be read.
    pub(crate) fn blocks_after(
        &self,
        event: &Event,
        earlier: &[Vec<RecordText>],
    ) -> Result<Detail, ReadError> {
        let records = self.records_of(event)?;
        let mut detail = Detail::default();
        let format = self.trace.run(event.run).and_then(|run| formats::by_id(run.format));
        if let Some(format) = format.filter(|_| !records.is_empty()) {
            let own = EventRecords {
                trace: self.trace,
                event,
                records: &records,
                earlier,
                referred: &[],
            };
            let referred = self.referred(format.referred(&own))?;
            format.detail(&EventRecords { referred: &referred, ..own }, &mut detail);
        }
        if let Some(first) = records.first()
            && detail.blocks.is_empty()
        {
            // Every part of the record is in the row already. Add the record itself for those who want to read it.
            detail.blocks.push(Block::Json(BlockRole::Record, Value::Json(first.place.span)));
        }
        Ok(detail)
    }

    /// Adds the changes since the previous state to an event that shows a state.
    fn compare_states(
        &self,
        id: EventId,
        event: &Event,
        detail: &mut Detail,
    ) -> Result<(), ReadError> {
        let Some(at) = detail.blocks.iter().position(|it| state_of(it).is_some()) else {
            return Ok(());
        };
        let before = self.before(id, event).find(|(_, other)| other.lane == event.lane);
        let Some((before_id, before)) = before else { return Ok(()) };
        let old = self.blocks_of(before_id, before)?;
        let old = old.blocks.iter().find_map(state_of);
        let new = detail.blocks.get(at).and_then(state_of);
        if let (Some(old), Some(new)) = (old, new) {
            let diff = Block::Diff(BlockRole::StateChange, old.clone(), new.clone());
            detail.blocks.insert(at, diff);
        }
        Ok(())
    }

    /// The events before an event that have the same kind and run, nearest first.
    fn before(&self, id: EventId, event: &Event) -> impl Iterator<Item = (EventId, &Event)> {
        let (kind, run) = (event.kind, event.run);
        let before = self.trace.events().iter_back_from(id.index());
        before
            .map(|(at, other)| (EventId::from_index(at), other))
            .filter(move |(_, other)| other.kind == kind && other.run == run)
    }

    fn records_of(&self, event: &Event) -> Result<Vec<RecordText>, ReadError> {
        let records = self.trace.items(event).filter_map(|(place, item)| {
            let record = self.record_at(place).transpose()?;
            Some(record.map(|record| RecordText { item, ..record }))
        });
        records.collect()
    }

    /// A record as strict JSON; `None` if it is broken beyond repair.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn record_at(&self, place: Place) -> Result<Option<RecordText>, ReadError> {
        let (mut bytes, gaps) = self.read_record(place.span)?;
        restore_part(&mut bytes);
        let text = match repair(&bytes) {
            Repaired::Good { text, .. } => Some(text.into_owned()),
            // A truncated or broken document was closed with extra brackets when it was indexed. It may be broken
            // exactly where they were added.
            Repaired::Bad { offset, .. } => {
                complete(&bytes).or_else(|| complete(bytes.get(..offset)?))
            }
            Repaired::Several(_) => None,
        };
        Ok(text.map(|text| RecordText { text, gaps, place, item: 0 }))
    }

    /// The bytes of a record, shortened if it is long.
    fn read_record(&self, span: Span) -> Result<(Vec<u8>, Gaps), ReadError> {
        if span.len <= LONG_RECORD_BYTES {
            return Ok((self.read(span)?, Gaps::default()));
        }
        let mut shortener = Shortener::new(KEEP);
        read_through(span, &mut shortener, &|span| self.read(span))?;
        let short = shortener.finish();
        Ok((short.text, short.gaps))
    }

    /// Reads the values that records refer to, within the budget.
    fn referred(&self, spans: Vec<Span>) -> Result<Vec<RecordText>, ReadError> {
        let mut left_bytes = MAX_REFERRED_BYTES;
        let near = spans.into_iter().take_while(|span| {
            let fits = u64::from(span.len) <= left_bytes;
            left_bytes = left_bytes.saturating_sub(u64::from(span.len));
            fits
        });
        near.filter_map(|span| self.record_at(Place { span, line: 0 }).transpose()).collect()
    }

    /// The records of the LLM calls before an LLM call, nearest first. With them, the row can show only what is new in
    /// the request.
    fn earlier(&self, id: EventId, event: &Event) -> Result<Vec<Vec<RecordText>>, ReadError> {
        if event.kind != EventKind::LlmCall {
            return Ok(Vec::new());
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
}

/// The value of a block that shows a state.
fn state_of(block: &Block) -> Option<&Value> {
    match block {
        Block::Json(BlockRole::State, value) => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::ShownBlock;
    use crate::Session;
    use crate::store::MemoryStore;
    use traceloupe_protocol::messages::{Input, OpenRequest, Request, Response};

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
