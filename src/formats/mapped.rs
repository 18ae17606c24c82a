//! Records that are read by a mapping of their keys: a guess, or the user's choice.

use super::chat;
use super::guess::{
    Class, End, class, has_failed, is_failure, names_failure, names_output, names_role, names_tool,
    unit_ns,
};
use traceloupe_core::model::{Mapping, MaybeNs, Slot, Usage};
use traceloupe_engine::described::Describer;
use traceloupe_engine::kit::lists_has;
use traceloupe_engine::prelude::*;

/// A mapping that describes records.
#[derive(Clone, Debug)]
pub(super) struct Mapped(pub(super) Mapping);

impl Describer for Mapped {
    fn list_of(&self, document: Json<'_>) -> Option<(&str, bool)> {
        let list = self.0.list.as_str();
        lists_has(document, list).then_some((list, false))
    }

    fn describe<'a>(&self, entry: Entry<'a>, out: &mut Description<'a>) {
        match entry.is_document {
            true => document(entry.json, out),
            false => self.record(entry.json, out),
        }
    }

    fn quiet(&self) -> Vec<&str> {
        let shown = [Slot::Time, Slot::End, Slot::Duration];
        shown.into_iter().map(|slot| self.0.get(slot)).filter(|path| !path.is_empty()).collect()
    }
}

/// The document around a list.
fn document<'a>(document: Json<'a>, out: &mut Description<'a>) {
    out.run.records = Records::Itself;
    let title = document.any(&["title", "name"]);
    out.run.titles.own = title;
    out.event(EventKind::RunStart, "").summary(title);
}

/// The value at a path. Keys may contain dots: the longest key that exists counts.
fn at<'a>(value: Json<'a>, path: &str) -> Json<'a> {
    let (mut value, mut rest) = (value, path);
    loop {
        let mut key = rest;
        let inner = loop {
            let inner = value.field(key);
            if inner.is_given() {
                break inner;
            }
            match key.rsplit_once('.') {
                Some((shorter, _)) => key = shorter,
                None => return Json::ABSENT,
            }
        };
        value = inner;
        match rest.strip_prefix(key).and_then(|rest| rest.strip_prefix('.')) {
            Some(below) => rest = below,
            None => return value,
        }
    }
}

/// A call: id, name, arguments, result.
#[derive(Clone, Copy, Default)]
struct Called<'a> {
    id: Json<'a>,
    name: Json<'a>,
    arguments: Json<'a>,
    result: Json<'a>,
}

