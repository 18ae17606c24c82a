//! Streamed responses of every API, event by event: the pieces of an LLM call.
//!
//! | API | An event |
//! | --- | --- |
//! | [OpenAI Chat](https://platform.openai.com/docs/api-reference/chat-streaming) | `object` is `chat.completion.chunk`, `choices[].delta` |
//! | [OpenAI Responses](https://platform.openai.com/docs/api-reference/responses-streaming) | `type` begins with `response.` |
//! | [OpenAI Realtime](https://platform.openai.com/docs/api-reference/realtime-server-events) | the same, and `session.`…, `conversation.item.`… |
//! | [Anthropic](https://docs.claude.com/en/docs/build-with-claude/streaming) | `message_start`, `content_block_delta`, `message_delta`… |
//! | [Gemini](https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent) | a response that is continued by further ones |
//! | [Gemini Interactions](https://ai.google.dev/api/interactions-api) | `event_type` is `interaction.created`, `step.delta`… |
//!
//! A stream that was cut off still yields the events that it has. A whole value at the end of an item replaces its
//! pieces.

use std::borrow::Cow;

use super::{content, responses};
use crate::kit::{Description, Item, Joins, Part, Piece, PieceOf, What, has_content};
use crate::tokens::Flavour;
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::{BlockRole, EventKind};

/// Describes a record if it is an event of a streamed response.
pub fn describe<'a>(record: Json<'a>, out: &mut Description<'a>) -> bool {
    let kind = record.get("type").label();
    if record.get("choices").kind() == Kind::Array
        && record.get("object").is("chat.completion.chunk")
        || record.get("choices.0.delta").kind() == Kind::Object
    {
        chunk(record, out);
    } else if kind.starts_with("response.") {
        responses_event(&kind, record, out);
    } else if record.get("candidates").kind() == Kind::Array {
        gemini_chunk(record, out);
    } else if record.get("done").bool().is_some()
        && record.any(&["message.role", "response"]).kind() == Kind::String
    {
        ollama_chunk(record, out);
    } else if kind.is_empty() {
        let kind = record.get("event_type").label();
        return interaction_event(&kind, record, out) || converse_event(record, out);
    } else {
        return anthropic_event(&kind, record, out) || realtime_event(&kind, record, out);
    }
    true
}

/// Describes the events of a whole stream in one value: a list of them, or a text with one per line, as in server-sent
/// events. Returns `false` if there is none.
pub fn all<'a>(stream: Json<'a>, out: &mut Description<'a>) -> bool {
    /// The maximum number of items in a record that are numbered.
    const MAX_ITEMS: usize = 60_000;
    let before = out.items.len();
    let take = |event: Json<'a>, out: &mut Description<'a>| {
        if out.items.len() < MAX_ITEMS {
            describe(event, out);
        }
    };
    match stream.kind() {
        Kind::Array => stream.items().for_each(|event| take(event, out)),
        Kind::String => {
            let lines = out.text(stream).lines().map(|line| {
                let data = line.strip_prefix("data:").unwrap_or(line);
                data.trim_start()
            });
            for line in lines.filter(|line| line.starts_with('{')) {
                take(Json::new(line), out);
            }
        }
        _ => return false,
    }
    // The items after it belong to another call, even if the stream was cut off.
    if let Some(item) = out.items.iter_mut().skip(before).rfind(|it| it.what() == What::Model) {
        item.ends(true);
    }
    out.items.len() > before
}

/// The LLM call of an event: the one with the id, or the open one.
fn model<'a, 'd>(id: Json<'a>, out: &'d mut Description<'a>) -> &'d mut Item<'a> {
    let joins = if id.word().is_some() { Joins::Id(id) } else { Joins::Open };
    out.item(What::Model).joins(joins)
}

/// Adds token counts and the model to the item of an LLM call.
fn report<'a>(item: &mut Item<'a>, counts: Json<'a>, model: Json<'a>) {
    item.tokens(Flavour::of(counts), counts);
    item.name = model.label();
}

