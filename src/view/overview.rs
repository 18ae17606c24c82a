//! The overview of a run: a lane for each agent, showing what it did and when, with marks.
//!
//! Everything is computed in one pass over the rows. Lanes are divided into [`N_BUCKETS`] buckets, so the amount that
//! is drawn does not grow with the run.

use rustc_hash::FxHashMap;
use traceloupe_core::number::within;

use crate::findings_by_row::are_near;
use crate::lane_names::lane_names;
use crate::look::look;
use crate::outline::Outline;
pub use crate::run_axis::{Axis, Zoom, is_timed};
use crate::run_axis::{Pause, Scale, idle, ticks};
use traceloupe_core::model::{EventKind, Flags};
use traceloupe_protocol::outline::RunLine;

/// The resolution of a lane.
pub const N_BUCKETS: usize = 600;

/// The looks that are drawn, in the order in which one hides another in the same bucket.
pub const LOOKS: [&str; 11] =
    ["shell", "edit", "search", "read", "tool", "agent", "llm", "think", "user", "state", "web"];

/// A stretch of a lane with one look, in buckets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stretch {
    /// The first bucket.
    pub from: u32,
    /// The number of buckets.
    pub len: u32,
    /// The style word of the look.
    pub look: &'static str,
}

/// An agent's lane.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OverviewLane {
    /// The name of the agent as listed; empty for a main agent without a name.
    pub name: String,
    /// Its full name.
    pub title: String,
    /// The number of its rows.
    pub n_rows: u32,
    /// What is drawn.
    pub stretches: Vec<Stretch>,
    /// Stretches of possible loops: first bucket and number of buckets.
    pub loops: Vec<(u32, u32)>,
    /// Buckets with failed rows.
    pub errors: Vec<u32>,
    /// Buckets with compactions.
    pub compactions: Vec<u32>,
}

/// An overview.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Overview {
    /// The lanes.
    pub lanes: Vec<OverviewLane>,
    /// Where idle times are cut out.
    pub idle: Vec<Pause>,
    /// Where turns begin: share of the axis, and number. If turns are too close to be distinguished, only the first is
    /// listed.
    pub turns: Vec<(f64, u32)>,
    /// Labels of the axis: share of the axis, and text.
    pub ticks: Vec<(f64, String)>,
    scale: Scale,
    zoom: Zoom,
    /// The first row in each bucket, or that of the previous bucket.
    first_rows: Vec<u32>,
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
fn bucket(at: f64) -> usize {
    ((at * N_BUCKETS as f64) as usize).min(N_BUCKETS - 1)
}

/// Collects a lane: for each bucket and look, how much of the bucket it fills.
struct Weights {
    /// Partly filled buckets.
    parts: Vec<[f32; LOOKS.len()]>,
    /// Where runs of fully filled buckets begin (+1) and end (-1).
    steps: Vec<[f32; LOOKS.len()]>,
    loops: Vec<bool>,
    errors: Vec<bool>,
    compactions: Vec<bool>,
}

