//! Kimi CLI and Kimi Code: the wire log of a session, `wire.jsonl`; the context of its model, `context.jsonl`; and the
//! output of the wire mode.
//!
//! Read from the documentation of the wire mode (github.com/MoonshotAI/kimi-cli, docs), from code that reads such logs,
//! from descriptions of sessions of 2025 and 2026, and from a short log of protocol 1.4. Until 2026 a line is
//! `{timestamp, message: {type, payload}}`, or JSON-RPC if it is printed; since then it is an object with a dotted
//! `type`. A step is one LLM call: its text, thinking and calls name it. Arguments may come in pieces, after their
//! call. Token counts come with the end of a step, or for a whole turn: they then count for its last step. Since
//! protocol 1.5 they are also written before the text of their step. The context has messages as OpenAI's API has them,
//! without times, and marks between them.

use traceloupe_core::json::is_strict;
use traceloupe_core::model::MaybeNs;
use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::{exit_code, stream};

/// The format.
pub static KIMI: Described = Described {
    signs: &[
        Sign::record(
            "a line of metadata names the version of the wire protocol",
            &[Test::Is("type", "metadata"), Test::Text("protocol_version")],
        ),
        Sign::record(
            "records are events of the agent's loop with their turn",
            &[
                Test::Is("type", "context.append_loop_event"),
                Test::Text("event.type"),
                Test::Has("time"),
            ],
        ),
        Sign::record(
            "records have a `message` with the type and payload of an event of the wire",
            &[
                Test::OneOf("message.type", TYPES),
                Test::Object("message.payload"),
                Test::Has("timestamp"),
            ],
        ),
        Sign::record(
            "events of the wire are the parameters of JSON-RPC",
            &[Test::OneOf("params.type", TYPES), Test::Object("params.payload")],
        ),
        Sign::record(
            "there are marks between messages, as in the context of a session",
            &[Test::OneOf("role", &["_system_prompt", "_checkpoint", "_usage"])],
        ),
    ],
    quiet: &[
        "type|time|timestamp|created_at|role",
        "message.type",
        "message.payload.type|n|context_tokens|context_usage",
        "event.type|uuid|stepUuid|parentUuid|turnId|step|name",
        "event.result.isError",
        "message.payload.function.name",
        "message.payload.return_value.is_error",
    ],
    hooks: Hooks { tells_twice: true, ..Hooks::NONE },
    ..Described::new(&catalog::KIMI, describe)
};

/// Events of the wire that other producers do not write.
const TYPES: &[&str] =
    &["TurnBegin", "StepBegin", "ContentPart", "ToolCall", "ToolResult", "StatusUpdate"];

/// The input excludes tokens read from or written to a cache.
static COUNTS: Flavour = Flavour {
    input: &["inputOther", "input_other"],
    output: &["output"],
    cache_read: &["inputCacheRead", "input_cache_read"],
    cache_write: &["inputCacheCreation", "input_cache_creation"],
    ..Flavour::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(&["time", "timestamp", "created_at"]));
    let message = record.get("message");
    let kind = record.get("type").label();
    match kind.as_ref() {
        "" if record.get("role").is_given() => of_context(record, out),
        "" => of_wire(message.or(record.get("params")), out),
        "metadata" => {
            out.facts(
                record,
                &[
                    (FactKind::Other("Protocol"), "protocol_version"),
                    (FactKind::Version, "app_version"),
                ],
            );
            out.event(EventKind::RunStart, "session");
        }
        "config.update" | "profile.bind" => {
            out.run.models.name = record.get("modelAlias");
            let prompt = record.get("systemPrompt");
            let item = match prompt.is_given() {
                true => out.item(What::System).text(prompt),
                false => out.bookkeeping("configuration"),
            };
            item.fields(
                record,
                &[
                    (FactKind::Model, "modelAlias"),
                    (FactKind::Other("Profile"), "profileName"),
                    (FactKind::Other("Thinking level"), "thinkingLevel"),
                    (FactKind::Other("Thinking level"), "thinkingEffort"),
                ],
            );
        }
        "turn.prompt" | "turn.steer" => match is_of_program(record.get("origin")) {
            true => out.item(What::System).parts = content::pieces(record.get("input")),
            false => prompt(record.get("input"), out),
        },
        "context.append_message" => {
            // Text that the program gives to the model has the user's role.
            match is_of_program(message.get("origin")) {
                true => content::message_of_role("system", message, Joins::Nothing, out),
                false => content::message(message, Joins::Nothing, out),
            }
            out.items.iter_mut().for_each(|item| item.repeats.is_again = true);
        }
        "context.append_loop_event" => of_loop(record.get("event"), out),
        // Calls are recorded when they begin to run, so the answer comes before them.
        "permission.record_approval_result" => {
            let result = record.get("result");
            let item = out.note("approval").user_answered().text(record.get("action"));
            item.field("Decision", result.get("decision")).field("Scope", result.get("scope"));
            item.field("Feedback", result.get("feedback"));
            approval(record.get("toolCallId"), result.get("decision"), out);
        }
        "llm.request" => {
            out.run.models.name = record.any(&["model", "modelAlias"]);
            out.bookkeeping("llm request").fields(
                record,
                &[
                    (FactKind::Model, "model"),
                    (FactKind::Attempt, "attempt"),
                    (FactKind::Other("Messages"), "messageCount"),
                ],
            );
        }
        "turn.cancel" => drop(out.note("turn cancelled").status(Status::Cancelled)),
        "usage.record" => {
            let model = record.get("model");
            out.run.models.name = model;
            // The usage of a step is also at its end; that of a compaction is only here.
            if record.get("usageScope").is("session") {
                let item = out.item(What::Model).joins(Joins::Nothing);
                item.tokens(&COUNTS, record.get("usage")).name(model);
                return;
            }
            // The usage may come long after the call.
            out.tokens(&COUNTS, record.get("usage")).again().name(model).time.start =
                MaybeNs::UNKNOWN;
        }
        _ if kind.contains("compact") => compaction(record, out),
        _ if record.get("error").is_given() => {
            out.event(EventKind::Error, kind).error(record.get("error"));
        }
        _ => drop(out.note(kind.replace(['.', '_'], " "))),
    }
}

