//! The formats of other programs to which a run can be exported.

use serde::{Deserialize, Serialize};

/// A format to which a run can be exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum ExportForm {
    /// The `TraceEvent` list from AgentV's design: each call and each result is an event.
    #[default]
    AgentvEvents,
    /// One assistant message with all tool calls of a turn, and a tool message for each result.
    OpenAiMessages,
    /// Events of Google's Agent Development Kit: all calls of a turn are parts of one event.
    AdkEvents,
    /// Messages of Mastra: calls with their results are parts of the assistant's message.
    MastraMessages,
    /// The compact form of AgentV: calls with input and output inside the assistant's message.
    CompactInline,
}

impl ExportForm {
    /// All formats, in display order.
    pub const ALL: [Self; 5] = [
        Self::AgentvEvents,
        Self::OpenAiMessages,
        Self::AdkEvents,
        Self::MastraMessages,
        Self::CompactInline,
    ];

    /// A stable word for file names.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::AgentvEvents => "agentv-events",
            Self::OpenAiMessages => "openai-messages",
            Self::AdkEvents => "adk-events",
            Self::MastraMessages => "mastra-messages",
            Self::CompactInline => "compact-inline",
        }
    }

    /// The format for a word.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.word() == word)
    }

    /// Its display name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AgentvEvents => "AgentV events",
            Self::OpenAiMessages => "OpenAI-style messages",
            Self::AdkEvents => "ADK events",
            Self::MastraMessages => "Mastra messages",
            Self::CompactInline => "AgentV compact inline",
        }
    }
}
