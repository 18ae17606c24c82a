//! The axis of a turn: a round length, which its bars are drawn on, cut into a few equal steps.

use crate::view::words;

/// An axis that begins at 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TurnAxis {
    /// Its length in milliseconds, at least that of the turn.
    pub len_ms: f64,
    /// How many steps it is cut into.
    pub n_steps: u8,
}

/// Lengths in units, and the number of steps of each.
const LENGTHS: [(f64, u8); 8] =
    [(1.0, 2), (1.5, 3), (2.0, 2), (3.0, 3), (4.0, 4), (5.0, 5), (6.0, 3), (8.0, 4)];

/// What lengths are counted in, in milliseconds: up to ten seconds, up to ten minutes, and hours.
const UNITS_MS: [f64; 9] = [1.0, 10.0, 100.0, 1e3, 1e4, 6e4, 6e5, 3.6e6, 3.6e7];

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

    /// Where its steps end, in percent, without the end of the axis.
    pub fn lines(self) -> impl Iterator<Item = f64> {
        (1..self.n_steps).map(move |step| f64::from(step) / f64::from(self.n_steps) * 100.0)
    }

    /// What stands at its middle, if a step ends there, and at its end.
    #[must_use]
    pub fn labels(self) -> (Option<String>, String) {
        let middle = self.n_steps.is_multiple_of(2).then(|| words::short_time(self.len_ms / 2.0));
        (middle, words::short_time(self.len_ms))
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
    fn an_axis_names_its_middle_and_its_end() {
        let axis = TurnAxis::of(161_000.0).unwrap();
        assert_eq!(axis.labels(), (None, "3:00".to_owned()));
        assert_eq!(axis.lines().count(), 2);
        let axis = TurnAxis::of(3_900.0).unwrap();
        assert_eq!(axis.labels(), (Some("2 s".to_owned()), "4 s".to_owned()));
        assert_eq!(axis.lines().collect::<Vec<_>>(), [25.0, 50.0, 75.0]);
    }
}
