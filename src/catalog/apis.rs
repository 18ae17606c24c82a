//! APIs of models, protocols between agents, and lists of messages.

use super::{Card, Evidence, Family};

/// APIs of models, protocols between agents, and lists of messages.
pub static APIS: Family = Family {
    name: "APIs and protocols",
    cards: &[&CHAT, &AI_SDK, &HAR, &MCP, &A2A, &AG_UI, &ACP, &AUTOGEN, &HARMONY],
};

/// See [`Card`].
pub static CHAT: Card = Card {
    id: "chat",
    name: "Chat messages",
    versions: "messages, requests and responses of OpenAI, Anthropic, Gemini and Bedrock; ShareGPT",
    found_at: "logs of LLM calls, fine-tuning data, saved requests and responses",
    docs: "https://platform.openai.com/docs/api-reference/chat",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static AI_SDK: Card = Card {
    id: "ai-sdk",
    name: "AI SDK",
    versions: "4 to 7: UI messages, model messages, UI message streams, steps",
    found_at: "chats that a page keeps, streams of its server, logs of onFinish and onStepFinish",
    docs: "https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message",
    evidence: Evidence::Documentation,
};

/// See [`Card`].
pub static HAR: Card = Card {
    id: "har",
    name: "HTTP archive (HAR)",
    versions: "HAR 1.2 of browsers and proxies, Polly.JS; VCR, nock, claude-trace",
    found_at: "Save all as HAR in a browser's network panel, recordings of a test suite",
    docs: "http://www.softwareishard.com/blog/har-12-spec/",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static MCP: Card = Card {
    id: "mcp",
    name: "Model Context Protocol",
    versions: "JSON-RPC of 2024-11-05 to 2025-11-25, bare or in the records of a log; recordings of explore-mcp",
    found_at: "logs of clients, servers and proxies",
    docs: "https://modelcontextprotocol.io/specification",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static A2A: Card = Card {
    id: "a2a",
    name: "Agent2Agent (A2A)",
    versions: "0.2 to 1.0: JSON-RPC, streams, tasks",
    found_at: "logs of agents and their clients, saved tasks",
    docs: "https://a2a-protocol.org/latest/specification/",
    evidence: Evidence::Documentation,
};

/// See [`Card`].
pub static AG_UI: Card = Card {
    id: "ag-ui",
    name: "AG-UI",
    versions: "events of 2025 and 2026: lists, lines, server-sent events",
    found_at: "responses of an agent's endpoint, logs of its events",
    docs: "https://docs.ag-ui.com/concepts/events",
    evidence: Evidence::Documentation,
};

/// See [`Card`].
pub static ACP: Card = Card {
    id: "acp",
    name: "Agent Client Protocol",
    versions: "version 1: JSON-RPC, bare or in the records of a log",
    found_at: "logs of editors and coding agents",
    docs: "https://agentclientprotocol.com/protocol/overview",
    evidence: Evidence::Documentation,
};

/// See [`Card`].
pub static AUTOGEN: Card = Card {
    id: "autogen",
    name: "AutoGen",
    versions: "AgentChat 0.4 and later: messages, results, states, event logs; AG2 and 0.2: chat results; Who&When",
    found_at: "TaskResult.model_dump_json(), save_state(), logs of autogen_core.events, ChatResult",
    docs: "https://microsoft.github.io/autogen/stable/reference/python/autogen_agentchat.messages.html",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static HARMONY: Card = Card {
    id: "harmony",
    name: "Harmony",
    versions: "rendered conversations and completions of gpt-oss, in texts of records",
    found_at: "rollouts and data sets of gpt-oss",
    docs: "https://cookbook.openai.com/articles/openai-harmony",
    evidence: Evidence::Documentation,
};
