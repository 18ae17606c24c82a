//! The supported formats as data: their names and where to find such files. The code that reads
//! them is in `formats`; the page is built without that code and shows this list.

/// What is known about a format without reading a file.
#[derive(Debug)]
pub struct Card {
    /// A stable id, used in links, snapshots and bug reports.
    pub id: &'static str,
    /// The producer's display name.
    pub name: &'static str,
    /// The versions and variants that are read, in a few words.
    pub versions: &'static str,
    /// Where such files are found on disk or how to get them, in a few words.
    pub found_at: &'static str,
    /// The URL of the producer's documentation.
    pub docs: &'static str,
}

/// All formats, in display order.
pub const CARDS: &[&Card] = &[
    &AGENTDBG,
    &MAIDA,
    &CLAUDE_CODE,
    &CODEX,
    &OTEL,
    &JAEGER,
    &ZIPKIN,
    &AGENT_INSPECTOR,
    &FLASHINFER,
    &INSPECT,
    &ARCHI,
    &INVARIANT,
    &CHAT,
    &AGENTV,
    &RECORDS,
];

/// The card of the format with this id.
#[must_use]
pub fn card(id: &str) -> Option<&'static Card> {
    CARDS.iter().copied().find(|card| card.id == id)
}

/// The display name of a format; empty for an unknown id.
#[must_use]
pub fn format_name(id: &str) -> &'static str {
    card(id).map_or("", |card| card.name)
}

/// See [`Card`].
pub static AGENTDBG: Card = Card {
    id: "agentdbg",
    name: "AgentDbg",
    versions: "spec 0.1: agentdbg 0.1.0 to 0.3.0, TypeScript SDK, OpenCode plugin; events, run.json, \
         exports, lists",
    found_at: "~/.agentdbg/runs/<run id>/, agentdbg export, agentdbg list --json",
    docs: "https://github.com/AgentDbg/AgentDbg",
};

/// See [`Card`].
pub static MAIDA: Card = Card {
    id: "maida",
    name: "Maida",
    versions: "spec 0.2: maida-ai 0.4.0 to 0.5.3; spans, meta.json, exports, lists",
    found_at: "~/.maida/runs/<trace id>/, maida export, maida list --json",
    docs: "https://github.com/maida-ai/maida/blob/main/docs/reference/trace-format.md",
};

/// See [`Card`].
pub static CLAUDE_CODE: Card = Card {
    id: "claude-code",
    name: "Claude Code",
    versions: "1.0 – 2.1 sessions with sub-agents, web sessions, iFlow",
    found_at: "~/.claude/projects/<folder>/<session>.jsonl",
    docs: "https://code.claude.com/docs/en/how-claude-code-works",
};

/// See [`Card`].
pub static CODEX: Card = Card {
    id: "codex",
    name: "Codex CLI",
    versions: "rollouts of 2025 and 2026, 0.118 to 0.128",
    found_at: "~/.codex/sessions/<year>/<month>/<day>/rollout-….jsonl",
    docs: "https://github.com/openai/codex",
};

/// See [`Card`].
pub static OTEL: Card = Card {
    id: "otel",
    name: "OpenTelemetry",
    versions: "OTLP JSON, Tempo, spans dumped by the SDKs; GenAI conventions, OpenInference, OpenLLMetry, \
         Vercel AI SDK, Logfire, Monocle, Google ADK, MLflow, Langfuse, Claude Code telemetry",
    found_at: "files of a collector, exports of Phoenix or Grafana Tempo, console exporters",
    docs: "https://opentelemetry.io/docs/specs/semconv/gen-ai/",
};

/// See [`Card`].
pub static JAEGER: Card = Card {
    id: "jaeger",
    name: "Jaeger",
    versions: "traces of its API and interface; attributes as for OpenTelemetry",
    found_at: "Trace JSON in the interface, /api/traces/<trace id>",
    docs: "https://www.jaegertracing.io/docs/latest/apis/",
};

/// See [`Card`].
pub static ZIPKIN: Card = Card {
    id: "zipkin",
    name: "Zipkin",
    versions: "v2: lists of spans, or of traces; attributes as for OpenTelemetry",
    found_at: "Download JSON in the interface, /api/v2/trace/<trace id>",
    docs: "https://zipkin.io/zipkin-api/",
};

/// See [`Card`].
pub static AGENT_INSPECTOR: Card = Card {
    id: "agent-inspector",
    name: "Agent Inspector",
    versions: "FlashInfer-Bench, June to August 2025: llm_request, tool_call, mcp; JSON or JSONL, also \
         wrapped in trace or elements",
    found_at: "traces that agents write for FlashInfer-Bench",
    docs: "https://github.com/flashinfer-ai/flashinfer-bench/blob/c1704059/schema/agent_inspector.md",
};

/// See [`Card`].
pub static FLASHINFER: Card = Card {
    id: "flashinfer-bench",
    name: "FlashInfer-Bench",
    versions: "June 2025 to 2026: Definition, Solution, Trace, KernelLLM results, kernel signatures",
    found_at: "definitions/, solutions/, workloads/ and traces/ of a FlashInfer-Trace data set",
    docs: "https://github.com/flashinfer-ai/flashinfer-bench",
};

/// See [`Card`].
pub static INSPECT: Card = Card {
    id: "inspect",
    name: "Inspect AI",
    versions: "logs of 2024 to 2026: JSON, and .eval with deflate or zstd; events, attachments, pooled messages",
    found_at: "./logs/<date>_<task>_<id>.eval or .json",
    docs: "https://inspect.aisi.org.uk/eval-logs.html",
};

/// See [`Card`].
pub static ARCHI: Card = Card {
    id: "archi",
    name: "archi (A2rchi)",
    versions: "chat streams (NDJSON, server-sent events, older steps), stored traces, conversations",
    found_at: "/api/get_chat_response_stream, /api/trace/<trace id>, table agent_traces",
    docs: "https://github.com/archi-physics/archi",
};

/// See [`Card`].
pub static INVARIANT: Card = Card {
    id: "invariant",
    name: "Invariant Explorer",
    versions: "single traces, and data sets with metadata and annotations",
    found_at: "exports of Invariant Explorer, invariant SDK uploads",
    docs: "https://github.com/invariantlabs-ai/explorer",
};

/// See [`Card`].
pub static AGENTV: Card = Card {
    id: "agentv",
    name: "AgentV",
    versions: "v0.25 to 4.42 and v5: results (JSONL, YAML), traces, transcripts, fixtures, grading, metrics",
    found_at: ".agentv/results/, results of agentv eval, what command targets print",
    docs: "https://github.com/EntityProcess/agentv",
};

/// See [`Card`].
pub static CHAT: Card = Card {
    id: "chat",
    name: "Chat messages",
    versions: "messages, requests and responses of OpenAI, Anthropic, Gemini and Bedrock; ShareGPT",
    found_at: "logs of LLM calls, fine-tuning data, saved requests and responses",
    docs: "https://platform.openai.com/docs/api-reference/chat",
};

/// See [`Card`].
pub static RECORDS: Card = Card {
    id: "records",
    name: "Records",
    versions: "any JSON or JSONL; time, name and message are guesses",
    found_at: "logs and exports of programs that no other format knows",
    docs: "https://jsonlines.org/",
};
