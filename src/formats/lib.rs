//! The formats: one file each, and the registry [`FORMATS`].
//!
//! `traceloupe_engine` has the definition of a format and its building blocks. Formats are in this package because it
//! is compiled for size: few of them are in use at a time, and each is small beside the engines that they share.
//! `crate::fast` has the formats whose speed matters most.

pub mod a2a;
pub mod acp;
pub mod address;
pub mod adp;
pub mod ag_ui;
pub mod agent_inspector;
pub mod agentdbg;
pub mod agentdojo;
pub mod agentv;
pub mod agno;
pub mod ai_sdk;
pub mod ai_studio;
pub mod aider;
pub mod amazon_q;
pub mod amp;
pub mod annotation;
pub mod antigravity;
pub mod any_json;
pub mod archi;
pub mod atif;
pub mod autogen;
pub mod bedrock_agents;
pub mod bot_framework;
pub mod braintrust;
pub mod browser_use;
pub mod chat;
pub mod chatgpt_export;
pub mod claude_export;
pub mod claude_stream;
pub mod claude_workflow;
pub mod cline;
pub mod codebuddy;
pub mod codex;
pub mod codex_exec;
pub mod continue_dev;
pub mod copilot_chat;
pub mod copilot_cli;
pub mod copilot_debug;
pub mod crewai;
pub mod crush;
pub mod cursor;
pub mod databases;
pub mod datadog;
pub mod deepseek_export;
pub mod deepseek_harness;
pub mod droid;
pub mod entire;
pub mod evalscope;
pub mod flashinfer;
pub mod forge;
pub mod gemini_cli;
pub mod google_adk;
pub mod google_adk_eval;
pub mod goose;
pub mod grok;
pub mod grok_export;
pub mod guess;
pub mod har;
pub mod harmony;
pub mod helicone;
pub mod hermes;
pub mod inspect;
pub mod invariant;
pub mod join_by_folder;
pub mod kimi;
pub mod kiro;
pub mod langchain;
pub mod langfuse;
pub mod langsmith;
pub mod letta;
pub mod llama_index;
pub mod llm_cli;
pub mod lm_eval;
pub mod lm_studio;
pub mod loongflow;
pub mod maida;
pub mod managed_agents;
mod mapped;
pub mod mastra;
pub mod mcp;
pub mod mini_swe_agent;
pub mod mistral_vibe;
pub mod mlflow;
pub mod n8n;
pub mod open_webui;
pub mod openai_agents;
pub mod openai_assistants;
pub mod openclaw;
pub mod opencode;
pub mod openhands;
pub mod openhands_v0;
pub mod opik;
pub mod osworld;
pub mod otel;
pub mod other_files;
pub mod phoenix;
pub mod pi;
pub mod posthog;
pub mod promptfoo;
pub mod pydantic_ai;
pub mod qwen_code;
pub mod react;
pub mod session_traces;
pub mod smolagents;
pub mod specstory;
pub mod strands;
pub mod swe_agent;
pub mod tau_bench;
pub mod terminal_bench;
#[cfg(test)]
#[path = "../engine/testing.rs"]
mod testing;
pub mod toolbench;
pub mod trae_agent;
pub mod wandb_weave;
pub mod webarena;
pub mod zed;

#[cfg(test)]
use traceloupe_engine::RecordText;
use traceloupe_engine::{EventRecords, Format, Probe, ProbeRecord, Reader, Record, Verdict};
use traceloupe_input::Document;

