//! The icon and colour of a row, by its kind.

use crate::kinds::icon::Icon;
use crate::outline::Outline;
use traceloupe_core::model::EventKind;
use traceloupe_core::tools::{Does, Purposes};
use traceloupe_words::mcp_parts;

/// Icon, and style word (`data-look` in the style sheet).
#[must_use]
pub fn look(kind: EventKind, name: &str) -> (Icon, &'static str) {
    match kind {
        EventKind::UserMessage => (Icon::User, "user"),
        EventKind::SystemMessage => (Icon::System, "note"),
        EventKind::LlmCall => (Icon::Llm, "llm"),
        EventKind::ToolCall => tool(name),
        EventKind::State => (Icon::State, "state"),
        EventKind::Error => (Icon::Error, "error"),
        EventKind::LoopWarning => (Icon::Loop, "loop"),
        EventKind::Agent => (Icon::Agent, "agent"),
        EventKind::Compaction => (Icon::Compaction, "loop"),
        EventKind::RunStart => (Icon::Start, "note"),
        EventKind::RunEnd => (Icon::End, "note"),
        EventKind::Note => (Icon::Note, "note"),
        EventKind::Record => (Icon::Record, "note"),
        EventKind::Evaluation => (Icon::Evaluation, "state"),
        EventKind::Span if waits_for_user(name) => (Icon::User, "note"),
        EventKind::Span if is_request(name) => (Icon::Web, "web"),
        EventKind::Span if is_query(name) => (Icon::Database, "note"),
        EventKind::Span if name.starts_with("embeddings ") => (Icon::Llm, "llm"),
        EventKind::Span => (Icon::Span, "note"),
    }
}

/// What some rows are, grouped by purpose, most frequent first: the style word of their look, and the count.
#[must_use]
pub fn looks_of(outline: &Outline, of: impl Iterator<Item = u32>) -> Vec<(&'static str, u64)> {
    let rows = &outline.rows;
    let mut counts: Vec<(&'static str, u64)> = Vec::new();
    for row in of {
        let kind = EventKind::from_code(rows.kinds.get(row));
        let (_, word) = look(kind, outline.name(rows.names.get(row)));
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, n)) => *n += 1,
            None => counts.push((word, 1)),
        }
    }
    traceloupe_core::sorting::sort_by(&mut counts, |a, b| b.1.cmp(&a.1));
    counts
}

/// Whether a span has a name that is typical of asking the user: `approve refund`, `human_in_the_loop`.
fn waits_for_user(name: &str) -> bool {
    const WORDS: [&str; 4] = ["approve", "approval", "confirmation", "human"];
    let name = name.to_ascii_lowercase();
    name.split(|char: char| !char.is_ascii_alphanumeric()).any(|word| WORDS.contains(&word))
}

/// Whether a span is named like a request: an HTTP method, alone or with its route.
fn is_request(name: &str) -> bool {
    const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    let mut words = name.split(' ');
    let is_method = words.next().is_some_and(|word| METHODS.contains(&word));
    // `DELETE orders` is a query.
    is_method && words.next().is_none_or(|to| to.contains('/'))
}

/// Whether a span is named like a database query: a SQL verb and a table, or a word for such a query.
fn is_query(name: &str) -> bool {
    const VERBS: [&str; 4] = ["SELECT", "INSERT", "UPDATE", "DELETE"];
    let words = || name.split(|char: char| !char.is_ascii_alphanumeric());
    let is_word = |word: &str| matches!(word.to_ascii_lowercase().as_str(), "query" | "sql" | "db");
    words().next().is_some_and(|word| VERBS.contains(&word)) || words().any(is_word)
}

/// Guesses the purpose of a tool from its name. Icon, colour and the finer kinds of the filter depend on it, so a
/// wrong guess does little harm.
fn tool(name: &str) -> (Icon, &'static str) {
    const KINDS: [(Does, Icon, &str); 8] = [
        (Does::Plans, Icon::Tasks, "tool"),
        (Does::Delegates, Icon::Agent, "agent"),
        (Does::Types, Icon::Shell, "shell"),
        (Does::Edits, Icon::Edit, "edit"),
        (Does::Browses, Icon::Web, "search"),
        (Does::Searches, Icon::Search, "search"),
        (Does::Reads, Icon::Read, "read"),
        (Does::Runs, Icon::Shell, "shell"),
    ];
    let purposes = Purposes::guessed(name);
    let found = KINDS.iter().find(|(does, ..)| purposes.has(*does));
    let (icon, word) = found.map_or((Icon::Tool, "tool"), |(_, icon, word)| (*icon, *word));
    // The plug shows that the tool belongs to a server; the colour shows what it does.
    let icon = if mcp_parts(name).is_some() { Icon::Mcp } else { icon };
    (icon, word)
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
            ("new_task", "agent"),
            ("mark_task_complete", "tool"),
            ("TaskUpdate", "tool"),
            ("write_stdin", "shell"),
            ("TodoWrite", "tool"),
            ("WebFetch", "search"),
            ("book_room", "tool"),
            ("budget", "tool"),
            ("", "tool"),
        ] {
            assert_eq!(look(EventKind::ToolCall, name).1, word, "{name}");
        }
    }

    #[test]
    fn a_request_is_told_from_other_spans() {
        assert_eq!(look(EventKind::Span, "POST /v1/refunds").0, Icon::Web);
        assert_eq!(look(EventKind::Span, "POST").0, Icon::Web);
        assert_eq!(look(EventKind::Span, "POSTED").0, Icon::Span);
        assert_eq!(look(EventKind::Span, "DELETE /orders/1").0, Icon::Web);
        for query in ["SELECT orders", "DELETE orders", "vector query", "db.statement"] {
            assert_eq!(look(EventKind::Span, query).0, Icon::Database, "{query}");
        }
        assert_eq!(look(EventKind::Span, "Select a plan").0, Icon::Span);
    }

    #[test]
    fn a_span_in_which_a_person_is_asked_has_the_sign_of_a_person() {
        assert_eq!(look(EventKind::Span, "approve refund over €50").0, Icon::User);
        assert_eq!(look(EventKind::Span, "improve").0, Icon::Span);
    }

    #[test]
    fn a_tool_of_a_server_has_a_plug_and_the_colour_of_what_it_does() {
        let (icon, word) = look(EventKind::ToolCall, "mcp__ledger__search_bookings");
        assert_eq!((icon, word), (Icon::Mcp, "search"));
        assert_eq!(look(EventKind::ToolCall, "TodoWrite").0, Icon::Tasks);
        assert_eq!(look(EventKind::ToolCall, "update_plan").0, Icon::Tasks);
    }

    #[test]
    fn no_two_kinds_of_event_share_an_icon() {
        let mut seen = Vec::new();
        for kind in EventKind::ALL {
            let (icon, _) = look(kind, "");
            assert!(!seen.contains(&icon), "{kind:?}");
            seen.push(icon);
        }
    }
}
