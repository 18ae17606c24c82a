//! Agent Inspector: a list of `llm_request`, `tool_call` and `mcp` elements, as FlashInfer-Bench described it from
//! June to August 2025.
//!
//! Read: a JSON array of elements, elements as JSON lines, and the wrappers `{"trace": […]}` and
//! `{"elements": […]}`; the names that the project's own inspector took (`model_name`, `llm_output`, `tool_calls`
//! beside the conversation, all of them also under `data`); responses of OpenAI, vLLM and SGLang. One file is one
//! run. There are no times unless a producer adds them. A `tool_call` is the call that a request asked for: by id
//! where it has one, else by name and arguments. Agents are told apart by how their conversations begin.

#[cfg(test)]
mod tests;

use super::kit::{
    AgentHint, Described, Description, Entry, Hooks, Joins, Msg, On, Part, Sign, Sure, Test,
};
use super::shapes::content;
use super::shapes::tokens::Flavour;
use crate::catalog;
use crate::json::{Json, Kind};
use crate::model::{Status, key_hash};

/// The format.
pub static AGENT_INSPECTOR: Described = Described {
    card: &catalog::AGENT_INSPECTOR,
    signs: &[
        request(On::Any),
        request(On::Items("trace")),
        request(On::Items("elements")),
        call(On::Any),
        call(On::Items("trace")),
        call(On::Items("elements")),
        Sign {
            sure: Sure::Likely,
            on: On::Any,
            why: "elements have the type `llm_request`",
            tests: &[Test::OneOf("type", &["llm_request"])],
        },
        Sign {
            sure: Sure::Likely,
            on: On::Any,
            why: "elements of type `tool_call` have a `tool_name`",
            tests: &[Test::OneOf("type", &["tool_call"]), Test::HasOne(TOOL_NAMES)],
        },
        Sign {
            sure: Sure::Maybe,
            on: On::Any,
            why: "elements have the type `mcp`",
            tests: &[Test::OneOf("type", &["mcp"])],
        },
    ],
    lists: &["trace", "elements", ""],
    undivided: &["type"],
    has_messages: false,
    hooks: Hooks::NONE,
    quiet: &[
        "type",
        "timestamp",
        "tool_name",
        "name",
        "data.type",
        "data.timestamp",
        "data.tool_name",
        "data.name",
        "response.object",
        "response.created",
        // Indices and names of tools, which are shown with their calls.
        "response.choices.*.index",
        "response.choices.*.message.tool_calls.*.function.name",
        "response.output.*.name",
        "response.content.*.name",
        "tool_calls.*.name",
        "tool_calls.*.function.name",
        "data.tool_calls.*.name",
        "data.tool_calls.*.function.name",
    ],
    describe,
};

/// Where the name of a tool is.
const TOOL_NAMES: &[&str] = &["tool_name", "data.tool_name"];

const REQUEST: &[Test] = &[
    Test::OneOf("type", &["llm_request"]),
    Test::HasOne(&["conversation", "llm_output", "data.conversation", "data.llm_output"]),
];

const CALL: &[Test] = &[
    Test::OneOf("type", &["tool_call"]),
    Test::HasOne(TOOL_NAMES),
    Test::HasOne(&["arguments", "cli_output", "data.arguments", "data.cli_output"]),
];

const fn request(on: On) -> Sign {
    let why = "elements of type `llm_request` have a `conversation`";
    Sign { sure: Sure::Certain, on, why, tests: REQUEST }
}

const fn call(on: On) -> Sign {
    let why = "elements of type `tool_call` have `tool_name` and `arguments`";
    Sign { sure: Sure::Certain, on, why, tests: CALL }
}

/// A longer annotation is cut where it is shown beside the model's name, in characters.
const MAX_ANNOTATION_CHARS: usize = 60;

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let element = entry.json;
    out.at(of(element, &["timestamp"]));
    match element.get("type").word().unwrap_or_default().as_ref() {
        "llm_request" => llm_request(element, out),
        "tool_call" => tool_call(element, out),
        "mcp" => mcp(element, out),
        // Around a list, or what a long document has after it.
        "" if entry.is_document || element.kind() == Kind::Object => wrapper(element, out),
        _ => {}
    }
}

/// A field of an element under the first of several names, of its own or under `data`.
fn of<'a>(element: Json<'a>, names: &[&str]) -> Json<'a> {
    let data = element.get("data");
    let both = names.iter().flat_map(|name| [element.field(name), data.field(name)]);
    both.into_iter().find(|it| it.is_given()).unwrap_or_default()
}

