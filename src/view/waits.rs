//! Times spent waiting: for the user, or for a system that does not appear in the trace.

use crate::outline::Outline;
use traceloupe_core::model::EventKind;
use traceloupe_core::sorting;
use traceloupe_protocol::outline::RunLine;

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
