//! APIs of models, protocols between agents, and lists of messages.

use super::{Card, Evidence, Family};

/// APIs of models, protocols between agents, and lists of messages.
pub static APIS: Family =
    Family { name: "APIs and protocols", cards: &[&CHAT, &AI_SDK, &HAR, &AUTOGEN, &HARMONY] };

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
