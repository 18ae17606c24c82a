//! AgentV (EntityProcess/agentv), all eras of its files: what an evaluation framework keeps of the
//! runs that it has graded.
//!
//! Seen: v0.25 (December 2025) to 4.42.4 of June 2026 and the main branch of July 2026: lists of trace
//! events (`text` and `trace`), rows of results in JSONL and YAML with `output_messages`, `output`,
//! `trace` or `trace_summary`, the compact inline form (`tool`, `input`, `output`), and what a run's
//! folder holds: `agentv.trace.v1` (spans), `agentv.transcript.v1`,
//! `agentv.normalized_transcript.v1`, `agentv.metrics.v1`, `grading.json`, `timing.json`,
//! `benchmark.json`; replay fixtures. The raw logs of the Pi CLI that it keeps are those of `pi`.
//!
//! One test with one target is a run; files with the same trace id, of one folder, or named by a row
//! are one run ([`join`]). A message of the model is an LLM call, with its tool calls nested in it. The
//! grade stands at the end of the run, as a note.
//!
//! Which list of a document holds its records depends on what the document is, so this format chooses it itself
//! ([`Describer::list_of`]).

mod claim;
mod copies;
mod documents;
mod grading;
mod join;
mod members;
mod run;
mod settle;
mod shape;
mod spans;
mod talk;
#[cfg(test)]
mod tests;
mod transcripts;

use super::kit::{Describer, Description, Entry, detail, reader};
use super::{EventRecords, Format, Probe, Reader, Verdict};
use crate::catalog;
use crate::json::Json;
use crate::model::{Block, Detail, SourceId, TraceBuilder};
use members::Members;
use shape::Shape;

/// The format of AgentV.
#[derive(Clone, Copy, Debug)]
pub struct AgentV;

/// The id of the format.
const ID: &str = "agentv";

impl Describer for AgentV {
    fn list_of(&self, document: Json<'_>) -> Option<(&str, bool)> {
        // Most records are messages, spans and events. None of them is a document.
        let is_item = ["role", "span_id", "v"].iter().any(|key| document.field(key).is_given());
        let document = Members::new(document).filter(|_| !is_item)?;
        documents::list_of(&document, Shape::of(&document)?.0).map(|list| (list, false))
    }

    fn describe<'a>(&self, entry: Entry<'a>, out: &mut Description<'a>) {
        let Some(record) = Members::new(entry.json) else { return };
        // Most records are items of lists: they need not be looked at any further.
        if record.has("attributes") && spans::span(&record, out) {
            return;
        }
        if record.has("role") && record.has("content") && !record.has("schema_version") {
            return talk::message(&record, Json::ABSENT, out);
        }
        match Shape::of(&record).map(|(shape, _)| shape) {
            Some(Shape::Spans) => spans::document(&record, out),
            Some(Shape::TranscriptRow) => transcripts::row(&record, out),
            Some(Shape::Turn) => talk::turn(&record, entry.json, out),
            Some(Shape::TraceEvent) => talk::event(&record, out),
            Some(Shape::Message) => talk::message(&record, Json::ABSENT, out),
            Some(shape) => documents::describe(&record, shape, out),
            None if spans::span(&record, out) => {}
            // A message, also one without calls.
            None if record.has("role") && (record.has("content") || record.has("tool_calls")) => {
                talk::message(&record, Json::ABSENT, out);
            }
            // An event in a list, whatever it lacks.
            None if record.at(&["type"]).text().is_some() => talk::event(&record, out),
            None => {}
        }
    }

    fn quiet(&self) -> Vec<&str> {
        QUIET.to_vec()
    }
}

/// What the row of an event shows itself.
const QUIET: &[&str] = &[
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
];

impl Format for AgentV {
    fn id(&self) -> &'static str {
        catalog::AGENTV.id
    }

    fn name(&self) -> &'static str {
        catalog::AGENTV.name
    }

    fn sniff(&self, probe: &Probe<'_>) -> Verdict {
        claim::verdict(probe)
    }

    fn reader(&self, source: SourceId) -> Box<dyn Reader> {
        reader(ID, Box::new(Self), source, None)
    }

    fn join(&self, out: &mut TraceBuilder) {
        super::weave::join(ID, out);
        join::join(out);
    }

    fn detail(&self, event: &EventRecords<'_>, out: &mut Detail) {
        detail(self, event, out);
        if event.event.selector == settle::REPEATED {
            out.blocks.retain(|block| !matches!(block, Block::Text("Response", _)));
            let note = "AgentV wrote the answer before the calls as well; it is the next message";
            out.blocks.push(Block::Note(note.to_owned()));
        }
    }
}
