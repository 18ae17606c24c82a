//! Events and runs as all shapes make them.

use std::borrow::Cow;

use super::members::{Members, is_same_name};
use crate::formats::Record;
use crate::formats::by_hand::add_facts;
use crate::formats::fields::{JsonValue, between, count, given, millis, text, time, word};
use crate::formats::shapes::exit_code::name_exit_code;
use crate::json::{Json, Kind, number};
use crate::model::{
    EventId, EventKind, Flags, LaneId, MaybeNs, NewEvent, RunId, Status, TraceBuilder, Usage,
    key_hash,
};

/// The id of the format.
pub(super) const ID: &str = "agentv";

/// Where events go: run, lane, and what they are nested in.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub run: RunId,
    pub lane: LaneId,
    pub parent: Option<EventId>,
}

impl At {
    /// The main lane of the run with a key.
    pub fn of_run(key: &str, out: &mut TraceBuilder) -> Self {
        let run = out.run(ID, key);
        Self { run, lane: out.lane(run, ""), parent: None }
    }

    /// The same, nested in an event.
    pub fn below(self, parent: EventId) -> Self {
        Self { parent: Some(parent), ..self }
    }

    /// What two files of one run call the same thing by.
    pub fn key(self, what: &str, id: &str) -> u64 {
        key_hash(&[ID, what, &self.run.index().to_string(), id])
    }
}

/// Adds an event, or a record to the event that another file of the run has under the same key.
/// Says whether the event is new.
#[inline(never)]
pub(super) fn event(
    kind: EventKind,
    at: At,
    record: &Record<'_>,
    key: Option<u64>,
    out: &mut TraceBuilder,
) -> (EventId, bool) {
    let place = record.place();
    if let Some(known) = key.and_then(|key| out.bound(key)) {
        let is_same = out.trace().event(known).is_some_and(|event| event.kind == kind);
        let source = out.trace().place_of(known).map(|place| place.span.source);
        if is_same && source != Some(place.span.source) {
            out.add_record(known, place);
            if let Some(event) = out.event_mut(known)
                && event.parent().is_none()
            {
                event.set_parent(at.parent);
            }
            return (known, false);
        }
    }
    let id = out.push(NewEvent { kind, run: at.run, lane: at.lane, place });
    if let Some(key) = key {
        out.bind(key, id);
    }
    if let Some(event) = out.event_mut(id) {
        event.set_parent(at.parent);
    }
    (id, true)
}

/// Adds what a record notes about a run.
pub(super) fn note(
    record: &Record<'_>,
    name: &str,
    told: Option<&str>,
    at: At,
    out: &mut TraceBuilder,
) -> EventId {
    let (id, is_new) = event(EventKind::Note, at, record, Some(at.key("note", name)), out);
    fill(id, name, MaybeNs::UNKNOWN, MaybeNs::UNKNOWN, out);
    if is_new {
        summary(id, record, told, out);
    }
    id
}

/// Says which bytes the summary of a new event is made of.
pub(super) fn summary(id: EventId, record: &Record<'_>, raw: Option<&str>, out: &mut TraceBuilder) {
    let told = raw.filter(|raw| !matches!(*raw, "null" | "{}" | "[]" | "\"\""));
    if let Some(span) = told.and_then(|raw| record.span_of(raw)) {
        out.set_summary(id, span.start, span.len);
    }
}

/// Sets what is not known of an event yet.
pub(super) fn fill(id: EventId, name: &str, start: MaybeNs, took: MaybeNs, out: &mut TraceBuilder) {
    let name = out.name(name);
    if let Some(event) = out.event_mut(id) {
        if event.name == crate::model::NameId::NONE {
            event.name = name;
        }
        if !event.start.is_known() {
            event.start = start;
        }
        if !event.duration.is_known() {
            event.duration = took;
        }
    }
}

/// When something began, and how long it took, as every shape may write it.
pub(super) fn times(members: &Members<'_>) -> (MaybeNs, MaybeNs) {
    let start = time(members.any(&["start_time", "started_at", "timestamp", "ts"]));
    let took = millis(members.get("duration_ms"));
    if took.is_known() {
        return (start, took);
    }
    (start, between(start, time(members.any(&["end_time", "ended_at"]))))
}

