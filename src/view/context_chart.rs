//! How full an agent's context was at each LLM call, and where it was compacted.

use crate::outline::Outline;
use traceloupe_core::model::{EventKind, Flags};
use traceloupe_core::number::{fixed, within};
use traceloupe_protocol::context_parts::{ContextLayers, N_LAYERS};
use traceloupe_protocol::outline::RunLine;
use traceloupe_protocol::row_columns::ONLY_CACHED;
use traceloupe_words::tokens;

/// The most points that are drawn. If several calls share a point, the fullest one is shown.
const MAX_POINTS: usize = 300;

/// A context window more than this many times as large as the fullest context is not drawn.
const MOST_ROOM: f64 = 6.0;

/// The approximate number of labels beside the chart.
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
    /// How many of them were read from a cache; 0 where the file does not state it.
    pub cached: f64,
}

/// A compaction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Compaction {
    /// The index of the point after it.
    pub at: usize,
    /// The input tokens of the call before; NaN if there is none.
    pub from: f64,
    /// The input tokens of the call after; NaN if there is none.
    pub to: f64,
}

/// The chart.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ContextChart {
    /// The calls.
    pub points: Vec<Point>,
    /// Where the context was compacted. If several compactions precede the same point, only the last one is kept.
    pub compactions: Vec<Compaction>,
    /// The context window in tokens, if it is known.
    pub window: Option<u64>,
    /// The row of the last call.
    pub last_row: u32,
    /// The number of tokens at the top of the chart.
    pub top: f64,
}

/// The width of the box in which the chart is drawn.
pub const WIDTH: f64 = 1000.0;

/// The height of the box.
pub const HEIGHT: f64 = 200.0;

/// The most parts into which labels divide the calls.
const N_CALLS: usize = 4;

/// The share of the width that the label of a compaction takes.
const ROOM: f64 = 0.2;

/// Whether a lane of a run belongs to its main agent.
pub(super) fn is_main(run: &RunLine, lane: u16) -> bool {
    run.lanes.get(usize::from(lane)).is_none_or(|lane| lane.is_main)
}

/// The input tokens of a row, if it is an LLM call that reports its own.
pub(super) fn input_of(outline: &Outline, row: u32) -> Option<f64> {
    let rows = &outline.rows;
    let is_call = rows.kinds.get(row) == EventKind::LlmCall as u8;
    let counts = Flags::from_bits(rows.flags.get(row)).usage_counts();
    Some(rows.tokens_in.get(row)).filter(|tokens| is_call && counts && !tokens.is_nan())
}

/// The agents of a run that have a chart, by lane index. The main agent comes first, as `None`.
#[must_use]
pub fn agents_with_context(outline: &Outline, run: &RunLine) -> Vec<Option<u16>> {
    // The first number belongs to the main agent.
    let mut n_calls = vec![0_u32; run.lanes.len() + 1];
    for row in run.first_row..run.first_row + run.n_rows {
        let lane = outline.rows.lanes.get(row);
        let at = if is_main(run, lane) { 0 } else { usize::from(lane) + 1 };
        if input_of(outline, row).is_some()
            && let Some(n) = n_calls.get_mut(at)
        {
            *n += 1;
        }
    }
    let several = (0_u16..).zip(n_calls).filter(|(_, n)| *n > 1);
    several.map(|(at, _)| at.checked_sub(1)).collect()
}

