//! The outcome of a run, from everything that is known about it.

use traceloupe_core::model::{RunOutcome, RunStatus, RunVerdict};
use traceloupe_protocol::outline::RunLine;

/// The outcome of a run. `has_loops`: whether it has possible loops. `now_ms`: the current time, in milliseconds since
/// 1970.
#[must_use]
pub fn run_outcome(run: &RunLine, has_loops: bool, now_ms: f64) -> RunOutcome {
    let counts = run.given.unwrap_or(run.counts);
    let has_loops = has_loops || run.given.is_some_and(|given| given.loop_warnings > 0);
    let is_failed = run.verdict == Some(RunVerdict::Fail);
    match run.status {
        RunStatus::Ok | RunStatus::Unknown if is_failed => RunOutcome::GradedFail,
        RunStatus::Ok if has_loops => RunOutcome::OkWithLoops,
        RunStatus::Ok => RunOutcome::Ok,
        RunStatus::Unknown if run.is_answered => RunOutcome::Answered,
        RunStatus::Unknown if counts.errors > 0 => RunOutcome::HasErrors,
        RunStatus::Unknown => RunOutcome::Unknown,
        RunStatus::Error => RunOutcome::Failed,
        RunStatus::Running if is_still_running(run.end_ms, now_ms) => RunOutcome::Running,
        RunStatus::Running => RunOutcome::NoEnd,
        RunStatus::Cancelled => RunOutcome::Cancelled,
    }
}

/// How old the last event of a run may be for the run to count as possibly still running.
const STILL_RUNNING_MS: f64 = 10.0 * 60e3;

/// Whether a run without an end may still be running, because its last event is recent by the
/// user's clock. Both times are in milliseconds since 1970.
#[must_use]
pub fn is_still_running(last_event_ms: f64, now_ms: f64) -> bool {
    (now_ms - last_event_ms).abs() <= STILL_RUNNING_MS
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_protocol::outline::Counts;

    #[test]
    fn what_graders_say_counts_more_than_that_a_run_ended() {
        let run = |status, verdict| RunLine { status, verdict, ..RunLine::default() };
        let of = |run: &RunLine| run_outcome(run, false, 0.0);
        assert_eq!(of(&run(RunStatus::Ok, Some(RunVerdict::Fail))), RunOutcome::GradedFail);
        assert_eq!(of(&run(RunStatus::Error, Some(RunVerdict::Fail))), RunOutcome::Failed);
        assert_eq!(of(&run(RunStatus::Ok, Some(RunVerdict::Pass))), RunOutcome::Ok);
        let ok = run(RunStatus::Ok, None);
        assert_eq!(run_outcome(&ok, true, 0.0), RunOutcome::OkWithLoops);
    }

    #[test]
    fn without_a_status_its_last_step_and_its_errors_count() {
        let mut run = RunLine { is_answered: true, ..RunLine::default() };
        run.counts = Counts { errors: 2, ..Counts::default() };
        assert_eq!(run_outcome(&run, false, 0.0), RunOutcome::Answered);
        run.is_answered = false;
        assert_eq!(run_outcome(&run, false, 0.0), RunOutcome::HasErrors);
        run.counts = Counts::default();
        assert_eq!(run_outcome(&run, false, 0.0), RunOutcome::Unknown);
    }

    #[test]
    fn a_run_without_an_end_is_running_while_its_last_event_is_recent() {
        let run = RunLine { status: RunStatus::Running, end_ms: 1e12, ..RunLine::default() };
        assert_eq!(run_outcome(&run, false, 1e12 + 1e3), RunOutcome::Running);
        assert_eq!(run_outcome(&run, false, 2e12), RunOutcome::NoEnd);
    }

    #[test]
    fn a_run_without_an_end_counts_as_running_while_its_last_event_is_recent() {
        let now = 1_795_000_000_000.0;
        assert!(is_still_running(now - 9.0 * 60e3, now));
        assert!(is_still_running(now + 5e3, now), "clocks differ a little");
        assert!(!is_still_running(now - 11.0 * 60e3, now));
        assert!(!is_still_running(f64::NAN, now), "no time, no claim");
    }
}
