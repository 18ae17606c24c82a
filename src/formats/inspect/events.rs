//! The events of a sample.

use super::{evaluation, result_again};
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::{
    BlockRole, EventKind, FactKind, MaybeNs, Status, Usage, parse_time_ns,
};
use traceloupe_engine::fields::between;
use traceloupe_engine::kit::{Description, Item, Joins, Part, What, seconds_ns};
use traceloupe_engine::shapes::content;
use traceloupe_engine::tokens;

pub(super) fn describe<'a>(event: Json<'a>, out: &mut Description<'a>) {
    out.at(event.get("timestamp"));
    let at = out.items.len();
    let kind = event.get("event").label();
    let name = event.get("name").label();
    match kind.as_ref() {
        "span_begin" if event.get("type").is("tool") => {
            let item = out.item(What::CallSpan).name(name);
            item.span(event.get("id"), event.get("parent_id")).field("Span", event.get("id"));
        }
        "span_begin" => {
            let label = label_of(event);
            let kind = match event.get("type").is("agent") {
                true => EventKind::Agent,
                false => EventKind::Span,
            };
            out.event(kind, label)
                .span(event.get("id"), event.get("parent_id"))
                .summary(Json::new(UNTOLD))
                .fields(event, &[("Name", "name"), ("Type", "type")]);
        }
        "span_end" => drop(out.item(What::End).span(event.get("id"), Json::ABSENT)),
        // Logs before May 2025 have steps without ids.
        "step" if event.get("action").is("begin") => {
            let label = label_of(event);
            out.event(EventKind::Span, label)
                .opens()
                .summary(Json::new(UNTOLD))
                .fields(event, &[("Name", "name"), ("Type", "type")]);
        }
        "step" => {
            let label = label_of(event);
            out.item(What::End).name(label);
        }
        "subtask" => {
            out.event(EventKind::Agent, label_of(event))
                .value(BlockRole::Input, event.get("input"))
                .value(BlockRole::Result, event.get("result"));
            out.encloses_list();
        }
        "model" => return model(event, out),
        "tool" => tool(event, out),
        "sample_init" => input(event.get("sample.input"), out),
        "input" => drop(out.item(What::User).text(event.get("input"))),
        "state" | "store" => {
            out.event(EventKind::State, kind.clone()).value("Changes", event.get("changes"));
        }
        "score" => {
            let scorer = event.get("scorer").label();
            let name = out.keep(if scorer.is_empty() { "score" } else { &scorer });
            evaluation(name, event.get("score"), out).fields(
                event,
                &[(FactKind::Target, "target"), (FactKind::Other("Intermediate"), "intermediate")],
            );
        }
        "error" => drop(out.event(EventKind::Error, "error").error(event.get("error"))),
        "sample_limit" => {
            let limit = event.get("type").label();
            out.note(format!("limit: {limit}"))
                .status(Status::Cancelled)
                .text(event.get("message"))
                .field("Limit", event.get("limit"));
        }
        "compaction" => drop(out.event(EventKind::Compaction, "compaction")),
        "sandbox" => sandbox(event, out),
        "logger" => {
            let level = event.get("message.level").label();
            out.note(level).text(event.get("message.message"));
        }
        "info" => {
            let source = event.get("source").label();
            let label = if source.is_empty() { "info".into() } else { source };
            out.note(label).value("Data", event.get("data"));
        }
        "approval" => {
            let decision = event.get("decision").label();
            out.note(format!("approval: {decision}"))
                .summary(event.get("message"))
                .value("Call", event.get("call"));
        }
        kind => drop(out.note(kind.replace('_', " "))),
    }
    let uuid = event.get("uuid");
    if let Some(item) = out.items.get_mut(at) {
        item.took(took(event));
        nest(item, event);
        if !item.id.is_given() {
            item.id = uuid;
        }
    }
}

/// Nests an event in its span, unless it is a span itself.
fn nest<'a>(item: &mut Item<'a>, event: Json<'a>) {
    if !item.span.id.is_given() && item.what() != What::End {
        item.span.parent = event.get("span_id");
    }
}

/// The summary of a row whose label is enough.
const UNTOLD: &str = "\"\"";

