//! Messages, turns, trace events, and the tool calls in them, with their results inside.

use std::borrow::Cow;

use super::members::Members;
use crate::format::fields::between;
use crate::format::kit::{Description, Item, Joins, Part, What, has_content, millis_ns, time_of};
use crate::format::shapes::content;
use crate::format::shapes::conversation::gist;
use crate::format::shapes::tokens::AGENTV;
use crate::json::{Json, Kind};
use crate::model::{EventKind, MaybeNs, Status};

/// When something began, and how long it took.
fn times(members: &Members<'_>) -> (MaybeNs, MaybeNs) {
    let start = time_of(members.at(&["start_time", "started_at", "timestamp", "ts"]));
    let took = millis_ns(members.at(&["duration_ms"]));
    let end = || between(start, time_of(members.at(&["end_time", "ended_at"])));
    (start, if took.is_known() { took } else { end() })
}

/// The only text of a content, by which copies of a message are known.
pub(super) fn only_text(content: Json<'_>) -> Json<'_> {
    let mut items = content.items();
    match (content.kind(), items.next(), items.next()) {
        (Kind::String, ..) => content,
        (_, Some(only), None) => only.get("text").present().filter(is_text).unwrap_or_default(),
        _ => Json::ABSENT,
    }
}

fn is_text(value: &Json<'_>) -> bool {
    value.kind() == Kind::String
}

/// Describes a message, with its calls. `span` is the id of its span, where another file has that.
pub(super) fn message<'a>(message: &Members<'a>, span: Json<'a>, out: &mut Description<'a>) {
    let role = message.at(&["role", "type"]).text().unwrap_or_default();
    let content = message.at(&["content", "text"]);
    let id = message.at(&["tool_call_id", "call_id", "id"]);
    if matches!(role.as_ref(), "tool" | "function") {
        let content = message.at(&["content", "output", "text"]);
        let name = message.at(&["name"]).word().unwrap_or_default();
        let (start, took) = times(message);
        out.result(id, content).name(name).starts(start).took(took).status(Status::Ok);
        return;
    }
    let item = words(&role, content, message, out);
    let calls = message.at(&["tool_calls"]);
    if calls.kind() == Kind::Array && item.what == What::Model {
        item.asks = calls;
    }
    let at = out.items.len() - 1;
    for inner in calls.items() {
        if let Some(inner) = Members::new(inner) {
            call(&inner, Some(at), out);
            let of_span = inner.object("trace").at(&["span_id"]);
            if span.is_given() && of_span.is_given() {
                out.last().span(of_span, span);
            }
        }
    }
    if let Some(item) = out.items.get_mut(at).filter(|item| item.what == What::Model) {
        item.span(span, Json::ABSENT);
    }
}

/// Adds the item of a message of a role, without its calls.
fn words<'a, 'd>(
    role: &str,
    content: Json<'a>,
    message: &Members<'a>,
    out: &'d mut Description<'a>,
) -> &'d mut Item<'a> {
    let (start, took) = times(message);
    let metadata = message.object("metadata");
    let took = if took.is_known() { took } else { millis_ns(metadata.at(&["duration_ms"])) };
    let mut parts = content::pieces(content);
    parts.retain(|part| !matches!(part, Part::Call(..) | Part::Result(_)));
    let item = match content::role(role) {
        content::Role::Model => out.model(parts, Joins::Nothing),
        _ if role == "agent" => out.model(parts, Joins::Nothing),
        other => {
            let item = match other {
                content::Role::User => out.item(What::User),
                content::Role::System => out.item(What::System),
                _ => out.note(role.to_owned()),
            };
            item.parts = parts;
            item
        }
    };
    if item.what == What::Model {
        let model = message.at(&["model"]).given().unwrap_or(metadata.at(&["model"]));
        let usage = message.at(&["token_usage", "usage"]).given();
        let usage = usage.unwrap_or(metadata.at(&["token_usage"]));
        item.name(model.word().unwrap_or_default()).usage(AGENTV.read(usage));
        item.value("Usage", usage);
    }
    item.answer(only_text(content)).begins(start).took(took)
}

/// Describes a turn of a normalized transcript.
pub(super) fn turn<'a>(turn: &Members<'a>, record: Json<'a>, out: &mut Description<'a>) {
    let role = turn.at(&["type", "role"]).text().unwrap_or_default();
    let content = turn.at(&["content"]);
    let item = words(&role, content, turn, out).usage(AGENTV.read(record));
    let texts = item.parts.iter().find_map(|part| match part {
        Part::Text(text) => Some(*text),
        _ => None,
    });
    let text = texts.unwrap_or_default();
    item.answer(text);
    if item.what == What::Model {
        item.asks = content;
    }
    let at = out.items.len() - 1;
    for block in content.items().filter_map(Members::new) {
        if block.at(&["type"]).is("tool_use") {
            call(&block, Some(at), out);
        }
    }
}