/// Adds a piece of the text of an LLM call, or of a call that it requests.
pub fn piece<'a>(of: PieceOf, key: Json<'a>, text: Json<'a>, item: &mut Item<'a>) {
    if text.kind() == Kind::String && text.raw().len() > 2 {
        item.part(Part::Piece(Piece { of, key: number(key), text }));
    }
}

/// A number that distinguishes the texts, or the calls, of one LLM call: from an index or an id.
fn number(key: Json<'_>) -> u64 {
    key.count().unwrap_or_else(|| key.fingerprint())
}

/// Adds a piece of a tool call. Only the first piece has an id and a name.
pub fn call_piece<'a>(
    asked_by: usize,
    key: Json<'a>,
    ids: (Json<'a>, Json<'a>),
    text: Json<'a>,
    out: &mut Description<'a>,
) {
    numbered_piece(asked_by, number(key), ids, text, out);
}

fn numbered_piece<'a>(
    asked_by: usize,
    key: u64,
    (id, name): (Json<'a>, Json<'a>),
    text: Json<'a>,
    out: &mut Description<'a>,
) {
    let text = if text.kind() == Kind::String { text } else { Json::new("\"\"") };
    let word = name.label();
    let piece = Piece { of: PieceOf::Arguments, key, text };
    if let Some(item) = out.items.get_mut(asked_by) {
        if !word.is_empty() {
            item.part(Part::Call(word.clone(), Json::ABSENT));
        }
        item.part(Part::Piece(piece));
    }
    let call = out.item(What::Call).id(id).name(word);
    call.part(Part::Piece(piece));
    call.asked_by(asked_by);
}

fn chunk<'a>(chunk: Json<'a>, out: &mut Description<'a>) {
    let at = out.items.len();
    let item = model(chunk.get("id"), out);
    report(item, chunk.any(&["usage", "x_groq.usage"]), chunk.get("model"));
    for choice in chunk.get("choices").items() {
        let (delta, key) = (choice.get("delta"), choice.get("index"));
        let Some(item) = out.items.get_mut(at) else { return };
        piece(PieceOf::Thinking, key, delta.any(&["reasoning_content", "reasoning"]), item);
        piece(PieceOf::Text, key, delta.get("content"), item);
        piece(PieceOf::Text, key, delta.get("refusal"), item);
        item.field("Finish reason", choice.get("finish_reason"));
        // Every choice numbers its calls from 0.
        let first = key.count().unwrap_or(0).saturating_mul(1_000);
        for call in delta.get("tool_calls").items() {
            let (id, function) = (call.get("id"), call.get("function"));
            let ids = (id, function.get("name"));
            let nth = call.get("index").count().unwrap_or(0);
            numbered_piece(at, first.saturating_add(nth), ids, function.get("arguments"), out);
        }
        if let Some(call) = delta.get("function_call").given() {
            numbered_piece(at, first, (Json::ABSENT, call.get("name")), call.get("arguments"), out);
        }
    }
    if let Some(item) = out.items.get_mut(at).filter(|item| item.id.is_absent()) {
        item.id(chunk.get("id"));
    }
}

fn gemini_chunk<'a>(chunk: Json<'a>, out: &mut Description<'a>) {
    let at = out.items.len();
    let candidate = chunk.get("candidates.0");
    let item = model(chunk.any(&["responseId", "response_id"]), out);
    let finish = candidate.any(&["finishReason", "finish_reason"]);
    report(
        item,
        chunk.any(&["usageMetadata", "usage_metadata"]),
        chunk.any(&["modelVersion", "model_version"]),
    );
    item.field("Finish reason", finish).error(chunk.get("error"));
    item.ends(finish.is_given());
    for part in candidate.get("content.parts").items() {
        let Some(item) = out.items.get_mut(at) else { return };
        let is_text = part.get("text").kind() == Kind::String;
        let of = if part.get("thought").is_true() { PieceOf::Thinking } else { PieceOf::Text };
        if is_text {
            piece(of, Json::ABSENT, part.get("text"), item);
        } else {
            content::answer_part(at, part, out);
        }
    }
}

