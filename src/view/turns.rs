//! The turns of a run: a user message and everything that follows from it.

use crate::agents::plus;
use crate::row_columns::Rows;
use traceloupe_core::model::{EventKind, Flags};
use traceloupe_protocol::outline::RunLine;

/// A turn, with the sums of its rows.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Turn {
    /// The row of the message.
    pub row: u32,
    /// The row after its last one.
    pub end: u32,
    /// Its number in the run, from 1.
    pub number: u32,
    /// LLM calls and tool calls.
    pub n_calls: u32,
    /// Failed rows.
    pub n_errors: u32,
    /// Input tokens of its LLM calls; NaN where unknown.
    pub tokens_in: f64,
    /// Output tokens of its LLM calls; NaN where unknown.
    pub tokens_out: f64,
    /// Whether the output is a lower bound.
    pub is_lower_bound: bool,
    /// From the message to the end of its last row, without idle times, in milliseconds; NaN where unknown.
    pub duration_ms: f64,
}

/// The turns of all runs, by row.
#[derive(Clone, Debug, Default)]
pub struct Turns(Vec<Turn>);

impl Turns {
    /// Finds the turns of all runs.
    #[must_use]
    pub fn new(runs: &[RunLine], rows: &Rows) -> Self {
        let mut turns = Vec::new();
        for run in runs {
            of_run(run, rows, &mut turns);
        }
        Self(turns)
    }

    /// The turns of a run, in order.
    #[must_use]
    pub fn of(&self, run: &RunLine) -> &[Turn] {
        let from = self.0.partition_point(|turn| turn.row < run.first_row);
        let to = self.0.partition_point(|turn| turn.row < run.first_row + run.n_rows);
        self.0.get(from..to).unwrap_or_default()
    }

    /// The turn that contains a row.
    #[must_use]
    pub fn around(&self, row: u32) -> Option<&Turn> {
        let before = self.0.partition_point(|turn| turn.row <= row).checked_sub(1)?;
        self.0.get(before).filter(|turn| row < turn.end)
    }

    /// The turn that begins at a row.
    #[must_use]
    pub fn at(&self, row: u32) -> Option<&Turn> {
        self.around(row).filter(|turn| turn.row == row)
    }
}

