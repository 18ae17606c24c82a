//! Maida, spec 0.2 (the successor of AgentDbg): `spans.jsonl` and `meta.json` of a run's folder, `maida export` and
//! `maida list --json`, and the responses of its local server.
//!
//! Seen: PyPI maida-ai 0.4.0 to 0.5.3 and the project's own fixtures. A span is one event; the span events that the
//! producer puts on the root span (exceptions, loop warnings) are events of their own. The root span is written last,
//! or never if the process died. Exports hold events in the shape of spec 0.1, which [`super::agentdbg`] describes.

mod span;
#[cfg(test)]
mod tests;

use super::agentdbg::{Dialect, QUIET, RUN_IDS, close, describe, verdict};
use traceloupe_core::catalog;
use traceloupe_engine::described::{Described, Hooks};

/// The format of Maida, spec 0.2.
pub static MAIDA: Described = Described {
    // The server's response has the spans, and events that were made from them only for the response.
    lists: &["spans", "events", "runs"],
    undivided: &["span_id", "event_type"],
    split_after: RUN_IDS,
    hooks: Hooks {
        sniff: Some(|probe| verdict(probe, Dialect::Maida)),
        join: Some(|out| close(Dialect::Maida, out)),
        ..Hooks::NONE
    },
    quiet: QUIET,
    ..Described::new(&catalog::MAIDA, |entry, out| {
        if !span::span(entry.json, out) {
            describe(entry, Dialect::Maida, out);
        }
    })
};