/// Describes a trace event.
pub(super) fn event<'a>(event: &Members<'a>, out: &mut Description<'a>) {
    let told = event.at(&["text", "output", "content", "input"]);
    match event.at(&["type"]).text().unwrap_or_default().as_ref() {
        "tool_call" => call(event, None, out),
        "tool_result" => {
            let (end, _) = times(event);
            let name = event.at(&["name", "tool"]).word().unwrap_or_default();
            let result = Outcome::of(event);
            let item = out.result(event.at(&["id", "tool_call_id"]), result.output).name(name);
            item.starts(end);
            result.tell(item);
            if item.status == Some(Status::NoResult) {
                item.status(Status::Ok);
            }
        }
        "error" => {
            let (start, took) = times(event);
            let told = event.at(&["text", "message", "error", "output"]);
            let name = event.at(&["name"]).word().or_else(|| error_type(told));
            error(name, told, out).starts(start).took(took);
        }
        kind => {
            let metadata = event.object("metadata");
            let role = event.at(&["role"]).given().unwrap_or(metadata.at(&["role"]));
            let role = role.text().unwrap_or("assistant".into());
            let is_step = matches!(kind, "message" | "model_step");
            let item = words(if is_step { &role } else { kind }, told, event, out);
            if item.what == What::Model && item.name.is_empty() {
                item.name(event.at(&["name"]).word().unwrap_or_default());
            }
        }
    }
}

/// Adds an error of the run.
pub(super) fn error<'a, 'd>(
    kind: Option<Cow<'a, str>>,
    message: Json<'a>,
    out: &'d mut Description<'a>,
) -> &'d mut Item<'a> {
    let item = out.event(EventKind::Error, kind.unwrap_or_default());
    item.error = item.name.clone();
    item.status(Status::Error).part(Part::Error(Json::ABSENT, message, Json::ABSENT))
}

/// Describes a tool call with its result inside.
fn call<'a>(call: &Members<'a>, asked_by: Option<usize>, out: &mut Description<'a>) {
    let function = call.object("function");
    let name = call.at(&["tool", "name", "tool_name"]).given().unwrap_or(function.at(&["name"]));
    let input = call.at(&["input", "arguments", "args", "parameters"]).given();
    let input = input.unwrap_or(function.at(&["arguments"]));
    let result = Outcome::of(call);
    let (start, took) = times(call);
    let arguments = out.unpack(input);
    if let Some(model) = asked_by.and_then(|at| out.items.get_mut(at))
        && model.what == What::Model
    {
        model.part(Part::Call(name.word().unwrap_or_default(), arguments));
    }
    let item = out.call(call.at(&["id", "tool_call_id"]), name, arguments).starts(start);
    item.asked_by = asked_by;
    if !result.output.is_absent() {
        item.part(Part::Result(result.output));
    }
    item.summary(if has_content(arguments) { arguments } else { result.output });
    result.tell(item);
    if took.is_known() {
        item.took(took);
    }
}

/// How a call came out.
struct Outcome<'a> {
    output: Json<'a>,
    error: Json<'a>,
    status: Status,
    kind: Cow<'a, str>,
    took: MaybeNs,
}

impl<'a> Outcome<'a> {
    /// Reads what the producer says of it, else what the result looks like.
    fn of(call: &Members<'a>) -> Self {
        let result = call.object("result");
        let metadata = call.object("metadata");
        let is_wrapped = call.at(&["type"]).is("tool_use") && call.has("result");
        let (output, told) = match is_wrapped {
            true => (result.at(&["output"]), result.at(&["status"])),
            false => (call.at(&["output", "result", "response"]), call.at(&["status"])),
        };
        // Trace events have no place of their own for it.
        let told = told.given().unwrap_or(metadata.at(&["status"]));
        let error = call.at(&["error"]).given().unwrap_or(metadata.at(&["error"]));
        let took = [result.at(&["duration_ms"]), call.at(&["duration_ms"])];
        let took = took.into_iter().find(|it| it.is_given());
        let took = millis_ns(took.unwrap_or(metadata.at(&["duration_ms"])));
        let known = error.given().unwrap_or(output.get("error"));
        let is_error = has_content(known) && known.raw() != "false";
        let told = told.text().unwrap_or_default();
        let status = match told.as_ref() {
            "ok" | "success" | "completed" => Status::Ok,
            "error" | "failed" | "failure" | "timeout" => Status::Error,
            "cancelled" | "canceled" => Status::Cancelled,
            _ if is_error || output.get("status").is("error") => Status::Error,
            "unknown" if !output.is_absent() => Status::Unknown,
            _ if !output.is_absent() => Status::Ok,
            _ => Status::NoResult,
        };
        let kind = match told.as_ref() {
            "timeout" => Some(Cow::Borrowed("timeout")),
            _ if is_error => error_type(known),
            _ => None,
        };
        let kind = kind.filter(|_| status == Status::Error).unwrap_or_default();
        Self { output, error, status, kind, took }
    }

    /// Adds it to the item of the call, or of its result.
    fn tell(self, item: &mut Item<'a>) {
        item.error = self.kind;
        item.status(self.status).took(self.took);
        if has_content(self.error) && self.error.raw() != "false" {
            item.part(Part::Error(Json::ABSENT, self.error, Json::ABSENT));
        }
    }
}

/// The type of an error, where its message begins with one: `ENOENT: no such file`.
pub(super) fn error_type(error: Json<'_>) -> Option<Cow<'_, str>> {
    let message = match error.kind() {
        Kind::Object => error.any(&["type", "code", "name"]).word()?,
        _ => error.text()?,
    };
    let kind = message.split(':').next().unwrap_or_default();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    let is_type = !kind.is_empty() && kind.len() <= 40 && kind.bytes().all(is_part);
    is_type.then(|| Cow::Owned(kind.to_owned()))
}

/// What a question or an answer is summarised by.
pub(super) fn words_in(value: Json<'_>) -> Json<'_> {
    Json::new(gist(value))
}
