//! Steps of two aligned runs that occur in only one of them and fold into one line: the repetitions of a possible loop,
//! the work of a sub-agent, a whole turn.

use rustc_hash::FxHashSet;

use crate::list::folds::lookups::looks_up;
use crate::look::looks_of;
use crate::outline::Outline;
use crate::run_pairs::PairRow;
use traceloupe_core::model::EventKind;
use traceloupe_protocol::run_comparison::{Fate, PairLine};

/// What a step folds with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fold {
    /// The repetitions of a possible loop, by the index of its finding.
    Loop(u32),
    /// The work of a sub-agent, by the row that starts it.
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

/// For each line, what it folds with.
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

/// The rows, with consecutive lines that fold together merged into one row.
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

/// The fewest quiet steps of only one run that fold.
const FEWEST: usize = 2;

/// For each line, whether it is a quiet step of only one run: a lookup or a reply that did not fail. Steps that changed
/// something or failed are what makes the runs differ, so they stay.
#[must_use]
pub fn quiet(outline: &Outline, lines: &[PairLine]) -> Vec<bool> {
    let is_quiet = |row: u32| {
        let is_of_kind = match EventKind::from_code(outline.rows.kinds.get(row)) {
            EventKind::LlmCall => true,
            EventKind::ToolCall => looks_up(outline.name(outline.rows.names.get(row))),
            _ => false,
        };
        is_of_kind && !outline.rows.outcome(row).is_error()
    };
    lines.iter().map(|line| only_row(outline, line).is_some_and(is_quiet)).collect()
}

/// The rows, with stretches of quiet steps of only one run folded. The step where the runs diverge is shown.
#[must_use]
pub fn shortened(rows: &[PairRow], lines: &[PairLine], quiet: &[bool]) -> Vec<PairRow> {
    let fate = |row: &PairRow| match row {
        PairRow::Line(at) if quiet.get(*at as usize) == Some(&true) => {
            lines.get(*at as usize).map(|line| line.fate)
        }
        _ => None,
    };
    let mut shown = Vec::with_capacity(rows.len());
    for stretch in rows.chunk_by(|a, b| fate(a).is_some() && fate(a) == fate(b)) {
        let is_parting = shown.last() == Some(&PairRow::Parting);
        let (parting, stretch) = stretch.split_at(usize::from(is_parting));
        shown.extend_from_slice(parting);
        match stretch.first() {
            Some(PairRow::Line(first)) if stretch.len() >= FEWEST => {
                let n = u32::try_from(stretch.len()).unwrap_or(u32::MAX);
                shown.push(PairRow::Only(*first, n));
            }
            _ => shown.extend_from_slice(stretch),
        }
    }
    shown
}

/// What some lines are, grouped by purpose, most frequent first: style word and count.
#[must_use]
pub fn kinds_of_lines(outline: &Outline, lines: &[PairLine]) -> Vec<(&'static str, u64)> {
    let rows = lines.iter().filter_map(|line| outline.row_of(line.first.or(line.second)?));
    looks_of(outline, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{finding, talk, with_findings, with_named_calls};

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
    fn quiet_steps_of_one_run_fold_and_what_changed_something_is_shown() {
        let outline = with_named_calls(&["Read", "Grep", "Edit", "Read", "Bash"]);
        let fates = [Fate::Same, Fate::OnlyFirst];
        let lines: Vec<PairLine> =
            (0..12).map(|row| line(row, fates[usize::from(row > 1)])).collect();
        let quiet = quiet(&outline, &lines);
        let shown: Vec<u32> = (0..12).filter(|at| !quiet[*at as usize]).collect();
        assert_eq!(shown, [0, 1, 6, 10], "what both have, an edit, a command");
        let rows: Vec<PairRow> = (0..12).map(PairRow::Line).collect();
        let row = PairRow::Line;
        let only = PairRow::Only;
        let expected = [row(0), row(1), only(2, 4), row(6), only(7, 3), row(10), row(11)];
        assert_eq!(shortened(&rows, &lines, &quiet), expected);
        let parting = [&rows[..2], &[PairRow::Parting], &rows[2..]].concat();
        let parting = shortened(&parting, &lines, &quiet);
        assert_eq!(parting[2..5], [PairRow::Parting, row(2), only(3, 3)]);
        let counts = kinds_of_lines(&outline, &lines[2..6]);
        assert_eq!(counts, [("llm", 2), ("read", 1), ("search", 1)]);
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
