//! GitHub Copilot CLI and the Copilot SDK: the events of a session, one JSON object per line.
//!
//! Read from the events that the SDK declares (github.com/github/copilot-sdk, `session-events.ts`), a JSON output of
//! version 1.0.76, and two recordings of conversations from the SDK's tests. An event is `{type, data, id, parentId,
//! timestamp}`. A model's response is one `assistant.message` with the calls that it requests, in a stream after its
//! pieces; its thinking may be repeated. `tool.execution_start` repeats a call. Events of a sub-agent name it by the id
//! of the call that started it, or by its own id, which the call states when the agent starts. If `assistant.usage` was
//! not kept, token counts of the input are only in the totals at the end of a session. A recording is a list of growing
//! conversations: the model's input, and its response. The Markdown that `/share` writes is turned into such events
//! (`src/converters/markdown.rs`); it has no models and no ids.

use traceloupe_core::model::{RunStatus, Usage};
use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::AI_SDK;

/// The format.
pub static COPILOT_CLI: Described = Described {
    signs: &[
        Sign::record(
            "events have a `type` of the Copilot CLI, and `data` with its ids",
            &[
                Test::OneOf("type", TYPES),
                Test::HasOne(&[
                    "data.sessionId",
                    "data.interactionId",
                    "data.messageId",
                    "data.turnId",
                    "data.toolCallId",
                    "data.shutdownType",
                    "parentId",
                ]),
                Test::Object("data"),
            ],
        ),
        Sign::certain(
            On::Document,
            "the document has `models` and recorded `conversations` with messages",
            &[Test::Text("models.0"), Test::Has("conversations.0.messages.0.role")],
        ),
    ],
    lists: &["conversations"],
    quiet: &[
        "type|timestamp|elapsed|id|parentId|agentId|ephemeral",
        "data.rte|turnId|interactionId|toolName|outputTokens|apiCallId|reasoningBlocks",
        "data.providerId|originatingMessageId|reasoningOpaque|encryptedContent",
        "data.toolRequests.*.name|type",
    ],
    hooks: Hooks { tells_twice: true, ..Hooks::NONE },
    ..Described::new(&catalog::COPILOT_CLI, describe)
};

/// Types that other producers do not write with such data.
const TYPES: &[&str] = &[
    "session.start",
    "session.resume",
    "session.shutdown",
    "session.model_change",
    "user.message",
    "assistant.turn_start",
    "assistant.message",
    "assistant.message_delta",
    "assistant.reasoning",
    "tool.execution_start",
    "tool.execution_complete",
];

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let (record, data) = (entry.json, entry.json.get("data"));
    out.at(record.any(&["timestamp", "data.startTime", "ts"]));
    // The Markdown of `/share` states the time since the start.
    let elapsed = record.get("elapsed").integer().and_then(|it| it.checked_mul(1_000_000_000));
    if let Some((start, elapsed)) = time_of(record.get("timestamp")).get().zip(elapsed) {
        out.at(out.json(&start.saturating_add(elapsed).to_string()));
    }
    let kind = record.get("type").label();
    if entry.is_document {
        let models = record.get("models");
        if models.item(1).is_absent() {
            out.run.models.name = models.item(0);
        }
        out.event(EventKind::RunStart, "recording").value("Models", models);
        return;
    }
    match kind.as_ref() {
        "" if record.get("messages").is_given() => conversation(record.get("messages"), out),
        "result" => end(record, record.get("exitCode"), out),
        _ => event(&kind, data, record.get("agentId"), out),
    }
    // Older versions name the call in the data.
    let agent = record.any(&["agentId", "data.parentToolCallId"]);
    out.run.agent.is(agent);
    for item in out.items.iter_mut().filter(|_| agent.is_given()) {
        let is_own = !matches!(item.what(), What::Result | What::Update | What::Usage);
        if is_own && item.asking_item().is_none() {
            item.span.parent = agent;
        }
    }
}

/// A conversation of a recording: the model's input, and its response. Earlier responses are repeated in later
/// conversations, not always as the same messages.
fn conversation<'a>(messages: Json<'a>, out: &mut Description<'a>) {
    for (at, message) in (1..).zip(messages.items()) {
        let before = out.items.len();
        content::said(message, Joins::Neighbours, out);
        for (nth, item) in (0..).zip(out.items.iter_mut().skip(before)) {
            match item.what() {
                What::Model => item.history(0, 0, item.summary_value()),
                // Each agent numbers its calls separately.
                What::Call => {
                    let arguments = item.summary_value().fingerprint();
                    item.history(0, arguments | 1, item.id)
                }
                _ => item.history(at, nth, message),
            };
        }
    }
}

