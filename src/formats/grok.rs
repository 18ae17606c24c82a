//! Grok Build: the history of a session, `chat_history.jsonl`.
//!
//! Read from code that reads such histories and from short ones of 2026. Records have no times. Reasoning, searches
//! that the API runs itself and the words of the model are pieces of one LLM call. What the program tells the model in
//! the name of the person has a `synthetic_reason`. The other files of a session, `updates.jsonl` among them, are
//! messages of the Agent Client Protocol and are read as such.

use super::kit::{Described, Description, Entry, Joins, On, Sign, Test, What};
use super::shapes::content;
use crate::catalog;
use crate::model::Status;

/// The format.
pub static GROK: Described = Described {
    signs: &[
        Sign::certain(
            On::Any,
            "messages have the `model_id` of Grok, and their type instead of a role",
            &[Test::OneOf("type", &["assistant"]), Test::Text("model_id"), Test::Has("content")],
        ),
        Sign::certain(
            On::Any,
            "a message of the user has the number of its prompt, or says why the program wrote it",
            &[
                Test::OneOf("type", &["user"]),
                Test::List("content"),
                Test::HasOne(&["prompt_index", "synthetic_reason"]),
            ],
        ),
        Sign::certain(
            On::Any,
            "calls that the API runs itself are records with their `kind`",
            &[Test::OneOf("type", &["backend_tool_call"]), Test::Text("kind.tool_type")],
        ),
    ],
    has_messages: true,
    quiet: &["type", "id", "model_id", "status", "kind.id", "kind.status", "kind.tool_type"],
    ..Described::new(&catalog::GROK, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let kind = record.get("type").word().unwrap_or_default();
    match kind.as_ref() {
        "user" => {
            let reason = record.get("synthetic_reason");
            if reason.is_given() && !reason.is("interjection") {
                out.item(What::System)
                    .field("Reason", reason)
                    .parts
                    .extend(content::pieces(record.get("content")));
                return;
            }
            out.run.first_words = content::first_words(record);
            content::message_of_role("user", record, Joins::Nothing, out);
        }
        "reasoning" => drop(out.thinking(record.get("summary")).joins(Joins::Open)),
        "backend_tool_call" => {
            let call = record.get("kind");
            let asked = out.ask(call.get("id"), call.get("tool_type"), call.get("action"));
            if call.get("status").is("completed") {
                asked.status(Status::Ok);
            }
            if let Some(item) = out.items.first_mut() {
                item.joins(Joins::Open);
            }
        }
        "tool_result" => {
            let item = out.result(record.get("tool_call_id"), record.get("content"));
            item.parts.extend(content::pieces(record.get("images")));
        }
        "system" | "assistant" => {
            content::message_of_role(&kind, record, Joins::Open, out);
            for item in out.items.iter_mut().filter(|item| item.what == What::Model) {
                item.name(record.get("model_id").word().unwrap_or_default());
            }
        }
        _ => drop(out.note(kind.into_owned())),
    }
}
