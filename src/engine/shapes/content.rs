//! Messages and content parts of every API, in one table.
//!
//! Producers mix them: routers put Anthropic's blocks into OpenAI's messages, and converters put them into the files of
//! other producers. The types of parts do not collide, so one reader can handle them all.
//!
//! | API | Parts |
//! | --- | --- |
//! | [OpenAI Chat](https://platform.openai.com/docs/api-reference/chat) | `text`, `image_url`, `input_audio`, `file`, `refusal`; `tool_calls`, `function_call` |
//! | [OpenAI Responses](https://platform.openai.com/docs/api-reference/responses) | `input_text`, `output_text`, `summary_text`, `input_image` |
//! | [Anthropic](https://docs.claude.com/en/api/messages) | `text`, `thinking`, `tool_use`, `tool_result`, `image`, `document` |
//! | [Gemini](https://ai.google.dev/api/caching#Part) | members `text`, `thought`, `functionCall`, `functionResponse`, `inlineData` |
//! | [Converse](https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html) | members `text`, `toolUse`, `toolResult`, `reasoningContent`, `image` |
//! | [AI SDK](https://ai-sdk.dev/docs/reference/ai-sdk-core/model-message) | `text`, `reasoning`, `tool-call`, `tool-result`, `image`, `file` |
//! | [LangChain](https://docs.langchain.com/oss/python/langchain/messages) | as the provider's; `tool_calls` with `args` |
//! | [Haystack](https://docs.haystack.deepset.ai/docs/chatmessage) | members `text`, `tool_call`, `tool_call_result`, `reasoning` |
//! | [Semantic Kernel](https://learn.microsoft.com/en-us/semantic-kernel/concepts/ai-services/chat-completion/chat-history) | `items` with a `content_type` or `$type`: text, call, result |
//! | [Agent Framework](https://learn.microsoft.com/en-us/agent-framework/) | `contents` with a `type` or `$type`: text, call, result |
//! | [LangChain4j](https://docs.langchain4j.dev/tutorials/chat-memory) | `contents`; `toolExecutionRequests`, `TOOL_EXECUTION_RESULT` |
//! | [OpenTelemetry](https://opentelemetry.io/docs/specs/semconv/gen-ai/) | `text` with `content`, `tool_call`, `tool_call_response`, `reasoning`, `blob` |

use std::borrow::Cow;

use super::pieces::{Piece, read, read_part};
use super::{exit_code, responses, tags};
use crate::kit::{Description, Item, Joins, Msg, Part, What, has_content};
use traceloupe_core::json::{Json, KeySet, Kind, python_repr_to_json};
use traceloupe_core::model::{BlockRole, Status};
use traceloupe_core::visible_text::text_and_origin;

/// Paths of the role of a message. Haystack wrote its members with an underscore until 2.9.
pub const ROLE: &[&str] = &["role", "author.role", "from", "type", "_role"];
/// The same for Semantic Kernel, whose .NET version writes a role as an object, and for Agent Framework, whose Python
/// version does.
pub const LABEL: &[&str] = &["role.label", "role.Label", "Role.Label", "role.value"];
/// Paths of the call id in a message of a tool.
const RESULT_ID: &[&str] = &["tool_call_id", "toolCallId", "call_id", "tool_use_id"];

/// The author of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A user.
    User,
    /// Instructions.
    System,
    /// A model.
    Model,
    /// A tool.
    Tool,
    /// A model that calls a tool.
    Call,
    /// Unknown.
    Other,
}

/// The role that a word stands for.
#[must_use]
pub fn role(word: &str) -> Role {
    match word {
        "user" | "human" | "USER" | "HumanMessage" | "HumanMessageChunk" | "user_input"
        | "userMessage" => Role::User,
        "system" | "developer" | "SYSTEM" | "SystemMessage" => Role::System,
        "assistant" | "ai" | "AI" | "model" | "gpt" | "ASSISTANT" | "AIMessage"
        | "AIMessageChunk" | "bot" | "chatbot" | "agent" | "apiMessage" | "model_output"
        | "tool_calls" => Role::Model,
        "tool"
        | "function"
        | "observation"
        | "TOOL"
        | "ToolMessage"
        | "FunctionMessage"
        | "tool_response"
        | "function_response"
        | "tool-response"
        | "tool_call_result"
        | "TOOL_EXECUTION_RESULT"
        | "ipython" => Role::Tool,
        "function_call" | "tool_call" | "tool-call" => Role::Call,
        _ => Role::Other,
    }
}