/// Whether a message with the user's role was not written by the user: reminders, results of tasks and hooks,
/// summaries.
fn is_of_program(origin: Json<'_>) -> bool {
    match origin.get("kind").label().as_ref() {
        "injection" | "compaction_summary" | "system_trigger" | "task" | "background_task"
        | "cron_job" | "cron_missed" | "hook_result" | "retry" => true,
        "shell_command" => origin.get("phase").is("output"),
        _ => false,
    }
}

fn prompt<'a>(input: Json<'a>, out: &mut Description<'a>) {
    let parts = content::pieces(input);
    if let Some(Part::Text(words)) = parts.iter().find(|part| matches!(part, Part::Text(_))) {
        out.run.titles.words = *words;
    }
    out.item(What::User).parts = parts;
}

/// A record of the context: a message, or a mark between messages.
fn of_context<'a>(record: Json<'a>, out: &mut Description<'a>) {
    match record.get("role").label().as_ref() {
        "_system_prompt" => drop(out.item(What::System).text(record.get("content"))),
        "_usage" => drop(
            out.bookkeeping("context").field(FactKind::Amount("Tokens"), record.get("token_count")),
        ),
        "_checkpoint" => drop(out.bookkeeping("checkpoint")),
        _ => content::said(record, Joins::Nothing, out),
    }
}

fn compaction<'a>(record: Json<'a>, out: &mut Description<'a>) {
    out.event(EventKind::Compaction, "compaction")
        .text(record.any(&["summary", "payload.summary"]));
}

/// An event of the agent's loop.
fn of_loop<'a>(event: Json<'a>, out: &mut Description<'a>) {
    let step = Joins::Id(event.get("stepUuid"));
    let kind = event.get("type").label();
    match kind.as_ref() {
        // The token counts of a step may come before its text.
        "step.begin" => {
            let step = out.item(What::Model).joins(Joins::Id(event.get("uuid")));
            step.begins(step.time.start);
        }
        "content.part" => drop(out.model(vec![part_of(event.get("part"))], step)),
        "tool.call" => {
            let call = out.ask(event.get("toolCallId"), event.get("name"), event.get("args"));
            call.field("Description", event.get("description"));
            call.user_answered();
            if let Some(item) = out.items.first_mut() {
                item.joins(step).asks(event);
                // The call was recorded when it began to run, perhaps long after the model had requested it.
                item.time.start = MaybeNs::UNKNOWN;
            }
        }
        "tool.result" => {
            let told = event.get("result");
            let shown = told.get("output");
            result(event.get("toolCallId"), shown, (told, "isError"), out);
        }
        "step.end" => {
            let item = out.item(What::Model).joins(Joins::Id(event.get("uuid")));
            // By now the tools of the step have run, so this is not its start.
            item.time.start = MaybeNs::UNKNOWN;
            let [wait, stream] = ["llmFirstTokenLatencyMs", "llmStreamDurationMs"]
                .map(|key| event.get(key).number());
            item.took(seconds_ns(wait.zip(stream).map(|(wait, stream)| (wait + stream) / 1e3)));
            item.tokens(&COUNTS, event.get("usage"))
                .field("Finish reason", event.get("finishReason"));
        }
        _ => drop(out.note(kind.replace(['.', '_'], " ")).error(event.get("error"))),
    }
}

