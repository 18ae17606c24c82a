//! How runs came out.

use traceloupe_view::run_outcome::RunOutcome;

/// The outcome of a run in a word or two; empty if the file does not say.
pub fn short_outcome(outcome: RunOutcome) -> &'static str {
    match outcome {
        RunOutcome::Ok | RunOutcome::OkWithLoops => "Finished",
        RunOutcome::Failed => "Failed",
        RunOutcome::Answered => "Answered",
        RunOutcome::HasErrors => "Has errors",
        RunOutcome::GradedFail => "Graded: fail",
        RunOutcome::Running => "Running",
        RunOutcome::NoEnd => "No end",
        RunOutcome::Cancelled => "Stopped",
        RunOutcome::Unknown => "",
    }
}

/// How a run came out.
pub fn outcome_words(outcome: RunOutcome) -> &'static str {
    match outcome {
        RunOutcome::Ok => "ok",
        RunOutcome::OkWithLoops => "ok, with possible loops",
        RunOutcome::Failed => "ended with an error",
        RunOutcome::Answered => "ended with an answer; the file does not say how the run came out",
        RunOutcome::HasErrors => "has errors",
        RunOutcome::GradedFail => "Graded: fail",
        RunOutcome::Running => "still running",
        RunOutcome::NoEnd => "no end in the file",
        RunOutcome::Cancelled => "stopped",
        RunOutcome::Unknown => "no status in the file",
    }
}
