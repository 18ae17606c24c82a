//! The waterfall: each row as a bar on one time axis, its self time, and the critical path, which is what the end of
//! the run had to wait for.

use crate::flame::Flame;
use crate::outline::Outline;
use crate::row_columns::NO_ROW;
use crate::run_axis::{Axis, IDLE_SHARE, Pause, Scale, Zoom, idle, ticks};
use crate::time_categories::{Taker, taken_by};
use crate::waits::waits;
use traceloupe_core::sorting;
use traceloupe_protocol::outline::RunLine;
use traceloupe_words as words;

/// The waterfall of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Waterfall {
    /// Labels of the axis: share of the axis, and text.
    pub ticks: Vec<(f64, String)>,
    /// Where idle times are cut out.
    pub idle: Vec<Pause>,
    /// Where gaps are folded: start and end on the axis, and length.
    pub gaps: Vec<(f64, f64, String)>,
    /// Whether there are gaps that can be folded.
    pub has_gaps: bool,
    /// Length of the critical path in milliseconds, without idle times.
    pub critical_ms: f64,
    /// The part of it that is not in folded gaps.
    pub critical_shown_ms: f64,
    /// The share of that part that LLM calls took, including the requests that they made.
    pub llm_share: f64,
    /// The bars as a flame graph.
    pub flame: Flame,
    scale: Scale,
    first_row: u32,
    /// The self time of each row, in milliseconds; NaN where unknown.
    own_ms: Vec<f64>,
    /// The critical path: row, start and end in milliseconds since 1970. Sorted by row.
    critical: Vec<(u32, f64, f64)>,
    /// The folded gaps, in milliseconds since 1970.
    folded_ms: Vec<(f64, f64)>,
}

/// A row with a known time.
#[derive(Clone, Copy, Debug)]
struct Timed {
    /// The row, relative to the first row of the run.
    at: u32,
    /// The enclosing row, or [`NO_ROW`]. A row only counts as enclosing if this one begins while it runs, because what
    /// a model has requested begins after the model has ended.
    around: u32,
    start: f64,
    end: f64,
}

impl Waterfall {
    /// The waterfall of a run. Each folded gap takes as much of the axis as an idle time.
    #[must_use]
    pub fn new(outline: &Outline, run: &RunLine, folds_gaps: bool) -> Self {
        let timed = timed(outline, run);
        let gaps = waits(outline, run);
        let has_gaps = !gaps.is_empty();
        let gaps = if folds_gaps { gaps } else { Vec::new() };
        let mut folded = run.clone();
        folded.idle_ms.extend(&gaps);
        sorting::sort_by(&mut folded.idle_ms, |a, b| a.0.total_cmp(&b.0));
        let share = if gaps.is_empty() { IDLE_SHARE } else { GAP_SHARE };
        let scale = Scale::with_idle(outline, &folded, Axis::Time, share);
        let critical = critical_path(&timed);
        let critical_ms =
            critical.iter().map(|(_, from, to)| run.active_between_ms(*from, *to)).sum();
        let shown_ms = |(_, from, to): &(u32, f64, f64)| folded.active_between_ms(*from, *to);
        let critical_shown_ms = critical.iter().map(shown_ms).sum();
        let critical = critical.into_iter().map(|(at, from, to)| (run.first_row + at, from, to));
        let critical: Vec<_> = critical.collect();
        let is_of_llm = |part: &&(u32, f64, f64)| taken_by(outline, part.0).0 == Taker::Models;
        let llm_ms: f64 = critical.iter().filter(is_of_llm).map(shown_ms).sum();
        let flame = Flame::new(outline, run, &scale);
        // The text of a label is to the right of its line.
        let has_room = |(at, _): &(f64, String)| {
            let is_near = |(from, to): &(f64, f64)| {
                let (from, to) = (scale.of_time(*from), scale.of_time(*to));
                (from - LABEL_SHARE..to + LABEL_SHARE / 2.0).contains(at)
            };
            !gaps.iter().any(is_near)
        };
        let place = |(from, to): &(f64, f64)| {
            (scale.of_time(*from), scale.of_time(*to), words::duration(to - from))
        };
        Self {
            flame,
            ticks: ticks(&scale, run, Zoom::default()).into_iter().filter(has_room).collect(),
            idle: idle(outline, run, &Scale::new(outline, run, Axis::Time)),
            gaps: gaps.iter().map(place).collect(),
            has_gaps,
            critical_ms,
            critical_shown_ms,
            llm_share: if critical_shown_ms > 0.0 { llm_ms / critical_shown_ms } else { 0.0 },
            first_row: run.first_row,
            own_ms: own_times(&timed, run.n_rows),
            critical,
            folded_ms: gaps,
            scale,
        }
    }

