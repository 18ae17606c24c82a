//! Messages in attributes: as JSON text, flattened over many keys, or as events of a span.

use std::borrow::Cow;

use super::attributes::{Attributes, says_anything};
use super::dialects::{INDEXED_INPUT, INDEXED_OUTPUT, INPUT, OUTPUT};
use crate::kit::{Description, Item, Msg, Part};
use crate::shapes::content::{self, Role};
use crate::shapes::responses;
use traceloupe_core::json::{Json, Kind, quoted};
use traceloupe_core::model::BlockRole;

/// The input and the output of a span.
#[derive(Default)]
pub struct Exchange<'a> {
    /// Input messages.
    pub input: Vec<Msg<'a>>,
    /// Output messages.
    pub output: Vec<Msg<'a>>,
    /// The input, if it is not a list of messages.
    pub raw_input: Json<'a>,
    /// The output, if it is not a list of messages.
    pub raw_output: Json<'a>,
}

impl<'a> Exchange<'a> {
    /// Adds messages from the attributes. Messages from events take precedence.
    pub fn read(&mut self, attributes: &Attributes<'a>, out: &mut Description<'a>) {
        let system = out.unpack(attributes.take(&["gen_ai.system_instructions"]));
        if says_anything(system) {
            let parts = content::pieces(system);
            self.input.insert(0, Msg { role: "system".into(), parts, ..Msg::default() });
        }
        for (prefix, between) in INDEXED_INPUT {
            self.input.extend(indexed(attributes, prefix, between, out));
        }
        for (prefix, between) in INDEXED_OUTPUT {
            self.output.extend(indexed(attributes, prefix, between, out));
        }
        unpack_calls(&mut self.input, out);
        unpack_calls(&mut self.output, out);
        if self.input.iter().all(|message| message.role == "system") {
            let input = out.unpack(attributes.find(INPUT));
            self.add_input(input, out);
            // A request contains more than its messages.
            if input.kind() != Kind::Object || self.raw_input == input {
                attributes.take(INPUT);
            }
        }
        if self.output.is_empty() {
            let output = out.unpack(attributes.find(OUTPUT));
            self.add_output(output, out);
            if output.kind() != Kind::Object || self.raw_output == output {
                attributes.take(OUTPUT);
            }
            let words = attributes.take(&["ai.response.reasoning"]);
            let calls = out.unpack(attributes.take(&["ai.response.toolCalls"]));
            let mut parts = Vec::new();
            if says_anything(words) {
                parts.push(Part::Thinking(words));
            }
            let ids = calls.items().map(|call| content::call_of(call).0).collect();
            parts.extend(calls.items().map(|call| part_of_call(call, out)));
            if !parts.is_empty() {
                let role = "assistant".into();
                self.output.push(Msg { role, parts, ids, ..Msg::default() });
            }
        }
    }

    /// Adds the input messages in a value, at any of their places. Any other value is kept unchanged.
    pub fn add_input(&mut self, value: Json<'a>, out: &mut Description<'a>) {
        for path in ["config.system_instruction", "system", "system_instruction"] {
            let system = value.get(path);
            if says_anything(system) {
                let parts = content::pieces(system);
                self.input.push(Msg { role: "system".into(), parts, ..Msg::default() });
            }
        }
        // Monocle puts the text into a list.
        let only = value.item(0);
        let is_only = only.kind() == Kind::String && value.item(1).is_absent();
        let unpacked = out.unpack(only);
        let value = if is_only && unpacked.kind() == Kind::String { only } else { value };
        let before = self.input.len();
        let mut answers = Vec::new();
        for message in list_of(value).items() {
            let message = out.unpack(message);
            // Langfuse puts LangChain's tools after the messages, with the role of a tool.
            let content = message.get("content");
            if content.get("type").is("function") && content.get("function.name").is_given() {
                let parts = vec![Part::Value(BlockRole::Untitled, content)];
                self.input.push(Msg { role: "tool definition".into(), parts, ..Msg::default() });
                continue;
            }
            match message.field("event.name").is("gen_ai.choice") {
                true => answers.extend(message_of(message)),
                false => self.input.extend(nested(message, out).or_else(|| message_of(message))),
            }
        }
        unpack_calls(&mut self.input, out);
        if before == self.input.len() && says_anything(value) {
            self.raw_input = value;
        }
        if self.output.is_empty() {
            self.output = answers;
        }
    }

