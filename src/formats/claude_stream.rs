//! Claude Code as a program: the messages of `claude -p --output-format stream-json`, of the Agent SDK, and the
//! execution file of its GitHub action, which has them as a list.
//!
//! Read from the reference of the [Agent SDK](https://code.claude.com/docs/en/agent-sdk/typescript#message-types), an
//! execution file, messages of a sub-agent, and messages that the Python SDK exchanged with Claude Code 2.1.84
//! (`{direction, message}` in a list). Amp and Qwen Code write the same messages in this mode. So does `cursor-agent`,
//! except for its calls and its thinking (<https://cursor.com/docs/cli/reference/output-format>).
//!
//! A session is a run; records before its id is known belong to it, too. The blocks of a response are written one by
//! one under the same id, each with the counts of the response's start: they are one LLM call, whose final output count
//! is known only from partial messages or the result. Records of a sub-agent name the call that started it.

use traceloupe_core::json::quoted;
use traceloupe_core::model::{RunStatus, Usage};
use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::stream;
use traceloupe_engine::tokens::{ANTHROPIC, CONVERSE};

/// The format.
pub static CLAUDE_STREAM: Described = Described {
    signs: &[
        Sign::record(
            "a session begins with its tools and MCP servers",
            &[
                Test::Is("type", "system"),
                Test::Text("session_id"),
                Test::List("tools"),
                Test::List("mcp_servers"),
            ],
        ),
        Sign::record(
            "messages have a `session_id` and Anthropic's token counts",
            &[MESSAGES, Test::Object("message.usage"), Test::Text("session_id")],
        ),
        Sign::record(
            "messages name the call that started their agent",
            &[MESSAGES, Test::Object("message"), Test::Text("parent_tool_use_id")],
        ),
        Sign::record(
            "there is a `result` with its cost and duration",
            &[
                Test::Is("type", "result"),
                Test::HasOne(&["total_cost_usd", "cost_usd"]),
                Test::Has("duration_ms"),
            ],
        ),
        Sign::record(
            "there is a result of an early version, with its cost and duration",
            &[
                Test::Is("role", "system"),
                Test::HasAll(&["cost_usd", "duration_api_ms"]),
                Test::Text("session_id"),
            ],
        ),
        Sign::record(
            "a session begins with where its key is from, and its permissions",
            &[
                Test::Is("type", "system"),
                Test::Texts(&["session_id", "apiKeySource", "permissionMode"]),
            ],
        ),
        Sign::record(
            "calls have a `call_id` and are named by the key of their arguments",
            &[
                Test::Is("type", "tool_call"),
                Test::OneOf("subtype", &["started", "completed"]),
                Test::Text("call_id"),
                Test::Object("tool_call"),
            ],
        ),
        Sign::likely(
            On::Any,
            "records have a `type` and an Anthropic message",
            &[
                MESSAGES,
                Test::OneOf("message.role", &["assistant", "user"]),
                Test::Has("message.content"),
                Test::Lacks("sessionId"),
            ],
        ),
        Sign::certain(
            On::Items("messages"),
            "there are messages to and from the program, with their `direction`",
            &[
                Test::OneOf("direction", &["send", "recv"]),
                Test::OneOf(
                    "message.type",
                    &["control_request", "control_response", "user", "system"],
                ),
            ],
        ),
    ],
    lists: &["messages"],
    quiet: &[
        "type|subtype|timestamp|timestamp_ms|session_id|model_call_id|parent_tool_use_id",
        "direction|is_error",
        "message.content.*.is_error",
        "message.is_error|subtype|timestamp|parent_tool_use_id|type|role|model",
        "message.message.content.*.is_error",
        "message.message.type|role|model",
        "event.type|index",
        "event.message.type|role|model",
        "event.content_block.type",
        "event.delta.type",
    ],
    hooks: Hooks { tells_twice: true, ..Hooks::NONE },
    ..Described::new(&catalog::CLAUDE_STREAM, describe)
};

