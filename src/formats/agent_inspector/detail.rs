//! What an opened element shows, in the order that the description asks for: model, conversation,
//! output, tool calls; of tool calls and MCP every field.

use std::borrow::Cow;

use crate::formats::EventRecords;
use crate::formats::by_hand::Shown;
use crate::formats::fields::{entries, fields, given, items, unknown_entries, word};
use crate::formats::shapes::openai::{message, message_list, shared_prefix, unwrapped};
use crate::model::{Block, Content, Detail, Field, Message};

use super::element::{Element, Kind};
use super::reply::{Answer, Call, answers, calls, calls_of};

/// Fields of a request that have a place of their own.
const REQUEST: [&str; 9] = [
    "model",
    "model_name",
    "annotation",
    "conversation",
    "messages",
    "response",
    "llm_output",
    "tool_calls",
    "error",
];

/// Fields of a choice that have a place of their own.
const CHOICE: [&str; 5] = ["index", "message", "delta", "text", "finish_reason"];

/// Fields of an answer's message that have a place of their own.
const MESSAGE: [&str; 9] = [
    "role",
    "content",
    "text",
    "type",
    "reasoning_content",
    "reasoning",
    "tool_calls",
    "function_call",
    "finish_reason",
];

/// Fields of a tool call that have a place of their own.
const TOOL: [&str; 9] =
    ["tool_name", "name", "arguments", "args", "result", "output", "cli_output", "error", "data"];

/// Fills in the detail of an event.
pub(super) fn detail(event: &EventRecords<'_>, out: &mut Detail) {
    let Some(record) = event.records.first() else { return };
    let mut shown = Shown::new(record, out);
    match Element::new(record.text.as_str()) {
        Some(element) if element.kind == Kind::LlmRequest => {
            llm_request(&mut shown, &element, event);
            let [id] = element.response.and_then(|raw| fields(raw, ["id"])).unwrap_or_default();
            out.native_id = word(element.id.or(given(id))).map(Into::into);
        }
        Some(element) if element.kind == Kind::ToolCall => {
            tool_call(&mut shown, &element, &record.text);
            // The second record is the call as the request asked for it.
            let asked = event.records.get(1).and_then(|it| fields(&it.text, ["call_id", "id"]));
            let [call_id, id] = asked.unwrap_or_default();
            let id = element.id.or(given(call_id)).or(given(id));
            out.native_id = word(id).map(Into::into);
        }
        Some(element) if element.kind == Kind::Mcp => {
            let found = unknown_entries(&record.text, &["type"]);
            table(&mut shown, "MCP", &found);
            out.native_id = word(element.id).map(Into::into);
        }
        _ => {
            let value = shown.value(&record.text);
            shown.push(Block::Json("Record", value));
        }
    }
}

fn llm_request(shown: &mut Shown<'_, '_>, element: &Element<&str>, event: &EventRecords<'_>) {
    let Some(record) = event.records.first() else { return };
    let response = element.response;
    let [own_model, error] =
        response.and_then(|raw| fields(raw, ["model", "error"])).unwrap_or_default();
    shown.error(element.error.or(given(error)));
    let named =
        [("model name", element.model.or(given(own_model))), ("annotation", element.annotation)];
    shown.fields("Model", &named);
    conversation(shown, element, event);
    let answers = response.map(answers).unwrap_or_default();
    match (response, answers.as_slice()) {
        (Some(response), []) => shown.json("LLM output", Some(response)),
        (_, answers) => output(shown, answers),
    }
    let asked = answers.iter().flat_map(calls_of);
    let beside = element.tool_calls.map(calls).unwrap_or_default();
    asked.chain(beside).for_each(|call| tool_use(shown, &call));
    if let Some(response) = response.filter(|raw| raw.starts_with('{')) {
        around(shown, response, &answers, element.model);
    }
    let rest = element.rest(&record.text, &REQUEST);
    table(shown, "Other fields", &rest);
}

/// The messages, and how many of them stood in an earlier request of this agent already.
fn conversation(shown: &mut Shown<'_, '_>, element: &Element<&str>, event: &EventRecords<'_>) {
    let Some(list) = element.conversation else { return };
    match message_list(list, &|raw| shown.value(raw)) {
        Some(messages) => {
            let earlier = event.earlier.iter().filter_map(|records| {
                Element::new(records.first()?.text.as_str())
                    .and_then(|earlier| earlier.conversation)
            });
            let seen = earlier.map(|earlier| shared_prefix(list, earlier)).max().unwrap_or(0);
            shown.push(Block::Messages("Conversation", messages, seen));
        }
        None => shown.json("Conversation", Some(list)),
    }
}

/// The words of the answers: of one as text, of several as messages.
fn output(shown: &mut Shown<'_, '_>, answers: &[Answer<&str>]) {
    let told: Vec<&Answer<&str>> =
        answers.iter().filter(|it| it.content.is_some() || it.reasoning.is_some()).collect();
    if let [only] = told.as_slice()
        && only.content.is_none_or(|raw| raw.starts_with('"'))
    {
        if let Some(reasoning) = only.reasoning {
            let value = shown.value(reasoning);
            shown.push(Block::Thinking(value));
        }
        if let Some(words) = only.content {
            let value = shown.value(words);
            shown.push(Block::Text("LLM output", value));
        }
        return;
    }
    let messages: Vec<Message> =
        told.into_iter().map(|answer| answer_message(shown, answer)).collect();
    if !messages.is_empty() {
        shown.push(Block::Messages("LLM output", messages, 0));
    }
}

