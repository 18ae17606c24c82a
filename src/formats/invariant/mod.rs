//! Invariant Explorer: single traces (a list of messages) and data sets (JSONL, a trace on each line,
//! with names, metadata and annotations).
//!
//! Read from Explorer's documentation of the format, its importer and validator
//! (github.com/invariantlabs-ai/explorer, e7b13b3) and its test files. Explorer's hosted service is
//! shut down since January 2026; files that were exported before are of this format. A trace is a
//! run. An assistant's message is an LLM call with its tool calls nested in it; the outputs of tools
//! are joined to their calls by id, then by order; a tool call may stand by itself. What Explorer
//! would refuse to import is read all the same, with a warning.

mod conversation;
mod detail;
mod rows;
mod sniff;
#[cfg(test)]
mod tests;

use super::{Addressed, EventRecords, Format, Probe, Reader, Record, Verdict};
use crate::catalog::{self, Card};
use crate::model::{Detail, EventKind, RunId, SourceId, Trace, TraceBuilder};
use rows::DataSet;

/// The id of the format.
const ID: &str = "invariant";

/// The format of Invariant Explorer.
#[derive(Clone, Copy, Debug)]
pub struct Invariant;

impl Format for Invariant {
    fn card(&self) -> &'static Card {
        &catalog::INVARIANT
    }

    fn sniff(&self, probe: &Probe<'_>) -> Verdict {
        sniff::verdict(probe)
    }

    fn reader(&self, source: SourceId) -> Box<dyn Reader> {
        Box::new(InvariantReader(DataSet::new(source)))
    }

    fn detail(&self, event: &EventRecords<'_>, out: &mut Detail) {
        detail::detail(event, out);
    }

    fn addressed(&self, trace: &Trace, run: RunId) -> Option<Addressed> {
        let mut found = Addressed::default();
        for id in trace.order(run) {
            let Some(event) = trace.event(*id) else { continue };
            let mut places = trace.places(event);
            // A call inside of a message is no message; what comes after it is its output, which is.
            if event.kind == EventKind::ToolCall && event.parent().is_some() {
                found.inner.extend(places.next().map(|place| (place.span, *id)));
            }
            found.messages.extend(places.map(|place| (place, *id)));
        }
        crate::order::sort_by_key(&mut found.messages, |(place, _)| {
            (place.span.source, place.span.start)
        });
        crate::order::sort_by_key(&mut found.inner, |(span, _)| (span.source, span.start));
        Some(found)
    }
}

struct InvariantReader(DataSet);

impl Reader for InvariantReader {
    fn record(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        self.0.record(record, out);
    }

    fn finish(&mut self, out: &mut TraceBuilder) {
        self.0.finish(out);
    }
}