const MESSAGES: Test = Test::OneOf("type", &["assistant", "user"]);

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        out.event(EventKind::RunStart, "exchange").value("Metadata", record.get("metadata"));
        return;
    }
    // Messages between a program and Claude Code.
    let record = match record.get("direction").is_given() {
        true => record.get("message"),
        false => record,
    };
    out.at(record.any(&["timestamp", "timestamp_ms"]));
    // Records before the start of the session have the session `default`, or none.
    let session = record.get("session_id");
    if !matches!(session.raw(), "" | "null" | "\"\"" | "\"default\"") {
        out.run(session).records = Records::EarlierToo;
    }
    out.run.agent.is(record.get("parent_tool_use_id").given().unwrap_or_default());
    let kind = record.get("type").label();
    match kind.as_ref() {
        "system" => system(record, out),
        "assistant" => assistant(record, out),
        "user" => user(record, out),
        "result" => result(record, out),
        // The result as the first versions printed it.
        "" if record.get("duration_api_ms").is_given() => result(record, out),
        "stream_event" => {
            let is_known = stream::describe(record.get("event"), out);
            if !is_known {
                out.note("stream event");
            }
        }
        "control_request" | "control_response" | "control_cancel_request" => {
            let inner = record.any(&["request", "response"]);
            let words = inner.any(&["subtype", "request_id"]);
            out.note(kind.replace('_', " "))
                .summary(words)
                .fields(inner, &[("Subtype", "subtype"), ("Event", "input.hook_event_name")]);
        }
        "thinking" => {
            let item = out.item(What::Model);
            stream::piece(PieceOf::Thinking, Json::ABSENT, record.get("text"), item);
        }
        "tool_call" => call(record, out),
        "tool_progress" => {
            out.update(record.get("tool_use_id"))
                .name("tool progress")
                .field("Seconds so far", record.get("elapsed_time_seconds"));
        }
        "rate_limit_event" | "auth_status" | "keep_alive" | "tool_use_summary"
        | "prompt_suggestion" | "interaction_query" => {
            let words = ["summary", "suggestion", "query_type"];
            out.note(kind.replace('_', " ")).text(record.any(&words));
        }
        _ => {}
    }
}

/// The start of a session, and notes of the program.
fn system<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let kind = record.get("subtype").label();
    match kind.as_ref() {
        "init" | "session_start" => {
            out.run.models.name = record.get("model");
            out.facts(
                record,
                &[
                    (FactKind::Folder, "cwd"),
                    (FactKind::Version, "claude_code_version"),
                    (FactKind::Model, "model"),
                    (FactKind::Other("Permissions"), "permissionMode"),
                    (FactKind::Other("Key"), "apiKeySource"),
                ],
            );
            out.event(EventKind::RunStart, "session")
                .summary(record.any(&["cwd", "model"]))
                .value(BlockRole::Tools, record.get("tools"))
                .value("MCP servers", record.get("mcp_servers"));
        }
        "compact_boundary" => {
            out.event(EventKind::Compaction, "compaction").fields(
                record,
                &[
                    (FactKind::Other("Trigger"), "compact_metadata.trigger"),
                    (FactKind::Amount("Tokens before"), "compact_metadata.pre_tokens"),
                ],
            );
        }
        _ => {
            let words = record.any(&[
                "summary",
                "description",
                "status",
                "message",
                "content",
                "hook_name",
            ]);
            let failed = record.any(&["outcome", "status"]);
            let item = out.note(kind.replace('_', " ")).text(words).error(record.get("error"));
            if failed.is("error") || failed.is("failed") {
                item.status(Status::Failed);
            }
        }
    }
}