/// What a wrapper has beside its list: words and numbers are facts about the run.
fn wrapper<'a>(document: Json<'a>, out: &mut Description<'a>) {
    let lists = ["trace", "elements"];
    let is_list = |value: Json<'_>| value.kind() == Kind::Array;
    let beside = document.members().filter(|(key, it)| !(lists.contains(&&**key) && is_list(*it)));
    let (words, others): (Vec<_>, Vec<_>) = beside.partition(|(_, value)| value.word().is_some());
    if others.is_empty() && (is_list(document) || document.members().next().is_some()) {
        out.item(super::kit::What::Nothing);
        out.run.facts = words;
    }
}

fn llm_request<'a>(element: Json<'a>, out: &mut Description<'a>) {
    let response = of(element, &["response", "llm_output"]);
    let model = of(element, &["model", "model_name"]).given().unwrap_or(response.get("model"));
    let annotation = of(element, &["annotation"]);
    let conversation = of(element, &["conversation", "messages"]);
    out.run.agent_hint = Some(agent(model, conversation, annotation));
    if response.get("created").raw().len() >= 10 && !of(element, &["timestamp"]).is_given() {
        // A completion's own stamp, in whole seconds.
        out.at(response.get("created"));
    }
    answer(response, out);
    let beside = of(element, &["tool_calls"]);
    for (id, name, arguments) in beside.items().map(content::call_of) {
        let arguments = out.unpack(arguments);
        out.call(id, name, arguments).asked_by = Some(0);
        let part = Part::Call(name.word().unwrap_or_default(), arguments);
        out.items.first_mut().into_iter().for_each(|item| item.parts.push(part.clone()));
    }
    let asks = out.items.len() > 1;
    let Some(item) = out.items.first_mut() else { return };
    item.name(label(model, annotation)).prompt(conversation);
    let is_silent = item.parts.is_empty();
    item.id(element.any(&["id", "data.id"]).given().unwrap_or(response.get("id")));
    if conversation.kind() == Kind::Array {
        item.parts.insert(0, Part::Messages("Conversation", content::messages(conversation)));
    } else {
        item.value("Conversation", conversation);
    }
    let error = of(element, &["error"]).given().unwrap_or(response.get("error"));
    if is_silent && !error.is_given() {
        item.summary(words_of(conversation.items().last().unwrap_or_default()));
    }
    let counts = response.get("usage").given().unwrap_or(of(element, &["usage"]));
    let counts = counts.given().unwrap_or(response.get("meta_info"));
    item.error(error).usage(Flavour::of(counts).read(counts)).value("Usage", counts);
    item.field("Model", model).field("Annotation", annotation);
    if item.status.is_none() {
        let is_answered = response.is_given() || asks;
        item.status(if is_answered { Status::Ok } else { Status::NoResult });
    }
}

/// The model, and what a person says of the request: where there are several agents, only this tells their rows
/// apart.
fn label(model: Json<'_>, annotation: Json<'_>) -> String {
    let model = model.word().unwrap_or_default();
    let Some(annotation) = annotation.word() else { return model.into_owned() };
    let words = match annotation.char_indices().nth(MAX_ANNOTATION_CHARS) {
        Some((end, _)) => format!("{}…", annotation.get(..end).unwrap_or_default()),
        None => annotation.into_owned(),
    };
    if model.is_empty() { words } else { format!("{model} · {words}") }
}

/// Which agent a request is of. The file does not say.
fn agent<'a>(model: Json<'a>, conversation: Json<'a>, annotation: Json<'a>) -> AgentHint<'a> {
    let hash = |it: Json<'_>| format!("{:x}", it.fingerprint());
    let first = conversation.item(0);
    let is_system = ["system", "developer"].iter().any(|it| first.get("role").is(it));
    let system = if is_system { first } else { Json::ABSENT };
    let (name, word) = (model.word().unwrap_or_default(), annotation.word().unwrap_or_default());
    AgentHint {
        beginning: key_hash(&[&name, &hash(first)]),
        role: key_hash(&[&name, &hash(system), &word]),
        name: if annotation.is_given() { annotation } else { model },
    }
}

