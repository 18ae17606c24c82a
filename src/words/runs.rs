//! What is said of runs.

use traceloupe_core::model::{NoEnd, RunVerdict};
use traceloupe_core::number::fixed;

/// What is missing from a file that has no end of a run.
#[must_use]
pub fn no_end(no_end: NoEnd) -> &'static str {
    match no_end {
        NoEnd::RunEnd => "Ended without RUN_END",
        NoEnd::RootSpan => {
            "The root span is missing: the process ended early, or the run still goes on"
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
