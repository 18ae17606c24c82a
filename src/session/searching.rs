//! The search over all sources: one piece of bytes at a time, so that everything else is answered in
//! between. It goes along while files are still read: up to the last record that has become an event.

use super::Session;
use super::source::Stage;
use super::store::Store;
use crate::model::{EventId, PlaceIndex, SourceId, Trace};
use crate::search::{Query, Scanner};
use crate::view::wire::hits::{HitBatch, HitLine, MAX_LISTED};
use crate::view::wire::protocol::Response;
use crate::view::worker::excerpt::excerpt;

/// So many strings with hits wait for their event while files are read; more stay without one.
const MAX_WAITING: usize = 200_000;

/// A search under way.
#[derive(Debug)]
pub(super) struct Search {
    scanner: Scanner,
    /// The source that is searched, and how much of it has been.
    source: usize,
    at: u64,
    places: PlaceIndex,
    tally: Tally,
    is_done: bool,
    /// Whether something is to be told.
    has_news: bool,
}

/// What has been found.
#[derive(Debug, Default)]
struct Tally {
    /// What has not been told yet.
    batch: HitBatch,
    ids: Vec<(u32, u32)>,
    n_listed: usize,
    /// Strings with hits of which no event is known, though one may come: how many hits, and which
    /// of the listed ones is the first of them.
    waiting: Vec<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    source: SourceId,
    byte: u64,
    n: u32,
    listed: Option<u32>,
}

/// What a step came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchStep {
    /// There is more to search.
    GoOn,
    /// There is nothing to search, or not yet.
    Rest,
}

impl<S: Store> Session<S> {
    /// Begins to search for a query, in place of any other.
    pub(super) fn search(&mut self, query: &Query, generation: u32) -> Vec<Response> {
        self.search = None;
        let batch = HitBatch { generation, ..HitBatch::default() };
        match Scanner::new(query) {
            Ok(scanner) => {
                self.search = Some(Search {
                    scanner,
                    source: 0,
                    at: 0,
                    places: PlaceIndex::default(),
                    tally: Tally { batch, ..Tally::default() },
                    is_done: false,
                    has_news: true,
                });
                Vec::new()
            }
            Err(fault) => {
                let batch = HitBatch { fault: Some(fault), done: true, ..batch };
                vec![Response::Hits(Box::new(batch))]
            }
        }
    }

    /// Searches up to so many bytes.
    pub fn search_step(&mut self, max_bytes: usize) -> SearchStep {
        let Some(mut search) = self.search.take() else { return SearchStep::Rest };
        let step = self.go_on(&mut search, max_bytes);
        self.search = Some(search);
        step
    }

    /// Whether a search is under way, or waits for more bytes.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.search.as_ref().is_some_and(|search| !search.is_done)
    }

    /// Whether the first hit of a search has been found and not been told.
    #[must_use]
    pub fn search_has_first(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.has_news && search.tally.is_first())
    }

    /// What has been found since the last time, if there is anything to tell.
    pub fn search_news(&mut self) -> Option<Response> {
        let total_bytes = self.searchable().map(|(_, len)| len).sum();
        let before = self
            .searchable()
            .take_while(|(at, _)| self.search.as_ref().is_some_and(|search| *at < search.source));
        let before: u64 = before.map(|(_, len)| len).sum();
        let search = self.search.as_mut()?;
        if !std::mem::take(&mut search.has_news) {
            return None;
        }
        let tally = &mut search.tally;
        let mut batch = HitBatch {
            generation: tally.batch.generation,
            total: tally.batch.total,
            nowhere: tally.batch.nowhere,
            ..HitBatch::default()
        };
        std::mem::swap(&mut batch, &mut tally.batch);
        for (id, count) in tally.ids.drain(..) {
            batch.ids.push(id);
            batch.counts.push(count);
        }
        batch.searched_bytes = before + search.at;
        batch.total_bytes = total_bytes;
        batch.done = search.is_done;
        Some(Response::Hits(Box::new(batch)))
    }

    /// Sources with text of their own: index, and bytes read so far.
    fn searchable(&self) -> impl Iterator<Item = (usize, u64)> {
        let own = self.sources.iter().enumerate().filter(|(_, source)| {
            !source.is_container
                && (source.format.is_some() || !matches!(source.stage, Stage::Done))
        });
        own.map(|(at, source)| (at, source.len_bytes))
    }

    fn go_on(&mut self, search: &mut Search, max_bytes: usize) -> SearchStep {
        if search.is_done {
            return SearchStep::Rest;
        }
        while let Some(source) = self.sources.get(search.source) {
            let has_ended = matches!(source.stage, Stage::Done) || self.is_complete;
            let id = SourceId::from_index(search.source);
            let limit = if source.is_container || source.format.is_none() && has_ended {
                0
            } else if has_ended {
                source.len_bytes
            } else {
                // What is behind the last record may not have become an event yet.
                let last = self.builder.trace().last_place().map(|place| place.span);
                last.filter(|span| span.source == id)
                    .map_or(0, |span| span.start + u64::from(span.len))
            };
            let left = usize::try_from(limit.saturating_sub(search.at)).unwrap_or(usize::MAX);
            if left > 0 {
                let read = self.store.read(source.handle, search.at, left.min(max_bytes));
                // Bytes that have gone since they were indexed are not searched; all others are.
                let bytes = read.ok().filter(|bytes| !bytes.is_empty());
                let Some(bytes) = bytes else {
                    search.at = limit;
                    continue;
                };
                search.at += bytes.len() as u64;
                search.take(self.trace(), id, Some(&bytes));
                return SearchStep::GoOn;
            }
            if !has_ended && !source.is_container {
                return SearchStep::Rest;
            }
            search.take(self.trace(), id, None);
            search.source += 1;
            search.at = 0;
        }
        if self.is_complete {
            search.is_done = true;
            search.has_news = true;
            search.settle(&self.trace);
        }
        SearchStep::Rest
    }
}