fn event<'a>(kind: &str, data: Json<'a>, agent: Json<'a>, out: &mut Description<'a>) {
    let call = data.get("toolCallId");
    match kind {
        "session.start" => {
            let run = out.run_of_source(data.get("sessionId"));
            run.models.name = data.get("selectedModel");
            out.facts(
                data,
                &[
                    (FactKind::Version, "copilotVersion"),
                    (FactKind::Folder, "context.cwd"),
                    (FactKind::Other("Repository"), "context.repository"),
                    (FactKind::Branch, "context.branch"),
                    (FactKind::Other("Commit"), "context.headCommit"),
                ],
            );
            out.event(EventKind::RunStart, "session").summary(data.get("context.cwd"));
        }
        "session.title_changed" => {
            out.run.titles.own = data.get("title");
            out.bookkeeping("title").field("Title", data.get("title"));
        }
        "session.model_change" | "session.auto_mode_resolved" => {
            out.run.models.name = data.any(&["newModel", "chosenModel"]);
            out.note("model")
                .fields(data, &[(FactKind::Model, "newModel"), (FactKind::Model, "chosenModel")]);
        }
        "session.shutdown" => end(data, Json::ABSENT, out),
        "session.error" | "model.call_failure" | "session.warning" => {
            let is_warning = kind == "session.warning";
            let item = out.event(if is_warning { EventKind::Note } else { EventKind::Error }, "");
            item.name(kind.replace(['.', '_'], " "))
                .fields(data, &[("Kind", "errorType"), ("Kind", "warningType")]);
            match is_warning {
                true => item.text(data.get("message")),
                false => item.error(data).error(data.get("errorMessage")),
            };
        }
        "session.compaction_complete" | "session.truncation" => {
            out.event(EventKind::Compaction, "compaction")
                .text(data.get("summaryContent"))
                .value(BlockRole::Usage, data.get("compactionTokensUsed"))
                .error(data.get("error"));
        }
        "user.message" => {
            let words = data.get("content");
            // Skills and commands also write messages.
            let source = data.get("source").label();
            let is_own = matches!(source.as_ref(), "" | "user");
            if is_own {
                out.run.titles.words = words;
            }
            // The user message of a sub-agent comes from the agent that started it.
            let is_asked = is_own || source.starts_with("agent-");
            let what = if is_asked { What::User } else { What::System };
            out.item(what)
                .text(words)
                .value(BlockRole::Attachments, data.get("attachments"))
                .value("As sent", data.get("transformedContent"));
        }
        "system.message" | "system.notification" => {
            out.item(What::System).text(data.any(&["content", "message"]));
        }
        "assistant.message" => message(data, out),
        "assistant.reasoning" => drop(out.thinking(data.get("content")).again()),
        "assistant.message_delta" => piece(PieceOf::Text, data, out),
        "assistant.reasoning_delta" => piece(PieceOf::Thinking, data, out),
        "assistant.usage" => {
            let item = out.item(What::Model).joins(Joins::Open).tokens(&AI_SDK, data);
            item.name(data.get("model")).took(millis_ns(data.get("duration")));
        }
        // Since late 2026 the counts of a call precede its message, which names the call. Those of a sub-agent may be
        // written after the result that ends it.
        "session.usage_record" => {
            let usage = data.get("usage");
            let item = out.item(What::Model).joins(Joins::Named(usage.get("apiCallId")));
            item.name(usage.get("model"))
                .usage(AI_SDK.read(usage))
                .took(millis_ns(usage.get("duration")))
                .field("Finish reason", usage.get("finishReason"))
                .value(BlockRole::Usage, usage);
        }
        "tool.execution_start" if data.get("arguments").is_given() => {
            let arguments = out.unpack(data.get("arguments"));
            out.call(call, data.get("toolName"), arguments)
                .again()
                .fields(data, &[("MCP server", "mcpServerName"), ("MCP tool", "mcpToolName")]);
        }
        "tool.execution_complete" => {
            let result = data.any(&["result.content", "result", "error.message", "error"]);
            let code = exit_code(data, result, out);
            let item = out.result(call, result).failed_unless(data.get("success"));
            if code.integer() != Some(0) {
                item.exit(code);
            }
            item.error(data.get("error"))
                .value("Details", data.get("result.detailedContent"))
                .value("Contents", data.get("result.contents"));
        }
        "tool.execution_partial_result" => {
            out.update(call)
                .log(BlockRole::OtherOutput("Output so far"), data.get("partialOutput"));
        }
        "subagent.started" | "subagent.configured" | "subagent.completed" | "subagent.failed"
            if call.is_given() =>
        {
            out.run.agent.name = data.any(&["agentDisplayName", "agentName"]);
            // Agents had the id of the call that started them; since late 2026 they have one of their own.
            out.update(call)
                .span(agent.or(call), Json::ABSENT)
                .fields(data, &[("Agent", "agentDisplayName"), ("About", "agentDescription")])
                .error(data.get("error"));
        }
        "tool.execution_start" | "tool.execution_progress" => drop(out.update(call)),
        "abort" => {
            out.note("aborted").status(Status::Cancelled).field("Reason", data.get("reason"));
        }
        // The start and the end of a turn follow from its content; pieces of calls are in whole calls.
        "assistant.turn_start"
        | "assistant.turn_end"
        | "assistant.idle"
        | "model.call_start"
        | "assistant.message_start"
        | "assistant.streaming_delta"
        | "assistant.tool_call_delta" => out.nothing(),
        kind => {
            let words = data.any(&["message", "summary", "intent", "reason"]);
            out.note(kind.replace(['.', '_'], " ")).text(words);
        }
    }
}

