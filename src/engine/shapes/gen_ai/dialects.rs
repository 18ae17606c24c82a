//! Names that frameworks use in the attributes of spans.
//!
//! | Dialect | Documented at |
//! | --- | --- |
//! | OpenTelemetry GenAI | <https://opentelemetry.io/docs/specs/semconv/gen-ai/> |
//! | OpenInference | <https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md> |
//! | OpenLLMetry (Traceloop) | <https://github.com/traceloop/semantic-conventions> |
//! | Vercel AI SDK | <https://ai-sdk.dev/docs/ai-sdk-core/telemetry> |
//! | Logfire, Pydantic AI | <https://ai.pydantic.dev/logfire/> |
//! | Google ADK | <https://google.github.io/adk-docs/observability/> |
//! | Monocle | <https://github.com/monocle2ai/monocle> |
//! | MLflow | <https://mlflow.org/docs/latest/genai/tracing/> |
//! | Langfuse | <https://langfuse.com/integrations/native/opentelemetry> |
//! | LangSmith | <https://docs.langchain.com/langsmith/trace-with-opentelemetry> |
//! | Prompt flow | <https://microsoft.github.io/promptflow/reference/trace-span-spec-reference.html> |
//! | Genkit | <https://github.com/firebase/genkit/blob/main/genkit-tools/common/src/types/trace.ts> |
//! | Claude Code | <https://code.claude.com/docs/en/monitoring-usage> |
//!
//! The names do not collide, so a file may mix dialects, and one table of names per role is enough. The first name that
//! has a value counts.

use super::attributes::Attributes;
use crate::tokens::Flavour;

/// The kind of a span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpanKind {
    /// A request to a model.
    Llm,
    /// A tool call.
    Tool,
    /// The work of an agent.
    Agent,
    /// A step around others or beside them, such as a chain, a search or a prompt of a framework.
    Step,
    /// A measurement or a guardrail.
    Evaluation,
    /// A span without data about agents.
    Plain,
}

use SpanKind::{Agent, Evaluation, Llm, Plain, Step, Tool};

type Words = &'static [(&'static str, SpanKind)];

