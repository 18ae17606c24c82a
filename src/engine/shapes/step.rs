//! Steps of traces in observability systems: a kind, ids and times, input and output. The systems differ only in their
//! names for these, so the event is built here.

use super::content;
use super::gen_ai::beeai::Emitted;
use super::gen_ai::dialects::{ARGUMENTS, RESULT, TOOL_NAME, kind_of};
use super::gen_ai::{Attributes, Exchange};
use crate::fields::{between, is_json};
use crate::kit::{Description, Item, Joins, Part, What, has_content, time_of};
use crate::tokens::Flavour;
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::{
    BlockRole, EventKind, FactKind, MaybeNs, Role, RunStatus, Status, Usage,
};

pub use super::gen_ai::dialects::SpanKind;

/// Paths; the first one with a value counts.
type Paths = &'static [&'static str];
/// Roles of blocks, with their paths.
type Titles = &'static [(Role, &'static str)];
/// Kinds of values, with their paths.
type Labels = &'static [(FactKind<&'static str>, &'static str)];

/// Where the records of a system store the parts of a step.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The id of the trace.
    pub run: Paths,
    /// The id of the step.
    pub id: Paths,
    /// The id of the parent step.
    pub parent: Paths,
    /// Its name.
    pub name: Paths,
    /// The word for its kind.
    pub kind: Paths,
    /// The model of an LLM call.
    pub model: Paths,
    /// The start time.
    pub start: Paths,
    /// The end time.
    pub end: Paths,
    /// The word for its outcome.
    pub status: Paths,
    /// The error.
    pub error: Paths,
    /// Token counts: an object, or absent if they are in the record itself.
    pub counts: Paths,
    /// The cost.
    pub cost: Paths,
    /// The input.
    pub input: Paths,
    /// The output.
    pub output: Paths,
    /// Attributes of OpenTelemetry that are stored with the step.
    pub attributes: Paths,
    /// Facts about the run.
    pub facts: Labels,
    /// Short values that an opened row shows.
    pub fields: Labels,
    /// Values that an opened row shows.
    pub values: Titles,
}

impl Shape {
    /// No paths.
    pub const NONE: Self = Self {
        run: &[],
        id: &[],
        parent: &[],
        name: &[],
        kind: &[],
        model: &[],
        start: &[],
        end: &[],
        status: &[],
        error: &[],
        counts: &[],
        cost: &[],
        input: &[],
        output: &[],
        attributes: &[],
        facts: &[],
        fields: &[],
        values: &[],
    };

    /// Reads a record.
    #[must_use]
    pub fn step<'a>(&'static self, record: Json<'a>) -> Step<'a> {
        let counts = record.any(self.counts);
        let counted = counts.or(record);
        let kind = record.any(self.kind).label();
        Step {
            shape: self,
            record,
            kind: kind_of_word(&kind),
            run: record.any(self.run),
            id: record.any(self.id),
            parent: record.any(self.parent),
            name: record.any(self.name),
            model: record.any(self.model),
            start: time_of(record.any(self.start)),
            end: time_of(record.any(self.end)),
            took: MaybeNs::UNKNOWN,
            status: status_of(&record.any(self.status).label()),
            error: record.any(self.error),
            counts,
            usage: Flavour::of(counted).read(counted),
            input: record.any(self.input),
            output: record.any(self.output),
            attributes: record.any(self.attributes),
        }
    }
}

/// The words of all systems for the kind of a step, in lower case.
const KINDS: &[(&str, SpanKind)] = &[
    ("llm", SpanKind::Llm),
    ("generation", SpanKind::Llm),
    ("chat_model", SpanKind::Llm),
    ("response", SpanKind::Llm),
    ("tool", SpanKind::Tool),
    ("function", SpanKind::Tool),
    ("agent", SpanKind::Agent),
    ("chain", SpanKind::Step),
    ("workflow", SpanKind::Step),
    ("task", SpanKind::Step),
    ("eval", SpanKind::Step),
    ("retriever", SpanKind::Step),
    ("retrieval", SpanKind::Step),
    ("embedding", SpanKind::Step),
    ("prompt", SpanKind::Step),
    ("parser", SpanKind::Step),
    ("handoff", SpanKind::Step),
    ("mcp_tools", SpanKind::Step),
    ("evaluator", SpanKind::Evaluation),
    ("guardrail", SpanKind::Evaluation),
    ("score", SpanKind::Evaluation),
    ("scorer", SpanKind::Evaluation),
];

