//! `codex exec --json`: the output of a run of the Codex CLI without a terminal, one event per line.
//!
//! Read from [its documentation](https://developers.openai.com/codex/noninteractive), the types of the events in the
//! program (`codex-rs/exec/src/exec_events.rs`), and three outputs of October 2025.
//!
//! An item is reported at its start and at its completion, under the same id: one call, with its result. There are no
//! times and no model names. The counts at the end of a turn are those of the whole thread. Until September 2025 the
//! program printed its internal events instead ([`early`]).

use traceloupe_core::json::quoted;
use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::OPENAI;

/// The format.
pub static CODEX_EXEC: Described = Described {
    signs: &[
        Sign::record(
            "a thread begins with its `thread_id`",
            &[Test::Is("type", "thread.started"), Test::Text("thread_id")],
        ),
        Sign::record(
            "there are items with ids and types that begin and are completed",
            &[
                Test::OneOf("type", &["item.started", "item.updated", "item.completed"]),
                Test::Text("item.id"),
                Test::HasOne(&["item.type", "item.item_type"]),
            ],
        ),
        Sign::record(
            "there are events of Codex below `msg`, as it printed them in 2025",
            &[Test::Text("id"), Test::OneOf("msg.type", early::TYPES)],
        ),
    ],
    quiet: &[
        "type|id",
        "item.type|item_type|status|tool|id|exit_code",
        "msg.type|call_id|exit_code|duration|success|auto_approved|model_context_window",
        "msg.formatted_output|last_agent_message",
        "msg.info.total_token_usage|model_context_window",
    ],
    ..Described::new(&catalog::CODEX_EXEC, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let kind = record.get("type").label();
    match kind.as_ref() {
        "thread.started" => {
            // The prompt is not printed, and an answer is not what was asked.
            let service = out.string("codex exec");
            out.run(record.get("thread_id")).titles.service = service;
            out.event(EventKind::RunStart, "thread");
        }
        "turn.started" => drop(out.note("turn started")),
        "turn.completed" => {
            out.run.status = Some(RunStatus::Ok);
            out.run.totals.usage = OPENAI.read(record.get("usage"));
            out.note("turn completed").value(BlockRole::Usage, record.get("usage"));
        }
        "turn.failed" | "error" => {
            if kind == "turn.failed" {
                out.run.status = Some(RunStatus::Error);
            }
            let label = if kind == "error" { "error" } else { "turn failed" };
            out.event(EventKind::Error, label).error(record.any(&["error", "message"]));
        }
        // The plan follows as an item.
        "item.plan.delta" => out.nothing(),
        kind if kind.starts_with("item.") => item(record.get("item"), out),
        "" if record.get("msg").is_given() => early::event(record.get("msg"), out),
        "" => early::head(record, out),
        _ => {}
    }
}

fn item<'a>(item: Json<'a>, out: &mut Description<'a>) {
    // Until September 2025 the type was in `item_type`, and an agent message was called `assistant_message`.
    let kind = item.any(&["type", "item_type"]).label();
    match kind.as_ref() {
        "agent_message" | "assistant_message" => {
            out.item(What::Model).text(item.get("text"));
        }
        "reasoning" => drop(out.thinking(item.any(&["text", "summary"]))),
        "command_execution" => {
            call(item, item.get("command"), out);
            if is_over(item) {
                let output = item.get("aggregated_output");
                out.result(item.get("id"), output).again().exit(item.get("exit_code"));
            }
        }
        "mcp_tool_call" => {
            call(item, item.get("arguments"), out).field("Server", item.get("server"));
            if is_over(item) {
                let result = item.any(&["result.content", "result"]);
                out.result(item.get("id"), result).again().error(item.get("error"));
            }
        }
        "file_change" => drop(call(item, item.get("changes"), out)),
        "web_search" => drop(call(item, item.any(&["query", "action"]), out)),
        "collab_tool_call" => drop(call(item, item.get("prompt"), out)),
        "todo_list" => drop(out.note("to-do list").value("Items", item.get("items"))),
        "error" => drop(out.event(EventKind::Error, "error").error(item.get("message"))),
        kind => drop(out.note(kind.replace('_', " ")).text(item.any(&["text", "message"]))),
    }
}

fn is_over(item: Json<'_>) -> bool {
    !item.get("status").is("in_progress")
}

/// A call: its start, its progress, and its completion.
fn call<'a, 'd>(
    item: Json<'a>,
    arguments: Json<'a>,
    out: &'d mut Description<'a>,
) -> &'d mut traceloupe_engine::kit::Item<'a> {
    let kind = quoted(&item.any(&["type", "item_type"]).label());
    let kind = out.json(&kind);
    let name = item.get("tool").or(kind);
    let call = out.item(What::Call).id(item.get("id")).or_known();
    call.name = name.label();
    if !arguments.is_absent() {
        call.part(Part::Arguments(arguments));
    }
    if item.get("status").is_absent() {
        call.status(Status::Ok);
    }
    call.outcome(item.get("status"))
}

mod early;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn a_thread_is_not_named_by_an_answer() {
        let lines = [
            r#"{"type":"thread.started","thread_id":"0199aaaa-0000-7000-8000-000000000001"}"#,
            r#"{"type":"item.completed","item":{"id":"a","type":"agent_message","text":"Two buoys are red."}}"#,
            r#"{"type":"item.completed","item":{"id":"b","type":"agent_message","text":"One is green."}}"#,
        ];
        let read = read(&CODEX_EXEC, &[&lines]);
        assert_eq!(read.trace.runs()[0].title.as_deref(), Some("codex exec"));
    }
}