/// Blocks of a response. Partial messages may already have reported them.
fn assistant<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let message = record.get("message");
    let joins = match message.get("id").given() {
        Some(id) => Joins::Id(id),
        None => Joins::Named(record.get("model_call_id")),
    };
    content::message_of_role("assistant", message, joins, out);
    let counts = message.get("usage");
    let usage = ANTHROPIC.read(counts);
    let unfinished = !usage.is_empty() && !message.get("stop_reason").is_given();
    for item in &mut out.items {
        match item.what() {
            What::Model => {
                item.usage(Usage { unfinished, ..usage })
                    .id(message.get("id"))
                    .name(message.get("model"))
                    .value(BlockRole::Usage, counts)
                    .field("Stop reason", message.get("stop_reason"))
                    .error(record.get("error"));
            }
            What::Call => {
                let arguments = item.parts.iter().find_map(|part| match part {
                    Part::Arguments(value) => Some(*value),
                    _ => None,
                });
                let arguments = arguments.unwrap_or_default();
                item.starts_agent(item.id, arguments.any(&["subagent_type", "description"]))
                    .again();
            }
            _ => {}
        }
    }
}

/// A call of `cursor-agent`: its start, and its completion.
fn call<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let id = record.get("call_id");
    let mut members = record.get("tool_call").members();
    let (key, told) = members.find(|(_, it)| it.kind() == Kind::Object).unwrap_or_default();
    let key = quoted(key.trim_end_matches("ToolCall"));
    let name = told.any(&["name", "args.toolName"]).or(out.json(&key));
    out.ask(id, name, told.any(&["args", "arguments"])).or_known().row.has_rest = true;
    if let Some(model) = out.items.first_mut() {
        // The call may already be known from its start.
        model.or_known().joins(Joins::Named(record.get("model_call_id")));
        model.repeats.is_again = told.get("result").is_given();
    }
    let Some((outcome, result)) = told.get("result").members().next() else { return };
    let status = match outcome.as_ref() {
        "success" => Status::Ok,
        "rejected" => Status::Rejected,
        _ => Status::Failed,
    };
    let shown = result.any(&["content", "stdout"]).or(result);
    let item = out.result(id, shown).exit(result.get("exitCode"));
    item.value("Details", result).log("Standard error", result.get("stderr"));
    item.error(result.any(&["error", "errorMessage", "reason"]));
    // A command can fail although the tool could run it.
    if status != Status::Ok || item.ending.status.is_none() {
        item.status(status);
    }
}

/// A user message, or the results of calls.
fn user<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let message = record.get("message");
    let kind = record.get("origin.kind");
    let is_told = record.get("isSynthetic").is_true()
        || ["peer", "coordinator", "task-notification"].iter().any(|it| kind.is(it));
    if !is_told && !record.get("parent_tool_use_id").is_given() {
        out.run.titles.words = content::first_words(message);
    }
    content::message_of_role("user", message, Joins::Nothing, out);
    // A message of the program or of another agent to the model.
    for item in out.items.iter_mut().filter(|item| is_told && item.what() == What::User) {
        item.becomes(What::System);
    }
    // Amp writes the result of a command as JSON, with its exit code.
    for at in 0..out.items.len() {
        let Some(item) = out.items.get(at).filter(|item| item.what() == What::Result) else {
            continue;
        };
        let Some(Part::Result(told)) = item.parts.first().cloned() else { continue };
        if told.raw().starts_with("\"{") {
            let code = out.unpack(told).get("exitCode");
            if let Some(item) = out.items.get_mut(at) {
                item.exit(code);
            }
        }
    }
    let rich = record.any(&["tool_use_result", "toolUseResult"]);
    let mut results = out.items.iter_mut().filter(|item| item.what() == What::Result);
    if let (Some(item), None) = (results.next(), results.next()) {
        item.took(millis_ns(rich.get("totalDurationMs")));
        if rich.kind() == Kind::Object {
            item.value("Details", rich);
        }
    }
}