/// A piece of an Ollama response, or all of it. The last piece has the counts.
fn ollama_chunk<'a>(chunk: Json<'a>, out: &mut Description<'a>) {
    let at = out.items.len();
    let item = model(Json::ABSENT, out);
    piece(PieceOf::Thinking, Json::ABSENT, chunk.any(&["message.thinking", "thinking"]), item);
    piece(PieceOf::Text, Json::ABSENT, chunk.any(&["message.content", "response"]), item);
    report(item, chunk, chunk.get("model"));
    item.field("Finish reason", chunk.get("done_reason"));
    item.ends(chunk.get("done").is_true());
    for call in chunk.get("message.tool_calls").items() {
        let (id, name, arguments) = content::call_of(call);
        if let Some(item) = out.items.get_mut(at) {
            item.part(Part::Call(name.label(), arguments));
            item.asks(chunk.get("message.tool_calls"));
        }
        out.call(id, name, arguments).asked_by(at);
    }
}

/// An event of Bedrock's ConverseStream: an object whose only key is the type of the event.
fn converse_event<'a>(event: Json<'a>, out: &mut Description<'a>) -> bool {
    let at = out.items.len();
    let block = event.any(&["contentBlockStart", "contentBlockDelta"]);
    let (key, tool) = (block.get("contentBlockIndex"), block.get("start.toolUse"));
    let delta = block.get("delta");
    if tool.is_given() {
        model(Json::ABSENT, out);
        call_piece(at, key, (tool.get("toolUseId"), tool.get("name")), Json::ABSENT, out);
    } else if delta.is_given() {
        let item = model(Json::ABSENT, out);
        piece(PieceOf::Text, key, delta.get("text"), item);
        piece(PieceOf::Thinking, key, delta.get("reasoningContent.text"), item);
        if let Some(arguments) = delta.get("toolUse.input").given() {
            call_piece(at, key, (Json::ABSENT, Json::ABSENT), arguments, out);
        }
    } else if event.get("messageStart.role").is_given()
        || event.any(&["contentBlockStart", "contentBlockStop"]).is_given()
    {
        out.nothing();
    } else if event.get("messageStop.stopReason").is_given() {
        let item = model(Json::ABSENT, out);
        item.field("Stop reason", event.get("messageStop.stopReason"));
    } else if event.get("metadata.usage.inputTokens").is_given() && event.get("role").is_absent() {
        // A message with a role is whole: Strands stores its counts with it.
        let item = model(Json::ABSENT, out);
        report(item, event.get("metadata.usage"), Json::ABSENT);
        item.value("Metrics", event.get("metadata.metrics")).ends(true);
    } else {
        return false;
    }
    true
}

/// An event of Gemini's Interactions API. Before May 2026 steps were called contents.
fn interaction_event<'a>(kind: &str, event: Json<'a>, out: &mut Description<'a>) -> bool {
    let (key, at) = (event.get("index"), out.items.len());
    match kind {
        "interaction.start" | "interaction.created" => {
            let about = event.get("interaction");
            let item = model(about.get("id"), out).id(about.get("id"));
            item.name = about.any(&["model", "agent"]).label();
        }
        "interaction.complete" | "interaction.completed" => {
            let about = event.get("interaction");
            let item = model(about.get("id"), out).id(about.get("id"));
            report(item, about.get("usage"), about.any(&["model", "agent"]));
            item.fields(about, &[("Status", "status")]).error(about.get("error"));
            item.ends(true);
        }
        "step.start" | "content.start" | "step.delta" | "content.delta" => {
            let step = event.any(&["step", "content", "delta"]);
            interaction_step(at, key, step, out);
        }
        "error" if event.get("error").kind() == Kind::Object => {
            out.event(EventKind::Error, "error").error(event.get("error"));
        }
        "step.stop" | "content.stop" | "interaction.status_update" => out.nothing(),
        _ => return false,
    }
    true
}

