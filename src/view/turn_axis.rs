//! The axis of a turn: a round length for its bars, divided into a few equal steps.

use traceloupe_words as words;

/// An axis that begins at 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TurnAxis {
    /// Its length in milliseconds, at least that of the turn.
    pub len_ms: f64,
    /// How many steps it is divided into.
    pub n_steps: u8,
}

/// Lengths in units, and the number of steps of each.
const LENGTHS: [(f64, u8); 8] =
    [(1.0, 2), (1.5, 3), (2.0, 2), (3.0, 3), (4.0, 4), (5.0, 5), (6.0, 3), (8.0, 4)];

/// The units of lengths, in milliseconds: up to ten seconds, up to ten minutes, and hours.
const UNITS_MS: [f64; 9] = [1.0, 10.0, 100.0, 1e3, 1e4, 6e4, 6e5, 3.6e6, 3.6e7];

/// The most characters that the labels of an axis may have, including two between each two labels.
const MAX_CHARS: usize = 25;

impl TurnAxis {
    /// The shortest axis for a turn. `None` if the turn takes no time.
    #[must_use]
    pub fn of(duration_ms: f64) -> Option<Self> {
        if duration_ms.is_nan() || duration_ms <= 0.0 {
            return None;
        }
        for unit_ms in UNITS_MS {
            for (n, n_steps) in LENGTHS {
                if n * unit_ms >= duration_ms {
                    return Some(Self { len_ms: n * unit_ms, n_steps });
                }
            }
        }
        Some(Self { len_ms: duration_ms, n_steps: 2 })
    }

    /// Where its steps end, in percent, excluding the end of the axis.
    pub fn lines(self) -> impl Iterator<Item = f64> {
        (1..self.n_steps).map(move |step| f64::from(step) / f64::from(self.n_steps) * 100.0)
    }

    /// The labels at the lines between its ends, in percent, and the label at its end. If the labels are many or long,
    /// only the one at the middle line (if there is one) has room.
    #[must_use]
    pub fn labels(self) -> (Vec<(f64, String)>, String) {
        let words = |at: f64| words::short_time((self.len_ms * at / 100.0).round());
        let end = words(100.0);
        let has_room = usize::from(self.n_steps) * (end.chars().count() + 2) <= MAX_CHARS;
        let is_shown = |at: &f64| has_room || (at - 50.0).abs() < 0.1;
        (self.lines().filter(is_shown).map(|at| (at, words(at))).collect(), end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_is_the_next_round_length() {
        let len = |duration_ms| TurnAxis::of(duration_ms).unwrap().len_ms;
        assert_eq!([0.5, 7.0, 45.0, 999.0].map(len), [1.0, 8.0, 50.0, 1_000.0]);
        assert_eq!([1_001.0, 25_000.0, 61_000.0].map(len), [1_500.0, 30_000.0, 80_000.0]);
        assert_eq!([161_000.0, 3_600_001.0].map(len), [180_000.0, 4_800_000.0]);
        assert_eq!(TurnAxis::of(0.0), None);
        assert_eq!(TurnAxis::of(f64::NAN), None);
        assert_eq!(len(1e12), 1e12);
    }

    #[test]
    fn an_axis_names_the_lines_that_have_room() {
        let said = |duration_ms| {
            let (lines, end) = TurnAxis::of(duration_ms).unwrap().labels();
            lines.into_iter().map(|it| it.1).chain([end]).collect::<Vec<_>>()
        };
        assert_eq!(said(161_000.0), ["1:00", "2:00", "3:00"]);
        assert_eq!(said(3_900.0), ["1 s", "2 s", "3 s", "4 s"]);
        assert_eq!(said(290_000.0), ["5:00"]);
        assert_eq!(said(2.0 * 3.6e6), ["1:00:00", "2:00:00"]);
        let axis = TurnAxis::of(3_900.0).unwrap();
        assert_eq!(axis.lines().collect::<Vec<_>>(), [25.0, 50.0, 75.0]);
    }
}
