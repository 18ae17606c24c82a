//! The outcome of a run, from everything that is known about it.

use traceloupe_core::model::{RunStatus, RunVerdict};
use traceloupe_protocol::outline::RunLine;
use traceloupe_words::is_still_running;

/// The outcome of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RunOutcome {
    /// It ended well.
    Ok,
    /// It ended well, but it has possible loops.
    OkWithLoops,
    /// It ended with an error.
    Failed,
    /// It was graded as failed.
    GradedFail,
    /// The file does not state the outcome. The run ends with an answer of the model.
    Answered,
    /// The file does not state the outcome. The run has failed events.
    HasErrors,
    /// Its last event is so recent that it may still be running.
    Running,
    /// The file does not contain its end.
    NoEnd,
    /// The user stopped it.
    Cancelled,
    /// Nothing is known.
    Unknown,
}

impl RunOutcome {
    /// The outcome of a run. `has_loops`: whether it has possible loops. `now_ms`: the current time, in milliseconds
    /// since 1970.
    #[must_use]
    pub fn of(run: &RunLine, has_loops: bool, now_ms: f64) -> Self {
        let counts = run.given.unwrap_or(run.counts);
        let has_loops = has_loops || run.given.is_some_and(|given| given.loop_warnings > 0);
        let is_failed = run.verdict == Some(RunVerdict::Fail);
        match run.status {
            RunStatus::Ok | RunStatus::Unknown if is_failed => Self::GradedFail,
            RunStatus::Ok if has_loops => Self::OkWithLoops,
            RunStatus::Ok => Self::Ok,
            RunStatus::Unknown if run.is_answered => Self::Answered,
            RunStatus::Unknown if counts.errors > 0 => Self::HasErrors,
            RunStatus::Unknown => Self::Unknown,
            RunStatus::Error => Self::Failed,
            RunStatus::Running if is_still_running(run.end_ms, now_ms) => Self::Running,
            RunStatus::Running => Self::NoEnd,
            RunStatus::Cancelled => Self::Cancelled,
        }
    }

    /// The word for it in style sheets.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::OkWithLoops => "warning",
            Self::Failed => "error",
            Self::GradedFail => "graded",
            Self::Answered => "answered",
            Self::HasErrors => "failed",
            Self::Running => "running",
            Self::NoEnd => "unended",
            Self::Cancelled => "cancelled",
            Self::Unknown => "unknown",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_protocol::outline::Counts;

    #[test]
    fn what_graders_say_counts_more_than_that_a_run_ended() {
        let run = |status, verdict| RunLine { status, verdict, ..RunLine::default() };
        let of = |run: &RunLine| RunOutcome::of(run, false, 0.0);
        assert_eq!(of(&run(RunStatus::Ok, Some(RunVerdict::Fail))), RunOutcome::GradedFail);
        assert_eq!(of(&run(RunStatus::Error, Some(RunVerdict::Fail))), RunOutcome::Failed);
        assert_eq!(of(&run(RunStatus::Ok, Some(RunVerdict::Pass))), RunOutcome::Ok);
        let ok = run(RunStatus::Ok, None);
        assert_eq!(RunOutcome::of(&ok, true, 0.0), RunOutcome::OkWithLoops);
    }

    #[test]
    fn without_a_status_its_last_step_and_its_errors_count() {
        let mut run = RunLine { is_answered: true, ..RunLine::default() };
        run.counts = Counts { errors: 2, ..Counts::default() };
        assert_eq!(RunOutcome::of(&run, false, 0.0), RunOutcome::Answered);
        run.is_answered = false;
        assert_eq!(RunOutcome::of(&run, false, 0.0), RunOutcome::HasErrors);
        run.counts = Counts::default();
        assert_eq!(RunOutcome::of(&run, false, 0.0), RunOutcome::Unknown);
    }

    #[test]
    fn a_run_without_an_end_is_running_while_its_last_event_is_recent() {
        let run = RunLine { status: RunStatus::Running, end_ms: 1e12, ..RunLine::default() };
        assert_eq!(RunOutcome::of(&run, false, 1e12 + 1e3), RunOutcome::Running);
        assert_eq!(RunOutcome::of(&run, false, 2e12), RunOutcome::NoEnd);
    }
}