impl Weights {
    fn new() -> Self {
        let none = || vec![[0.0; LOOKS.len()]; N_BUCKETS + 1];
        let no = || vec![false; N_BUCKETS];
        Self { parts: none(), steps: none(), loops: no(), errors: no(), compactions: no() }
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
    fn add(&mut self, look: usize, (from, to): (f64, f64)) {
        let (first, last) = (bucket(from), bucket(to));
        let width = (to - from) * N_BUCKETS as f64;
        let mut add = |at: usize, amount: f32, is_step: bool| {
            let column = if is_step { &mut self.steps } else { &mut self.parts };
            if let Some(slot) = column.get_mut(at).and_then(|slots| slots.get_mut(look)) {
                *slot += amount;
            }
        };
        if last <= first + 1 {
            // Even an instant must be visible.
            add(first, (width as f32).max(0.02), false);
        } else {
            add(first, 1.0, true);
            add(last, -1.0, true);
        }
    }

    fn stretches(&self) -> Vec<Stretch> {
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut open = [0.0_f32; LOOKS.len()];
        for at in 0..N_BUCKETS {
            let mut best: Option<(usize, f32)> = None;
            for (look, open) in open.iter_mut().enumerate() {
                let of = |column: &Vec<[f32; LOOKS.len()]>| {
                    column.get(at).and_then(|slots| slots.get(look)).copied().unwrap_or(0.0)
                };
                *open += of(&self.steps);
                let weight = *open + of(&self.parts);
                if weight > 0.001 && best.is_none_or(|(_, most)| weight > most + 0.001) {
                    best = Some((look, weight));
                }
            }
            let Some(look) = best.and_then(|(look, _)| LOOKS.get(look)) else { continue };
            let from = u32::try_from(at).unwrap_or(0);
            match stretches.last_mut() {
                Some(last) if last.look == *look && last.from + last.len == from => last.len += 1,
                _ => stretches.push(Stretch { from, len: 1, look }),
            }
        }
        stretches
    }
}

/// The marked buckets, with adjacent ones merged: first bucket and number of buckets.
fn joined(marks: &[bool]) -> Vec<(u32, u32)> {
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for (at, _) in (0..).zip(marks).filter(|(_, is_marked)| **is_marked) {
        match joined.last_mut() {
            Some((from, len)) if *from + *len == at => *len += 1,
            _ => joined.push((at, 1)),
        }
    }
    joined
}

fn marked(marks: &[bool]) -> Vec<u32> {
    (0..).zip(marks).filter(|(_, is_marked)| **is_marked).map(|(at, _)| at).collect()
}

/// The width of a character of a label, and the space between two labels, in pixels.
const CHAR_PX: f64 = 6.2;
const GAP_PX: f64 = 8.0;

impl Overview {
    /// The labels below the lanes, for an axis of at least this width: share of the axis at which the text begins, text,
    /// and whether it is an idle time. Of labels that would overlap, idle times win, and the first of those.
    #[must_use]
    pub fn labels(&self, width_px: f64) -> Vec<(f64, &str, bool)> {
        let idle = self.idle.iter().map(|it| (it.at, it.label.as_str(), true));
        let ticks = self.ticks.iter().map(|it| (it.0, it.1.as_str(), false));
        let (mut taken, mut labels) = (Vec::<(f64, f64)>::new(), Vec::new());
        for (at, words, is_idle) in idle.chain(ticks) {
            #[expect(clippy::cast_precision_loss)] // a few characters
            let len = (words.chars().count() as f64 * CHAR_PX + GAP_PX) / width_px;
            // An idle time is named around its place, a time behind its own.
            let from = if is_idle { within(at - len / 2.0, 0.0, 1.0 - len) } else { at };
            let to = from + len;
            if to <= 1.0 + 1e-9 && taken.iter().all(|it| from >= it.1 || to <= it.0) {
                taken.push((from, to));
                labels.push((from, words, is_idle));
            }
        }
        labels
    }