/// The exit code of a command. A call whose command failed still succeeded; the last line of its output may be the only
/// place that states the exit code.
fn exit_code<'a>(data: Json<'a>, result: Json<'a>, out: &mut Description<'a>) -> Json<'a> {
    const MARKS: [&str; 2] = [" completed with exit code ", "<exited with exit code "];
    let code = data.any(&["shellExecution.exitCode", "result.shellExecution.exitCode"]);
    if code.is_given() || result.kind() != Kind::String {
        return code;
    }
    let text = out.text(result);
    let line = text.trim_end().rsplit('\n').next().unwrap_or_default();
    let is_mark = line.starts_with("<shellId: ") || line.starts_with(MARKS[1]);
    let told = MARKS.iter().find_map(|mark| line.strip_suffix('>')?.split_once(mark));
    match told.filter(|_| is_mark).and_then(|(_, code)| code.parse::<i32>().ok()) {
        Some(code) => out.json(&code.to_string()),
        None => Json::ABSENT,
    }
}

/// A model's response, with the calls that it requests.
fn message<'a>(data: Json<'a>, out: &mut Description<'a>) {
    let model = out.items.len();
    let thinking = data.get("reasoningText");
    let mut parts = Vec::new();
    if thinking.is_given() {
        parts.push(Part::Thinking(thinking));
    }
    let usage = Usage { output: data.get("outputTokens").count(), ..Usage::default() };
    let joins = match data.get("apiCallId").given() {
        Some(id) => Joins::Named(id),
        None => Joins::Neighbours,
    };
    let item = out.model(parts, joins).text(data.get("content")).usage(usage);
    item.asks(data.get("toolRequests"));
    item.name(data.get("model"));
    for call in data.get("toolRequests").items() {
        out.asked_by(model, call.get("toolCallId"), call.get("name"), call.get("arguments"))
            .field("Intention", call.get("intentionSummary"));
    }
}

/// A piece of a model's response.
fn piece<'a>(of: PieceOf, data: Json<'a>, out: &mut Description<'a>) {
    out.item(What::Model).part(Part::piece(of, data.get("deltaContent")));
}

/// The end of a session, or of the output of one run of the program.
fn end<'a>(record: Json<'a>, exit: Json<'a>, out: &mut Description<'a>) {
    let has_failed =
        record.get("shutdownType").is("error") || exit.count().is_some_and(|it| it > 0);
    let status = if has_failed { RunStatus::Error } else { RunStatus::Ok };
    out.run.status = Some(status);
    for (_, model) in record.get("modelMetrics").members() {
        let usage = AI_SDK.read(model.get("usage"));
        out.run.totals.usage.add(&usage);
    }
    let labels = [
        ("Premium requests", "totalPremiumRequests"),
        ("Premium requests", "usage.premiumRequests"),
        ("Time in the API (ms)", "totalApiDurationMs"),
        ("Lines added", "codeChanges.linesAdded"),
        ("Lines removed", "codeChanges.linesRemoved"),
    ];
    out.facts(record, &labels);
    out.event(EventKind::RunEnd, "end")
        .exit(exit)
        .fields(record, &labels)
        .value("Models", record.get("modelMetrics"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn the_only_model_of_a_recording_is_that_of_its_answers() {
        let recording = |models: &str| {
            format!(
                r#"{{"models":[{models}],"conversations":[{{"messages":[{{"role":"user","content":"a"}},{{"role":"assistant","content":"b"}}]}}]}}"#
            )
        };
        for (models, row) in
            [(r#""keel-1""#, "llm-call keel-1"), (r#""keel-1","keel-2""#, "llm-call ")]
        {
            let read = read(&COPILOT_CLI, &[&[&recording(models)]]);
            assert!(read.outline().iter().any(|it| it == row), "{:?}", read.outline());
        }
    }
}