impl Mapped {
    fn get<'a>(&self, record: Json<'a>, slot: Slot) -> Json<'a> {
        match self.0.get(slot) {
            "" => Json::ABSENT,
            path => at(record, path),
        }
    }

    /// The calls in a list inside a record.
    fn inner_calls<'a>(&self, record: Json<'a>) -> Vec<Called<'a>> {
        let Some((list, _)) = self.0.get(Slot::Tool).split_once(".*.") else { return Vec::new() };
        let inner = |item: Json<'a>, slot| {
            let path = self.0.get(slot).strip_prefix(list).and_then(|it| it.strip_prefix(".*."));
            path.map_or(Json::ABSENT, |path| at(item, path))
        };
        // The key that names calls may name results in other records.
        let id = |item| inner(item, Slot::Call).or(content::call_of(item).0);
        let calls = at(record, list).items().map(|item| Called {
            id: id(item),
            name: inner(item, Slot::Tool),
            arguments: inner(item, Slot::Arguments),
            result: inner(item, Slot::Result),
        });
        calls.filter(|it| it.name.is_given()).collect()
    }

    fn record<'a>(&self, record: Json<'a>, out: &mut Description<'a>) {
        let get = |slot| self.get(record, slot);
        let kind = get(Slot::Kind);
        let word = kind.label();
        let mut own = Called {
            id: get(Slot::Call),
            name: get(Slot::Tool),
            arguments: get(Slot::Arguments),
            result: get(Slot::Result),
        };
        let mut text = get(Slot::Text);
        out.at(get(Slot::Time));
        let class = match class(&word) {
            // The label of such a record is the purpose of the call, not its kind.
            _ if self.is_count(record, own, text) => Class::Model,
            Class::Other if self.is_measured(record, own) => {
                // No other record has the result.
                own.result = own.result.or(text);
                text = Json::ABSENT;
                Class::Tool(Some(End::Call))
            }
            // An event that only records the existence of a prompt is not a message.
            Class::User if is_silent(text, own) && !names_role(self.0.get(Slot::Kind)) => {
                Class::Other
            }
            // If calls have their counts, an answer without text and counts is not a call.
            Class::Model if is_silent(text, own) && self.is_told_again(record) => Class::Other,
            // A round of an agent: the model's output, with the call that it led to.
            Class::Other if text.is_given() && names_output(self.0.get(Slot::Text)) => Class::Model,
            Class::Other if self.is_call(own) => Class::Tool(None),
            Class::Other if self.is_model(record) => Class::Model,
            class => class,
        };
        let first = out.items.len();
        match class {
            Class::User | Class::System => {
                let what = if class == Class::User { What::User } else { What::System };
                let words = [text, own.arguments, own.result];
                let words = words.into_iter().find(|it| it.is_given()).unwrap_or_default();
                let parts = content::pieces(words);
                if class == Class::User && out.run.titles.words.is_absent() {
                    out.run.titles.words = first_text(&parts);
                }
                out.item(what).parts = parts;
            }
            Class::Thinking => {
                let words = if text.is_given() { text } else { own.result };
                out.thinking(words);
            }
            Class::Model => self.model(record, text, own, out),
            Class::Tool(end) if !own.name.is_given() => {
                let calls = self.inner_calls(record);
                calls.iter().for_each(|call| tool(None, Json::ABSENT, *call, out));
                if calls.is_empty() {
                    tool(end, text, own, out);
                }
            }
            Class::Tool(end) => tool(end, text, own, out),
            Class::Other => {
                let kind = match self.0.has(Slot::Parent) {
                    true => EventKind::Span,
                    false if is_failure(&word) => EventKind::Error,
                    false => EventKind::Record,
                };
                let name = own.name.word().filter(|_| !names_tool(self.0.get(Slot::Tool)));
                let item = out.event(kind, name.unwrap_or(word));
                let words = text.given().unwrap_or_else(|| record.any(WORDS));
                match kind {
                    EventKind::Error => item.error(words).status(Status::Failed),
                    _ => item.text(words),
                };
            }
        }
        if let Some(item) = out.items.get_mut(first) {
            self.complete(record, item);
        }
    }

    /// Whether a record whose kind is not given is a tool call.
    fn is_call(&self, own: Called<'_>) -> bool {
        let path = self.0.get(Slot::Tool);
        let is_named = names_tool(path) || !self.0.has(Slot::Kind) && !path.ends_with("name");
        own.name.is_given() && is_named && (own.arguments.is_given() || own.result.is_given())
    }

    /// Whether a record whose kind is not given has everything of a tool call except its arguments: its outcome and its
    /// duration.
    fn is_measured(&self, record: Json<'_>, own: Called<'_>) -> bool {
        own.name.is_given()
            && names_tool(self.0.get(Slot::Tool))
            && !self.0.has(Slot::Arguments)
            && !self.0.has(Slot::Parent)
            && self.took(record).is_known()
            && self.has_failed(record).is_some()
    }

    /// Whether a record has the counts of an LLM call, without its text.
    fn is_count(&self, record: Json<'_>, own: Called<'_>, text: Json<'_>) -> bool {
        let has = |slot| self.get(record, slot).is_given();
        let is_silent = [own.name, own.arguments, own.result, text].iter().all(|it| !it.is_given());
        is_silent && has(Slot::Model) && (has(Slot::TokensIn) || has(Slot::TokensOut))
    }

    /// Whether a record mentions a model but not its input or output, while other records have them.
    fn is_told_again(&self, record: Json<'_>) -> bool {
        let slots = [Slot::Model, Slot::TokensIn, Slot::TokensOut];
        self.0.has(Slot::TokensOut)
            && !slots.iter().any(|slot| self.get(record, *slot).is_given())
            && response_in(record).is_none()
            && self.inner_calls(record).is_empty()
    }

    /// Whether a record whose kind is not given is an LLM call.
    fn is_model(&self, record: Json<'_>) -> bool {
        let has = |slot| self.get(record, slot).is_given();
        let lacks = |slots: &[Slot]| !slots.iter().any(|slot| self.0.has(*slot));
        // In a log of only LLM calls, the model is enough.
        let is_log = lacks(&[Slot::Tool, Slot::Parent])
            && (lacks(&[Slot::Kind]) || has(Slot::Text) && names_role(self.0.get(Slot::Kind)));
        let tells = has(Slot::Result) || has(Slot::TokensIn) || has(Slot::TokensOut);
        has(Slot::Model) && (tells || is_log)
    }

    /// Whether the event failed, if the record states it.
    fn has_failed(&self, record: Json<'_>) -> Option<bool> {
        let error = self.get(record, Slot::Error);
        let path = self.0.get(Slot::Error);
        if error.is_given() || !names_failure(path) {
            return has_failed(path, error);
        }
        // If there is no error, another key may state success.
        ["success", "ok", "status"].iter().find_map(|key| has_failed(key, record.field(key)))
    }

    /// A model's output, with the calls in it.
    fn model<'a>(
        &self,
        record: Json<'a>,
        text: Json<'a>,
        own: Called<'a>,
        out: &mut Description<'a>,
    ) {
        let model = out.items.len();
        let answer = if text.is_given() { text } else { own.result };
        if !answer.is_given()
            && let Some(response) = response_in(record)
        {
            return self.response(record, response, out);
        }
        out.item(What::Model).joins(Joins::Nothing);
        let mut calls = self.inner_calls(record);
        if calls.is_empty() && names_tool(self.0.get(Slot::Tool)) && own.name.is_given() {
            let result = if text.is_given() { own.result } else { Json::ABSENT };
            calls.push(Called { result, ..own });
        } else if own.arguments.is_given()
            && let Some(item) = out.items.get_mut(model)
        {
            item.value(BlockRole::Input, own.arguments);
        }
        match answer.kind() {
            Kind::Array => {
                answer.items().for_each(|part| content::answer_part(model, part, out));
            }
            _ => {
                let parts = content::pieces(answer);
                out.nth(model).parts.extend(parts);
            }
        }
        for call in calls {
            let Called { id, name, arguments, result } = call;
            let item = out.call(id, name, arguments);
            item.asked_by(model);
            if result.is_given() {
                item.part(Part::Result(result));
            }
            let arguments = out.unpack(arguments);
            out.nth(model).part(Part::Call(name.label(), arguments));
        }
        let name = self.get(record, Slot::Model).label();
        if let Some(item) = out.items.get_mut(model) {
            item.name(name);
            // The interval between two lines of a log of counts is not the duration of a call.
            item.time.has_begun = !answer.is_given() && !own.arguments.is_given();
            if item.parts.is_empty() {
                let label = self.0.get(Slot::Kind).rsplit('.').next().unwrap_or_default();
                let kind = self.get(record, Slot::Kind);
                item.summary(kind).field(label.to_owned(), kind);
            }
        }
    }

    /// A model's response in the form of an API. If tool calls have records of their own, those in the response are
    /// only shown.
    fn response<'a>(&self, record: Json<'a>, response: Json<'a>, out: &mut Description<'a>) {
        let at = out.items.len();
        let message = response.any(&["choices.0.message", "candidates.0.content", "message"]);
        if self.0.has(Slot::Tool) && message.is_given() {
            let parts = content::message_of(message).parts;
            out.item(What::Model).joins(Joins::Nothing).parts = parts;
        } else {
            chat::answer(response, out);
        }
        let counts = response.any(&["usage", "usageMetadata", "usage_metadata"]);
        let model = self.get(record, Slot::Model).given();
        let model = model.unwrap_or_else(|| response.any(&["model", "modelVersion"]));
        if let Some(item) = out.items.get_mut(at) {
            item.tokens(Flavour::of(counts), counts);
            item.name(model);
        }
    }

    /// Adds a record's data beside the text to its first item.
    fn complete<'a>(&self, record: Json<'a>, item: &mut Item<'a>) {
        let get = |slot| self.get(record, slot);
        let count = |slot| get(slot).count();
        let (input, output) = (count(Slot::TokensIn), count(Slot::TokensOut));
        if item.what() == What::Model && (input, output) != (None, None) {
            item.usage(Usage { input, output, ..Usage::default() });
        }
        let took = self.took(record);
        let is_call = matches!(item.what(), What::Model | What::Call | What::Result);
        item.took(if is_call && !took.is_known() { self.took_otherwise(record) } else { took });
        let (id, parent) = (get(Slot::Id), get(Slot::Parent));
        if self.0.has(Slot::Parent) {
            // The id of a record among others with parents is its own, never that of the call whose result it is.
            if item.what() != What::Result {
                item.span(id, parent);
            }
        } else if item.id.is_absent() {
            item.id(id);
        }
        let error = get(Slot::Error);
        match self.has_failed(record) {
            Some(true) if error.kind() != Kind::Bool && names_failure(self.0.get(Slot::Error)) => {
                item.error(error);
            }
            Some(true) => drop(item.status(Status::Failed)),
            Some(false) => drop(item.status(Status::Ok)),
            None => {}
        }
    }

    /// The duration of a call under a different key than in most records: programs and the libraries below them have
    /// their own.
    fn took_otherwise(&self, record: Json<'_>) -> MaybeNs {
        const KEYS: [&str; 5] =
            ["elapsed_s", "elapsed_ms", "latency_ms", "duration_ms", "duration_s"];
        if !self.0.has(Slot::Duration) {
            return MaybeNs::UNKNOWN;
        }
        let found = KEYS.iter().find_map(|key| Some((*key, record.field(key).number()?)));
        let ns = found.map(|(key, number)| number * unit_ns(key) / 1e9);
        seconds_ns(ns)
    }

    fn took(&self, record: Json<'_>) -> MaybeNs {
        let duration = self.get(record, Slot::Duration).number();
        if let Some(duration) = duration {
            return seconds_ns(Some(duration * unit_ns(self.0.get(Slot::Duration)) / 1e9));
        }
        between(self.get(record, Slot::Time), self.get(record, Slot::End))
    }
}