/// A tool call with its result inside, as messages, turns and trace events have it.
pub(super) struct Call<'a> {
    pub name: Cow<'a, str>,
    /// The id of the call, which a result in another record names.
    pub id: Option<Cow<'a, str>>,
    /// The id of its span, where another file has that.
    pub span_id: Option<Cow<'a, str>>,
    pub input: Option<Json<'a>>,
    pub output: Option<Json<'a>>,
    pub status: Status,
    pub error: Option<String>,
    pub start: MaybeNs,
    pub duration: MaybeNs,
}

impl<'a> Call<'a> {
    /// Takes a call apart. `None` for what is no object.
    pub fn new(value: impl JsonValue<'a>) -> Option<Self> {
        let members = Members::new(value)?;
        let function = members.object("function");
        let name = members.any(&["tool", "name", "tool_name"]).or(function.get("name"));
        let input = members
            .any_value(&["input", "arguments", "args", "parameters"])
            .or(function.value("arguments"));
        let result = members.object("result");
        let is_wrapped = members.get("type") == Some("\"tool_use\"") && members.has("result");
        let output = if is_wrapped {
            result.value("output")
        } else {
            members.any_value(&["output", "result", "response"])
        };
        let told = if is_wrapped { result.get("status") } else { members.get("status") };
        // Trace events have no place of their own for it.
        let metadata = members.object("metadata");
        let told = told.or(metadata.get("status"));
        let (start, mut duration) = times(&members);
        if !duration.is_known() {
            let told = result.get("duration_ms").or(metadata.get("duration_ms"));
            duration = millis(told);
        }
        let error = members.get("error").or(metadata.get("error"));
        let (status, error) = outcome(told, error, output);
        Some(Self {
            name: word(name).unwrap_or_default(),
            id: word(members.any(&["id", "tool_call_id"])),
            span_id: word(members.object("trace").get("span_id")),
            input,
            output,
            status,
            error,
            start,
            duration,
        })
    }

    /// Pushes the call as an event.
    pub fn push(
        &self,
        at: At,
        record: &Record<'_>,
        key: Option<u64>,
        out: &mut TraceBuilder,
    ) -> EventId {
        let (id, is_new) = event(EventKind::ToolCall, at, record, key, out);
        fill(id, &self.name, self.start, self.duration, out);
        if let Some(call_id) = &self.id {
            out.bind(at.key("call", call_id), id);
        }
        if is_new {
            let told = self.input.filter(|input| input.raw() != "\"{}\"").or(self.output);
            summary(id, record, told.map(Json::raw), out);
            set_native_id(id, self.span_id.as_deref(), out);
        }
        settle(id, self.input, self.output, self.status, self.error.as_deref(), out);
        id
    }
}

/// The id by which links find an event.
pub(super) fn set_native_id(id: EventId, native: Option<&str>, out: &mut TraceBuilder) {
    if let Some(native) = native
        && let Some(event) = out.event_mut(id)
    {
        event.id_hash = key_hash(&[native]);
    }
}

/// Sets what came of a call, where that is news.
pub(super) fn settle<'a, V: JsonValue<'a>>(
    id: EventId,
    input: Option<V>,
    output: Option<V>,
    status: Status,
    error: Option<&str>,
    out: &mut TraceBuilder,
) {
    let error = out.name(error.unwrap_or_default());
    let Some(event) = out.event_mut(id) else { return };
    if event.args_hash == 0 {
        event.args_hash = input.map_or(0, |input| input.json().fingerprint());
    }
    if event.result_hash == 0 {
        event.result_hash = output.map_or(0, |output| output.json().fingerprint());
    }
    if matches!(event.status, Status::Unknown | Status::NoResult) || status == Status::Error {
        event.status = status;
    }
    if event.status == Status::Error && event.error == crate::model::NameId::NONE {
        event.error = error;
    }
    name_exit_code(id, output, out);
}

