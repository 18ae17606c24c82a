//! Replaying a run: when each row appears, and the position of the playhead.
//!
//! A replay is built once per run. Moving the playhead costs a few comparisons and each drawn row
//! one lookup; nothing visits all rows during playback.

use crate::outline::Outline;
use traceloupe_core::model::EventKind;
use traceloupe_core::number::within;

/// The longest pause when idle time is skipped, in milliseconds.
pub const IDLE_MS: f64 = 1_000.0;

/// Playing time of a run at [`Speed::Fit`], in milliseconds.
pub const FIT_MS: f64 = 10_000.0;

/// Playback speed.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Speed {
    /// A multiple of the speed at which the run happened.
    Times(f64),
    /// The whole run in [`FIT_MS`].
    #[default]
    Fit,
}

impl Speed {
    /// The available speeds: value, word, label.
    pub const ALL: [(Self, &'static str, &'static str); 5] = [
        (Self::Times(1.0), "1", "Real time"),
        (Self::Times(2.0), "2", "2×"),
        (Self::Times(8.0), "8", "8×"),
        (Self::Times(60.0), "60", "60×"),
        (Self::Fit, "fit", "Whole run in 10 s"),
    ];

    /// The speed for a word.
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        let found = Self::ALL.iter().find(|(_, known, _)| *known == word);
        found.map_or_else(Self::default, |(speed, ..)| *speed)
    }

    /// The word for the speed.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(speed, ..)| *speed == self).map_or("fit", |(_, word, _)| word)
    }
}

/// The position of the playhead.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Head {
    /// Time played, in milliseconds of the replay.
    pub played_ms: f64,
    /// How many rows have appeared.
    pub shown: u32,
}

/// When each row of a run appears.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// Index of the run.
    pub run: u32,
    /// Whether the run has usable times. A run without them can only be stepped through.
    pub has_times: bool,
    /// Whether idle time is skipped.
    pub cuts_idle: bool,
    first_row: u32,
    /// The rows in order of appearance.
    order: Vec<u32>,
    /// Each row's index in that order.
    ranks: Vec<u32>,
    /// When each row appears, in milliseconds of replay time; never decreasing.
    played_ms: Vec<f64>,
    /// When each row ends, in milliseconds of replay time; NaN if unknown.
    ended_ms: Vec<f64>,
    /// Pairs of replay time and trace time, both never decreasing.
    clock: Vec<(f64, f64)>,
    length_ms: f64,
}

impl Replay {
    /// Builds the replay of a run. With `cuts_idle`, no pause is longer than [`IDLE_MS`].
    #[must_use]
    pub fn of_run(outline: &Outline, run: u32, cuts_idle: bool) -> Self {
        let Some(line) = outline.runs.get(run as usize) else { return Self::default() };
        let rows = line.first_row..line.first_row + line.n_rows;
        let starts = starts(rows.clone().map(|row| outline.rows.starts_ms.get(row)));
        let Some(starts) = starts else { return Self::in_steps(run, line.first_row, line.n_rows) };
        let ends = rows.clone().zip(&starts).map(|(row, start)| {
            let duration = outline.rows.durations_ms.get(row);
            // A row that only groups others ends when the last of them ends.
            let is_holder = outline.rows.nested.get(row) > 0
                || outline.rows.kinds.get(row) == EventKind::RunEnd as u8;
            if is_holder || duration.is_nan() { f64::NAN } else { start + duration.max(0.0) }
        });
        let ends: Vec<f64> = ends.collect();
        let mut order: Vec<u32> = (0..line.n_rows).collect();
        let start = |at: &u32| starts.get(*at as usize).copied().unwrap_or(f64::NAN);
        traceloupe_core::sorting::sort_by(&mut order, |a, b| start(a).total_cmp(&start(b)));
        let known_ends = ends.iter().copied().filter(|end| !end.is_nan());
        let clock = clock(starts.iter().copied().chain(known_ends).collect(), cuts_idle);
        let played = |at: &u32, of: &[f64]| played_at(&clock, of.get(*at as usize).copied());
        let played_ms = order.iter().map(|at| played(at, &starts)).collect();
        let ended_ms = order.iter().map(|at| played(at, &ends)).collect();
        let length_ms = clock.last().map_or(0.0, |last| last.0);
        Self {
            run,
            has_times: length_ms > 0.0,
            cuts_idle,
            first_row: line.first_row,
            ranks: ranks(&order),
            order,
            played_ms,
            ended_ms,
            clock,
            length_ms,
        }
    }

