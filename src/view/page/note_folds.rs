//! Which rows fold into one line: notes that a program wrote for itself, and what was copied from elsewhere.

use crate::model::{EventKind, Flags, Status};
use crate::view::page::rows::Choice;
use crate::view::wire::outline::{Outline, RunLine};

/// Whether a row is a note that says nothing of what the agent did: progress, a snapshot, a duration. Notes
/// that failed or were stopped, hold other rows or belong to a possible loop are not among them.
#[must_use]
pub fn is_bookkeeping(outline: &Outline, row: u32) -> bool {
    let rows = &outline.rows;
    rows.kinds.get(row) == EventKind::Note as u8
        && ![Status::Error as u8, Status::Cancelled as u8].contains(&rows.statuses.get(row))
        && rows.nested.get(row) == 0
        && !outline.loops.has(row)
}

/// The fewest notes in a row that fold into a line, unless the first one is [bookkeeping](Flags::BOOKKEEPING).
const FOLDED_NOTES: u32 = 2;

/// Whether a row is a copy of what happened elsewhere, such as the history that a forked session begins with.
#[must_use]
pub fn is_copy(outline: &Outline, row: u32) -> bool {
    Flags::from_bits(outline.rows.flags.get(row)).has(Flags::COPY)
}

/// Whether the stretch of notes, or of copies, that begins at a row and ends before another one folds into a line.
pub(super) fn notes_fold(outline: &Outline, first: u32, end: u32) -> bool {
    if is_copy(outline, first) {
        // A run that has nothing else is what its reader came for.
        let is_all = |run: &RunLine| run.first_row == first && run.n_rows == end - first;
        return end - first >= FOLDED_NOTES
            && outline.run_of(first).is_some_and(|(_, run)| !is_all(run));
    }
    end - first >= FOLDED_NOTES
        || Flags::from_bits(outline.rows.flags.get(first)).has(Flags::BOOKKEEPING)
}

/// Whether a row goes on with the stretch of notes, or of copies, that another one is in.
fn is_like(outline: &Outline, one: u32, row: u32) -> bool {
    match is_copy(outline, one) {
        true => is_copy(outline, row),
        false => {
            is_bookkeeping(outline, row)
                && !is_copy(outline, row)
                && outline.rows.parents.get(row) == outline.rows.parents.get(one)
        }
    }
}

/// The row after the stretch of notes, or of copies, that begins at a row.
#[must_use]
pub fn notes_end(outline: &Outline, first: u32, end: u32) -> u32 {
    (first..end).find(|row| !is_like(outline, first, *row)).unwrap_or(end)
}

/// The first row of the stretch of notes, or of copies, that a row is in, if it is folded.
pub(super) fn notes_around(outline: &Outline, row: u32) -> Option<u32> {
    if !is_bookkeeping(outline, row) && !is_copy(outline, row) {
        return None;
    }
    let (_, run) = outline.run_of(row)?;
    let goes_on = |other: &u32| is_like(outline, row, *other);
    let first = (run.first_row..row).rev().take_while(goes_on).last().unwrap_or(row);
    let end = notes_end(outline, row, run.first_row + run.n_rows);
    notes_fold(outline, first, end).then_some(first)
}

/// Whether the notes of a stretch are shown.
#[must_use]
pub fn shows_notes(choice: &Choice, first: u32) -> bool {
    (choice.all == Some(true)) != choice.notes.contains(&first)
}
