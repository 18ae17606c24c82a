//! pi, a coding agent, and agents built on it (OpenClaw): the files of its sessions, and its output with `--mode json`,
//! which runners keep as a log.
//!
//! Read from its documentation (github.com/badlogic/pi-mono, `packages/coding-agent/docs`: session, json, rpc), its
//! code, OpenClaw's documentation (docs.openclaw.ai, session management), sessions of versions 1 and 3, and a log. A
//! session is a header and entries, each with its time. The entries are a tree since version 2: they are shown in file
//! order, which is also the order in time. A message of the assistant is one LLM call: its own time is its start, the
//! time of its entry is its end. In a log a message has a start, updates with the whole message so far, and an end;
//! results come twice, as the end of an execution and as a message.

use traceloupe_core::model::{MaybeNs, RunStatus};
use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::exit_code;

/// The format.
pub static PI: Described = Described {
    signs: &[
        Sign::record(
            "there is the header of a session with its folder and time",
            &[
                Test::Is("type", "session"),
                Test::Texts(&["id", "cwd", "timestamp"]),
                // Session traces of Hugging Face.
                Test::Lacks("harness"),
            ],
        ),
        Sign::record(
            "entries have messages with a `stopReason` and pi's token counts",
            &[
                Test::Is("type", "message"),
                Test::Text("message.stopReason"),
                Test::Has("message.usage.cacheRead"),
            ],
        ),
        Sign::record(
            "events are those of messages of pi",
            &[
                Test::OneOf(
                    "type",
                    &["message_start", "message_update", "message_end", "turn_end"],
                ),
                Test::Text("message.role"),
                Test::Lacks("message.type"),
            ],
        ),
        Sign::record(
            "events are those of executions of tools of pi",
            &[Test::Starts("type", "tool_execution_"), Test::Text("toolCallId")],
        ),
    ],
    quiet: &[
        "type|version|timestamp|parentId|modelId|toolName|id|isError|customType",
        "message.isError|timestamp|model|toolName",
        // All messages again.
        "messages",
        "message.content.*.type|mimeType|textSignature|thinkingSignature|thoughtSignature",
    ],
    hooks: Hooks { tells_twice: true, ..Hooks::NONE },
    ..Described::new(&catalog::PI, describe)
};

/// pi counts cached tokens apart from the input, even if the provider does not.
pub(super) static COUNTS: Flavour = Flavour {
    input: &["input"],
    output: &["output"],
    cache_read: &["cacheRead"],
    cache_write: &["cacheWrite"],
    reasoning: &["reasoning"],
    ..Flavour::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let message = record.get("message");
    out.at(record.any(&["timestamp", "message.timestamp"]));
    let kind = record.get("type").label();
    match kind.as_ref() {
        "session" => session(record, out),
        "message" => {
            self::message(message, record.get("timestamp"), out);
            if let Some(item) = out.items.first_mut().filter(|item| item.id.is_absent()) {
                item.id = record.get("id");
            }
        }
        "message_start" | "message_update" if message.get("role").is("assistant") => {
            piece(message, record.get("assistantMessageEvent"), out);
        }
        "message_end" => {
            self::message(message, Json::ABSENT, out);
            for item in &mut out.items {
                match item.what() {
                    What::Model => drop(item.joins(Joins::Neighbours).ends(true)),
                    // The call began after the message had ended.
                    What::Call => item.time.start = MaybeNs::UNKNOWN,
                    What::Result => item.repeats.is_again = true,
                    _ => {}
                }
            }
        }
        "tool_execution_start" => {
            let (id, name) = (record.get("toolCallId"), record.get("toolName"));
            out.call(id, name, record.get("args")).again();
        }
        "tool_execution_end" => {
            let value = record.get("result.content").or(record.get("result"));
            out.result(record.get("toolCallId"), value).failed(record.get("isError"));
            details(record.get("result.details"), out.last());
        }
        // Other events repeat their content.
        "message_start" | "message_update" | "tool_execution_update" | "turn_end" => out.nothing(),
        "agent_end" => {
            let last = record.get("messages").items().last().unwrap_or_default();
            out.run.status = match last.get("stopReason").label().as_ref() {
                "error" => Some(RunStatus::Error),
                "aborted" => Some(RunStatus::Cancelled),
                _ => Some(RunStatus::Ok),
            };
            out.bookkeeping("agent end");
        }
        "agent_start" | "turn_start" => drop(out.note(kind.replace('_', " "))),
        _ => entry_of(&kind, record, out),
    }
}

