//! Claude Managed Agents: the events of a session, as their API lists them (a page with `data`), one per line, or
//! inside the records of a program that keeps them under `raw`.
//!
//! Read from the reference of event types (<https://platform.claude.com/docs/en/managed-agents/reference>) and from the
//! log of a session of 2026. An event has a dotted `type` and `processed_at`. The model's output between
//! `span.model_request_start` and `span.model_request_end` is one LLM call, whose token counts come with the end.

use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::ANTHROPIC;

/// The format.
pub static MANAGED_AGENTS: Described = Described {
    signs: &[
        Sign::certain(
            On::Within(&["data"]),
            "records are events of Claude Managed Agents with `processed_at`",
            &[Test::OneOf("type", TYPES), Test::Has("processed_at")],
        ),
        Sign::record(
            "records keep events of Claude Managed Agents under `raw`",
            &[Test::OneOf("raw.type", TYPES), Test::Has("raw.processed_at")],
        ),
    ],
    lists: &["data"],
    quiet: &[
        "type|id|processed_at|tool_use_id|custom_tool_use_id|mcp_tool_use_id",
        "model_request_start_id|is_error|kind|time",
        // Members of a program's wrapper around the event, which repeat the event.
        "role",
        "raw.type|id|processed_at|tool_use_id|custom_tool_use_id|mcp_tool_use_id",
        "raw.model_request_start_id|is_error",
    ],
    ..Described::new(&catalog::MANAGED_AGENTS, describe)
};

/// Types of events that other producers do not write.
const TYPES: &[&str] = &[
    "agent.custom_tool_use",
    "agent.mcp_tool_use",
    "agent.message",
    "agent.thinking",
    "agent.tool_result",
    "agent.tool_use",
    "session.status_idle",
    "session.status_running",
    "span.model_request_end",
    "span.model_request_start",
    "user.define_outcome",
    "user.message",
];

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    if entry.is_document {
        return;
    }
    let record = entry.json;
    let event = record.get("raw").or(record);
    out.at(event.get("processed_at"));
    let kind = event.get("type").label();
    let body = event.get("content");
    match kind.as_ref() {
        "user.message" => {
            out.run.titles.words = content::first_words(event);
            out.item(What::User).parts = content::pieces(body);
        }
        "user.define_outcome" => {
            let task = event.get("description");
            out.run.titles.words = task;
            let rubric = event.get("rubric");
            out.item(What::User)
                .text(task)
                .value("Rubric", rubric.get("content").or(rubric))
                .field("Rounds at most", event.get("max_iterations"));
        }
        "system.message" => out.item(What::System).parts = content::pieces(body),
        // The call begins here, whatever its first output is.
        "span.model_request_start" => drop(out.model(Vec::new(), Joins::Neighbours)),
        "agent.message" => drop(out.model(content::pieces(body), Joins::Neighbours)),
        "agent.thinking" => drop(out.thinking(event.any(&["thinking", "content"]))),
        "agent.tool_use" | "agent.mcp_tool_use" | "agent.custom_tool_use" => {
            out.ask(event.get("id"), event.get("name"), event.get("input"))
                .field("Server", event.any(&["mcp_server_name", "server_name"]))
                .field("Permission", event.get("evaluated_permission"));
        }
        "agent.tool_result"
        | "agent.mcp_tool_result"
        | "user.custom_tool_result"
        | "user.tool_result" => {
            let call = event.any(&["tool_use_id", "mcp_tool_use_id", "custom_tool_use_id"]);
            out.result(call, body).failed(event.get("is_error"));
        }
        "user.tool_confirmation" => {
            let item = out.update(event.get("tool_use_id"));
            item.field("Confirmation", event.get("result"))
                .field("Reason", event.get("deny_message"));
        }
        "span.model_request_end" => {
            out.tokens(&ANTHROPIC, event.get("model_usage")).failed(event.get("is_error"));
        }
        "agent.thread_context_compacted" => drop(out.event(EventKind::Compaction, "compaction")),
        "session.error" => {
            let error = event.get("error");
            out.event(EventKind::Error, "error").error(error.or(event));
        }
        "session.status_idle" => {
            let reason = event.any(&["stop_reason.type", "stop_reason"]);
            out.run.status = match reason.label().as_ref() {
                "end_turn" => Some(RunStatus::Ok),
                "retries_exhausted" => Some(RunStatus::Error),
                _ => None,
            };
            out.bookkeeping("idle").field("Reason", reason);
        }
        "session.status_terminated" => {
            out.run.status = Some(RunStatus::Error);
            out.note("terminated").status(Status::Failed);
        }
        "user.interrupt" => drop(out.note("interrupted").status(Status::Cancelled)),
        "session.thread_status_running" | "session.thread_created" => {
            out.facts(event, &[("Agent", "agent_name")]);
            out.bookkeeping("thread").field("Agent", event.get("agent_name"));
        }
        _ if kind.starts_with("session.") || kind.starts_with("span.") => {
            let label = kind.split('.').next_back().unwrap_or_default().replace('_', " ");
            out.bookkeeping(label);
        }
        _ => drop(out.note(kind.replace(['.', '_'], " "))),
    }
}