/// The kind that a word stands for. Any other word stands for a plain step.
#[must_use]
pub fn kind_of_word(word: &str) -> SpanKind {
    let known = KINDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
    known.map_or(SpanKind::Plain, |(_, kind)| *kind)
}

/// Adds a score that was given to a trace, or to one of its steps.
pub fn score<'a, 'd>(
    name: Json<'a>,
    value: Json<'a>,
    reason: Json<'a>,
    of: Json<'a>,
    out: &'d mut Description<'a>,
) -> &'d mut Item<'a> {
    let item = out.event(EventKind::Evaluation, name);
    item.span.parent = of;
    item.summary(value).field(FactKind::Score, value).text(reason)
}

/// The outcome of a step, from the word for it.
fn status_of(word: &str) -> Option<Status> {
    match word.to_ascii_lowercase().as_str() {
        "ok" | "success" | "successful" | "succeeded" | "completed" | "finished" => {
            Some(Status::Ok)
        }
        "error" | "errored" | "failed" | "failure" | "exception" => Some(Status::Failed),
        "cancelled" | "canceled" | "interrupted" => Some(Status::Cancelled),
        _ => None,
    }
}

/// A parsed step of a trace; see [`Shape`] for the meaning of its members.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The producer's shape of steps.
    pub shape: &'static Shape,
    /// The record from which it was read.
    pub record: Json<'a>,
    /// The kind of step.
    pub kind: SpanKind,
    /// The id of its run.
    pub run: Json<'a>,
    /// Its id.
    pub id: Json<'a>,
    /// The id of the step that it is nested in.
    pub parent: Json<'a>,
    /// Its name.
    pub name: Json<'a>,
    /// The model that was called.
    pub model: Json<'a>,
    /// The start time.
    pub start: MaybeNs,
    /// The end time.
    pub end: MaybeNs,
    /// The duration, if it is not the time between start and end.
    pub took: MaybeNs,
    /// The outcome, if the record states it.
    pub status: Option<Status>,
    /// The error.
    pub error: Json<'a>,
    /// The object with its token counts.
    pub counts: Json<'a>,
    /// Its token counts, parsed.
    pub usage: Usage,
    /// The input.
    pub input: Json<'a>,
    /// The output.
    pub output: Json<'a>,
    /// All other attributes.
    pub attributes: Json<'a>,
}