    /// The replay of a run without times, which shows its rows one by one.
    fn in_steps(run: u32, first_row: u32, n_rows: u32) -> Self {
        let order: Vec<u32> = (0..n_rows).collect();
        Self {
            run,
            first_row,
            ranks: order.clone(),
            played_ms: order.iter().map(|_| 0.0).collect(),
            ended_ms: order.iter().map(|_| f64::NAN).collect(),
            order,
            ..Self::default()
        }
    }

    /// How many rows there are.
    #[must_use]
    pub fn n_rows(&self) -> u32 {
        u32::try_from(self.order.len()).unwrap_or(u32::MAX)
    }

    /// Playing time at 1× speed, in milliseconds.
    #[must_use]
    pub fn length_ms(&self) -> f64 {
        self.length_ms
    }

    /// Whether the playhead is at the end.
    #[must_use]
    pub fn is_over(&self, head: Head) -> bool {
        head.shown >= self.n_rows() && (!self.has_times || head.played_ms >= self.length_ms)
    }

    /// The playhead after `passed_ms` milliseconds of real time.
    #[must_use]
    pub fn advanced(&self, head: Head, passed_ms: f64, speed: Speed) -> Head {
        let times = match speed {
            Speed::Times(times) => times,
            Speed::Fit => (self.length_ms / FIT_MS).max(f64::MIN_POSITIVE),
        };
        let after = self.at(head.played_ms + passed_ms.max(0.0) * times);
        // Rows already stepped to stay visible, even if others have the same time.
        Head { shown: after.shown.max(head.shown), ..after }
    }

    /// The playhead at a replay time.
    #[must_use]
    pub fn at(&self, played_ms: f64) -> Head {
        let played_ms = within(played_ms, 0.0, self.length_ms);
        let shown = self.played_ms.partition_point(|at| *at <= played_ms);
        Head { played_ms, shown: u32::try_from(shown).unwrap_or(u32::MAX) }
    }

    /// The playhead one row forward or back.
    #[must_use]
    pub fn stepped(&self, head: Head, forward: bool) -> Head {
        let shown =
            if forward { head.shown.saturating_add(1) } else { head.shown.saturating_sub(1) };
        let shown = shown.clamp(self.n_rows().min(1), self.n_rows());
        let last = (shown as usize).checked_sub(1).and_then(|at| self.played_ms.get(at));
        Head { played_ms: last.copied().unwrap_or(0.0), shown }
    }

    /// The row that appeared last.
    #[must_use]
    pub fn row_at(&self, head: Head) -> Option<u32> {
        let at = self.order.get((head.shown as usize).checked_sub(1)?)?;
        Some(self.first_row + at)
    }

    /// Whether a row has not appeared yet.
    #[must_use]
    pub fn is_ahead(&self, head: Head, row: u32) -> bool {
        self.rank(row).is_some_and(|rank| rank >= head.shown)
    }

    /// Whether a row has appeared and not ended. A row without a known end runs until the next one
    /// appears.
    #[must_use]
    pub fn is_running(&self, head: Head, row: u32) -> bool {
        let Some(rank) = self.rank(row).filter(|rank| *rank < head.shown) else { return false };
        let ended_ms = self.ended_ms.get(rank as usize).copied().unwrap_or(f64::NAN);
        match ended_ms.is_nan() {
            true => rank + 1 == head.shown && !self.is_over(head),
            false => ended_ms > head.played_ms,
        }
    }