    /// Adds the output messages in a value, at any of their places.
    pub fn add_output(&mut self, value: Json<'a>, out: &mut Description<'a>) {
        let list = list_of(value);
        let inner = value.any(&["message", "content"]);
        for message in list.items() {
            let message = out.unpack(message);
            self.output.extend(nested(message, out).or_else(|| message_of(message)));
        }
        if list.is_absent() {
            let is_inner = inner.kind() == Kind::Object;
            self.output.extend(message_of(if is_inner { inner } else { value }));
        }
        unpack_calls(&mut self.output, out);
        if self.output.is_empty() && says_anything(value) {
            self.raw_output = value;
        }
    }

    /// The calls that a model requests, if its output has no text: the value for the row's summary.
    pub fn asks(&self, out: &Description<'a>) -> Json<'a> {
        let parts = || self.output.iter().flat_map(|message| &message.parts);
        if parts().any(|part| matches!(part, Part::Text(_))) {
            return Json::ABSENT;
        }
        let calls: Vec<String> = parts()
            .filter_map(|part| match part {
                Part::Call(name, arguments) => Some((quoted(name), arguments.given()?.raw())),
                _ => None,
            })
            .map(|(name, arguments)| {
                format!("{{\"type\":\"tool_call\",\"name\":{name},\"arguments\":{arguments}}}")
            })
            .collect();
        match calls.is_empty() {
            true => Json::ABSENT,
            false => Json::new(out.keep(&format!("[{}]", calls.join(",")))),
        }
    }

    /// Adds the calls that the model of a span requests, and the results that this request contains and no earlier one
    /// did. They count only if no span carries the call out.
    pub fn tell_asked(&self, span: Json<'a>, out: &mut Description<'a>) {
        if !span.is_given() {
            return;
        }
        let is_new = |message: &&Msg<'a>| content::role(&message.role) != Role::Model;
        let new = self.input.iter().rev().take_while(is_new).collect::<Vec<_>>();
        for message in new.into_iter().rev().chain(&self.output) {
            let mut ids = message.ids.iter();
            for part in &message.parts {
                let item = match part {
                    Part::Call(name, arguments) => {
                        let item = out.call(
                            ids.next().copied().unwrap_or_default(),
                            Json::ABSENT,
                            *arguments,
                        );
                        item.name(name.clone())
                    }
                    Part::Result(value) => {
                        let item = out.result(ids.next().copied().unwrap_or_default(), *value);
                        item.name(message.name.clone())
                    }
                    _ => continue,
                };
                item.if_not_carried_out();
                item.span.parent = span;
            }
        }
    }

    /// Adds it to the item of an LLM call: the input messages, and the answer of the model.
    pub fn tell_model(self, item: &mut Item<'a>) {
        if !self.input.is_empty() {
            item.part(Part::Messages(BlockRole::Input, self.input));
        }
        item.value(BlockRole::Input, self.raw_input);
        item.parts.extend(self.output.into_iter().flat_map(|message| message.parts));
        match self.raw_output.kind() {
            Kind::String => item.text(self.raw_output),
            _ => item.value(BlockRole::Output, self.raw_output),
        };
    }

    /// Adds it to the item of any other span.
    pub fn tell(self, item: &mut Item<'a>) {
        if !self.input.is_empty() {
            item.part(Part::Messages(BlockRole::Input, self.input));
        }
        item.value(BlockRole::Input, self.raw_input);
        if !self.output.is_empty() {
            item.part(Part::Messages(BlockRole::Output, self.output));
        }
        item.value(BlockRole::Output, self.raw_output);
    }
}

/// The list of messages that a value is or contains.
fn list_of(value: Json<'_>) -> Json<'_> {
    let list = match value.kind() {
        Kind::Array => value,
        _ => value.any(&[
            "messages",
            "contents",
            "choices",
            "candidates",
            "generations",
            "output",
            "input",
        ]),
    };
    let list = if list.kind() == Kind::Array { list } else { Json::ABSENT };
    // LangChain has a list of lists.
    let first = list.item(0);
    if first.kind() == Kind::Array { first } else { list }
}

/// A message of Strands in CloudWatch: the content is an object whose parts are JSON in a string.
fn nested<'a>(value: Json<'a>, out: &mut Description<'a>) -> Option<Msg<'a>> {
    let inner = value.get("content");
    let words = inner.any(&["content", "message"]);
    if inner.kind() != Kind::Object || words.kind() != Kind::String {
        return None;
    }
    let role = value.get("role").word()?;
    let mut told = message(&role, out.unpack(words), Json::ABSENT, inner.get("id"));
    let reason = inner.get("finish_reason");
    if reason.is_given() {
        told.parts.push(Part::Field("Finish reason".into(), reason));
    }
    Some(told)
}

/// A message, if a value looks like one.
fn message_of(value: Json<'_>) -> Option<Msg<'_>> {
    // LangChain states roles by classes or types.
    let (word, inner) = content::unwrapped(value);
    let is_typed = content::role(&word) != Role::Other && inner.get("content").is_given();
    if is_typed || responses::is_item(value) {
        return Some(content::message_of(value));
    }
    let has_content = ["role", "parts", "text"].iter().any(|key| value.get(key).is_given());
    // Monocle uses the role as the key of the content.
    let mut members = value.members();
    if let (Some((role, content)), None) = (members.next(), members.next())
        && content::role(&role) != Role::Other
    {
        return Some(message(&role, content, Json::ABSENT, Json::ABSENT));
    }
    // An event of Logfire, a choice of OpenAI, or a candidate of Gemini.
    let inner: &[&str] = if has_content { &["message"] } else { &["message", "content"] };
    let value = match value.any(inner) {
        inner if inner.kind() == Kind::Object => inner,
        _ if has_content => value,
        _ => return None,
    };
    Some(content::message_of(value))
}

/// A message with a role, a content and calls. A message of a tool has the id of the call that it answers.
pub fn message<'a>(role: &str, content: Json<'a>, calls: Json<'a>, answers: Json<'a>) -> Msg<'a> {
    let mut message = match content.kind() {
        Kind::Object if content.any(&["role", "content", "tool_calls"]).is_given() => {
            content::message_of(content)
        }
        _ => Msg { parts: content::pieces(content), ..Msg::default() },
    };
    for (id, name, arguments) in calls.items().map(content::call_of) {
        message.parts.push(Part::Call(name.label(), arguments));
        message.ids.push(id);
    }
    if answers.is_given() && message.ids.is_empty() {
        message.ids.push(answers);
    }
    if message.role.is_empty() {
        message.role = match content::role(role) {
            Role::User => "user".into(),
            Role::System => "system".into(),
            Role::Model => "assistant".into(),
            Role::Tool => "tool".into(),
            _ => role.to_owned().into(),
        };
    }
    message
}

fn part_of_call<'a>(call: Json<'a>, out: &mut Description<'a>) -> Part<'a> {
    let (_, name, arguments) = content::call_of(call);
    Part::Call(name.label(), out.unpack(arguments))
}

/// Moves calls out of the text of a model: koog writes them there as JSON.
fn unpack_calls<'a>(messages: &mut [Msg<'a>], out: &mut Description<'a>) {
    for message in messages.iter_mut().filter(|it| content::role(&it.role) == Role::Model) {
        let [Part::Text(words)] = message.parts.as_slice() else { continue };
        if !words.raw().starts_with("\"[{\\\"") {
            continue;
        }
        let calls = out.unpack(*words);
        if calls.items().all(|call| call.get("function.name").is_given()) {
            message.ids = calls.items().map(|call| content::call_of(call).0).collect();
            message.parts = calls.items().map(|call| part_of_call(call, out)).collect();
        }
    }
}

