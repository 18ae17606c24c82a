//! Crush: the output of `crush session show --json`. [`super::databases`] writes the sessions of its database in this
//! form.
//!
//! Read from its code (github.com/charmbracelet/crush, `internal/cmd/session.go`), and from a database of August 2025.
//! The document has facts about the session and its messages, whose parts are flat objects with a type. A message of
//! the assistant is one LLM call, which began when it was created; its part `finish` states when and why it ended. The
//! cost is that of the session; its token counts are those of the last request, so they are no totals.

use traceloupe_engine::prelude::*;

/// The format.
pub static CRUSH: Described = Described {
    signs: &[Sign::record(
        "the document has the hash and the UUID of a session under `meta`, and its messages",
        &[
            Test::Texts(&["meta.uuid", "meta.id"]),
            Test::Has("meta.prompt_tokens"),
            Test::List("messages"),
        ],
    )],
    lists: &["messages"],
    has_messages: true,
    quiet: &[
        "id|role|created|model",
        "meta.created",
        "parts.*.type|time|name|is_error|tool_call_id|mime_type",
    ],
    ..Described::new(&catalog::CRUSH, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let (record, meta) = (entry.json, entry.json.get("meta"));
    out.at(record.any(&["created", "meta.created"]));
    if entry.is_document {
        out.run(meta.get("uuid")).titles.own = meta.get("title");
        out.run.times.end = time_of(meta.get("modified"));
        out.facts(
            meta,
            &[
                (FactKind::Other("Session"), "id"),
                (FactKind::Cost, "cost"),
                (FactKind::Amount("Tokens of the last request"), "total_tokens"),
            ],
        );
        out.event(EventKind::RunStart, "session").summary(meta.get("title"));
        return;
    }
    content::said(record, Joins::Nothing, out);
    let finish = record.get("parts").items().find(|part| part.get("type").is("finish"));
    let finish = finish.unwrap_or_default();
    for item in &mut out.items {
        item.parts.retain(
            |part| !matches!(part, Part::Value(BlockRole::Content, it) if it.get("type").is("finish")),
        );
        if item.what() != What::Model {
            continue;
        }
        item.name(record.get("model"))
            .begins(time_of(record.get("created")))
            .took(between(record.get("created"), finish.get("time")))
            .field("Finish reason", finish.get("reason"))
            .field(FactKind::Provider, record.get("provider"));
        match finish.get("reason").label().as_ref() {
            "canceled" | "cancelled" => drop(item.status(Status::Cancelled)),
            "error" => {
                // Only the database states the error.
                let (message, details) = (finish.get("message"), finish.get("details"));
                if message.is_given() {
                    item.part(Part::Error(Json::ABSENT, message, details));
                }
                item.status(Status::Failed);
            }
            _ => {}
        }
    }
    // A user message that contains nothing but its end.
    out.items.retain(|item| item.what() != What::User || !item.parts.is_empty());
    if out.items.is_empty() {
        out.nothing();
    }
}
