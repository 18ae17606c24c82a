//! Lookups by row: what the findings mean for each row.

use crate::agents::plus;
use crate::row_columns::Rows;
use traceloupe_core::model::{EventKind, Flags};
use traceloupe_protocol::columns::Column;
use traceloupe_protocol::outline::FindingLine;

/// The most rows between two neighbouring events of a finding, on average, for which a bracket is drawn.
const MAX_ROWS_APART: usize = 8;

/// Whether rows are close enough for a bracket beside all of them. If they are far apart, most of the rows beside it
/// would have nothing to do with the finding.
#[must_use]
pub fn are_near(rows: &[u32]) -> bool {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return false };
    let n_between = (last - first) as usize;
    n_between > 0 && n_between < rows.len() * MAX_ROWS_APART
}

/// A contiguous range of rows hidden by folding a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Folded {
    /// The first hidden row.
    pub first: u32,
    /// Index of the finding.
    pub finding: u32,
    /// The row after the last hidden one.
    pub end: u32,
    /// Whether the fold line is shown before this range.
    pub leads: bool,
}

/// The totals of some rows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Took {
    /// Input tokens of the LLM calls; NaN where unknown.
    pub tokens_in: f64,
    /// Output tokens of the LLM calls; NaN where unknown.
    pub tokens_out: f64,
    /// Whether the output is a lower bound.
    pub is_lower_bound: bool,
    /// When the last row ended, in milliseconds since 1970; NaN where unknown.
    pub end_ms: f64,
}

impl Default for Took {
    fn default() -> Self {
        let unknown = f64::NAN;
        Self { tokens_in: unknown, tokens_out: unknown, is_lower_bound: false, end_ms: unknown }
    }
}

impl Took {
    /// The totals of these rows.
    #[must_use]
    pub fn of(rows: &Rows, these: std::ops::Range<u32>) -> Self {
        let mut took = Self::default();
        these.for_each(|row| took.add(rows, row));
        took
    }

    fn add(&mut self, rows: &Rows, row: u32) {
        let flags = Flags::from_bits(rows.flags.get(row));
        if rows.kinds.get(row) == EventKind::LlmCall as u8 && flags.usage_counts() {
            self.tokens_in = plus(self.tokens_in, rows.tokens_in.get(row));
            self.tokens_out = plus(self.tokens_out, rows.tokens_out.get(row));
            self.is_lower_bound |= flags.has(Flags::UNFINISHED_USAGE);
        }
        let duration_ms = rows.durations_ms.get(row);
        let takes_ms = if duration_ms.is_nan() { 0.0 } else { duration_ms };
        self.end_ms = self.end_ms.max(rows.starts_ms.get(row) + takes_ms);
    }
}

/// Lookups by row.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    /// 1 for rows that are part of a possible loop; empty if there are none.
    in_loop: Column<u8>,
    /// Pairs of row and finding index, sorted by row: the rows that carry the badge of a possible
    /// loop.
    badges: Vec<(u32, u32)>,
    folds: Vec<Folded>,
    /// For each finding, the totals of the rows that it folds. Computed once, because fold lines are drawn while
    /// scrolling.
    took: Vec<Took>,
}

impl Loops {
    /// Builds the lookups from the findings.
    #[must_use]
    pub fn new(findings: &[FindingLine], rows: &Rows) -> Self {
        let mut loops = Self::default();
        for (at, finding) in (0..).zip(findings) {
            if finding.is_loud() {
                loops.badges.push((finding.mark, at));
                loops.in_loop.resize(rows.ids.len() as usize, 0);
                for row in finding.rows.as_slice() {
                    loops.in_loop.set(*row, 1);
                }
            }
            if finding.is_muted {
                continue;
            }
            let from = loops.folds.len();
            for row in finding.folded.as_slice() {
                let end = row + rows.nested.get(*row) + 1;
                match loops.folds.get_mut(from..).and_then(<[Folded]>::last_mut) {
                    // Directly after the previous range, or nested in it.
                    Some(last) if *row <= last.end => last.end = last.end.max(end),
                    last => {
                        let leads = last.is_none();
                        loops.folds.push(Folded { first: *row, finding: at, end, leads });
                    }
                }
            }
        }
        traceloupe_core::sorting::sort(&mut loops.badges);
        traceloupe_core::sorting::sort(&mut loops.folds);
        loops.took = vec![Took::default(); findings.len()];
        for fold in &loops.folds {
            if let Some(took) = loops.took.get_mut(fold.finding as usize) {
                (fold.first..fold.end).for_each(|row| took.add(rows, row));
            }
        }
        loops
    }

    /// Whether a row is part of a possible loop.
    #[must_use]
    pub fn has(&self, row: u32) -> bool {
        self.in_loop.get(row) == 1
    }

    /// The findings whose badge is on this row.
    pub fn badges(&self, row: u32) -> impl Iterator<Item = u32> + use<'_> {
        let from = self.badges.partition_point(|(other, _)| *other < row);
        let behind = self.badges.get(from..).unwrap_or_default();
        behind.iter().take_while(move |(other, _)| *other == row).map(|(_, finding)| *finding)
    }

    /// The folded ranges that begin at a row.
    #[must_use]
    pub fn folds_from(&self, row: u32) -> &[Folded] {
        let from = self.folds.partition_point(|fold| fold.first < row);
        self.folds.get(from..).unwrap_or_default()
    }

    /// The ranges that a finding folds, in order.
    pub fn folds_of(&self, finding: u32) -> impl Iterator<Item = &Folded> {
        self.folds.iter().filter(move |fold| fold.finding == finding)
    }

    /// The totals of the rows that a finding folds.
    #[must_use]
    pub fn took(&self, finding: u32) -> Took {
        self.took.get(finding as usize).copied().unwrap_or_default()
    }

    /// The findings whose folding can hide a row.
    pub fn hiding(&self, row: u32) -> impl Iterator<Item = u32> + use<'_> {
        let to = self.folds.partition_point(|fold| fold.first <= row);
        let before = self.folds.get(..to).unwrap_or_default();
        before.iter().filter(move |fold| fold.end > row).map(|fold| fold.finding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{finding, outline};
    use traceloupe_protocol::finding::Severity;

    #[test]
    fn adjacent_folded_rows_form_one_range() {
        let tree = outline(&[0, 0, 1, 0, 0, 0]);
        let loops = Loops::new(&[finding(&[1, 3, 5])], &tree.rows);
        let folds: Vec<_> =
            loops.folds_from(0).iter().map(|it| (it.first, it.end, it.leads)).collect();
        assert_eq!(folds, [(1, 4, true), (5, 6, false)]);
        assert_eq!(loops.hiding(2).collect::<Vec<_>>(), [0]);
        assert_eq!(loops.hiding(4).count(), 0);
        assert_eq!(loops.folds_from(2).len(), 1);
    }

    #[test]
    fn rows_know_their_loops_and_badges() {
        let tree = outline(&[0, 0, 0, 0]);
        let mut quiet = finding(&[2]);
        quiet.severity = Severity::Info;
        let mut loud = finding(&[1]);
        (loud.rows, loud.mark) = ([0, 1].into_iter().collect(), 0);
        let loops = Loops::new(&[quiet, loud.clone(), loud], &tree.rows);
        assert_eq!(
            (0..4).map(|row| loops.has(row)).collect::<Vec<_>>(),
            [true, true, false, false]
        );
        assert_eq!(loops.badges(0).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(loops.badges(2).count(), 0, "a mere information has no badge");
    }
}
