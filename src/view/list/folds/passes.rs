//! Which rows of a run have lines, and what stands for the others: all kinds of folds, as passes in one order.
//!
//! The rows of a run are walked through once. At each of them the passes are asked in the order of [`FOLD_PASSES`], and
//! the first one that hides the row says where the walk goes on; what a pass hides, the passes behind it never see. If
//! none hides it, it is a line. What is inside of a row that is not expanded is passed over in any case.
//!
//! Stretches that need more than one look at the rows are found beforehand, when an outline arrives: what lies between
//! repetitions by `apart_folds`, steps that look something up by `step_folds`. The lines that are left fold once more
//! where the search has found something: see `miss_folds`.

use std::ops::Range;

use super::{loops, notes, steps, talk};
use crate::list::line::Line;
use crate::list::merged;
use crate::list::rows::{Choice, is_expanded};
use crate::outline::Outline;

/// What decides which rows fold.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The outline.
    pub outline: &'a Outline,
    /// What the reader has chosen.
    pub choice: &'a Choice,
    /// The row after the last one that is walked through.
    pub end: u32,
}

impl Scene<'_> {
    /// The row after a row and what is hidden with it: nothing if it is expanded, else all that is inside of it.
    #[must_use]
    pub fn after(&self, row: u32) -> u32 {
        let nested = self.outline.rows.nested.get(row);
        let is_open = nested == 0 || is_expanded(self.outline, self.choice, row);
        if is_open { row + 1 } else { row + nested + 1 }
    }
}

/// A walk through the rows: the lines so far.
pub struct Walk {
    /// The lines.
    pub lines: Vec<Line>,
    /// Whether the row that the walk is at has the line of a possible loop above it, which keeps it apart from the rows
    /// behind it.
    pub is_led: bool,
}

/// A pass at work: it is asked about one row after the other.
pub trait Pass {
    /// Adds the lines that stand at a row. Returns the row to go on at, if the row has no line of its own.
    fn at(&mut self, row: u32, walk: &mut Walk) -> Option<u32>;
}

/// A kind of fold.
pub struct Fold {
    /// Begins its pass at a row; `None` if nothing of its kind folds here.
    pub begin: for<'a> fn(Scene<'a>, u32) -> Option<Box<dyn Pass + 'a>>,
    /// Changes a choice so that a row is not folded away.
    pub reveal: fn(&Outline, &mut Choice, u32),
}

/// The kinds of folds, in the order in which their passes are asked.
pub const FOLD_PASSES: [Fold; 5] = [
    // What was done in vain is folded whole, with all that would fold inside of it.
    loops::FOLD,
    // Their line names all steps, so it comes before what gives up the lines of some.
    steps::FOLD,
    // A call stands for the LLM call that asked for it.
    merged::FOLD,
    // What is no part of a conversation leaves no line, also where it would fold into one.
    talk::FOLD,
    // What is left of notes, copies, quick spans and starts.
    notes::FOLD,
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
