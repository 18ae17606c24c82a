//! Search results as the page keeps them: counts by event, rows with hits, and the first hits with
//! their context.

use std::ops::Range;

use crate::outline::Outline;
use traceloupe_protocol::columns::Column;
use traceloupe_protocol::hits::{HitBatch, HitLine};
use traceloupe_search::Pattern;
use traceloupe_words as words;

/// Everything the page has about a search.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Number of hits per event, by event id.
    by_id: Vec<u32>,
    n_events: usize,
    /// Rows with hits, sorted.
    rows: Vec<u32>,
    /// The listed hits.
    pub lines: Vec<HitLine>,
    /// The latest batch, without its hits.
    pub last: HitBatch,
}

impl Found {
    /// Adds a batch. `row_of` returns the row of an event, or `None` if the event has no row yet.
    pub fn add(&mut self, batch: HitBatch, row_of: &dyn Fn(u32) -> Option<u32>) {
        let mut rows = Vec::new();
        for (id, count) in batch.ids.as_slice().iter().zip(batch.counts.as_slice()) {
            if self.by_id.len() <= *id as usize {
                self.by_id.resize(*id as usize + 1, 0);
            }
            let Some(known) = self.by_id.get_mut(*id as usize) else { continue };
            if *known == 0 {
                self.n_events += 1;
                rows.extend(row_of(*id));
            }
            *known = known.saturating_add(*count);
        }
        for (at, id) in &batch.found_later {
            if let Some(line) = self.lines.get_mut(*at as usize) {
                line.id = Some(*id);
            }
        }
        traceloupe_core::sorting::sort(&mut rows);
        let is_behind = rows.is_empty() || self.rows.last() <= rows.first();
        self.rows.append(&mut rows);
        if !is_behind {
            // Two sorted runs: this sort only merges them.
            traceloupe_core::sorting::sort(&mut self.rows);
        }
        let HitBatch { lines, .. } = &batch;
        self.lines.extend(lines.iter().cloned());
        let ids = Column::default();
        self.last = HitBatch { ids, counts: Column::default(), lines: Vec::new(), ..batch };
    }

    /// Adapts to a later outline, where rows have moved and events may have been absorbed by others.
    pub fn place(&mut self, outline: &Outline) {
        for (gone, into) in &outline.absorbed {
            let count = self.by_id.get_mut(*gone as usize).map_or(0, std::mem::take);
            if count == 0 {
                continue;
            }
            if self.by_id.len() <= *into as usize {
                self.by_id.resize(*into as usize + 1, 0);
            }
            if let Some(known) = self.by_id.get_mut(*into as usize) {
                self.n_events -= usize::from(*known > 0);
                *known = known.saturating_add(count);
            }
        }
        for id in self.lines.iter_mut().filter_map(|line| line.id.as_mut()) {
            *id = outline.present(*id);
        }
        let rows = (0..).zip(outline.rows.ids.as_slice());
        self.rows = rows.filter(|(_, id)| self.of_event(**id) > 0).map(|(row, _)| row).collect();
    }

    /// Number of hits in an event.
    #[must_use]
    pub fn of_event(&self, id: u32) -> u32 {
        self.by_id.get(id as usize).copied().unwrap_or(0)
    }

    /// The first listed hit in an event, with the end of the preceding text and the beginning of the following text.
    #[must_use]
    pub fn first_in(&self, id: u32) -> Option<[String; 3]> {
        let [before, hit, after] = &self.lines.iter().find(|line| line.id == Some(id))?.text;
        let cut = before.char_indices().rev().nth(MAX_BEFORE_CHARS);
        let before = match cut {
            Some((at, _)) => format!("…{}", from_a_word(before, at)),
            None => before.clone(),
        };
        Some([before, hit.clone(), after.clone()])
    }

    /// How many events have hits.
    #[must_use]
    pub fn n_events(&self) -> usize {
        self.n_events
    }

    /// How many rows of a range have hits.
    #[must_use]
    pub fn n_rows_in(&self, rows: Range<u32>) -> usize {
        let before = |end: u32| self.rows.partition_point(|row| *row < end);
        before(rows.end).saturating_sub(before(rows.start))
    }

    /// The rows with hits, sorted.
    #[must_use]
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The next (`true`) or previous row with hits, relative to a row; wraps around.
    #[must_use]
    pub fn next_row(&self, here: Option<u32>, forward: bool) -> Option<u32> {
        let behind = |row: u32| self.rows.get(self.rows.partition_point(|it| *it <= row));
        let before = |row: u32| self.rows.partition_point(|it| *it < row).checked_sub(1);
        let next = match forward {
            true => here.and_then(behind).or(self.rows.first()),
            false => here.and_then(before).and_then(|at| self.rows.get(at)).or(self.rows.last()),
        };
        next.copied()
    }

    /// The position of a row among the rows with hits, from 1.
    #[must_use]
    pub fn position(&self, row: u32) -> Option<usize> {
        self.rows.binary_search(&row).ok().map(|at| at + 1)
    }
}

/// The longest text shown before a hit in a row, so that the hit itself stays visible.
const MAX_BEFORE_CHARS: usize = 14;

/// The most matches that are marked in one text.
const MAX_MARKS: usize = 2_000;

