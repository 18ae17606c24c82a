//! Messages: a role, a content, tool calls with their results inside.

use super::events::{At, Call, event, fill, set_native_id, settle, summary, times, usage, words};
use super::members::{Lines, Members};
use crate::formats::Record;
use crate::formats::fields::{JsonValue, items, text, word};
use crate::formats::shapes::openai::gist;
use crate::json::{Json, Kind};
use crate::model::{EventId, EventKind, Status, TraceBuilder};
use crate::notice::NoticeCode;

/// What is known of a message beside its own record.
#[derive(Clone, Copy, Default)]
pub(super) struct Context<'a> {
    /// Its number in the transcript, by which files of one run know it.
    pub index: Option<u64>,
    /// The model, where a record around the messages names it.
    pub model: Option<&'a str>,
    /// The id of its span.
    pub span_id: Option<&'a str>,
}

/// The kind of event that a message of a role is.
pub(super) fn kind_of(role: &str) -> EventKind {
    match role {
        "user" | "human" => EventKind::UserMessage,
        "system" | "developer" => EventKind::SystemMessage,
        "assistant" | "agent" | "ai" | "model" => EventKind::LlmCall,
        _ => EventKind::Note,
    }
}

/// Pushes a message and its calls. Returns the message's event with those of its calls, or nothing
/// where it is the result of a call that is there.
pub(super) fn push(
    record: &Record<'_>,
    at: At,
    context: Context<'_>,
    out: &mut TraceBuilder,
) -> Option<(EventId, Vec<EventId>)> {
    let members = Members::new(record.json)?;
    let role = text(members.get("role")).unwrap_or_default();
    if matches!(role.as_ref(), "tool" | "function") {
        return result(record, &members, at, out).map(|id| (id, Vec::new()));
    }
    let kind = kind_of(&role);
    let number = context.index.map(|index| index.to_string());
    let key = number.as_deref().map(|number| at.key("message", number));
    let (id, is_new) = event(kind, at, record, key, out);
    let (start, took) = times(&members);
    let model = word(members.any(&["model"]).or(members.object("metadata").get("model")));
    let name = match kind {
        EventKind::LlmCall => model.as_deref().or(context.model).unwrap_or_default(),
        EventKind::Note => role.as_ref(),
        _ => "",
    };
    fill(id, name, start, took, out);
    let content = members.any_value(&["content", "text"]);
    words(id, content, out);
    if is_new {
        summary(id, record, content.map(gist), out);
        set_native_id(id, context.span_id, out);
    }
    let tokens = usage(members.any_value(&["token_usage", "usage"]));
    if !tokens.is_empty() {
        out.set_usage(id, tokens);
    }
    let mut lines = Lines::new(record);
    let mut calls = Vec::new();
    for (position, raw) in
        members.value("tool_calls").map(items).unwrap_or_default().into_iter().enumerate()
    {
        let inner = lines.inner(raw);
        let Some(call) = Call::new(raw) else {
            out.warn(NoticeCode::UnknownRecord, &inner.place(), "");
            continue;
        };
        let key = match (&call.span_id, number.as_deref()) {
            (Some(span), _) => Some(at.key("span", span)),
            (None, Some(number)) => Some(at.key("tool", &format!("{number}/{position}"))),
            (None, None) => None,
        };
        calls.push(call.push(at.below(id), &inner, key, out));
    }
    Some((id, calls))
}

/// A message that brings the result of a call.
fn result(
    record: &Record<'_>,
    members: &Members<'_>,
    at: At,
    out: &mut TraceBuilder,
) -> Option<EventId> {
    let content = members.any_value(&["content", "output", "text"]);
    let call_id = word(members.any(&["tool_call_id", "call_id", "id"]));
    let call = call_id.as_deref().and_then(|id| out.bound(at.key("call", id)));
    if let Some(call) = call {
        out.add_record(call, record.place());
        settle(call, None, content, Status::Ok, None, out);
        return None;
    }
    out.warn(
        NoticeCode::ResultWithoutCall,
        &record.place(),
        call_id.as_deref().unwrap_or_default(),
    );
    let (id, _) = event(EventKind::ToolCall, at, record, None, out);
    fill(
        id,
        &word(members.get("name")).unwrap_or_default(),
        times(members).0,
        times(members).1,
        out,
    );
    settle(id, None, content, Status::Ok, None, out);
    summary(id, record, content.map(Json::raw), out);
    Some(id)
}

/// Pushes a list of messages that stands in a record.
pub(super) fn push_list<'a>(
    list: impl JsonValue<'a>,
    lines: &mut Lines<'_>,
    at: At,
    model: Option<&str>,
    out: &mut TraceBuilder,
) -> u64 {
    let mut n = 0;
    for raw in list.json().items() {
        let inner = lines.inner(raw);
        let context = Context { model, ..Context::default() };
        if push(&inner, at, context, out).is_some() {
            n += 1;
        } else if raw.kind() != Kind::Object {
            out.warn(NoticeCode::UnknownRecord, &inner.place(), "");
        }
    }
    n
}