    /// The overview of a run or of a part of it.
    #[must_use]
    pub fn new(outline: &Outline, run: &RunLine, axis: Axis, zoom: Zoom) -> Self {
        let rows = &outline.rows;
        let scale = Scale::new(outline, run, axis);
        let n_lanes = run.lanes.len().max(1);
        let mut weights: Vec<Weights> = (0..n_lanes).map(|_| Weights::new()).collect();
        let mut first_rows = vec![u32::MAX; N_BUCKETS];
        let looks = |row: u32| {
            let kind = EventKind::from_code(rows.kinds.get(row));
            let is_thinking = Flags::from_bits(rows.flags.get(row)).has(Flags::THINKING);
            match kind {
                EventKind::LlmCall if is_thinking => "think",
                kind => look(kind, outline.name(rows.names.get(row))).1,
            }
        };
        // The look of a tool requires a search in its name, so it is computed once per name.
        let mut known: FxHashMap<u32, Option<usize>> = FxHashMap::default();
        for row in run.first_row..run.first_row + run.n_rows {
            let kind = EventKind::from_code(rows.kinds.get(row));
            let place = scale.of_row(outline, run, row);
            let Some(place) = place.and_then(|place| zoom.stretch(place)) else { continue };
            let lane = usize::from(rows.lanes.get(row)).min(n_lanes - 1);
            let Some(weights) = weights.get_mut(lane) else { continue };
            let at = bucket(place.0);
            if let Some(first) = first_rows.get_mut(at) {
                *first = row.min(*first);
            }
            let index_of = |word: &str| LOOKS.iter().position(|look| *look == word);
            let mark = |marks: &mut Vec<bool>| {
                if let Some(slot) = marks.get_mut(at) {
                    *slot = true;
                }
            };
            if kind == EventKind::Error || rows.outcome(row).is_error() {
                mark(&mut weights.errors);
            }
            if kind == EventKind::Compaction {
                mark(&mut weights.compactions);
            }
            if outline.loops.has(row) {
                mark(&mut weights.loops);
            }
            let look = match kind {
                // These contain other rows, or take hardly any time.
                EventKind::Note
                | EventKind::RunStart
                | EventKind::RunEnd
                | EventKind::Span
                | EventKind::Agent
                | EventKind::SystemMessage => continue,
                EventKind::ToolCall => {
                    *known.entry(rows.names.get(row)).or_insert_with(|| index_of(looks(row)))
                }
                _ => index_of(looks(row)),
            };
            weights.add(look.unwrap_or(LOOKS.len() - 1), place);
        }
        // The stretches of a loop are contiguous, unless many other calls are between its own.
        for finding in outline.findings.iter().filter(|it| it.is_loud()) {
            let is_here = finding.first >= run.first_row
                && finding.first < run.first_row + run.n_rows
                && finding.last >= finding.first;
            let place = |row| scale.of_row(outline, run, row);
            let lane = usize::from(rows.lanes.get(finding.first)).min(n_lanes - 1);
            let Some(weights) = weights.get_mut(lane).filter(|_| is_here) else { continue };
            let mut mark = |first: u32, last: u32| {
                let stretch = place(first).zip(place(last));
                let stretch = stretch.and_then(|(first, last)| zoom.stretch((first.0, last.1)));
                let Some((from, to)) = stretch else { return };
                let (from, to) = (bucket(from), bucket(to));
                if let Some(marks) = weights.loops.get_mut(from.min(to)..=to.max(from)) {
                    marks.fill(true);
                }
            };
            match finding.is_apart() && !are_near(finding.rows.as_slice()) {
                true => finding.rows.as_slice().iter().for_each(|row| mark(*row, *row)),
                false => mark(finding.first, finding.last),
            }
        }
        let mut names = lane_names(run).into_iter();
        let lanes = weights.iter().enumerate().map(|(at, weights)| {
            let line = run.lanes.get(at);
            OverviewLane {
                name: names.next().unwrap_or_default(),
                title: line.map(|line| line.name.clone()).unwrap_or_default(),
                n_rows: line.map_or(run.n_rows, |line| line.n_rows),
                stretches: weights.stretches(),
                loops: joined(&weights.loops),
                errors: marked(&weights.errors),
                compactions: marked(&weights.compactions),
            }
        });
        let lanes = lanes.collect();
        let mut last = run.first_row;
        for row in &mut first_rows {
            if *row == u32::MAX {
                *row = last;
            }
            last = *row;
        }
        let turns = outline.turns.of(run).iter();
        let turns = spaced(turns.filter_map(|turn| {
            let (at, _) = scale.of_row(outline, run, turn.row)?;
            Some((zoom.place(at)?, turn.number))
        }));
        let idle = idle(outline, run, &scale)
            .into_iter()
            .filter_map(|it| Some(Pause { at: zoom.place(it.at)?, ..it }));
        let (idle, ticks) = (idle.collect(), ticks(&scale, run, zoom));
        Self { lanes, idle, turns, ticks, scale, zoom, first_rows }
    }

    /// The row to show for a position on the axis, from 0 to 1.
    #[must_use]
    pub fn row_at(&self, at: f64) -> u32 {
        self.first_rows.get(bucket(within(at, 0.0, 1.0))).copied().unwrap_or(0)
    }

    /// The buckets of some sorted rows, in order. Rows of other runs are ignored.
    #[must_use]
    pub fn buckets_of(&self, outline: &Outline, run: &RunLine, rows: &[u32]) -> Vec<u32> {
        let end = run.first_row + run.n_rows;
        let (from, to) = (
            rows.partition_point(|row| *row < run.first_row),
            rows.partition_point(|row| *row < end),
        );
        let mut marks = vec![false; N_BUCKETS];
        for row in rows.get(from..to).unwrap_or_default() {
            let place = self.scale.of_row(outline, run, *row);
            let place = place.and_then(|(at, _)| self.zoom.place(at));
            if let Some(slot) = place.and_then(|at| marks.get_mut(bucket(at))) {
                *slot = true;
            }
        }
        marked(&marks)
    }

