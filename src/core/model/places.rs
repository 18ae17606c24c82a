//! Finds the event that a byte of a source belongs to.

use std::cmp::{Ordering, Reverse};
use std::ops::Range;

use super::event::NIL;
use super::{EventId, SourceId, Span, Trace};
use crate::sorting::sort_by_key;

/// Finds the event whose record contains a byte, in time logarithmic in the number of records plus the depth of their
/// nesting.
///
/// The index is built in one pass over the records, and a sort if they are not already in the order of their places. It
/// takes four bytes per record, and up to twelve if records are nested.
#[derive(Debug, Default)]
pub struct PlaceIndex {
    /// The version of the trace that the index was built from: the number of records, and [`Trace`]'s count of changes
    /// to them.
    version: (usize, u32),
    /// The event of each record; `NIL` for a record that belongs to no event.
    owners: Vec<u32>,
    /// The records sorted by [`order_of`]. If several events share a record, the one that was read first comes first,
    /// and the others follow by the start of their summaries. `None` if the records were read in this order.
    order: Option<Vec<u32>>,
    /// For each position in that order, the nearest earlier position whose record ends later, in the same source; `NIL`
    /// if there is none. `None` if no record is nested in an earlier one.
    enclosing: Option<Vec<u32>>,
}

/// Sorts records by source and start, and the longer of two with the same start first.
type Order = (usize, u64, Reverse<u32>);

/// The index together with its trace.
struct View<'a> {
    index: &'a PlaceIndex,
    trace: &'a Trace,
}

impl PlaceIndex {
    /// Updates the index to a trace. Does nothing if no record has been added, replaced or moved to another event since
    /// the last call.
    pub fn update(&mut self, trace: &Trace) {
        let version = (trace.records.len(), trace.record_changes);
        if self.version == version {
            return;
        }
        *self = Self { version, ..Self::default() };
        self.owners.resize(trace.records.len(), NIL);
        for (id, event) in (0..).zip(&trace.events) {
            let mut next = event.first_record;
            while let Some(record) = trace.records.get(next as usize) {
                if let Some(owner) = self.owners.get_mut(next as usize) {
                    *owner = id;
                }
                next = record.next;
            }
        }
        self.order = self.sorted(trace);
        self.enclosing = self.enclosing(trace);
    }

    /// The event of the innermost record that contains a byte. If several events share that record, it is the one whose
    /// summary contains the byte, or else the one that was read first.
    #[must_use]
    pub fn find(&self, trace: &Trace, source: SourceId, byte: u64) -> Option<EventId> {
        let view = View { index: self, trace };
        let last = (source.index(), byte, Reverse(0));
        let is_before = |at| view.span(at).map(order_of) <= Some(last);
        let end = partition_point(0..self.owners.len(), is_before);
        let mut at = end.checked_sub(1)?;
        loop {
            let span = view.span(at).filter(|span| span.source == source)?;
            if byte < end_of(span) {
                return view.event_of(span, at, byte);
            }
            at = *self.enclosing.as_ref()?.get(at)? as usize;
        }
    }

    /// See the field `order`.
    fn sorted(&self, trace: &Trace) -> Option<Vec<u32>> {
        let view = View { index: self, trace };
        let key = |at: usize| view.span(at).map(order_of);
        let is_first = |at: usize| at == 0 || key(at - 1) != key(at);
        let is_sorted = (1..self.owners.len()).all(|at| match key(at - 1).cmp(&key(at)) {
            Ordering::Less => true,
            Ordering::Equal => {
                is_first(at - 1) || view.summary_start(at - 1) <= view.summary_start(at)
            }
            Ordering::Greater => false,
        });
        if is_sorted {
            return None;
        }
        let mut order: Vec<u32> = (0..).take(self.owners.len()).collect();
        // Only of files whose records are out of order, so it need not be compiled for itself.
        sort_by_key(&mut order, |at| key(*at as usize));
        for group in order.chunk_by_mut(|a, b| key(*a as usize) == key(*b as usize)) {
            if let Some((_, rest)) = group.split_first_mut() {
                sort_by_key(rest, |at| view.summary_start(*at as usize));
            }
        }
        Some(order)
    }

    /// See the field `enclosing`. One pass, with a stack of the records that are still open.
    fn enclosing(&self, trace: &Trace) -> Option<Vec<u32>> {
        let view = View { index: self, trace };
        let mut enclosing = Vec::new();
        let mut open: Vec<(u32, Span)> = Vec::new();
        for (at, number) in (0..self.owners.len()).zip(0..) {
            let Some(span) = view.span(at) else { break };
            let is_over =
                |(_, it): &mut (u32, Span)| it.source != span.source || end_of(*it) <= end_of(span);
            while open.pop_if(is_over).is_some() {}
            let outer = open.last().map_or(NIL, |(outer, _)| *outer);
            if outer != NIL && enclosing.is_empty() {
                enclosing.resize(at, NIL);
            }
            if outer != NIL || !enclosing.is_empty() {
                enclosing.push(outer);
            }
            open.push((number, span));
        }
        (!enclosing.is_empty()).then_some(enclosing)
    }
}

