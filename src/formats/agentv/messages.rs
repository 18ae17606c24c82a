//! Messages, turns, trace events, and the tool calls in them, with their results inside.

use std::borrow::Cow;

use super::keys::Keys;
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::{BlockRole, EventKind, MaybeNs, Status};
use traceloupe_engine::fields::between;
use traceloupe_engine::kit::{
    Description, Item, Joins, Part, What, has_content, millis_ns, time_of,
};
use traceloupe_engine::shapes::content;
use traceloupe_engine::shapes::conversation::gist;
use traceloupe_engine::tokens::AGENTV;

/// Start and duration.
fn times(of: &Keys<'_>) -> (MaybeNs, MaybeNs) {
    let start = time_of(of.at("start_time|started_at|timestamp|ts"));
    let took = millis_ns(of.at("duration_ms"));
    let end = || between(start, time_of(of.at("end_time|ended_at")));
    (start, if took.is_known() { took } else { end() })
}

/// The only text of a content, which identifies copies of a message.
pub(super) fn only_text(content: Json<'_>) -> Json<'_> {
    let mut items = content.items();
    let text = match (content.kind(), items.next(), items.next()) {
        (Kind::String, ..) => content,
        (_, Some(only), None) => only.get("text"),
        _ => Json::ABSENT,
    };
    Some(text).filter(|text| text.kind() == Kind::String).unwrap_or_default()
}

/// The text that summarises a question or an answer.
pub(super) fn words_in(value: Json<'_>) -> Json<'_> {
    Json::new(gist(value))
}

/// Describes a message, with its calls. `span` is the id of its span, if another file has that.
pub(super) fn message<'a>(message: &Keys<'a>, span: Json<'a>, out: &mut Description<'a>) {
    let role = message.at("role|type").text().unwrap_or_default();
    if matches!(&*role, "tool" | "function") {
        let content = message.at("content|output|text");
        let name = message.at("name").label();
        let (start, took) = times(message);
        let item = out.result(message.at("tool_call_id|call_id|id"), content).name(name);
        item.starts(start).took(took).status(Status::Ok);
        return;
    }
    let content = message.at("content|text");
    let calls = message.list("tool_calls").unwrap_or_default();
    let item = words(&role, content, message, out).answer(only_text(content));
    if item.what() == What::Model {
        item.span(span, Json::ABSENT).asks(calls);
    }
    let at = out.items.len() - 1;
    for inner in calls.items().filter(|it| it.kind() == Kind::Object).map(Keys::new) {
        call(&inner, Some(at), out);
        let of_span = inner.at("trace.span_id");
        if span.is_given() && of_span.is_given() {
            out.last().span(of_span, span);
        }
    }
}

/// Describes a turn of a normalized transcript.
pub(super) fn turn<'a>(turn: &Keys<'a>, out: &mut Description<'a>) {
    let role = turn.at("type|role").text().unwrap_or_default();
    let content = turn.at("content");
    let item = words(&role, content, turn, out).usage(AGENTV.read(turn.json));
    let text = item.parts.iter().find_map(|part| match part {
        Part::Text(text) => Some(*text),
        _ => None,
    });
    item.answer(text.unwrap_or_default());
    if item.what() == What::Model {
        item.asks(content);
    }
    let at = out.items.len() - 1;
    for block in content.items().map(Keys::new).filter(|it| it.at("type").is("tool_use")) {
        call(&block, Some(at), out);
    }
}

/// Adds the item of a message of a role, without its calls.
fn words<'a, 'd>(
    role: &str,
    content: Json<'a>,
    message: &Keys<'a>,
    out: &'d mut Description<'a>,
) -> &'d mut Item<'a> {
    let mut parts = content::pieces(content);
    parts.retain(|part| !matches!(part, Part::Call(..) | Part::Result(_)));
    let item = match content::role(role) {
        content::Role::User => out.item(What::User),
        content::Role::System => out.item(What::System),
        content::Role::Model => out.model(Vec::new(), Joins::Nothing),
        _ if role == "agent" => out.model(Vec::new(), Joins::Nothing),
        _ => out.note(role.to_owned()),
    };
    item.parts = parts;
    if item.what() == What::Model {
        let model = message.at("model|metadata.model");
        let usage = message.at("token_usage|usage|metadata.token_usage");
        item.name(model.label()).usage(AGENTV.read(usage));
        item.value(BlockRole::Usage, usage);
    }
    let (start, took) = times(message);
    item.begins(start).took(millis_ns(message.at("metadata.duration_ms"))).took(took)
}

