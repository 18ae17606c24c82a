//! `agentv.trace.v1`: one document of OpenTelemetry spans for one test.
//!
//! What the producer does not know it inherits: a chat or a tool without times of its own gets those of the root, and
//! the tokens of the run stand on the last chat and on the root. Neither is taken for more than it says.

use std::borrow::Cow;

use super::grading;
use super::members::Members;
use super::run::{fact, facts, identify, status_of, totals};
use super::talk::{error, error_type, message, only_text, words_in};
use crate::format::fields::between;
use crate::format::kit::{Description, Joins, Lent, Part, has_content, time_of};
use crate::json::Json;
use crate::model::{EventKind, MaybeNs, RunStatus, Status, Usage};

/// A span, taken apart.
struct Span<'a> {
    id: Json<'a>,
    parent: Json<'a>,
    name: Json<'a>,
    attributes: Members<'a>,
    events: Json<'a>,
    code: Json<'a>,
    message: Json<'a>,
    start: MaybeNs,
    end: MaybeNs,
}

impl<'a> Span<'a> {
    /// Takes a span apart. `None` for what has no span id.
    fn new(members: &Members<'a>) -> Option<Self> {
        let id = members.at(&["span_id"]);
        id.word()?;
        let stamp = |name: &str, other: &str| {
            let ns = members.at(&[name]);
            match ns.integer() {
                Some(ns) if ns > 0 => MaybeNs::new(ns),
                _ => time_of(ns.given().unwrap_or(members.at(&[other]))),
            }
        };
        let status = members.object("status");
        Some(Self {
            id,
            parent: members.at(&["parent_span_id"]),
            name: members.at(&["name"]),
            attributes: members.object("attributes"),
            events: members.at(&["events"]),
            code: status.at(&["code"]),
            message: status.at(&["message"]),
            start: stamp("start_time_unix_nano", "start_time"),
            end: stamp("end_time_unix_nano", "end_time"),
        })
    }

    fn of(&self, names: &[&str]) -> Json<'a> {
        self.attributes.at(names)
    }

    /// What the span is of.
    fn kind(&self) -> EventKind {
        let operation = self.of(&["gen_ai.operation.name"]).text();
        let kind = self.of(&["openinference.span.kind"]).text();
        match (operation.as_deref(), kind.as_deref()) {
            _ if self.parent.word().is_none() && operation.is_none() && kind.is_none() => {
                EventKind::RunStart
            }
            (Some("execute_tool"), _) | (None, Some("TOOL")) => EventKind::ToolCall,
            (Some("chat" | "text_completion" | "generate_content"), _) | (None, Some("LLM")) => {
                EventKind::LlmCall
            }
            _ if self.parent.word().is_none() => EventKind::RunStart,
            _ => EventKind::Agent,
        }
    }

    fn status(&self) -> Option<Status> {
        match self.code.text()?.as_ref() {
            "OK" | "STATUS_CODE_OK" => Some(Status::Ok),
            "ERROR" | "STATUS_CODE_ERROR" => Some(Status::Error),
            _ => None,
        }
    }

    /// The usage that the span reports.
    fn usage(&self) -> Usage {
        let of = |names: &[&str]| self.of(names).count();
        Usage {
            input: of(&["gen_ai.usage.input_tokens", "llm.token_count.prompt"]),
            output: of(&["gen_ai.usage.output_tokens", "llm.token_count.completion"]),
            reasoning: of(&[
                "gen_ai.usage.reasoning.output_tokens",
                "gen_ai.usage.reasoning_tokens",
            ]),
            ..Usage::default()
        }
    }

    /// The name that an attribute tells better than the span: `chat gpt-5` is of `gpt-5`.
    fn name(&self, kind: EventKind) -> Cow<'a, str> {
        let names: &[&str] = match kind {
            EventKind::ToolCall => &["gen_ai.tool.name", "tool.name"],
            EventKind::LlmCall => &["gen_ai.response.model", "gen_ai.request.model"],
            _ => &["gen_ai.agent.name"],
        };
        self.of(names).word().or_else(|| self.name.word()).unwrap_or_default()
    }

    /// The number of the message that a chat span is.
    fn index(&self) -> Option<u64> {
        let index = self.of(&["agentv.message.index"]).count();
        index.filter(|_| self.kind() == EventKind::LlmCall)
    }

    /// The messages that stand on the root, with their numbers, in their order.
    fn spoken(&self) -> Vec<(u64, Json<'a>)> {
        let attributes = self.events.items().map(|event| event.field("attributes"));
        let of = |attributes: Json<'a>| {
            let index = attributes.field("agentv.transcript.message.index").count()?;
            Some((index, attributes.field("agentv.transcript.message").given()?))
        };
        let mut found: Vec<_> = attributes.filter_map(of).collect();
        crate::order::sort_by_key(&mut found, |(index, _)| *index);
        found
    }
}