impl View<'_> {
    fn record(&self, at: usize) -> Option<usize> {
        match &self.index.order {
            Some(order) => order.get(at).map(|record| *record as usize),
            None => Some(at),
        }
    }

    #[inline(never)]
    fn span(&self, at: usize) -> Option<Span> {
        Some(self.trace.records.get(self.record(at)?)?.place().span)
    }

    fn owner(&self, at: usize) -> Option<EventId> {
        let owner = *self.index.owners.get(self.record(at)?)?;
        (owner != NIL).then_some(EventId(owner))
    }

    /// The summary of the record's event, if the record contains it.
    #[inline(never)]
    fn summary(&self, at: usize) -> Option<Range<u64>> {
        let summary = self.trace.summary_span(self.trace.event(self.owner(at)?)?)?;
        let own = self.span(at)?;
        let is_inside =
            summary.source == own.source && (own.start..end_of(own)).contains(&summary.start);
        is_inside.then(|| summary.start..end_of(summary))
    }

    fn summary_start(&self, at: usize) -> u64 {
        self.summary(at).map_or(0, |summary| summary.start)
    }

    /// The event of the record at a position, or of another record with the same place.
    fn event_of(&self, span: Span, at: usize, byte: u64) -> Option<EventId> {
        let first = partition_point(0..at, |it| self.span(it).map(order_of) < Some(order_of(span)));
        let after = partition_point(first + 1..at + 1, |it| self.summary_start(it) <= byte);
        let holds_byte = |at: &usize| self.summary(*at).is_some_and(|it| it.contains(&byte));
        let owner = [first, after.saturating_sub(1)].into_iter().find(holds_byte).unwrap_or(first);
        self.owner(owner)
    }
}

/// The first position of a range at which a condition no longer holds.
fn partition_point(range: Range<usize>, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

fn order_of(span: Span) -> Order {
    (span.source.index(), span.start, Reverse(span.len))
}

fn end_of(span: Span) -> u64 {
    span.start + u64::from(span.len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EventKind, NewEvent, Place, TraceBuilder};

    struct Built {
        out: TraceBuilder,
        index: PlaceIndex,
    }

    impl Built {
        fn new() -> Self {
            Self { out: TraceBuilder::new(), index: PlaceIndex::default() }
        }

        fn place(source: usize, start: u64, len: u32) -> Place {
            Place { span: Span { source: SourceId::from_index(source), start, len }, line: 1 }
        }

        fn event(&mut self, source: usize, start: u64, len: u32) -> EventId {
            let run = self.out.run("f", "1");
            let lane = self.out.lane(run, "");
            let place = Self::place(source, start, len);
            self.out.push(NewEvent { kind: EventKind::Note, run, lane, place })
        }

        fn find(&mut self, source: usize, byte: u64) -> Option<usize> {
            self.index.update(self.out.trace());
            let found = self.index.find(self.out.trace(), SourceId::from_index(source), byte);
            found.map(EventId::index)
        }
    }

    #[test]
    fn the_innermost_record_counts_however_many_precede_the_byte() {
        let mut built = Built::new();
        built.event(0, 0, 100_000);
        // A record in which a hundred others are nested, one after another.
        built.event(0, 10, 50_000);
        for at in 0..100 {
            built.event(0, 100 + at * 10, 8);
        }
        built.event(1, 0, 10);
        assert_eq!(built.find(0, 5), Some(0));
        assert_eq!(built.find(0, 99), Some(1));
        assert_eq!(built.find(0, 107), Some(2));
        assert_eq!(built.find(0, 1_097), Some(101), "the last inner record");
        assert_eq!(built.find(0, 1_098), Some(1), "between the inner records and their end");
        assert_eq!(built.find(0, 50_010), Some(0));
        assert_eq!(built.find(0, 100_000), None);
        assert_eq!((built.find(1, 9), built.find(1, 10)), (Some(102), None));
    }

    #[test]
    fn of_many_events_of_one_record_the_one_whose_summary_holds_the_byte_counts() {
        let mut built = Built::new();
        let ids: Vec<EventId> = (0..200).map(|_| built.event(0, 0, 10_000)).collect();
        // The last events have the first summaries.
        for (at, id) in (0..).zip(ids.iter().skip(1).rev()) {
            built.out.set_summary(*id, 100 + at * 10, 5);
        }
        assert_eq!(built.find(0, 102), Some(199));
        assert_eq!(built.find(0, 1_112), Some(98));
        assert_eq!(built.find(0, 107), Some(0), "between two summaries");
        assert_eq!(built.find(0, 9_999), Some(0));
    }

    #[test]
    fn the_index_follows_events_that_are_absorbed_and_records_that_are_replaced() {
        let mut built = Built::new();
        let (first, second) = (built.event(0, 0, 10), built.event(0, 20, 10));
        assert_eq!(built.find(0, 25), Some(1));
        built.out.replace_item(first, Built::place(0, 5, 10), 0);
        assert_eq!((built.find(0, 2), built.find(0, 12)), (None, Some(0)));
        built.out.absorb(second, first);
        let Built { out, mut index } = built;
        let trace = out.finish();
        index.update(&trace);
        assert_eq!(index.find(&trace, SourceId::from_index(0), 25), Some(first));
    }
}
