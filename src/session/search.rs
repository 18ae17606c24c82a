//! Searches all sources, some bytes at a time. While files are still being read, the search keeps up with the last
//! record that has become an event.

use super::pace::{Pace, Progress};
use super::search_copies::Copies;
use super::state::State;
use super::store::Store;
use crate::intake::files::Files;
use crate::intake::source::{Source, Stage};
use crate::render::excerpt::excerpt;
use traceloupe_core::model::{EventId, PlaceIndex, SourceId, Trace};
use traceloupe_protocol::hits::{HitBatch, HitLine, MAX_LISTED};
use traceloupe_protocol::messages::Response;
use traceloupe_search::{Fault, Query, Scanner};

/// How many strings with hits may lack an event until all files have been read. Further ones never get an event.
const MAX_UNPLACED: usize = 200_000;

/// A search job.
#[derive(Debug)]
pub(super) struct Search {
    scanner: Scanner,
    /// Index of the current source, and how many of its bytes have been searched.
    source: usize,
    at: u64,
    places: PlaceIndex,
    copies: Copies,
    tally: Tally,
    /// Whether there is something to report.
    has_news: bool,
}

/// The hits.
#[derive(Debug, Default)]
struct Tally {
    /// Hits that have not been reported yet.
    batch: HitBatch,
    ids: Vec<(u32, u32)>,
    n_listed: usize,
    /// Strings with hits that have no event yet.
    unplaced: Vec<Unplaced>,
}

/// A string with hits whose event is not known yet: its place, its number of hits, and the index of the first of them
/// in the list.
#[derive(Debug)]
struct Unplaced {
    source: SourceId,
    byte: u64,
    n: u32,
    listed: Option<u32>,
}

impl Search {
    /// Starts a search. `generation` is the number of the query, and is returned with the hits.
    ///
    /// # Errors
    /// If the query is not a valid expression.
    pub(super) fn new(query: &Query, generation: u32) -> Result<Self, Fault> {
        let batch = HitBatch { generation, ..HitBatch::default() };
        Ok(Self {
            scanner: Scanner::new(query)?,
            source: 0,
            at: 0,
            places: PlaceIndex::default(),
            copies: Copies::default(),
            tally: Tally { batch, ..Tally::default() },
            has_news: true,
        })
    }

    /// Searches up to a number of bytes and reports the hits: the first hit at once, then whenever a report is due, and
    /// before the search waits or ends.
    pub(super) fn step<S: Store>(
        &mut self,
        files: &Files<S>,
        state: &State,
        pace: Pace,
        answers: &mut Vec<Response>,
    ) -> Progress {
        let progress = self.search_some(files, state, pace.max_bytes);
        let is_due =
            pace.is_report_due || progress != Progress::Working || self.tally.has_only_first();
        if self.has_news && is_due {
            answers.push(self.report(files, state, progress == Progress::Finished));
        }
        progress
    }

    fn search_some<S: Store>(
        &mut self,
        files: &Files<S>,
        state: &State,
        max_bytes: usize,
    ) -> Progress {
        while let Some(source) = files.sources.get(self.source) {
            let id = SourceId::from_index(self.source);
            let has_ended = has_ended(state, self.source);
            let limit = if source.is_container || source.format.is_none() && has_ended {
                0
            } else if has_ended {
                source.len_bytes
            } else {
                // Bytes after the last record may not have become an event yet.
                let last = state.trace().last_place().map(|place| place.span);
                last.filter(|span| span.source == id)
                    .map_or(0, |span| span.start + u64::from(span.len))
            };
            let left = usize::try_from(limit.saturating_sub(self.at)).unwrap_or(usize::MAX);
            if left > 0 {
                let read = files.store.read(source.handle, self.at, left.min(max_bytes));
                let bytes = read.ok().filter(|bytes| !bytes.is_empty());
                let Some(bytes) = bytes else {
                    // The file can no longer be read. The search continues with the others.
                    self.tally.batch.unread_bytes += limit - self.at;
                    self.at = limit;
                    self.has_news = true;
                    continue;
                };
                self.at += bytes.len() as u64;
                self.take(state.trace(), id, Some(&bytes));
                return Progress::Working;
            }
            if !has_ended && !source.is_container {
                return Progress::Waiting;
            }
            self.take(state.trace(), id, None);
            self.source += 1;
            self.at = 0;
        }
        match state {
            State::Reading(_) => Progress::Waiting,
            State::Done(done) => {
                self.has_news = true;
                self.place_late(&done.trace);
                Progress::Finished
            }
        }
    }

    /// The hits since the last report.
    fn report<S: Store>(&mut self, files: &Files<S>, state: &State, is_done: bool) -> Response {
        let before: u64 = searchable(files, state)
            .take_while(|(at, _)| *at < self.source)
            .map(|(_, len_bytes)| len_bytes)
            .sum();
        self.has_news = false;
        let tally = &mut self.tally;
        let mut batch = HitBatch {
            generation: tally.batch.generation,
            total: tally.batch.total,
            nowhere: tally.batch.nowhere,
            unread_bytes: tally.batch.unread_bytes,
            ..HitBatch::default()
        };
        std::mem::swap(&mut batch, &mut tally.batch);
        for (id, count) in tally.ids.drain(..) {
            batch.ids.push(id);
            batch.counts.push(count);
        }
        batch.searched_bytes = before + self.at;
        batch.total_bytes = searchable(files, state).map(|(_, len_bytes)| len_bytes).sum();
        batch.done = is_done;
        Response::Hits(Box::new(batch))
    }

