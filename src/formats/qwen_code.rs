//! Qwen Code: chats as lines. The envelope is Claude Code's, the messages are those of Gemini's API.
//!
//! Read from the program (`packages/core/src/services/chatRecordingService.ts` in
//! <https://github.com/QwenLM/qwen-code>) and a chat of 0.18.1, June 2026. The counts of an LLM call are on its
//! message; the telemetry of the same call, which has its duration, is not counted again.

use traceloupe_engine::prelude::*;

/// The format.
pub static QWEN_CODE: Described = Described {
    signs: &[Sign::record(
        "records have `sessionId`, `uuid` and messages with `parts`",
        &[Test::Texts(&["sessionId", "uuid"]), Test::List("message.parts")],
    )],
    quiet: &[
        "type|subtype|timestamp|sessionId|cwd|version|gitBranch|model",
        "message.role",
        "toolCallResult.callId|status",
    ],
    ..Described::new(&catalog::QWEN_CODE, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let (record, message) = (entry.json, entry.json.get("message"));
    out.at(record.get("timestamp"));
    out.run(record.get("sessionId"));
    if !record.get("parentUuid").is_given() {
        out.facts(
            record,
            &[
                (FactKind::Folder, "cwd"),
                (FactKind::Version, "version"),
                (FactKind::Branch, "gitBranch"),
            ],
        );
    }
    match record.get("type").label().as_ref() {
        "user" => content::asked(message, out),
        "assistant" => {
            let counts = record.get("usageMetadata");
            content::message_of_role("model", message, Joins::Nothing, out);
            let Some(item) = out.items.first_mut() else { return };
            item.tokens(Flavour::of(counts), counts);
            item.name = record.get("model").label();
        }
        "tool_result" => {
            content::message_of_role("user", message, Joins::Nothing, out);
            let result = record.get("toolCallResult");
            for item in out.items.iter_mut().filter(|item| item.what() == What::Result) {
                item.value("Shown", result.get("resultDisplay"));
                item.ending.error = result.get("errorType").label().into();
                item.outcome(result.get("status"));
            }
        }
        "system" => {
            let (subtype, payload) = (record.get("subtype").label(), record.get("systemPayload"));
            let event = payload.get("uiEvent");
            match subtype.as_ref() {
                "chat_compression" => {
                    out.event(EventKind::Compaction, "compaction").value("Details", payload);
                }
                "custom_title" => {
                    out.run.titles.own = payload.get("customTitle");
                    out.note("title").text(payload.get("customTitle"));
                }
                _ => {
                    let failed = event.get("error_message");
                    match failed.is_given() {
                        true => out.event(EventKind::Error, "API error").error(failed),
                        false => out.note(subtype.replace('_', " ")),
                    }
                    .took(millis_ns(event.get("duration_ms")))
                    .summary(failed.or(event.field("event.name")))
                    .value("Details", event.or(payload));
                }
            }
        }
        _ => {}
    }
}