    /// The trace time at the playhead, in milliseconds since 1970; NaN for a run without times.
    #[must_use]
    pub fn trace_ms(&self, head: Head) -> f64 {
        let behind = self.clock.partition_point(|(played_ms, _)| *played_ms <= head.played_ms);
        let before = behind.checked_sub(1).and_then(|at| self.clock.get(at));
        let Some((from, real_ms)) = before else { return f64::NAN };
        match self.clock.get(behind) {
            Some((to, real_to)) if to > from => {
                real_ms + (real_to - real_ms) * (head.played_ms - from) / (to - from)
            }
            _ => *real_ms,
        }
    }

    fn rank(&self, row: u32) -> Option<u32> {
        self.ranks.get(row.checked_sub(self.first_row)? as usize).copied()
    }
}

/// When each row begins. A row without a time takes the time of the row before it; rows before the
/// first known time take that one. `None` if no row has a time.
fn starts(given: impl Iterator<Item = f64>) -> Option<Vec<f64>> {
    let given: Vec<f64> = given.collect();
    let mut last = given.iter().copied().find(|start| start.is_finite())?;
    let filled = given.into_iter().map(|start| {
        if start.is_finite() {
            last = start;
        }
        last
    });
    Some(filled.collect())
}

/// Maps replay time to trace time at every moment when something begins or ends.
fn clock(mut moments: Vec<f64>, cuts_idle: bool) -> Vec<(f64, f64)> {
    moments.retain(|moment| moment.is_finite());
    traceloupe_core::sorting::sort_by(&mut moments, f64::total_cmp);
    let mut clock: Vec<(f64, f64)> = Vec::with_capacity(moments.len());
    for moment in moments {
        let Some((played_ms, before)) = clock.last().copied() else {
            clock.push((0.0, moment));
            continue;
        };
        let gap_ms = moment - before;
        if gap_ms > 0.0 {
            let gap_ms = if cuts_idle { gap_ms.min(IDLE_MS) } else { gap_ms };
            clock.push((played_ms + gap_ms, moment));
        }
    }
    clock
}

/// The replay time of a moment that is in the clock.
fn played_at(clock: &[(f64, f64)], moment: Option<f64>) -> f64 {
    let Some(moment) = moment.filter(|moment| moment.is_finite()) else { return f64::NAN };
    let at = clock.partition_point(|(_, real_ms)| *real_ms < moment);
    clock.get(at).map_or(f64::NAN, |(played_ms, _)| *played_ms)
}