fn session<'a>(header: Json<'a>, out: &mut Description<'a>) {
    let run = out.run(header.get("id"));
    (run.models.name, run.titles.own) = (header.get("modelId"), header.get("title"));
    out.facts(
        header,
        &[
            (FactKind::Folder, "cwd"),
            (FactKind::Other("Format version"), "version"),
            (FactKind::Provider, "provider"),
            (FactKind::Other("Thinking level"), "thinkingLevel"),
            (FactKind::Other("Forked from"), "parentSession"),
            (FactKind::Other("Forked from"), "branchedFrom"),
        ],
    );
    // Some programs write the title before the session's header.
    out.run.records = Records::EarlierToo;
    out.event(EventKind::RunStart, "session").summary(header.get("cwd"));
}

/// The content of an entry other than a message. Exports of OpenClaw have the same entries under other names.
pub(super) fn entry_of<'a>(kind: &str, entry: Json<'a>, out: &mut Description<'a>) {
    match kind {
        "model_change" => {
            // Oh My Pi includes the provider in the name.
            let model = entry.any(&["modelId", "model"]);
            out.run.models.name = model;
            out.note("model").field(FactKind::Model, model).fields(
                entry,
                &[(FactKind::Provider, "provider"), (FactKind::Other("Role"), "role")],
            );
        }
        "thinking_level_change" => {
            out.note("thinking level").field("Level", entry.get("thinkingLevel"));
        }
        "session_info" | "info" | "title" => {
            let title = entry.any(&["name", "title"]);
            out.run.titles.own = title;
            out.bookkeeping("title").field("Title", title);
        }
        "compaction" | "compaction_end" | "auto_compaction_end" => {
            let result = entry.get("result").or(entry);
            out.event(EventKind::Compaction, "compaction")
                .text(result.get("summary"))
                .error(entry.get("errorMessage"))
                .field(FactKind::Amount("Tokens before"), result.get("tokensBefore"));
        }
        "custom_message" => injected(entry, out),
        "auto_retry_start" => {
            out.event(EventKind::Error, "retry").error(entry.get("errorMessage"));
        }
        _ => {
            let label = entry.get("customType").word().filter(|_| kind == "custom");
            let label = label.unwrap_or_else(|| kind.replace('_', " ").into());
            out.note(label)
                .text(entry.get("summary"))
                .field("Label", entry.get("label"))
                .error(entry.any(&["finalError", "errorMessage", "data.error"]));
        }
    }
}

/// A message that an extension put into the conversation.
fn injected<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let label = message.get("customType").label();
    out.item(What::System).name(label).parts = content::pieces(message.get("content"));
}

/// Instructions in sections, as version 1.0 writes them, with the tools.
fn instructions<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let mut sections: Vec<_> = message.get("sections").members().map(|(_, it)| it).collect();
    sections.retain(|it| has_content(*it) && it.kind() == Kind::String);
    let words: Vec<_> = sections.iter().filter_map(|it| it.text()).collect();
    let words = out.string(&words.join("\n\n"));
    let item = out.item(What::System).text(message.get("content")).text(words);
    item.summary(sections.first().copied().unwrap_or_default())
        .value(BlockRole::Tools, message.get("toolsAdded"))
        .row
        .told
        .extend(sections);
}

/// A message, with the time at which it was written, if that is known.
pub(super) fn message<'a>(message: Json<'a>, written: Json<'a>, out: &mut Description<'a>) {
    match message.get("role").label().as_ref() {
        "assistant" if is_of_gateway(message) => {
            let item = out.note("delivered message").field(FactKind::Model, message.get("model"));
            item.parts.extend(content::pieces(message.get("content")));
        }
        "assistant" => {
            content::message(message, Joins::Nothing, out);
            if let Some(item) = out.find(What::Model) {
                answer(message, written, item);
            }
        }
        "toolResult" => {
            content::message_of_role("tool", message, Joins::Nothing, out);
            let exit = match message.get("isError").is_true() {
                true => exit_code::told_after(
                    out.text(message.get("content.0.text")),
                    "Command exited with code ",
                    out,
                ),
                false => Json::ABSENT,
            };
            let item = out.last().failed(message.get("isError")).exit(exit);
            details(message.get("details"), item);
        }
        "bashExecution" => {
            let call = out.call(Json::ABSENT, Json::new("\"bash\""), message.get("command"));
            call.exit(message.get("exitCode")).part(Part::Result(message.get("output")));
            call.part(Part::Note(EventNote::RunByUser));
            if message.get("cancelled").is_true() {
                call.status(Status::Cancelled);
            }
        }
        "system" if message.get("sections").is_given() => instructions(message, out),
        "custom" | "hookMessage" => injected(message, out),
        "branchSummary" => entry_of("branch_summary", message, out),
        "compactionSummary" => entry_of("compaction", message, out),
        _ => {
            out.run.titles.words = content::first_words(message);
            content::message(message, Joins::Nothing, out);
        }
    }
}

