//! AgentV's compact format: calls with their input and output inside the message.

use super::turns::{Message, Turn};
use traceloupe_core::json::text::{ObjectText, list};

pub fn message(message: &Message) -> Option<String> {
    let is_message = message.role != "error";
    is_message.then(|| {
        let object = ObjectText::new().text("role", &message.role);
        let agent = Some(message.event.agent.as_str()).filter(|it| !it.is_empty());
        object.maybe_text("name", agent).text("content", &message.text).end()
    })
}

pub fn turn(turn: &Turn) -> String {
    let answer = turn.answer.as_ref();
    let agent = turn.first().map(|it| it.agent.as_str()).filter(|it| !it.is_empty());
    let mut message = ObjectText::new()
        .text("role", "assistant")
        .maybe_text("name", agent)
        .maybe_text("content", answer.and_then(|it| it.text.as_deref()));
    let calls = turn.calls.iter().map(|(_, call)| {
        let status = call.status_word();
        ObjectText::new()
            .text("tool", &call.name)
            .maybe_raw("input", call.arguments.as_deref())
            .maybe_raw("output", call.outcome())
            .maybe_text("status", status)
            .end()
    });
    let asked = turn.asked.iter().map(|(_, name, arguments)| {
        ObjectText::new().text("tool", name).raw("input", arguments).end()
    });
    let calls: Vec<String> = calls.chain(asked).collect();
    if !calls.is_empty() {
        message = message.raw("tool_calls", &list(&calls));
    }
    message.end()
}