/// Attributes that state the kind of a span, with their words in lower case. The first one with a known word counts.
const KINDS: &[(&str, Words)] = &[
    (
        "openinference.span.kind",
        &[
            ("llm", Llm),
            ("tool", Tool),
            ("agent", Agent),
            ("chain", Step),
            ("retriever", Step),
            ("embedding", Step),
            ("reranker", Step),
            ("prompt", Step),
            ("guardrail", Evaluation),
            ("evaluator", Evaluation),
            ("unknown", Step),
        ],
    ),
    (
        "ai.operationId",
        &[
            ("ai.generatetext.dogenerate", Llm),
            ("ai.streamtext.dostream", Llm),
            ("ai.generateobject.dogenerate", Llm),
            ("ai.streamobject.dostream", Llm),
            ("ai.toolcall", Tool),
            ("ai.generatetext", Agent),
            ("ai.streamtext", Agent),
            ("ai.generateobject", Agent),
            ("ai.streamobject", Agent),
            ("ai.embed", Step),
            ("ai.embed.doembed", Step),
            ("ai.embedmany", Step),
            ("ai.embedmany.doembed", Step),
        ],
    ),
    ("ag2.span.type", &[("llm", Llm), ("tool", Tool), ("agent", Agent), ("conversation", Step)]),
    (
        "agentops.span.kind",
        &[
            ("llm", Llm),
            ("tool", Tool),
            ("agent", Agent),
            ("session", Step),
            ("workflow", Step),
            ("task", Step),
            ("operation", Step),
        ],
    ),
    (
        // LangSmith also uses "chat" for prompts.
        "langsmith.span.kind",
        &[("llm", Llm), ("tool", Tool), ("chain", Step), ("retriever", Step), ("prompt", Step)],
    ),
    (
        "gen_ai.operation.name",
        &[
            ("chat", Llm),
            ("text_completion", Llm),
            ("generate_content", Llm),
            ("responses", Llm),
            ("message", Llm),
            ("messages", Llm),
            ("completion", Llm),
            // LiteLLM.
            ("acompletion", Llm),
            // Semantic Kernel.
            ("chat.completions", Llm),
            ("text.completions", Llm),
            ("execute_tool", Tool),
            ("embeddings", Step),
            ("retrieval", Step),
            ("plan", Step),
            ("search_memory", Step),
            ("create_memory", Step),
            ("update_memory", Step),
            ("upsert_memory", Step),
            ("delete_memory", Step),
            ("create_memory_store", Step),
            ("delete_memory_store", Step),
            ("invoke_agent", Agent),
            ("create_agent", Agent),
            // Since version 0.1 of the GenAI conventions, a workflow is an agent.
            ("invoke_workflow", Agent),
            ("handoff", Step),
            ("guardrail", Evaluation),
        ],
    ),
    (
        "llm.request.type",
        &[("chat", Llm), ("completion", Llm), ("embedding", Step), ("rerank", Step)],
    ),
    (
        "traceloop.span.kind",
        &[("workflow", Step), ("task", Step), ("agent", Agent), ("tool", Tool)],
    ),
    (
        "mlflow.spanType",
        &[
            ("llm", Llm),
            ("chat_model", Llm),
            ("tool", Tool),
            ("agent", Agent),
            ("chain", Step),
            ("retriever", Step),
            ("embedding", Step),
            ("reranker", Step),
            ("parser", Step),
            ("workflow", Step),
            ("task", Step),
            ("guardrail", Evaluation),
            ("evaluator", Evaluation),
        ],
    ),
    (
        "langfuse.observation.type",
        &[
            ("generation", Llm),
            ("tool", Tool),
            ("agent", Agent),
            ("chain", Step),
            ("retriever", Step),
            ("embedding", Step),
            ("evaluator", Evaluation),
            ("guardrail", Evaluation),
        ],
    ),
    (
        // Monocle and Claude Code.
        "span.type",
        &[
            ("inference", Llm),
            ("inference.framework", Llm),
            // The request of an inference span, which has no content.
            ("inference.modelapi", Plain),
            ("agentic.tool.invocation", Tool),
            ("agentic.mcp.invocation", Tool),
            ("agentic.invocation", Agent),
            ("agentic.turn", Step),
            ("agentic.request", Step),
            ("agentic.delegation", Agent),
            ("workflow", Step),
            ("retrieval", Step),
            ("llm_request", Llm),
            ("tool", Tool),
            // The waiting time and the work of a tool call.
            ("tool.blocked_on_user", Plain),
            ("tool.execution", Plain),
            ("interaction", Step),
        ],
    ),
    ("mcp.method.name", &[("tools/call", Tool)]),
    (
        // The kind of a Genkit action.
        "genkit:metadata:subtype",
        &[
            ("model", Llm),
            ("background-model", Llm),
            ("tool", Tool),
            ("tool.v2", Tool),
            ("agent", Agent),
            ("flow", Step),
            ("prompt", Step),
            ("executable-prompt", Step),
            ("retriever", Step),
            ("embedder", Step),
            ("reranker", Step),
            ("evaluator", Evaluation),
        ],
    ),
    ("genkit:type", &[("action", Step), ("flow", Step), ("flowstep", Step), ("util", Step)]),
    (
        // Prompt flow.
        "span_type",
        &[
            ("llm", Llm),
            ("tool", Tool),
            ("agent", Agent),
            ("function", Step),
            ("flow", Step),
            ("embedding", Step),
            ("retrieval", Step),
        ],
    ),
];

/// The kind of a span without such an attribute: derived from attributes that only this kind has.
const EVIDENCE: &[(&str, SpanKind)] = &[
    ("llm.input_messages.0.", Llm),
    ("llm.output_messages.0.", Llm),
    ("gen_ai.prompt.0.", Llm),
    ("gen_ai.completion.0.", Llm),
    ("gen_ai.output.messages", Llm),
    ("gen_ai.usage.output_tokens", Llm),
    ("gen_ai.usage.completion_tokens", Llm),
    ("gen_ai.response.finish_reasons", Llm),
    ("llm.token_count.", Llm),
    ("llm.usage.", Llm),
    ("llm.invocation_parameters", Llm),
    ("gen_ai.tool.name", Tool),
    ("tool.name", Tool),
    ("all_messages_events", Agent),
    ("pydantic_ai.all_messages", Agent),
    ("gen_ai.agent.name", Agent),
    ("gen_ai.evaluation.", Evaluation),
];

