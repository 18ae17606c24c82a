//! AgentV (EntityProcess/agentv), all eras of its files: the files in which an evaluation framework keeps the runs that
//! it has graded.
//!
//! Seen: v0.25 (December 2025) to 4.42.4 of June 2026 and the main branch of July 2026: lists of trace events (`text`
//! and `trace`), rows of results in JSONL and YAML with `output_messages`, `output`, `trace` or `trace_summary`, the
//! compact inline form (`tool`, `input`, `output`), and the files of a run's folder: `agentv.trace.v1` (spans),
//! `agentv.transcript.v1`, `agentv.normalized_transcript.v1`, `agentv.metrics.v1`, `grading.json`, `timing.json`,
//! `benchmark.json`; replay fixtures. Raw logs of the Pi CLI, which AgentV also keeps, are read by the format `pi`.
//!
//! One test with one target is a run; files with the same trace id, of one folder, or named by a row are one run
//! ([`join`]). A message of the model is an LLM call, with its tool calls nested in it. The grade is a note at the end
//! of the run.

mod documents;
mod duplicates;
mod finish;
mod grading;
mod join;
mod keys;
mod messages;
mod run;
mod shape;
mod spans;
#[cfg(test)]
mod tests;

use keys::Keys;
use shape::Shape;
use traceloupe_core::catalog;
use traceloupe_core::json::Json;
use traceloupe_engine::described::{Described, Entry, Hooks};
use traceloupe_engine::kit::Description;

/// The format of AgentV.
pub static AGENTV: Described = Described {
    hooks: Hooks {
        sniff: Some(shape::verdict),
        list_of: Some(list_of),
        join: Some(join::join),
        opened: Some(finish::opened),
        ..Hooks::NONE
    },
    quiet: &[
        "schema_version",
        "role",
        "type",
        "v",
        "timestamp",
        "startTime",
        "start_time",
        "end_time",
        "ts",
        "duration_ms",
        "name",
        "model",
        "cost_usd",
        "token_usage",
        "span_id",
        "trace_id",
        "parent_span_id",
        "start_time_unix_nano",
        "end_time_unix_nano",
        "status",
        "tool_calls.*.tool",
        "tool_calls.*.name",
        "tool_calls.*.status",
        "tool_calls.*.start_time",
        "tool_calls.*.end_time",
        "tool_calls.*.duration_ms",
        "tool_calls.*.trace",
        "content.*.name",
        "content.*.result.status",
        "content.*.result.duration_ms",
        "transcript_duration_ms",
        "transcript_cost_usd",
        "transcript_token_usage",
    ],
    ..Described::new(&catalog::AGENTV, describe)
};

/// The list of a document. Most records are messages, spans and events, not documents.
fn list_of(document: Json<'_>) -> Option<&'static str> {
    if document.any(&["role", "span_id", "v"]).is_given() {
        return None;
    }
    let document = &Keys::new(document);
    documents::list_of(document, Shape::of(document)?.0)
}

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = &Keys::new(entry.json);
    // Most records are items of lists and need no further test.
    if record.has("attributes") && spans::span(record, out) {
        return;
    }
    let is_message = record.has("role") && record.has("content|tool_calls");
    if is_message && record.has("content") && !record.has("schema_version") {
        return messages::message(record, Json::ABSENT, out);
    }
    match Shape::of(record).map(|it| it.0) {
        Some(Shape::Turn) => messages::turn(record, out),
        Some(Shape::TraceEvent) => messages::event(record, out),
        Some(shape) if shape != Shape::Message => documents::describe(record, shape, out),
        None if spans::span(record, out) => {}
        _ if is_message => messages::message(record, Json::ABSENT, out),
        // An event in a list, even if fields are missing.
        _ if record.at("type").text().is_some() => messages::event(record, out),
        _ => {}
    }
}