fn ranks(order: &[u32]) -> Vec<u32> {
    let mut ranks = vec![0; order.len()];
    for (rank, at) in (0..).zip(order) {
        if let Some(slot) = ranks.get_mut(*at as usize) {
            *slot = rank;
        }
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_times;

    /// Four rows: at 0 s for 2 s, at 1 s with no known end, at 60 s for 1 s, and one without a
    /// time.
    fn replay(cuts_idle: bool) -> Replay {
        let times =
            [(0.0, 2_000.0), (1_000.0, f64::NAN), (60_000.0, 1_000.0), (f64::NAN, f64::NAN)];
        Replay::of_run(&with_times(&times), 0, cuts_idle)
    }

    fn ahead(replay: &Replay, head: Head) -> Vec<u32> {
        (0..replay.n_rows()).filter(|row| replay.is_ahead(head, *row)).collect()
    }

    fn running(replay: &Replay, head: Head) -> Vec<u32> {
        (0..replay.n_rows()).filter(|row| replay.is_running(head, *row)).collect()
    }

    fn is_near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-6
    }

    #[test]
    fn rows_appear_at_their_time() {
        let replay = replay(false);
        assert!(replay.has_times && is_near(replay.length_ms(), 61_000.0));
        assert_eq!(ahead(&replay, replay.at(0.0)), [1, 2, 3]);
        assert_eq!(ahead(&replay, replay.at(999.0)), [1, 2, 3]);
        assert_eq!(ahead(&replay, replay.at(1_000.0)), [2, 3]);
        assert_eq!(ahead(&replay, replay.at(60_000.0)), [0_u32; 0]);
        assert_eq!(running(&replay, replay.at(1_500.0)), [0, 1]);
        assert_eq!(running(&replay, replay.at(2_500.0)), [1], "its end is not known");
        assert_eq!(running(&replay, replay.at(61_000.0)), [0_u32; 0], "at the end nothing runs");
        assert!(replay.is_over(replay.at(1e9)) && !replay.is_over(replay.at(60_500.0)));
    }

    #[test]
    fn pauses_are_cut_short() {
        let replay = replay(true);
        assert!(is_near(replay.length_ms(), 4_000.0), "0, 1, 2, (60 →) 3, 4 s");
        assert_eq!(ahead(&replay, replay.at(2_900.0)), [2, 3]);
        assert!(
            is_near(replay.trace_ms(replay.at(2_500.0)), 31_000.0),
            "half-way through the pause"
        );
        assert!(is_near(replay.trace_ms(replay.at(3_500.0)), 60_500.0));
    }

    #[test]
    fn it_plays_at_any_speed() {
        let replay = replay(false);
        let after = |speed: Speed| replay.advanced(Head::default(), 1_000.0, speed).played_ms;
        assert!(is_near(after(Speed::Times(1.0)), 1_000.0));
        assert!(is_near(after(Speed::Times(8.0)), 8_000.0));
        assert!(is_near(after(Speed::Fit), 6_100.0), "a tenth of it in a tenth of ten seconds");
        assert!(is_near(after(Speed::Times(1e9)), 61_000.0));
        for (speed, word, _) in Speed::ALL {
            assert_eq!((Speed::from_word(word), speed.word()), (speed, word));
        }
    }

    #[test]
    fn steps_go_row_by_row_even_at_equal_times() {
        let replay = replay(false);
        let mut head = replay.at(0.0);
        let mut rows = vec![replay.row_at(head).unwrap()];
        while !replay.is_over(head) && head.shown < replay.n_rows() {
            head = replay.stepped(head, true);
            rows.push(replay.row_at(head).unwrap());
        }
        assert_eq!(rows, [0, 1, 2, 3]);
        // Rows 2 and 3 have the same time; a step back only removes the last one.
        let back = replay.stepped(head, false);
        assert_eq!(ahead(&replay, back), [3]);
        assert_eq!(ahead(&replay, replay.advanced(back, 0.0, Speed::Fit)), [0_u32; 0]);
        assert_eq!(replay.stepped(replay.at(0.0), false).shown, 1, "one row is always there");
    }

    #[test]
    fn rows_out_of_order_appear_in_order_of_time() {
        let outline = with_times(&[(5_000.0, 0.0), (1_000.0, 0.0), (3_000.0, 0.0)]);
        let replay = Replay::of_run(&outline, 0, false);
        let rows: Vec<_> =
            (1..=3).map(|shown| replay.row_at(Head { shown, ..Head::default() })).collect();
        assert_eq!(rows, [Some(1), Some(2), Some(0)]);
        assert!(replay.is_ahead(replay.at(2_000.0), 0));
    }

    #[test]
    fn without_times_there_are_only_steps() {
        for times in [&[(f64::NAN, 5.0); 3][..], &[(7.0, f64::NAN); 3]] {
            let replay = Replay::of_run(&with_times(times), 0, true);
            assert!(!replay.has_times);
            let head = replay.stepped(Head { played_ms: 0.0, shown: 1 }, true);
            assert_eq!(replay.row_at(head), Some(1));
            assert_eq!(ahead(&replay, head), [2]);
        }
        let none = Replay::of_run(&Outline::default(), 0, true);
        assert!(none.row_at(none.stepped(Head::default(), true)).is_none());
        let odd = with_times(&[(f64::INFINITY, f64::INFINITY), (0.0, f64::INFINITY), (-1.0, -5.0)]);
        assert!(Replay::of_run(&odd, 0, true).length_ms().is_finite());
    }
}