/// Messages that are flattened over many keys: `llm.input_messages.0.message.role`.
fn indexed<'a>(
    attributes: &Attributes<'a>,
    prefix: &str,
    between: &str,
    out: &mut Description<'a>,
) -> Vec<Msg<'a>> {
    let groups = attributes.numbered(prefix);
    let messages = groups.into_iter().map(|keys| {
        let keys =
            keys.into_iter().map(|(key, value)| (key.strip_prefix(between).unwrap_or(key), value));
        flat_message(&keys.collect::<Vec<_>>(), out)
    });
    messages.filter(|message| !message.parts.is_empty()).collect()
}

fn flat_message<'a>(keys: &[(&str, Json<'a>)], out: &mut Description<'a>) -> Msg<'a> {
    let get = |wanted: &str| {
        keys.iter().find(|(key, _)| *key == wanted).map_or(Json::ABSENT, |(_, value)| *value)
    };
    let role = get("role").label();
    let is_tool = content::role(&role) == Role::Tool;
    let mut parts = Vec::new();
    let mut calls: Vec<(&str, Cow<'a, str>, Json<'a>, Json<'a>)> = Vec::new();
    let content = get("content");
    // OpenLLMetry writes a list of parts as JSON text.
    let is_list = content.raw().starts_with("\"[{\\\"type\\\":");
    let content = if is_list { out.unpack(content) } else { content };
    parts.extend(content::pieces(content));
    let mut sorted: Vec<_> = keys.to_vec();
    traceloupe_core::sorting::sort_by_key(&mut sorted, |(key, _)| {
        key.split('.').find_map(|step| step.parse::<u32>().ok())
    });
    for (key, value) in sorted {
        let mut steps = key.split('.');
        let (list, number, last) = (steps.next(), steps.next(), key.rsplit('.').next());
        match (list, last) {
            (Some("contents" | "content"), Some("text" | "content")) if number.is_some() => {
                parts.push(Part::Text(value));
            }
            (Some("contents"), Some("url")) => parts.push(Part::Media("".into(), value)),
            (Some("contents" | "content"), Some(last)) if last.parse::<u32>().is_ok() => {
                parts.extend(content::pieces(out.unpack(value)));
            }
            (Some("tool_calls"), Some(last @ ("name" | "arguments" | "id"))) => {
                let number = number.unwrap_or_default();
                let at = calls.iter().position(|call| call.0 == number).unwrap_or(calls.len());
                if at == calls.len() {
                    calls.push((number, "".into(), Json::ABSENT, Json::ABSENT));
                }
                let Some(call) = calls.get_mut(at) else { continue };
                match last {
                    "name" => call.1 = value.label(),
                    "id" => call.3 = value,
                    _ => call.2 = out.unpack(value),
                }
            }
            (Some("function_call_name"), _) => {
                let arguments = out.unpack(get("function_call_arguments_json"));
                calls.push(("", value.label(), arguments, Json::ABSENT));
            }
            _ => {}
        }
    }
    let mut ids = Vec::new();
    for (_, name, arguments, id) in calls {
        if !name.is_empty() || arguments.is_given() {
            parts.push(Part::Call(name, arguments));
            ids.push(id);
        }
    }
    if is_tool {
        parts.iter_mut().for_each(|part| {
            if let Part::Text(words) = part {
                *part = Part::Result(*words);
                ids.push(get("tool_call_id"));
            }
        });
    }
    Msg { role, name: get("name").label(), parts, ids }
}
