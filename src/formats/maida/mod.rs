//! Maida, spec 0.2 (what AgentDbg became): `spans.jsonl` and `meta.json` of a run's folder, `maida
//! export` and `maida list --json`, and the answers of its local server.
//!
//! Seen: PyPI maida-ai 0.4.0 to 0.5.3 and the project's own fixtures. A span is one event; what the
//! producer puts on the root span as span events (exceptions, loop warnings) are events of their
//! own. The root span is written last, or never if the process died. Exports hold events in the
//! shape of spec 0.1, which [`super::agentdbg`] reads.

mod detail;
mod span;
#[cfg(test)]
mod tests;

use super::LineCounter;
use super::agentdbg::{Dialect, Index, close_runs, event_detail, split, verdict};
use super::fields::{fields, items};
use super::{EventRecords, Format, Probe, ProbeRecord, Reader, Record, Verdict};
use crate::catalog::{self, Card};
use crate::model::{Detail, SourceId, TraceBuilder};

/// The format of Maida, spec 0.2.
#[derive(Clone, Copy, Debug)]
pub struct Maida;

impl Format for Maida {
    fn card(&self) -> &'static Card {
        &catalog::MAIDA
    }

    fn sniff(&self, probe: &Probe<'_>) -> Verdict {
        verdict(probe, Dialect::Maida)
    }

    fn reader(&self, source: SourceId) -> Box<dyn Reader> {
        Box::new(SpanReader { index: Index::new(Dialect::Maida, source), on_root: Vec::new() })
    }

    fn split(&self, beginning: &ProbeRecord<'_>) -> Option<&'static str> {
        split(beginning)
    }

    fn join(&self, out: &mut TraceBuilder) {
        close_runs(Dialect::Maida, out);
    }

    fn detail(&self, event: &EventRecords<'_>, out: &mut Detail) {
        if !detail::span_detail(event, out) {
            event_detail(event, out);
        }
    }
}

struct SpanReader {
    index: Index,
    on_root: Vec<span::OnRoot>,
}

impl Reader for SpanReader {
    fn record(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        if span::read(&mut self.index, record, &mut self.on_root, out) {
            return;
        }
        // The server's answer holds the spans, and events that were made of them just for the
        // answer.
        let spans = match fields(record.json, ["spans"]) {
            Some([Some(spans)]) => items(spans),
            _ => Vec::new(),
        };
        // An empty list brings no span, so the record is whatever else it says it is.
        if !spans.is_empty() {
            let mut line = LineCounter::new(record);
            for item in spans {
                let inner = line.place(record.inner(item));
                if !span::read(&mut self.index, &inner, &mut self.on_root, out) {
                    self.index.unknown(&inner, out);
                }
            }
            return;
        }
        self.index.record(record, out);
    }

    fn part(&mut self, part: &Record<'_>, out: &mut TraceBuilder) {
        self.index.part(part, out);
    }

    fn finish(&mut self, out: &mut TraceBuilder) {
        span::add_on_root(&mut self.index, &mut self.on_root, out);
        self.index.finish(out);
    }
}