/// What precedes the exit code in the message about a command that failed. Its output is the result.
const EXIT_CODE: &str = "Command failed with exit code: ";

/// An event of the older wire. Events of sub-agents are wrapped in an event of their parent.
fn of_wire<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let payload = message.get("payload");
    let kind = message.get("type").label();
    match kind.as_ref() {
        "TurnBegin" => prompt(payload.get("user_input"), out),
        // Steps have no ids. Tools run while the model still writes, so results may come before the last piece.
        "StepBegin" => {
            let step = out.item(What::Model).joins(Joins::Begins(Json::ABSENT));
            step.begins(step.time.start);
        }
        "TurnEnd" => out.nothing(),
        "ContentPart" => drop(out.model(vec![part_of(payload)], Joins::Neighbours)),
        "ToolCall" => {
            let (id, name, arguments) = content::call_of(payload);
            // If the arguments are not JSON yet, the rest comes in pieces.
            match arguments.kind() == Kind::Object || is_strict(out.text(arguments)) {
                true => drop(out.ask(id, name, arguments)),
                false => piece((id, name), arguments, out),
            }
            // Events of its sub-agent name the call.
            out.last().starts_agent(id, Json::ABSENT);
        }
        "ToolCallPart" => {
            let text = payload.get("arguments_part");
            match text.text().is_some_and(|text| !text.is_empty()) {
                true => piece((Json::ABSENT, Json::ABSENT), text, out),
                false => out.nothing(),
            }
        }
        "SteerInput" => prompt(payload.get("user_input"), out),
        "ToolResult" => {
            let value = payload.any(&["return_value", "result"]);
            let shown = value.any(&["output", "value"]);
            result(payload.get("tool_call_id"), shown, (value, "is_error"), out);
        }
        "StatusUpdate" => drop(out.tokens(&COUNTS, payload.get("token_usage"))),
        "SubagentEvent" => {
            of_wire(payload.get("event"), out);
            out.run.agent.is(payload.any(&["parent_tool_call_id", "task_tool_call_id"]));
            out.run.agent.name = payload.get("subagent_type");
        }
        "ApprovalRequest" => {
            let (id, call) = (payload.get("id"), payload.get("tool_call_id"));
            let item = out.note("approval").waits_for_user().span(id, Json::ABSENT);
            item.text(payload.get("description"));
            out.update(call).also_named(id).or_known();
        }
        "ApprovalResponse" | "ApprovalRequestResolved" => {
            let (id, response) = (payload.get("request_id"), payload.get("response"));
            out.item(What::End).span(id, Json::ABSENT).field("Response", response);
            approval(id, response, out);
        }
        "StepInterrupted" => drop(out.note("interrupted").status(Status::Cancelled)),
        "CompactionBegin" => out.nothing(),
        "CompactionEnd" => compaction(message, out),
        "" => drop(out.note("reply")),
        _ => drop(out.note(kind).text(payload.any(&["description", "body", "message"]))),
    }
}

/// The result of a call: what is shown of it, all that is told, and the key that says whether it is an error.
fn result<'a>(
    id: Json<'a>,
    shown: Json<'a>,
    (told, is_error): (Json<'a>, &str),
    out: &mut Description<'a>,
) {
    let message = told.get("message");
    let exit = exit_code::told_after(out.text(message), EXIT_CODE, out);
    let item = out.result(id, shown).failed(told.get(is_error)).field("Message", message);
    if exit.is_given() {
        item.exit(exit);
    } else if told.get(is_error).is_true() {
        // The result may be a help for the model, such as a list of files.
        item.error(message);
    }
}

/// The user's answer to a request for approval. The call is named by its id, or by that of the request.
fn approval<'a>(id: Json<'a>, answer: Json<'a>, out: &mut Description<'a>) {
    let call = out.update(id).or_known();
    match answer.label().as_ref() {
        "reject" | "rejected" | "denied" => drop(call.status(Status::Rejected)),
        "cancelled" | "canceled" => drop(call.status(Status::Cancelled)),
        _ => drop(call.user_answered()),
    }
}

/// A piece of the arguments of the last call, or the first piece of a new call.
fn piece<'a>(ids: (Json<'a>, Json<'a>), text: Json<'a>, out: &mut Description<'a>) {
    out.item(What::Model);
    stream::call_piece(0, Json::ABSENT, ids, text, out);
}