/// Adds a message with everything in it: text, calls, results.
pub fn message<'a>(message: Json<'a>, joins: Joins<'a>, out: &mut Description<'a>) {
    let (word, message) = unwrapped(message);
    if responses::is_item(message) {
        return responses::item(message, out);
    }
    message_of_role(&word, message, joins, out);
}

/// Adds a message like [`message`]. If the user wrote it, and no message precedes it in the record, its text names the
/// run.
pub fn said<'a>(message: Json<'a>, joins: Joins<'a>, out: &mut Description<'a>) {
    if message.get("role").is("user") && out.run.titles.words.is_absent() {
        out.run.titles.words = first_words(message);
    }
    self::message(message, joins, out);
}

/// Adds a message from the user, whose text names the run.
pub fn asked<'a>(message: Json<'a>, out: &mut Description<'a>) {
    out.run.titles.words = first_words(message);
    message_of_role("user", message, Joins::Nothing, out);
}

/// The role of a message, and the message itself. LangChain wraps messages in objects that name their class: as `{type,
/// data}`, or as a constructor with `kwargs`. Any other value is returned unchanged.
#[must_use]
pub fn unwrapped(message: Json<'_>) -> (Cow<'_, str>, Json<'_>) {
    let class = || message.get("id").items().last().and_then(Json::word);
    let (kwargs, data) = (message.get("kwargs"), message.get("data"));
    if kwargs.kind() == Kind::Object && message.get("lc").is_given() {
        return (class().unwrap_or_default(), kwargs);
    }
    let word = message.any(ROLE).word().or_else(|| message.any(LABEL).word()).unwrap_or_default();
    if data.get("content").is_given() && role(&word) != Role::Other {
        return (word, data);
    }
    (word, message)
}

/// Adds a message with a role.
pub fn message_of_role<'a>(
    word: &str,
    message: Json<'a>,
    joins: Joins<'a>,
    out: &mut Description<'a>,
) {
    match role(word) {
        Role::Tool => tool_message(message, out),
        Role::Model => model_message(message, joins, out),
        Role::System => words_message(What::System, message, out),
        Role::Call => call_message(message, out),
        Role::User | Role::Other => words_message(What::User, message, out),
    }
}

/// The first text in a message, after texts that a program put before it. If there is no other, the first of these.
#[must_use]
pub fn first_words(message: Json<'_>) -> Json<'_> {
    let mut words = read(content_of(message)).into_iter().filter_map(|piece| match piece {
        Piece::Part(Part::Text(words)) => Some(words),
        _ => None,
    });
    let first = words.next().unwrap_or_default();
    match is_context(first) {
        true => words.find(|it| !is_context(*it)).unwrap_or(first),
        false => first,
    }
}

/// Whether a program alone wrote a text in the name of the user.
fn is_context(words: Json<'_>) -> bool {
    // Only tags, headings and sentences of programs begin like this. Most texts need not be decoded.
    let may_be = ["\"<", "\"#", "\"[", "\"S", "\"C", "\"T"];
    may_be.iter().any(|it| words.raw().starts_with(it))
        && words.text().is_some_and(|text| text_and_origin(&text).1)
}

/// A call as a message of its own, as data sets write it: JSON with a name and arguments, or a list of these.
fn call_message<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let content = content_of(message);
    if let Some(calls) = calls_in_words(content, out) {
        for call in calls.items() {
            let (id, name, arguments) = call_of(call);
            out.call(id, name, arguments);
        }
        return;
    }
    let inner = out.unpack(content);
    let calls = match inner.kind() {
        Kind::Array => inner.items().collect(),
        _ => vec![inner],
    };
    for call in calls {
        match call.kind() {
            Kind::Object => {
                let (id, name, arguments) = call_of(call);
                out.ask(id, name, arguments);
                let at = out.last().asking_item();
                if let Some(model) = at.and_then(|at| out.items.get_mut(at)) {
                    model.asks(call);
                }
            }
            _ => drop(out.item(What::Model).text(content)),
        }
    }
}

/// The calls in the text of smolagents, which writes them in Python's notation after the model's text.
fn calls_in_words<'a>(content: Json<'a>, out: &mut Description<'a>) -> Option<Json<'a>> {
    let words = content.get("0.text").or(content);
    let list = out.text(words).strip_prefix("Calling tools:")?;
    let json = python_repr_to_json(list.trim())?;
    Some(out.json(&json))
}

/// Adds the answer of a model, regardless of the role in the response.
pub fn answer<'a>(response: Json<'a>, out: &mut Description<'a>) {
    model_message(response, Joins::Nothing, out);
}

