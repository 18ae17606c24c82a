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
use crate::model::{Detail, RunId, SourceId, Trace, TraceBuilder};
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
        Some(Addressed::of_messages(trace, run))
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