/// The beginning of a step, or more of it.
fn interaction_step<'a>(at: usize, key: Json<'a>, step: Json<'a>, out: &mut Description<'a>) {
    let kind = step.get("type").label();
    if kind.ends_with("_result") {
        // The API ran the tool itself, within the LLM call.
        let call = out.update(step.get("call_id")).part(Part::Result(step.get("result")));
        call.failed(step.get("is_error"));
        return;
    }
    let item = model(Json::ABSENT, out);
    let arguments = step.any(&["arguments", "partial_arguments"]);
    if kind.ends_with("_call") && has_content(arguments) && arguments.kind() == Kind::Object {
        let call = responses::call_item(step, true, out);
        call.asked_by(at);
        let part = Part::Call(call.name.clone(), arguments);
        if let Some(item) = out.items.get_mut(at) {
            item.part(part);
        }
    } else if let Some(tool) = kind.strip_suffix("_call") {
        let tool = out.string(tool);
        let name = step.get("name").or(tool);
        call_piece(at, key, (step.get("id"), name), arguments, out);
    } else if arguments.kind() == Kind::String {
        call_piece(at, key, (Json::ABSENT, Json::ABSENT), arguments, out);
    } else {
        let of = if kind.starts_with("thought") { PieceOf::Thinking } else { PieceOf::Text };
        let words = step.any(&["content.0.text", "summary.0.text", "content.text", "text"]);
        piece(of, key, words, item);
    }
}

fn anthropic_event<'a>(kind: &str, event: Json<'a>, out: &mut Description<'a>) -> bool {
    let (key, at) = (event.get("index"), out.items.len());
    match kind {
        "message_start" if event.get("message").kind() == Kind::Object => {
            let message = event.get("message");
            let item = model(message.get("id"), out).id(message.get("id"));
            report(item, message.get("usage"), message.get("model"));
        }
        "content_block_start" => {
            let block = event.get("content_block");
            let kind = block.get("type").label();
            let item = model(Json::ABSENT, out);
            match kind.as_ref() {
                "text" => piece(PieceOf::Text, key, block.get("text"), item),
                "thinking" => piece(PieceOf::Thinking, key, block.get("thinking"), item),
                kind if kind.ends_with("tool_use") => {
                    let ids = (block.get("id"), block.get("name"));
                    call_piece(at, key, ids, Json::ABSENT, out);
                }
                _ => content::answer_part(at, block, out),
            }
        }
        "content_block_delta" => {
            let (delta, item) = (event.get("delta"), model(Json::ABSENT, out));
            piece(PieceOf::Text, key, delta.get("text"), item);
            piece(PieceOf::Thinking, key, delta.get("thinking"), item);
            item.value("Citation", delta.get("citation"));
            if delta.get("type").is("input_json_delta") {
                let ids = (Json::ABSENT, Json::ABSENT);
                call_piece(at, key, ids, delta.get("partial_json"), out);
            }
        }
        "message_delta" => {
            let item = model(Json::ABSENT, out);
            report(item, event.get("usage"), Json::ABSENT);
            item.field("Stop reason", event.get("delta.stop_reason"));
        }
        "message_stop" => drop(model(Json::ABSENT, out).ends(true)),
        "content_block_stop" | "ping" => out.nothing(),
        "error" if event.get("error").kind() == Kind::Object => {
            out.event(EventKind::Error, "error").error(event.get("error"));
        }
        _ => return false,
    }
    true
}

