//! `agentv.trace.v1`: one document of OpenTelemetry spans for one test.
//!
//! What the producer does not know it inherits: a chat or a tool without times of its own gets those
//! of the root, and the tokens of the run stand on the last chat and on the root. Neither is taken
//! for more than it says.

use rustc_hash::{FxHashMap, FxHashSet};

use super::events::{
    At, error_type, event, fill, identify, note, retitle, run_totals, set_native_id, settle,
    summary, words,
};
use super::grading;
use super::members::{Lines, Members};
use super::messages::{self, Context};
use crate::formats::Record;
use crate::formats::by_hand::add_facts;
use crate::formats::fields::{between, count, text, time, word};
use crate::formats::shapes::openai::gist;
use crate::json::Json;
use crate::model::{
    EventId, EventKind, Flags, LaneId, MaybeNs, RunStatus, SourceId, Status, TraceBuilder, Usage,
    parse_time_ns,
};

/// A span, taken apart.
pub(super) struct Span<'a> {
    pub json: Json<'a>,
    pub id: String,
    pub parent: String,
    pub members: Members<'a>,
    pub attributes: Members<'a>,
    pub start: MaybeNs,
    pub end: MaybeNs,
}

impl<'a> Span<'a> {
    /// Takes a span apart. `None` for what has no span id.
    pub fn new(json: Json<'a>) -> Option<Self> {
        let members = Members::new(json)?;
        let id = word(members.get("span_id"))?.into_owned();
        let stamp = |name: &str, other: &str| {
            let ns = word(members.get(name)).and_then(|text| {
                text.parse::<i64>().ok().filter(|ns| *ns > 0).or_else(|| parse_time_ns(&text))
            });
            ns.map_or_else(|| time(members.get(other)), MaybeNs::new)
        };
        let (start, end) =
            (stamp("start_time_unix_nano", "start_time"), stamp("end_time_unix_nano", "end_time"));
        Some(Self {
            json,
            id,
            parent: word(members.get("parent_span_id")).unwrap_or_default().into_owned(),
            attributes: members.object("attributes"),
            members,
            start,
            end,
        })
    }

    /// What the span is of.
    pub fn kind(&self) -> EventKind {
        let operation = text(self.attributes.get("gen_ai.operation.name"));
        let kind = text(self.attributes.get("openinference.span.kind"));
        match (operation.as_deref(), kind.as_deref()) {
            (Some("execute_tool"), _) | (None, Some("TOOL")) => EventKind::ToolCall,
            (Some("chat" | "text_completion" | "generate_content"), _) | (None, Some("LLM")) => {
                EventKind::LlmCall
            }
            _ => EventKind::Agent,
        }
    }

    fn status(&self) -> Status {
        match text(self.members.object("status").get("code")).as_deref() {
            Some("OK" | "STATUS_CODE_OK") => Status::Ok,
            Some("ERROR" | "STATUS_CODE_ERROR") => Status::Error,
            _ => Status::Unknown,
        }
    }

    /// The usage that the span reports.
    fn usage(&self) -> Usage {
        let of = |names: [&str; 2]| count(self.attributes.any(&names));
        Usage {
            input: of(["gen_ai.usage.input_tokens", "llm.token_count.prompt"]),
            output: of(["gen_ai.usage.output_tokens", "llm.token_count.completion"]),
            reasoning: of([
                "gen_ai.usage.reasoning.output_tokens",
                "gen_ai.usage.reasoning_tokens",
            ]),
            ..Usage::default()
        }
    }
}

/// The parts of a span's name that an attribute may tell better: `chat gpt-5` is of `gpt-5`.
fn name_of<'a>(span: &Span<'a>, kind: EventKind) -> std::borrow::Cow<'a, str> {
    let attribute = match kind {
        EventKind::ToolCall => span.attributes.any(&["gen_ai.tool.name", "tool.name"]),
        EventKind::LlmCall => {
            span.attributes.any(&["gen_ai.response.model", "gen_ai.request.model"])
        }
        _ => span.attributes.get("gen_ai.agent.name"),
    };
    word(attribute).or_else(|| word(span.members.get("name"))).unwrap_or_default()
}