fn of_run(run: &RunLine, rows: &Rows, turns: &mut Vec<Turn>) {
    let end = run.first_row + run.n_rows;
    let first = turns.len();
    // The depth of the user's messages is that of the first one. Deeper messages belong to the work of an agent.
    let mut depth = None;
    // Several consecutive messages begin a single turn.
    let mut has_work = true;
    let mut until_ms = f64::NAN;
    for row in run.first_row..end {
        let kind = EventKind::from_code(rows.kinds.get(row));
        let flags = Flags::from_bits(rows.flags.get(row));
        let is_main = run.lanes.get(usize::from(rows.lanes.get(row))).is_none_or(|it| it.is_main);
        // Messages copied from another session belong to the turns of that session.
        let is_message = kind == EventKind::UserMessage
            && is_main
            && !flags.has(Flags::COPY)
            && depth.is_none_or(|depth| rows.depths.get(row) <= depth);
        if is_message && has_work {
            depth = Some(rows.depths.get(row));
            has_work = false;
            if let Some(last) = turns.get_mut(first..).and_then(<[Turn]>::last_mut) {
                last.end = row;
            }
            let number = u32::try_from(turns.len() - first + 1).unwrap_or(u32::MAX);
            until_ms = f64::NAN;
            let unknown = f64::NAN;
            turns.push(Turn {
                row,
                end,
                number,
                tokens_in: unknown,
                tokens_out: unknown,
                duration_ms: unknown,
                ..Turn::default()
            });
            continue;
        }
        has_work |= !matches!(
            kind,
            EventKind::UserMessage
                | EventKind::SystemMessage
                | EventKind::Note
                | EventKind::Record
                | EventKind::RunStart
        );
        let Some(turn) = turns.get_mut(first..).and_then(<[Turn]>::last_mut) else { continue };
        let is_copy = flags.has(Flags::COPY);
        let is_failed = rows.outcome(row).is_error() || kind == EventKind::Error;
        turn.n_errors += u32::from(is_failed && !is_copy);
        turn.n_calls += u32::from(matches!(kind, EventKind::LlmCall | EventKind::ToolCall));
        if kind == EventKind::LlmCall && flags.usage_counts() {
            turn.tokens_in = plus(turn.tokens_in, rows.tokens_in.get(row));
            turn.tokens_out = plus(turn.tokens_out, rows.tokens_out.get(row));
            turn.is_lower_bound |= flags.has(Flags::UNFINISHED_USAGE);
        }
        // Bookkeeping and scores may be written long after the answer, and state when the next message arrives.
        let is_late = match kind {
            EventKind::Note | EventKind::Record | EventKind::Evaluation => true,
            EventKind::State => turn.n_calls > 0,
            _ => false,
        };
        if has_work && !is_late {
            let duration = rows.durations_ms.get(row);
            let ends = rows.starts_ms.get(row) + if duration.is_nan() { 0.0 } else { duration };
            until_ms = until_ms.max(ends);
            let took = until_ms - rows.starts_ms.get(turn.row);
            if took >= 0.0 {
                turn.duration_ms = took;
            }
        }
    }
    for turn in turns.get_mut(first..).unwrap_or_default() {
        let from = rows.starts_ms.get(turn.row);
        let to = from + turn.duration_ms;
        // Unknown stays unknown.
        if to >= from {
            turn.duration_ms = run.active_between_ms(from, to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{with_kinds, with_timed_kinds};

    #[test]
    fn a_turn_is_a_message_and_all_that_follows() {
        use EventKind::{LlmCall, Note, SystemMessage, ToolCall, UserMessage};
        let kinds = [
            Note,
            UserMessage,
            SystemMessage,
            UserMessage,
            LlmCall,
            ToolCall,
            UserMessage,
            Note,
            UserMessage,
            LlmCall,
        ];
        // The message at row 6 is inside a call.
        let tree = with_kinds(&[0, 0, 0, 0, 0, 1, 1, 0, 0, 0], kinds.into_iter());
        let run = &tree.runs[0];
        let turns: Vec<_> =
            tree.turns.of(run).iter().map(|it| (it.row, it.end, it.number, it.n_calls)).collect();
        assert_eq!(turns, [(1, 8, 1, 2), (8, 10, 2, 1)]);
        assert_eq!(tree.turns.around(0), None, "before the first message");
        assert_eq!(tree.turns.around(7).map(|it| it.number), Some(1));
        assert_eq!(tree.turns.at(8).map(|it| it.number), Some(2));
        assert_eq!(tree.turns.at(9), None);
    }

    #[test]
    fn idle_times_are_no_part_of_a_turn() {
        use EventKind::{ToolCall, UserMessage};
        let times = [(0, 0.0, 0.0), (0, 10.0, 10.0), (0, 500.0, 20.0), (0, 600.0, 0.0)];
        let kinds = [UserMessage, ToolCall, ToolCall, UserMessage];
        let tree = with_timed_kinds(&times, &kinds, &[(20.0, 500.0), (520.0, 600.0)]);
        let times: Vec<_> = tree.turns.of(&tree.runs[0]).iter().map(|it| it.duration_ms).collect();
        assert_eq!(times[0], 40.0);
        assert!(times[1].is_nan());
    }

    #[test]
    fn a_state_after_the_calls_does_not_make_a_turn_longer() {
        use EventKind::{State, ToolCall, UserMessage};
        let took = |kinds: &[EventKind]| {
            let times = [(0, 0.0, 0.0), (0, 10.0, 10.0), (0, 500.0, 0.0)];
            let tree = with_timed_kinds(&times, kinds, &[]);
            tree.turns.of(&tree.runs[0])[0].duration_ms
        };
        assert_eq!(took(&[UserMessage, ToolCall, State]), 20.0);
        assert_eq!(took(&[UserMessage, State, ToolCall]), 500.0);
        assert_eq!(took(&[UserMessage, State, State]), 500.0, "nothing else is known");
    }

    #[test]
    fn what_is_unknown_stays_unknown_in_a_sum() {
        assert!(plus(f64::NAN, f64::NAN).is_nan());
        assert!((plus(f64::NAN, 2.0) - 2.0).abs() < 1e-9);
        assert!((plus(1.0, f64::NAN) - 1.0).abs() < 1e-9);
        assert!((plus(1.0, 2.0) - 3.0).abs() < 1e-9);
    }
}