/// `solver: generate`, or the name alone if the type adds nothing.
fn label_of(event: Json<'_>) -> String {
    let name = event.get("name").label();
    let kind = event.get("type").label();
    match kind.is_empty() || kind == name {
        true => name.into_owned(),
        false => format!("{kind}: {name}"),
    }
}

/// The duration of an event: until its completion, or as the producer measured it.
fn took(event: Json<'_>) -> MaybeNs {
    let time = |path| MaybeNs::from(event.get(path).text().and_then(|text| parse_time_ns(&text)));
    let until = between(time("timestamp"), time("completed"));
    let measured = event.any(&["working_time", "output.time"]).number();
    if until.is_known() { until } else { seconds_ns(measured) }
}

/// An LLM call, with the results that its request contains for the first time.
fn model<'a>(event: Json<'a>, out: &mut Description<'a>) {
    let input = event.get("input");
    let messages: Vec<_> = input.items().collect();
    let last_answer = messages.iter().rposition(|message| message.get("role").is("assistant"));
    let new = messages.get(last_answer.map_or(0, |at| at + 1)..).unwrap_or_default();
    new.iter().for_each(|message| result_again(*message, out));
    let names = range_names(event.get("input_refs"), out);
    let (at, output) = (out.items.len(), event.get("output"));
    let message = output.get("choices.0.message");
    match message.is_given() {
        true => content::message(message, Joins::Nothing, out),
        false => drop(out.item(What::Model).joins(Joins::Nothing)),
    }
    let usage = output.get("usage");
    // A response from Inspect's own cache is not paid for again, and Inspect's totals leave it out.
    let is_cached = event.get("cache").is("read");
    let counts = if is_cached { Usage::default() } else { tokens::inspect(usage) };
    let Some(item) = out.items.get_mut(at) else { return };
    if !messages.is_empty() {
        item.parts.insert(0, Part::Messages(BlockRole::Request, content::messages(input)));
    }
    if !names.is_empty() {
        item.parts.insert(0, Part::Referred(BlockRole::Request, names));
    }
    // `timestamp` is the start of the call.
    item.time.has_begun = true;
    item.name(event.get("model").label())
        .id(event.get("uuid"))
        .took(took(event))
        .usage(counts)
        .value(BlockRole::Usage, usage)
        .fields(event, &[("Stop reason", "output.choices.0.stop_reason"), ("Role", "role")])
        .error(event.any(&["error", "output.error"]));
    nest(item, event);
}

/// The names of the messages in some ranges of the pool: pairs of start and end.
pub(super) fn range_names<'a>(ranges: Json<'a>, out: &Description<'a>) -> Vec<&'a str> {
    /// More than any context window can hold.
    const MAX_MESSAGES: u64 = 10_000;
    let mut names = Vec::new();
    for range in ranges.items() {
        let (start, end) = (range.item(0).count(), range.item(1).count());
        let (Some(start), Some(end)) = (start, end) else { continue };
        let numbers = start..end.min(start.saturating_add(MAX_MESSAGES));
        names.extend(numbers.map(|at| out.keep(&format!("message {at}"))));
    }
    names
}

/// A tool that ran.
fn tool<'a>(event: Json<'a>, out: &mut Description<'a>) {
    let (id, error) = (event.get("id"), event.get("error"));
    if event.get("pending").is_true() {
        out.update(id).name(event.get("function").label());
        return;
    }
    let item = out.call(id, event.get("function"), event.get("arguments"));
    item.part(Part::Result(event.any(&["result", "error.message"])))
        .field("Agent", event.get("agent"))
        .error(error);
    out.encloses_list();
}

/// The input of a sample: a text, or messages.
fn input<'a>(input: Json<'a>, out: &mut Description<'a>) {
    if input.kind() != Kind::Array {
        out.item(What::User).text(input);
        return;
    }
    input.items().for_each(|message| content::message(message, Joins::Nothing, out));
}

/// An action in the sandbox.
fn sandbox<'a>(event: Json<'a>, out: &mut Description<'a>) {
    let action = event.get("action").label();
    out.bookkeeping(format!("sandbox {action}"))
        .summary(event.any(&["cmd", "file"]))
        .value("Command", event.get("cmd"))
        .fields(event, &[("File", "file"), ("Exit code", "result")])
        .log(BlockRole::Input, event.get("input"))
        .log(BlockRole::Output, event.get("output"))
        .value("Options", event.get("options"));
}