    /// Start and length of a row's bar, as shares of the axis.
    #[must_use]
    pub fn bar(&self, outline: &Outline, row: u32) -> Option<(f64, f64)> {
        let (_, run) = outline.run_of(row)?;
        let (from, to) = self.scale.of_row(outline, run, row)?;
        Some((from, (to - from).max(0.0)))
    }

    /// Labels of a part of the axis: share of that part, and text.
    #[must_use]
    pub fn ticks_in(&self, run: &RunLine, zoom: Zoom) -> Vec<(f64, String)> {
        ticks(&self.scale, run, zoom)
    }

    /// A row's self time, in milliseconds; NaN where unknown.
    #[must_use]
    pub fn own_ms(&self, row: u32) -> f64 {
        let at = row.checked_sub(self.first_row).and_then(|at| self.own_ms.get(at as usize));
        at.copied().unwrap_or(f64::NAN)
    }

    /// The critical path as parts of rows: row, start and end in milliseconds since 1970.
    #[must_use]
    pub fn critical_path(&self) -> &[(u32, f64, f64)] {
        &self.critical
    }

    /// The parts of a row that are on the critical path, within a part of the axis: start and length as shares of that
    /// part. Parts less than `min` apart are merged, because a row around many short calls has tens of thousands of
    /// them. Parts in folded gaps are left out.
    #[must_use]
    pub fn critical(&self, row: u32, zoom: Zoom, min: f64) -> Vec<(f64, f64)> {
        let from = self.critical.partition_point(|part| part.0 < row);
        let parts = self.critical.get(from..).unwrap_or_default();
        let parts = parts.iter().take_while(|part| part.0 == row);
        let parts = parts.flat_map(|(_, from, to)| without(&self.folded_ms, *from, *to));
        let place = |(from, to): (f64, f64)| {
            zoom.stretch((self.scale.of_time(from), self.scale.of_time(to)))
        };
        let mut joined: Vec<(f64, f64)> = Vec::new();
        for (from, to) in parts.filter_map(place) {
            match joined.last_mut() {
                Some(last) if from - (last.0 + last.1) < min => last.1 = last.1.max(to - last.0),
                _ => joined.push((from, to - from)),
            }
        }
        joined
    }
}

/// The rest of a time range after removing others, which are sorted.
fn without(others: &[(f64, f64)], from: f64, to: f64) -> Vec<(f64, f64)> {
    let mut left = Vec::new();
    let mut at = from;
    for (begin, end) in others.iter().filter(|it| it.0 < to && from < it.1) {
        if *begin > at {
            left.push((at, *begin));
        }
        at = at.max(*end);
    }
    if at < to || at == from {
        left.push((at, to));
    }
    left
}

fn timed(outline: &Outline, run: &RunLine) -> Vec<Timed> {
    let rows = &outline.rows;
    let span = |row: u32| {
        let (start, duration) = (rows.starts_ms.get(row), rows.durations_ms.get(row));
        (start, start + duration.max(0.0))
    };
    let known = (0..run.n_rows).filter_map(|at| {
        let row = run.first_row + at;
        let (start, end) = span(row);
        if start.is_nan() || end.is_nan() {
            return None;
        }
        let parent_of = |row: &u32| Some(rows.parents.get(*row)).filter(|it| *it != NO_ROW);
        // A call that begins just before the end of the answer that requested it runs after that answer.
        let holds = |row: &u32| {
            let (from, to) = span(*row);
            from <= start && start < to && end - to <= to - start
        };
        let mut around = std::iter::successors(parent_of(&row), parent_of).take(MAX_UP);
        let around = around.find(holds).map_or(NO_ROW, |row| row - run.first_row);
        Some(Timed { at, around, start, end })
    });
    known.collect()
}