    /// The extent of some rows on the axis, from the start of the first to the end of the last. `None` if that is not
    /// visible.
    #[must_use]
    pub fn window(
        &self,
        outline: &Outline,
        run: &RunLine,
        (first, last): (u32, u32),
    ) -> Option<(f64, f64)> {
        let end = run.first_row + run.n_rows;
        let is_here = |row: &u32| (run.first_row..end).contains(row);
        if !is_here(&first) || !is_here(&last) {
            return None;
        }
        // A window has few rows; those without a time are ignored.
        let places = (first..=last.min(first + 400)).chain(std::iter::once(last));
        let places = places.filter_map(|row| self.scale.of_row(outline, run, row));
        let around =
            places.fold((1.0, 0.0), |(from, to), place| (place.0.min(from), place.1.max(to)));
        self.zoom.stretch(around).filter(|(from, to)| from <= to)
    }
}

/// The minimum distance between the numbers of two turns, as a share of the axis.
const TURN_SPACE: f64 = 0.016;

/// The turns whose numbers do not overlap.
fn spaced(turns: impl Iterator<Item = (f64, u32)>) -> Vec<(f64, u32)> {
    let mut kept: Vec<(f64, u32)> = Vec::new();
    for (at, number) in turns {
        if kept.last().is_none_or(|(last, _)| at - last >= TURN_SPACE) {
            kept.push((at, number));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_axis::IDLE_SHARE;

    #[test]
    fn numbers_of_turns_do_not_lie_over_each_other() {
        let turns = [(0.0, 1), (0.01, 2), (0.02, 3), (0.5, 4), (0.505, 5)];
        assert_eq!(spaced(turns.into_iter()), [(0.0, 1), (0.02, 3), (0.5, 4)]);
    }
    use crate::testing::with_times;
    use traceloupe_protocol::outline::ColumnsShown;

    fn run_of(outline: &Outline, idle_ms: &[(f64, f64)], end_ms: f64) -> RunLine {
        let columns = ColumnsShown { bars: true, durations: true, tokens: false };
        let idle_ms = idle_ms.to_vec();
        RunLine { start_ms: 0.0, end_ms, idle_ms, columns, ..outline.runs[0].clone() }
    }

    #[test]
    fn labels_do_not_overlap_at_any_width() {
        let pause =
            |at: f64| Pause { at, label: "waited 3 min 54 s".to_owned(), title: String::new() };
        let overview = Overview {
            idle: [0.01, 0.5, 0.87, 0.9, 0.99].map(pause).into(),
            ticks: (0..10).map(|at| (f64::from(at) / 10.0, format!("{at}:00"))).collect(),
            ..Overview::default()
        };
        for width_px in [300.0, 560.0, 900.0, 2_000.0] {
            let labels = overview.labels(width_px);
            let ends = |(from, words, _): &(f64, &str, bool)| {
                (from * width_px, from * width_px + words.len() as f64 * CHAR_PX)
            };
            for (at, one) in labels.iter().enumerate() {
                let (from, to) = ends(one);
                assert!(from >= 0.0 && to <= width_px, "{one:?} at {width_px}");
                let others = labels.iter().skip(at + 1).map(ends);
                assert!(
                    others.clone().all(|it| it.0 >= to || it.1 <= from),
                    "{one:?} at {width_px}"
                );
            }
            assert!(labels.len() >= 3);
        }
    }

    #[test]
    fn idle_times_are_folded() {
        let tree = with_times(&[(0.0, 500.0), (500.0, 500.0), (100_000.0, 1_000.0)]);
        let run = run_of(&tree, &[(1_000.0, 100_000.0)], 101_000.0);
        let overview = Overview::new(&tree, &run, Axis::Time, Zoom::default());
        let window = |row| overview.window(&tree, &run, (row, row)).unwrap().0;
        let moving = 1.0 - IDLE_SHARE;
        assert!((window(1) - 0.25 * moving).abs() < 1e-9);
        assert!((window(2) - (0.5 * moving + IDLE_SHARE)).abs() < 1e-9);
        assert_eq!(overview.idle.len(), 1);
        assert_eq!(overview.idle[0].label, "1 min 39 s idle");
        let [lane] = overview.lanes.as_slice() else { panic!("one lane") };
        assert_eq!(lane.stretches.len(), 2, "the idle time is empty");
        assert_eq!([0.0, 0.3, 0.5, 0.9].map(|at| overview.row_at(at)), [0, 1, 1, 2]);
    }

    #[test]
    fn a_window_ends_with_the_row_that_ends_last() {
        let tree = with_times(&[(0.0, 1_000.0), (0.0, 400.0), (800.0, 200.0)]);
        let run = run_of(&tree, &[], 1_000.0);
        let overview = Overview::new(&tree, &run, Axis::Time, Zoom::default());
        assert_eq!(overview.window(&tree, &run, (0, 2)), Some((0.0, 1.0)));
        assert_eq!(overview.window(&tree, &run, (1, 1)), Some((0.0, 0.4)));
    }

    #[test]
    fn without_times_the_axis_counts_steps() {
        let tree = with_times(&[(f64::NAN, f64::NAN); 4]);
        let overview = Overview::new(&tree, &tree.runs[0], Axis::Time, Zoom::default());
        assert_eq!([0.0, 0.3, 0.5, 0.99].map(|at| overview.row_at(at)), [0, 1, 2, 3]);
        let labels: Vec<_> = overview.ticks.iter().map(|tick| tick.1.as_str()).collect();
        assert_eq!(labels, ["0", "1", "2", "3"]);
    }

    #[test]
    fn rows_have_their_buckets() {
        let tree = with_times(&[(f64::NAN, f64::NAN); 4]);
        let run = &tree.runs[0];
        let overview = Overview::new(&tree, run, Axis::Steps, Zoom::default());
        assert_eq!(overview.buckets_of(&tree, run, &[0, 2, 9]), [0, 300], "and no others");
        let timed = with_times(&[(0.0, 1.0), (500.0, 0.0), (f64::NAN, 0.0), (1_000.0, 0.0)]);
        let run = run_of(&timed, &[], 1_000.0);
        let overview = Overview::new(&timed, &run, Axis::Time, Zoom::default());
        assert_eq!(overview.buckets_of(&timed, &run, &[1, 2, 3]), [300, 599]);
        assert_eq!(overview.buckets_of(&timed, &run, &[]), [0; 0]);
    }

    #[test]
    fn a_part_of_the_axis_is_shown_as_the_whole() {
        let tree = with_times(&[(f64::NAN, f64::NAN); 200]);
        let run = &tree.runs[0];
        let zoom = Zoom::default().part(0.75, 0.25);
        let overview = Overview::new(&tree, run, Axis::Steps, zoom);
        assert_eq!([0.0, 0.5, 0.99].map(|at| overview.row_at(at)), [49, 100, 149]);
        let labels: Vec<_> = overview.ticks.iter().map(|tick| tick.1.as_str()).collect();
        assert_eq!(labels, ["60", "80", "100", "120", "140"]);
        assert_eq!(overview.buckets_of(&tree, run, &[0, 100, 199]), [300]);
        assert_eq!(overview.window(&tree, run, (100, 100)), Some((0.5, 0.51)));
        assert_eq!(overview.window(&tree, run, (10, 20)), None, "these rows are before it");
        assert!(zoom.part(-0.5, 1.5).is_whole(), "and back");
        let narrow = zoom.part(0.5, 0.5).part(0.5, 0.5);
        assert!(narrow.place(0.5).is_some() && narrow.place(0.51).is_none());
    }

    #[test]
    fn what_is_drawn_does_not_grow_with_the_run() {
        let times: Vec<(f64, f64)> = (0..20_000).map(|at| (f64::from(at), 20_000.0)).collect();
        let tree = with_times(&times);
        let run = run_of(&tree, &[], 40_000.0);
        let overview = Overview::new(&tree, &run, Axis::Time, Zoom::default());
        assert_eq!(overview.lanes[0].stretches.len(), 1);
        assert!(overview.ticks.len() < 10);
    }
}
