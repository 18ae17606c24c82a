//! Model APIs, protocols between agents, and lists of messages.

use super::{Card, Entry, Evidence, Family};

/// Model APIs, protocols between agents, and lists of messages.
pub static APIS: Family = Family {
    name: "APIs and protocols",
    cards: &[
        &CHAT,
        &AI_SDK,
        &AI_STUDIO,
        &HAR,
        &MCP,
        &MANAGED_AGENTS,
        &A2A,
        &AG_UI,
        &ACP,
        &GOOGLE_ADK,
        &GOOGLE_ADK_EVAL,
        &PYDANTIC_AI,
        &MASTRA,
        &LLAMA_INDEX,
        &CREWAI,
        &SMOLAGENTS,
        &STRANDS,
        &AUTOGEN,
        &AGNO,
        &HARMONY,
        &BOT_FRAMEWORK,
        &REACT,
        &OPENAI_ASSISTANTS,
        &BEDROCK_AGENTS,
        &N8N,
    ],
};

/// See [`Card`].
pub static CHAT: Card = Card::new(Entry {
    id: "chat",
    name: "Chat messages",
    versions: "messages, requests and responses of OpenAI, Anthropic, Gemini, Bedrock, Ollama and Cohere; ShareGPT, preference pairs, model battles, Open Assistant, Glaive, MT-bench; Haystack, Semantic Kernel, Agent Framework, LangChain4j, DSPy; batches, OpenAI's Realtime and Evals API; transcripts of Vapi and ElevenLabs",
    found_at: "logs of LLM calls, including those of LM Studio's server, fine-tuning data, saved requests and responses",
    docs: "https://platform.openai.com/docs/api-reference/chat",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static AI_SDK: Card = Card::new(Entry {
    id: "ai-sdk",
    name: "AI SDK",
    versions: "4 to 7: UI messages, model messages, UI message streams, full streams, steps; DevTools, messages of Mastra",
    found_at: "chats stored by a page, streams of its server, logs of onFinish and onStepFinish, .devtools/generations.json",
    docs: "https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static AI_STUDIO: Card = Card::new(Entry {
    id: "ai-studio",
    name: "Google AI Studio",
    versions: "prompts of 2025 and 2026",
    found_at: "Google Drive, folder Google AI Studio; download of a prompt",
    docs: "https://aistudio.google.com",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static HAR: Card = Card::new(Entry {
    id: "har",
    name: "HTTP archive (HAR)",
    versions: "HAR 1.2 of browsers and proxies, Polly.JS; VCR, nock, claude-trace, cassettes of Braintrust, replays of google-genai",
    found_at: "Save all as HAR in a browser's network panel, recordings of a test suite",
    docs: "http://www.softwareishard.com/blog/har-12-spec/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static MCP: Card = Card::new(Entry {
    id: "mcp",
    name: "Model Context Protocol",
    versions: "JSON-RPC of 2024-11-05 to 2025-11-25, bare or in the records of a log; recordings of explore-mcp and Goose",
    found_at: "logs of clients, servers and proxies",
    docs: "https://modelcontextprotocol.io/specification",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static MANAGED_AGENTS: Card = Card::new(Entry {
    id: "claude-managed-agents",
    name: "Claude Managed Agents",
    versions: "events of 2026: pages of the API, one per line, under raw",
    found_at: "GET /v1/sessions/<id>/events",
    docs: "https://platform.claude.com/docs/en/managed-agents/reference",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static A2A: Card = Card::new(Entry {
    id: "a2a",
    name: "Agent2Agent (A2A)",
    versions: "0.1 to 1.0: JSON-RPC, streams, tasks",
    found_at: "logs of agents and their clients, saved tasks",
    docs: "https://a2a-protocol.org/latest/specification/",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static AG_UI: Card = Card::new(Entry {
    id: "ag-ui",
    name: "AG-UI",
    versions: "events of 2025 and 2026: lists, lines, server-sent events",
    found_at: "responses of an agent's endpoint, logs of its events",
    docs: "https://docs.ag-ui.com/concepts/events",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static ACP: Card = Card::new(Entry {
    id: "acp",
    name: "Agent Client Protocol",
    versions: "version 1: JSON-RPC, bare or in the records of a log",
    found_at: "logs of editors and coding agents",
    docs: "https://agentclientprotocol.com/protocol/overview",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static AUTOGEN: Card = Card::new(Entry {
    id: "autogen",
    name: "AutoGen",
    versions: "AgentChat 0.4 and later: messages, results, states, event logs; AG2 and 0.2: chat results, messages of group chats; Who&When",
    found_at: "TaskResult.model_dump_json(), save_state(), logs of autogen_core.events, ChatResult",
    docs: "https://microsoft.github.io/autogen/stable/reference/python/autogen_agentchat.messages.html",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static HARMONY: Card = Card::new(Entry {
    id: "harmony",
    name: "Harmony",
    versions: "rendered conversations and completions of gpt-oss, in texts of records",
    found_at: "rollouts and data sets of gpt-oss",
    docs: "https://cookbook.openai.com/articles/openai-harmony",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static GOOGLE_ADK: Card = Card::new(Entry {
    id: "google-adk",
    name: "Google ADK",
    versions: "sessions of December 2024 to 2025 and events, as written by Python and by its server",
    found_at: "<name>.session.json, GET /apps/<app>/users/<user>/sessions/<id>, POST /run and /run_sse",
    docs: "https://google.github.io/adk-docs/events/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static GOOGLE_ADK_EVAL: Card = Card::new(Entry {
    id: "google-adk-eval",
    name: "Google ADK evaluations",
    versions: "eval sets and results of 2025 and 2026, and the older lists of queries",
    found_at: "<name>.evalset.json, <name>.test.json, .adk/eval_history/<name>.evalset_result.json",
    docs: "https://google.github.io/adk-docs/evaluate/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static PYDANTIC_AI: Card = Card::new(Entry {
    id: "pydantic-ai",
    name: "Pydantic AI",
    versions: "messages and events of streams, 0.1 to 2",
    found_at: "files to which programs write all_messages_json() or run_stream_events()",
    docs: "https://ai.pydantic.dev/message-history/",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static MASTRA: Card = Card::new(Entry {
    id: "mastra",
    name: "Mastra",
    versions: "traces of its observability and of exporters, 2025 and 2026",
    found_at: "GET /api/observability/traces/<id>, exports of trace viewers",
    docs: "https://mastra.ai/docs/observability/tracing/overview",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static SMOLAGENTS: Card = Card::new(Entry {
    id: "smolagents",
    name: "smolagents",
    versions: "steps of 1.0 to 1.2x, results of runs, answers of its benchmarks (GAIA)",
    found_at: "files to which programs write agent.memory.get_full_steps() or a RunResult",
    docs: "https://huggingface.co/docs/smolagents/tutorials/memory",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static STRANDS: Card = Card::new(Entry {
    id: "strands",
    name: "Strands Agents",
    versions: "sessions of 1.0 to 1.x: session.json, agent.json, messages; results and metrics; named conversations",
    found_at: "session_<id>/agents/agent_<id>/messages/message_<n>.json",
    docs: "https://strandsagents.com/latest/documentation/docs/user-guide/concepts/agents/session-management/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static LLAMA_INDEX: Card = Card::new(Entry {
    id: "llama-index",
    name: "LlamaIndex",
    versions: "events and results of workflows, stored chats of 0.11 to 0.14",
    found_at: "event streams of workflow servers, chat_store.json",
    docs: "https://developers.llamaindex.ai/python/framework/understanding/agent/streaming/",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static CREWAI: Card = Card::new(Entry {
    id: "crewai",
    name: "CrewAI",
    versions: "output logs, outputs of crews and events of 0.80 to 1.x",
    found_at: "output_log_file=\"<name>.json\", CrewOutput as JSON, event listeners",
    docs: "https://docs.crewai.com/en/concepts/crews",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static BOT_FRAMEWORK: Card = Card::new(Entry {
    id: "bot-framework",
    name: "Bot Framework",
    versions: "activities of Bot Framework 4, Microsoft 365 Agents and Copilot Studio",
    found_at: "<name>.transcript of the Emulator, transcript stores, content of ConversationTranscript",
    docs: "https://github.com/microsoft/botframework-sdk/blob/main/specs/transcript/transcript.md",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static REACT: Card = Card::new(Entry {
    id: "react",
    name: "ReAct steps",
    versions: "steps of thought, action and observation from hand-written programs; trajectories of DSPy's ReAct",
    found_at: "logs of hand-written agents, Prediction.toDict() of dspy.ReAct",
    docs: "https://dspy.ai/api/modules/ReAct/",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static OPENAI_ASSISTANTS: Card = Card::new(Entry {
    id: "openai-assistants",
    name: "OpenAI Assistants",
    versions: "messages of threads, runs and their steps, versions 1 and 2 of the API",
    found_at: "/v1/threads/<id>/messages, /v1/threads/<id>/runs/<id>/steps, streams of runs",
    docs: "https://platform.openai.com/docs/api-reference/run-steps",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static AGNO: Card = Card::new(Entry {
    id: "agno",
    name: "Agno",
    versions: "databases of 3.1, sessions and runs of agents and teams",
    found_at: "json.dumps(agent.get_session().to_dict()), the SQLite file of SqliteDb",
    docs: "https://docs.agno.com",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static BEDROCK_AGENTS: Card = Card::new(Entry {
    id: "bedrock-agents",
    name: "Amazon Bedrock Agents",
    versions: "traces of InvokeAgent and InvokeInlineAgent of 2025 and 2026, with collaborators",
    found_at: "the trace parts of a response's stream, one per line or in a list",
    docs: "https://docs.aws.amazon.com/bedrock/latest/userguide/trace-events.html",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static N8N: Card = Card::new(Entry {
    id: "n8n",
    name: "n8n",
    versions: "executions of versions 1 and 2, with agents, models, tools and other nodes",
    found_at: "/api/v1/executions/<id>?includeData=true, pages of executions",
    docs: "https://docs.n8n.io/api/",
    evidence: Evidence::Documentation,
});
