//! The formats: one file each, and the registry [`FORMATS`].
//!
//! A format says how sure it is that some records are its own ([`Format::sniff`]), turns records
//! into events ([`Format::reader`]: the index pass, borrowed, nothing copied) and says what an
//! opened row shows ([`Format::detail`]: the lazy pass over the records of one event).
//!
//! **Invariants.** Detection looks at content; a file name can only raise a verdict. No two formats
//! are certain of the same records. A reader never fails: what it does not know becomes an event of
//! kind [`crate::model::EventKind::Record`] or a warning. `docs/adding-a-format.md` describes
//! how to add a format.

pub mod a2a;
pub mod acp;
pub mod address;
pub mod adp;
pub mod ag_ui;
pub mod agent_inspector;
pub mod agentdbg;
pub mod agentv;
pub mod ai_sdk;
pub mod aider;
pub mod amp;
pub mod annotation;
pub mod antigravity;
pub mod archi;
pub mod atif;
pub mod autogen;
pub mod braintrust;
pub mod browser_use;
pub mod chat;
pub mod chatgpt_export;
pub mod claude_code;
pub mod claude_export;
pub mod claude_stream;
pub mod claude_workflow;
pub mod cline;
pub mod codebuddy;
pub mod codex;
pub mod codex_exec;
pub mod copilot_chat;
pub mod copilot_cli;
pub mod crewai;
pub mod crush;
pub mod cursor;
pub mod datadog;
pub mod deepseek_harness;
pub mod droid;
pub mod evalscope;
mod fields;
pub mod flashinfer;
pub mod gemini_cli;
pub mod google_adk;
pub mod google_adk_eval;
pub mod goose;
pub mod grok;
pub mod guess;
pub mod har;
pub mod harmony;
pub mod helicone;
pub mod hermes;
pub mod inspect;
pub mod invariant;
pub mod kimi;
pub mod kiro;
mod kit;
pub mod langchain;
pub mod langfuse;
pub mod langsmith;
pub mod letta;
mod lines;
pub mod llama_index;
pub mod loongflow;
pub mod maida;
mod mapped;
pub mod mastra;
pub mod mcp;
pub mod mini_swe_agent;
pub mod mlflow;
pub mod openai_agents;
pub mod openclaw;
pub mod opencode;
pub mod openhands;
pub mod openhands_v0;
pub mod opik;
pub mod otel;
pub mod phoenix;
pub mod pi;
mod probe;
pub mod pydantic_ai;
pub mod qwen_code;
mod record;
pub mod records;
mod shapes;
pub mod smolagents;
pub mod strands;
pub mod swe_agent;
pub mod tau_bench;
pub mod terminal_bench;
#[cfg(test)]
mod testing;
pub mod toolbench;
pub mod wandb_weave;
mod weave;
pub mod webarena;

pub use lines::LineCounter;
pub use probe::{Probe, ProbeRecord, Verdict};
pub use record::{EventRecords, Record, RecordText};
pub use weave::is_nameless;
#[cfg(fuzzing)]
pub use weave::test_format::TEST as ENGINES;

use crate::input::{Document, SplitAt};
use crate::model::{Detail, EventId, EventKind, Place, RunId, SourceId, Span, Trace, TraceBuilder};