/// The share of the axis that a folded gap takes. It is large enough for a visible bar of what the gap contains.
const GAP_SHARE: f64 = 0.05;

/// The approximate share of the axis that a label takes.
const LABEL_SHARE: f64 = 0.03;

/// How many enclosing rows are searched for one that was running when the row began.
const MAX_UP: usize = 1_000;

/// Each row's time without that of the rows inside it, which may overlap each other.
fn own_times(timed: &[Timed], n_rows: u32) -> Vec<f64> {
    let mut own = vec![f64::NAN; n_rows as usize];
    let mut ends = vec![f64::NAN; n_rows as usize];
    for row in timed {
        if let (Some(own), Some(end)) =
            (own.get_mut(row.at as usize), ends.get_mut(row.at as usize))
        {
            (*own, *end) = (row.end - row.start, row.end);
        }
    }
    let mut inside: Vec<&Timed> = timed.iter().filter(|row| row.around != NO_ROW).collect();
    sorting::sort_by(&mut inside, |a, b| a.around.cmp(&b.around).then(a.start.total_cmp(&b.start)));
    for rows in inside.chunk_by(|a, b| a.around == b.around) {
        let Some(around) = rows.first().map(|row| row.around as usize) else { continue };
        let end = ends.get(around).copied().unwrap_or(f64::NAN);
        let mut covered_ms = 0.0;
        let mut until = f64::NEG_INFINITY;
        for row in rows {
            let to = row.end.min(end);
            covered_ms += (to - row.start.max(until)).max(0.0);
            until = until.max(to);
        }
        if let Some(own) = own.get_mut(around) {
            *own = (*own - covered_ms).max(0.0);
        }
    }
    own
}

/// What the end of the run had to wait for, as parts of rows, sorted by row. Going back from the end, it is the row
/// that ended last; inside it, the row that ended last; before that one, the row that had ended last when it began; and
/// so on. The algorithm is from [Jaeger](https://www.jaegertracing.io/blog/critical-path).
fn critical_path(timed: &[Timed]) -> Vec<(u32, f64, f64)> {
    // By enclosing row, then by end.
    let mut by_end: Vec<&Timed> = timed.iter().collect();
    sorting::sort_by(&mut by_end, |a, b| {
        a.around.cmp(&b.around).then(a.end.total_cmp(&b.end)).then(a.start.total_cmp(&b.start))
    });
    let inside = |around: u32| {
        let from = by_end.partition_point(|row| row.around < around);
        let to = by_end.partition_point(|row| row.around <= around);
        (from, to)
    };
    let mut parts = Vec::new();
    // The current row, the rows inside it that have not been visited yet, and the time until which it is on the path.
    struct Open<'a> {
        row: Option<&'a Timed>,
        from: usize,
        to: usize,
        until: f64,
    }
    let (from, to) = inside(NO_ROW);
    let mut open = vec![Open { row: None, from, to, until: f64::INFINITY }];
    while let Some(Open { row, from, to, until }) = open.last_mut() {
        let start = row.map_or(f64::NEG_INFINITY, |row| row.start);
        // The last one that had ended by then. Rows that end later were not waited for.
        let next = by_end.get(*from..*to).unwrap_or_default().iter().rev();
        let next = next.take_while(|it| it.end > start).enumerate();
        let next = next.map(|(nth, it)| (nth, *it)).find(|(_, it)| has_ended(it, *until));
        match next {
            Some((nth, it)) => {
                let end = it.end.min(*until);
                if let Some(row) = row
                    && end < *until
                {
                    parts.push((row.at, end, *until));
                }
                *to -= nth + 1;
                let began = it.start.max(start);
                *until = began;
                let (from, to) = inside(it.at);
                open.push(Open { row: Some(it), from, to, until: end });
            }
            None => {
                if let Some(row) = row
                    && row.start < *until
                {
                    parts.push((row.at, row.start, *until));
                }
                open.pop();
            }
        }
    }
    sorting::sort_by(&mut parts, |a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    parts
}