/// Reads the document.
pub(super) fn read(record: &Record<'_>, source: SourceId, out: &mut TraceBuilder) {
    let Some(document) = Members::new(record.json) else { return };
    let trace = document.object("trace");
    let key = word(trace.get("trace_id")).or_else(|| word(document.get("artifact_id")));
    let own_key = format!("source {}", source.index());
    let key = key.map_or(own_key, std::borrow::Cow::into_owned);
    let at = At::of_run(&key, out);
    run_facts(at, &document, &trace, out);
    let list = trace.value("spans").or(document.value("spans")).unwrap_or_default();
    let spans: Vec<Span<'_>> = list.items().filter_map(Span::new).collect();
    let root_id = word(trace.get("root_span_id")).unwrap_or_default();
    let root = spans.iter().position(|span| span.id == root_id);
    let root = root.or_else(|| spans.iter().position(|span| span.parent.is_empty()));
    let mut reading = Reading {
        record,
        lines: Lines::new(record),
        at,
        ids: FxHashMap::default(),
        lanes: FxHashMap::default(),
        told: spans.iter().filter_map(message_index).collect(),
        root: root.and_then(|root| spans.get(root)),
    };
    let mut messages = reading.root.map(spoken).unwrap_or_default();
    messages.reverse();
    let mut has_leaf_usage = false;
    for (number, span) in spans.iter().enumerate() {
        if Some(number) == root {
            reading.root_span(span, out);
            continue;
        }
        while let Some((index, _)) = messages.last()
            && message_index(span).is_some_and(|of_span| *index < of_span)
            && let Some((index, message)) = messages.pop()
        {
            reading.message(index, message, out);
        }
        has_leaf_usage |= reading.span(span, out);
    }
    while let Some((index, message)) = messages.pop() {
        reading.message(index, message, out);
    }
    reading.nest(&spans, out);
    if let Some(root) = reading.root {
        reading.close(root, has_leaf_usage, out);
    }
    let scores = document.value("scores").unwrap_or_default().items();
    let scores: Vec<Record<'_>> = scores.map(|value| reading.lines.inner(value)).collect();
    grading::push_scores(&scores, at, out);
    if spans.is_empty() {
        note(record, "trace", None, at, out);
    }
}

fn run_facts(at: At, document: &Members<'_>, trace: &Members<'_>, out: &mut TraceBuilder) {
    identify(at.run, &document.object("eval"), out);
    let source = document.object("source");
    let facts = [
        ("Provider", source.get("provider")),
        ("Session", source.get("session_id")),
        ("Trace id", trace.get("trace_id")),
        ("Redaction", document.object("capture").get("redaction_level")),
    ];
    add_facts(at.run, &facts, out);
    retitle(at.run, out);
    for warning in document.value("conversion_warnings").unwrap_or_default().items() {
        let words = warning.word().unwrap_or(warning.raw().into());
        let note = format!("AgentV warned: {words}");
        let notes = &mut out.run_mut(at.run).notes;
        if notes.len() < 20 && !notes.contains(&note) {
            notes.push(note);
        }
    }
}

/// The number of the message that a chat span is.
fn message_index(span: &Span<'_>) -> Option<u64> {
    (span.kind() == EventKind::LlmCall)
        .then(|| count(span.attributes.get("agentv.message.index")))
        .flatten()
}

/// The messages that stand on the root, with their numbers.
fn spoken<'a>(root: &Span<'a>) -> Vec<(u64, Json<'a>)> {
    let events = root.members.value("events").unwrap_or_default().items();
    let of_event = |value: Json<'a>| {
        let event = Members::new(value)?;
        let attributes = event.object("attributes");
        let index = count(attributes.get("agentv.transcript.message.index"))?;
        Some((index, attributes.value("agentv.transcript.message")?))
    };
    let mut found: Vec<_> = events.filter_map(of_event).collect();
    crate::order::sort_by_key(&mut found, |(index, _)| *index);
    found
}

