//! Messages of Mastra (format 2): tool calls with their results are `tool-invocation` parts.

use super::RunNames;
use super::times::iso;
use super::turns::{Message, Turn};
use crate::export::normal::NormalEvent;
use traceloupe_core::json::text::{ObjectText, list};

pub fn message(message: &Message, run: &RunNames, at: u64) -> Option<String> {
    if message.role == "error" {
        return None;
    }
    let part = text_part(&message.text);
    Some(mastra_message(Some(&message.event), &message.role, run, at, &[part]))
}

pub fn turn(turn: &Turn, run: &RunNames, at: u64) -> String {
    let mut parts = Vec::new();
    if let Some(answer) = &turn.answer {
        if let Some(thinking) = &answer.thinking {
            let detail = ObjectText::new().text("type", "text").text("text", thinking).end();
            let part = ObjectText::new().text("type", "reasoning").text("reasoning", thinking);
            parts.push(part.raw("details", &list(&[detail])).end());
        }
        parts.extend(answer.text.as_deref().map(text_part));
    }
    for (id, call) in &turn.calls {
        parts.push(invocation(id, &call.name, call.arguments.as_deref(), call.outcome()));
    }
    for (id, name, arguments) in &turn.asked {
        parts.push(invocation(id, name, Some(arguments), None));
    }
    mastra_message(turn.first(), "assistant", run, at, &parts)
}

fn invocation(id: &str, name: &str, arguments: Option<&str>, result: Option<&str>) -> String {
    let state = if result.is_some() { "result" } else { "call" };
    let call = ObjectText::new()
        .text("state", state)
        .text("toolCallId", id)
        .text("toolName", name)
        .raw("args", arguments.unwrap_or("{}"))
        .maybe_raw("result", result)
        .end();
    ObjectText::new().text("type", "tool-invocation").raw("toolInvocation", &call).end()
}

fn text_part(text: &str) -> String {
    ObjectText::new().text("type", "text").text("text", text).end()
}

fn mastra_message(
    of: Option<&NormalEvent>,
    role: &str,
    run: &RunNames,
    at: u64,
    parts: &[String],
) -> String {
    let own = of.and_then(|it| it.native_id.clone()).filter(|_| role == "assistant");
    let content = ObjectText::new().raw("format", "2").raw("parts", &list(parts)).end();
    ObjectText::new()
        .text("id", &own.unwrap_or_else(|| format!("message-{}", at + 1)))
        .text("role", role)
        .maybe_text("createdAt", of.and_then(|it| it.start_ns).and_then(iso).as_deref())
        .text("threadId", &run.key)
        .raw("content", &content)
        .end()
}
