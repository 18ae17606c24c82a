//! Pydantic AI: the messages of runs, as `all_messages_json` and `ModelMessagesTypeAdapter` write them.
//!
//! Read from `messages.py` and `usage.py` of pydantic/pydantic-ai, versions 0.1 to 1.x: token counts were called
//! `request_tokens` before `input_tokens`, the id of the response `vendor_id` before `provider_response_id`.
//!
//! A list of messages is a run. Requests contain instructions, user messages, results of calls and retry prompts; a
//! response is one LLM call. Every part of a request has a time of its own.
//!
//! The events of `run_stream_events` and of event stream handlers are read as well: pieces of the parts of a response,
//! then the part as a whole (since 1.11), the calls that are carried out, and their results. They have neither times
//! nor token counts; the result at the end repeats the messages, and has the counts of the whole run.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::media::is_media;
use traceloupe_engine::shapes::stream;

/// The format.
pub static PYDANTIC_AI: Described = Described {
    signs: &[
        Sign::record(WHY, MESSAGE),
        Sign::certain(On::Items("messages"), WHY, MESSAGE),
        Sign::certain(On::Items("all_messages"), WHY, MESSAGE),
        Sign::certain(On::Items(""), WHY, MESSAGE),
        Sign::record(WHY_EVENT, EVENT),
        Sign::certain(On::Items(""), WHY_EVENT, EVENT),
    ],
    lists: &["all_messages", "message_history", "messages", ""],
    has_messages: true,
    quiet: &[
        "kind|event_kind|index|timestamp|model_name|previous_part_kind|next_part_kind",
        "parts.*.part_kind|timestamp|tool_name",
        "part.part_kind|tool_name|timestamp",
        "result.part_kind|timestamp",
        "delta.part_delta_kind",
    ],
    hooks: Hooks { tells_twice: true, ..Hooks::NONE },
    ..Described::new(&catalog::PYDANTIC_AI, describe)
};

const WHY: &str = "messages have a `kind` and parts with a `part_kind`";
const MESSAGE: &[Test] =
    &[Test::OneOf("kind", &["request", "response"]), Test::Text("parts.0.part_kind")];

const WHY_EVENT: &str = "events have an `event_kind`, and a part with its kind";
const EVENT: &[Test] = &[
    Test::Text("event_kind"),
    Test::HasOne(&["part.part_kind", "delta.part_delta_kind", "result.part_kind", "result._state"]),
];

/// Input counts include the cached tokens.
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
        out.run.records = Records::Itself;
        return;
    }
    out.at(message.get("timestamp"));
    match message.get("kind").word().as_deref() {
        Some("request") => request(message, out),
        Some("response") => response(message, out),
        _ => match message.get("event_kind").word() {
            Some(kind) => event(&kind, message, out),
            // The members around the messages.
            None => drop(out.note("result")),
        },
    }
}

/// An event of a run that is streamed.
fn event<'a>(kind: &str, event: Json<'a>, out: &mut Description<'a>) {
    // Before version 1, a result was not under `part`.
    let part = event.any(&["part", "delta", "result"]);
    match kind {
        "part_start" | "part_delta" => piece(event.get("index"), part, out),
        "part_end" => {
            let is_last = event.get("next_part_kind").raw() == "null";
            out.item(What::Model).joins(Joins::Open).ends(is_last);
            answered(0, part, out);
            // The start of the part was already read, unless the beginning of the file is missing.
            out.items.iter_mut().for_each(|item| item.repeats.is_again = true);
        }
        "final_result" => out.nothing(),
        "agent_run_result" => end(part, out),
        _ if kind.ends_with("_tool_call") => {
            out.call(part.get("tool_call_id"), part.get("tool_name"), part.get("args")).or_known();
        }
        _ if kind.ends_with("_tool_result") => {
            asked(part, out);
            let words = event.get("content");
            if has_content(words) {
                user(words, out);
            }
        }
        kind => drop(out.note(kind.replace('_', " ")).value("Event", event)),
    }
}

/// The start of a part, or a piece of it. A call whose arguments are not a string is complete.
fn piece<'a>(key: Json<'a>, part: Json<'a>, out: &mut Description<'a>) {
    let words = part.any(&["content", "content_delta"]);
    let arguments = part.any(&["args", "args_delta"]);
    let ids = (part.get("tool_call_id"), part.any(&["tool_name", "tool_name_delta"]));
    let model = out.item(What::Model).joins(Joins::Open);
    match part.any(&["part_kind", "part_delta_kind"]).label().as_ref() {
        "text" => stream::piece(PieceOf::Text, key, words, model),
        "thinking" => stream::piece(PieceOf::Thinking, key, words, model),
        "tool-call" | "tool_call" if arguments.kind() != Kind::Object => {
            stream::call_piece(0, key, ids, arguments, out);
        }
        _ => answered(0, part, out),
    }
}