fn responses_event<'a>(kind: &str, event: Json<'a>, out: &mut Description<'a>) {
    let (key, delta) = (event.get("output_index"), event.get("delta"));
    let response = event.get("response");
    match kind.strip_prefix("response.").unwrap_or(kind) {
        "output_text.delta"
        | "refusal.delta"
        | "text.delta"
        | "audio_transcript.delta"
        | "output_audio_transcript.delta" => {
            piece(PieceOf::Text, key, delta, model(Json::ABSENT, out));
        }
        "reasoning_summary_text.delta" | "reasoning_text.delta" => {
            piece(PieceOf::Thinking, key, delta, model(Json::ABSENT, out));
        }
        kind if kind.ends_with("_arguments.delta") || kind.ends_with("_input.delta") => {
            piece(PieceOf::Arguments, key, delta, model(Json::ABSENT, out));
        }
        "output_item.done" => item(event.get("item"), false, out),
        "created" => {
            let item = model(response.get("id"), out).id(response.get("id"));
            item.name = response.get("model").label();
            item.value(BlockRole::Instructions, response.get("instructions"));
        }
        "completed" | "incomplete" | "failed" | "done" => {
            let call = model(response.get("id"), out).id(response.get("id"));
            report(call, response.get("usage"), response.get("model"));
            call.fields(response, &[("Status", "status")]).error(response.get("error"));
            response.get("output").items().for_each(|it| item(it, true, out));
            let end = model(response.get("id"), out);
            end.ends(true);
        }
        _ => out.nothing(),
    }
}

/// An event of OpenAI's Realtime API around its responses. The user's speech comes as a separate transcript.
fn realtime_event<'a>(kind: &str, event: Json<'a>, out: &mut Description<'a>) -> bool {
    let item = event.get("item");
    match kind {
        "session.created" | "session.update" | "session.updated" => {
            let session = event.get("session");
            out.run.models.name = session.get("model");
            out.note("session")
                .value(BlockRole::Instructions, session.get("instructions"))
                .value(BlockRole::Tools, session.get("tools"));
        }
        "conversation.item.input_audio_transcription.completed" => {
            let words = event.get("transcript");
            out.run.titles.words = words;
            out.user(words);
        }
        "conversation.item.create" | "conversation.item.created" | "conversation.item.added"
            if responses::is_item(item) && item.get("output").is_given() =>
        {
            responses::item(item, out);
            // The server repeats what the client has added.
            out.last().repeats.is_again = kind != "conversation.item.create";
        }
        "conversation.item.created" | "conversation.item.added"
            if !item.get("role").is("assistant") && has_content(content::first_words(item)) =>
        {
            content::said(item, Joins::Nothing, out);
        }
        _ if ["conversation.", "input_audio_buffer.", "output_audio_buffer.", "rate_limits."]
            .iter()
            .any(|it| kind.starts_with(it)) =>
        {
            out.nothing();
        }
        _ => return false,
    }
    true
}

/// An item of a response: text, thinking, or a call. `is_again` states that it may also have been an event of its own.
fn item<'a>(item: Json<'a>, is_again: bool, out: &mut Description<'a>) {
    let kind = item.get("type").label();
    match kind.as_ref() {
        "message" => {
            let parts = content::pieces(item.get("content"));
            out.model(parts, Joins::Open).repeats.is_again = is_again;
        }
        "reasoning" => {
            let words = item.any(&["summary", "content"]);
            if words.item(0).is_given() || !is_again {
                out.thinking(words).joins(Joins::Open).repeats.is_again = is_again;
            }
        }
        kind if kind.ends_with("_call") => {
            let call = responses::call_item(item, is_again, out);
            call.repeats.is_again = is_again;
            let at = call.asking_item();
            if let Some(model) = at.and_then(|at| out.items.get_mut(at)) {
                model.joins(Joins::Open);
            }
        }
        _ if is_again => {}
        _ => {
            let label: Cow<'a, str> = kind.replace('_', " ").into();
            out.item(What::Model).joins(Joins::Open).field(label, item);
        }
    }
}
