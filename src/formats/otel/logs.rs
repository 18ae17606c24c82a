//! Log records: events of spans that are stored apart from them, and the telemetry of agents that write no spans.

use super::span::{SERVICE, attributes_of, span_of, take_message, trace_of, usage_of};
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::{EventKind, MaybeNs, Status};
use traceloupe_engine::kit::{Description, Joins, Known, Part, PieceOf, What};
use traceloupe_engine::shapes::content;
use traceloupe_engine::shapes::gen_ai::Exchange;
use traceloupe_engine::shapes::gen_ai::dialects::{
    ARGUMENTS, CALL_ID, CLAUDE_CODE_USAGE, MODEL, RESULT, TOOL_NAME, USAGE,
};
use traceloupe_engine::shapes::gen_ai::{Attributes, plain, says_anything};

/// Describes a log record or a metric.
pub fn describe<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let mut attributes = attributes_of(record, out);
    let body = plain(record.any(&["body", "_body"]), out);
    attributes.add(if body.kind() == Kind::Object { body } else { Json::ABSENT }, out);
    // Python keeps the resource's attributes below it, and may have the session there.
    let resource = record.any(&["resource.attributes", "resource._rawAttributes", "resource"]);
    let resource = Attributes::read(resource, out);
    let session = session_of(&attributes).or(resource.peek("session.id"));
    let trace = unless_zeros(trace_of(record));
    out.run(if trace.word().is_some() { trace } else { session });
    for (kind, key) in SERVICE {
        let value = resource.peek(key);
        if value.word().is_some() {
            out.run.about.facts.push((kind.into(), value));
        }
    }
    let time = record.any(&[
        "timeUnixNano",
        "time_unix_nano",
        "observedTimeUnixNano",
        "timestamp",
        "observed_timestamp",
        "hrTime",
        "ts",
    ]);
    out.at(time.or(attributes.peek("event.timestamp")));
    let name = record.any(&["eventName", "event_name"]).given();
    let name = name.or_else(|| attributes.take(&["event.name", "event_type"]).given());
    let name = name.or_else(|| record.get("name").given()).unwrap_or(body);
    let word = name.label();
    let span = unless_zeros(span_of(record));

    let mut exchange = Exchange::default();
    let is_report = word == "gen_ai.client.inference.operation.details";
    let has_messages = attributes.has("gen_ai.input.") || attributes.has("gen_ai.output.");
    // Without messages, as Copilot writes it, the record has nothing that the span of the call lacks.
    let is_of_span = span.word().is_some()
        && (is_report && has_messages || take_message(&word, &attributes, &mut exchange, out));
    if is_of_span || is_report {
        exchange.read(&attributes, out);
        // The data that is not on the span of the call, or whose span is not in the file.
        let usage = usage_of(&attributes, out);
        let model = attributes.take(MODEL).label();
        let asks = exchange.asks(out);
        exchange.tell_asked(span, out);
        let joins = if is_of_span { Joins::Id(span) } else { Joins::Nothing };
        let item = out.item(What::Model).joins(joins).usage(usage).name(model);
        (item.row.asks, item.row.has_rest) = (asks, true);
        if !is_of_span {
            // The record says when the call had ended, not how long it took.
            (item.repeats.known, item.time.has_begun) = (Known::Reported, true);
        }
        exchange.tell_model(item);
    } else {
        agent_event(word.trim_end(), &attributes, out);
    }
    let Some(item) = out.items.last_mut() else { return };
    if item.what() != What::Model || !matches!(item.joining(), Joins::Id(_)) {
        item.span.parent = span;
    }
    if body.kind() == Kind::String && body != name {
        // Gemini CLI repeats the attributes in a sentence.
        match item.what() {
            What::User | What::Model | What::Call => item.field("Body", body),
            _ => item.text(body),
        };
    }
    if !item.summary_value().is_given() && item.what() != What::Event(EventKind::Note) {
        item.summary(Json::new("\"\""));
    }
    attributes.tell_rest(item);
}