impl<'a> Step<'a> {
    /// Adds the event of the step, and the run's data if the step has no parent. Returns the item, so that more can be
    /// added.
    pub fn tell<'d>(mut self, out: &'d mut Description<'a>) -> &'d mut Item<'a> {
        self.attributes = unpacked(self.attributes, out);
        self.tell_run(out);
        let (target, name) = (self.attributes.get("target"), self.attributes.get("name"));
        let emitted = Emitted::of(self.name, target, name);
        let kind = self.kind(out);
        match emitted.as_ref().map_or(kind, |it| it.kind(kind)) {
            SpanKind::Llm => self.llm(out),
            SpanKind::Tool => self.tool(out),
            kind => self.other(kind, out),
        }
        let took = if self.took.is_known() { self.took } else { between(self.start, self.end) };
        let item = out.last().span(self.id, self.parent).starts(self.start).took(took);
        item.span_name(self.name);
        if let Some(emitted) = emitted {
            emitted.tell(item);
        }
        self.tell_rest(out)
    }

    /// Adds the end of a step whose beginning is in another record. Returns the item, so that more can be added.
    pub fn tell_end<'d>(self, out: &'d mut Description<'a>) -> &'d mut Item<'a> {
        let run = out.run(self.run);
        run.times.order_rows = true;
        let exchange = self.exchange(out);
        let asks = exchange.asks(out);
        if self.kind == SpanKind::Llm {
            exchange.tell_asked(self.id, out);
        }
        let item = out.item(What::End).span(self.id, Json::ABSENT).starts(self.end).took(self.took);
        item.usage(self.usage).summary(asks).asks(asks);
        match self.kind {
            SpanKind::Tool => {}
            _ => exchange.tell_model(item),
        }
        if self.kind == SpanKind::Tool {
            let (_, result, has_failed) = self.result(out);
            let item = out.last();
            if has_content(result) {
                item.part(Part::Result(result)).ending.status.get_or_insert(Status::Ok);
            }
            if has_failed {
                item.status(Status::Failed);
            }
        }
        self.tell_rest(out)
    }

    /// Adds the data that beginnings and ends have in common.
    fn tell_rest<'d>(self, out: &'d mut Description<'a>) -> &'d mut Item<'a> {
        out.facts(self.record, self.shape.facts);
        let parts = [self.packed(self.input, out), self.packed(self.output, out)];
        let values = self.shape.values.iter();
        let values: Vec<_> =
            values.map(|(title, path)| (*title, unpacked(self.record.get(path), out))).collect();
        let cost = self.record.any(self.shape.cost);
        let item = out.last();
        item.ending.status = match has_content(self.error) {
            true if !item.ending.status.is_some_and(Status::is_stopped) => Some(Status::Failed),
            _ => item.ending.status.or(self.status),
        };
        item.error(self.error);
        if item.what() != What::End && !item.summary_value().is_given() {
            // None of the values below describes the step.
            item.summary(Json::new("\"\""));
        }
        item.value(BlockRole::Usage, self.counts);
        if cost.number() != Some(0.0) {
            item.field(FactKind::Cost, cost);
        }
        if self.name.word().is_some_and(|name| name != item.name) && item.what() != What::End {
            item.field("Name", self.name);
        }
        item.fields(self.record, self.shape.fields);
        for (title, value) in values {
            item.value(title, value);
        }
        item.parts.extend(parts.into_iter().flatten());
        item
    }

    /// The kind of step, if the record does not state it: from the attributes, or from the output. LangGraph's tools
    /// answer with a message of a tool.
    fn kind(&self, out: &mut Description<'a>) -> SpanKind {
        if self.kind != SpanKind::Plain {
            return self.kind;
        }
        let output = unpacked(self.output, out);
        if content::unwrapped(only(output)).1.get("tool_call_id").is_given() {
            return SpanKind::Tool;
        }
        kind_of(&Attributes::read(self.attributes, out))
    }

    fn tell_run(&self, out: &mut Description<'a>) {
        let run = out.run(self.run);
        run.times.order_rows = true;
        if !self.parent.is_given() {
            run.titles.words = self.name;
            run.status = match self.status {
                _ if has_content(self.error) => Some(RunStatus::Error),
                Some(Status::Failed) => Some(RunStatus::Error),
                Some(Status::Ok) => Some(RunStatus::Ok),
                _ => None,
            };
        }
    }

    /// The input and the output, as messages if they are messages.
    fn exchange(&self, out: &mut Description<'a>) -> Exchange<'a> {
        let mut exchange = Exchange::default();
        let (input, output) = (unpacked(self.input, out), unpacked(self.output, out));
        if has_content(input) {
            exchange.add_input(input, out);
        }
        if has_content(output) {
            exchange.add_output(output, out);
        }
        if self.attributes.is_given() && (!has_content(input) || !has_content(output)) {
            let mut other = Exchange::default();
            other.read(&Attributes::read(self.attributes, out), out);
            if !has_content(input) {
                (exchange.input, exchange.raw_input) = (other.input, other.raw_input);
            }
            if !has_content(output) {
                (exchange.output, exchange.raw_output) = (other.output, other.raw_output);
            }
        }
        exchange
    }

    fn llm(&self, out: &mut Description<'a>) {
        let exchange = self.exchange(out);
        let asks = exchange.asks(out);
        let joins = if self.id.is_given() { Joins::Id(self.id) } else { Joins::Nothing };
        let model = self.model.or(self.name);
        exchange.tell_asked(self.id, out);
        let item = out.item(What::Model).joins(joins).usage(self.usage);
        (item.row.asks, item.row.has_rest) = (asks, true);
        exchange.tell_model(item.name(model));
    }

    /// The input or the output of a tool call, without its wrappers.
    fn side(&self, value: Json<'a>, names: &[&str], out: &mut Description<'a>) -> Json<'a> {
        let value = match has_content(value) {
            true => value,
            false => Attributes::read(self.attributes, out).find(names),
        };
        let value = unpacked(value, out);
        let inner = unpacked(only(value), out);
        unpacked(only(content::unwrapped(inner).1), out)
    }

    /// The result of a call: the id of the call, the value, and whether it is an error.
    fn result(&self, out: &mut Description<'a>) -> (Json<'a>, Json<'a>, bool) {
        let output = self.side(self.output, RESULT, out);
        let id = output.get("tool_call_id");
        match id.is_given() {
            true => (id, output.get("content"), output.get("status").is("error")),
            false => (id, output, output.get("isError").is_true()),
        }
    }

    fn tool(&self, out: &mut Description<'a>) {
        let input = self.side(self.input, ARGUMENTS, out);
        let tool = Attributes::read(self.attributes, out).find(TOOL_NAME).given();
        let (id, result, has_failed) = self.result(out);
        let ended = self.end.is_known() || self.took.is_known();
        let item = out.call(id, tool.unwrap_or(self.name), input).usage(self.usage);
        if has_content(result) {
            item.part(Part::Result(result));
        } else if ended || self.status.is_some() {
            item.status(self.status.unwrap_or(Status::Unknown));
        }
        if has_failed {
            item.status(Status::Failed);
        }
    }

    fn other(&self, kind: SpanKind, out: &mut Description<'a>) {
        let exchange = self.exchange(out);
        let what = match kind {
            SpanKind::Agent => What::Event(EventKind::Agent),
            SpanKind::Evaluation => What::Event(EventKind::Evaluation),
            SpanKind::Step => What::Event(EventKind::Span),
            _ => What::Span,
        };
        let name = self.name.label();
        exchange.tell(out.item(what).name(name).usage(self.usage));
    }

    /// The other members of a request in a string, besides its messages, because nothing else shows them.
    fn packed(&self, value: Json<'a>, out: &mut Description<'a>) -> Vec<Part<'a>> {
        const SHOWN: &[&str] =
            &["messages", "system", "choices", "candidates", "generations", "contents"];
        let inner = unpacked(value, out);
        let is_request = SHOWN.iter().any(|key| inner.get(key).is_given());
        if value.kind() != Kind::String || inner.kind() != Kind::Object || !is_request {
            return Vec::new();
        }
        let others =
            inner.members().filter(|(key, it)| !SHOWN.contains(&key.as_ref()) && has_content(*it));
        others.map(|(key, it)| Part::Field(key.into(), it)).collect()
    }
}

/// The JSON inside a string, even if that is again a string with JSON in it.
pub fn unpacked<'a>(value: Json<'a>, out: &mut Description<'a>) -> Json<'a> {
    let mut value = value;
    for _ in 0..3 {
        let inner = out.unpack(value);
        if !inner.raw().starts_with("\"\\\"") {
            return inner;
        }
        let text = out.text(inner);
        if !is_json(text) {
            return inner;
        }
        value = Json::new(text);
    }
    value
}

/// The only value in an object, if its key carries no information.
fn only(value: Json<'_>) -> Json<'_> {
    let mut members = value.members();
    match (members.next(), members.next()) {
        (Some((key, inner)), None) if matches!(key.as_ref(), "input" | "output" | "result") => {
            inner
        }
        _ => value,
    }
}
