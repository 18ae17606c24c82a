//! What a format is, and the building blocks of formats.
//!
//! A format rates how certain it is that some records are its own ([`Format::sniff`]), turns records into events
//! ([`Format::reader`]: the index pass, borrowed, nothing copied) and determines the content of an opened row
//! ([`Format::detail`]: the lazy pass over the records of one event).
//!
//! | To | See |
//! | --- | --- |
//! | describe a format | [`described`], in the words of [`kit`] |
//! | turn descriptions into events | [`weave`] |
//! | read token usage | [`tokens`] |
//! | read messages, content parts, and spans that formats share | [`shapes`] |
//!
//! All formats, and the list of them, are in the package `src/formats`.
//!
//! **Invariants.** Detection looks at content; a file name can only raise a verdict. No two formats are certain of the
//! same records. A reader never fails: unknown records become events of kind
//! [`traceloupe_core::model::EventKind::Record`] or warnings. `docs/adding-a-format.md` describes how to add a format.

pub mod described;
pub mod fields;
pub mod kit;
mod lines;
pub mod prelude;
mod probe;
mod record;
pub mod shapes;
#[cfg(test)]
mod testing;
pub mod tokens;
pub mod weave;

#[cfg(fuzzing)]
pub use described::test_format::TEST as ENGINES;
pub use lines::LineCounter;
pub use probe::{Probe, ProbeRecord, Verdict};
pub use record::{EventRecords, Record, RecordText};
pub use weave::is_nameless;

use traceloupe_core::model::{
    Detail, EventId, EventKind, Place, RunId, SourceId, Span, Trace, TraceBuilder,
};
use traceloupe_input::SplitAt;

/// A trace format.
pub trait Format: Sync {
    /// Its stable id, as on its card.
    fn id(&self) -> &'static str;
    /// The producer's display name, as on its card.
    fn name(&self) -> &'static str;
    /// How certain this format is that the records are its own, and why. Cheap; cannot fail.
    fn sniff(&self, probe: &Probe<'_>) -> Verdict;
    /// A reader for one source.
    fn reader(&self, source: SourceId) -> Box<dyn Reader>;
    /// The top-level list of a long document whose items the reader accepts as records of their own. Called with the
    /// beginning of the document; [`SplitAt::Never`] (the document is one record) is always correct.
    fn split(&self, _beginning: &ProbeRecord<'_>) -> SplitAt {
        SplitAt::Never
    }
    /// Links events of different sources; called once, after all of them have been read.
    fn join(&self, _out: &mut TraceBuilder) {}
    /// What addresses of annotations count in a run. `None` if they count events.
    fn addressed(&self, _trace: &Trace, _run: RunId) -> Option<Addressed> {
        None
    }
    /// Whether two records of a run may contain the same text, which then is one event.
    fn tells_twice(&self) -> bool {
        false
    }
    /// The places to which the records of an event refer, to be read for [`EventRecords::referred`].
    fn referred(&self, _event: &EventRecords<'_>) -> Vec<Span> {
        Vec::new()
    }
    /// Determines the content of an opened row.
    fn detail(&self, event: &EventRecords<'_>, out: &mut Detail);
}

/// What addresses of annotations count, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Addressed {
    /// The messages, each with the event that it belongs to.
    pub messages: Vec<(Place, EventId)>,
    /// Values inside messages that are events of their own.
    pub inner: Vec<(Span, EventId)>,
}

impl Addressed {
    /// The messages of a run whose records are messages: those of its events, without duplicates.
    fn of_messages(trace: &Trace, run: RunId) -> Self {
        let mut found = Self::default();
        for id in trace.order(run) {
            let Some(event) = trace.event(*id) else { continue };
            // The document around the messages is not one of them.
            if event.kind == EventKind::RunStart {
                continue;
            }
            let mut places = trace.places(event);
            // A call inside a message is not a message; its output after it is one.
            if event.kind == EventKind::ToolCall && event.parent().is_some() {
                found.inner.extend(places.next().map(|place| (place.span, *id)));
            }
            found.messages.extend(places.map(|place| (place, *id)));
        }
        traceloupe_core::sorting::sort_by_key(&mut found.messages, |(place, _)| {
            (place.span.source, place.span.start)
        });
        // One message may be several events: text, and the results of calls.
        found.messages.dedup_by_key(|(place, _)| place.span);
        traceloupe_core::sorting::sort_by_key(&mut found.inner, |(span, _)| {
            (span.source, span.start)
        });
        found
    }
}

/// Reads the records of one source. Records are pushed, so that reading and indexing overlap.
pub trait Reader {
    /// Reads the next record.
    fn record(&mut self, record: &Record<'_>, out: &mut TraceBuilder);
    /// Reads the part before or after the list of a document that was split ([`Format::split`]), as an object. The part
    /// before the list contains the list, empty.
    fn part(&mut self, _part: &Record<'_>, _out: &mut TraceBuilder) {}
    /// Ends the source: pairs, closes, and reports missing parts.
    fn finish(&mut self, out: &mut TraceBuilder);
}