/// An id, unless it is the SDKs' placeholder for no id.
fn unless_zeros(id: Json<'_>) -> Json<'_> {
    let is_none = id.word().is_none_or(|id| id.bytes().all(|it| matches!(it, b'0' | b'x')));
    if is_none { Json::ABSENT } else { id }
}

/// The session of a log record, which is a run if there is no trace.
pub fn session_of<'a>(attributes: &Attributes<'a>) -> Json<'a> {
    attributes.peek_any(&["session.id", "session_id", "conversation.id"])
}

/// Gemini CLI's form of a response: the chunks of its stream, or text.
fn answered<'a>(response: Json<'a>) -> Vec<Part<'a>> {
    if response.kind() == Kind::String {
        return vec![Part::Text(response)];
    }
    let chunks = response.items().chain(Some(response).filter(|it| it.kind() == Kind::Object));
    let parts = chunks.flat_map(|chunk| chunk.get("candidates.0.content.parts").items());
    let part = |part: Json<'a>| match (part.get("text").given(), part.get("thought").is_true()) {
        (Some(words), true) => vec![Part::piece(PieceOf::Thinking, words)],
        (Some(words), false) => vec![Part::piece(PieceOf::Text, words)],
        (None, _) => content::pieces(part),
    };
    parts.flat_map(part).collect()
}

/// The telemetry of agents themselves: Claude Code, Codex, Gemini CLI and Copilot.
fn agent_event<'a>(name: &str, attributes: &Attributes<'a>, out: &mut Description<'a>) {
    let took = attributes.peek("duration_ms").integer().and_then(|ms| ms.checked_mul(1_000_000));
    let took = MaybeNs::from(took);
    let programs = ["claude_code.", "codex.", "gemini_cli.", "copilot_chat."];
    let short = programs.iter().find_map(|it| name.strip_prefix(it));
    match short.unwrap_or(name) {
        // The response is a record of its own, and has the counts.
        "api_request" if name.starts_with("gemini_cli.") => {
            let request = attributes.take(&["request_text"]);
            let request = out.unpack(request);
            out.bookkeeping("api request").part(Part::Prompt(request));
        }
        "user_prompt" => {
            let prompt = attributes.take(&["prompt"]);
            out.run.titles.words = prompt;
            out.item(What::User).text(prompt);
        }
        "api_request" | "api_response" => {
            let count = |keys: &[&str]| attributes.peek_any(keys).count();
            let usage = match attributes.peek("input_tokens").is_given() {
                true => CLAUDE_CODE_USAGE.read_with(&count),
                false => USAGE.read_with(&count),
            };
            let model = attributes.take(MODEL).label();
            let answer = attributes.take(&["response_text"]);
            let answer = out.unpack(answer);
            let item = out.item(What::Model).joins(Joins::Nothing).usage(usage).name(model);
            item.parts = answered(answer);
            // The record is written when the response has arrived.
            let start =
                item.time.start.get().zip(took.get()).and_then(|(end, ns)| end.checked_sub(ns));
            if start.is_some() {
                item.starts(start.into()).took(took);
            }
        }
        "tool_result" | "tool_call" | "tool.call" => {
            let result = attributes.take(RESULT);
            let result = out.unpack(result);
            let worked = attributes.take(&["success"]);
            let item = out.call(
                attributes.peek_any(CALL_ID),
                attributes.take(TOOL_NAME),
                attributes.take(ARGUMENTS),
            );
            if says_anything(result) {
                item.part(Part::Result(result));
            }
            item.took(took).status(match worked.raw() {
                "true" | "\"true\"" => Status::Ok,
                "false" | "\"false\"" => Status::Failed,
                _ => Status::Unknown,
            });
            item.error(attributes.take(&["error", "error_message"]));
            item.repeats.known = Known::Reported;
        }
        "api_error" => {
            out.event(EventKind::Error, "api error").error(attributes.take(&["error"]));
        }
        _ => drop(out.note(name.to_owned()).took(took)),
    }
}