/// The kind of a span.
pub fn kind_of(attributes: &Attributes<'_>) -> SpanKind {
    // ADK summarizes parallel calls in a span that is not a call itself.
    if attributes.peek("gen_ai.tool.name").is("(merged tools)") {
        return Plain;
    }
    for (key, words) in KINDS {
        let Some(word) = attributes.peek(key).word() else { continue };
        // MLflow encodes every string as JSON.
        let word = word.trim_matches('"').to_ascii_lowercase();
        if let Some((_, kind)) = words.iter().find(|(known, _)| *known == word) {
            return *kind;
        }
    }
    let found = EVIDENCE.iter().find(|(prefix, _)| attributes.has(prefix));
    found.map_or(Plain, |(_, kind)| *kind)
}

/// Whether a span is named like a building block of LangChain. OpenInference treats every one with "agent" in its name
/// as an agent: `RunnableAssign<agent_scratchpad>`, `OpenAIToolsAgentOutputParser`.
pub fn is_runnable(name: &str) -> bool {
    let ends = ["OutputParser", "PromptTemplate"];
    name.starts_with("Runnable") || ends.iter().any(|end| name.ends_with(end))
}

/// The model of an LLM call.
pub const MODEL: &[&str] = &[
    "gen_ai.response.model",
    "ai.response.model",
    "gen_ai.request.model",
    "llm.model_name",
    "llm.response.model",
    "llm.model",
    "ai.model.id",
    "langfuse.observation.model.name",
    "langfuse.observation.model",
    "mlflow.llm.model",
    "model_name",
    "model",
    "genkit:name",
];

/// The name of a tool.
pub const TOOL_NAME: &[&str] = &[
    "gen_ai.tool.name",
    "tool.name",
    "ai.toolCall.name",
    "mcp.tool.name",
    "entity.1.name",
    "tool_name",
    "function_name",
    "traceloop.entity.name",
    "genkit:name",
];

/// The id of a call.
pub const CALL_ID: &[&str] =
    &["gen_ai.tool.call.id", "ai.toolCall.id", "tool.id", "tool_call.id", "call_id", "tool_use_id"];

/// The arguments of a call. OpenInference's `tool.parameters` may be the schema, so it comes late.
pub const ARGUMENTS: &[&str] = &[
    "gen_ai.tool.call.arguments",
    "ai.toolCall.args",
    "ai.toolCall.input",
    "gcp.vertex.agent.tool_call_args",
    "tool_arguments",
    "input.value",
    "traceloop.entity.input",
    "mlflow.spanInputs",
    "langfuse.observation.input",
    "tool_input",
    "tool_parameters",
    "function_args",
    "arguments",
    "gen_ai.prompt",
    "genkit:input",
    "tool.parameters",
];

/// The result of a call.
pub const RESULT: &[&str] = &[
    "gen_ai.tool.call.result",
    "ai.toolCall.result",
    "ai.toolCall.output",
    "gcp.vertex.agent.tool_response",
    "tool_response",
    "tool.result",
    "output.value",
    "traceloop.entity.output",
    "mlflow.spanOutputs",
    "langfuse.observation.output",
    "tool_result",
    "tool_output",
    "gen_ai.completion",
    "genkit:output",
    "output",
];

/// The name of an agent.
pub const AGENT_NAME: &[&str] = &[
    "gen_ai.agent.name",
    "gen_ai.workflow.name",
    "agent.name",
    "agent_name",
    "entity.1.name",
    "traceloop.entity.name",
];

/// Messages or other input, as one value.
pub const INPUT: &[&str] = &[
    "gen_ai.input.messages",
    "ai.prompt.messages",
    "gen_ai.prompt",
    "gcp.vertex.agent.llm_request",
    "request_data",
    "pydantic_ai.all_messages",
    "all_messages_events",
    "events",
    "langfuse.observation.input",
    "mlflow.spanInputs",
    "input.value",
    "traceloop.entity.input",
    "ai.prompt",
    "ai.value",
    "ai.values",
    "gen_ai.memory.query.text",
    "gen_ai.retrieval.query.text",
    "genkit:input",
    "input",
    "inputs",
];

/// Messages or other output, as one value.
pub const OUTPUT: &[&str] = &[
    "gen_ai.output.messages",
    "ai.response.text",
    "ai.response.object",
    "gen_ai.completion",
    "gcp.vertex.agent.llm_response",
    "response_data",
    "final_result",
    "langfuse.observation.output",
    "mlflow.spanOutputs",
    "output.value",
    "traceloop.entity.output",
    "gen_ai.memory.records",
    "gen_ai.retrieval.documents",
    "genkit:output",
    "output",
];

