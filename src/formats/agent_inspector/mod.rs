//! Agent Inspector: a list of `llm_request`, `tool_call` and `mcp` elements, as FlashInfer-Bench
//! described it from June to August 2025.
//!
//! Read: a JSON array of elements, elements as JSON lines, and the wrappers `{"trace": […]}` and `{"elements": […]}`;
//! the names that the project's own inspector accepted (`model_name`, `llm_output`, `tool_calls` beside the
//! conversation, all of them also under `data`). One file is one run; there are no times unless a producer adds them.
//!
//! Each request contains its whole conversation, which its row shows. A `tool_call` is linked to the request that asked
//! for it only by its name and arguments. Agents have no names; they are distinguished by their conversations
//! ([`Speaker`]).

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::chat::answer;
use traceloupe_core::json::KeySet;
use traceloupe_engine::kit::Speaker;
use traceloupe_engine::prelude::*;

/// The lists that wrap elements.
const WRAPPERS: &str = "trace|elements";

const REQUEST: (&str, &[Test]) = (
    "elements of type `llm_request` have a `conversation`",
    &[
        Test::Is("type", "llm_request"),
        Test::HasOne(&["conversation", "llm_output", "data.conversation", "data.llm_output"]),
    ],
);

const TOOL_CALL: (&str, &[Test]) = (
    "elements of type `tool_call` have `tool_name` and `arguments`",
    &[
        Test::Is("type", "tool_call"),
        Test::HasOne(&["tool_name", "data.tool_name"]),
        Test::HasOne(&["arguments", "cli_output", "data.arguments", "data.cli_output"]),
    ],
);

const ONLY_TYPE: (&str, &[Test]) =
    ("elements have the type `llm_request`", &[Test::Is("type", "llm_request")]);

const ONLY_NAME: (&str, &[Test]) = (
    "elements of type `tool_call` have a `tool_name`",
    &[Test::Is("type", "tool_call"), Test::HasOne(&["tool_name", "data.tool_name"])],
);

const MCP: (&str, &[Test]) = ("elements have the type `mcp`", &[Test::Is("type", "mcp")]);

/// The format.
pub static AGENT_INSPECTOR: Described = Described {
    signs: &[
        Sign::record(REQUEST.0, REQUEST.1),
        Sign::certain(On::Items(WRAPPERS), REQUEST.0, REQUEST.1),
        Sign::record(TOOL_CALL.0, TOOL_CALL.1),
        Sign::certain(On::Items(WRAPPERS), TOOL_CALL.0, TOOL_CALL.1),
        Sign::likely(On::Any, ONLY_TYPE.0, ONLY_TYPE.1),
        Sign::likely(On::Items(WRAPPERS), ONLY_TYPE.0, ONLY_TYPE.1),
        Sign::likely(On::Any, ONLY_NAME.0, ONLY_NAME.1),
        Sign::likely(On::Items(WRAPPERS), ONLY_NAME.0, ONLY_NAME.1),
        Sign::maybe(On::Any, MCP.0, MCP.1),
        Sign::maybe(On::Items(WRAPPERS), MCP.0, MCP.1),
    ],
    lists: &["trace", "elements", ""],
    undivided: &["type"],
    quiet: &[
        "type|tool_name|name|timestamp",
        "data.tool_name|name|timestamp",
        "response.object|created",
        "response.choices.*.index",
    ],
    ..Described::new(&catalog::AGENT_INSPECTOR, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    if entry.is_document {
        return wrapper(entry.json, out);
    }
    let element = Element { own: entry.json, data: entry.json.get("data") };
    out.at(element.any(&["timestamp"]));
    match element.any(&["type"]).text().unwrap_or_default().as_ref() {
        "llm_request" => request(element, out),
        "tool_call" => tool_call(element, out),
        "mcp" => mcp(element, out),
        _ => {}
    }
}

/// The other members of a wrapper: strings and numbers become facts about the run.
fn wrapper<'a>(document: Json<'a>, out: &mut Description<'a>) {
    let is_list = |key: &str| WRAPPERS.split('|').any(|list| list == key);
    let beside: Vec<_> = document.members().filter(|(key, _)| !is_list(key)).collect();
    if beside.iter().all(|(_, value)| value.word().is_some() || !has_content(*value)) {
        out.nothing();
    }
    let told = beside.into_iter().filter(|(_, value)| value.word().is_some());
    out.run.about.facts.extend(told.map(|(key, value)| (FactKind::of_metadata(key), value)));
}

/// An element, whose fields may be under `data`.
#[derive(Clone, Copy)]
struct Element<'a> {
    own: Json<'a>,
    data: Json<'a>,
}

impl<'a> Element<'a> {
    /// The first value at any of the keys.
    fn any(self, keys: &[&str]) -> Json<'a> {
        let own = self.own.any(keys);
        if own.is_given() { own } else { self.data.any(keys) }
    }

    fn id(self) -> Json<'a> {
        self.any(&["tool_call_id", "call_id", "id"])
    }

    fn arguments(self) -> Json<'a> {
        self.any(&["arguments", "args"])
    }

    /// The result of a call. A `null` counts as a result.
    fn result(self) -> Json<'a> {
        let result = self.any(&["result", "output"]).given();
        let null = || self.own.field("result").present();
        result.or_else(null).unwrap_or_else(|| self.data.field("result"))
    }

    /// The error, if it has content.
    fn error(self) -> Json<'a> {
        let error = self.any(&["error"]);
        if error.bool() == Some(false) { Json::ABSENT } else { error }
    }
}

