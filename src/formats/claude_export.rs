//! Conversations of Claude's web and desktop apps: `conversations.json` of a data export, a list of conversations, and
//! a single one as the app itself loads it.
//!
//! Read from the descriptions of the export in projects that read it (<https://github.com/Sinity/polylogue>,
//! <https://github.com/socketteer/Claude-Conversation-Exporter>); no real file was at hand. A message of Claude
//! contains everything until the next user message: whatever follows a result is another LLM call. Calls have no ids in
//! older exports. There are no token counts, and in exports no model.

use traceloupe_engine::prelude::*;

/// The format.
pub static CLAUDE_EXPORT: Described = Described {
    signs: &[Sign::record(
        "conversations have a `uuid` and `chat_messages`",
        &[Test::Text("uuid"), Test::List("chat_messages")],
    )],
    lists: &["chat_messages"],
    quiet: &[
        "sender|text|created_at|updated_at|model",
        "content.*.type|name|start_timestamp|stop_timestamp|is_error",
    ],
    ..Described::new(&catalog::CLAUDE_EXPORT, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.get("created_at"));
    if entry.is_document {
        let run = out.run(record.get("uuid"));
        (run.titles.own, run.models.name) = (record.get("name"), record.get("model"));
        (run.times.start, run.times.end) =
            (time_of(record.get("created_at")), time_of(record.get("updated_at")));
        out.facts(
            record,
            &[(FactKind::Model, "model"), (FactKind::Other("Project"), "project.name")],
        );
        out.event(EventKind::RunStart, "conversation").text(record.get("summary"));
        return;
    }
    match record.get("sender").label().as_ref() {
        "assistant" => answer(record, out),
        "human" | "user" => {
            // Converters write results as user messages.
            let content = record.get("content");
            if content.items().any(|block| block.get("type").is("tool_result")) {
                return content::message_of_role("user", record, Joins::Nothing, out);
            }
            let parts = words(record);
            let item = out.user_parts(parts).id(record.get("uuid"));
            item.value(BlockRole::Attachments, record.get("attachments"))
                .value("Files", record.get("files"));
        }
        _ => {}
    }
}

/// The content of a message; old exports have only a text.
fn words(record: Json<'_>) -> Vec<Part<'_>> {
    let content = record.get("content");
    match content.item(0).is_given() {
        true => content::pieces(content),
        false if record.get("text").raw().len() > 2 => vec![Part::Text(record.get("text"))],
        false => Vec::new(),
    }
}

/// Claude's response: LLM calls, with their tool calls and results between them.
fn answer<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let mut model = begin(record, out);
    let mut is_answered = false;
    if record.get("content.0").is_absent() {
        out.last().parts = words(record);
    }
    for block in record.get("content").items() {
        let kind = block.get("type").label();
        let name = block.get("name");
        out.at(block.get("start_timestamp"));
        match kind.as_ref() {
            "tool_result" => {
                is_answered = true;
                out.at(block.get("stop_timestamp"));
                out.result(block.get("tool_use_id"), block.get("content"))
                    .name(name)
                    .failed(block.get("is_error"));
                continue;
            }
            "token_budget" | "flag" => continue,
            _ if is_answered => {
                is_answered = false;
                model = begin(record, out);
                // The tool calls of the message usually belong to its first LLM call.
                out.nth(model).asks(Json::ABSENT);
            }
            _ => {}
        }
        if kind == "tool_use" {
            let item = out.nth(model);
            item.asks(item.row.asks.or(block));
            out.asked_by(model, block.get("id"), name, block.get("input"));
        } else {
            out.nth(model).parts.extend(content::pieces(block));
        }
    }
    if record.get("stop_reason").is("user_canceled") {
        out.last().status(Status::Cancelled);
    }
}

fn begin<'a>(record: Json<'a>, out: &mut Description<'a>) -> usize {
    let item = out.item(What::Model).joins(Joins::Nothing).id(record.get("uuid"));
    item.name = record.get("model").label();
    if record.get("content").kind() == Kind::Array {
        item.asks(record.get("content"));
    }
    out.items.len() - 1
}