/// Prefixes of flattened messages that were sent to the model: the keys before the number, and between the number and
/// the rest.
pub const INDEXED_INPUT: &[(&str, &str)] =
    &[("llm.input_messages.", "message."), ("gen_ai.prompt.", "")];

/// Flattened messages of the model.
pub const INDEXED_OUTPUT: &[(&str, &str)] =
    &[("llm.output_messages.", "message."), ("gen_ai.completion.", "")];

/// The most informative attributes of a span without agent data.
pub const PLAIN_SUMMARY: &[&str] = &[
    "url.full",
    "http.url",
    "db.query.text",
    "db.statement",
    "http.target",
    "url.path",
    "http.uri.client",
    "http.route",
    "rpc.method",
    "messaging.destination.name",
];

/// Facts about the run.
pub const FACTS: &[(&str, &[&str])] = &[
    ("Session", &["session.id", "gen_ai.conversation.id", "ai.telemetry.metadata.sessionId"]),
    ("User", &["user.id", "enduser.id", "ai.telemetry.metadata.userId"]),
];

/// Attributes that a row already shows through its kind.
pub const QUIET: &[&str] = &[
    "input.mime_type",
    "output.mime_type",
    "otel.status_code",
    "span.kind",
    "error",
    "mlflow.spanType",
    "mlflow.traceRequestId",
    "genkit:type",
    "genkit:state",
    "genkit:isRoot",
];

/// Token counts. In the conventions of OpenTelemetry and OpenInference, the input includes cached tokens.
pub static USAGE: Flavour = Flavour {
    input: &[
        "gen_ai.usage.input_tokens",
        "gen_ai.usage.prompt_tokens",
        "llm.token_count.prompt",
        "llm.usage.prompt_tokens",
        "ai.usage.inputTokens",
        "ai.usage.promptTokens",
        "ai.usage.tokens",
        "prompt_tokens",
        "input_token_count",
    ],
    output: &[
        "gen_ai.usage.output_tokens",
        "gen_ai.usage.completion_tokens",
        "llm.token_count.completion",
        "llm.usage.completion_tokens",
        "ai.usage.outputTokens",
        "ai.usage.completionTokens",
        "completion_tokens",
        "output_token_count",
    ],
    cache_read: &[
        "gen_ai.usage.cache_read.input_tokens",
        "gen_ai.usage.cache_read_input_tokens",
        "gen_ai.usage.details.cache_read_tokens",
        "llm.token_count.prompt_details.cache_read",
        "ai.usage.cachedInputTokens",
        "ai.usage.inputTokenDetails.cacheReadTokens",
        "cached_token_count",
        "cached_content_token_count",
    ],
    cache_write: &[
        "gen_ai.usage.cache_creation.input_tokens",
        "gen_ai.usage.cache_creation_input_tokens",
        // The tracing of Anthropic's own SDK.
        "gen_ai.usage.cache_write.input_tokens",
        "gen_ai.usage.details.cache_write_tokens",
        "llm.token_count.prompt_details.cache_write",
        "ai.usage.inputTokenDetails.cacheWriteTokens",
    ],
    reasoning: &[
        "gen_ai.usage.reasoning.output_tokens",
        "gen_ai.usage.reasoning_tokens",
        "gen_ai.usage.details.reasoning_tokens",
        "llm.usage.reasoning_tokens",
        "llm.token_count.completion_details.reasoning",
        "ai.usage.reasoningTokens",
        "ai.usage.outputTokenDetails.reasoningTokens",
        "reasoning_token_count",
    ],
    input_has_cached: true,
    output_lacks_reasoning: false,
};

/// Token counts of Claude Code's own telemetry: cached tokens are counted separately.
pub static CLAUDE_CODE_USAGE: Flavour = Flavour {
    input: &["input_tokens"],
    output: &["output_tokens"],
    cache_read: &["cache_read_tokens"],
    cache_write: &["cache_creation_tokens"],
    reasoning: &[],
    input_has_cached: false,
    output_lacks_reasoning: false,
};

#[cfg(test)]
mod tests {
    use super::is_runnable;

    #[test]
    fn building_blocks_of_langchain_are_no_agents() {
        for name in ["RunnableAssign<agent_scratchpad>", "OpenAIToolsAgentOutputParser"] {
            assert!(is_runnable(name), "{name}");
        }
        for name in ["AgentExecutor", "harbour_agent", "Agent", "LangGraph"] {
            assert!(!is_runnable(name), "{name}");
        }
    }
}