/// Describes the document around the spans: the run, its beginning, and what was said beside the spans.
pub(super) fn document<'a>(document: &Members<'a>, out: &mut Description<'a>) {
    let trace = document.object("trace");
    let id = trace.at(&["trace_id"]);
    out.run(id.given().unwrap_or(document.at(&["artifact_id"]))).gives_way = true;
    identify(&document.object("eval"), out);
    let told: &[(_, &[&str])] = &[("Provider", &["provider"]), ("Session", &["session_id"])];
    facts(&document.object("source"), told, out);
    fact("Trace id", id, out);
    fact("Redaction", document.object("capture").at(&["redaction_level"]), out);
    let warnings = document.at(&["conversion_warnings"]);
    out.run.notes.extend(warnings.items().map(|warning| {
        let words = warning.word().unwrap_or(warning.raw().into());
        Cow::Owned(format!("AgentV warned: {words}"))
    }));
    let list = trace.list("spans").or(document.list("spans")).unwrap_or_default();
    let spans: Vec<Span<'a>> =
        list.items().filter_map(Members::new).filter_map(|it| Span::new(&it)).collect();
    let root_id = trace.at(&["root_span_id"]);
    let root = spans.iter().find(|it| root_id.is_given() && it.id.word() == root_id.word());
    let root = root.or_else(|| spans.iter().find(|it| it.parent.word().is_none()));
    if let Some(root) = root {
        run_start(root, &spans, out);
    } else {
        out.event(EventKind::Note, "trace");
    }
    out.after_list();
    grading::describe_scores(document.at(&["scores"]), out);
    out.items.iter_mut().for_each(|item| item.has_rest = false);
}

/// What the root says of the run.
fn run_start<'a>(root: &Span<'a>, spans: &[Span<'a>], out: &mut Description<'a>) {
    let told: &[(_, &[&str])] = &[
        ("Suite", &["agentv.suite"]),
        ("Test", &["agentv.test_id"]),
        ("Target", &["agentv.target"]),
        ("Attempt", &["agentv.attempt"]),
        ("Execution status", &["agentv.execution_status"]),
        ("Failure stage", &["agentv.failure_stage"]),
        ("Failure reason", &["agentv.failure_reason_code"]),
    ];
    facts(&root.attributes, told, out);
    let cost = root.of(&["agentv.trace.cost_usd"]);
    totals(root.of(&["agentv.trace.duration_ms"]), cost, Json::ABSENT, out);
    let run = &mut out.run;
    (run.start, run.end) = (root.start, root.end);
    run.lent = Lent::OfRun(root.start, root.end);
    let status = status_of(root.of(&["agentv.execution_status"]));
    run.status = status.or(match root.status() {
        Some(Status::Error) => Some(RunStatus::Error),
        Some(Status::Ok) => Some(RunStatus::Ok),
        _ => None,
    });
    // It is the same as on the last chat: counted once.
    let is_leaf = |it: &&Span<'_>| it.kind() == EventKind::LlmCall && !it.usage().is_empty();
    if !spans.iter().any(|it| is_leaf(&it)) {
        run.usage = root.usage();
    }
    let took = between(root.start, root.end).get().filter(|ns| *ns > 0);
    let item = out.event(EventKind::RunStart, root.name(EventKind::RunStart));
    item.span(root.id, Json::ABSENT).starts(root.start).took(took.into());
    item.summary(Json::new("\"\""));
    for (index, words) in root.spoken() {
        // Those of the model are the spans of chats.
        if !spans.iter().any(|span| span.index() == Some(index))
            && let Some(words) = Members::new(words)
        {
            let at = out.items.len();
            message(&words, Json::ABSENT, out);
            if let Some(item) = out.items.get_mut(at) {
                (item.parent, item.position) = (root.id, Some(index));
            }
        }
    }
}

/// Describes a span. `false` if it is none.
pub(super) fn span<'a>(members: &Members<'a>, out: &mut Description<'a>) -> bool {
    let Some(span) = Span::new(members) else { return false };
    let kind = span.kind();
    let name = span.name(kind);
    let mut gist = span.message;
    let mut failure = error_type(span.message);
    match kind {
        EventKind::ToolCall => {
            let names = ["gen_ai.tool.call.arguments", "gen_ai.tool.call.result"];
            let [input, output] = names.map(|name| span.of(&[name]));
            failure = output.get("error").given().and_then(error_type).or(failure);
            let item = out.call(Json::ABSENT, Json::ABSENT, input);
            if has_content(output) {
                item.part(Part::Result(output));
            }
            item.status(Status::Unknown);
            gist = if has_content(input) { input } else { output };
        }
        EventKind::LlmCall => {
            let told = span.of(&["gen_ai.output.messages"]);
            let parts = if has_content(told) { vec![Part::Answer(told)] } else { Vec::new() };
            out.model(parts, Joins::Nothing).answer(only_text(told)).usage(span.usage());
            gist = if has_content(told) { words_in(told) } else { span.message };
        }
        kind => drop(out.event(kind, "").or_known()),
    }
    let item = out.last().name(name).span(span.id, span.parent);
    if kind == EventKind::RunStart {
        // The document around the spans has said when.
        item.summary(Json::new("\"\""));
    } else {
        item.starts(span.start).took(between(span.start, span.end));
        item.status = span.status().or(item.status);
        item.error = failure.filter(|_| item.status == Some(Status::Error)).unwrap_or_default();
        item.summary(gist);
    }
    item.position = span.index();
    if has_content(span.message) {
        item.part(Part::Error(Json::ABSENT, span.message, Json::ABSENT));
    }
    if kind == EventKind::RunStart {
        failures(&span, out);
    }
    true
}

/// What ended a run stands on its root, wherever that is in the file. The messages on it have rows of their own.
fn failures<'a>(root: &Span<'a>, out: &mut Description<'a>) {
    for (_, words) in root.spoken() {
        out.last().told(words);
    }
    for event in root.events.items().filter(|it| it.get("name").is("exception")) {
        let attributes = event.field("attributes");
        let [kind, told, stack] = ["exception.type", "exception.message", "exception.stacktrace"]
            .map(|key| attributes.field(key));
        let item = error(kind.word().or_else(|| error_type(told)), told, out);
        item.parts = vec![Part::Error(kind, told, stack)];
        item.parent = root.id;
        item.is_last = true;
    }
}
