//! The outcome of a run, in words and as an icon.

use leptos::prelude::*;

use crate::browser;
use crate::glyph::glyph;
use traceloupe_core::model::RunOutcome;
use traceloupe_protocol::outline::RunLine;
use traceloupe_view::icon::{self, Icon};
use traceloupe_view::run_outcome::run_outcome;
use traceloupe_words::{outcome_words, short_outcome};

/// The outcome of a run, using the browser's clock.
pub fn outcome(run: &RunLine, has_loops: bool, is_live: bool) -> RunOutcome {
    match run_outcome(run, has_loops, browser::clock_ms()) {
        RunOutcome::NoEnd if is_live => RunOutcome::Running,
        outcome => outcome,
    }
}

/// The outcome of a run in a word or two with its icon; nothing if the file does not state it.
pub fn outcome_badge(run: &RunLine, has_loops: bool, is_live: bool) -> AnyView {
    let outcome = outcome(run, has_loops, is_live);
    let (short, words) = (short_outcome(outcome), outcome_words(outcome));
    let badge = (!short.is_empty()).then(|| {
        markup! { <span class="outcome" data-status=outcome.word() title=words>{glyph(sign(outcome))}{short}</span> }
    });
    badge.into_any()
}

/// The icon of an outcome.
pub fn sign(outcome: RunOutcome) -> &'static str {
    match outcome {
        RunOutcome::Ok | RunOutcome::OkWithLoops | RunOutcome::Answered => icon::DONE,
        RunOutcome::Failed | RunOutcome::GradedFail | RunOutcome::HasErrors => Icon::Error.path(),
        RunOutcome::Running | RunOutcome::NoEnd | RunOutcome::Cancelled => icon::UNENDED,
        RunOutcome::Unknown => icon::CIRCLE,
    }
}