/// Clocks and inferred times are inexact, so a row may end slightly after the row that waited for it has begun. This is
/// the tolerance as a share of the row's own time.
const OVERLAP: f64 = 0.05;

/// Whether a row takes time and had ended by then.
fn has_ended(row: &Timed, until: f64) -> bool {
    let took = row.end - row.start;
    took > 0.0 && row.start < until && row.end - took * OVERLAP <= until
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_nested_times;
    use traceloupe_core::model::EventKind;

    #[test]
    fn a_call_takes_its_time_after_the_answer_that_asked_for_it() {
        // The second row is nested in the answer and begins just before the answer ends.
        let outline = with_nested_times(&[(0, 0.0, 100.0), (1, 98.0, 900.0), (1, 20.0, 60.0)]);
        let waterfall = Waterfall::new(&outline, &outline.runs[0], true);
        assert_eq!(waterfall.own_ms(0), 40.0);
        assert_eq!(waterfall.own_ms(1), 900.0);
    }

    #[test]
    fn a_time_in_which_neither_a_model_nor_a_tool_worked_is_folded() {
        use EventKind::{LlmCall, Span};
        let times = [
            (0, 0.0, 100_000.0),
            (1, 0.0, 5_000.0),
            (1, 5_000.0, 90_000.0),
            (1, 95_000.0, 5_000.0),
        ];
        let of = |kinds: &[EventKind], folds| {
            let mut outline = crate::testing::with_timed_kinds(&times, kinds, &[]);
            (outline.runs[0].start_ms, outline.runs[0].end_ms) = (0.0, 100_000.0);
            (outline.runs[0].duration_ms, outline.runs[0].columns.bars) = (100_000.0, true);
            Waterfall::new(&outline, &outline.runs[0], folds)
        };
        let folded = of(&[Span, LlmCall, Span, LlmCall], true);
        let [(from, to, words)] = folded.gaps.as_slice() else { panic!("{:?}", folded.gaps) };
        assert!(to - from < 0.06, "{from} {to}");
        assert_eq!((folded.critical_ms, folded.critical_shown_ms), (100_000.0, 10_000.0));
        assert_eq!(folded.llm_share, 1.0, "what is folded does not count");
        assert_eq!(words, "1 min 30 s");
        assert_eq!(folded.critical(2, Zoom::default(), 0.0), [], "nothing of it is in sight");
        assert!(folded.ticks.iter().all(|(at, _)| !(*from..*to).contains(at)));
        let last = folded.ticks.last().map(|(_, words)| words.as_str());
        assert_eq!(last, Some("1:38"), "the folded time counts");
        let whole = of(&[Span, LlmCall, Span, LlmCall], false);
        assert!(whole.has_gaps && whole.gaps.is_empty());
        assert_eq!(whole.llm_share, 0.1);
        assert_eq!(whole.critical(2, Zoom::default(), 0.0).len(), 1);
        assert!(!of(&[Span, LlmCall, LlmCall, LlmCall], true).has_gaps, "a call is no gap");
        assert!(!of(&[Span, Span, Span, Span], true).has_gaps);
    }

    fn row(at: u32, around: u32, start: f64, end: f64) -> Timed {
        Timed { at, around, start, end }
    }

    #[test]
    fn a_time_without_others_is_what_they_do_not_cover() {
        let others = [(10.0, 20.0), (30.0, 40.0)];
        assert_eq!(without(&others, 0.0, 5.0), [(0.0, 5.0)]);
        assert_eq!(without(&others, 5.0, 35.0), [(5.0, 10.0), (20.0, 30.0)]);
        assert_eq!(without(&others, 10.0, 20.0), []);
        assert_eq!(without(&others, 50.0, 50.0), [(50.0, 50.0)], "a moment stays one");
    }

    #[test]
    fn own_time_is_what_no_row_inside_covers() {
        // Two overlapping rows, and one that ends after its enclosing row.
        let rows = [
            row(0, NO_ROW, 0.0, 100.0),
            row(1, 0, 10.0, 40.0),
            row(2, 0, 30.0, 60.0),
            row(3, 0, 90.0, 130.0),
            row(4, 2, 30.0, 60.0),
        ];
        assert_eq!(own_times(&rows, 5), [40.0, 30.0, 0.0, 40.0, 30.0]);
        assert!(own_times(&rows[..1], 2)[1].is_nan());
    }

    #[test]
    fn the_critical_path_is_what_the_end_waited_for() {
        // 1 and 2 run in parallel. 2 ends later, then 3 runs with 4 inside it.
        let rows = [
            row(0, NO_ROW, 0.0, 100.0),
            row(1, 0, 10.0, 30.0),
            row(2, 0, 10.0, 50.0),
            row(3, 0, 60.0, 90.0),
            row(4, 3, 70.0, 90.0),
        ];
        let expected = [
            (0, 0.0, 10.0),
            (0, 50.0, 60.0),
            (0, 90.0, 100.0),
            (2, 10.0, 50.0),
            (3, 60.0, 70.0),
            (4, 70.0, 90.0),
        ];
        let path = critical_path(&rows);
        assert_eq!(path, expected);
        let sum: f64 = path.iter().map(|(_, from, to)| to - from).sum();
        assert!((sum - 100.0).abs() < 1e-9, "every moment of the run is on it once");
    }

    #[test]
    fn a_row_may_end_a_little_late() {
        let rows =
            [row(0, NO_ROW, 0.0, 100.0), row(1, NO_ROW, 98.0, 120.0), row(2, NO_ROW, 90.0, 119.0)];
        assert_eq!(critical_path(&rows), [(0, 0.0, 98.0), (1, 98.0, 120.0)]);
    }

    #[test]
    fn rows_one_after_the_other_are_all_on_it() {
        let rows =
            [row(0, NO_ROW, 0.0, 10.0), row(1, NO_ROW, 10.0, 25.0), row(2, NO_ROW, 30.0, 40.0)];
        assert_eq!(critical_path(&rows), [(0, 0.0, 10.0), (1, 10.0, 25.0), (2, 30.0, 40.0)]);
    }

    #[test]
    fn parts_too_near_to_be_told_apart_are_one() {
        // A row around 1,000 calls, each beginning a millisecond after the previous one ended.
        let calls = (0..1_000).map(|at| (1, f64::from(at) * 10.0, 9.0));
        let times: Vec<_> = std::iter::once((0, 0.0, 10_000.0)).chain(calls).collect();
        let mut outline = with_nested_times(&times);
        (outline.runs[0].start_ms, outline.runs[0].end_ms) = (0.0, 10_000.0);
        let waterfall = Waterfall::new(&outline, &outline.runs[0], true);
        let n_parts = |zoom, min| waterfall.critical(0, zoom, min).len();
        assert_eq!(n_parts(Zoom::default(), 0.0), 1_000);
        let [(from, len)] = waterfall.critical(0, Zoom::default(), 0.001)[..] else { panic!() };
        assert!(from < 0.001 && from + len > 0.999, "{from} {len}");
        let zoom = Zoom::default().part(0.5, 0.51);
        assert!((10..=12).contains(&n_parts(zoom, 0.001)), "{}", n_parts(zoom, 0.001));
    }

    #[test]
    fn deep_and_wide_runs_end() {
        let deep: Vec<Timed> = (0..100_000)
            .map(|at| {
                row(
                    at,
                    at.checked_sub(1).unwrap_or(NO_ROW),
                    f64::from(at),
                    300_000.0 - f64::from(at),
                )
            })
            .collect();
        assert_eq!(critical_path(&deep).len(), 199_999);
        let wide: Vec<Timed> =
            (0..100_000).map(|at| row(at, NO_ROW, 0.0, f64::from(at) + 1.0)).collect();
        assert_eq!(critical_path(&wide), [(99_999, 0.0, 100_000.0)]);
    }
}
