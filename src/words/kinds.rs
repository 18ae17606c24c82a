//! What kinds of events are called.

use traceloupe_core::model::EventKind;
use traceloupe_protocol::statistics::CallsOf;

/// What a kind of event is called.
#[must_use]
pub fn kind(kind: EventKind) -> &'static str {
    match kind {
        EventKind::UserMessage => "User message",
        EventKind::SystemMessage => "System message",
        EventKind::LlmCall => "LLM call",
        EventKind::ToolCall => "Tool call",
        EventKind::State => "State",
        EventKind::Error => "Error",
        EventKind::LoopWarning => "Loop warning",
        EventKind::Agent => "Agent",
        EventKind::Compaction => "Compaction",
        EventKind::RunStart => "Run start",
        EventKind::RunEnd => "Run end",
        EventKind::Note => "Note",
        EventKind::Record => "Record",
        EventKind::Evaluation => "Evaluation",
        EventKind::Span => "Span",
    }
}

/// The plural name of a kind, for lists of kinds.
#[must_use]
pub fn plural(kind: EventKind) -> &'static str {
    match kind {
        EventKind::UserMessage => "User messages",
        EventKind::SystemMessage => "System messages",
        EventKind::LlmCall => "LLM calls",
        EventKind::ToolCall => "Tool calls",
        EventKind::State => "States",
        EventKind::Error => "Errors",
        EventKind::LoopWarning => "Loop warnings",
        EventKind::Agent => "Agents",
        EventKind::Compaction => "Compactions",
        EventKind::RunStart => "Run starts",
        EventKind::RunEnd => "Run ends",
        EventKind::Note => "Notes",
        EventKind::Record => "Records",
        EventKind::Evaluation => "Evaluations",
        EventKind::Span => "Spans",
    }
}

/// Which calls a line of statistics counts.
#[must_use]
pub fn calls_of(of: CallsOf) -> &'static str {
    match of {
        CallsOf::Kind(kind) => plural(kind),
        CallsOf::Agent => "Agent",
        CallsOf::Turn => "Turn",
        CallsOf::File => "File",
        CallsOf::Command => "Command",
    }
}
