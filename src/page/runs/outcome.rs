//! How a run came out, in a word of style sheets and in words.

use leptos::prelude::*;

use crate::browser;
use crate::glyph::glyph;
use crate::words::runs::short_outcome;
use crate::words::shell as text;
use traceloupe_protocol::outline::RunLine;
use traceloupe_view::icon::{self, Icon};
use traceloupe_words as words;

/// The style word of the outcome, and its sentence.
pub fn outcome(run: &RunLine, has_loops: bool) -> (&'static str, &'static str) {
    let run_counts = run.given.unwrap_or(run.counts);
    let has_loops = has_loops || run.given.is_some_and(|given| given.loop_warnings > 0);
    let status = match run.status.as_str() {
        "ok" | "unknown" if run.verdict == "fail" => "graded",
        "ok" if has_loops => "warning",
        "unknown" if run.is_answered => "answered",
        "unknown" if run_counts.errors > 0 => "failed",
        "ok" => "ok",
        "error" => "error",
        "running" if words::is_still_running(run.end_ms, browser::clock_ms()) => "running",
        "running" => "unended",
        "cancelled" => "cancelled",
        _ => "unknown",
    };
    let words = match status {
        "ok" => "ok",
        "warning" => text::OK_WITH_POSSIBLE_LOOPS,
        "error" => text::ENDED_WITH_AN_ERROR,
        "running" => text::STILL_RUNNING,
        "unended" => text::NO_END_IN_THE_FILE,
        "cancelled" => "stopped",
        "answered" => text::ENDED_WITH_AN_ANSWER,
        "failed" => text::HAS_ERRORS,
        "graded" => text::ITS_GRADERS_FAILED_IT,
        _ => text::NO_STATUS_IN_THE_FILE,
    };
    (status, words)
}

/// The outcome of a run in a word or two with its icon; nothing if the file does not say.
pub fn outcome_badge(run: &RunLine, has_loops: bool) -> AnyView {
    let (status, words) = outcome(run, has_loops);
    let short = short_outcome(status);
    let badge = (!short.is_empty()).then(|| {
        markup! { <span class="outcome" data-status=status title=words>{glyph(sign(status))}{short}</span> }
    });
    badge.into_any()
}

/// The icon of an outcome, by its style word.
pub fn sign(status: &str) -> &'static str {
    match status {
        "ok" | "warning" | "answered" => icon::DONE,
        "error" | "graded" | "failed" => Icon::Error.path(),
        "running" | "unended" | "cancelled" => icon::UNENDED,
        _ => icon::CIRCLE,
    }
}
