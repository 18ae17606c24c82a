//! Rows without a match fold into lines, so that rows with matches are close together.

use std::ops::Range;

use crate::list::form::ListForm;
use crate::list::visible_lines::{Choice, Line, Mode, is_flat};
use crate::outline::Outline;

/// The fewest lines that fold: the fold line itself takes the space of one.
const FEWEST: usize = 2;

/// Whether rows without a match fold. They do not in a transcript, which is read as a whole, in a waterfall, which
/// shows where the time went, or if a filter or another mode has already chosen the rows.
#[must_use]
pub fn may_fold(choice: &Choice) -> bool {
    choice.form == ListForm::Timeline && choice.mode == Mode::Normal && !is_flat(choice)
}

/// Folds the lines that contain no match. Messages that begin a turn with matches stay, and so do open rows.
///
/// `hits` are the rows with hits, sorted.
#[must_use]
pub fn fold_misses(
    outline: &Outline,
    choice: &Choice,
    lines: &[Line],
    hits: &[u32],
    is_open: &dyn Fn(u32) -> bool,
) -> Vec<Line> {
    let mut folded = Vec::new();
    let mut misses: Option<(usize, u32)> = None;
    let close = |folded: &mut Vec<Line>, misses: &mut Option<(usize, u32)>, at: usize| {
        let Some((from, first)) = misses.take() else { return };
        match at - from {
            n if n < FEWEST => folded.extend(lines.get(from..at).unwrap_or_default()),
            n => folded.push(Line::Misses(first, u32::try_from(n).unwrap_or(u32::MAX))),
        }
    };
    // The message that begins a turn stays if there is a match in the turn.
    let heads_hits = |row: u32| {
        outline.turns.around(row).is_some_and(|turn| {
            let next = hits.partition_point(|hit| *hit < row);
            turn.row == row && hits.get(next).is_some_and(|hit| *hit < turn.end)
        })
    };
    let mut hits = hits.iter().copied().peekable();
    for (at, line) in lines.iter().enumerate() {
        let first = line.first_row(outline);
        // A line covers all rows before the next line.
        let next = lines.get(at + 1).map_or(u32::MAX, |line| line.first_row(outline));
        while hits.next_if(|hit| *hit < first).is_some() {}
        let has_hit = hits.peek().is_some_and(|hit| *hit < next.max(first + 1));
        let is_shown = || choice.shown.iter().any(|rows| rows.contains(&first));
        if has_hit || line.row().is_some_and(is_open) || is_shown() || heads_hits(first) {
            close(&mut folded, &mut misses, at);
            folded.push(*line);
        } else if misses.is_none() {
            misses = Some((at, first));
        }
    }
    close(&mut folded, &mut misses, lines.len());
    folded
}

/// The rows that a line of misses hides, if it is one of `lines`.
#[must_use]
pub fn rows_of_misses(outline: &Outline, lines: &[Line], first: u32) -> Range<u32> {
    let after = lines.partition_point(|line| line.first_row(outline) <= first);
    first..lines.get(after).map_or(u32::MAX, |line| line.first_row(outline))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::visible_lines::{index_of, lines};
    use crate::testing::outline;

    #[test]
    fn rows_without_a_hit_fold() {
        let tree = outline(&[0; 9]);
        let mut choice = Choice { form: ListForm::Timeline, ..Choice::default() };
        assert!(may_fold(&choice));
        let all = lines(&tree, &choice);
        let row = Line::Row;
        let folded = |choice: &Choice| fold_misses(&tree, choice, &all, &[3, 5], &|row| row == 8);
        let expected = [Line::Misses(0, 3), row(3), row(4), row(5), Line::Misses(6, 2), row(8)];
        assert_eq!(folded(&choice), expected, "one row does not fold, nor does an open one");
        for (at, line) in expected.iter().enumerate() {
            assert_eq!(index_of(&tree, &expected, *line), Ok(at as u32));
        }
        assert_eq!(rows_of_misses(&tree, &expected, 0), 0..3);
        choice.shown.push(rows_of_misses(&tree, &expected, 6));
        assert_eq!(folded(&choice)[4..], [row(6), row(7), row(8)]);
    }

    #[test]
    fn turns_without_a_hit_fold_as_a_whole() {
        let talk = crate::testing::talk();
        let choice = Choice { form: ListForm::Timeline, mode: Mode::Verbose, ..Choice::default() };
        let all = lines(&talk, &choice);
        let turn = talk.turns.of(&talk.runs[0]).last().copied().unwrap();
        let folded = fold_misses(&talk, &choice, &all, &[turn.row + 1], &|_| false);
        let row = |it: &Line| it.row().unwrap_or(u32::MAX);
        assert!(matches!(folded[0], Line::Misses(0, _)), "{folded:?}");
        assert_eq!(folded[1..3].iter().map(row).collect::<Vec<_>>(), [turn.row, turn.row + 1]);
    }

    #[test]
    fn a_row_that_hides_a_hit_stays() {
        let tree = outline(&[0, 0, 0, 1, 1, 0, 0, 0]);
        let closed = Choice { all: Some(false), form: ListForm::Timeline, ..Choice::default() };
        let all = lines(&tree, &closed);
        assert_eq!(all.len(), 6);
        let folded = fold_misses(&tree, &closed, &all, &[4], &|_| false);
        assert_eq!(folded, [Line::Misses(0, 2), Line::Row(2), Line::Misses(5, 3)]);
    }
}
