//! The call that took most of a run's time, where that is worth saying.

use crate::outline::Outline;
use traceloupe_core::model::EventKind;
use traceloupe_protocol::outline::RunLine;

/// A call that took much of a run's active time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LongCall {
    /// Its row.
    pub row: u32,
    /// How long it took, without idle times, in milliseconds.
    pub active_ms: f64,
    /// That as a share of the active time of the run, from 0 to 1.
    pub share: f64,
}

/// A call that takes less is not worth naming, whatever its share is.
const LEAST_MS: f64 = 60e3;

/// The least share of the active time.
const LEAST_SHARE: f64 = 0.25;

/// A run of fewer calls has a longest one that says nothing.
const LEAST_CALLS: u64 = 5;

/// The longest call of a run. Calls with other rows inside are left out, such as one that starts an agent: what is inside
/// took the time.
#[must_use]
pub fn longest_call(outline: &Outline, run: &RunLine) -> Option<LongCall> {
    let rows = &outline.rows;
    let is_call = |kind: u8| [EventKind::LlmCall as u8, EventKind::ToolCall as u8].contains(&kind);
    let n_calls: u64 = run.kinds.iter().filter(|it| is_call(it.0)).map(|it| it.1).sum();
    let all_ms = run.active_ms();
    if n_calls < LEAST_CALLS || all_ms.is_nan() {
        return None;
    }
    let mut longest: Option<LongCall> = None;
    for row in run.first_row..run.first_row.saturating_add(run.n_rows) {
        let duration_ms = rows.durations_ms.get(row);
        let most_ms = longest.map_or(LEAST_MS, |it| it.active_ms);
        if duration_ms.is_nan() || duration_ms <= most_ms {
            continue;
        }
        let is_tool = rows.kinds.get(row) == EventKind::ToolCall as u8;
        if !is_call(rows.kinds.get(row)) || is_tool && rows.nested.get(row) > 0 {
            continue;
        }
        let start_ms = rows.starts_ms.get(row);
        let active_ms = match start_ms.is_nan() {
            true => duration_ms,
            false => run.active_between_ms(start_ms, start_ms + duration_ms),
        };
        if active_ms > most_ms {
            longest = Some(LongCall { row, active_ms, share: active_ms / all_ms });
        }
    }
    longest.filter(|it| it.share >= LEAST_SHARE && it.share <= 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_timed_kinds;

    fn longest(times: &[(u16, f64, f64)], idle_ms: &[(f64, f64)]) -> Option<LongCall> {
        let kinds = vec![EventKind::ToolCall; times.len()];
        let mut outline = with_timed_kinds(times, &kinds, idle_ms);
        let run = &mut outline.runs[0];
        (run.kinds, run.duration_ms) =
            (vec![(EventKind::ToolCall as u8, times.len() as u64)], run.end_ms);
        longest_call(&outline, &outline.runs[0])
    }

    const QUICK: (u16, f64, f64) = (0, 0.0, 1e3);

    #[test]
    fn a_call_that_took_much_of_the_time_is_named() {
        let found = longest(&[QUICK, QUICK, (0, 1e3, 89e3), QUICK, (0, 90e3, 10e3)], &[]);
        assert_eq!(found, Some(LongCall { row: 2, active_ms: 89e3, share: 0.89 }));
        assert_eq!(longest(&[QUICK, (0, 1e3, 89e3), QUICK], &[]), None, "too few calls");
        assert_eq!(longest(&[QUICK, QUICK, QUICK, QUICK, (0, 1e3, 50e3)], &[]), None, "too short");
        let even: Vec<_> = (0..5).map(|at| (0, f64::from(at) * 100e3, 100e3)).collect();
        assert_eq!(longest(&even, &[]), None, "too small a share");
    }

    #[test]
    fn idle_times_and_rows_inside_do_not_count() {
        let times = [QUICK, QUICK, QUICK, (0, 0.0, 900e3), (0, 0.0, 300e3)];
        let found = longest(&times, &[(100e3, 800e3)]);
        assert_eq!(found.map(|it| (it.row, it.active_ms)), Some((3, 200e3)));
        let nested = [QUICK, QUICK, QUICK, (0, 0.0, 900e3), (1, 0.0, 300e3)];
        assert_eq!(longest(&nested, &[]).map(|it| it.row), Some(4));
    }
}
