//! AgentDbg, spec 0.1: `events.jsonl` and `run.json` of a run's folder, `agentdbg export` and
//! `agentdbg list --json`, and the answers of its local server.
//!
//! Seen: PyPI agentdbg 0.1.0 to 0.3.0, the TypeScript SDK and the OpenCode plugin of that time (which
//! write into `~/.maida/runs`), and `run.json` of Maida's compatibility layer, which says spec 0.2.0
//! and means 0.1. Maida's export and server answer with events of this shape as well; those are of
//! the format *maida*, and [`index`] reads them for it.
//!
//! Every event is one record, in the order of the file, which the producer declares authoritative.
//! `parent_id` and `duration_ms` are null in all files of spec 0.1; times and nesting are only known
//! where the OpenAI Agents integration put them into `meta`.

mod call;
mod claim;
mod detail;
mod index;
mod runs;
mod show;
#[cfg(test)]
mod tests;

pub(super) use call::{REDACTED, read_usage};
pub(super) use claim::{Dialect, split, verdict};
pub(super) use detail::{event_detail, loop_warning};
pub(super) use index::{Identity, Index, OpenAiSpan, set_shape, set_summary};
pub(super) use runs::{add_facts, close_runs, end_status};
pub(super) use show::{Shown, prompt_json};

use super::{EventRecords, Format, Probe, ProbeRecord, Reader, Record, Verdict};
use crate::catalog::{self, Card};
use crate::model::{Detail, SourceId, TraceBuilder};

/// The format of AgentDbg, spec 0.1.
#[derive(Clone, Copy, Debug)]
pub struct AgentDbg;

impl Format for AgentDbg {
    fn card(&self) -> &'static Card {
        &catalog::AGENTDBG
    }

    fn sniff(&self, probe: &Probe<'_>) -> Verdict {
        verdict(probe, Dialect::AgentDbg)
    }

    fn reader(&self, source: SourceId) -> Box<dyn Reader> {
        Box::new(EventReader(Index::new(Dialect::AgentDbg, source)))
    }

    fn split(&self, beginning: &ProbeRecord<'_>) -> Option<&'static str> {
        split(beginning)
    }

    fn join(&self, out: &mut TraceBuilder) {
        close_runs(Dialect::AgentDbg, out);
    }

    fn detail(&self, event: &EventRecords<'_>, out: &mut Detail) {
        event_detail(event, out);
    }
}

struct EventReader(Index);

impl Reader for EventReader {
    fn record(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        self.0.record(record, out);
    }

    fn part(&mut self, part: &Record<'_>, out: &mut TraceBuilder) {
        self.0.part(part, out);
    }

    fn finish(&mut self, out: &mut TraceBuilder) {
        self.0.finish(out);
    }
}
