//! The TraceEvent list of AgentV: `model_step`, `tool_call`, `tool_result`, `message`, `error`.

use super::times::{decimal, iso};
use super::turns::{Message, Turn};
use crate::export::normal::NormalEvent;
use traceloupe_core::json::text::ObjectText;
use traceloupe_core::model::{EventKind, Usage};

pub fn message(message: &Message) -> String {
    let event = &message.event;
    if message.role == "error" {
        let name = Some(event.error.as_str()).filter(|it| !it.is_empty()).unwrap_or(&event.name);
        let object = begin("error", event.start_ns).maybe_text("id", event.native_id.as_deref());
        let object = if name.is_empty() { object } else { object.text("name", name) };
        return with(object.text("text", &message.text), metadata(event, None)).end();
    }
    let object = begin("message", event.start_ns).maybe_text("id", event.native_id.as_deref());
    with(object.text("text", &message.text), metadata(event, Some(&message.role))).end()
}

/// The model's step, then each call followed by its result.
pub fn turn(turn: &Turn) -> Vec<String> {
    let mut events = Vec::new();
    if let Some(answer) = &turn.answer {
        let object = begin("model_step", answer.start_ns)
            .maybe_text("id", answer.native_id.as_deref())
            .maybe_text("text", answer.text.as_deref());
        events.push(with(object, metadata(answer, None)).end());
    }
    for (id, call) in &turn.calls {
        let object = begin("tool_call", call.start_ns).text("id", id).text("name", &call.name);
        let object = object.maybe_raw("input", call.arguments.as_deref());
        // For a call that ended without a result, the call itself states the outcome.
        let told = if call.outcome().is_some() { ObjectText::new() } else { outcome(call) };
        let agent = Some(call.agent.as_str()).filter(|it| !it.is_empty());
        events.push(with(object, told.maybe_text("agent", agent)).end());
        if let Some(output) = call.outcome() {
            let object = begin("tool_result", call.end_ns().or(call.start_ns)).text("id", id);
            let object = object.text("name", &call.name).raw("output", output);
            events.push(with(object, outcome(call)).end());
        }
    }
    for (id, name, arguments) in &turn.asked {
        let start_ns = turn.answer.as_ref().and_then(|it| it.start_ns);
        let object = begin("tool_call", start_ns).text("id", id).text("name", name);
        events.push(object.raw("input", arguments).end());
    }
    events
}

/// Times are required here. An unknown time is written as null rather than made up.
fn begin(kind: &str, ns: Option<i64>) -> ObjectText {
    let object = ObjectText::new().text("type", kind);
    match ns.and_then(iso) {
        Some(time) => object.text("timestamp", &time),
        None => object.raw("timestamp", "null"),
    }
}

fn with(object: ObjectText, metadata: ObjectText) -> ObjectText {
    if metadata.is_empty() { object } else { object.raw("metadata", &metadata.end()) }
}

/// The outcome of a call that did not simply succeed.
fn outcome(call: &NormalEvent) -> ObjectText {
    let status = call.status_word();
    let error = Some(call.error.as_str()).filter(|it| !it.is_empty());
    ObjectText::new()
        .maybe_text("status", status)
        .maybe_text("error", error)
        .maybe_raw("duration_ms", call.duration_ns.map(|ns| decimal(ns, 1_000_000)).as_deref())
}

fn metadata(event: &NormalEvent, role: Option<&str>) -> ObjectText {
    let is_step = role.is_none() && event.kind == EventKind::LlmCall;
    let filled = |text: &'_ str| Some(text.to_owned()).filter(|it| !it.is_empty());
    let model = filled(&event.name).filter(|_| is_step);
    let status = (is_step && event.status.is_error()).then_some("error");
    ObjectText::new()
        .maybe_text("role", role)
        .maybe_text("model", model.as_deref())
        .maybe_text("agent", filled(&event.agent).as_deref())
        .maybe_text("status", status)
        .maybe_text("thinking", event.thinking.as_deref())
        .maybe_raw(
            "duration_ms",
            event.duration_ns.filter(|_| is_step).map(|ns| decimal(ns, 1_000_000)).as_deref(),
        )
        .maybe_raw("token_usage", event.usage.as_ref().and_then(usage).as_deref())
}

/// Token usage with AgentV's keys; `None` if no number is known.
pub fn usage(usage: &Usage) -> Option<String> {
    let number = |count: Option<u64>| count.map(|it| it.to_string());
    let object = ObjectText::new()
        .maybe_raw("input", number(usage.input).as_deref())
        .maybe_raw("output", number(usage.final_output()).as_deref())
        .maybe_raw("cached", number(usage.cache_read).as_deref())
        .maybe_raw("reasoning", number(usage.reasoning).as_deref());
    (!object.is_empty()).then(|| object.end())
}
