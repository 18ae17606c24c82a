//! The output of `codex exec --json` until September 2025: its settings, the prompt, then the events of the program,
//! `{id, msg: {type, …}}`.
//!
//! Read from the types of the events (`EventMsg` in github.com/openai/codex, `codex-rs/protocol/src/protocol.rs`) and
//! the program that printed them (`codex-rs/exec/src/event_processor_with_json_output.rs`). Calls are reported at their
//! start and at their end. Token counts are those of one LLM call; before August 2025 they are members of the event
//! itself.

use crate::codex::took;
use traceloupe_core::json::quoted;
use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::OPENAI;

/// Events that no other program writes below `msg`.
pub(super) const TYPES: &[&str] = &[
    "session_configured",
    "task_started",
    "task_complete",
    "agent_reasoning",
    "agent_reasoning_section_break",
    "exec_command_begin",
    "exec_command_end",
    "patch_apply_begin",
    "patch_apply_end",
    "mcp_tool_call_begin",
    "mcp_tool_call_end",
    "token_count",
    "turn_diff",
    "turn_aborted",
];

/// The first line has the settings, the second one the prompt.
pub(super) fn head<'a>(record: Json<'a>, out: &mut Description<'a>) {
    if record.get("prompt").is_given() {
        out.user(record.get("prompt"));
        return;
    }
    out.run.models.name = record.get("model");
    out.facts(
        record,
        &[
            (FactKind::Folder, "workdir"),
            (FactKind::Model, "model"),
            (FactKind::Provider, "provider"),
            (FactKind::Other("Approval"), "approval"),
            (FactKind::Other("Sandbox"), "sandbox"),
            (FactKind::Other("Effort"), "reasoning effort"),
            (FactKind::Other("Summaries"), "reasoning summaries"),
        ],
    );
    out.event(EventKind::RunStart, "session").summary(record.get("workdir"));
}

/// An event.
pub(super) fn event<'a>(event: Json<'a>, out: &mut Description<'a>) {
    let (id, kind) = (event.get("call_id"), event.get("type").label());
    match kind.as_ref() {
        "session_configured" => {
            let service = out.string("codex exec");
            let run = out.run(event.get("session_id"));
            run.titles.service = service;
            run.models.name = event.get("model");
            out.event(EventKind::RunStart, "session").summary(event.get("model"));
        }
        "agent_message" => drop(out.item(What::Model).text(event.get("message"))),
        "agent_reasoning" | "agent_reasoning_raw_content" => drop(out.thinking(event.get("text"))),
        // The whole text follows its pieces, and so does the whole output.
        "agent_reasoning_section_break" | "exec_command_output_delta" => out.nothing(),
        kind if kind.starts_with("agent_") && kind.ends_with("_delta") => out.nothing(),
        "token_count" => {
            let counts = match event.get("info").is_absent() {
                true => event,
                false => event.get("info.last_token_usage"),
            };
            let running = event.get("info.total_token_usage.total_tokens").count();
            out.usage(OPENAI.read(counts)).running_total(running).value(BlockRole::Usage, counts);
        }
        "exec_command_begin" => {
            let command = event.get("command");
            // Most commands are a script for a shell.
            let script = match command.get("1").text().is_some_and(|it| it.starts_with('-')) {
                true => command.get("2"),
                false => Json::ABSENT,
            };
            begun(id, "shell", script.or(command), out)
                .fields(event, &[(FactKind::Folder, "cwd")])
                .told(event.get("parsed_cmd"))
                .told(command);
        }
        "exec_command_end" => {
            let whole = event.get("aggregated_output");
            let output = if has_content(whole) { whole } else { event.get("stdout") };
            out.result(id, output)
                .exit(event.get("exit_code"))
                .took(took(event))
                .log("Standard error", event.get("stderr"));
        }
        "patch_apply_begin" => {
            let changes = event.get("changes");
            let file = changes.members().next().unwrap_or_default().0;
            let file = out.string(&file);
            begun(id, "apply_patch", changes, out).summary(file);
        }
        "patch_apply_end" => {
            out.result(id, event.get("stdout"))
                .failed_unless(event.get("success"))
                .log("Standard error", event.get("stderr"));
        }
        "mcp_tool_call_begin" => {
            let told = event.get("invocation");
            out.ask(id, told.get("tool"), told.get("arguments"))
                .field("Server", told.get("server"));
        }
        "mcp_tool_call_end" => {
            let result = event.any(&["result.Ok.content", "result.Ok"]);
            out.result(id, result)
                .took(took(event))
                .failed(event.any(&["result.Ok.isError", "result.Ok.is_error"]))
                .error(event.get("result.Err"));
        }
        "web_search_begin" => out.nothing(),
        "web_search_end" => {
            begun(id, "web_search", event.any(&["query", "action"]), out).status(Status::Ok);
        }
        "plan_update" => {
            out.note("plan").text(event.get("explanation")).value("Plan", event.get("plan"));
        }
        "turn_diff" => drop(out.note("changes").value("Changes", event.get("unified_diff"))),
        "task_started" => {
            out.run.models.context_window = event.get("model_context_window").count();
            out.bookkeeping("task started");
        }
        "task_complete" => {
            out.run.status = Some(RunStatus::Ok);
            out.bookkeeping("task complete");
        }
        "turn_aborted" => {
            out.note("turn aborted").field("Reason", event.get("reason")).status(Status::Cancelled);
        }
        "error" | "stream_error" => {
            if kind == "error" {
                out.run.status = Some(RunStatus::Error);
            }
            out.event(EventKind::Error, kind.clone()).error(event.get("message"));
        }
        kind => drop(out.note(kind.replace('_', " ")).text(event.any(&["message", "text"]))),
    }
}

/// A call of a tool that is named by the type of the event.
fn begun<'a, 'd>(
    id: Json<'a>,
    name: &str,
    arguments: Json<'a>,
    out: &'d mut Description<'a>,
) -> &'d mut traceloupe_engine::kit::Item<'a> {
    let name = out.json(&quoted(name));
    out.ask(id, name, arguments)
}
