//! Cursor: the chats that its editor exports as Markdown, of which [`crate::input::Markdown`] makes records, and the
//! transcripts of its agents (JSONL). What `cursor-agent --output-format stream-json` prints is read as that of
//! Claude Code ([`super::claude_stream`]).
//!
//! Read from exports that people quote and from code that reads transcripts; no real file was at hand. A message of
//! the assistant is one LLM call. Neither has times; transcripts have calls without ids and without results.

use super::kit::{Described, Description, Entry, Joins, On, Part, Sign, Test, What};
use super::shapes::content;
use crate::catalog;
use crate::json::{Json, quoted};
use crate::model::{EventKind, Status};

/// The format.
pub static CURSOR: Described = Described {
    signs: &[
        Sign::certain(
            On::Any,
            "the file says that Cursor has exported it",
            &[
                Test::OneOf("type", &["export"]),
                Test::OneOf("from", &["Cursor"]),
                Test::Text("exported"),
            ],
        ),
        Sign::likely(
            On::First,
            "records are messages of a transcript: a role, and a message with content",
            &[Test::OneOf("role", &["user", "assistant"]), Test::List("message.content")],
        ),
    ],
    quiet: &["type", "role", "from", "message.content.*.name"],
    ..Described::new(&catalog::CURSOR, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let (message, text) = (record.get("message"), record.get("text"));
    let kind = record.any(&["type", "role"]).word().unwrap_or_default();
    match kind.as_ref() {
        "export" => {
            out.run.title = record.get("title");
            out.facts(record, &[("Exported", "exported"), ("Version", "version")]);
            out.event(EventKind::RunStart, "chat").summary(record.get("title"));
        }
        "user" | "assistant" if message.is_given() => {
            if kind == "user" {
                let first = content::first_words(message);
                // The time may stand before it.
                let (_, query) = out.text(first).split_once("<user_query>").unwrap_or_default();
                let query = query.trim().trim_end_matches("</user_query>").trim();
                out.run.first_words = match Some(query).filter(|it| !it.is_empty()) {
                    Some(query) => Json::new(out.keep(&quoted(query))),
                    None => first,
                };
            }
            content::message_of_role(&kind, message, Joins::Nothing, out);
            // Transcripts have no results.
            for item in out.items.iter_mut().filter(|item| item.what == What::Call) {
                item.status = Some(Status::Unknown);
            }
        }
        "user" => {
            out.run.first_words = text;
            out.item(What::User).text(text);
        }
        "assistant" => drop(out.model(vec![Part::Text(text)], Joins::Nothing)),
        _ => drop(out.note(kind.replace('_', " ")).text(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn the_title_is_the_question_without_its_tags() {
        let line = r#"{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nTie it\n</user_query>"}]}}"#;
        let read = read(&CURSOR, &[&[line]]);
        assert_eq!(read.trace.runs()[0].title.as_deref(), Some("Tie it"));
    }
}