/// The outcome of the session, or of one of its turns.
fn result<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let has_failed = record.get("is_error").is_true()
        || record.get("subtype").word().is_some_and(|it| it.starts_with("error"));
    let took = millis_ns(record.get("duration_ms"));
    out.run.status = Some(if has_failed { RunStatus::Error } else { RunStatus::Ok });
    out.run.times.duration = took;
    let (counts, mut of_models) = (record.get("usage"), Usage::default());
    for (_, counts) in record.get("modelUsage").members() {
        of_models.add(&CONVERSE.read(counts));
    }
    let usage = ANTHROPIC.read(counts).or(CONVERSE.read(counts));
    out.run.totals.usage = if usage.is_empty() { of_models } else { usage };
    out.run.totals.usage_of_models = of_models;
    out.run.about.growing.push((FactKind::Cost, record.any(&["total_cost_usd", "cost_usd"])));
    let item = out.event(EventKind::RunEnd, "result").text(record.get("result")).fields(
        record,
        &[
            (FactKind::Other("Outcome"), "subtype"),
            (FactKind::Cost, "total_cost_usd"),
            (FactKind::Cost, "cost_usd"),
            (FactKind::Other("Turns"), "num_turns"),
            (FactKind::Other("Milliseconds"), "duration_ms"),
            (FactKind::Other("Milliseconds in the API"), "duration_api_ms"),
            (FactKind::Other("Stop reason"), "stop_reason"),
        ],
    );
    item.took(took).value("Structured output", record.get("structured_output"));
    for error in record.get("errors").items() {
        item.error(error);
    }
    let denials = record.get("permission_denials");
    item.value("Denied", denials)
        .value(BlockRole::Usage, record.get("usage"))
        .value("Usage of each model", record.get("modelUsage"));
    if has_failed {
        item.status(Status::Failed);
    }
    for denial in denials.items() {
        out.update(denial.get("tool_use_id")).or_known().status(Status::Denied);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn what_another_agent_wrote_is_not_of_the_person() {
        let lines = [
            r#"{"type":"user","message":{"role":"user","content":"Row ashore"},"session_id":"s","parent_tool_use_id":null}"#,
            r#"{"type":"user","message":{"role":"user","content":"The quay is full"},"session_id":"s","parent_tool_use_id":null,"isReplay":true,"origin":{"kind":"peer","from":"harbour"}}"#,
        ];
        assert_eq!(read(&CLAUDE_STREAM, &[&lines]).outline(), ["user ", "system "]);
    }

    #[test]
    fn a_command_of_amp_has_the_exit_code_in_its_result() {
        let lines = [
            r#"{"type":"system","subtype":"init","cwd":"/quay","session_id":"T-1","tools":["shell_command"],"mcp_servers":[]}"#,
            r#"{"type":"assistant","message":{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"TU-1","name":"shell_command","input":{"command":"cat tides"}}]},"parent_tool_use_id":null,"session_id":"T-1"}"#,
            r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"TU-1","content":"{\"output\":\"no tides\",\"exitCode\":1}","is_error":false}]},"parent_tool_use_id":null,"session_id":"T-1"}"#,
        ];
        let read = read(&CLAUDE_STREAM, &[&lines]);
        let events = read.trace.events();
        let call = events.iter().find(|it| it.kind == EventKind::ToolCall).unwrap();
        assert_eq!(call.status, Status::Failed);
    }

    #[test]
    fn the_result_says_which_calls_were_denied() {
        let lines = [
            r#"{"type":"system","subtype":"init","cwd":"/quay","session_id":"s","tools":["Bash"]}"#,
            r#"{"type":"assistant","message":{"type":"message","id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"row"}},{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"sail"}}]},"session_id":"s"}"#,
            r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"A line that begins with # may hide a boat","is_error":true},{"type":"tool_result","tool_use_id":"t2","content":"Exit code 1\nno wind","is_error":true}]},"session_id":"s"}"#,
            r#"{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s","permission_denials":[{"tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"row"}}]}"#,
        ];
        let read = read(&CLAUDE_STREAM, &[&lines]);
        let calls = read.trace.events().iter().filter(|it| it.kind == EventKind::ToolCall);
        let found: Vec<_> = calls.map(|it| it.status).collect();
        assert_eq!(found, [Status::Denied, Status::Failed]);
    }
}
