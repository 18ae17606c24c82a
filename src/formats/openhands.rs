//! OpenHands since the end of 2025 (V1, the software agent SDK): the events of a conversation.
//!
//! Read from the producer's code (github.com/OpenHands/software-agent-sdk, `sdk/event/`) and from a log of June
//! 2026. Each event is a file of its own in `events/`, a line of JSONL, or in a page of the server's response; `kind`
//!       names its class. Actions from one response of the model have the same `llm_response_id`, and only the first of
//!       them has its thoughts. Observations name the call of their action. Token counts are those of the whole
//!       conversation so far, in updates of its state. Times have no zone.

use traceloupe_core::model::{RunStatus, Usage};
use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::OPENHANDS_TOTALS;

/// The classes of events.
const KINDS: &[&str] = &[
    "MessageEvent",
    "SystemPromptEvent",
    "SystemPromptUpdateEvent",
    "ActionEvent",
    "ObservationEvent",
    "AgentErrorEvent",
    "UserRejectObservation",
    "ConversationStateUpdateEvent",
    "ConversationErrorEvent",
    "Condensation",
    "CondensationRequest",
    "CondensationSummaryEvent",
    "PauseEvent",
    "LLMCompletionLogEvent",
    "TokenEvent",
    "HookExecutionEvent",
];

/// The format.
pub static OPENHANDS: Described = Described {
    signs: &[
        event(On::Any),
        event(On::Items("events")),
        event(On::Items("items")),
        event(On::Items("history")),
    ],
    lists: &["events", "items", "history"],
    quiet: &[
        "id|timestamp|source|kind|key|tool_name|tool_call_id|action_id|llm_response_id",
        // Also in `action`, unless that is missing.
        "tool_call",
        "llm_message.role",
        "observation.kind|is_error",
        "observation.metadata.exit_code",
    ],
    ..Described::new(&catalog::OPENHANDS, describe)
};

const fn event(on: On) -> Sign {
    Sign::certain(
        on,
        "events have a `source`, and a `kind` that is a class of the SDK",
        &[Test::OneOf("kind", KINDS), Test::Has("id"), Test::Text("source")],
    )
}

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let event = entry.json;
    out.at(event.get("timestamp"));
    let id = event.get("tool_call_id");
    match event.get("kind").label().as_ref() {
        "" if entry.is_document && event.get("history").is_given() => evaluation(event, out),
        "" if entry.is_document => {
            out.run.key = event.get("id");
            out.run.models.name = event.get("agent.llm.model");
        }
        "SystemPromptEvent" | "SystemPromptUpdateEvent" => {
            out.item(What::System)
                .text(event.any(&["system_prompt.text", "system_prompt"]))
                .value(BlockRole::Context, event.get("dynamic_context"))
                .value(BlockRole::Tools, event.get("tools"));
        }
        "MessageEvent" => message(event, out),
        "ActionEvent" => action(event, out),
        "ObservationEvent" => {
            let seen = event.get("observation");
            let code = seen.any(&["exit_code", "metadata.exit_code"]);
            // −1 means a command that is still running, or no exit code at all.
            let code = if code.raw() == "-1" { Json::ABSENT } else { code };
            let item = out.result(id, seen.get("content").or(seen));
            item.name(event.get("tool_name"));
            item.failed(seen.get("is_error")).exit(code);
            item.field("Exit code", code).error(seen.get("error"));
        }
        "AgentErrorEvent" => {
            out.result(id, Json::ABSENT).status(Status::Failed).error(event.get("error"));
        }
        "UserRejectObservation" => {
            out.result(id, event.get("rejection_reason")).status(Status::Rejected);
        }
        "ConversationErrorEvent" => {
            out.run.status = Some(RunStatus::Error);
            out.event(EventKind::Error, "conversation error").error(event);
        }
        "Condensation" | "CondensationSummaryEvent" => {
            out.event(EventKind::Compaction, "condensation").text(event.get("summary"));
        }
        "ConversationStateUpdateEvent" => state(event, out),
        "PauseEvent" => drop(out.note("pause").status(Status::Cancelled)),
        kind => drop(out.note(kind.trim_end_matches("Event").to_owned())),
    }
}