/// A model request with its response.
fn request<'a>(element: Element<'a>, out: &mut Description<'a>) {
    let conversation = element.any(&["conversation", "messages"]);
    let response = element.any(&["response", "llm_output"]);
    let model = element.any(&["model", "model_name"]);
    let annotation = element.any(&["annotation"]);
    out.run.agent.speaks(Speaker::new(model, conversation, annotation));
    answer(response, out);
    for call in element.any(&["tool_calls"]).items() {
        let (id, name, arguments) = content::call_of(call);
        out.asked_by(0, id, name, arguments);
    }
    let keys = const { &KeySet::new(["error", "usage", "meta_info", "id", "model", "created"]) };
    let [error, usage, meta, id, own_model, created] = response.fields(keys).unwrap_or_default();
    let error = element.error().or(error);
    let counts = [usage, element.any(&["usage"]), meta];
    let counts = counts.into_iter().find_map(Json::given).unwrap_or_default();
    let Some(item) = out.items.first_mut() else { return };
    let asks = item.parts.iter().any(|part| matches!(part, Part::Call(..)));
    if item.parts.is_empty() && !has_content(error) && response.is_given() {
        item.part(Part::Answer(response));
    }
    let answered = std::mem::take(&mut item.parts);
    item.group("Model", vec![("model name".into(), model), ("annotation".into(), annotation)]);
    if has_content(conversation) {
        item.part(Part::Prompt(conversation));
    }
    item.parts.extend(answered);
    item.value(BlockRole::Usage, counts).usage(Flavour::of(counts).read(counts));
    // Ids and times of a completion are new each time; its content need not be.
    let said = response.any(&["choices.0.message", "choices.0", "message", "output"]);
    item.prompt(conversation).answer(said.or(response));
    item.id(element.id().or(id));
    item.name = label(model.or(own_model), annotation);
    // A completion states its own time, in whole seconds.
    let start = if item.time.start.is_known() { item.time.start } else { time_of(created) };
    item.begins(start).error(error);
    item.ending.status.get_or_insert(match response.is_given() || asks {
        true => Status::Ok,
        false => Status::Missing,
    });
    if !has_content(response) && !asks {
        item.row.summary = conversation.items().last().unwrap_or_default();
    }
}

/// The model and the user's annotation of the request: with several agents, only the annotation distinguishes their
/// rows.
fn label<'a>(model: Json<'a>, annotation: Json<'a>) -> Cow<'a, str> {
    /// Longer annotations are cut.
    const MAX_CHARS: usize = 60;
    let (model, annotation) = (model.label(), annotation.label());
    if annotation.is_empty() {
        return model;
    }
    let mut words: String = annotation.chars().take(MAX_CHARS).collect();
    if words.len() < annotation.len() {
        words.push('…');
    }
    if model.is_empty() { words.into() } else { format!("{model} · {words}").into() }
}

fn tool_call<'a>(element: Element<'a>, out: &mut Description<'a>) {
    let name = element.any(&["tool_name", "name"]);
    call(element, name, element.arguments(), element.result(), Status::Missing, out);
}

/// A message of the Model Context Protocol. Its fields were never settled.
fn mcp<'a>(element: Element<'a>, out: &mut Description<'a>) {
    let own = element.own;
    let names = [element.any(&["tool_name", "name"]), own.any(&["tool", "params.name", "method"])];
    let name = names.into_iter().find(|name| name.word().is_some());
    let name = name.unwrap_or_else(|| out.string("mcp"));
    let arguments = element.arguments().given();
    let arguments = arguments.unwrap_or_else(|| own.any(&["params.arguments", "params"]));
    let result = element.result().present().unwrap_or_else(|| own.get("response"));
    call(element, name, arguments, result, Status::Unknown, out);
}

/// Adds a call with its outcome. `open` is the status of a call without a result.
fn call<'a>(
    element: Element<'a>,
    name: Json<'a>,
    arguments: Json<'a>,
    result: Json<'a>,
    open: Status,
    out: &mut Description<'a>,
) {
    out.may_be_python();
    let printed = element.any(&["cli_output"]);
    let item = out.call(element.id(), name, arguments).or_known();
    if !result.is_absent() {
        item.part(Part::Result(result));
    }
    item.log("CLI output", printed).error(element.error());
    // Results in the shape of the Model Context Protocol state themselves whether they are errors.
    let has_failed = result.any(&["isError", "is_error"]).is_true();
    let is_open = result.is_absent() && !printed.is_given();
    item.ending.status.get_or_insert(match (has_failed, is_open) {
        (true, _) => Status::Failed,
        (false, true) => open,
        (false, false) => Status::Ok,
    });
}