/// Where events of a log may have text, if not under the usual key.
const WORDS: &[&str] = &[
    "message",
    "text",
    "content",
    "answer",
    "reason",
    "error",
    "summary",
    "title",
    "subject",
    "query",
    "goal",
    "task",
    "data.message",
    "data.error",
    "data.text",
    "payload.message",
    "payload.error",
    "payload.text",
    "details.message",
    "details.error",
];

/// The response of an API in a record.
fn response_in(record: Json<'_>) -> Option<Json<'_>> {
    let mut objects = record.members().map(|(_, value)| value);
    objects.find(|value| value.kind() == Kind::Object && chat::is_response(*value))
}

/// Whether a record has no text at all.
fn is_silent(text: Json<'_>, own: Called<'_>) -> bool {
    [text, own.arguments, own.result].iter().all(|it| !it.is_given())
}

/// A tool call, its result, or both.
fn tool<'a>(end: Option<End>, text: Json<'a>, own: Called<'a>, out: &mut Description<'a>) {
    let Called { id, name, arguments, result } = own;
    let is_result = match end {
        Some(end) => end == End::Result && arguments.is_absent(),
        None => arguments.is_absent(),
    };
    if is_result {
        let result = if result.is_given() { result } else { text };
        let item = out.result(id, result).name(name);
        if item.parts.iter().all(|part| !matches!(part, Part::Result(it) if it.raw() == text.raw()))
        {
            item.text(text);
        }
        return;
    }
    let arguments = if arguments.is_given() { arguments } else { text };
    let item = out.call(id, name, arguments);
    if result.is_given() {
        item.part(Part::Result(result));
    }
    if arguments.raw() != text.raw() {
        item.text(text);
    }
}

/// The first text among parts.
fn first_text<'a>(parts: &[Part<'a>]) -> Json<'a> {
    let texts = parts.iter().find_map(|part| match part {
        Part::Text(words) => Some(*words),
        _ => None,
    });
    texts.unwrap_or_default()
}
