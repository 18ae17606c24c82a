//! Pydantic AI: the messages of runs, as `all_messages_json` and `ModelMessagesTypeAdapter` write them.
//!
//! Read from `messages.py` and `usage.py` of pydantic/pydantic-ai, versions 0.1 to 1.x: token counts were called
//! `request_tokens` before `input_tokens`, the id of the response `vendor_id` before `provider_response_id`.
//!
//! A list of messages is a run. Requests hold instructions, words of a person, results of calls and demands to try
//! again; a response is one LLM call. Every part of a request has a time of its own.

use super::kit::{Described, Description, Entry, Joins, On, Part, Sign, Test, What, has_content};
use super::shapes::tokens::Flavour;
use crate::catalog;
use crate::json::{Json, Kind};
use crate::model::Status;

/// The format.
pub static PYDANTIC_AI: Described = Described {
    signs: &[
        Sign::certain(On::Any, WHY, MESSAGE),
        Sign::certain(On::Items("messages"), WHY, MESSAGE),
        Sign::certain(On::Items("all_messages"), WHY, MESSAGE),
        Sign::certain(On::Items(""), WHY, MESSAGE),
    ],
    lists: &["all_messages", "message_history", "messages", ""],
    has_messages: true,
    quiet: &[
        "kind",
        "timestamp",
        "parts.*.part_kind",
        "parts.*.timestamp",
        "parts.*.tool_name",
        "model_name",
    ],
    ..Described::new(&catalog::PYDANTIC_AI, describe)
};

const WHY: &str = "messages have a `kind` and parts with a `part_kind`";
const MESSAGE: &[Test] =
    &[Test::OneOf("kind", &["request", "response"]), Test::Text("parts.0.part_kind")];

/// Input counts have the cached tokens in them.
static USAGE: Flavour = Flavour {
    input: &["input_tokens", "request_tokens"],
    output: &["output_tokens", "response_tokens"],
    cache_read: &["cache_read_tokens", "details.cached_tokens"],
    cache_write: &["cache_write_tokens"],
    reasoning: &["details.reasoning_tokens"],
    input_has_cached: true,
    output_lacks_reasoning: false,
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let message = entry.json;
    if entry.is_document {
        out.run.is_own = true;
        return;
    }
    out.at(message.get("timestamp"));
    match message.get("kind").word().as_deref() {
        Some("request") => request(message, out),
        Some("response") => response(message, out),
        // What stands around the messages.
        _ => drop(out.note("result")),
    }
}

fn request<'a>(message: Json<'a>, out: &mut Description<'a>) {
    for part in message.get("parts").items() {
        out.at(part.get("timestamp"));
        let words = part.get("content");
        let id = part.get("tool_call_id");
        let tool = part.get("tool_name").word();
        match part.get("part_kind").word().unwrap_or_default().as_ref() {
            "system-prompt" => drop(out.item(What::System).text(words)),
            "user-prompt" => user(words, out),
            "tool-return" | "builtin-tool-return" => {
                let item = out.result(id, words).name(tool.unwrap_or_default());
                match part.get("outcome").word().as_deref() {
                    // What is `retried` was `retry-prompt` before version 2.
                    Some("failed" | "denied" | "retried") => drop(item.status(Status::Error)),
                    Some("interrupted") => drop(item.status(Status::Cancelled)),
                    _ => drop(item.status(Status::Ok)),
                }
            }
            "retry-prompt" if tool.is_some() => {
                let item = out.result(id, words).name(tool.unwrap_or_default());
                item.status(Status::Error);
            }
            "retry-prompt" => {
                out.item(What::User).name("retry").part(shown(words));
            }
            other => drop(out.note(other.replace('-', " ")).part(Part::Value("Part", part))),
        }
    }
    let instructions = message.get("instructions");
    if has_content(instructions) {
        // Every request of a run repeats them.
        out.item(What::System).text(instructions).history(0, 0, instructions);
    }
    if out.items.is_empty() {
        out.note("empty request");
    }
}

fn shown(value: Json<'_>) -> Part<'_> {
    match value.kind() {
        Kind::String => Part::Text(value),
        _ => Part::Value("Content", value),
    }
}

/// Words of a person, with images and other media between them.
fn user<'a>(words: Json<'a>, out: &mut Description<'a>) {
    out.run.first_words = words.item(0).given().unwrap_or(words);
    let parts = match words.kind() {
        Kind::Array => words
            .items()
            .map(|piece| match piece.get("media_type").word() {
                Some(media) if media.starts_with("image/") => Part::Media(media, piece.get("data")),
                _ => shown(piece),
            })
            .collect(),
        _ => vec![shown(words)],
    };
    out.item(What::User).parts = parts;
}

fn response<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let model = out.items.len();
    let counts = message.get("usage");
    let name = message.get("model_name").word().unwrap_or_default();
    out.item(What::Model).joins(Joins::Nothing).name(name).usage(USAGE.read(counts));
    let mut parts = Vec::new();
    for part in message.get("parts").items() {
        let words = part.get("content");
        match part.get("part_kind").word().unwrap_or_default().as_ref() {
            "text" => parts.push(Part::Text(words)),
            "thinking" if has_content(words) => parts.push(Part::Thinking(words)),
            "thinking" => parts.push(Part::HiddenThinking),
            kind @ ("tool-call" | "builtin-tool-call") => {
                let is_builtin = kind == "builtin-tool-call";
                let (id, name) = (part.get("tool_call_id"), part.get("tool_name"));
                let arguments = out.unpack(part.get("args"));
                parts.push(Part::Call(name.word().unwrap_or_default(), arguments));
                let call = out.call(id, name, arguments);
                call.asked_by = Some(model);
                if is_builtin {
                    call.status(Status::Ok);
                }
            }
            "builtin-tool-return" => {
                out.result(part.get("tool_call_id"), words).asked_by = Some(model);
            }
            "file" => {
                let media = words.get("media_type").word().unwrap_or_default();
                parts.push(match media.starts_with("image/") {
                    true => Part::Media(media, words.get("data")),
                    false => Part::Value("File", part),
                });
            }
            _ => parts.push(Part::Value("Part", part)),
        }
    }
    let Some(item) = out.items.get_mut(model) else { return };
    item.parts = parts;
    item.asks = content_of_calls(message);
    item.value("Usage", counts).fields(
        message,
        &[
            ("Finish reason", "finish_reason"),
            ("Provider", "provider_name"),
            ("Id", "provider_response_id"),
            ("Id", "vendor_id"),
        ],
    );
}

/// The parts of a response, if one of them is a call.
fn content_of_calls(message: Json<'_>) -> Json<'_> {
    let parts = message.get("parts");
    let is_call = |part: Json<'_>| part.get("tool_call_id").is_given();
    if parts.items().any(is_call) { parts } else { Json::ABSENT }
}
