//! Assembles an outline from the slices that the worker sends, with a little work per slice.

use std::sync::Arc;

use crate::agents::Agents;
use crate::findings_by_row::Loops;
use crate::list::folds::apart::fold_apart;
use crate::list::folds::lookups::step_folds;
use crate::outline::Outline;
use crate::row_columns::{NO_ROW, Rows};
use crate::turns::Turns;
use traceloupe_core::model::EventKind;
use traceloupe_protocol::outline::OutlineHead;
use traceloupe_protocol::row_columns::RowSlice;

/// An outline whose rows are still arriving.
#[derive(Debug)]
pub struct Assembly {
    outline: Outline,
    rows: Rows,
    /// The rows that may still receive nested rows, with their depths.
    open: Vec<(u16, u32)>,
    /// Index of the next row's run, and how many of its roots have arrived.
    run: usize,
    n_roots: u32,
}

impl Assembly {
    /// Starts from an outline without rows.
    #[must_use]
    pub fn new(head: OutlineHead) -> Self {
        let outline = Outline::from(head);
        let n = outline.n_rows as usize;
        let mut rows = Rows::default();
        rows.sent.reserve(n);
        for column in [
            &mut rows.nested,
            &mut rows.parents,
            &mut rows.positions,
            &mut rows.children,
            &mut rows.tool_children,
        ] {
            column.reserve(n);
        }
        rows.rows_of.resize(n + outline.absorbed.len(), NO_ROW);
        Self { outline, rows, open: Vec::new(), run: 0, n_roots: 0 }
    }

    /// Appends the next rows.
    pub fn append(&mut self, slice: &RowSlice) {
        let first = self.rows.ids.len();
        self.rows.sent.extend(slice);
        for row in first..self.rows.ids.len() {
            self.nest(row);
        }
    }

    /// Whether all rows have arrived.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.rows.ids.len() >= self.outline.n_rows
    }

    /// The assembled outline.
    #[must_use]
    pub fn finish(mut self) -> Outline {
        self.close(0, self.rows.ids.len());
        let rows = Arc::new(self.rows);
        with_rows(self.outline.head, rows)
    }

    /// Derives the columns that depend on the depth of the next row.
    fn nest(&mut self, row: u32) {
        let depth = self.rows.depths.get(row);
        while self.outline.runs.get(self.run).is_some_and(|run| run.first_row <= row) {
            self.run += 1;
            self.n_roots = 0;
        }
        self.close(depth, row);
        let rows = &mut self.rows;
        let parent = self.open.last().map_or(NO_ROW, |(_, opener)| *opener);
        let position = if parent == NO_ROW {
            self.n_roots += 1;
            self.n_roots
        } else {
            let is_tool = rows.kinds.get(row) == EventKind::ToolCall as u8;
            rows.tool_children.set(parent, rows.tool_children.get(parent) + u32::from(is_tool));
            rows.children.set(parent, rows.children.get(parent) + 1);
            rows.children.get(parent)
        };
        self.open.push((depth, row));
        rows.nested.push(0);
        rows.parents.push(parent);
        rows.positions.push(position);
        rows.children.push(0);
        rows.tool_children.push(0);
        // There may be more ids than rows, because some events were absorbed by others.
        let id = rows.ids.get(row);
        if id >= rows.rows_of.len() {
            rows.rows_of.resize(id as usize + 1, NO_ROW);
        }
        rows.rows_of.set(id, row);
    }

    /// Closes the open rows at this depth and deeper: the rows nested in them end before row `end`.
    fn close(&mut self, depth: u16, end: u32) {
        while let Some((_, opener)) = self.open.pop_if(|(above, _)| *above >= depth) {
            self.rows.nested.set(opener, end - opener - 1);
        }
    }
}

/// An outline with rows that have already been derived.
#[must_use]
pub fn with_rows(head: OutlineHead, rows: Arc<Rows>) -> Outline {
    let mut outline = Outline::from(head);
    outline.turns = Arc::new(Turns::new(&outline.runs, &rows));
    outline.agents = Arc::new(Agents::new(&outline.runs, &rows));
    outline.rows = rows;
    fold_apart(&mut outline);
    outline.loops = Arc::new(Loops::new(&outline.findings, &outline.rows));
    outline.steps = Arc::new(step_folds(&outline));
    outline
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_protocol::outline::RunLine;

    #[test]
    fn rows_in_pieces_are_the_rows_in_one() {
        let depths = [0, 1, 1, 2, 0, 0, 1, 2, 3, 0];
        let run = |first_row, n_rows| RunLine { first_row, n_rows, ..RunLine::default() };
        // The second run has no rows.
        let runs = vec![run(0, 5), run(5, 0), run(5, 5)];
        let head = OutlineHead { runs, n_rows: 10, ..OutlineHead::default() };
        let slice = |rows: std::ops::Range<u32>| RowSlice {
            // Two ids have no row.
            ids: rows.clone().map(|row| if row == 0 { 11 } else { 9 - row }).collect(),
            kinds: rows.clone().map(|_| EventKind::ToolCall as u8).collect(),
            depths: rows.map(|row| depths[row as usize]).collect(),
            ..RowSlice::default()
        };
        for len in 1..=10 {
            let mut assembly = Assembly::new(head.clone());
            for first in (0..10).step_by(len) {
                assert!(!assembly.is_complete());
                assembly.append(&slice(first..(first + len as u32).min(10)));
            }
            assert!(assembly.is_complete());
            let rows = assembly.finish().rows;
            assert_eq!(rows.nested.as_slice(), [3, 0, 1, 0, 0, 3, 2, 1, 0, 0]);
            assert_eq!(rows.positions.as_slice(), [1, 1, 2, 1, 2, 1, 1, 1, 1, 2]);
            assert_eq!(rows.children.as_slice(), [2, 0, 1, 0, 0, 1, 1, 1, 0, 0]);
            assert_eq!(rows.tool_children.as_slice(), rows.children.as_slice());
            let none = NO_ROW;
            assert_eq!(rows.parents.as_slice(), [none, 0, 0, 2, none, none, 5, 6, 7, none]);
            assert_eq!(rows.row_of(11), Some(0));
            assert_eq!(rows.row_of(0), Some(9));
            assert_eq!([9, 10, 12].map(|id| rows.row_of(id)), [None; 3]);
        }
    }
}
