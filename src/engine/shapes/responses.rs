//! Items of [OpenAI's Responses API](https://platform.openai.com/docs/api-reference/responses) and steps of [Gemini's
//! Interactions API](https://ai.google.dev/api/interactions-api): thinking, calls and results, in lists of their own or
//! as the output of a response. Messages are the same as in other APIs.

use std::borrow::Cow;

use super::content;
use crate::kit::{Description, Item, Joins, Part, What};
use traceloupe_core::json::{Json, Kind, quoted};
use traceloupe_core::model::{BlockRole, Status};

/// Whether a value is an item of the Responses API other than a message.
#[must_use]
pub fn is_item(value: Json<'_>) -> bool {
    let kind = value.get("type").label();
    let is_thought = || kind == "thought" && value.any(&["signature", "summary"]).is_given();
    value.get("role").is_absent()
        && (kind == "reasoning"
            || is_thought()
            || value.any(&["call_id", "id"]).is_given()
                && (kind.ends_with("_call") || kind.ends_with("_call_output"))
            || value.get("call_id").is_given() && kind.ends_with("_result"))
}

/// Adds an item of the Responses API other than a message: thinking, a call, a result.
pub fn item<'a>(item: Json<'a>, out: &mut Description<'a>) {
    let kind = item.get("type").label();
    if kind == "reasoning" || kind == "thought" {
        out.thinking(item.any(&["summary", "content"]));
    } else if kind.ends_with("_output") || kind.ends_with("_result") {
        output_item(item, out);
    } else {
        call_item(item, false, out);
    }
}

/// Adds the result of a call, as an item of the Responses API.
fn output_item<'a>(item: Json<'a>, out: &mut Description<'a>) {
    let failed = item.get("status").is("failed") || item.get("is_error").is_true();
    let failed = failed.then_some(Status::Failed);
    let id = item.any(&["call_id", "tool_call_id"]);
    content::result(id, item.get("name"), item.any(&["output", "result"]), failed, out);
}

/// Adds a call that is an item of the Responses API. With `is_apart`, the piece of the LLM call that requests it is
/// omitted. Hosted tools have their result in the call.
pub fn call_item<'a, 'd>(
    item: Json<'a>,
    is_apart: bool,
    out: &'d mut Description<'a>,
) -> &'d mut Item<'a> {
    let kind = item.get("type").label();
    let name = quoted(kind.trim_end_matches("_call"));
    let name = item.get("name").or(out.json(&name));
    let id = item.any(&["call_id", "id"]);
    let arguments = item.any(&["arguments", "input", "action", "code", "queries", "operation"]);
    match is_apart {
        true => out.call(id, name, arguments),
        false => out.ask(id, name, arguments),
    };
    let at = out.last().asking_item();
    if let Some(model) = at.and_then(|at| out.items.get_mut(at)) {
        model.asks(item);
    }
    let call = out.last();
    let value = item.any(&["output", "outputs", "results", "result"]);
    if kind == "image_generation_call" && value.kind() == Kind::String {
        call.part(Part::Media(Cow::Borrowed("image/png"), value)).status(Status::Ok);
    } else if value.is_given() {
        call.part(Part::Result(value));
    }
    call.error(item.get("error"));
    if item.get("status").is("failed") {
        call.status(Status::Failed);
    } else if !value.is_given() && item.get("call_id").is_absent() && kind != "function_call" {
        // The API ran the tool itself.
        call.ending.status.get_or_insert(Status::Ok);
    }
    call
}

/// Adds the output of the Responses API: messages, reasoning, calls and results in one list, all from one LLM call.
pub fn items<'a>(output: Json<'a>, out: &mut Description<'a>) {
    // Gemini repeats the input.
    for item in output.items().filter(|item| item.get("type").is("user_input")) {
        content::message(item, Joins::Nothing, out);
    }
    let model = out.items.len();
    out.item(What::Model).joins(Joins::Nothing);
    let mut parts = Vec::new();
    for item in output.items() {
        match item.get("type").label().as_ref() {
            // The Evals API omits the type.
            "" if item.get("role").is_given() => parts.extend(content::pieces(item.get("content"))),
            "message" | "model_output" => parts.extend(content::pieces(item.get("content"))),
            "text" | "image" | "audio" | "document" => parts.push(content::piece_of(item)),
            "user_input" => {}
            "reasoning" | "thought" => {
                let words = item.any(&["summary", "content"]);
                parts.extend(words.items().map(|it| Part::Thinking(it.get("text"))));
                if words.item(0).is_absent() {
                    parts.push(Part::HiddenThinking);
                }
            }
            kind if kind.ends_with("_call") => {
                let call = call_item(item, true, out);
                call.asked_by(model);
                let arguments = call.parts.iter().find_map(|part| match part {
                    Part::Arguments(arguments) => Some(*arguments),
                    _ => None,
                });
                parts.push(Part::Call(call.name.clone(), arguments.unwrap_or_default()));
            }
            kind if kind.ends_with("_call_output") || kind.ends_with("_result") => {
                output_item(item, out);
                out.last().asked_by(model);
            }
            _ => parts.push(Part::Value(BlockRole::Named("Item"), item)),
        }
    }
    if let Some(item) = out.items.get_mut(model) {
        item.parts = parts;
        item.asks(output);
    }
}