    /// Takes the next bytes of a source, or its end.
    fn take(&mut self, trace: &Trace, source: SourceId, bytes: Option<&[u8]>) {
        let Self { scanner, places, copies, tally, .. } = self;
        // Hits in the same string have the same event.
        let mut last: Option<(u64, Option<u32>)> = None;
        let mut each = |hit: traceloupe_search::Hit<'_>| {
            let id = match last {
                Some((leaf, id)) if leaf == hit.leaf => id,
                _ => {
                    places.update(trace);
                    places
                        .find(trace, source, hit.leaf)
                        .and_then(|id| u32::try_from(id.index()).ok())
                }
            };
            let is_next = last == Some((hit.leaf, id));
            last = Some((hit.leaf, id));
            let is_copy = id.is_some_and(|id| {
                let id = EventId::from_index(id as usize);
                let excerpt = || excerpt(hit.text, hit.range.clone());
                copies.has(trace, id, (source, hit.leaf), excerpt)
            });
            if is_copy {
                return;
            }
            tally.add(id, source, &hit, is_next);
        };
        match bytes {
            Some(bytes) => scanner.push(bytes, &mut each),
            None => scanner.finish(&mut each),
        }
        self.has_news = true;
    }

    /// Adapts to the complete trace, where some events have been merged into others: unreported hits get their current
    /// event.
    pub(super) fn follow(&mut self, trace: &Trace) {
        let present = |id: &mut u32| {
            let event = trace.present(EventId::from_index(*id as usize));
            *id = u32::try_from(event.index()).unwrap_or(*id);
        };
        let Tally { batch, ids, .. } = &mut self.tally;
        ids.iter_mut().map(|(id, _)| id).for_each(present);
        batch.lines.iter_mut().filter_map(|line| line.id.as_mut()).for_each(present);
    }

    /// Places the remaining strings after everything has been read.
    fn place_late(&mut self, trace: &Trace) {
        self.places.update(trace);
        for unplaced in std::mem::take(&mut self.tally.unplaced) {
            let found = self.places.find(trace, unplaced.source, unplaced.byte);
            let Some(id) = found.and_then(|id| u32::try_from(id.index()).ok()) else { continue };
            self.tally.count(id, unplaced.n);
            self.tally.batch.nowhere -= u64::from(unplaced.n);
            self.tally.batch.found_later.extend(unplaced.listed.map(|at| (at, id)));
        }
    }
}

/// Whether all bytes of a source have been read.
fn has_ended(state: &State, source: usize) -> bool {
    match state {
        State::Reading(intake) => {
            intake.states.get(source).is_none_or(|it| matches!(it.stage, Stage::Done))
        }
        State::Done(_) => true,
    }
}

/// The sources with text of their own: index, and bytes read so far.
fn searchable<'a, S>(
    files: &'a Files<S>,
    state: &'a State,
) -> impl Iterator<Item = (usize, u64)> + use<'a, S> {
    let is_searchable = |at: usize, source: &Source| {
        !source.is_container && (source.format.is_some() || !has_ended(state, at))
    };
    let sources = files.sources.iter().enumerate();
    sources
        .filter(move |(at, source)| is_searchable(*at, source))
        .map(|(at, source)| (at, source.len_bytes))
}

impl Tally {
    /// Whether no hit has been reported yet and there are hits now.
    fn has_only_first(&self) -> bool {
        self.batch.total > 0 && self.batch.lines.len() == self.n_listed
    }

    fn add(
        &mut self,
        id: Option<u32>,
        source: SourceId,
        hit: &traceloupe_search::Hit<'_>,
        is_next: bool,
    ) {
        self.batch.total += 1;
        let listed = (self.n_listed < MAX_LISTED).then_some(self.n_listed);
        if listed.is_some() {
            self.n_listed += 1;
            self.batch.lines.push(HitLine {
                id,
                source: source.number(),
                byte: hit.leaf,
                text: excerpt(hit.text, hit.range.clone()),
            });
        }
        if let Some(id) = id {
            return self.count(id, 1);
        }
        self.batch.nowhere += 1;
        let listed = listed.and_then(|at| u32::try_from(at).ok());
        let has_room = self.unplaced.len() < MAX_UNPLACED;
        match self.unplaced.last_mut() {
            // Hits beyond the limit of the list are only counted.
            Some(last) if is_next && listed.is_none() => last.n = last.n.saturating_add(1),
            _ if has_room => self.unplaced.push(Unplaced { source, byte: hit.leaf, n: 1, listed }),
            _ => {}
        }
    }

    fn count(&mut self, id: u32, n: u32) {
        match self.ids.last_mut() {
            Some((last, count)) if *last == id => *count = count.saturating_add(n),
            _ => self.ids.push((id, n)),
        }
    }
}