/// Adds a part of a model's answer to the item of its LLM call.
pub fn answer_part<'a>(model: usize, part: Json<'a>, out: &mut Description<'a>) {
    let shown = match read_part(part) {
        Piece::Part(part) => Some(part),
        Piece::Call(id, name, arguments) => {
            out.asked_by(model, id, name, arguments);
            None
        }
        Piece::Result(id, name, value, status) => {
            result(id, name, value, status, out);
            out.last().asked_by(model);
            return;
        }
    };
    if let Some(item) = out.items.get_mut(model) {
        item.parts.extend(shown);
        if item.row.asks.is_absent() {
            item.asks(part);
        }
    }
}

/// The content of a message, in any of its places.
fn content_of(message: Json<'_>) -> Json<'_> {
    content_in(message, message.get("content"))
}

/// Paths of the content of a message other than `content`.
const WORDS: &[&str] = &["parts", "value", "text", "_content", "items", "Items", "contents"];

/// The same, given the member `content`.
fn content_in<'a>(message: Json<'a>, content: Json<'a>) -> Json<'a> {
    let inner = content.get("parts").given().or_else(|| content.given());
    let words = || message.any(WORDS).given().unwrap_or_else(|| spoken(message));
    inner.unwrap_or_else(words)
}

/// The text of a voice call: Vapi and ElevenLabs have the text of a message in its `message`.
fn spoken(message: Json<'_>) -> Json<'_> {
    let words = message.get("message");
    if words.kind() == Kind::String { words } else { Json::ABSENT }
}

fn words_message<'a>(what: What, message: Json<'a>, out: &mut Description<'a>) {
    let mut parts = Vec::new();
    for piece in read(content_of(message)) {
        match piece {
            Piece::Part(Part::Text(words)) if what == What::User && results_in(words, out) => {}
            Piece::Part(part) => parts.push(part),
            Piece::Result(id, name, value, status) => result(id, name, value, status, out),
            Piece::Call(_, name, arguments) => {
                let name = name.label();
                parts.push(Part::Call(name, arguments));
            }
        }
    }
    let is_added = !parts.is_empty()
        && parts.iter().all(|part| matches!(part, Part::Text(words) if is_context(*words)));
    let what = if what == What::User && is_added { What::System } else { what };
    if !parts.is_empty() || out.items.is_empty() {
        out.item(what).name(label(message)).parts = parts;
    }
}

/// Adds the results in a text. Returns `false` if the text does not consist of results.
fn results_in<'a>(words: Json<'a>, out: &mut Description<'a>) -> bool {
    let results = tags::results(words, out);
    for (name, value) in &results {
        result(Json::ABSENT, *name, *value, None, out);
        let item = out.last().told(words);
        item.or_note("observation");
    }
    !results.is_empty()
}

/// The name given with a role.
fn label(message: Json<'_>) -> Cow<'_, str> {
    message.get("name").label()
}

fn tool_message<'a>(message: Json<'a>, out: &mut Description<'a>) {
    // AutoGen puts the results of several calls into one message, and also repeats all of them as its text.
    let several = message.get("tool_responses");
    if several.get("0.role").is("tool") {
        return several.items().for_each(|it| tool_message(it, out));
    }
    let content = content_of(message);
    let content = match has_content(content) {
        true => content,
        false => message.any(&["tool_result", "result"]).or(content),
    };
    // Gemini and the AI SDK put results as parts into the message of a tool.
    let mut has_results = false;
    if content.kind() == Kind::Array {
        for piece in read(content) {
            if let Piece::Result(id, name, value, status) = piece {
                result(id, name, value, status, out);
                has_results = true;
            }
        }
    }
    let own = if message.get("toolName").is_given() { message.get("id") } else { Json::ABSENT };
    let id = message.any(RESULT_ID).or(own);
    if has_results || !id.is_given() && content.kind() == Kind::String && results_in(content, out) {
        return;
    }
    let name = message.any(&["name", "tool_name", "toolName", "author.name"]);
    // Harmony uses this prefix in results, but not in definitions.
    let short = name.raw().strip_prefix("\"functions.").map(|it| format!("\"{it}"));
    let name = short.map_or(name, |short| out.json(&short));
    let status = match message.get("status").text().as_deref() {
        Some("error") => Some(Status::Failed),
        Some("success") => Some(Status::Ok),
        _ => None,
    };
    let code = exit_code::of_codex(content, out);
    result(id, name, content, status, out);
    out.last().exit(code).error(message.get("error"));
}

