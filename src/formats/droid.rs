//! Factory Droid: the files of its sessions (messages, and the settings with the token counts), and the output of
//! `droid exec --output-format stream-json`.
//!
//! Read from its documentation (docs.factory.ai, Droid Exec), from code that reads its sessions, and from a short
//! session. A session is a header and messages with the blocks of Anthropic's API; a message of the assistant is one
//! LLM call. In a stream, text and calls are events of their own, and calls name the message that they belong to. With
//! `stream-jsonrpc`, messages and results are notifications of JSON-RPC, beside pieces of their content.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::exit_code::told_after;

/// The format.
pub static DROID: Described = Described {
    signs: &[
        Sign::record(
            "there is a `session_start` with an id",
            &[
                Test::Is("type", "session_start"),
                Test::Text("id"),
                Test::HasOne(&["cwd", "owner", "title", "sessionTitle"]),
            ],
        ),
        Sign::record(
            "calls and results have a `toolId` and a `messageId`",
            &[
                Test::OneOf("type", &["tool_call", "tool_result"]),
                Test::Texts(&["toolId", "messageId"]),
            ],
        ),
        Sign::record(
            "messages have their words as `text`, and the id of their session",
            &[Test::Is("type", "message"), Test::Texts(&["role", "text", "session_id"])],
        ),
        Sign::record(
            "the stream completes with a `finalText` and the number of turns",
            &[Test::Is("type", "completion"), Test::Text("finalText"), Test::Has("numTurns")],
        ),
        Sign::record(
            "notifications are those of a session of Droid",
            &[
                Test::Is("method", "droid.session_notification"),
                Test::Text("params.notification.type"),
            ],
        ),
        Sign::certain(
            On::Document,
            "the settings of a session have its token counts",
            &[
                Test::Has("tokenUsage.inputTokens"),
                Test::HasOne(&["assistantActiveTimeMs", "autonomyMode", "providerLock"]),
            ],
        ),
    ],
    quiet: &[
        "type|subtype|id|parentId|role|timestamp|session_id|sessionId|messageId|toolId|toolName",
        "isError|version|jsonrpc|factoryApiVersion|factoryProtocolVersion|method",
        "params.notification.type|toolUseId|messageId|isError|newState",
        "params.notification.message.id|role|createdAt",
        "message.model",
        "message.content.*.signature",
    ],
    ..Described::new(&catalog::DROID, describe)
};

/// Cached tokens are counted apart from the input.
static COUNTS: Flavour = Flavour {
    input: &["inputTokens", "input_tokens"],
    output: &["outputTokens", "output_tokens"],
    cache_read: &["cacheReadTokens", "cache_read_input_tokens"],
    cache_write: &["cacheCreationTokens", "cache_creation_input_tokens"],
    reasoning: &["thinkingTokens"],
    ..Flavour::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.get("timestamp"));
    let (id, message) = (record.get("id"), record.get("message"));
    let kind = record.get("type").label();
    match kind.as_ref() {
        "session_start" | "system" => {
            out.run(record.any(&["session_id", "sessionId", "id"]));
            out.run.titles.own = record.any(&["sessionTitle", "title"]);
            out.run.models.name = record.get("model");
            let facts = [
                (FactKind::Folder, "cwd"),
                (FactKind::Other("Owner"), "owner"),
                (FactKind::Other("Format version"), "version"),
            ];
            out.facts(record, &facts);
            out.event(EventKind::RunStart, "session").summary(record.get("cwd"));
        }
        "" if record.get("tokenUsage").is_given() => {
            // The data beside the messages of a session, in a file of its own.
            let usage = record.get("tokenUsage");
            (out.run.models.name, out.run.totals.usage) = (record.get("model"), COUNTS.read(usage));
            out.facts(
                record,
                &[
                    (FactKind::Model, "model"),
                    (FactKind::Provider, "providerLock"),
                    (FactKind::Other("Effort"), "reasoningEffort"),
                    (FactKind::Other("Autonomy"), "autonomyMode"),
                    (FactKind::Other("Active time (ms)"), "assistantActiveTimeMs"),
                ],
            );
            out.event(EventKind::RunStart, "settings").value(BlockRole::Usage, usage);
        }
        "notification" => notification(record.get("params.notification"), out),
        "response" | "request" if record.get("jsonrpc").is_given() => {
            let session = record.get("result.sessionId");
            out.run(session);
            out.run.models.name = record.get("result.settings.modelId");
            let name = record.get("method").label();
            out.bookkeeping(if name.is_empty() { kind } else { name }).summary(session);
        }
        "message" if message.is_given() => {
            said(message, Joins::Nothing, out);
            let usage = message.get("usage");
            if let Some(item) = out.items.first_mut().filter(|item| item.what() == What::Model) {
                item.name = message.get("model").label();
                item.tokens(&COUNTS, usage);
            }
        }
        "message" if record.get("role").is("assistant") => {
            out.model(vec![Part::Text(record.get("text"))], Joins::Id(id));
        }
        "message" => {
            out.run.titles.words = record.get("text");
            content::message(record, Joins::Nothing, out);
        }
        "reasoning" => drop(out.thinking(record.get("text")).joins(Joins::Id(id))),
        "tool_call" => {
            out.ask(id, record.get("toolName"), record.get("parameters"));
            if let Some(item) = out.items.first_mut() {
                item.joins(Joins::Id(record.get("messageId"))).asks(record);
            }
        }
        "tool_result" => {
            let value = record.any(&["value", "result"]);
            out.result(id, value).failed(record.get("isError")).error(record.get("error"));
        }
        "completion" | "result" => {
            let failed = record.get("is_error").is_true();
            let usage = record.get("usage");
            out.run.status = Some(if failed { RunStatus::Error } else { RunStatus::Ok });
            out.run.totals.usage = COUNTS.read(usage);
            out.run.times.duration = ms(record.any(&["durationMs", "duration_ms"]));
            out.note(kind)
                .text(record.any(&["finalText", "result"]))
                .value(BlockRole::Usage, usage);
        }
        "compaction_state" => {
            out.event(EventKind::Compaction, "compaction")
                .text(record.any(&["summaryText", "summary"]));
        }
        "error" => {
            out.event(EventKind::Error, "error").error(record.any(&["error", "message"]));
        }
        _ => drop(out.note(kind.replace('_', " "))),
    }
}

