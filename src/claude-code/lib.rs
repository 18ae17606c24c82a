//! Claude Code sessions: `~/.claude/projects/<folder>/<session>.jsonl`, with sub-agents in records of the same file or
//! in `agent-<id>.jsonl` beside it, and `{"loglines":[…]}` of the web version.
//!
//! Versions seen: 1.0 to 2.1.159, and iFlow, which writes the same envelope. The producer describes
//! the place of the files, not their shape: <https://code.claude.com/docs/en/how-claude-code-works>.
//!
//! **How it is read.** A run is a session (`sessionId`), a lane is an agent. All records with one `message.id` are one
//! LLM call; its tool calls are nested in it and carry their results. The chain `uuid`/`parentUuid` is an order, not a
//! nesting, so the file order is kept. Nothing is lost: a record that is not a message is a note, and the progress of a
//! tool call is a part of the call.
//!
//! Beside the transcripts of agents are `agent-<id>.meta.json`, which is a part of the call that started the agent, and
//! the `journal.jsonl` of a workflow, which has the answers of its agents. Only their folder identifies their session.
//!
//! It is the only format with a reader of its own: described with the kit, the index pass of its files would take 24 %
//! more instructions (`docs/decisions/formats.md`).
//!
//! **Copies.** A resumed session repeats earlier records under their old `uuid`. In one run such a
//! record is shown once; in another run it is shown again as a copy, and its usage does not count.

mod blocks;
mod index;
mod opened;
mod sniff;
mod tolerant;
mod wire;

#[cfg(test)]
mod tests;

use traceloupe_core::catalog;
use traceloupe_core::model::{Detail, SourceId, TraceBuilder};
use traceloupe_engine::{EventRecords, Format, Probe, Reader, Verdict};

/// The id of the format, also used in its runs and keys.
const ID: &str = "claude-code";

/// Session files of Claude Code.
#[derive(Clone, Copy, Debug)]
pub struct ClaudeCode;

impl Format for ClaudeCode {
    fn id(&self) -> &'static str {
        catalog::CLAUDE_CODE.id
    }

    fn name(&self) -> &'static str {
        catalog::CLAUDE_CODE.name
    }

    fn sniff(&self, probe: &Probe<'_>) -> Verdict {
        sniff::sniff(probe)
    }

    fn reader(&self, _source: SourceId) -> Box<dyn Reader> {
        Box::new(index::SessionReader::default())
    }

    fn join(&self, out: &mut TraceBuilder) {
        index::join(out);
    }

    fn detail(&self, event: &EventRecords<'_>, out: &mut Detail) {
        opened::detail(event, out);
    }
}