fn model_message<'a>(message: Json<'a>, joins: Joins<'a>, out: &mut Description<'a>) {
    let model = out.items.len();
    out.item(What::Model).joins(joins);
    let mut parts = Vec::new();
    let mut calls = Vec::new();
    let mut results = Vec::new();
    // In one pass: there are many messages.
    let keys = const {
        &KeySet::new([
            "content",
            "reasoning_content",
            "reasoning",
            "thinking",
            // Cohere's plan for its tool calls.
            "tool_plan",
            "additional_kwargs",
            "thinking_blocks",
            "reasoning_details",
            "refusal",
            "channel",
            "recipient",
            "tool_calls",
            "toolCalls",
            "function_call",
            "tool_call",
            "tool_results",
            "toolExecutionRequests",
        ])
    };
    let [content, thought, reasoning, thinking, plan, more, blocks, details, rest @ ..] =
        message.fields(keys).unwrap_or_default();
    let [
        refusal,
        channel,
        recipient,
        tool_calls,
        other_calls,
        function_call,
        one_call,
        gave,
        requests,
    ] = rest;
    let function_call = function_call.or(one_call);
    let content = content_in(message, content);
    for words in [thought, reasoning, thinking, plan, more.get("reasoning_content")] {
        if words.kind() == Kind::String && words.raw().len() > 2 {
            parts.push(Part::Thinking(words));
        }
    }
    let has_words = parts.iter().any(|part| matches!(part, Part::Thinking(_)));
    for list in [blocks, details].into_iter().filter(|_| !has_words) {
        parts.extend(read(list).into_iter().filter_map(|piece| match piece {
            Piece::Part(part @ (Part::Thinking(_) | Part::HiddenThinking)) => Some(part),
            _ => None,
        }));
    }
    for piece in read(content) {
        match piece {
            Piece::Part(part) => parts.push(part),
            Piece::Call(id, name, arguments) => calls.push((id, name, arguments)),
            Piece::Result(id, name, value, status) => results.push((id, name, value, status)),
        }
    }
    // ElevenLabs stores results with the agent's next message.
    results.extend(gave.items().map(|it| {
        let status =
            it.get("is_error").bool().map(|it| if it { Status::Failed } else { Status::Ok });
        (it.get("request_id"), it.get("tool_name"), it.any(&["result_value", "result"]), status)
    }));
    parts.extend((refusal.kind() == Kind::String).then_some(Part::Text(refusal)));
    // Harmony has thinking and calls in messages of their own.
    if channel.is("analysis") {
        parts.iter_mut().for_each(|part| {
            if let Part::Text(words) = part {
                *part = Part::Thinking(*words);
            }
        });
    }
    let recipient = recipient.label();
    if !matches!(recipient.as_ref(), "" | "all" | "user" | "assistant") {
        let name = recipient.strip_prefix("functions.").unwrap_or(&recipient);
        let name = out.string(name);
        let arguments = parts.drain(..).find_map(|part| match part {
            Part::Text(words) => Some(words),
            _ => None,
        });
        calls.push((Json::ABSENT, name, arguments.unwrap_or_default()));
    }
    // LangChain writes the calls of a message twice, in the provider's form and in its own list. If they were streamed,
    // only the latter has their arguments.
    let lists = [tool_calls, other_calls, more.get("tool_calls"), requests];
    let list = lists.into_iter().find_map(Json::given);
    let is_empty = |call: &(Json<'a>, Json<'a>, Json<'a>)| !has_content(call.2);
    let is_told_again = calls.iter().any(is_empty) && tool_calls.item(0).get("args").is_given();
    if calls.is_empty() || is_told_again {
        calls.clear();
        calls.extend(list.into_iter().flat_map(Json::items).map(call_of));
        calls.extend(function_call.given().map(call_of));
    }
    let mut told = Vec::new();
    if calls.is_empty() {
        calls = tags::calls(&mut parts, &mut told, out);
    }
    let asks = match list {
        _ if calls.is_empty() => Json::ABSENT,
        Some(list) => list,
        None if function_call.is_given() => message,
        None => content,
    };
    for (id, name, arguments) in calls {
        let mut arguments = out.unpack(arguments);
        let mut name = name;
        if name.is_absent() && arguments.get("name").is_given() {
            // LLaMA-Factory has the whole call as JSON in a string.
            (_, name, arguments) = call_of(arguments);
        }
        parts.push(Part::Call(name.label(), arguments));
        out.call(id, name, arguments).asked_by(model);
    }
    if let Some(item) = out.items.get_mut(model) {
        item.parts = parts;
        item.asks(asks);
        item.row.told = told;
    }
    // Results that are written with the model's role are not an answer of the model.
    let is_result = |item: &Item<'_>| item.parts.is_empty() && item.usage.is_empty();
    if !results.is_empty()
        && out.items.len() == model + 1
        && out.items.last().is_some_and(is_result)
    {
        out.items.truncate(model);
    }
    for (id, name, value, status) in results {
        result(id, name, value, status, out);
    }
}

/// A call in a list of calls: id, name, arguments.
#[must_use]
pub fn call_of(call: Json<'_>) -> (Json<'_>, Json<'_>, Json<'_>) {
    let inner = call.any(&["function", "functionCall", "custom"]);
    let inner = if inner.kind() == Kind::Object { inner } else { call };
    let id =
        call.any(&["id", "tool_call_id", "toolCallId", "call_id", "function.id", "request_id"]);
    let name = match call.get("function").kind() {
        // Inspect has the name of the function where others have an object.
        Kind::String => call.get("function"),
        _ => inner.any(&["name", "tool_name", "toolName"]),
    };
    (id, name, inner.any(&["arguments", "args", "input", "parameters", "params_as_json", "value"]))
}

pub(super) fn result<'a>(
    id: Json<'a>,
    name: Json<'a>,
    value: Json<'a>,
    status: Option<Status>,
    out: &mut Description<'a>,
) {
    let item = out.result(id, value).name(name);
    item.ending.status = status;
}

