//! Steps of two aligned runs that only one of them has, and that fold into one line: the repetitions of a possible loop,
//! what a sub-agent did, a whole turn.

use rustc_hash::FxHashSet;

use crate::view::page::run_pairs::PairRow;
use crate::view::wire::outline::Outline;
use crate::view::wire::run_comparison::{Fate, PairLine};

/// What a step folds with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fold {
    /// The repetitions of a possible loop, by the index of its finding.
    Loop(u32),
    /// What a sub-agent did, by the row that starts it.
    Agent(u32),
    /// A turn, by the row of its message.
    Turn(u32),
}

/// The row of a line that only one run has.
fn only_row(outline: &Outline, line: &PairLine) -> Option<u32> {
    let id = match line.fate {
        Fate::OnlyFirst => line.first,
        Fate::OnlySecond => line.second,
        Fate::Same | Fate::Changed | Fate::OtherResult => None,
    };
    outline.row_of(id?)
}

/// For each line what it folds with.
#[must_use]
pub fn folds(outline: &Outline, lines: &[PairLine]) -> Vec<Option<Fold>> {
    let rows: Vec<Option<u32>> = lines.iter().map(|line| only_row(outline, line)).collect();
    let begins = |row: &u32| outline.turns.at(*row).is_some();
    let turns: FxHashSet<u32> = rows.iter().copied().flatten().filter(begins).collect();
    let fold = |row: u32| {
        let turn = outline.turns.around(row).map(|turn| turn.row);
        let agent = || {
            let mut agents = outline.agents.as_slice().iter().filter(|agent| agent.is_inner);
            agents.find(|agent| agent.row < row && row < agent.end).map(|agent| agent.row)
        };
        let turn = turn.filter(|row| turns.contains(row)).map(Fold::Turn);
        let repeated = || outline.loops.hiding(row).next().map(Fold::Loop);
        turn.or_else(repeated).or_else(|| agent().map(Fold::Agent))
    };
    rows.into_iter().map(|row| row.and_then(fold)).collect()
}

/// The rows with lines that fold together, one after the other, as one row.
#[must_use]
pub fn folded(rows: &[PairRow], lines: &[PairLine], folds: &[Option<Fold>]) -> Vec<PairRow> {
    let key = |row: &PairRow| match row {
        PairRow::Line(at) => {
            let at = *at as usize;
            let fold = folds.get(at).copied().flatten()?;
            Some((fold, lines.get(at)?.fate))
        }
        _ => None,
    };
    let mut shown = Vec::with_capacity(rows.len());
    for stretch in rows.chunk_by(|a, b| key(a).is_some() && key(a) == key(b)) {
        match stretch {
            [PairRow::Line(first), _, ..] if stretch.first().and_then(key).is_some() => {
                let n = u32::try_from(stretch.len()).unwrap_or(u32::MAX);
                shown.push(PairRow::Only(*first, n));
            }
            rows => shown.extend_from_slice(rows),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::page::testing::{finding, talk, with_findings};

    fn line(row: u32, fate: Fate) -> PairLine {
        PairLine { first: Some(row), fate, ..PairLine::default() }
    }

    #[test]
    fn repetitions_that_one_run_has_are_one_row() {
        let outline = with_findings(&[0; 6], &[finding(&[2, 3, 4])]);
        let fates = [Fate::Same, Fate::Changed, Fate::OnlyFirst, Fate::OnlyFirst, Fate::OnlyFirst];
        let lines: Vec<PairLine> = (0..)
            .zip(fates)
            .map(|(row, fate)| line(row, fate))
            .chain([line(5, Fate::OnlyFirst)])
            .collect();
        let folds = folds(&outline, &lines);
        assert_eq!(folds[1..3], [None, Some(Fold::Loop(0))]);
        let rows: Vec<PairRow> = (0..6).map(PairRow::Line).collect();
        let expected = [PairRow::Line(0), PairRow::Line(1), PairRow::Only(2, 3), PairRow::Line(5)];
        assert_eq!(folded(&rows, &lines, &folds), expected);
    }

    #[test]
    fn a_turn_that_one_run_has_is_one_row() {
        let outline = talk();
        let lines: Vec<PairLine> = (0..10)
            .map(|row| line(row, if row < 6 { Fate::Same } else { Fate::OnlyFirst }))
            .collect();
        let folds = folds(&outline, &lines);
        assert_eq!(folds[5..7], [None, Some(Fold::Turn(6))]);
        let rows: Vec<PairRow> = (0..10).map(PairRow::Line).collect();
        assert_eq!(folded(&rows, &lines, &folds).last(), Some(&PairRow::Only(6, 4)));
    }
}