/// A notification that Droid sends to a program.
fn notification<'a>(told: Json<'a>, out: &mut Description<'a>) {
    let kind = told.get("type").label();
    match kind.as_ref() {
        "create_message" => {
            let message = told.get("message");
            out.at(message.get("createdAt"));
            said(message, Joins::Nothing, out);
        }
        // The message follows its pieces.
        kind if kind.ends_with("_delta") => out.nothing(),
        "tool_result" => result(told.get("toolUseId"), told, out),
        "session_title_updated" => {
            out.run.titles.own = told.get("title");
            out.bookkeeping("title").text(told.get("title"));
        }
        "session_token_usage_changed" => {
            out.run.totals.usage = COUNTS.read(told.get("tokenUsage"));
            out.bookkeeping("usage").value(BlockRole::Usage, told.get("tokenUsage"));
        }
        "error" => {
            out.event(EventKind::Error, "error").error(told.any(&["error", "message"]));
        }
        _ => drop(out.bookkeeping(kind.replace('_', " ")).summary(told.get("newState"))),
    }
}

fn result<'a>(id: Json<'a>, told: Json<'a>, out: &mut Description<'a>) {
    let content = told.get("content");
    let exit = exit_of(content, out);
    out.result(id, content).failed(told.any(&["isError", "is_error"])).exit(exit);
}

/// The exit code, which Droid writes as text.
fn exit_of<'a>(content: Json<'a>, out: &mut Description<'a>) -> Json<'a> {
    let text = out.text(content.get("0.text").or(content));
    let line = text.lines().next().unwrap_or_default();
    match line.starts_with("Error: Command failed") {
        true => told_after(line, "(exit code:", out),
        false => Json::ABSENT,
    }
}

/// A message. Text that the program gives to the model in the user's name is not shown to the user, or is inside tags.
fn said<'a>(message: Json<'a>, joins: Joins<'a>, out: &mut Description<'a>) {
    let is_reminder = |text: &str| text.trim_start().starts_with("<system-reminder>");
    let mut words = message.get("content").items().map(|part| part.get("text"));
    let words = words.find(|it| it.text().is_some_and(|it| !is_reminder(&it)));
    let is_hidden = message.get("visibility").is("llm_only");
    out.run.titles.words =
        words.filter(|_| !is_hidden && message.get("role").is("user")).unwrap_or_default();
    content::message(message, joins, out);
    for at in 0..out.items.len() {
        let Some(item) = out.items.get_mut(at) else { continue };
        let exit = match (item.what(), item.parts.first()) {
            (What::Result, Some(Part::Result(value))) => *value,
            _ => Json::ABSENT,
        };
        let exit = exit_of(exit, out);
        let Some(item) = out.items.get_mut(at) else { continue };
        item.exit(exit);
        if item.what() != What::User {
            continue;
        }
        let mut parts = std::mem::take(&mut item.parts);
        let is_told = |part: &Part<'a>| matches!(part, Part::Text(text) if text.text().is_some_and(|it| is_reminder(&it)));
        let told: Vec<_> = parts.extract_if(.., |part| is_hidden || is_told(part)).collect();
        if parts.is_empty() {
            item.becomes(What::System).parts = told;
            continue;
        }
        item.parts = parts;
        if !told.is_empty() {
            out.item(What::System).parts = told;
        }
    }
}

fn ms(time: Json<'_>) -> traceloupe_core::model::MaybeNs {
    seconds_ns(time.number().map(|ms| ms / 1e3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn what_the_program_says_is_not_of_the_person() {
        let lines = [
            r#"{"type":"message","id":"a","message":{"role":"user","visibility":"llm_only","content":[{"type":"text","text":"The tide is low"}]}}"#,
            r#"{"type":"message","id":"b","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>Low tide</system-reminder>"},{"type":"text","text":"Launch the boat"}]}}"#,
        ];
        let read = read(&DROID, &[&lines]);
        assert_eq!(read.outline(), ["system ", "user ", "system "]);
        assert_eq!(read.trace.runs()[0].title.as_deref(), Some("Launch the boat"));
    }

    #[test]
    fn the_exit_code_of_a_command_stands_in_words() {
        let lines = [
            r#"{"type":"message","id":"a","message":{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"Execute","input":{"command":"launch"}}]}}"#,
            r#"{"type":"message","id":"b","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"Error: Command failed (exit code: 3)\nno water"}]}}"#,
        ];
        let read = read(&DROID, &[&lines]);
        let call = read.trace.events().iter().find(|it| it.kind == EventKind::ToolCall).unwrap();
        assert_eq!(
            (call.status, read.trace.error(call.error)),
            (Status::Failed, traceloupe_core::model::ErrorLabel::ExitCode(3))
        );
    }
}