impl Search {
    /// Takes the next bytes of a source, or its end.
    fn take(&mut self, trace: &Trace, source: SourceId, bytes: Option<&[u8]>) {
        let Self { scanner, places, tally, .. } = self;
        // Many hits of one string are of one event.
        let mut last: Option<(u64, Option<u32>)> = None;
        let mut each = |hit: crate::search::Hit<'_>| {
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
            tally.add(id, source, &hit, is_next);
        };
        match bytes {
            Some(bytes) => scanner.push(bytes, &mut each),
            None => scanner.finish(&mut each),
        }
        self.has_news = true;
    }

    /// Events have become part of other events: hits that are not sent yet are of those.
    pub(super) fn follow(&mut self, trace: &Trace) {
        let present = |id: &mut u32| {
            let event = trace.present(EventId::from_index(*id as usize));
            *id = u32::try_from(event.index()).unwrap_or(*id);
        };
        let Tally { batch, ids, .. } = &mut self.tally;
        ids.iter_mut().map(|(id, _)| id).for_each(present);
        batch.lines.iter_mut().filter_map(|line| line.id.as_mut()).for_each(present);
    }

    /// Everything has been read: what had no event may have one by now.
    fn settle(&mut self, trace: &Trace) {
        self.places.update(trace);
        for waiting in std::mem::take(&mut self.tally.waiting) {
            let found = self.places.find(trace, waiting.source, waiting.byte);
            let Some(id) = found.and_then(|id| u32::try_from(id.index()).ok()) else { continue };
            self.tally.count(id, waiting.n);
            self.tally.batch.nowhere -= u64::from(waiting.n);
            self.tally.batch.found_later.extend(waiting.listed.map(|at| (at, id)));
        }
    }
}

impl Tally {
    fn is_first(&self) -> bool {
        self.batch.total > 0 && self.batch.lines.len() == self.n_listed
    }

    fn add(
        &mut self,
        id: Option<u32>,
        source: SourceId,
        hit: &crate::search::Hit<'_>,
        is_next: bool,
    ) {
        self.batch.total += 1;
        let listed = (self.n_listed < MAX_LISTED).then_some(self.n_listed);
        if listed.is_some() {
            self.n_listed += 1;
            self.batch.lines.push(HitLine {
                id,
                source: u32::try_from(source.index()).unwrap_or(u32::MAX),
                byte: hit.leaf,
                text: excerpt(hit.text, hit.range.clone()),
            });
        }
        if let Some(id) = id {
            return self.count(id, 1);
        }
        self.batch.nowhere += 1;
        let listed = listed.and_then(|at| u32::try_from(at).ok());
        let has_room = self.waiting.len() < MAX_WAITING;
        match self.waiting.last_mut() {
            // Beyond the list only their number is of use.
            Some(last) if is_next && listed.is_none() => last.n = last.n.saturating_add(1),
            _ if has_room => self.waiting.push(Waiting { source, byte: hit.leaf, n: 1, listed }),
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
