//! Records as passed to readers and detail passes: borrowed text with its place in the source.

use std::ops::Range;

use traceloupe_core::json::{Gaps, Json};
use traceloupe_core::model::{Event, Place, SourceId, Span, Trace};

/// One record: a line, an item of an array, a document.
///
/// `text` is strict JSON. If the file's own bytes were not (NaN, a trailing comma, a raw control character…), they were
/// patched *without changing any length*, so offsets into `text` are offsets into the source.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The record as strict JSON.
    pub text: &'a str,
    /// The cursor over `text`. It has a tape if the record comes directly from the framer.
    pub json: Json<'a>,
    /// The source.
    pub source: SourceId,
    /// Offset of the first byte of `text` in the source.
    pub start: u64,
    /// The line of the first byte, counted from 1.
    pub line: u32,
}

impl<'a> Record<'a> {
    /// A record whose first byte is at an offset of a source, in a line counted from 1.
    #[must_use]
    pub fn new(json: Json<'a>, source: SourceId, start: u64, line: u32) -> Self {
        Self { text: json.raw(), json, source, start, line }
    }

    /// The place of the whole record.
    #[must_use]
    pub fn place(&self) -> Place {
        let len = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        Place { span: Span { source: self.source, start: self.start, len }, line: self.line }
    }

    /// The place in the source of a slice borrowed from `text`. `None` for any other slice (for example, an owned
    /// `Cow`).
    #[must_use]
    pub fn span_of(&self, slice: &str) -> Option<Span> {
        let range = range_within(self.text, slice)?;
        Some(Span {
            source: self.source,
            start: self.start + range.start as u64,
            len: u32::try_from(slice.len()).unwrap_or(u32::MAX),
        })
    }

    /// A record for a value inside this one (an item of a document's list), with its own place. Its line is the line of
    /// this record.
    #[must_use]
    pub fn inner<'b>(&self, value: impl Into<Json<'b>>) -> Record<'b> {
        let value = value.into();
        let start = self.span_of(value.raw()).map_or(self.start, |span| span.start);
        Record::new(value, self.source, start, self.line)
    }
}

fn range_within(text: &str, slice: &str) -> Option<Range<usize>> {
    let start = (slice.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let end = start + slice.len();
    (end <= text.len()).then_some(start..end)
}

/// A record of an event that is being opened.
#[derive(Clone, Debug)]
pub struct RecordText {
    /// The record as strict JSON, patched like [`Record::text`]. In a very long record, long strings and lists are cut,
    /// but their places are still those of the whole values.
    pub text: String,
    /// The parts that were left out of it.
    pub gaps: Gaps,
    /// Its place.
    pub place: Place,
    /// Which item of the record the event is, for formats that describe items.
    pub item: u16,
}

impl RecordText {
    /// The place in the source of a slice borrowed from `text`.
    #[must_use]
    pub fn span_of(&self, slice: &str) -> Option<Span> {
        let range = range_within(&self.text, slice)?;
        let (start, end) = (self.gaps.start_of(range.start), self.gaps.end_of(range.end));
        Some(Span {
            source: self.place.span.source,
            start: self.place.span.start + start,
            len: u32::try_from(end.saturating_sub(start)).unwrap_or(u32::MAX),
        })
    }
}

/// The input of a detail pass: the event, its records read again, and the LLM calls before it.
#[derive(Debug)]
pub struct EventRecords<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// The event.
    pub event: &'a Event,
    /// Its records, in the order of reading.
    pub records: &'a [RecordText],
    /// For an LLM call: the records of the LLM calls before it in the same run, nearest first, at most
    /// [`EventRecords::MAX_EARLIER`] of them. Used to show only the new part of a request.
    pub earlier: &'a [Vec<RecordText>],
    /// The places to which the records refer ([`Format::referred`](super::Format::referred)), as far as they were read.
    pub referred: &'a [RecordText],
}

impl EventRecords<'_> {
    /// How many earlier LLM calls are passed to a detail pass.
    pub const MAX_EARLIER: usize = 4;
}
