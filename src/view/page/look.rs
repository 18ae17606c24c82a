//! The looks of a row: one letter and one colour word for its kind.

use crate::model::EventKind;

/// Letter, colour word (a `data-look` of the style sheet), and the kind in words for screen readers.
#[must_use]
pub fn look(kind: EventKind, name: &str) -> (&'static str, &'static str, &'static str) {
    match kind {
        EventKind::UserMessage => ("U", "user", "User message"),
        EventKind::SystemMessage => ("S", "note", "System message"),
        EventKind::LlmCall => ("L", "llm", "LLM call"),
        EventKind::ToolCall => tool(name),
        EventKind::State => ("S", "state", "State"),
        EventKind::Error => ("!", "error", "Error"),
        EventKind::LoopWarning => ("↻", "loop", "Loop warning"),
        EventKind::Agent => ("A", "agent", "Agent"),
        EventKind::Compaction => ("C", "loop", "Compaction"),
        EventKind::RunStart => ("▸", "note", "Run start"),
        EventKind::RunEnd => ("■", "note", "Run end"),
        EventKind::Note => ("·", "note", "Note"),
        EventKind::Record => ("R", "note", "Record"),
        EventKind::Evaluation => ("V", "state", "Evaluation"),
    }
}

/// Tools by what their names say they do. Only looks hang on this, so a wrong guess costs nothing.
fn tool(name: &str) -> (&'static str, &'static str, &'static str) {
    const KINDS: [(&str, &str, &[&str]); 5] = [
        ("A", "agent", &["task", "agent", "handoff", "delegate"]),
        ("E", "edit", &["edit", "write", "patch", "replace", "create", "delete", "save", "insert"]),
        ("S", "search", &["search", "grep", "glob", "find", "query", "lookup"]),
        ("R", "read", &["read", "fetch", "open", "view", "cat", "get", "list", "ls", "load"]),
        ("$", "shell", &["bash", "shell", "exec", "terminal", "command", "run"]),
    ];
    let lower = name.to_ascii_lowercase();
    let words: Vec<&str> = lower.split(|char: char| !char.is_ascii_alphanumeric()).collect();
    let says = |part: &&str| words.contains(part) || part.len() > 3 && lower.contains(*part);
    KINDS
        .iter()
        .find(|(_, _, parts)| parts.iter().any(&says))
        .map_or(("T", "tool", "Tool call"), |(letter, word, _)| (*letter, *word, "Tool call"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_look_like_what_they_do() {
        for (name, word) in [
            ("Bash", "shell"),
            ("search_docs", "search"),
            ("Read", "read"),
            ("MultiEdit", "edit"),
            ("Task", "agent"),
            ("book_room", "tool"),
            ("budget", "tool"),
            ("", "tool"),
        ] {
            assert_eq!(look(EventKind::ToolCall, name).1, word, "{name}");
        }
    }
}
