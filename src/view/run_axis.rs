//! The axis of a run: the position of its rows in time, in tokens, or in steps.

use crate::outline::Outline;
use crate::waits::PauseReasons;
use traceloupe_core::model::{EventKind, Flags};
use traceloupe_core::number::within;
use traceloupe_protocol::outline::RunLine;
use traceloupe_words as words;

/// What the axis measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Axis {
    /// Time, without idle times.
    #[default]
    Time,
    /// Tokens of LLM calls.
    Tokens,
    /// Rows.
    Steps,
}

/// The share of the axis that one idle time takes, and the most that all of them may take.
pub(super) const IDLE_SHARE: f64 = 0.012;
const MAX_IDLE_SHARE: f64 = 0.15;

/// The visible part of an axis: its start and end, as shares of the whole.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Zoom {
    from: f64,
    to: f64,
}

/// The smallest part of an axis that can be shown.
const MIN_ZOOM: f64 = 1e-5;

impl Default for Zoom {
    fn default() -> Self {
        Self { from: 0.0, to: 1.0 }
    }
}

impl Zoom {
    /// Whether everything is shown.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self == Self::default()
    }

    /// A part of the visible range, from one share of it to another. Shares outside 0 to 1 extend the range.
    #[must_use]
    pub fn part(self, one: f64, other: f64) -> Self {
        let place = |share: f64| self.from + share * (self.to - self.from);
        let (from, to) = (place(one.min(other)), place(one.max(other)));
        let len = within(to - from, MIN_ZOOM, 1.0);
        let from = within(f64::midpoint(from, to) - len / 2.0, 0.0, 1.0 - len);
        Self { from, to: from + len }
    }

    /// The position of a place of the axis within the visible range; `None` if it is outside.
    #[must_use]
    pub fn place(self, at: f64) -> Option<f64> {
        (self.from..=self.to).contains(&at).then(|| self.share(at))
    }

    /// The visible part of a stretch.
    #[must_use]
    pub fn stretch(self, (from, to): (f64, f64)) -> Option<(f64, f64)> {
        let is_shown = to >= self.from && from <= self.to;
        is_shown.then(|| (self.share(from).max(0.0), self.share(to).min(1.0)))
    }

    /// Whether the visible range begins after a place of the axis.
    #[must_use]
    pub fn begins_after(self, at: f64) -> bool {
        at < self.from
    }

    /// Whether the visible range ends before a place of the axis.
    #[must_use]
    pub fn ends_before(self, at: f64) -> bool {
        at > self.to
    }

    fn share(self, at: f64) -> f64 {
        (at - self.from) / (self.to - self.from)
    }
}

/// Maps rows to places on the axis.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Scale {
    /// Start, active milliseconds, idle times, and the share of the axis for each idle time.
    Time(f64, f64, Vec<(f64, f64)>, f64),
    /// Tokens before each row, and in total.
    Tokens(Vec<f64>, f64),
    /// One step per row.
    #[default]
    Steps,
}

impl Scale {
    /// The scale of a run; steps if the run has no values for the axis.
    #[must_use]
    pub fn new(outline: &Outline, run: &RunLine, axis: Axis) -> Self {
        Self::with_idle(outline, run, axis, IDLE_SHARE)
    }

    /// The scale of a run where each idle time takes a given share of the axis, or less if there are many.
    #[must_use]
    pub(super) fn with_idle(outline: &Outline, run: &RunLine, axis: Axis, idle_share: f64) -> Self {
        let end = run.first_row + run.n_rows;
        match axis {
            Axis::Time if is_timed(run) => {
                let idle: f64 = run.idle_ms.iter().map(|(from, to)| to - from).sum();
                #[expect(clippy::cast_precision_loss)] // a count
                let share = idle_share.min(MAX_IDLE_SHARE / run.idle_ms.len().max(1) as f64);
                let active = (run.end_ms - run.start_ms - idle).max(1.0);
                Self::Time(run.start_ms, active, run.idle_ms.clone(), share)
            }
            Axis::Tokens if run.columns.tokens => {
                let mut sum = 0.0;
                let before = (run.first_row..end).map(|row| {
                    let before = sum;
                    sum += tokens_of(outline, row);
                    before
                });
                let before: Vec<f64> = before.collect();
                if sum > 0.0 { Self::Tokens(before, sum) } else { Self::Steps }
            }
            _ => Self::Steps,
        }
    }

    /// The position of a time, from 0 to 1.
    #[must_use]
    pub fn of_time(&self, ms: f64) -> f64 {
        let Self::Time(start, active, idle, share) = self else { return 0.0 };
        // The idle times before it, and the elapsed part of the one that contains it.
        let n_before = idle.partition_point(|(_, to)| *to <= ms);
        let before = idle.get(..n_before).unwrap_or_default();
        let skipped: f64 = before.iter().map(|(from, to)| to - from).sum();
        let inside = idle.get(n_before).filter(|(from, _)| *from < ms);
        let (skipped, part) = match inside {
            Some((from, to)) => (skipped + ms - from, (ms - from) / (to - from)),
            None => (skipped, 0.0),
        };
        #[expect(clippy::cast_precision_loss)] // counts
        let (n_before, n_idle) = (n_before as f64, idle.len() as f64);
        let moving = 1.0 - share * n_idle;
        let at = (ms - start - skipped) / active * moving + (n_before + part) * share;
        within(at, 0.0, 1.0)
    }