/// Describes a trace event.
pub(super) fn event<'a>(event: &Keys<'a>, out: &mut Description<'a>) {
    let (start, took) = times(event);
    match event.at("type").text().unwrap_or_default().as_ref() {
        "tool_call" => call(event, None, out),
        "tool_result" => {
            let name = event.at("name|tool").label();
            let output = output_of(event);
            let item = out.result(event.at("id|tool_call_id"), output).name(name);
            tell_outcome(event, output, item.starts(start));
            if item.ending.status == Some(Status::Missing) {
                item.status(Status::Ok);
            }
        }
        "error" => {
            let told = event.at("text|message|error|output");
            let name = event.at("name").word().or_else(|| error_type(told));
            error(name, told, out).starts(start).took(took);
        }
        kind => {
            let role = event.at("role|metadata.role").text();
            let role = match kind {
                "message" | "model_step" => role.unwrap_or("assistant".into()),
                _ => kind.into(),
            };
            let told = event.at("text|output|content|input");
            let item = words(&role, told, event, out).answer(only_text(told));
            if item.what() == What::Model && item.name.is_empty() {
                item.name(event.at("name").label());
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
    item.ending.error = item.name.clone().into();
    item.status(Status::Failed).part(Part::Error(Json::ABSENT, message, Json::ABSENT))
}

/// Describes a tool call with its result inside.
fn call<'a>(call: &Keys<'a>, asked_by: Option<usize>, out: &mut Description<'a>) {
    let id = call.at("id|tool_call_id");
    let name = call.at("tool|name|tool_name|function.name");
    let input = call.at("input|arguments|args|parameters|function.arguments");
    let input = out.unpack(input);
    let output = output_of(call);
    let item = match asked_by {
        Some(model) => out.asked_by(model, id, name, input),
        None => out.call(id, name, input),
    };
    if !output.is_absent() {
        item.part(Part::Result(output));
    }
    let (start, took) = times(call);
    item.starts(start).summary(if has_content(input) { input } else { output });
    tell_outcome(call, output, item);
    item.took(took);
}

/// Whether a call is a block of a turn; such a block has its result in an object.
fn is_block(call: &Keys<'_>) -> bool {
    call.at("type").is("tool_use") && call.has("result")
}

/// The output of a call.
fn output_of<'a>(call: &Keys<'a>) -> Json<'a> {
    call.at(if is_block(call) { "result.output" } else { "output|result|response" })
}

/// Sets the outcome of a call: as the producer states it, else as the output suggests. Trace events have no field for
/// it.
fn tell_outcome<'a>(call: &Keys<'a>, output: Json<'a>, item: &mut Item<'a>) {
    let place = if is_block(call) { "result.status" } else { "status" };
    let told = call.at(place).or(call.at("metadata.status"));
    let told = told.text().unwrap_or_default();
    let says_error = |error: Json<'_>| has_content(error) && error.raw() != "false";
    let error = call.at("error|metadata.error");
    let known = error.or(output.get("error"));
    let status = match &*told {
        "ok" | "success" | "completed" => Status::Ok,
        "error" | "failed" | "failure" => Status::Failed,
        "timeout" => Status::TimedOut,
        "cancelled" | "canceled" => Status::Cancelled,
        _ if says_error(known) || output.get("status").is("error") => Status::Failed,
        _ if output.is_absent() => Status::Missing,
        "unknown" => Status::Unknown,
        _ => Status::Ok,
    };
    if status.is_error() {
        item.ending.error = match &*told {
            "timeout" => "timeout".into(),
            _ => error_type(known).filter(|_| says_error(known)).unwrap_or_default().into(),
        };
    }
    if says_error(error) {
        item.part(Part::Error(Json::ABSENT, error, Json::ABSENT));
    }
    let took = call.at("result.duration_ms|duration_ms|metadata.duration_ms");
    item.status(status).took(millis_ns(took));
}

/// The type of an error, if its message begins with one: `ENOENT: no such file`.
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