/// Adds what a model answered, as the first item.
fn answer<'a>(response: Json<'a>, out: &mut Description<'a>) {
    if response.get("output.0.type").is_given() {
        return content::items(response.get("output"), out);
    }
    match answers(response).as_slice() {
        [] => drop(out.model(Vec::new(), Joins::Nothing).value("LLM output", response)),
        [words] if words.kind() == Kind::String => {
            out.model(Vec::new(), Joins::Nothing).text(*words);
        }
        [message] => content::answer(*message, out),
        several => {
            let said = several.iter().map(|it| Msg { role: "assistant".into(), ..message(*it) });
            let said = vec![Part::Messages("LLM output", said.collect())];
            let first = several.first().copied().unwrap_or_default();
            out.model(said, Joins::Nothing).summary(words_of(first));
            for call in several.iter().flat_map(|it| it.get("tool_calls").items()) {
                let (id, name, arguments) = content::call_of(call);
                out.call(id, name, arguments).asked_by = Some(0);
            }
        }
    }
}

/// The words of a message, or words alone.
fn words_of(message: Json<'_>) -> Json<'_> {
    match message.kind() {
        Kind::String => message,
        _ => content::first_words(message),
    }
}

fn message(answer: Json<'_>) -> Msg<'_> {
    match answer.kind() {
        Kind::String => Msg { parts: vec![Part::Text(answer)], ..Msg::default() },
        _ => content::message_of(answer),
    }
}

/// The messages or words of a response. Empty where it has none of the shapes.
fn answers(response: Json<'_>) -> Vec<Json<'_>> {
    match response.kind() {
        // A batch of completions, or the messages of an answer.
        Kind::Array => response.items().flat_map(one).collect(),
        _ => one(response),
    }
}

fn one(response: Json<'_>) -> Vec<Json<'_>> {
    let is_answer = |it: &Json<'_>| matches!(it.kind(), Kind::String | Kind::Object);
    if response.kind() == Kind::String {
        return vec![response];
    }
    let choices = response.get("choices");
    if choices.is_given() {
        let answers = choices.items().map(|it| it.any(&["message", "delta", "text"]));
        return answers.filter(is_answer).collect();
    }
    if response.any(&["role", "content", "tool_calls"]).is_given() {
        return vec![response];
    }
    let inner = response.get("message");
    if inner.kind() == Kind::Object {
        return vec![inner];
    }
    let words = response.any(&["text", "output"]);
    match words.kind() {
        Kind::String => vec![words],
        _ => words.items().filter(is_answer).collect(),
    }
}

fn tool_call<'a>(element: Json<'a>, out: &mut Description<'a>) {
    let result = of(element, &["result", "output"]).given();
    let empty = element.get("result").present().unwrap_or(element.get("data.result"));
    let result = result.unwrap_or(empty);
    let printed = of(element, &["cli_output"]);
    let error = of(element, &["error"]);
    let id = of(element, &["tool_call_id", "call_id", "id"]);
    let name = of(element, &["tool_name", "name"]);
    let item = out.call(id, name, of(element, &["arguments", "args"])).ran();
    if !matches!(error.raw(), "false") {
        item.error(error);
    }
    if !result.is_absent() {
        item.part(Part::Result(result));
    }
    item.log("CLI output", printed);
    // Results in the shape of the Model Context Protocol say themselves that they are errors.
    if result.any(&["isError", "is_error"]).is_true() {
        item.status(Status::Error);
    } else if item.status.is_none() && !(result.is_absent() && printed.is_absent()) {
        item.status(Status::Ok);
    }
}

/// Something said over the Model Context Protocol. Its fields were never settled.
fn mcp<'a>(element: Json<'a>, out: &mut Description<'a>) {
    let names = [of(element, &["tool_name", "name", "tool"]), element.get("params.name")];
    let names = names.into_iter().chain([element.get("method")]);
    let name = names.into_iter().find(|it| it.word().is_some());
    let arguments = of(element, &["arguments", "args"]).given();
    let arguments = arguments.unwrap_or(element.any(&["params.arguments", "params"]));
    let result = of(element, &["result", "output", "response"]);
    let id = of(element, &["tool_call_id", "call_id", "id"]);
    let item = out.call(id, name.unwrap_or(Json::new("\"mcp\"")), arguments);
    item.error(of(element, &["error"]));
    if result.is_given() {
        item.part(Part::Result(result));
        item.status.get_or_insert(Status::Ok);
    }
    // What an answer would be called was never settled.
    item.status.get_or_insert(Status::Unknown);
    if item.parts.is_empty() {
        item.summary(element);
    }
}