    /// Where a row begins and ends, from 0 to 1; `None` if unknown.
    #[must_use]
    pub fn of_row(&self, outline: &Outline, run: &RunLine, row: u32) -> Option<(f64, f64)> {
        let at = row - run.first_row;
        match self {
            Self::Time(..) => {
                let start = outline.rows.starts_ms.get(row);
                if start.is_nan() {
                    return None;
                }
                let duration = outline.rows.durations_ms.get(row);
                let end = start + if duration.is_nan() { 0.0 } else { duration.max(0.0) };
                Some((self.of_time(start), self.of_time(end)))
            }
            Self::Tokens(before, all) => {
                let from = before.get(at as usize).copied()?;
                Some((from / all, (from + tokens_of(outline, row)) / all))
            }
            Self::Steps => {
                let n = f64::from(run.n_rows.max(1));
                Some((f64::from(at) / n, f64::from(at + 1) / n))
            }
        }
    }
}

/// Whether the run has times for a time axis.
#[must_use]
pub fn is_timed(run: &RunLine) -> bool {
    run.columns.bars && run.end_ms > run.start_ms
}

fn tokens_of(outline: &Outline, row: u32) -> f64 {
    let rows = &outline.rows;
    let flags = Flags::from_bits(rows.flags.get(row));
    let counts = rows.kinds.get(row) == EventKind::LlmCall as u8 && flags.usage_counts();
    let known = |n: f64| if n.is_nan() || !counts { 0.0 } else { n };
    known(rows.tokens_in.get(row)) + known(rows.tokens_out.get(row))
}

/// Where idle times are cut out.
#[must_use]
pub fn idle(outline: &Outline, run: &RunLine, scale: &Scale) -> Vec<Pause> {
    let Scale::Time(_, _, idle, _) = scale else { return Vec::new() };
    let reasons = PauseReasons::new(outline, run);
    let pause = |(from, to): &(f64, f64)| {
        let (what, ms) = (reasons.of((*from, *to)), to - from);
        Pause {
            at: f64::midpoint(scale.of_time(*from), scale.of_time(*to)),
            label: words::pause(what, ms),
            title: words::whole_pause(what, ms),
        }
    };
    idle.iter().map(pause).collect()
}

/// An idle time that is cut out of the axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Pause {
    /// Where: share of the axis.
    pub at: f64,
    /// Its length, and whether it was waiting.
    pub label: String,
    /// The same, with what was waited for.
    pub title: String,
}

/// The approximate number of labels.
const N_TICKS: f64 = 8.0;

/// The most round numbers that are tried for labels.
const MAX_TRIED: u32 = 5_000;

/// Labels at round numbers: share of the visible range, and text.
#[must_use]
pub fn ticks(scale: &Scale, run: &RunLine, zoom: Zoom) -> Vec<(f64, String)> {
    let (all, steps): (f64, &[f64]) = match scale {
        Scale::Time(_, active, ..) => (
            *active,
            &[
                1.0, 10.0, 100.0, 1e3, 2e3, 5e3, 10e3, 30e3, 60e3, 120e3, 300e3, 600e3, 1800e3,
                3600e3, 7200e3, 14_400e3, 36_000e3, 86_400e3,
            ],
        ),
        Scale::Tokens(_, all) => (*all, &[]),
        Scale::Steps => (f64::from(run.n_rows), &[]),
    };
    let rough = all * (zoom.to - zoom.from) / N_TICKS;
    let step = steps.iter().copied().find(|step| *step >= rough).unwrap_or_else(|| {
        let ten = 10_f64.powf(rough.max(1e-9).log10().floor());
        [1.0, 2.0, 5.0, 10.0]
            .map(|it| it * ten)
            .into_iter()
            .find(|it| *it >= rough)
            .unwrap_or(rough)
    });
    let step = if matches!(scale, Scale::Time(..)) { step } else { step.max(1.0) };
    let place = |value: f64| match scale {
        Scale::Time(start, _, idle, _) => {
            // Labels count active time, so that they are evenly spaced between idle times. Other folded stretches do
            // count.
            let (mut ms, mut shown) = (start + value, value);
            for (from, to) in idle {
                if ms > *from {
                    ms += to - from;
                    let is_idle = run.idle_ms.iter().any(|it| it.0.to_bits() == from.to_bits());
                    shown += if is_idle { 0.0 } else { to - from };
                }
            }
            (scale.of_time(ms), words::short_time(shown))
        }
        Scale::Tokens(..) => (value / all, words::tokens(value)),
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count
        Scale::Steps => (value / all, words::count(value as u64)),
    };
    // Folded idle times shift a place by at most their total share of the axis.
    let first = ((zoom.from - MAX_IDLE_SHARE) * all / step).floor().max(0.0);
    let values = (0..MAX_TRIED).map(|n| (first + f64::from(n)) * step);
    let places = values.take_while(|value| *value < all).map(place);
    let near = places.take_while(|(at, _)| *at <= zoom.to);
    let shown = near.filter_map(|(at, words)| Some((zoom.place(at)?, words)));
    // A label at the very end would be cut off.
    shown.filter(|(at, _)| *at < 0.97).collect()
}