impl ContextChart {
    /// The chart of an agent of a run, by lane index; `None` is the main agent. It has no points if fewer than two
    /// calls report tokens.
    #[must_use]
    pub fn new(outline: &Outline, run: &RunLine, lane: Option<u16>) -> Self {
        let rows = &outline.rows;
        let mut all: Vec<Point> = Vec::new();
        let mut compacted_before = Vec::new();
        for row in run.first_row..run.first_row + run.n_rows {
            let of = rows.lanes.get(row);
            if lane.map_or(!is_main(run, of), |lane| lane != of) {
                continue;
            }
            if rows.kinds.get(row) == EventKind::Compaction as u8 {
                compacted_before.push(all.len());
            } else if let Some(tokens) = input_of(outline, row) {
                let [cached, ..] = rows.shares_of(row);
                let cached = if cached == ONLY_CACHED { tokens } else { f64::from(cached) };
                let number = u32::try_from(all.len() + 1).unwrap_or(u32::MAX);
                all.push(Point { row, number, tokens, cached: cached.min(tokens) });
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
        // The context window is known only for the main agent's model.
        let context = run.context.filter(|_| lane.is_none());
        let window = context.and_then(|context| context.window).map(|(tokens, _)| tokens);
        let last_row = all.last().map_or(0, |point| point.row);
        let most = points.iter().map(|point| point.tokens).fold(0.0, f64::max);
        #[expect(clippy::cast_precision_loss)] // tokens of a window
        let window_tokens = window.map_or(0.0, |window| window as f64);
        // A window far larger than the fullest context would flatten the chart.
        let top = if window_tokens > most * MOST_ROOM { most } else { window_tokens.max(most) };
        let top = top.max(1.0);
        let tokens_at = |at: Option<usize>| {
            at.and_then(|at| all.get(at)).map_or(f64::NAN, |point| point.tokens)
        };
        let mut compactions: Vec<Compaction> = Vec::new();
        for at in compacted_before {
            let (from, to) = (tokens_at(at.checked_sub(1)), tokens_at(Some(at)));
            compactions.pop_if(|last| last.at == at / each);
            compactions.push(Compaction { at: at / each, from, to });
        }
        Self { points, compactions, window, last_row, top }
    }

    /// Labels of the token axis at round numbers: share of the height, and text.
    #[must_use]
    pub fn labels(&self) -> Vec<(f64, String)> {
        let wanted = self.top / N_LABELS;
        let unit = 10_f64.powf(wanted.max(1.0).log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|times| times * unit);
        let step = steps.into_iter().find(|step| *step >= wanted).unwrap_or(wanted);
        let values = (0..).map(|nth| f64::from(nth) * step).take_while(|value| *value <= self.top);
        values.map(|value| (value / self.top, tokens(value))).collect()
    }

    /// The numbers of the labelled calls: the first, the last, and some at equal distances between them.
    #[must_use]
    pub fn calls(&self) -> Vec<u32> {
        let last = self.points.len().saturating_sub(1);
        let n = last.min(N_CALLS);
        let shown = (0..=n).map(|nth| last * nth / n.max(1));
        shown.filter_map(|at| self.points.get(at)).map(|point| point.number).collect()
    }

    /// The stacked areas of the kinds of sources, in the order of [`ContextSource::layer`]. Each area extends down to
    /// the baseline, so later ones cover the lower part of earlier ones. `ids` are the events of the points. Empty
    /// until the worker has answered.
    ///
    /// [`ContextSource::layer`]: traceloupe_protocol::context_parts::ContextSource::layer
    #[must_use]
    pub fn surfaces(&self, ids: &[u32], layers: &ContextLayers) -> Vec<(usize, String)> {
        let all: Vec<&[f64]> = ids.iter().map(|id| layers.of(*id)).collect();
        let tokens = |at: usize, layer: usize| -> f64 {
            all.get(at).and_then(|it| it.get(layer)).copied().unwrap_or(0.0)
        };
        let below = |at: usize, layer: usize| (0..=layer).map(|it| tokens(at, it)).sum::<f64>();
        let is_there = |layer: &usize| (0..ids.len()).any(|at| tokens(at, *layer) >= 0.5);
        let there = (0..N_LAYERS).rev().filter(is_there);
        there.map(|layer| (layer, self.surface(&|at| below(at, layer)))).collect()
    }

    /// The compactions that have room for a label between their neighbours, and the side on which the label goes.
    #[must_use]
    pub fn sides(&self) -> Vec<Option<&'static str>> {
        let place = |nth: usize| self.compactions.get(nth).map(|it| self.place(it.at));
        let mut free_from = 0.0;
        let side = |nth: usize| {
            let here = place(nth)?;
            let next = place(nth + 1).unwrap_or(1.0);
            if next - here >= ROOM {
                free_from = here + ROOM;
                return Some("right");
            }
            let is_free = here - ROOM >= free_from;
            free_from = if is_free { here } else { free_from };
            is_free.then_some("left")
        };
        (0..self.compactions.len()).map(side).collect()
    }

    /// The position of a point, as a share of the width.
    #[must_use]
    pub fn place(&self, at: usize) -> f64 {
        #[expect(clippy::cast_precision_loss)] // at most 300 points
        let share = at as f64 / self.points.len().saturating_sub(1).max(1) as f64;
        share.min(1.0)
    }

    /// The point nearest to a share of the width.
    #[must_use]
    pub fn point_at(&self, share: f64) -> usize {
        let last = self.points.len().saturating_sub(1);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss
        )] // at most 300 points
        let at = (within(share, 0.0, 1.0) * last as f64).round() as usize;
        at.min(last)
    }

    /// The area below a line through all points, as the `d` of a path in a box of [`WIDTH`] and [`HEIGHT`]. The line is
    /// straight between points and drops vertically at a compaction.
    #[must_use]
    pub fn surface(&self, tokens: &dyn Fn(usize) -> f64) -> String {
        let bottom = fixed(HEIGHT, 0);
        let mut path = format!("M0 {bottom}");
        for at in 0..self.points.len() {
            let x = self.place(at) * WIDTH;
            let y = HEIGHT - tokens(at) / self.top * HEIGHT;
            if at > 0 && self.compactions.iter().any(|it| it.at == at) {
                path.push_str(&format!("H{}", fixed(x, 1)));
            }
            path.push_str(&format!("L{} {}", fixed(x, 1), fixed(y, 1)));
        }
        path + &format!("V{bottom}z")
    }

    /// Whether the top of the context window is inside the chart.
    #[must_use]
    pub fn shows_window(&self) -> bool {
        #[expect(clippy::cast_precision_loss)] // tokens of a window
        self.window.is_some_and(|window| window as f64 <= self.top)
    }

    /// The call with the most input tokens.
    #[must_use]
    pub fn fullest(&self) -> Option<Point> {
        self.points.iter().max_by(|a, b| a.tokens.total_cmp(&b.tokens)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_kinds;
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
        ContextChart::new(&outline, &run, None)
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
        assert_eq!(chart.compactions, [Compaction { at: 2, from: 50.0, to: 20.0 }]);
        let surface = chart.surface(&|at| chart.points[at].tokens);
        assert_eq!(surface, "M0 200L0.0 160.0L500.0 0.0H1000.0L1000.0 120.0V200z");
        assert_eq!([0.0, 0.2, 0.3, 2.0].map(|share| chart.point_at(share)), [0, 0, 1, 2]);
        assert_eq!(chart.fullest().map(|it| it.row), Some(1));
        assert!((chart.top - 50.0).abs() < 1e-9, "no window is known");
    }

    #[test]
    fn layers_lie_above_each_other() {
        let chart = chart(&[10.0, 20.0]);
        let mut layers =
            ContextLayers { calls: [0, 1].into_iter().collect(), ..Default::default() };
        layers.tokens = [10., 0., 0., 0., 0., 0., 10., 0., 0., 0., 10., 0.].into_iter().collect();
        let expected = [
            (4, "M0 200L0.0 100.0L1000.0 0.0V200z".to_owned()),
            (0, "M0 200L0.0 100.0L1000.0 100.0V200z".to_owned()),
        ];
        assert_eq!(chart.surfaces(&[0, 1], &layers), expected);
        assert_eq!(chart.surfaces(&[7, 8], &layers), [], "no answer");
    }

    #[test]
    fn words_of_compactions_do_not_overlap() {
        let tokens = [9.0, -1.0, 5.0, -1.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, -1.0, 4.0];
        let sides = chart(&tokens).sides();
        assert_eq!(sides, [None, Some("right"), Some("left")]);
    }

    #[test]
    fn each_agent_with_several_calls_has_a_chart() {
        use EventKind::LlmCall;
        let rows =
            [(0, LlmCall, 0), (0, LlmCall, 0), (1, LlmCall, 1), (1, LlmCall, 2), (1, LlmCall, 2)];
        let mut outline = crate::testing::with_agents(&rows);
        Arc::get_mut(&mut outline.rows).unwrap().sent.tokens_in =
            [1., 2., 3., 4., 5.].into_iter().collect();
        let run = &outline.runs[0];
        assert_eq!(agents_with_context(&outline, run), [None, Some(2)]);
        let chart = ContextChart::new(&outline, run, Some(2));
        assert_eq!(chart.points.iter().map(|it| it.row).collect::<Vec<_>>(), [3, 4]);
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
