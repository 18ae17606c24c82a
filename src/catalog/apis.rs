//! APIs of models, protocols between agents, and lists of messages.

use super::{Card, Evidence, Family};

/// APIs of models, protocols between agents, and lists of messages.
pub static APIS: Family = Family { name: "APIs and protocols", cards: &[&CHAT] };

/// See [`Card`].
pub static CHAT: Card = Card {
    id: "chat",
    name: "Chat messages",
    versions: "messages, requests and responses of OpenAI, Anthropic, Gemini and Bedrock; ShareGPT",
    found_at: "logs of LLM calls, fine-tuning data, saved requests and responses",
    docs: "https://platform.openai.com/docs/api-reference/chat",
    evidence: Evidence::RealFiles,
};