/// The shortened form of a long path: its end, unless every hit is in the part before it.
#[must_use]
pub fn end_of_path(path: &str, max_chars: usize, pattern: Option<&Pattern>) -> Option<String> {
    let end = words::end_of_path(path, max_chars)?;
    let has_hit = |text: &str| pattern.is_some_and(|it| it.matches(text).next().is_some());
    (has_hit(&end) || !has_hit(path)).then_some(end)
}

/// Splits a text into matches (`true`) and the text between them.
#[must_use]
pub fn marked(text: &str, pattern: &Pattern) -> Vec<(bool, String)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    let piece = |from: usize, to: usize| text.get(from..to).unwrap_or_default().to_owned();
    for range in pattern.matches(text).take(MAX_MARKS) {
        if range.start > at {
            pieces.push((false, piece(at, range.start)));
        }
        pieces.push((true, piece(range.start, range.end)));
        at = range.end;
    }
    if at < text.len() {
        pieces.push((false, piece(at, text.len())));
    }
    pieces
}

/// The text from a position on, without the rest of a word that is cut there, if another word follows.
fn from_a_word(text: &str, at: usize) -> &str {
    let (before, rest) = text.split_at_checked(at).unwrap_or(("", text));
    let is_whole = before.ends_with(' ') || rest.starts_with(' ');
    match rest.split_once(' ').filter(|(_, next)| !is_whole && !next.trim().is_empty()) {
        Some((_, next)) => next,
        None => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_ids;
    use traceloupe_search::Query;

    fn batch(hits: &[(u32, u32)]) -> HitBatch {
        HitBatch {
            ids: hits.iter().map(|(id, _)| *id).collect(),
            counts: hits.iter().map(|(_, n)| *n).collect(),
            ..HitBatch::default()
        }
    }

    #[test]
    fn counts_add_up_and_rows_stay_in_order() {
        let mut found = Found::default();
        let row_of = |id: u32| (id < 90).then_some(100 - id);
        found.add(batch(&[(10, 2), (30, 1)]), &row_of);
        found.add(batch(&[(20, 1), (10, 1), (99, 5)]), &row_of);
        assert_eq!(found.rows(), [70, 80, 90]);
        assert_eq!((found.of_event(10), found.of_event(99), found.of_event(1)), (3, 5, 0));
        assert_eq!(found.n_events(), 4);
        assert_eq!(found.n_rows_in(70..90), 2);
        assert_eq!(found.n_rows_in(71..72), 0);
        assert_eq!((found.position(80), found.position(81)), (Some(2), None));
        let next = |here| (found.next_row(here, true), found.next_row(here, false));
        assert_eq!(next(None), (Some(70), Some(90)));
        assert_eq!(next(Some(80)), (Some(90), Some(70)));
        assert_eq!(next(Some(75)), (Some(80), Some(70)));
        assert_eq!(next(Some(90)), (Some(70), Some(80)));
        assert_eq!(next(Some(3)), (Some(70), Some(90)));
        let mut outline = Outline::default();
        let rows = std::sync::Arc::make_mut(&mut outline.rows);
        rows.sent.ids = [99, 20, 7].into_iter().collect();
        found.place(&outline);
        assert_eq!(found.rows(), [0, 1], "rows that have come by now");
    }

    #[test]
    fn a_row_shows_its_first_hit_with_a_little_of_what_is_before() {
        let line = |id: u32, before: &str| {
            let text = [before, "hit", " after"].map(str::to_owned);
            HitLine { id: Some(id), text, ..HitLine::default() }
        };
        let lines = vec![line(1, "short "), line(2, &"lengthy ".repeat(9)), line(1, "second ")];
        let mut found = Found::default();
        found.add(HitBatch { lines, ..batch(&[(1, 2), (2, 1)]) }, &|id| Some(id));
        assert_eq!(found.first_in(1).unwrap(), ["short ", "hit", " after"]);
        assert_eq!(found.first_in(2).unwrap()[0], "…lengthy ");
        assert_eq!(from_a_word("one letters", 6), "tters", "no other word follows");
        assert_eq!(found.first_in(3), None);
    }

    #[test]
    fn hits_follow_an_event_that_becomes_part_of_another() {
        let mut found = Found::default();
        let line = HitLine { id: Some(2), ..HitLine::default() };
        let batch = batch(&[(0, 1), (2, 3), (3, 1)]);
        found.add(HitBatch { lines: vec![line], ..batch }, &|id| Some(id));
        let mut outline = with_ids(&[0; 3], &[0, 1, 3]);
        outline.absorbed = vec![(2, 0)];
        found.place(&outline);
        found.place(&outline);
        assert_eq!((found.of_event(0), found.of_event(2), found.n_events()), (4, 0, 2));
        assert_eq!((found.rows(), found.lines[0].id), (&[0, 2][..], Some(0)));
    }

    #[test]
    fn a_text_is_split_into_marked_pieces() {
        let pattern = Pattern::new(&Query::literal("b")).unwrap();
        let pieces = marked("abBc", &pattern);
        let plain: Vec<_> = pieces.iter().map(|(is_hit, text)| (*is_hit, text.as_str())).collect();
        assert_eq!(plain, [(false, "a"), (true, "b"), (true, "B"), (false, "c")]);
        assert!(marked("", &pattern).is_empty());
    }
}
