//! How runs ended, and how they were graded.

use traceloupe_core::model::{CallOutcome, NoEnd, RunOutcome, RunVerdict};
use traceloupe_core::number::fixed;

/// The outcome of a call in a word or two; empty if it worked or if the file does not say.
#[must_use]
pub fn call_outcome(outcome: CallOutcome) -> &'static str {
    match outcome {
        CallOutcome::Failed => "failed",
        CallOutcome::Denied => "denied",
        CallOutcome::TimedOut => "timed out",
        CallOutcome::UnknownTool => "unknown tool",
        CallOutcome::BadArguments => "invalid arguments",
        CallOutcome::NoMatch => "no match",
        CallOutcome::Missing => "no result",
        CallOutcome::Cancelled => "cancelled",
        CallOutcome::Rejected => "rejected",
        CallOutcome::Ok | CallOutcome::Unknown => "",
    }
}

/// The outcome of a run in a word or two; empty if the file does not say.
#[must_use]
pub fn short_outcome(outcome: RunOutcome) -> &'static str {
    match outcome {
        RunOutcome::Ok | RunOutcome::OkWithLoops => "Finished",
        RunOutcome::Failed => "Failed",
        RunOutcome::Answered => "Answered",
        RunOutcome::HasErrors => "Has errors",
        RunOutcome::GradedFail => "Graded: fail",
        RunOutcome::Running => "Running",
        RunOutcome::NoEnd => "No end",
        RunOutcome::Cancelled => "Cancelled",
        RunOutcome::Unknown => "",
    }
}

/// How a run came out.
#[must_use]
pub fn outcome_words(outcome: RunOutcome) -> &'static str {
    match outcome {
        RunOutcome::Ok => "ok",
        RunOutcome::OkWithLoops => "ok, with possible loops",
        RunOutcome::Failed => "ended with an error",
        RunOutcome::Answered => "ended with an answer; the file states no outcome",
        RunOutcome::HasErrors => "has errors",
        RunOutcome::GradedFail => "graded: fail",
        RunOutcome::Running => "still running",
        RunOutcome::NoEnd => "no end in the file",
        RunOutcome::Cancelled => "cancelled",
        RunOutcome::Unknown => "no status in the file",
    }
}

/// What is missing from a file that has no end of a run.
#[must_use]
pub fn no_end(no_end: NoEnd) -> &'static str {
    match no_end {
        NoEnd::RunEnd => "Ended without RUN_END",
        NoEnd::RootSpan => {
            "The root span is missing: the process ended early, or the run is still going"
        }
        NoEnd::FinalEvent => "The stream ends without a `final` event: it was cancelled or cut off",
    }
}

/// Formats a score from 0 to 1 and a verdict: `0.67, fail`. Either may be missing; empty if both
/// are.
#[must_use]
pub fn score(score: Option<f64>, verdict: Option<RunVerdict>) -> String {
    let number = score.map(|score| {
        let digits = fixed(score, 2);
        digits.strip_suffix(".00").map_or(digits.clone(), str::to_owned)
    });
    let verdict = verdict.map_or("", RunVerdict::word);
    match (number, verdict) {
        (Some(number), "") => number,
        (Some(number), verdict) => format!("{number}, {verdict}"),
        (None, verdict) => verdict.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_and_a_verdict_stand_beside_each_other() {
        assert_eq!(score(Some(2.0 / 3.0), Some(RunVerdict::Fail)), "0.67, fail");
        assert_eq!(score(Some(1.0), None), "1");
        assert_eq!(score(None, Some(RunVerdict::Pass)), "pass");
        assert_eq!(score(None, None), "");
    }
}
