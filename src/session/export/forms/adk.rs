//! Events of Google's Agent Development Kit: all calls of a turn are parts of one event, and all results are parts of
//! the next one.

use super::RunNames;
use super::times::decimal;
use super::turns::{Message, Turn};
use crate::export::normal::NormalEvent;
use traceloupe_core::json::text::{ObjectText, list, quoted};

/// The author of events without a named agent.
const MAIN_AGENT: &str = "agent";

pub fn message(message: &Message, run: &RunNames) -> Option<String> {
    if message.role == "error" {
        return None;
    }
    let part = ObjectText::new().text("text", &message.text).end();
    let author = if message.role == "user" { "user" } else { message.role.as_str() };
    Some(event(&message.event, run, author, "user", &[part]).end())
}

pub fn turn(turn: &Turn, run: &RunNames) -> Vec<String> {
    let Some(first) = turn.first() else { return Vec::new() };
    let author = if first.agent.is_empty() { MAIN_AGENT } else { &first.agent };
    let mut parts = Vec::new();
    if let Some(answer) = &turn.answer {
        if let Some(thinking) = &answer.thinking {
            parts.push(ObjectText::new().text("text", thinking).raw("thought", "true").end());
        }
        if let Some(text) = &answer.text {
            parts.push(ObjectText::new().text("text", text).end());
        }
    }
    let calls = turn.calls.iter().map(|(id, call)| (id, &call.name, call.arguments.as_deref()));
    let asked = turn.asked.iter().map(|(id, name, arguments)| (id, name, Some(arguments.as_str())));
    for (id, name, arguments) in calls.chain(asked) {
        let call = ObjectText::new().text("id", id).text("name", name);
        let call = call.raw("args", &object_of(arguments.unwrap_or("{}"), "args"));
        parts.push(ObjectText::new().raw("function_call", &call.end()).end());
    }
    let mut answer = event(first, run, author, "model", &parts);
    if let Some(usage) = turn.answer.as_ref().and_then(|it| it.usage) {
        let number = |count: Option<u64>| count.map(|it| it.to_string());
        let tokens = ObjectText::new()
            .maybe_raw("prompt_token_count", number(usage.total_input()).as_deref())
            .maybe_raw("candidates_token_count", number(usage.final_output()).as_deref())
            .maybe_raw("thoughts_token_count", number(usage.reasoning).as_deref());
        if !tokens.is_empty() {
            answer = answer.raw("usage_metadata", &tokens.end());
        }
    }
    let mut events = vec![answer.end()];
    let responses = turn.calls.iter().filter_map(|(id, call)| {
        let key = if call.is_error() { "error" } else { "result" };
        let response = ObjectText::new().text("id", id).text("name", &call.name);
        let response = response.raw("response", &object_of(call.outcome()?, key)).end();
        Some(ObjectText::new().raw("function_response", &response).end())
    });
    let responses: Vec<String> = responses.collect();
    if let Some((_, last)) = turn.calls.last().filter(|_| !responses.is_empty()) {
        let mut results = last.clone();
        results.native_id = None;
        results.start_ns = last.end_ns().or(last.start_ns);
        events.push(event(&results, run, author, "user", &responses).end());
    }
    events
}

/// Arguments and responses must be objects here. Other values are wrapped in an object, as the kit
/// does.
fn object_of(json: &str, key: &str) -> String {
    if json.starts_with('{') { json.to_owned() } else { ObjectText::new().raw(key, json).end() }
}

fn event(
    of: &NormalEvent,
    run: &RunNames,
    author: &str,
    role: &str,
    parts: &[String],
) -> ObjectText {
    let content = ObjectText::new().text("role", role).raw("parts", &list(parts)).end();
    let id = of.native_id.clone().unwrap_or_else(|| format!("event-{}-{role}", of.id.index()));
    ObjectText::new()
        .text("id", &id)
        .raw("invocation_id", &quoted(&run.key))
        .text("author", author)
        .maybe_raw("timestamp", of.start_ns.map(|ns| decimal(ns, 1_000_000_000)).as_deref())
        .raw("content", &content)
}
