//! DeepSeek Harness (dsh): the log of a session, `session.jsonl`, which it packs with zstd.
//!
//! Read from code that reads such logs and from short ones of versions 0 to 3 of 2026. The first line has the session,
//! the others are events with a `type`, a number and `data`. A message of the assistant is one LLM call; the calls that
//! it requests are repeated as `tool/call`. Scripts call tools as well (`tool/ptc-dispatch`, earlier
//! `tool/code-dispatch`).

use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::CONVERSE;

/// The format.
pub static DEEPSEEK_HARNESS: Described = Described {
    signs: &[
        Sign::record(
            "the session says how deep it was delegated",
            &[Test::Is("type", "session"), Test::Text("id"), Test::Has("delegationDepth")],
        ),
        Sign::record(
            "events have a `type` of DeepSeek Harness, and `data`",
            &[
                Test::OneOf(
                    "type",
                    &[
                        "user/message",
                        "assistant/message",
                        "turn/start",
                        "step/start",
                        "tool/result",
                    ],
                ),
                Test::Object("data"),
            ],
        ),
    ],
    quiet: &[
        "type|seq|time|createdAt",
        "data.role|name|isError",
        "data.message.role",
        "data.message.content.*.type|name",
        "data.content.*.type",
        "data.message.source.model",
    ],
    ..Described::new(&catalog::DEEPSEEK_HARNESS, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let (record, data) = (entry.json, entry.json.get("data"));
    out.at(record.any(&["time", "createdAt"]));
    let message = data.get("message").or(data);
    let kind = record.get("type").label();
    match kind.as_ref() {
        "session" => {
            let run = out.run_of_source(record.any(&["id", "data.id"]));
            run.origin.started_by = record.get("parentSession");
            out.facts(
                record,
                &[
                    (FactKind::Folder, "cwd"),
                    (FactKind::Other("Preset"), "agentPreset"),
                    (FactKind::Other("Parent"), "parentSession"),
                ],
            );
            out.event(EventKind::RunStart, "session").summary(record.get("cwd"));
        }
        "subagent/descriptor" => {
            out.run.titles.own = data.get("label");
            out.note("sub-agent").text(data.get("label"));
        }
        "request/header" => {
            let config = data.get("header.config");
            out.run.models.name = config.get("model");
            out.note("request")
                .fields(config, &[(FactKind::Model, "model"), (FactKind::Provider, "provider")]);
        }
        "user/message" if message.get("source.kind").is("plugin") => {
            content::message_of_role("system", message, Joins::Nothing, out);
        }
        "user/message" => content::asked(message, out),
        // An empty one reserves a place for the next.
        "system/message" if message.get("content").item(0).is_absent() => out.nothing(),
        "system/message" => content::message_of_role("system", message, Joins::Nothing, out),
        "assistant/message" | "assistant/attempt" => {
            content::message_of_role("assistant", message, Joins::Nothing, out);
            if let Some(item) = out.find(What::Model) {
                let usage = data.get("usage");
                item.name(message.get("source.model"))
                    .tokens(&CONVERSE, usage)
                    .error(data.get("error"));
            }
        }
        "tool/call" => {
            out.call(data.get("callId"), data.get("name"), data.get("arguments")).or_known();
        }
        "tool/ptc-dispatch-start" | "tool/code-dispatch-start" => dispatch(data, out),
        "tool/ptc-dispatch" | "tool/code-dispatch" => {
            dispatch(data, out);
            result(data.get("subCallId"), data.get("content"), data, out);
        }
        "tool/result" => {
            let first = message.get("content.0");
            let id = message.any(&["callId", "toolCallId", "content.0.toolCallId"]);
            let inner = first.get("content").or(message.get("content"));
            let failed = first.get("isError").or(message.get("isError"));
            result(id, inner, data, out).failed(failed);
        }
        "turn/start" | "step/start" | "step/end" | "assistant/chunk" => out.nothing(),
        "turn/end" => {
            let reason = data.get("reason");
            let item = out.note("turn complete").field("Reason", reason.get("kind"));
            match reason.get("kind").label().as_ref() {
                "aborted" | "cancelled" | "interrupted" => drop(item.status(Status::Cancelled)),
                "error" | "failed" => {
                    item.error(reason.any(&["error", "message"])).status(Status::Failed);
                }
                _ => {}
            }
        }
        _ if kind.contains("compact") => {
            out.event(EventKind::Compaction, "compaction").text(data.get("summary"));
        }
        _ => drop(out.note(kind.replace('/', " ")).error(data.get("error"))),
    }
}

/// A call made by a script, nested in the call that runs the script.
fn dispatch<'a>(data: Json<'a>, out: &mut Description<'a>) {
    let around = data.any(&["parentCallId", "rootCallId"]);
    if around.is_given() {
        out.update(around).span(around, Json::ABSENT);
    }
    let call = out.call(data.get("subCallId"), data.get("name"), data.get("arguments"));
    (call.span.parent, call.row.has_rest) = (around, true);
    call.or_known();
}

/// The result of a call, with its error.
fn result<'a, 'd>(
    id: Json<'a>,
    content: Json<'a>,
    data: Json<'a>,
    out: &'d mut Description<'a>,
) -> &'d mut Item<'a> {
    let item = out.result(id, content).failed(data.get("isError"));
    if data.get("error").is_given() {
        item.status(Status::Failed).error(data.get("error"));
    }
    item
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    const SCRIPTED: &str = include_str!("../../tests/fixtures/deepseek-harness/scripted.jsonl");

    #[test]
    fn calls_of_a_script_are_nested_in_the_call_that_runs_it() {
        let lines: Vec<&str> = SCRIPTED.lines().collect();
        let outline = read(&DEEPSEEK_HARNESS, &[&lines]).outline();
        let at = outline.iter().position(|row| row == " tool-call run_code");
        let inner = at.and_then(|at| outline.get(at + 1)).map(String::as_str);
        assert_eq!(inner, Some("  tool-call read"), "{outline:#?}");
    }
}
