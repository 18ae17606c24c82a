//! Tracers and the systems that collect spans.

use super::{Card, Evidence, Family};

/// Tracers and the systems that collect spans.
pub static OBSERVABILITY: Family =
    Family { name: "Observability", cards: &[&AGENTDBG, &MAIDA, &OTEL, &JAEGER, &ZIPKIN, &ARCHI] };

/// See [`Card`].
pub static AGENTDBG: Card = Card {
    id: "agentdbg",
    name: "AgentDbg",
    versions: "spec 0.1: agentdbg 0.1.0 to 0.3.0, TypeScript SDK, OpenCode plugin; events, run.json, \
         exports, lists",
    found_at: "~/.agentdbg/runs/<run id>/, agentdbg export, agentdbg list --json",
    docs: "https://github.com/AgentDbg/AgentDbg",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static MAIDA: Card = Card {
    id: "maida",
    name: "Maida",
    versions: "spec 0.2: maida-ai 0.4.0 to 0.5.3; spans, meta.json, exports, lists",
    found_at: "~/.maida/runs/<trace id>/, maida export, maida list --json",
    docs: "https://github.com/maida-ai/maida/blob/main/docs/reference/trace-format.md",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static OTEL: Card = Card {
    id: "otel",
    name: "OpenTelemetry",
    versions: "OTLP JSON, Tempo, spans dumped by the SDKs; GenAI conventions, OpenInference, OpenLLMetry, \
         Vercel AI SDK, Logfire, Monocle, Google ADK, MLflow, Langfuse, Claude Code telemetry",
    found_at: "files of a collector, exports of Phoenix or Grafana Tempo, console exporters",
    docs: "https://opentelemetry.io/docs/specs/semconv/gen-ai/",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static JAEGER: Card = Card {
    id: "jaeger",
    name: "Jaeger",
    versions: "traces of its API and interface; attributes as for OpenTelemetry",
    found_at: "Trace JSON in the interface, /api/traces/<trace id>",
    docs: "https://www.jaegertracing.io/docs/latest/apis/",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static ZIPKIN: Card = Card {
    id: "zipkin",
    name: "Zipkin",
    versions: "v2: lists of spans, or of traces; attributes as for OpenTelemetry",
    found_at: "Download JSON in the interface, /api/v2/trace/<trace id>",
    docs: "https://zipkin.io/zipkin-api/",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static ARCHI: Card = Card {
    id: "archi",
    name: "archi (A2rchi)",
    versions: "chat streams (NDJSON, server-sent events, older steps), stored traces, conversations",
    found_at: "/api/get_chat_response_stream, /api/trace/<trace id>, table agent_traces",
    docs: "https://github.com/archi-physics/archi",
    evidence: Evidence::RealFiles,
};
