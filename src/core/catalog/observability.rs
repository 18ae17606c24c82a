//! Tracers and the systems that collect spans.

use super::{Card, Entry, Evidence, Family};

/// Tracers and the systems that collect spans.
pub static OBSERVABILITY: Family = Family {
    name: "Observability",
    cards: &[
        &OTEL,
        &LANGCHAIN,
        &LANGFUSE,
        &LANGSMITH,
        &OPENAI_AGENTS,
        &PHOENIX,
        &MLFLOW,
        &WANDB_WEAVE,
        &BRAINTRUST,
        &DATADOG,
        &HELICONE,
        &OPIK,
        &POSTHOG,
        &AGENTDBG,
        &MAIDA,
        &JAEGER,
        &ZIPKIN,
        &ARCHI,
    ],
};

/// See [`Card`].
pub static AGENTDBG: Card = Card::new(Entry {
    id: "agentdbg",
    name: "AgentDbg",
    versions: "spec 0.1: agentdbg 0.1.0 to 0.3.0, TypeScript SDK, OpenCode plugin; events, run.json, \
         exports, lists",
    found_at: "~/.agentdbg/runs/<run id>/, agentdbg export, agentdbg list --json",
    docs: "https://github.com/AgentDbg/AgentDbg",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static MAIDA: Card = Card::new(Entry {
    id: "maida",
    name: "Maida",
    versions: "spec 0.2: maida-ai 0.4.0 to 0.5.3; spans, meta.json, exports, lists",
    found_at: "~/.maida/runs/<trace id>/, maida export, maida list --json",
    docs: "https://github.com/maida-ai/maida/blob/main/docs/reference/trace-format.md",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static OTEL: Card = Card::new(Entry {
    id: "otel",
    name: "OpenTelemetry",
    versions: "OTLP JSON, Tempo, spans and logs dumped or printed by the SDKs, rows of ClickHouse and Logfire, traces of AgentOps and Patronus; GenAI conventions, OpenInference, OpenLLMetry, \
         Vercel AI SDK, Logfire, Monocle, Google ADK, MLflow, Langfuse, Genkit, Claude Code telemetry",
    found_at: "files of a collector, exports of Phoenix or Grafana Tempo, console exporters",
    docs: "https://opentelemetry.io/docs/specs/semconv/gen-ai/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static JAEGER: Card = Card::new(Entry {
    id: "jaeger",
    name: "Jaeger",
    versions: "traces of its API and interface; attributes as for OpenTelemetry",
    found_at: "Trace JSON in the interface, /api/traces/<trace id>",
    docs: "https://www.jaegertracing.io/docs/latest/apis/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static ZIPKIN: Card = Card::new(Entry {
    id: "zipkin",
    name: "Zipkin",
    versions: "v2: lists of spans, or of traces; attributes as for OpenTelemetry",
    found_at: "Download JSON in the interface, /api/v2/trace/<trace id>",
    docs: "https://zipkin.io/zipkin-api/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static ARCHI: Card = Card::new(Entry {
    id: "archi",
    name: "archi (A2rchi)",
    versions: "chat streams (NDJSON, server-sent events, older steps), stored traces, conversations",
    found_at: "/api/get_chat_response_stream, /api/trace/<trace id>, table agent_traces",
    docs: "https://github.com/archi-physics/archi",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static LANGFUSE: Card = Card::new(Entry {
    id: "langfuse",
    name: "Langfuse",
    versions: "downloads of the interface and traces of the API of 2025; lists of observations, traces and \
         scores; batches of the ingestion API",
    found_at: "Download trace in the interface, /api/public/traces/<id>, /api/public/observations, blob exports",
    docs: "https://api.reference.langfuse.com/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static LANGSMITH: Card = Card::new(Entry {
    id: "langsmith",
    name: "LangSmith",
    versions: "run format of 2024 to 2026: exports of runs, nested runs, batches of the SDKs, exports of its command line",
    found_at: "client.list_runs, exports of the interface, langsmith trace export, requests to /runs/batch",
    docs: "https://docs.langchain.com/langsmith/run-data-format",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static OPENAI_AGENTS: Card = Card::new(Entry {
    id: "openai-agents",
    name: "OpenAI Agents SDK",
    versions: "traces of 2025, as sent by the exporter or written by a processor",
    found_at: "files of a trace processor, requests to /v1/traces/ingest",
    docs: "https://openai.github.io/openai-agents-python/tracing/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static PHOENIX: Card = Card::new(Entry {
    id: "phoenix",
    name: "Arize Phoenix",
    versions: "spans of the API and of the interface of 2025 and 2026, data frames as JSON",
    found_at: "client.spans.get_spans, /v1/projects/<name>/spans, px traces <folder>, data frames",
    docs: "https://arize.com/docs/phoenix/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static MLFLOW: Card = Card::new(Entry {
    id: "mlflow",
    name: "MLflow Tracing",
    versions: "traces of MLflow 2 (schema 2) and MLflow 3 (schema 3), traces.json",
    found_at: "Trace.to_json, mlflow.search_traces, artifacts/traces.json",
    docs: "https://mlflow.org/docs/latest/genai/concepts/trace/",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static WANDB_WEAVE: Card = Card::new(Entry {
    id: "wandb-weave",
    name: "W&B Weave",
    versions: "calls of 2025, alone or in results of the Holistic Agent Leaderboard",
    found_at: "Export in the interface, client.get_calls, /calls/stream_query, <run>_UPLOAD.json",
    docs: "https://docs.wandb.ai/weave/guides/tracking/call-schema-reference",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static BRAINTRUST: Card = Card::new(Entry {
    id: "braintrust",
    name: "Braintrust",
    versions: "logs and experiments of the API of 2025",
    found_at: "/v1/project_logs/<id>/fetch, /v1/experiment/<id>/fetch, exports of the interface",
    docs: "https://www.braintrust.dev/docs/reference/api",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static OPIK: Card = Card::new(Entry {
    id: "opik",
    name: "Opik",
    versions: "traces and spans of the API of 2025 and 2026",
    found_at: "opik export, search_traces, search_spans, /v1/private/spans",
    docs: "https://www.comet.com/docs/opik/",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static DATADOG: Card = Card::new(Entry {
    id: "datadog",
    name: "Datadog LLM Observability",
    versions: "export API and intake of 2025",
    found_at: "/api/v2/llm-obs/v1/spans/events, requests of the tracers",
    docs: "https://docs.datadoghq.com/llm_observability/evaluations/export_api/",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static LANGCHAIN: Card = Card::new(Entry {
    id: "langchain",
    name: "LangChain and LangGraph",
    versions: "messages of LangChain 0.1 to 1.0 (dumps, messages_to_dict, model_dump), events of \
         astream_events, streams of the LangGraph API, states and checkpoints of graphs",
    found_at: "dumps(messages), messages_to_dict, astream_events, /runs/stream, get_state_history",
    docs: "https://docs.langchain.com/oss/python/langchain/messages",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static HELICONE: Card = Card::new(Entry {
    id: "helicone",
    name: "Helicone",
    versions: "exports of requests of 2025, pages of the API",
    found_at: "npx @helicone/export, /v1/request/query",
    docs: "https://docs.helicone.ai/tools/export",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static POSTHOG: Card = Card::new(Entry {
    id: "posthog",
    name: "PostHog LLM analytics",
    versions: "events of 2025 and 2026: generations, spans, traces, embeddings, metrics and feedback",
    found_at: "/api/projects/<id>/events, results of the query for traces, batch exports, requests of SDKs",
    docs: "https://posthog.com/docs/llm-analytics",
    evidence: Evidence::Documentation,
});