/// A trace format.
pub trait Format: Sync {
    /// Its stable id, as on its card.
    fn id(&self) -> &'static str;
    /// The producer's name for people, as on its card.
    fn name(&self) -> &'static str;
    /// How sure this format is that the records are its own, and why. Cheap; cannot fail.
    fn sniff(&self, probe: &Probe<'_>) -> Verdict;
    /// A reader for one source.
    fn reader(&self, source: SourceId) -> Box<dyn Reader>;
    /// The top-level list of a long document whose items the reader takes as records of their own.
    /// Asked with the beginning of the document; [`SplitAt::Never`] (the document is one record) is never wrong.
    fn split(&self, _beginning: &ProbeRecord<'_>) -> SplitAt {
        SplitAt::Never
    }
    /// Links what stands in different sources; called once, when all of them are read.
    fn join(&self, _out: &mut TraceBuilder) {}
    /// What addresses of annotations count in a run. `None` where they count events.
    fn addressed(&self, _trace: &Trace, _run: RunId) -> Option<Addressed> {
        None
    }
    /// The places that the records of an event refer to, to be read for [`EventRecords::referred`].
    fn referred(&self, _event: &EventRecords<'_>) -> Vec<Span> {
        Vec::new()
    }
    /// What an opened row shows.
    fn detail(&self, event: &EventRecords<'_>, out: &mut Detail);
}

/// What addresses of annotations count, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Addressed {
    /// The messages, each with the event that it belongs to.
    pub messages: Vec<(Place, EventId)>,
    /// Values inside of messages that are events of their own.
    pub inner: Vec<(Span, EventId)>,
}

impl Addressed {
    /// The messages of a run whose records are messages: those of its events, each once.
    fn of_messages(trace: &Trace, run: RunId) -> Self {
        let mut found = Self::default();
        for id in trace.order(run) {
            let Some(event) = trace.event(*id) else { continue };
            // The document around the messages is none of them.
            if event.kind == EventKind::RunStart {
                continue;
            }
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
        // One message may be several events: words, and the results of calls.
        found.messages.dedup_by_key(|(place, _)| place.span);
        crate::order::sort_by_key(&mut found.inner, |(span, _)| (span.source, span.start));
        found
    }
}

/// Reads the records of one source. Records are pushed, so that reading and indexing overlap.
pub trait Reader {
    /// Takes the next record.
    fn record(&mut self, record: &Record<'_>, out: &mut TraceBuilder);
    /// Takes what stands before or behind the list of a document that was split ([`Format::split`]),
    /// as an object; where it stands before, the list is in it, empty.
    fn part(&mut self, _part: &Record<'_>, _out: &mut TraceBuilder) {}
    /// The source has ended: pair, close, say what is missing.
    fn finish(&mut self, out: &mut TraceBuilder);
}

/// Every format, by family. Of two that could both read a list of messages, the first one does; all other ties are
/// a test failure.
pub const FORMATS: &[&dyn Format] = &[
    // Coding agents
    &claude_code::ClaudeCode,
    &codex::CODEX,
    &claude_stream::CLAUDE_STREAM,
    &cline::CLINE,
    &opencode::OPENCODE,
    &gemini_cli::GEMINI_CLI,
    &codex_exec::CODEX_EXEC,
    &qwen_code::QWEN_CODE,
    &claude_export::CLAUDE_EXPORT,
    &chatgpt_export::CHATGPT_EXPORT,
    &copilot_chat::COPILOT_CHAT,
    &copilot_cli::COPILOT_CLI,
    &pi::PI,
    &openclaw::OPENCLAW,
    &droid::DROID,
    &goose::GOOSE,
    &amp::AMP,
    &kimi::KIMI,
    &kiro::KIRO,
    &antigravity::ANTIGRAVITY,
    &grok::GROK,
    &deepseek_harness::DEEPSEEK_HARNESS,
    &crush::CRUSH,
    &cursor::CURSOR,
    &codebuddy::CODEBUDDY,
    &claude_workflow::CLAUDE_WORKFLOW,
    &aider::AIDER,
    &hermes::HERMES,
    &letta::LETTA,
    &openhands::OPENHANDS,
    &openhands_v0::OPENHANDS_V0,
    &swe_agent::SWE_AGENT,
    &mini_swe_agent::MINI_SWE_AGENT,
    // APIs and protocols
    &chat::CHAT,
    &ai_sdk::AI_SDK,
    &har::HAR,
    &mcp::MCP,
    &a2a::A2A,
    &ag_ui::AG_UI,
    &acp::ACP,
    &google_adk::GOOGLE_ADK,
    &google_adk_eval::GOOGLE_ADK_EVAL,
    &pydantic_ai::PYDANTIC_AI,
    &mastra::MASTRA,
    &llama_index::LLAMA_INDEX,
    &crewai::CREWAI,
    &smolagents::SMOLAGENTS,
    &strands::STRANDS,
    &autogen::AUTOGEN,
    &harmony::HARMONY,
    // Observability
    &agentdbg::AGENTDBG,
    &maida::MAIDA,
    &otel::OTEL,
    &otel::JAEGER,
    &otel::ZIPKIN,
    &archi::ARCHI,
    &langchain::LANGCHAIN,
    &langfuse::LANGFUSE,
    &langsmith::LANGSMITH,
    &openai_agents::OPENAI_AGENTS,
    &phoenix::PHOENIX,
    &mlflow::MLFLOW,
    &wandb_weave::WANDB_WEAVE,
    &braintrust::BRAINTRUST,
    &datadog::DATADOG,
    &helicone::HELICONE,
    &opik::OPIK,
    // Evaluations and research
    &agent_inspector::AGENT_INSPECTOR,
    &flashinfer::FLASHINFER,
    &inspect::INSPECT,
    &invariant::INVARIANT,
    &agentv::AgentV,
    &atif::ATIF,
    &terminal_bench::TERMINAL_BENCH,
    &tau_bench::TAU_BENCH,
    &toolbench::TOOLBENCH,
    &evalscope::EVALSCOPE,
    &webarena::WEBARENA,
    &browser_use::BROWSER_USE,
    &loongflow::LOONGFLOW,
    &adp::ADP,
    // What no format knows
    &records::Records,
];

/// The documents of an archive that is one trace, by the names of its entries, in the order in which to read
/// them. `None` for archives of any other kind.
#[must_use]
pub fn documents_of_trace(names: &[&str]) -> Option<Vec<Document>> {
    inspect::documents_of_log(names)
}

/// The entries of such an archive that say how its documents came out. None of an archive of any other kind.
#[must_use]
pub fn summaries_of_trace(names: &[&str]) -> Vec<usize> {
    inspect::summaries_of_log(names)
}

/// What such an entry says: outcomes, by how the names of the documents' entries begin.
#[must_use]
pub fn outcomes(summaries: &str) -> Vec<(String, String)> {
    inspect::outcomes(summaries)
}

/// The format with an id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.id() == id)
}