/// An answer as a message without its tool calls, which stand below.
fn answer_message(shown: &Shown<'_, '_>, answer: &Answer<&str>) -> Message {
    let mut said = match fields(answer.whole, ["content"]) {
        Some([Some(_)]) => message(answer.whole, &|raw| shown.value(raw)),
        _ => Message {
            role: String::new(),
            name: String::new(),
            content: answer
                .content
                .map(|raw| Content::Text(shown.value(raw)))
                .into_iter()
                .collect(),
        },
    };
    said.content.retain(|part| !matches!(part, Content::ToolUse(..)));
    if said.role.is_empty() {
        said.role = "assistant".to_owned();
    }
    said
}

fn tool_use(shown: &mut Shown<'_, '_>, call: &Call<&str>) {
    let name = word(call.name).unwrap_or_default();
    let title = match word(call.id) {
        Some(id) => format!("{name} · {id}"),
        None => name.into_owned(),
    };
    let value = match call.arguments {
        Some(raw) => unwrapped(raw, &|raw| shown.value(raw)),
        None => shown.value(call.whole),
    };
    shown.push(Block::ToolUse(title, value));
}

/// What stands around the answers of a completion: usage, why they ended, ids, and whatever else.
fn around(
    shown: &mut Shown<'_, '_>,
    response: &str,
    answers: &[Answer<&str>],
    model: Option<&str>,
) {
    let [usage, meta, own_model] =
        fields(response, ["usage", "meta_info", "model"]).unwrap_or_default();
    shown.all_fields("Usage", usage);
    shown.all_fields("Meta info", meta);
    if answers.is_empty() {
        // It is shown whole.
        return;
    }
    let mut found: Vec<(Cow<'_, str>, &str)> = Vec::new();
    for answer in answers {
        found.extend(answer.finish_reason.map(|raw| ("finish reason".into(), raw)));
        let choice = answer.choice.map(|raw| unknown_entries(raw, &CHOICE)).unwrap_or_default();
        // Of a plain completion the choice is all there is.
        let is_inner = answer.choice.is_some_and(|choice| choice != answer.whole);
        let message = is_inner.then(|| unknown_entries(answer.whole, &MESSAGE));
        found.extend(choice.into_iter().chain(message.unwrap_or_default()));
    }
    let own_model = own_model.filter(|own| Some(*own) != model);
    found.extend(own_model.map(|raw| ("model".into(), raw)));
    let known = ["choices", "output", "message", "usage", "meta_info", "model", "error"];
    found.extend(unknown_entries(response, &[known.as_slice(), &MESSAGE].concat()));
    let found: Vec<_> = found.iter().map(|(key, raw)| (key.as_ref(), Some(*raw))).collect();
    shown.fields("Response", &found);
}

fn tool_call(shown: &mut Shown<'_, '_>, element: &Element<&str>, raw: &str) {
    shown.error(element.error);
    shown.fields("Tool", &[("tool name", element.tool_name)]);
    if let Some(arguments) = element.arguments {
        let value = shown.data(arguments);
        shown.push(Block::Arguments(value));
    }
    result(shown, element.result);
    if let Some(printed) = element.cli_output {
        let value = shown.value(printed);
        shown.push(Block::Log("CLI output", value));
    }
    let rest = element.rest(raw, &TOOL);
    table(shown, "Other fields", &rest);
}

/// A result in words as it is; the members of an object and the items of a list one by one, so that
/// every string in them can be read in lines.
fn result(shown: &mut Shown<'_, '_>, raw: Option<&str>) {
    let Some(raw) = raw else { return };
    let parts: Vec<(String, &str)> = match raw.as_bytes().first() {
        Some(b'{') => entries(raw).into_iter().map(|(key, raw)| (key.into_owned(), raw)).collect(),
        Some(b'[') => {
            (1..).zip(items(raw)).map(|(at, raw)| (at.to_string(), words_of(raw))).collect()
        }
        _ => Vec::new(),
    };
    if parts.is_empty() {
        let value = shown.data(raw);
        return shown.push(Block::Result(value));
    }
    let fields = parts.into_iter().map(|(label, raw)| Field { label, value: shown.value(raw) });
    let fields = fields.collect();
    shown.push(Block::Fields("Result", fields));
}

/// The text of a part that is only that (`{"type": "text", "text": …}`), else the part.
fn words_of(part: &str) -> &str {
    match entries(part).as_slice() {
        [(kind, r#""text""#), (key, words)] if kind == "type" && key == "text" => words,
        _ => part,
    }
}

fn table(shown: &mut Shown<'_, '_>, title: &'static str, found: &[(Cow<'_, str>, &str)]) {
    let fields: Vec<Field> = found
        .iter()
        .map(|(key, raw)| Field { label: key.clone().into_owned(), value: shown.value(raw) })
        .collect();
    if !fields.is_empty() {
        shown.push(Block::Fields(title, fields));
    }
}