/// A document that is being read.
struct Reading<'r, 'a> {
    record: &'r Record<'a>,
    lines: Lines<'a>,
    at: At,
    ids: FxHashMap<String, EventId>,
    /// The lanes of agents below the root, by the ids of all spans in them.
    lanes: FxHashMap<String, LaneId>,
    /// The messages that spans tell of.
    told: FxHashSet<u64>,
    root: Option<&'r Span<'a>>,
}

impl<'a> Reading<'_, 'a> {
    fn root_span(&mut self, span: &Span<'a>, out: &mut TraceBuilder) {
        let inner = self.lines.inner(span.json);
        let key = Some(self.at.key("span", &span.id));
        let (id, is_new) = event(EventKind::RunStart, self.at, &inner, key, out);
        let took = between(span.start, span.end);
        let took = took.get().filter(|ns| *ns > 0).into();
        fill(id, &name_of(span, EventKind::Agent), span.start, took, out);
        if is_new {
            set_native_id(id, Some(&span.id), out);
        }
        // What stands around the spans is shown with it.
        out.add_record(id, self.record.place());
        self.ids.insert(span.id.clone(), id);
        for value in span.members.value("events").unwrap_or_default().items() {
            let Some(members) = Members::new(value) else { continue };
            if text(members.get("name")).as_deref() != Some("exception") {
                continue;
            }
            let inner = self.lines.inner(value);
            let attributes = members.object("attributes");
            let told = attributes.get("exception.message");
            let kind = word(attributes.get("exception.type")).map(std::borrow::Cow::into_owned);
            let kind = kind.or_else(|| told.and_then(error_type)).unwrap_or_default();
            let at = self.at.below(id);
            let (error, _) = event(EventKind::Error, at, &inner, None, out);
            fill(error, &kind, MaybeNs::UNKNOWN, MaybeNs::UNKNOWN, out);
            settle(error, None::<&str>, None, Status::Error, Some(&kind), out);
            summary(error, &inner, told, out);
            // It ended the run, wherever it stands in the file.
            out.put_last(error);
        }
    }

    /// A message of a person or of the system, and what no chat span tells of.
    fn message(&mut self, index: u64, message: Json<'a>, out: &mut TraceBuilder) {
        if self.told.contains(&index) {
            return;
        }
        let inner = self.lines.inner(message);
        let context = Context { index: Some(index), ..Context::default() };
        let parent = self.root.and_then(|root| self.ids.get(&root.id)).copied();
        messages::push(&inner, At { parent, ..self.at }, context, out);
    }

    /// Reads a span below the root. Returns whether it reports usage.
    fn span(&mut self, span: &Span<'a>, out: &mut TraceBuilder) -> bool {
        let kind = span.kind();
        let inner = self.lines.inner(span.json);
        let lane = self.lanes.get(&span.parent).copied();
        let name = name_of(span, kind);
        let lane = if kind == EventKind::Agent {
            let lane = out.lane(self.at.run, &span.id);
            let name = out.name(&name);
            if let Some(known) = out.lane_mut(lane) {
                known.name = name;
                known.parent = self.ids.get(&span.parent).copied();
            }
            Some(lane)
        } else {
            lane
        };
        if let Some(lane) = lane {
            self.lanes.insert(span.id.clone(), lane);
        }
        let at = At { lane: lane.unwrap_or(self.at.lane), ..self.at };
        let key = match message_index(span) {
            Some(index) => at.key("message", &index.to_string()),
            None => at.key("span", &span.id),
        };
        let (id, is_new) = event(kind, at, &inner, Some(key), out);
        self.ids.insert(span.id.clone(), id);
        if is_new {
            set_native_id(id, Some(&span.id), out);
        }
        let (start, took) = self.own_times(span);
        fill(id, &name, start, took, out);
        let starts_with_root = self.root.is_some_and(|root| root.start == span.start);
        if starts_with_root
            && start.is_known()
            && let Some(event) = out.event_mut(id)
            && event.start == start
        {
            // A duration of its own, but perhaps the root's start.
            event.flags.set(Flags::INFERRED_TIME);
        }
        self.content(id, is_new, span, kind, &inner, out);
        let usage = span.usage();
        if kind == EventKind::LlmCall && !usage.is_empty() {
            out.set_usage(id, usage);
            return true;
        }
        false
    }

    fn content(
        &self,
        id: EventId,
        is_new: bool,
        span: &Span<'a>,
        kind: EventKind,
        inner: &Record<'_>,
        out: &mut TraceBuilder,
    ) {
        let of = |name: &str| span.attributes.value(name);
        let message = span.members.object("status").get("message");
        if kind == EventKind::ToolCall {
            let (args, result) = (of("gen_ai.tool.call.arguments"), of("gen_ai.tool.call.result"));
            let own = result.and_then(Members::new).and_then(|inner| inner.get("error"));
            let error = own.and_then(error_type).or_else(|| message.and_then(error_type));
            settle(id, args, result, span.status(), error.as_deref(), out);
            if is_new {
                summary(id, inner, args.or(result).map(Json::raw), out);
            }
            return;
        }
        let told = of("gen_ai.output.messages");
        words(id, told, out);
        settle(id, None::<&str>, None, span.status(), message.and_then(error_type).as_deref(), out);
        if is_new {
            summary(id, inner, told.map(gist).or(message), out);
        }
    }

    /// The times of a span, where they are its own: those of the root are what it got for want of any.
    fn own_times(&self, span: &Span<'_>) -> (MaybeNs, MaybeNs) {
        let is_inherited =
            self.root.is_some_and(|root| root.start == span.start && root.end == span.end);
        if is_inherited {
            return (MaybeNs::UNKNOWN, MaybeNs::UNKNOWN);
        }
        (span.start, between(span.start, span.end))
    }

    /// Nests every span in its parent, which may stand behind it.
    fn nest(&self, spans: &[Span<'_>], out: &mut TraceBuilder) {
        for span in spans {
            let parent = self.ids.get(&span.parent).copied();
            let parent = parent.or_else(|| self.ids.get(&self.root?.id).copied());
            if let (Some(id), Some(parent)) = (self.ids.get(&span.id), parent.as_ref())
                && id != parent
                && let Some(event) = out.event_mut(*id)
            {
                event.set_parent(Some(*parent));
            }
        }
    }

    /// What the root says of the run.
    fn close(&self, root: &Span<'_>, has_leaf_usage: bool, out: &mut TraceBuilder) {
        let of = |name: &str| root.attributes.get(name);
        identify_by_root(self.at, root, out);
        run_totals(
            self.at.run,
            of("agentv.trace.duration_ms"),
            of("agentv.trace.cost_usd"),
            None,
            out,
        );
        let status = match (text(of("agentv.execution_status")).as_deref(), root.status()) {
            (Some("execution_error"), _) => RunStatus::Error,
            (Some("ok" | "quality_failure"), _) => RunStatus::Ok,
            (_, Status::Error) => RunStatus::Error,
            (_, Status::Ok) => RunStatus::Ok,
            _ => RunStatus::Unknown,
        };
        let usage = root.usage();
        let run = out.run_mut(self.at.run);
        if !run.start.is_known() {
            (run.start, run.end) = (root.start, root.end);
        }
        if run.status == RunStatus::Unknown {
            run.status = status;
        }
        // It is the same as on the last chat: counted once.
        if !has_leaf_usage && run.usage.is_empty() {
            run.usage = usage;
        }
    }
}

fn identify_by_root(at: At, root: &Span<'_>, out: &mut TraceBuilder) {
    let of = |name: &str| root.attributes.get(name);
    let facts = [
        ("Suite", of("agentv.suite")),
        ("Test", of("agentv.test_id")),
        ("Target", of("agentv.target")),
        ("Attempt", of("agentv.attempt")),
        ("Execution status", of("agentv.execution_status")),
        ("Failure stage", of("agentv.failure_stage")),
        ("Failure reason", of("agentv.failure_reason_code")),
    ];
    add_facts(at.run, &facts, out);
    retitle(at.run, out);
}
