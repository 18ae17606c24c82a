//! Text that the records of a run hold twice: a message as an item of the API and as an event for the screen. A search
//! finds it once.

use rustc_hash::{FxHashMap, FxHashSet};
use traceloupe_core::model::{EventId, EventKind, Flags, SourceId, Trace, hash_of};
use traceloupe_formats as formats;

/// After this many distinct hits in messages, further ones are not compared.
const MAX_KNOWN: usize = 200_000;

/// The hits in messages so far.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// The start of the record of each hit, by its event and its context.
    of_events: FxHashMap<u64, u64>,
    /// All of them, by their run and their context.
    of_runs: FxHashSet<u64>,
}

impl Copies {
    /// Whether a hit in an event is in a copy of text that another record has: one of the same event, or, if the event
    /// only keeps books, any message of the run. `excerpt` is the hit with its context, made only if it is needed.
    pub(super) fn has(
        &mut self,
        trace: &Trace,
        id: EventId,
        (source, byte): (SourceId, u64),
        excerpt: impl FnOnce() -> [String; 3],
    ) -> bool {
        let Some(event) = trace.event(id) else { return false };
        let is_message = matches!(
            event.kind,
            EventKind::UserMessage | EventKind::SystemMessage | EventKind::LlmCall
        );
        let is_note = event.flags.has(Flags::BOOKKEEPING);
        let format = trace.run(event.run).and_then(|run| formats::by_id(run.format));
        if !is_message && !is_note || !format.is_some_and(|format| format.tells_twice()) {
            return false;
        }
        let excerpt = excerpt();
        let of_run = hash_of((event.run, &excerpt));
        if is_note {
            return self.of_runs.contains(&of_run);
        }
        let mut spans = trace.places(event).map(|place| place.span);
        let has = |start: u64, len: u32| (start..start + u64::from(len)).contains(&byte);
        let record = spans.find(|it| it.source == source && has(it.start, it.len));
        let start = record.map_or(byte, |span| span.start);
        if self.of_events.len() >= MAX_KNOWN {
            return false;
        }
        self.of_runs.insert(of_run);
        *self.of_events.entry(hash_of((id, excerpt))).or_insert(start) != start
    }
}
