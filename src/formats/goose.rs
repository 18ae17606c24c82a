//! Goose: `goose session export --format json` (or `yaml`), the output of `goose run --output-format stream-json` (or
//! `json`), and the session files of versions before SQLite. [`super::databases`] writes the sessions of its database
//! as exports.
//!
//! Read from its documentation (block.github.io/goose, session management) and its code (github.com/block/goose,
//! `crates/goose/src/session` and `conversation`), and from printed messages that users quote; no real file was at
//! hand. An export is one document with a `conversation`; an older file is a line about the session, then a message per
//! line. A message of the assistant is one LLM call. Token counts are those of the session.

use traceloupe_engine::prelude::*;

/// The format.
pub static GOOSE: Described = Described {
    signs: &[
        Sign::record(
            "the document has a `conversation` and its `working_dir`",
            &[Test::List("conversation"), Test::Text("working_dir")],
        ),
        Sign::certain(
            On::First,
            "the first line has the `working_dir` of a session and its number of messages",
            &[Test::Text("working_dir"), Test::Has("message_count")],
        ),
        Sign::certain(
            On::Items("content"),
            "messages have a `toolRequest` or `toolResponse` with its status",
            &[
                Test::OneOf("type", &["toolRequest", "toolResponse"]),
                Test::HasOne(&["toolCall.status", "toolResult.status"]),
            ],
        ),
        Sign::record(
            "printed messages say who sees them",
            &[
                Test::Is("type", "message"),
                Test::Has("message.metadata.userVisible"),
                Test::List("message.content"),
            ],
        ),
        Sign::certain(
            On::Items("messages"),
            "messages say who sees them",
            &[Test::HasAll(&["created", "metadata.userVisible"]), Test::List("content")],
        ),
    ],
    lists: &["conversation", "messages"],
    has_messages: true,
    quiet: &[
        "id|role|created|message_count|created_at|type",
        "metadata.userVisible|agentVisible",
        "message.id|role|created",
        "message.metadata.userVisible|agentVisible",
        "content.*.type|id|mimeType|signature",
        "content.*.toolCall.status",
        "content.*.toolCall.value.name",
        "content.*.toolResult.status",
        "content.*.toolResult.value.isError",
    ],
    ..Described::new(&catalog::GOOSE, describe)
};

/// The counts of a session: those of all its turns; in older files those of the last turn.
static COUNTS: Flavour = Flavour {
    input: &["accumulated_input_tokens", "input_tokens"],
    output: &["accumulated_output_tokens", "output_tokens"],
    cache_read: &["accumulated_cache_read_tokens"],
    cache_write: &["accumulated_cache_write_tokens"],
    input_has_cached: true,
    ..Flavour::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if record.get("type").is_given() {
        return printed(record, out);
    }
    out.at(record.any(&["created", "created_at"]));
    if record.get("role").is_absent() {
        out.run(record.get("id"));
        out.run.titles.own = record.any(&["name", "description"]);
        out.run.models.name = record.get("model_config.model_name");
        out.run.totals.usage = COUNTS.read(record);
        out.facts(
            record,
            &[
                (FactKind::Folder, "working_dir"),
                (FactKind::Provider, "provider_name"),
                (FactKind::Model, "model_config.model_name"),
                (FactKind::Other("Session type"), "session_type"),
                (FactKind::Other("Schedule"), "schedule_id"),
                (FactKind::Cost, "accumulated_cost"),
                (FactKind::Other("Total tokens"), "accumulated_total_tokens"),
                (FactKind::Other("Total tokens"), "metadata.total_tokens"),
            ],
        );
        let recipe = record.get("recipe");
        let item = out.event(EventKind::RunStart, "session").summary(record.get("working_dir"));
        item.value(BlockRole::Instructions, recipe.get("instructions")).value("Recipe", recipe);
        return;
    }
    said(record, Joins::Nothing, out);
}

/// A line that `goose run` prints.
fn printed<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let kind = record.get("type").label();
    match kind.as_ref() {
        "message" => {
            let message = record.get("message");
            said(message, Joins::Id(message.get("id")), out);
            // A message comes in pieces under one id.
            for part in out.items.iter_mut().flat_map(|item| item.parts.iter_mut()) {
                if let Part::Text(text) = *part {
                    *part = Part::piece(PieceOf::Text, text);
                }
            }
        }
        "complete" => {
            out.facts(record, &[("Total tokens", "total_tokens")]);
            out.event(EventKind::RunEnd, "complete");
        }
        "error" => drop(out.event(EventKind::Error, "error").error(record.get("error"))),
        _ => drop(out.note(kind).text(record.get("data.log.message"))),
    }
}

fn said<'a>(record: Json<'a>, joins: Joins<'a>, out: &mut Description<'a>) {
    out.at(record.get("created"));
    let mut told = record.get("content").items().map(|it| it.get("type").is("systemNotification"));
    if record.get("content.0").is_given() && told.all(|it| it) {
        out.note("notification").text(record.get("content.0.msg"));
        return;
    }
    content::said(record, joins, out);
    let mut results = out.items.iter_mut().filter(|item| item.what() == What::Result);
    for part in record.get("content").items().filter(|part| part.get("type").is("toolResponse")) {
        let Some(item) = results.next() else { break };
        item.exit(part.get("toolResult.value.structuredContent.exit_code"));
    }
    // Messages that only the agent sees were not written by the user.
    if record.get("metadata.userVisible").bool() == Some(false) {
        for item in out.items.iter_mut().filter(|item| item.what() == What::User) {
            item.becomes(What::System);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn a_command_has_its_exit_code_and_a_notification_is_no_answer() {
        let lines = [
            r#"{"role":"assistant","created":1790874401,"content":[{"type":"toolRequest","id":"c","toolCall":{"status":"success","value":{"name":"shell","arguments":{"command":"launch"}}}}]}"#,
            r#"{"role":"user","created":1790874402,"content":[{"type":"toolResponse","id":"c","toolResult":{"status":"success","value":{"content":[{"type":"text","text":"no water"}],"isError":true,"structuredContent":{"exit_code":3}}}}]}"#,
            r#"{"role":"assistant","created":1790874403,"content":[{"type":"systemNotification","notificationType":"inlineMessage","msg":"The tide is low"}]}"#,
        ];
        let read = read(&GOOSE, &[&lines]);
        assert_eq!(read.outline(), ["llm-call ", " tool-call shell", "note notification"]);
        let call = read.trace.events().iter().find(|it| it.kind == EventKind::ToolCall).unwrap();
        assert_eq!(
            (call.status, read.trace.error(call.error)),
            (Status::Failed, traceloupe_core::model::ErrorLabel::ExitCode(3))
        );
    }
}
