//! The bars of rows, on the axis of their turn or of their run. Idle time takes no space.

use crate::outline::Outline;
use crate::turn_axis::TurnAxis;
use traceloupe_core::number::within;

/// The axis for the bar of a row, if that is the axis of its turn. If rows before it may be missing, all bars use the
/// axis of the run, so that they stay comparable.
#[must_use]
pub fn axis_of(outline: &Outline, is_flat: bool, row: u32) -> Option<TurnAxis> {
    let turn = outline.turns.around(row).filter(|_| !is_flat)?;
    TurnAxis::of(turn.duration_ms)
}

/// Start and length of a row's bar, in percent of the axis: that of its turn, or that of its run if the run has no
/// turns or rows may be missing. Idle time takes no space.
#[must_use]
pub fn bar_of(outline: &Outline, is_flat: bool, row: u32) -> Option<(f64, f64)> {
    let (_, run) = outline.run_of(row)?;
    let rows = &outline.rows;
    let turn = outline.turns.around(row).filter(|turn| turn.duration_ms > 0.0 && !is_flat);
    let (from, len_ms) = match turn {
        Some(turn) if turn.row == row => return None,
        Some(turn) => {
            let len_ms = TurnAxis::of(turn.duration_ms).map_or(turn.duration_ms, |it| it.len_ms);
            (rows.starts_ms.get(turn.row), len_ms)
        }
        None => (run.start_ms, run.active_between_ms(run.start_ms, run.end_ms)),
    };
    let start = rows.starts_ms.get(row);
    // The bar of an agent spans its steps, like the duration shown on its row.
    let agent = outline.agents.at(row);
    let duration = agent.map_or_else(|| rows.durations_ms.get(row), |it| it.duration_ms);
    let duration = if duration.is_nan() { 0.0 } else { duration };
    let before = run.active_between_ms(from, start.max(from));
    bar(before, run.active_between_ms(start, start + duration), len_ms)
}

/// Start and length of the bar of a stretch of rows, from the start of the first to the end of the last, in percent as
/// in [`bar_of`].
#[must_use]
pub fn bar_of_stretch(
    outline: &Outline,
    is_flat: bool,
    (first, last): (u32, u32),
) -> Option<(f64, f64)> {
    let (from, len) = bar_of(outline, is_flat, first)?;
    let to = bar_of(outline, is_flat, last).map_or(from + len, |(from, len)| from + len);
    Some((from, (to - from).max(0.0)))
}

/// The last place where a bar is still visible, in percent.
const LAST_PLACE: f64 = 99.0;

fn bar(before: f64, duration: f64, len_ms: f64) -> Option<(f64, f64)> {
    if before.is_nan() || duration.is_nan() || len_ms.is_nan() || len_ms <= 0.0 {
        return None;
    }
    let left = within(before / len_ms * 100.0, 0.0, LAST_PLACE);
    Some((left, within(duration / len_ms * 100.0, 0.0, 100.0 - left)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::EventKind;

    #[test]
    fn a_bar_is_within_its_axis() {
        assert_eq!(bar(0.0, 1.0, 0.0), None);
        assert_eq!(bar(f64::NAN, 1.0, 100.0), None);
        assert_eq!(bar(50.0, 0.0, 100.0), Some((50.0, 0.0)));
        assert_eq!(bar(90.0, 50.0, 100.0), Some((90.0, 10.0)));
        assert_eq!(bar(500.0, 5.0, 100.0), Some((99.0, 1.0)), "what is at the end is seen, too");
    }

    #[test]
    fn bars_have_no_idle_times() {
        use EventKind::{ToolCall, UserMessage};
        let times = [(0, 0.0, 0.0), (0, 10.0, 10.0), (0, 500.0, 20.0), (0, 600.0, 40.0)];
        let kinds = [UserMessage, ToolCall, ToolCall, ToolCall];
        let outline =
            crate::testing::with_timed_kinds(&times, &kinds, &[(20.0, 500.0), (520.0, 600.0)]);
        // 80 ms are active, drawn on an axis of 80 ms.
        let bars = |is_flat| (0..4).map(|row| bar_of(&outline, is_flat, row)).collect::<Vec<_>>();
        let calls = [Some((12.5, 12.5)), Some((25.0, 25.0)), Some((50.0, 50.0))];
        assert_eq!(bars(false), [&[None], &calls[..]].concat());
        // Without the header of the turn, the bars are on the axis of the run.
        assert_eq!(bars(true), [&[Some((0.0, 0.0))], &calls[..]].concat());
        assert_eq!(axis_of(&outline, true, 2), None);
        assert_eq!(axis_of(&outline, false, 2).map(|axis| axis.len_ms), Some(80.0));
    }

    #[test]
    fn the_bar_of_an_agent_is_as_long_as_its_steps() {
        use EventKind::{Agent, LlmCall, ToolCall, UserMessage};
        let times =
            [(0, 0.0, 0.0), (0, 0.0, 10.0), (1, 20.0, 10.0), (1, 40.0, 40.0), (0, 90.0, 10.0)];
        let kinds = [UserMessage, Agent, LlmCall, ToolCall, LlmCall];
        let outline = crate::testing::with_timed_kinds(&times, &kinds, &[]);
        assert_eq!(bar_of(&outline, true, 1), Some((0.0, 80.0)));
        assert_eq!(bar_of(&outline, true, 2), Some((20.0, 10.0)));
    }
}
