//! What a format is, and what formats are made of.
//!
//! A format says how sure it is that some records are its own ([`Format::sniff`]), turns records
//! into events ([`Format::reader`]: the index pass, borrowed, nothing copied) and says what an
//! opened row shows ([`Format::detail`]: the lazy pass over the records of one event).
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
//! **Invariants.** Detection looks at content; a file name can only raise a verdict. No two formats
//! are certain of the same records. A reader never fails: what it does not know becomes an event of
//! kind [`traceloupe_core::model::EventKind::Record`] or a warning. `docs/adding-a-format.md` describes
//! how to add a format.

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
    /// The producer's name for people, as on its card.
    fn name(&self) -> &'static str;
    /// How sure this format is that the records are its own, and why. Cheap; cannot fail.
    fn sniff(&self, probe: &Probe<'_>) -> Verdict;
    /// A reader for one source.
    fn reader(&self, source: SourceId) -> Box<dyn Reader>;
    /// The top-level list of a long document whose items the reader takes as records of their own.
    /// Asked with the beginning of the document; [`SplitAt::Never`] (the document is one record) is never wrong.
    fn split(&self, _beginning: &ProbeRecord<'_>) -> SplitAt {
        SplitAt::Never
    }
    /// Links what stands in different sources; called once, when all of them are read.
    fn join(&self, _out: &mut TraceBuilder) {}
    /// What addresses of annotations count in a run. `None` where they count events.
    fn addressed(&self, _trace: &Trace, _run: RunId) -> Option<Addressed> {
        None
    }
    /// The places that the records of an event refer to, to be read for [`EventRecords::referred`].
    fn referred(&self, _event: &EventRecords<'_>) -> Vec<Span> {
        Vec::new()
    }
    /// What an opened row shows.
    fn detail(&self, event: &EventRecords<'_>, out: &mut Detail);
}

/// What addresses of annotations count, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Addressed {
    /// The messages, each with the event that it belongs to.
    pub messages: Vec<(Place, EventId)>,
    /// Values inside of messages that are events of their own.
    pub inner: Vec<(Span, EventId)>,
}

impl Addressed {
    /// The messages of a run whose records are messages: those of its events, each once.
    fn of_messages(trace: &Trace, run: RunId) -> Self {
        let mut found = Self::default();
        for id in trace.order(run) {
            let Some(event) = trace.event(*id) else { continue };
            // The document around the messages is none of them.
            if event.kind == EventKind::RunStart {
                continue;
            }
            let mut places = trace.places(event);
            // A call inside of a message is no message; what comes after it is its output, which is.
            if event.kind == EventKind::ToolCall && event.parent().is_some() {
                found.inner.extend(places.next().map(|place| (place.span, *id)));
            }
            found.messages.extend(places.map(|place| (place, *id)));
        }
        traceloupe_core::order::sort_by_key(&mut found.messages, |(place, _)| {
            (place.span.source, place.span.start)
        });
        // One message may be several events: words, and the results of calls.
        found.messages.dedup_by_key(|(place, _)| place.span);
        traceloupe_core::order::sort_by_key(&mut found.inner, |(span, _)| {
            (span.source, span.start)
        });
        found
    }
}

/// Reads the records of one source. Records are pushed, so that reading and indexing overlap.
pub trait Reader {
    /// Takes the next record.
    fn record(&mut self, record: &Record<'_>, out: &mut TraceBuilder);
    /// Takes what stands before or behind the list of a document that was split ([`Format::split`]),
    /// as an object; where it stands before, the list is in it, empty.
    fn part(&mut self, _part: &Record<'_>, _out: &mut TraceBuilder) {}
    /// The source has ended: pair, close, say what is missing.
    fn finish(&mut self, out: &mut TraceBuilder);
}
