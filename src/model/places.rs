//! From a place in a source back to the event that it belongs to.

use super::{EventId, SourceId, Span, Trace};

/// A record may lie within another one; so many records are looked at for the innermost.
const MAX_LOOK: usize = 64;

/// Finds the event whose record holds a byte. Made once for a trace, in time linear in its records
/// where they were read in order.
#[derive(Debug, Default)]
pub struct PlaceIndex {
    /// The event of each record; `u32::MAX` for none.
    owners: Vec<u32>,
    /// The records in the order of their places, where that is not the order of reading.
    order: Option<Vec<u32>>,
}

impl PlaceIndex {
    /// Takes over what a trace has now. Costs nothing when nothing has been added to it.
    pub fn update(&mut self, trace: &Trace) {
        if self.owners.len() == trace.parts.len() {
            return;
        }
        self.owners.clear();
        self.owners.resize(trace.parts.len(), u32::MAX);
        for (id, event) in (0..).zip(&trace.events) {
            let mut next = event.first_part;
            while let Some(part) = trace.parts.get(next as usize) {
                if let Some(owner) = self.owners.get_mut(next as usize) {
                    *owner = id;
                }
                next = part.next;
            }
        }
        let key = |at: usize| trace.parts.get(at).map(|part| place_key(part.place().span));
        let is_in_order = (1..trace.parts.len()).all(|at| key(at - 1) <= key(at));
        self.order = (!is_in_order).then(|| {
            let mut order: Vec<u32> = (0..).take(trace.parts.len()).collect();
            order.sort_by_key(|at| key(*at as usize));
            order
        });
    }

    /// The event of the innermost record that holds a byte. Of several events of one record it is the
    /// one whose summary holds the byte, or else the first.
    #[must_use]
    pub fn find(&self, trace: &Trace, source: SourceId, byte: u64) -> Option<EventId> {
        let part_at = |at: usize| match &self.order {
            Some(order) => order.get(at).map(|part| *part as usize),
            None => Some(at),
        };
        let span_at = |at: usize| Some(trace.parts.get(part_at(at)?)?.place().span);
        let end = self.first_behind(&span_at, (source.index(), byte));
        let mut found: Option<(u64, EventId)> = None;
        for at in (end.saturating_sub(MAX_LOOK)..end).rev() {
            let Some(span) = span_at(at).filter(|span| span.source == source) else { break };
            if byte >= span.start + u64::from(span.len) {
                continue;
            }
            if found.is_some_and(|(start, _)| start != span.start) {
                break;
            }
            let owner = part_at(at).and_then(|part| self.owners.get(part));
            let Some(owner) = owner.filter(|owner| **owner != u32::MAX) else { continue };
            let id = EventId::from_index(*owner as usize);
            let summary = trace.event(id).and_then(|event| trace.summary_span(event));
            if summary.is_some_and(|it| (it.start..it.start + u64::from(it.len)).contains(&byte)) {
                return Some(id);
            }
            found = Some((span.start, id));
        }
        found.map(|(_, id)| id)
    }

    /// The first record that begins behind a place.
    fn first_behind(&self, span_at: &dyn Fn(usize) -> Option<Span>, place: (usize, u64)) -> usize {
        let (mut low, mut high) = (0, self.owners.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if span_at(middle).is_some_and(|span| place_key(span) <= place) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

fn place_key(span: Span) -> (usize, u64) {
    (span.source.index(), span.start)
}
