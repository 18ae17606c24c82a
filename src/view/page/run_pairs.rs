//! Two aligned runs, as rows: differing steps, and how many between them are the same.

use super::statistics::MEASURES;
use crate::view::wire::outline::RunLine;
use crate::view::wire::run_comparison::{Fate, PairLine};
use crate::view::words;

/// A row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PairRow {
    /// A line of the comparison, by its index.
    Line(u32),
    /// So many lines that are the same.
    Same(u32),
}

/// So many steps around a difference are shown with it.
const AROUND: usize = 1;

/// The rows of a comparison: all lines, or those that differ with their neighbours.
#[must_use]
pub fn pair_rows(lines: &[PairLine], all: bool) -> Vec<PairRow> {
    let differs = |line: &PairLine| line.fate != Fate::Same;
    let is_near = |at: usize| {
        let from = at.saturating_sub(AROUND);
        lines.get(from..lines.len().min(at + AROUND + 1)).is_some_and(|it| it.iter().any(differs))
    };
    let mut rows = Vec::new();
    for (at, index) in (0..lines.len()).zip(0..) {
        match rows.last_mut() {
            _ if all || is_near(at) => rows.push(PairRow::Line(index)),
            Some(PairRow::Same(n)) => *n += 1,
            _ => rows.push(PairRow::Same(1)),
        }
    }
    rows
}

/// The numbers in which two runs differ: label, both, and the difference.
#[must_use]
pub fn numbers_that_differ(
    first: &RunLine,
    second: &RunLine,
) -> Vec<(&'static str, String, String, String)> {
    let scores = (first.score, second.score);
    let mut rows: Vec<(&'static str, String, String, String)> = Vec::new();
    if scores.0.is_some() || scores.1.is_some() {
        let of = |run: &RunLine| words::score(run.score, &run.verdict);
        rows.push(("Score", of(first), of(second), String::new()));
    }
    for (label, measure) in MEASURES {
        let (one, other) = (measure(first), measure(second));
        let is_duration = label.ends_with("(ms)");
        let said = |value: Option<f64>| match value {
            None => "–".to_owned(),
            Some(ms) if is_duration => words::duration(ms),
            Some(n) => whole(n),
        };
        let change = one.zip(other).map(|(one, other)| other - one).filter(|it| *it != 0.0);
        let change = change.map(|change| {
            let sign = if change > 0.0 { "+" } else { "−" };
            let size = said(Some(change.abs()));
            match one.filter(|one| *one > 0.0) {
                Some(one) => format!("{sign}{size} ({sign}{:.0} %)", (change / one * 100.0).abs()),
                None => format!("{sign}{size}"),
            }
        });
        if one.is_some() || other.is_some() {
            let label = label.trim_end_matches(" (ms)");
            rows.push((label, said(one), said(other), change.unwrap_or_default()));
        }
    }
    rows
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counts
fn whole(n: f64) -> String {
    words::count(n.max(0.0) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_the_same_is_counted() {
        let fates = [0, 0, 0, 1, 0, 0, 0, 0, 1, 1];
        let lines: Vec<PairLine> = fates
            .iter()
            .map(|fate| PairLine {
                fate: if *fate == 1 { Fate::Changed } else { Fate::Same },
                ..PairLine::default()
            })
            .collect();
        use PairRow::{Line, Same};
        assert_eq!(
            pair_rows(&lines, false),
            [Same(2), Line(2), Line(3), Line(4), Same(2), Line(7), Line(8), Line(9)]
        );
        assert_eq!(pair_rows(&lines, true).len(), 10);
        assert_eq!(pair_rows(&[], false), []);
    }

    #[test]
    fn numbers_stand_with_their_difference() {
        let run = |ms: f64, calls: u64| {
            let mut run = RunLine { duration_ms: ms, ..RunLine::default() };
            run.counts.tool_calls = calls;
            run
        };
        let rows = numbers_that_differ(&run(2_000.0, 4), &run(3_000.0, 2));
        let row = |label: &str| rows.iter().find(|row| row.0 == label).unwrap();
        assert_eq!(row("Duration").3, "+1.0 s (+50 %)");
        assert_eq!(
            (row("Tool calls").1.as_str(), row("Tool calls").3.as_str()),
            ("4", "−2 (−50 %)")
        );
        assert_eq!(row("Errors").3, "");
    }
}
