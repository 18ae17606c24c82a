//! The call that took most of a run's time, where that is worth reporting.

use crate::outline::Outline;
use traceloupe_analysis::rules::longest_call::{self, Call, LEAST_CALLS, LEAST_MS};
use traceloupe_core::model::{EventId, EventKind, LaneId, RunId};
use traceloupe_protocol::outline::FindingLine;

/// The longest call of a run. Calls with other rows inside, such as a call that starts an agent, are left out, because
/// the time was spent in those rows.
#[must_use]
pub fn longest_call(outline: &Outline, index: u32) -> Option<FindingLine> {
    let (rows, run) = (&outline.rows, outline.runs.get(index as usize)?);
    let is_call = |kind: u8| [EventKind::LlmCall as u8, EventKind::ToolCall as u8].contains(&kind);
    let n_calls: u64 = run.kinds.iter().filter(|it| is_call(it.0)).map(|it| it.1).sum();
    let all_ms = run.active_ms();
    if n_calls < LEAST_CALLS || all_ms.is_nan() {
        return None;
    }
    let call = |row: u32| {
        let duration_ms = rows.durations_ms.get(row);
        let is_tool = rows.kinds.get(row) == EventKind::ToolCall as u8;
        let is_outer = is_tool && rows.nested.get(row) > 0;
        // Active times never exceed durations, and most calls are short, so this check rules out most rows early.
        let may_be_long = duration_ms > LEAST_MS && is_call(rows.kinds.get(row)) && !is_outer;
        may_be_long.then(|| {
            let start_ms = rows.starts_ms.get(row);
            let active_ms = match start_ms.is_nan() {
                true => duration_ms,
                false => run.active_between_ms(start_ms, start_ms + duration_ms),
            };
            Call {
                event: EventId::from_index(rows.ids.get(row) as usize),
                lane: LaneId::from_index(usize::from(rows.lanes.get(row))),
                active_ms,
            }
        })
    };
    let calls = (run.first_row..run.first_row.saturating_add(run.n_rows)).filter_map(call);
    let found = longest_call::find(RunId::from_index(index as usize), all_ms, calls)?;
    Some(outline.line_of(&found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_timed_kinds;
    use traceloupe_protocol::finding::Evidence;

    fn longest(times: &[(u16, f64, f64)], idle_ms: &[(f64, f64)]) -> Option<(u32, f64, f64)> {
        let kinds = vec![EventKind::ToolCall; times.len()];
        let mut outline = with_timed_kinds(times, &kinds, idle_ms);
        let run = &mut outline.runs[0];
        (run.kinds, run.duration_ms) =
            (vec![(EventKind::ToolCall as u8, times.len() as u64)], run.end_ms);
        let found = longest_call(&outline, 0)?;
        let Evidence::Time { active_ms, share } = found.evidence else { panic!("{found:?}") };
        Some((found.mark, active_ms, share))
    }

    const QUICK: (u16, f64, f64) = (0, 0.0, 1e3);

    #[test]
    fn a_call_that_took_much_of_the_time_is_named() {
        let found = longest(&[QUICK, QUICK, (0, 1e3, 89e3), QUICK, (0, 90e3, 10e3)], &[]);
        assert_eq!(found, Some((2, 89e3, 0.89)));
        assert_eq!(longest(&[QUICK, (0, 1e3, 89e3), QUICK], &[]), None, "too few calls");
        assert_eq!(longest(&[QUICK, QUICK, QUICK, QUICK, (0, 1e3, 50e3)], &[]), None, "too short");
        let even: Vec<_> = (0..5).map(|at| (0, f64::from(at) * 100e3, 100e3)).collect();
        assert_eq!(longest(&even, &[]), None, "too small a share");
    }

    #[test]
    fn idle_times_and_rows_inside_do_not_count() {
        let times = [QUICK, QUICK, QUICK, (0, 0.0, 900e3), (0, 0.0, 300e3)];
        let found = longest(&times, &[(100e3, 800e3)]);
        assert_eq!(found.map(|it| (it.0, it.1)), Some((3, 200e3)));
        let nested = [QUICK, QUICK, QUICK, (0, 0.0, 900e3), (1, 0.0, 300e3)];
        assert_eq!(longest(&nested, &[]).map(|it| it.0), Some(4));
    }
}