/// How a call came out: what the producer says, else what the result looks like.
fn outcome(
    told: Option<&str>,
    error: Option<&str>,
    output: Option<Json<'_>>,
) -> (Status, Option<String>) {
    let inner = output.and_then(Members::new);
    let error = error.or(inner.as_ref().and_then(|inner| inner.get("error")));
    let error = error.filter(|raw| !matches!(*raw, "false" | "\"\"" | "{}" | "[]"));
    let own = inner.as_ref().and_then(|inner| text(inner.get("status")));
    let status = match text(told).as_deref() {
        Some("ok" | "success" | "completed") => Status::Ok,
        Some("error" | "failed" | "failure" | "timeout") => Status::Error,
        Some("cancelled" | "canceled") => Status::Cancelled,
        _ if error.is_some() || own.as_deref() == Some("error") => Status::Error,
        Some("unknown") if output.is_some() => Status::Unknown,
        _ if output.is_some() => Status::Ok,
        _ => Status::NoResult,
    };
    let kind = match text(told).as_deref() {
        Some("timeout") => Some("timeout".to_owned()),
        _ => error.and_then(error_type),
    };
    (status, kind)
}

/// The type of an error, where its message begins with one: `ENOENT: no such file`.
pub(super) fn error_type(raw: &str) -> Option<String> {
    let message = match Members::new(raw) {
        Some(error) => word(error.any(&["type", "code", "name"]))?,
        None => text(Some(raw))?,
    };
    let kind = message.split(':').next().unwrap_or_default();
    let is_type = !kind.is_empty()
        && kind.len() <= 40
        && kind.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'.' | b'-'));
    is_type.then(|| kind.to_owned())
}

/// Token counts as AgentV writes them. Cached tokens are among the input: its own sums are of input
/// and output alone.
pub(super) fn usage(tokens: Option<Json<'_>>) -> Usage {
    let Some(members) = tokens.and_then(Members::new) else { return Usage::default() };
    let input = count(members.any(&["input", "input_tokens", "prompt_tokens"]));
    let output = count(members.any(&["output", "output_tokens", "completion_tokens"]));
    let reasoning = count(members.any(&["reasoning", "reasoning_tokens"]));
    Usage { input, output, reasoning, ..Usage::default() }
}

/// The text of a message that consists of one text, as its raw string: what tells copies.
pub(super) fn only_text<'a>(content: impl JsonValue<'a>) -> Option<Json<'a>> {
    let content = content.json();
    if content.kind() == Kind::String {
        return Some(content);
    }
    let mut list = content.items();
    let only = list.next().filter(|_| list.next().is_none())?;
    Members::new(only)?.value("text").filter(|text| text.kind() == Kind::String)
}

/// Marks a message: its words, what tells it from others, whether it is an answer.
pub(super) fn words<'a>(id: EventId, content: Option<impl JsonValue<'a>>, out: &mut TraceBuilder) {
    let hash = content.and_then(only_text).map_or(0, Json::fingerprint);
    if let Some(event) = out.event_mut(id) {
        if event.result_hash == 0 {
            event.result_hash = hash;
        }
        if event.kind == EventKind::LlmCall && content.is_some_and(has_words) {
            event.flags.set(Flags::ANSWER);
        }
    }
}

/// Whether a content has any words: a string that is not empty, or a text block.
pub(super) fn has_words<'a>(content: impl JsonValue<'a>) -> bool {
    let content = content.json();
    if content.kind() == Kind::String {
        return content.raw().len() > 2;
    }
    content
        .items()
        .filter_map(Members::new)
        .any(|block| block.get("text").is_some_and(|raw| raw.starts_with('"') && raw.len() > 2))
}

/// Adds what names a run, and makes its title of that.
pub(super) fn identify(run: RunId, members: &Members<'_>, out: &mut TraceBuilder) {
    let facts = [
        ("Suite", members.any(&["suite", "dataset", "eval_set"])),
        ("Test", members.any(&["test_id", "eval_id", "eval_case_id"])),
        ("Target", members.any(&["target", "source_target"])),
        ("Attempt", members.get("attempt")),
        ("Variant", members.get("variant")),
        ("Category", members.get("category")),
        ("Experiment", members.get("experiment")),
        ("Run id", members.get("run_id")),
        ("Eval file", members.get("eval_path")),
        ("Conversation", members.get("conversation_id")),
        ("Fixture", members.get("fixture_id")),
    ];
    add_facts(run, &facts, out);
    retitle(run, out);
}

