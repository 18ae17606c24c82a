//! The kinds of rows that the list on the left and `kind:` distinguish: kinds of events, and finer kinds of calls.

use crate::kinds::icon::Icon;
use crate::kinds::look::look;
use traceloupe_core::model::{EventKind, Flags};
use traceloupe_words::plural;

/// A kind of row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowKind {
    /// All events of a kind.
    Event(EventKind),
    /// LLM calls whose line shows thinking rather than an answer.
    Thinking,
    /// Tool calls with this icon, which shows what the tool does.
    Tool(Icon),
}

/// The word for shell calls in filters.
pub const SHELL_WORD: &str = "shell";

/// What tools do: icon, style word, word in filters, name.
const TOOLS: [(Icon, &str, &str, &str); 9] = [
    (Icon::Shell, "shell", SHELL_WORD, "Shell"),
    (Icon::Read, "read", "read", "Read"),
    (Icon::Edit, "edit", "edit", "Edit"),
    (Icon::Search, "search", "search", "Search"),
    (Icon::Web, "search", "web", "Web"),
    (Icon::Mcp, "tool", "mcp", "MCP"),
    (Icon::Tasks, "tool", "todo", "To-do"),
    (Icon::Agent, "agent", "sub-agent", "Sub-agent calls"),
    (Icon::Tool, "tool", "other-tool", "Other tools"),
];

/// The kinds of events in list order: conversation and work first, bookkeeping last.
const ORDER: [EventKind; 15] = [
    EventKind::UserMessage,
    EventKind::LlmCall,
    EventKind::ToolCall,
    EventKind::Agent,
    EventKind::Span,
    EventKind::State,
    EventKind::Error,
    EventKind::LoopWarning,
    EventKind::Evaluation,
    EventKind::Compaction,
    EventKind::SystemMessage,
    EventKind::Note,
    EventKind::Record,
    EventKind::RunStart,
    EventKind::RunEnd,
];

impl RowKind {
    /// All kinds in list order, each finer kind after the kind that it belongs to.
    pub fn all() -> impl Iterator<Item = Self> {
        ORDER.into_iter().flat_map(|kind| {
            let thinking = (kind == EventKind::LlmCall).then_some(Self::Thinking);
            let tools: &[_] = if kind == EventKind::ToolCall { &TOOLS } else { &[] };
            let tools = tools.iter().map(|it| Self::Tool(it.0));
            [Self::Event(kind)].into_iter().chain(thinking).chain(tools)
        })
    }

    /// Whether such rows are only bookkeeping.
    #[must_use]
    pub fn is_quiet(self) -> bool {
        use EventKind::{Note, Record, RunEnd, RunStart, SystemMessage};
        matches!(self, Self::Event(SystemMessage | Note | Record | RunStart | RunEnd))
    }

    /// The word for this kind in filters.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Event(kind) => kind.word(),
            Self::Thinking => "thinking",
            Self::Tool(icon) => of_tool(icon).2,
        }
    }

    /// Its name in a list of kinds.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Event(kind) => plural(kind),
            Self::Thinking => "Thinking",
            Self::Tool(icon) => of_tool(icon).3,
        }
    }

    /// Its icon and style word, as rows have them.
    #[must_use]
    pub fn look(self) -> (Icon, &'static str) {
        match self {
            Self::Event(kind) => {
                let (icon, colour) = look(kind, "");
                (icon, colour)
            }
            Self::Thinking => (Icon::Think, "think"),
            Self::Tool(icon) => (icon, of_tool(icon).1),
        }
    }

    /// What a tool of this name does.
    #[must_use]
    pub fn of_tool(name: &str) -> Self {
        Self::Tool(look(EventKind::ToolCall, name).0)
    }
}

/// Whether a row of this kind and with these flags is thinking.
#[must_use]
pub fn is_thinking(kind: EventKind, flags: Flags) -> bool {
    kind == EventKind::LlmCall && flags.has(Flags::THINKING)
}

fn of_tool(icon: Icon) -> &'static (Icon, &'static str, &'static str, &'static str) {
    let [.., other] = &TOOLS;
    TOOLS.iter().find(|it| it.0 == icon).unwrap_or(other)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_has_a_word_and_a_name_of_its_own() {
        let words: BTreeSet<&str> = RowKind::all().map(RowKind::word).collect();
        let names: BTreeSet<&str> = RowKind::all().map(RowKind::name).collect();
        assert_eq!(words.len(), EventKind::ALL.len() + 1 + TOOLS.len());
        assert_eq!(names.len(), words.len());
    }

    #[test]
    fn what_a_tool_does_is_told_as_its_rows_are() {
        for (name, word) in [
            ("Bash", "shell"),
            ("Read", "read"),
            ("MultiEdit", "edit"),
            ("Grep", "search"),
            ("WebFetch", "web"),
            ("mcp__ledger__search_bookings", "mcp"),
            ("TodoWrite", "todo"),
            ("Task", "sub-agent"),
            ("book_room", "other-tool"),
            ("", "other-tool"),
        ] {
            assert_eq!(RowKind::of_tool(name).word(), word, "{name}");
            let (icon, colour) = look(EventKind::ToolCall, name);
            let own = RowKind::of_tool(name).look();
            assert_eq!(own.0, icon, "{name}");
            assert!(own.1 == colour || icon == Icon::Mcp, "{name}");
        }
    }
}