/// Every format, by family. If two formats could both read a list of messages, the first one does; all other ties are a
/// test failure.
pub const FORMATS: &[&dyn Format] = &[
    // Coding agents
    &traceloupe_claude_code::ClaudeCode,
    &codex::CODEX,
    &claude_stream::CLAUDE_STREAM,
    &cline::CLINE,
    &opencode::OPENCODE,
    &gemini_cli::GEMINI_CLI,
    &codex_exec::CODEX_EXEC,
    &qwen_code::QWEN_CODE,
    &claude_export::CLAUDE_EXPORT,
    &chatgpt_export::CHATGPT_EXPORT,
    &deepseek_export::DEEPSEEK_EXPORT,
    &grok_export::GROK_EXPORT,
    &open_webui::OPEN_WEBUI,
    &lm_studio::LM_STUDIO,
    &llm_cli::LLM_CLI,
    &copilot_chat::COPILOT_CHAT,
    &copilot_debug::COPILOT_DEBUG,
    &copilot_cli::COPILOT_CLI,
    &pi::PI,
    &openclaw::OPENCLAW,
    &droid::DROID,
    &goose::GOOSE,
    &amp::AMP,
    &kimi::KIMI,
    &kiro::KIRO,
    &mistral_vibe::MISTRAL_VIBE,
    &amazon_q::AMAZON_Q,
    &antigravity::ANTIGRAVITY,
    &grok::GROK,
    &deepseek_harness::DEEPSEEK_HARNESS,
    &crush::CRUSH,
    &cursor::CURSOR,
    &zed::ZED,
    &forge::FORGE,
    &codebuddy::CODEBUDDY,
    &claude_workflow::CLAUDE_WORKFLOW,
    &aider::AIDER,
    &specstory::SPECSTORY,
    &hermes::HERMES,
    &letta::LETTA,
    &openhands::OPENHANDS,
    &openhands_v0::OPENHANDS_V0,
    &swe_agent::SWE_AGENT,
    &mini_swe_agent::MINI_SWE_AGENT,
    &entire::ENTIRE,
    &trae_agent::TRAE_AGENT,
    &continue_dev::CONTINUE,
    &session_traces::SESSION_TRACES,
    // APIs and protocols
    &chat::CHAT,
    &ai_sdk::AI_SDK,
    &ai_studio::AI_STUDIO,
    &har::HAR,
    &mcp::MCP,
    &managed_agents::MANAGED_AGENTS,
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
    &agno::AGNO,
    &harmony::HARMONY,
    &bot_framework::BOT_FRAMEWORK,
    &react::REACT,
    &openai_assistants::OPENAI_ASSISTANTS,
    &bedrock_agents::BEDROCK_AGENTS,
    &n8n::N8N,
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
    &posthog::POSTHOG,
    // Evaluations and research
    &agent_inspector::AGENT_INSPECTOR,
    &flashinfer::FLASHINFER,
    &inspect::INSPECT,
    &invariant::INVARIANT,
    &agentv::AGENTV,
    &atif::ATIF,
    &terminal_bench::TERMINAL_BENCH,
    &tau_bench::TAU_BENCH,
    &toolbench::TOOLBENCH,
    &evalscope::EVALSCOPE,
    &lm_eval::LM_EVAL,
    &promptfoo::PROMPTFOO,
    &webarena::WEBARENA,
    &browser_use::BROWSER_USE,
    &loongflow::LOONGFLOW,
    &adp::ADP,
    &agentdojo::AGENTDOJO,
    &osworld::OSWORLD,
    // Files of no known format
    &any_json::Records,
];

/// The documents of an archive that is one trace, from the names of its entries, in the order in which to read them.
/// `None` for archives of any other kind.
#[must_use]
pub fn documents_of_trace(names: &[&str]) -> Option<Vec<Document>> {
    inspect::documents_of_log(names)
}

/// The entries of such an archive that have the outcomes of its documents. Empty for an archive of any other kind.
#[must_use]
pub fn summaries_of_trace(names: &[&str]) -> Vec<usize> {
    inspect::summaries_of_log(names)
}

/// The content of such an entry: outcomes, under the prefixes of the documents' entry names.
#[must_use]
pub fn outcomes(summaries: &str) -> Vec<(String, String)> {
    inspect::outcomes(summaries)
}

/// The format with an id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.id() == id)
}
