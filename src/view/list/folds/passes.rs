//! Decides which rows of a run have lines and which lines stand for the others: all kinds of folds, as passes in a
//! fixed order.
//!
//! The rows of a run are visited once. At each row the passes are tried in the order of [`FOLD_PASSES`]. The first pass
//! that hides the row returns the row to continue with, and later passes never see the hidden rows. If no pass hides
//! the row, it becomes a line. Rows inside a collapsed row are always skipped.
//!
//! Stretches that need more than one look at the rows are computed in advance, when an outline arrives: rows between
//! repetitions by `apart`, lookup steps by `steps`. When a search has found something, the remaining lines fold once
//! more: see `misses`.

use std::ops::Range;

use super::{lookups, loops, quiet_rows, talk};
use crate::list::line::Line;
use crate::list::merged;
use crate::list::visible_lines::{Choice, is_expanded};
use crate::outline::Outline;

/// The inputs that decide which rows fold.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The outline.
    pub outline: &'a Outline,
    /// What the user has chosen.
    pub choice: &'a Choice,
    /// The row after the last row to visit.
    pub end: u32,
}

impl Scene<'_> {
    /// The row after a row and everything that is hidden with it: all rows inside it, unless it is expanded.
    #[must_use]
    pub fn after(&self, row: u32) -> u32 {
        let nested = self.outline.rows.nested.get(row);
        let is_open = nested == 0 || is_expanded(self.outline, self.choice, row);
        if is_open { row + 1 } else { row + nested + 1 }
    }
}

/// A walk through the rows, with the lines so far.
pub struct Walk {
    /// The lines.
    pub lines: Vec<Line>,
    /// Whether the line of a possible loop directly precedes the current row, which separates it from earlier rows.
    pub is_led: bool,
}

/// A pass in progress, called for one row after another.
pub trait Pass {
    /// Adds the lines that belong at a row. If the row has no line of its own, returns the row to continue with.
    fn at(&mut self, row: u32, walk: &mut Walk) -> Option<u32>;
}

/// A kind of fold.
pub struct Fold {
    /// Starts its pass at a row; `None` if nothing of this kind folds here.
    pub begin: for<'a> fn(Scene<'a>, u32) -> Option<Box<dyn Pass + 'a>>,
    /// Changes a choice so that this kind of fold does not hide a row.
    pub reveal: fn(&Outline, &mut Choice, u32),
}

/// The kinds of folds, in the order in which their passes are tried.
pub const FOLD_PASSES: [Fold; 5] = [
    // A possible loop folds as a whole, including everything inside it that would fold by itself.
    loops::FOLD,
    // Its line names every step, so it precedes the pass that removes the lines of some steps.
    lookups::FOLD,
    // A tool call represents the LLM call that requested it.
    merged::FOLD,
    // A row that is not part of a conversation gets no line, even where it would fold into one.
    talk::FOLD,
    // Folds the remaining notes, copies, quick spans and run starts.
    quiet_rows::FOLD,
];

/// The lines of some rows.
#[must_use]
pub fn folded(outline: &Outline, choice: &Choice, rows: Range<u32>) -> Vec<Line> {
    let scene = Scene { outline, choice, end: rows.end };
    let mut passes: Vec<Box<dyn Pass + '_>> =
        FOLD_PASSES.iter().filter_map(|fold| (fold.begin)(scene, rows.start)).collect();
    let mut walk = Walk { lines: Vec::with_capacity(rows.len()), is_led: false };
    let mut row = rows.start;
    while row < rows.end {
        walk.is_led = false;
        if let Some(next) = passes.iter_mut().find_map(|pass| pass.at(row, &mut walk)) {
            row = next;
            continue;
        }
        walk.lines.push(Line::Row(row));
        row = scene.after(row);
    }
    walk.lines
}
