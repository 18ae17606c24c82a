//! Messages of OpenAI's chat completions API.

use super::plain;
use super::turns::{Message, Turn};
use crate::export::normal::NormalEvent;
use traceloupe_core::json::text::{ObjectText, list, quoted};

pub fn message(message: &Message) -> Option<String> {
    let is_message = message.role != "error";
    is_message.then(|| {
        let object = ObjectText::new().text("role", &message.role);
        named(object, &message.event).text("content", &message.text).end()
    })
}

/// The assistant's message, then one message per tool call.
pub fn turn(turn: &Turn) -> Vec<String> {
    let answer = turn.answer.as_ref();
    let mut message = ObjectText::new().text("role", "assistant");
    if let Some(event) = turn.first() {
        message = named(message, event);
    }
    let text = answer.and_then(|it| it.text.as_deref()).map(quoted);
    message = message
        .raw("content", text.as_deref().unwrap_or("null"))
        .maybe_text("reasoning_content", answer.and_then(|it| it.thinking.as_deref()));
    let calls = turn
        .calls
        .iter()
        .map(|(id, call)| call_item(id, &call.name, call.arguments.as_deref().unwrap_or("{}")));
    let asked = turn.asked.iter().map(|(id, name, arguments)| call_item(id, name, arguments));
    let calls: Vec<String> = calls.chain(asked).collect();
    if !calls.is_empty() {
        message = message.raw("tool_calls", &list(&calls));
    }
    let mut messages = vec![message.end()];
    for (id, call) in &turn.calls {
        if let Some(outcome) = call.outcome() {
            let object = ObjectText::new().text("role", "tool").text("tool_call_id", id);
            messages.push(object.text("name", &call.name).text("content", &plain(outcome)).end());
        }
    }
    messages
}

fn call_item(id: &str, name: &str, arguments: &str) -> String {
    let function = ObjectText::new().text("name", name).text("arguments", arguments).end();
    ObjectText::new().text("id", id).text("type", "function").raw("function", &function).end()
}

/// Adds the agent's name to the messages of a sub-agent.
fn named(object: ObjectText, event: &NormalEvent) -> ObjectText {
    if event.agent.is_empty() { object } else { object.text("name", &event.agent) }
}