/// Whether OpenClaw itself wrote a message of the assistant: what it delivered to a channel, or put into a session.
fn is_of_gateway(message: Json<'_>) -> bool {
    let model = message.get("model").label();
    message.get("provider").is("openclaw")
        && matches!(model.as_ref(), "delivery-mirror" | "gateway-injected")
}

/// The data of a message about its LLM call.
fn answer<'a>(message: Json<'a>, written: Json<'a>, item: &mut Item<'a>) {
    let began = time_of(message.get("timestamp"));
    if began.is_known() {
        item.begins(began);
    }
    item.took(between(message.get("timestamp"), written));
    match message.get("stopReason").label().as_ref() {
        "aborted" => drop(item.status(Status::Cancelled)),
        "error" => drop(item.status(Status::Failed)),
        _ => {}
    }
    let usage = message.get("usage");
    item.name(message.get("model"))
        .error(message.get("errorMessage"))
        .tokens(&COUNTS, usage)
        .fields(
            message,
            &[
                (FactKind::Other("Stop reason"), "stopReason"),
                (FactKind::Provider, "provider"),
                (FactKind::Other("API"), "api"),
            ],
        );
}

/// A message that is being streamed: the stream's event has the new part.
fn piece<'a>(message: Json<'a>, event: Json<'a>, out: &mut Description<'a>) {
    let began = time_of(message.get("timestamp"));
    let item = out.item(What::Model).begins(began).told(message).told(event);
    item.name(message.get("model"));
    let of = match event.get("type").label().as_ref() {
        "text_delta" => PieceOf::Text,
        "thinking_delta" => PieceOf::Thinking,
        _ => return,
    };
    let key = event.get("contentIndex").count().unwrap_or_default();
    item.part(Part::Piece(Piece { of, key, text: event.get("delta") }));
}

/// The data that a tool returns beside its result.
fn details<'a>(details: Json<'a>, item: &mut Item<'a>) {
    let took = details.get("durationMs").number();
    // OpenClaw's tools report failures only here.
    if matches!(details.get("status").label().as_ref(), "error" | "failed") {
        item.status(Status::Failed);
    }
    item.exit(details.get("exitCode"))
        .took(seconds_ns(took.map(|ms| ms / 1e3)))
        .value("Details", details);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;
    use traceloupe_core::model::{Block, Value};

    const SECTIONS: &str = include_str!("../../tests/fixtures/pi/sections.jsonl");

    #[test]
    fn sections_are_the_words_of_instructions_and_tools_are_shown() {
        let lines: Vec<&str> = SECTIONS.lines().collect();
        let read = read(&PI, &[&lines]);
        assert_eq!(read.summary(1), r#""You keep the dock and its boats.""#);
        let blocks = read.detail(&PI, 1).blocks;
        let [
            Block::Text(BlockRole::Instructions, Value::Text(words)),
            Block::Json(BlockRole::Tools, _),
        ] = blocks.as_slice()
        else {
            panic!("{blocks:#?}")
        };
        let expected = "You keep the dock and its boats.\n\n<rules>\n- Moor boats at both ends\n</rules>\n\n\
                        <cwd>\n/srv/dock\n</cwd>";
        assert_eq!(words, expected);
    }

    #[test]
    fn the_exit_code_of_a_command_is_at_the_end_of_its_error() {
        let session = r#"{"type":"session","version":3,"id":"s","timestamp":"2026-10-01T10:00:00.000Z","cwd":"/dock"}"#;
        let call = |id: u32, command: &str| {
            format!(
                r#"{{"type":"message","id":"a{id}","timestamp":"2026-10-01T10:00:01.000Z","message":{{"role":"assistant","content":[{{"type":"toolCall","id":"c{id}","name":"bash","arguments":{{"command":"{command}"}}}}],"timestamp":1790848801000}}}}"#
            )
        };
        let result = |id: u32, text: &str| {
            format!(
                r#"{{"type":"message","id":"r{id}","timestamp":"2026-10-01T10:00:02.000Z","message":{{"role":"toolResult","toolCallId":"c{id}","toolName":"bash","content":[{{"type":"text","text":"{text}"}}],"isError":true,"timestamp":1790848802000}}}}"#
            )
        };
        let lines = [
            session.to_owned(),
            call(1, "grep boat a"),
            result(1, "Command exited with code 1"),
            call(2, "make"),
            result(2, "no boat\\n\\nCommand exited with code 2"),
            call(3, "sleep 9"),
            result(3, "Command aborted"),
        ];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let read = read(&PI, &[&lines]);
        let calls = read.trace.events().iter().filter(|it| it.kind == EventKind::ToolCall);
        let found: Vec<_> = calls.map(|it| it.status).collect();
        assert_eq!(found, [Status::NoMatch, Status::Failed, Status::Cancelled]);
    }
}
