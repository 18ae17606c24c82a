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

mod claim;
mod copies;
mod detail;
mod detail_call;
mod detail_grading;
mod events;
mod grading;
mod join;
mod members;
mod messages;
mod rows;
mod shape;
mod spans;
mod summaries;
#[cfg(test)]
mod tests;
mod trace_events;
mod transcripts;
mod turns;

use super::{EventRecords, Format, Probe, Reader, Record, Verdict};
use crate::catalog::{self, Card};
use crate::model::{Detail, EventKind, SourceId, TraceBuilder};
use crate::notice::NoticeCode;
use events::At;
use shape::Shape;

/// The format of AgentV.
#[derive(Clone, Copy, Debug)]
pub struct AgentV;

impl Format for AgentV {
    fn card(&self) -> &'static Card {
        &catalog::AGENTV
    }

    fn sniff(&self, probe: &Probe<'_>) -> Verdict {
        claim::verdict(probe)
    }

    fn reader(&self, source: SourceId) -> Box<dyn Reader> {
        Box::new(AgentVReader::new(source))
    }

    fn join(&self, out: &mut TraceBuilder) {
        join::join(out);
    }

    fn detail(&self, event: &EventRecords<'_>, out: &mut Detail) {
        detail::detail(event, out);
    }
}

struct AgentVReader {
    source: SourceId,
    /// How many runs without an id of their own the source has had.
    n_runs: usize,
    /// The run of records that are single events of one.
    stream: Option<At>,
    pairs: trace_events::Pairs,
    transcripts: transcripts::Transcripts,
    turns: turns::Turns,
}

impl AgentVReader {
    fn new(source: SourceId) -> Self {
        Self {
            source,
            n_runs: 0,
            stream: None,
            pairs: trace_events::Pairs::default(),
            transcripts: transcripts::Transcripts::default(),
            turns: turns::Turns::default(),
        }
    }

    /// A key for a run that has no id: the source, and a number from the second one on.
    fn own_key(&mut self) -> String {
        self.n_runs += 1;
        match self.n_runs {
            1 => format!("source {}", self.source.index()),
            n => format!("source {}/{n}", self.source.index()),
        }
    }

    /// The run of all records of this source that are single events.
    fn stream(&mut self, out: &mut TraceBuilder) -> At {
        if let Some(at) = self.stream {
            return at;
        }
        let key = self.own_key();
        let at = At::of_run(&key, out);
        self.stream = Some(at);
        at
    }
}

impl Reader for AgentVReader {
    fn record(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        let shape = members::Members::new(record.json).and_then(|it| Shape::of(&it));
        let shape = shape.map(|(shape, _)| shape);
        match shape {
            Some(Shape::Row) => rows::read_row(record, &self.own_key(), out),
            Some(Shape::Fixture) => rows::read_fixture(record, &self.own_key(), out),
            Some(Shape::Answer | Shape::Messages) => {
                rows::read_answer_document(record, &self.own_key(), out);
            }
            Some(Shape::Spans) => spans::read(record, self.source, out),
            Some(Shape::TranscriptRow) => {
                let key = format!("source {}", self.source.index());
                self.transcripts.read(record, &key, out);
            }
            Some(Shape::Turns) => turns::read_document(record, &self.own_key(), out),
            Some(Shape::Turn) => {
                let at = self.stream(out);
                self.turns.read(record, at, out);
            }
            Some(
                shape @ (Shape::Grading
                | Shape::Metrics
                | Shape::Timing
                | Shape::Task
                | Shape::Benchmark),
            ) => {
                summaries::read(record, shape, &self.own_key(), out);
            }
            Some(Shape::TraceEvent) => {
                let at = self.stream(out);
                self.pairs.push(record, at, out);
            }
            Some(Shape::Message) | None => self.other(record, out),
        }
    }

    fn finish(&mut self, out: &mut TraceBuilder) {
        self.transcripts.finish(out);
    }
}

impl AgentVReader {
    /// A message, also one without calls; anything else is shown as it is.
    fn other(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        let at = self.stream(out);
        let is_message = members::Members::new(record.json)
            .is_some_and(|it| it.has("role") && (it.has("content") || it.has("tool_calls")));
        if is_message {
            messages::push(record, at, messages::Context::default(), out);
            return;
        }
        out.warn(NoticeCode::UnknownRecord, &record.place(), "");
        let (id, _) = events::event(EventKind::Record, at, record, None, out);
        events::summary(id, record, Some(record.text), out);
    }
}