/// The result of a run, with all messages again.
fn end<'a>(result: Json<'a>, out: &mut Description<'a>) {
    let state = result.any(&["_state", "state"]);
    let messages = state.get("message_history");
    let mut parts = messages.items().take(8).flat_map(|it| it.get("parts").items());
    let asked = parts.find(|part| part.get("part_kind").is("user-prompt")).unwrap_or_default();
    let words = asked.get("content");
    out.run.titles.words = words.item(0).or(words);
    out.run.status = Some(RunStatus::Ok);
    out.run.totals.usage = USAGE.read(state.get("usage"));
    out.facts(state, &[("Run", "run_id")]);
    out.event(EventKind::RunEnd, "result")
        .text(result.get("output"))
        .value(BlockRole::Messages, messages)
        .value(BlockRole::Usage, state.get("usage"));
}

fn request<'a>(message: Json<'a>, out: &mut Description<'a>) {
    for part in message.get("parts").items() {
        asked(part, out);
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

/// A part of a request.
fn asked<'a>(part: Json<'a>, out: &mut Description<'a>) {
    out.at(part.get("timestamp"));
    let words = part.get("content");
    let id = part.get("tool_call_id");
    let tool = part.get("tool_name").word();
    match part.get("part_kind").label().as_ref() {
        "system-prompt" => drop(out.item(What::System).text(words)),
        "user-prompt" => user(words, out),
        "tool-return" | "builtin-tool-return" => {
            let item = out.result(id, words).name(tool.unwrap_or_default());
            match part.get("outcome").word().as_deref() {
                // `retried` was `retry-prompt` before version 2.
                Some("failed" | "denied" | "retried") => drop(item.status(Status::Failed)),
                Some("interrupted") => drop(item.status(Status::Cancelled)),
                _ => drop(item.status(Status::Ok)),
            }
        }
        "retry-prompt" if tool.is_some() => {
            let item = out.result(id, words).name(tool.unwrap_or_default());
            item.status(Status::Failed);
        }
        "retry-prompt" => drop(out.item(What::User).name("retry").part(shown(words))),
        other => drop(
            out.note(other.replace('-', " ")).part(Part::Value(BlockRole::Named("Part"), part)),
        ),
    }
}

fn shown(value: Json<'_>) -> Part<'_> {
    match value.kind() {
        Kind::String => Part::Text(value),
        _ => Part::Value(BlockRole::Content, value),
    }
}

/// User text, with images and other media between it.
fn user<'a>(words: Json<'a>, out: &mut Description<'a>) {
    out.run.titles.words = words.item(0).or(words);
    let parts = match words.kind() {
        Kind::Array => words
            .items()
            .map(|piece| match piece.get("media_type").word() {
                Some(media) if is_media(&media) => Part::Media(media, piece.get("data")),
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
    let name = message.get("model_name").label();
    out.item(What::Model).joins(Joins::Nothing).name(name).usage(USAGE.read(counts));
    for part in message.get("parts").items() {
        answered(model, part, out);
    }
    let item = out.nth(model);
    item.asks(content_of_calls(message));
    item.value(BlockRole::Usage, counts).fields(
        message,
        &[
            (FactKind::Other("Finish reason"), "finish_reason"),
            (FactKind::Provider, "provider_name"),
            (FactKind::Other("Id"), "provider_response_id"),
            (FactKind::Other("Id"), "vendor_id"),
        ],
    );
}

/// A part of a response, by the number of the item of its LLM call.
fn answered<'a>(model: usize, part: Json<'a>, out: &mut Description<'a>) {
    let words = part.get("content");
    let shown = match part.get("part_kind").label().as_ref() {
        "text" => Part::Text(words),
        "thinking" if has_content(words) => Part::Thinking(words),
        "thinking" => Part::HiddenThinking,
        kind @ ("tool-call" | "builtin-tool-call") => {
            let (id, name) = (part.get("tool_call_id"), part.get("tool_name"));
            let call = out.asked_by(model, id, name, part.get("args"));
            if kind == "builtin-tool-call" {
                call.status(Status::Ok);
            }
            return;
        }
        "builtin-tool-return" => {
            out.result(part.get("tool_call_id"), words).asked_by(model);
            return;
        }
        "file" => {
            let media = words.get("media_type").label();
            match is_media(&media) {
                true => Part::Media(media, words.get("data")),
                false => Part::Value(BlockRole::Named("File"), part),
            }
        }
        _ => Part::Value(BlockRole::Named("Part"), part),
    };
    out.nth(model).part(shown);
}

/// The parts of a response, if one of them is a call.
fn content_of_calls(message: Json<'_>) -> Json<'_> {
    let parts = message.get("parts");
    let is_call = |part: Json<'_>| part.get("tool_call_id").is_given();
    if parts.items().any(is_call) { parts } else { Json::ABSENT }
}