/// The parts of a content as pieces for display, including calls and results.
#[must_use]
pub fn pieces(content: Json<'_>) -> Vec<Part<'_>> {
    read(content).into_iter().map(shown).collect()
}

/// A part of a content as a piece for display.
#[must_use]
pub fn piece_of(part: Json<'_>) -> Part<'_> {
    shown(read_part(part))
}

fn shown(piece: Piece<'_>) -> Part<'_> {
    match piece {
        Piece::Part(part) => part,
        Piece::Call(_, name, arguments) => Part::Call(name.label(), arguments),
        Piece::Result(_, _, value, _) => Part::Result(value),
    }
}

/// The messages of a list, for displaying a request.
#[must_use]
pub fn messages(list: Json<'_>) -> Vec<Msg<'_>> {
    list.items().map(message_of).collect()
}

/// A message, for displaying it in a request.
#[must_use]
pub fn message_of(message: Json<'_>) -> Msg<'_> {
    let (word, message) = unwrapped(message);
    if responses::is_item(message) {
        return item_of(&word, message);
    }
    let role = match role(&word) {
        Role::User => Cow::Borrowed("user"),
        Role::System => Cow::Borrowed("system"),
        Role::Model | Role::Call => Cow::Borrowed("assistant"),
        Role::Tool => Cow::Borrowed("tool"),
        Role::Other => word,
    };
    let (mut parts, mut ids) = (Vec::new(), Vec::new());
    for piece in read(content_of(message)) {
        ids.extend(match &piece {
            Piece::Part(Part::Text(_)) if role == "tool" => Some(message.any(RESULT_ID)),
            Piece::Part(_) => None,
            Piece::Call(id, ..) | Piece::Result(id, ..) => Some(*id),
        });
        parts.push(match piece {
            Piece::Part(Part::Text(words)) if role == "tool" => Part::Result(words),
            piece => shown(piece),
        });
    }
    for call in message.any(&["tool_calls", "toolCalls"]).items() {
        let (id, name, arguments) = call_of(call);
        parts.push(Part::Call(name.label(), arguments));
        ids.push(id);
    }
    if parts.is_empty() {
        parts.push(Part::Value(BlockRole::Untitled, message));
    }
    Msg { role, name: label(message), parts, ids }
}

/// An item of the Responses API that is not a message, for displaying it in a request.
fn item_of<'a>(word: &str, item: Json<'a>) -> Msg<'a> {
    let (role, part, id) = match word {
        "reasoning" => match pieces(item.any(&["summary", "content"])) {
            parts if parts.is_empty() => ("assistant", Part::HiddenThinking, Json::ABSENT),
            parts => return Msg { role: "assistant".into(), parts, ..Msg::default() },
        },
        word if word.ends_with("_output") => {
            ("tool", Part::Result(item.get("output")), item.get("call_id"))
        }
        _ => {
            let (id, name, arguments) = call_of(item);
            let name = name.or(item.get("type")).label();
            let call = Part::Call(name, arguments.or(item.get("action")));
            ("assistant", call, item.get("call_id").or(id))
        }
    };
    Msg { role: role.into(), parts: vec![part], ids: vec![id], ..Msg::default() }
}