/// A title of suite, test, target and attempt, as far as they are known.
pub(super) fn retitle(run: RunId, out: &mut TraceBuilder) {
    let run = out.run_mut(run);
    let fact = |label: &str| {
        run.facts.iter().find(|(known, _)| known == label).map(|(_, value)| value.as_str())
    };
    let Some(test) = fact("Test").or(fact("Target")) else { return };
    let mut title = match fact("Suite") {
        Some(suite) if fact("Test").is_some() => format!("{suite} / {test}"),
        _ => test.to_owned(),
    };
    if let Some(target) = fact("Target").filter(|target| *target != test) {
        title.push_str(" · ");
        title.push_str(target);
    }
    // Attempts are counted from 0; the first one is nothing to talk about.
    if let Some(attempt) = fact("Attempt").filter(|attempt| *attempt != "0") {
        title.push_str(" · attempt ");
        title.push_str(attempt);
    }
    run.title = Some(title);
}

/// What the producer says of a whole run: duration, cost, tokens.
pub(super) fn run_totals(
    run: RunId,
    duration_ms: Option<&str>,
    cost_usd: Option<&str>,
    tokens: Option<Json<'_>>,
    out: &mut TraceBuilder,
) {
    let usage = usage(tokens);
    let took = millis(duration_ms);
    let known = out.run_mut(run);
    // Nothing takes no time: 0 is what is written where a run never began.
    if !known.duration.is_known() && took.get().is_some_and(|ns| ns > 0) {
        known.duration = took;
    }
    if known.usage.is_empty() {
        known.usage = usage;
    }
    if let Some(cost) = given(cost_usd).and_then(number) {
        add_fact(run, "Cost", format!("${cost}"), out);
    }
    if let (Some(input), Some(output)) = (usage.input, usage.output) {
        add_fact(run, "Tokens of the run", format!("{input} in, {output} out"), out);
    }
}

/// Adds a fact, unless its label is known.
pub(super) fn add_fact(run: RunId, label: &str, value: String, out: &mut TraceBuilder) {
    let facts = &mut out.run_mut(run).facts;
    if !value.is_empty() && !facts.iter().any(|(known, _)| known == label) {
        facts.push((label.to_owned(), value));
    }
}

/// What a summary of a trace says: `trace_summary`, and `trace` where it is an object.
pub(super) fn trace_summary(run: RunId, summary: &Members<'_>, out: &mut TraceBuilder) {
    let names = summary.value("tool_names").unwrap_or_default();
    let names: Vec<Cow<'_, str>> = names.items().filter_map(Json::word).collect();
    let counts = summary.any_value(&["tool_calls_by_name", "tool_calls"]).unwrap_or_default();
    let mut n_calls = None;
    let calls: Vec<String> = counts
        .members()
        .filter_map(|(name, value)| {
            let n = count(Some(value))?;
            n_calls = Some(n_calls.unwrap_or(0_u64).saturating_add(n));
            // Keys were rewritten by AgentV's converter, values were not.
            let name = names.iter().find(|known| is_same_name(known, &name)).unwrap_or(&name);
            Some(format!("{name} ×{n}"))
        })
        .collect();
    let known = &mut out.run_mut(run).counts;
    known.tool_calls = known.tool_calls.or(n_calls);
    known.errors = known.errors.or(count(summary.get("error_count")));
    known.llm_calls = known.llm_calls.or(count(summary.get("llm_call_count")));
    if calls.is_empty() {
        add_fact(run, "Tools", names.join(", "), out);
    } else {
        add_fact(run, "Tools", calls.join(", "), out);
    }
    let counted = [
        ("Events counted by AgentV", summary.get("event_count")),
        ("Errors counted by AgentV", summary.get("error_count")),
    ];
    add_facts(run, &counted, out);
    let of = |name| summary.get(name);
    run_totals(run, of("duration_ms"), of("cost_usd"), summary.value("token_usage"), out);
}
