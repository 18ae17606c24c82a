//! Factory Droid: the files of its sessions (messages, and the settings with the token counts), and what `droid exec --output-format stream-json` prints.
//!
//! Read from its documentation (docs.factory.ai, Droid Exec), from code that reads its sessions, and from a short
//! session. A session is a header and messages with the blocks of Anthropic's API; a message of the assistant is one
//! LLM call. In a stream, words and calls are events of their own, and calls name the message that they are of.

use super::kit::prelude::*;

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
        "isError|version",
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
            out.run.title = record.any(&["sessionTitle", "title"]);
            out.run.model = record.get("model");
            let facts = [("Directory", "cwd"), ("Owner", "owner"), ("Format version", "version")];
            out.facts(record, &facts);
            out.event(EventKind::RunStart, "session").summary(record.get("cwd"));
        }
        "" if record.get("tokenUsage").is_given() => {
            // What is beside the messages of a session, in a file of its own.
            let usage = record.get("tokenUsage");
            (out.run.model, out.run.usage) = (record.get("model"), COUNTS.read(usage));
            out.facts(
                record,
                &[
                    ("Model", "model"),
                    ("Provider", "providerLock"),
                    ("Effort", "reasoningEffort"),
                    ("Autonomy", "autonomyMode"),
                    ("Active time (ms)", "assistantActiveTimeMs"),
                ],
            );
            out.event(EventKind::RunStart, "settings").value("Usage", usage);
        }
        "message" if message.is_given() => {
            content::said(message, Joins::Nothing, out);
            let usage = message.get("usage");
            if let Some(item) = out.items.first_mut().filter(|item| item.what == What::Model) {
                item.name = message.get("model").label();
                item.tokens(&COUNTS, usage);
            }
        }
        "message" if record.get("role").is("assistant") => {
            out.model(vec![Part::Text(record.get("text"))], Joins::Id(id));
        }
        "message" => {
            out.run.first_words = record.get("text");
            content::message(record, Joins::Nothing, out);
        }
        "reasoning" => drop(out.thinking(record.get("text")).joins(Joins::Id(id))),
        "tool_call" => {
            out.ask(id, record.get("toolName"), record.get("parameters"));
            if let Some(item) = out.items.first_mut() {
                item.joins(Joins::Id(record.get("messageId"))).asks = record;
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
            out.run.usage = COUNTS.read(usage);
            out.run.duration = ms(record.any(&["durationMs", "duration_ms"]));
            out.note(kind).text(record.any(&["finalText", "result"])).value("Usage", usage);
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

fn ms(time: Json<'_>) -> crate::model::MaybeNs {
    seconds_ns(time.number().map(|ms| ms / 1e3))
}