/// A line of `output.jsonl`: the run of an instance of a benchmark, with its events in `history`.
fn evaluation<'a>(line: Json<'a>, out: &mut Description<'a>) {
    out.run.records = Records::Itself;
    out.run.titles.own = line.get("instance_id");
    out.run.models.name = line.get("metadata.llm.model");
    out.facts(
        line,
        &[
            (FactKind::Other("Instance"), "instance_id"),
            (FactKind::Model, "metadata.llm.model"),
            (FactKind::Other("Data set"), "metadata.dataset"),
            (FactKind::Attempt, "attempt"),
            (FactKind::Cost, "metrics.accumulated_cost"),
        ],
    );
    out.run.totals.usage = OPENHANDS_TOTALS.read(line.get("metrics.accumulated_token_usage"));
    let error = line.get("error");
    if has_content(error) {
        out.run.status = Some(RunStatus::Error);
    }
    out.event(EventKind::RunStart, "instance")
        .text(line.get("instruction"))
        .value("Instance", line.get("instance"))
        .value("Configuration", line.get("metadata"));
    out.after_list();
    if has_content(error) {
        out.event(EventKind::Error, "error").error(error);
    }
    out.event(EventKind::Evaluation, "result")
        .value(BlockRole::Result, line.get("test_result"))
        .value(BlockRole::Usage, line.get("metrics"));
}

/// A message of the user or of the model. Text that skills add to it is included.
fn message<'a>(event: Json<'a>, out: &mut Description<'a>) {
    let message = event.get("llm_message");
    let joins = event.get("llm_response_id").given().map_or(Joins::Nothing, Joins::Id);
    content::said(message, joins, out);
    if let Some(item) = out.items.first_mut() {
        item.value("Added by skills", event.get("extended_content"))
            .value("Skills", event.any(&["activated_skills", "activated_microagents"]));
    }
}

/// A call that the model requested, with the thought before it.
fn action<'a>(event: Json<'a>, out: &mut Description<'a>) {
    let blocks = content::pieces(event.get("thinking_blocks"));
    let reasoning = event.any(&["reasoning_content", "responses_reasoning_item.summary.0"]);
    let mut parts = if blocks.is_empty() && has_content(reasoning) {
        vec![Part::Thinking(reasoning)]
    } else {
        blocks
    };
    parts.extend(content::pieces(event.get("thought")));
    let name = event.get("tool_name");
    // Without a valid action there are only the arguments as they were written.
    let action = event.get("action").or(event.get("tool_call.arguments"));
    let action = out.unpack(action);
    let joins = event.get("llm_response_id").given().map_or(Joins::Nothing, Joins::Id);
    out.model(parts, joins).asks(action);
    out.asked_by(0, event.get("tool_call_id"), name, action)
        .fields(event, &[("Summary", "summary"), ("Security risk", "security_risk")]);
    if event.get("action.kind").is("FinishAction") {
        out.run.status = Some(RunStatus::Ok);
    }
}

/// A part of the state of the conversation, or all of it.
fn state<'a>(event: Json<'a>, out: &mut Description<'a>) {
    let (key, value) = (event.get("key").label(), event.get("value"));
    let is_full = key == "full_state";
    let status = if is_full { value.get("execution_status") } else { value };
    if is_full || key == "execution_status" || key == "agent_status" {
        out.run.ended(status);
    }
    let stats = if is_full { value.get("stats") } else { value };
    let mut total = Usage::default();
    for (_, metrics) in stats.get("usage_to_metrics").members() {
        let model = metrics.get("model_name");
        let used = OPENHANDS_TOTALS.read(metrics.get("accumulated_token_usage"));
        if out.run.models.name.is_absent() && !used.is_empty() {
            out.run.models.name = model;
        }
        total.add(&used);
    }
    out.run.totals.usage = total;
    let item = out.event(EventKind::State, key.replace('_', " "));
    match value.word() {
        Some(_) => item.summary(value).field("Value", value),
        None => item.summary(stats.get("usage_to_metrics")).value(BlockRole::State, value),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn instructions_that_changed_are_instructions() {
        let lines = [
            r#"{"id":"e1","timestamp":"2026-01-21T22:00:00","source":"agent","system_prompt":{"type":"text","text":"Watch the tide."},"tools":[],"reason":"tools_changed","kind":"SystemPromptUpdateEvent"}"#,
        ];
        assert_eq!(read(&OPENHANDS, &[&lines]).outline(), ["system "]);
    }
}
