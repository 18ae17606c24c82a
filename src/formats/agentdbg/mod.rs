//! AgentDbg, spec 0.1: `events.jsonl` and `run.json` of a run's folder, `agentdbg export` and `agentdbg list --json`,
//! and the responses of its local server.
//!
//! Seen: PyPI agentdbg 0.1.0 to 0.3.0, the TypeScript SDK and the OpenCode plugin of that time (which write into
//! `~/.maida/runs`), and `run.json` of Maida's compatibility layer, which states spec 0.2.0 but follows 0.1. Maida's
//! export and server also return events of this shape; these belong to the format *maida*, which uses the code of this
//! module for them.
//!
//! Every event is one record, in the order of the file, which the producer declares authoritative.
//! `parent_id` and `duration_ms` are null in all files of spec 0.1; times and nesting are only known
//! where the OpenAI Agents integration put them into `meta`.

mod detection;
mod event;
mod marks;
mod runs;
mod sdk_span;
#[cfg(test)]
mod tests;

pub(super) use detection::{Dialect, verdict};
pub(super) use event::{asked, error, error_part, gist_of_call, loop_warning, state};
pub(super) use marks::{is_redacted, mark};
pub(super) use runs::{FACTS, close, status_of};
pub(super) use sdk_span::SdkSpan;

use traceloupe_core::catalog;
use traceloupe_engine::described::{Described, Entry, Hooks};
use traceloupe_engine::kit::{Description, What};

/// The format of AgentDbg, spec 0.1.
pub static AGENTDBG: Described = Described {
    lists: &["events", "runs"],
    undivided: &["event_type", "span_id"],
    split_after: RUN_IDS,
    hooks: Hooks {
        sniff: Some(|probe| verdict(probe, Dialect::AgentDbg)),
        join: Some(|out| close(Dialect::AgentDbg, out)),
        ..Hooks::NONE
    },
    quiet: QUIET,
    ..Described::new(&catalog::AGENTDBG, |entry, out| describe(entry, Dialect::AgentDbg, out))
};

/// The places where an export states the run of its events. Responses of the servers state it in every event, or
/// contain everything twice, so they are not split.
pub(super) const RUN_IDS: &[&str] = &["run.run_id", "run.trace_id"];

/// Keys whose values the row of an event or a span already shows.
pub(super) const QUIET: &[&str] = &[
    "spec_version",
    "event_type",
    "event_id",
    "run_id",
    "parent_id",
    "ts",
    "timestamp",
    "duration_ms",
    "name",
    "payload.model",
    "payload.tool_name",
    "payload.status",
    "trace_id",
    "span_id",
    "parent_span_id",
    "kind",
    "start_time",
    "end_time",
    "status_code",
    "events.*.name",
    "events.*.timestamp",
    "attributes.gen_ai.operation.name",
    "attributes.gen_ai.request.model",
    "attributes.maida.event_type",
    "attributes.maida.tool_name",
    "attributes.maida.status",
];

/// Describes a record that is not a span: an event, or a document about runs.
pub(super) fn describe<'a>(entry: Entry<'a>, dialect: Dialect, out: &mut Description<'a>) {
    if event::event(entry.json, dialect, out) {
        return;
    }
    let run = entry.json.get("run").or(entry.json);
    if runs::run(run, out) || entry.is_document {
        if out.run.key.is_absent() {
            out.run(runs::key(run).or(runs::key(entry.json)));
        }
        out.item(What::Nothing);
    }
}
