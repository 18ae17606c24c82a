//! Times spent waiting: for the user, or for a system that does not appear in the trace.

use crate::outline::Outline;
use traceloupe_core::model::{EventKind, WaitFor};
use traceloupe_core::sorting;
use traceloupe_protocol::outline::RunLine;
use traceloupe_protocol::row_columns::RowWait;

/// The minimum length of a wait, in milliseconds, and as a share of the active time of its run.
const MIN_WAIT_MS: f64 = 20_000.0;
const MIN_WAIT_SHARE: f64 = 0.2;

/// The most waits of a run.
const MAX_WAITS: usize = 8;

/// Times during which no model or tool worked, between times when one did, so the run was waiting. Start and end in
/// milliseconds since 1970, without those that overlap an idle time. A run without LLM calls and tool calls has none.
#[must_use]
pub fn waits(outline: &Outline, run: &RunLine) -> Vec<(f64, f64)> {
    let rows = &outline.rows;
    let time_of_work = |row: u32| {
        let kind = EventKind::from_code(rows.kinds.get(row));
        let (start, duration) = (rows.starts_ms.get(row), rows.durations_ms.get(row));
        let is_work = matches!(kind, EventKind::LlmCall | EventKind::ToolCall);
        let end = start + duration.max(0.0);
        (is_work && !start.is_nan() && !duration.is_nan()).then_some((start, end))
    };
    let all = run.first_row..run.first_row.saturating_add(run.n_rows);
    let mut work: Vec<(f64, f64)> = all.filter_map(time_of_work).collect();
    sorting::sort_by(&mut work, |a, b| a.0.total_cmp(&b.0));
    let least_ms = (run.active_ms() * MIN_WAIT_SHARE).max(MIN_WAIT_MS);
    let is_idle = |from: f64, to: f64| run.idle_ms.iter().any(|it| it.0 < to && from < it.1);
    let mut waits = Vec::new();
    let mut until = work.first().map_or(f64::NAN, |it| it.1);
    for (start, end) in work {
        if start - until >= least_ms && !is_idle(until, start) && waits.len() < MAX_WAITS {
            waits.push((until, start));
        }
        until = until.max(end);
    }
    waits
}

/// The idle time in which calls of a run waited for the user, in milliseconds, and whether any of it is an estimate. Calls
/// that waited at the same time count once.
#[must_use]
pub fn waited(outline: &Outline, run: &RunLine) -> (f64, bool) {
    let all = run.first_row..run.first_row.saturating_add(run.n_rows);
    let is_for_user = |what: WaitFor| match what {
        WaitFor::User | WaitFor::ApprovalProbably => true,
        WaitFor::OtherCalls => false,
    };
    let of_run = |wait: &&RowWait| all.contains(&wait.row) && is_for_user(wait.what);
    let mut waits: Vec<RowWait> = outline.rows.waits.iter().filter(of_run).copied().collect();
    sorting::sort_by(&mut waits, |a, b| a.from_ms.total_cmp(&b.from_ms));
    let is_estimated = waits.iter().any(|wait| wait.what == WaitFor::ApprovalProbably);
    let (mut until, mut ms) = (f64::NEG_INFINITY, 0.0);
    for wait in waits {
        let from = wait.from_ms.max(until);
        if wait.to_ms > from {
            ms += wait.to_ms - from - run.active_between_ms(from, wait.to_ms);
            until = wait.to_ms;
        }
    }
    (ms, is_estimated)
}

/// What a run waited for in its idle times.
#[derive(Debug)]
pub struct PauseReasons {
    /// The times of the messages from the user, in order.
    messages_ms: Vec<f64>,
    waits: Vec<RowWait>,
}

impl PauseReasons {
    /// Looks at the messages and the calls of a run, once for all of its idle times.
    #[must_use]
    pub fn new(outline: &Outline, run: &RunLine) -> Self {
        let rows = &outline.rows;
        let turns = outline.turns.of(run).iter();
        let mut messages_ms: Vec<f64> = turns.map(|turn| rows.starts_ms.get(turn.row)).collect();
        sorting::sort_floats(&mut messages_ms);
        let of_run = run.first_row..run.first_row.saturating_add(run.n_rows);
        let waits = rows.waits.iter().filter(|wait| of_run.contains(&wait.row)).copied().collect();
        Self { messages_ms, waits }
    }

    /// What was waited for: the user, if the idle time ends with a message of the user; or what a call waited for
    /// meanwhile. `None` if nothing was recorded.
    #[must_use]
    pub fn of(&self, (from, to): (f64, f64)) -> Option<WaitFor> {
        let after = self.messages_ms.partition_point(|ms| *ms <= to - 1e3);
        if self.messages_ms.get(after).is_some_and(|ms| *ms < to + 1e3) {
            return Some(WaitFor::User);
        }
        let overlap = |wait: &RowWait| wait.to_ms.min(to) - wait.from_ms.max(from);
        let is_most = |wait: &&RowWait| overlap(wait) * 2.0 >= to - from;
        self.waits.iter().find(is_most).map(|wait| wait.what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{with_timed_kinds, with_times};

    #[test]
    fn an_idle_time_is_a_wait_if_a_message_or_a_call_says_so() {
        let mut outline = with_times(&[(0.0, 10.0), (10.0, 0.0), (90_000.0, 5.0)]);
        let run = outline.runs[0].clone();
        let reason = |outline: &Outline, idle| PauseReasons::new(outline, &run).of(idle);
        assert_eq!(reason(&outline, (10.0, 60_000.0)), None, "nothing was recorded");
        let wait = |what, from_ms, to_ms| RowWait { row: 1, what, from_ms, to_ms };
        std::sync::Arc::make_mut(&mut outline.rows).sent.waits =
            vec![wait(WaitFor::ApprovalProbably, 10.0, 50_000.0)];
        assert_eq!(reason(&outline, (10.0, 60_000.0)), Some(WaitFor::ApprovalProbably));
        assert_eq!(reason(&outline, (40_000.0, 90_000.0)), None, "most of it is something else");
        let kinds = [EventKind::LlmCall, EventKind::LlmCall, EventKind::UserMessage];
        let times = [(0, 0.0, 10.0), (0, 10.0, 0.0), (0, 90_000.0, 5.0)];
        let outline = with_timed_kinds(&times, &kinds, &[]);
        assert_eq!(
            PauseReasons::new(&outline, &outline.runs[0]).of((10.0, 90_000.0)),
            Some(WaitFor::User)
        );
    }

    #[test]
    fn calls_that_wait_at_the_same_time_count_once() {
        let mut outline = with_times(&[(0.0, 10.0), (10.0, 0.0), (10.0, 0.0), (100.0, 5.0)]);
        let wait = |row, what, from_ms, to_ms| RowWait { row, what, from_ms, to_ms };
        let rows = std::sync::Arc::make_mut(&mut outline.rows);
        rows.sent.waits = vec![
            wait(1, WaitFor::User, 10.0, 60.0),
            wait(2, WaitFor::ApprovalProbably, 20.0, 90.0),
            wait(3, WaitFor::OtherCalls, 0.0, 100.0),
        ];
        outline.runs[0].idle_ms = vec![(10.0, 90.0)];
        assert_eq!(waited(&outline, &outline.runs[0]), (80.0, true));
        // Something else was done until 50.
        outline.runs[0].idle_ms = vec![(50.0, 90.0)];
        assert_eq!(waited(&outline, &outline.runs[0]), (40.0, true));
    }
}