fn part_of(part: Json<'_>) -> Part<'_> {
    match part.get("type").is("think") {
        true => Part::Thinking(part.any(&["think", "text"])),
        false => content::pieces(part).pop().unwrap_or(Part::Value(BlockRole::Content, part)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;
    use traceloupe_core::model::{Block, EventId, TimeBasis};

    /// The names of all events with a duration, with the basis and the seconds of it.
    fn durations(log: &str) -> Vec<(String, TimeBasis, i64)> {
        let lines: Vec<&str> = log.lines().collect();
        let read = read(&KIMI, &[&lines]);
        let timed = read.trace.events().iter().enumerate().filter_map(|(at, event)| {
            let seconds = event.duration.get()? / 1_000_000_000;
            let name = read.trace.name(event.name).to_owned();
            let basis = match read.trace.wait(EventId::from_index(at)) {
                Some(wait) if wait.is_all => TimeBasis::WaitingForUser,
                _ => event.time_basis(),
            };
            (event.kind != EventKind::LlmCall).then_some((name, basis, seconds))
        });
        timed.collect()
    }

    #[test]
    fn an_approved_call_runs_from_the_approval_and_a_rejected_one_only_waits() {
        let log = include_str!("../../tests/fixtures/kimi/overlapping.jsonl");
        let expected = [
            ("ReadFile", TimeBasis::Elapsed, 1),
            ("Shell", TimeBasis::Running, 1),
            ("WriteFile", TimeBasis::WaitingForUser, 60),
            ("approval", TimeBasis::WaitingForUser, 60),
            ("approval", TimeBasis::WaitingForUser, 60),
            ("Task", TimeBasis::Elapsed, 3),
            ("Shell", TimeBasis::Elapsed, 0),
        ];
        assert_eq!(durations(log), expected.map(|(name, basis, s)| (name.to_owned(), basis, s)));
    }

    #[test]
    fn a_call_is_recorded_when_the_user_has_approved_it() {
        let log = include_str!("../../tests/fixtures/kimi/approvals.jsonl");
        let expected = [
            ("approval", TimeBasis::WaitingForUser, 600),
            ("Bash", TimeBasis::Running, 2),
            ("AskUserQuestion", TimeBasis::WaitingForUser, 100),
        ];
        assert_eq!(durations(log), expected.map(|(name, basis, s)| (name.to_owned(), basis, s)));
    }

    #[test]
    fn why_a_call_failed_is_in_the_message() {
        let call = |id: u32, name: &str| {
            format!(
                r#"{{"timestamp":1772352001,"message":{{"type":"ToolCall","payload":{{"type":"function","id":"t{id}","function":{{"name":"{name}","arguments":"{{\"command\":\"grep -q wick a\"}}"}}}}}}}}"#
            )
        };
        let result = |id: u32, output: &str, message: &str| {
            format!(
                r#"{{"timestamp":1772352002,"message":{{"type":"ToolResult","payload":{{"tool_call_id":"t{id}","return_value":{{"is_error":true,"output":"{output}","message":"{message}","display":[]}}}}}}}}"#
            )
        };
        let first = r#"{"type":"metadata","protocol_version":"1.1"}"#.to_owned();
        let lines = [
            first,
            call(1, "Glob"),
            result(1, "a.txt", "Pattern `**` is not allowed."),
            call(2, "Shell"),
            result(2, "", "Command failed with exit code: 1."),
            call(3, "Shell"),
            result(3, "sh: no lamp", "Command failed with exit code: 127."),
            call(4, "Shell"),
            result(4, "", "Command killed by timeout (60s)"),
        ];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let read = read(&KIMI, &[&lines]);
        let calls = read.trace.events().iter().filter(|it| it.kind == EventKind::ToolCall);
        let found: Vec<_> = calls.map(|it| (it.status, read.trace.error(it.error))).collect();
        use traceloupe_core::model::ErrorLabel::{ExitCode, None};
        let expected = [
            (Status::Failed, None),
            (Status::NoMatch, ExitCode(1)),
            (Status::Failed, ExitCode(127)),
            (Status::TimedOut, None),
        ];
        assert_eq!(found, expected);
        let at = read.trace.events().iter().position(|it| it.kind == EventKind::ToolCall).unwrap();
        let blocks = read.detail(&KIMI, at).blocks;
        let is_reason = |block: &Block| matches!(block, Block::Error { message: Some(_), .. });
        assert!(blocks.iter().any(is_reason), "{blocks:#?}");
    }
}
