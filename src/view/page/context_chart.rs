//! How full the context was at each LLM call of a run's main agent, and where it was compacted.

use crate::model::{EventKind, Flags};
use crate::view::wire::outline::{Outline, RunLine};
use crate::view::wire::row_columns::ONLY_CACHED;
use crate::view::words::tokens;

/// The most points that are drawn. Of the calls that share a point, the fullest is shown.
const MAX_POINTS: usize = 300;

/// A window that is so many times larger than the fullest context is not drawn.
const MOST_ROOM: f64 = 6.0;

/// About so many labels are beside the chart.
const N_LABELS: f64 = 4.0;

/// An LLM call.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Its row.
    pub row: u32,
    /// Its number among the calls, from 1.
    pub number: u32,
    /// Its input tokens.
    pub tokens: f64,
    /// How many of them were read from a cache; 0 where the file says nothing.
    pub cached: f64,
}

/// The chart.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ContextChart {
    /// The calls.
    pub points: Vec<Point>,
    /// Before which points the context was compacted, by index.
    pub compactions: Vec<usize>,
    /// The context window in tokens, if it is known.
    pub window: Option<u64>,
    /// What the height of the chart stands for, in tokens.
    pub top: f64,
}

impl ContextChart {
    /// The chart of a run; without points if fewer than two calls report tokens.
    #[must_use]
    pub fn new(outline: &Outline, run: &RunLine) -> Self {
        let rows = &outline.rows;
        let is_main = |row: u32| {
            run.lanes.get(usize::from(rows.lanes.get(row))).is_none_or(|lane| lane.is_main)
        };
        let mut all: Vec<Point> = Vec::new();
        let mut compacted_before = Vec::new();
        for row in (run.first_row..run.first_row + run.n_rows).filter(|row| is_main(*row)) {
            match EventKind::from_code(rows.kinds.get(row)) {
                EventKind::Compaction => compacted_before.push(all.len()),
                EventKind::LlmCall => {
                    let flags = Flags::from_bits(rows.flags.get(row));
                    let tokens = rows.tokens_in.get(row);
                    if tokens.is_nan() || !flags.usage_counts() {
                        continue;
                    }
                    let [cached, ..] = rows.shares_of(row);
                    let cached = if cached == ONLY_CACHED { tokens } else { f64::from(cached) };
                    let number = u32::try_from(all.len() + 1).unwrap_or(u32::MAX);
                    all.push(Point { row, number, tokens, cached: cached.min(tokens) });
                }
                _ => {}
            }
        }
        if all.len() < 2 {
            return Self::default();
        }
        let each = all.len().div_ceil(MAX_POINTS);
        let fullest = |calls: &[Point]| {
            let by_tokens = |a: &&Point, b: &&Point| a.tokens.total_cmp(&b.tokens);
            calls.iter().max_by(by_tokens).copied()
        };
        let points: Vec<Point> = all.chunks(each).filter_map(fullest).collect();
        let window = run.context.and_then(|context| context.window).map(|(tokens, _)| tokens);
        let most = points.iter().map(|point| point.tokens).fold(0.0, f64::max);
        #[expect(clippy::cast_precision_loss)] // tokens of a window
        let window_tokens = window.map_or(0.0, |window| window as f64);
        // A window that is far larger than what was ever in it would flatten the chart.
        let top = if window_tokens > most * MOST_ROOM { most } else { window_tokens.max(most) };
        let top = top.max(1.0);
        let mut compactions: Vec<usize> =
            compacted_before.into_iter().map(|at| at / each).collect();
        compactions.dedup();
        Self { points, compactions, window, top }
    }

    /// Labels of the axis of tokens at round numbers: the share of the height, and the words.
    #[must_use]
    pub fn labels(&self) -> Vec<(f64, String)> {
        let wanted = self.top / N_LABELS;
        let unit = 10_f64.powf(wanted.max(1.0).log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|times| times * unit);
        let step = steps.into_iter().find(|step| *step >= wanted).unwrap_or(wanted);
        let values = (0..).map(|nth| f64::from(nth) * step).take_while(|value| *value <= self.top);
        values.map(|value| (value / self.top, tokens(value))).collect()
    }

    /// The numbers of the calls that are labelled: the first one, that in the middle, and the last one.
    #[must_use]
    pub fn calls(&self) -> Vec<u32> {
        let last = self.points.len().saturating_sub(1);
        let mut shown = vec![0, last / 2, last];
        shown.dedup();
        shown.iter().filter_map(|at| self.points.get(*at)).map(|point| point.number).collect()
    }

    /// Whether the window is within the chart.
    #[must_use]
    pub fn shows_window(&self) -> bool {
        #[expect(clippy::cast_precision_loss)] // tokens of a window
        self.window.is_some_and(|window| window as f64 <= self.top)
    }

    /// The call with most input tokens.
    #[must_use]
    pub fn fullest(&self) -> Option<Point> {
        self.points.iter().max_by(|a, b| a.tokens.total_cmp(&b.tokens)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::page::testing::with_kinds;
    use std::sync::Arc;

    fn chart(tokens: &[f64]) -> ContextChart {
        let kind =
            |tokens: &f64| if *tokens < 0.0 { EventKind::Compaction } else { EventKind::LlmCall };
        let depths = vec![0; tokens.len()];
        let mut outline = with_kinds(&depths, tokens.iter().map(kind));
        let rows = Arc::get_mut(&mut outline.rows).unwrap();
        rows.sent.tokens_in = tokens.iter().copied().collect();
        rows.sent.shares = [1, 40, 0, 0].into_iter().collect();
        let run = outline.runs[0].clone();
        ContextChart::new(&outline, &run)
    }

    #[test]
    fn the_axes_are_labelled_at_round_numbers() {
        let mut chart = chart(&[1_000.0, 90_000.0, 168_000.0]);
        let words = |chart: &ContextChart| -> Vec<String> {
            chart.labels().into_iter().map(|it| it.1).collect()
        };
        assert_eq!(words(&chart), ["0", "50k", "100k", "150k"]);
        chart.top = 200_000.0;
        assert_eq!(words(&chart), ["0", "50k", "100k", "150k", "200k"]);
        assert_eq!(chart.calls(), [1, 2, 3]);
    }

    #[test]
    fn calls_without_tokens_have_no_point_and_compactions_stand_between() {
        let chart = chart(&[10.0, 50.0, f64::NAN, -1.0, 20.0]);
        let points: Vec<_> =
            chart.points.iter().map(|it| (it.row, it.number, it.tokens, it.cached)).collect();
        assert_eq!(points, [(0, 1, 10.0, 0.0), (1, 2, 50.0, 40.0), (4, 3, 20.0, 0.0)]);
        assert_eq!(chart.compactions, [2]);
        assert_eq!(chart.fullest().map(|it| it.row), Some(1));
        assert!((chart.top - 50.0).abs() < 1e-9, "no window is known");
    }

    #[test]
    fn one_call_is_no_chart_and_many_are_drawn_as_the_fullest() {
        assert!(chart(&[10.0]).points.is_empty());
        let many: Vec<f64> = (0..1_000).map(f64::from).collect();
        let chart = chart(&many);
        assert_eq!(chart.points.len(), 250);
        assert_eq!(chart.points.last().map(|it| it.row), Some(999));
    }
}
