//! `agentv.trace.v1`: one document of OpenTelemetry spans for one test.
//!
//! What the producer does not know it inherits: a chat or a tool without times of its own gets those of the root, and
//! the tokens of the run stand on the last chat and on the root. Neither is taken for more than it says.

use std::borrow::Cow;

use super::grading;
use super::keys::Keys;
use super::run::{Facts, NAMES, facts, status_of, totals};
use super::talk::{error, error_type, message, only_text, words_in};
use crate::format::fields::between;
use crate::format::kit::{Description, Joins, Lent, Part, has_content, time_of};
use crate::json::{Json, Kind};
use crate::model::{EventKind, MaybeNs, RunStatus, Status, Usage};

/// A span, taken apart.
struct Span<'a> {
    id: Json<'a>,
    parent: Json<'a>,
    name: Json<'a>,
    attributes: Json<'a>,
    events: Json<'a>,
    code: Json<'a>,
    message: Json<'a>,
    start: MaybeNs,
    end: MaybeNs,
}

impl<'a> Span<'a> {
    /// Takes a span apart. `None` for what has no span id.
    fn new(of: Keys<'a>) -> Option<Self> {
        let id = of.at(&["span_id"]);
        id.word()?;
        Some(Self {
            id,
            parent: of.at(&["parent_span_id"]),
            name: of.at(&["name"]),
            attributes: of.at(&["attributes"]),
            events: of.at(&["events"]),
            code: of.at(&["status.code"]),
            message: of.at(&["status.message"]),
            start: time_of(of.at(&["start_time_unix_nano", "start_time"])),
            end: time_of(of.at(&["end_time_unix_nano", "end_time"])),
        })
    }

    /// The first of some attributes.
    fn of(&self, keys: &[&str]) -> Json<'a> {
        let mut values = keys.iter().map(|key| self.attributes.field(key));
        values.find(|value| value.is_given()).unwrap_or_default()
    }

    /// What the span is of.
    fn kind(&self) -> EventKind {
        let operation = self.of(&["gen_ai.operation.name", "openinference.span.kind"]).text();
        match operation.as_deref() {
            Some("execute_tool" | "TOOL") => EventKind::ToolCall,
            Some("chat" | "text_completion" | "generate_content" | "LLM") => EventKind::LlmCall,
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
        let of = |keys: &[&str]| self.of(keys).count();
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
        let keys: &[&str] = match kind {
            EventKind::ToolCall => &["gen_ai.tool.name", "tool.name"],
            EventKind::LlmCall => &["gen_ai.response.model", "gen_ai.request.model"],
            _ => &["gen_ai.agent.name"],
        };
        self.of(keys).word().or_else(|| self.name.word()).unwrap_or_default()
    }

    /// The number of the message that a chat span is.
    fn index(&self) -> Option<u64> {
        let index = self.of(&["agentv.message.index"]).count();
        index.filter(|_| self.kind() == EventKind::LlmCall)
    }

    /// The messages that stand on the root, with their numbers, in their order.
    fn spoken(&self) -> Vec<(u64, Json<'a>)> {
        let mut found = Vec::new();
        for event in self.events.items() {
            let attributes = event.field("attributes");
            let index = attributes.field("agentv.transcript.message.index").count();
            let words = attributes.field("agentv.transcript.message").given();
            found.extend(index.zip(words));
        }
        crate::order::sort_by_key(&mut found, |(index, _)| *index);
        found
    }
}

/// Describes the document around the spans: the run, its beginning, and what was said beside the spans.
pub(super) fn document<'a>(document: Keys<'a>, out: &mut Description<'a>) {
    let told: Facts = &[
        ("Provider", &["source.provider"]),
        ("Session", &["source.session_id"]),
        ("Trace id", &["trace.trace_id"]),
        ("Redaction", &["capture.redaction_level"]),
    ];
    out.run(document.at(&["trace.trace_id", "artifact_id"]));
    facts(document.inner("eval"), NAMES, out);
    facts(document, told, out);
    for warning in document.at(&["conversion_warnings"]).items() {
        let words = warning.word().unwrap_or(warning.raw().into());
        out.run.notes.push(format!("AgentV warned: {words}").into());
    }
    let list = document.list("trace.spans").or(document.list("spans")).unwrap_or_default();
    let spans: Vec<Span<'a>> = list.items().filter_map(|it| Span::new(Keys::new(it))).collect();
    let root_id = document.at(&["trace.root_span_id"]).word();
    let root = spans.iter().find(|it| root_id.is_some() && it.id.word() == root_id);
    match root.or_else(|| spans.iter().find(|it| it.parent.word().is_none())) {
        Some(root) => run_start(root, &spans, out),
        None => drop(out.note("trace")),
    }
    out.after_list();
    if !grading::graders(document).is_empty() {
        grading::describe(document, out);
    }
    out.items.iter_mut().for_each(|item| item.has_rest = false);
}

/// What the root says of the run.
fn run_start<'a>(root: &Span<'a>, spans: &[Span<'a>], out: &mut Description<'a>) {
    let told = [
        ("Suite", "agentv.suite"),
        ("Test", "agentv.test_id"),
        ("Target", "agentv.target"),
        ("Attempt", "agentv.attempt"),
        ("Execution status", "agentv.execution_status"),
        ("Failure stage", "agentv.failure_stage"),
        ("Failure reason", "agentv.failure_reason_code"),
    ];
    let told = told.map(|(label, key)| (label.into(), root.of(&[key])));
    out.run.facts.extend(told.into_iter().filter(|it| has_content(it.1)));
    let totalled = ["agentv.trace.duration_ms", "agentv.trace.cost_usd"];
    let [duration, cost] = totalled.map(|key| root.of(&[key]));
    totals([duration, cost, Json::ABSENT], out);
    let run = &mut out.run;
    (run.start, run.end) = (root.start, root.end);
    run.lent = Lent::OfRun(root.start, root.end);
    run.status = status_of(root.of(&["agentv.execution_status"])).or(match root.status() {
        Some(Status::Error) => Some(RunStatus::Error),
        Some(Status::Ok) => Some(RunStatus::Ok),
        _ => None,
    });
    // It is the same as on the last chat: counted once.
    if !spans.iter().any(|it| it.kind() == EventKind::LlmCall && !it.usage().is_empty()) {
        run.usage = root.usage();
    }
    let took = between(root.start, root.end).get().filter(|ns| *ns > 0);
    let item = out.event(EventKind::RunStart, root.name(EventKind::RunStart));
    item.span(root.id, Json::ABSENT).starts(root.start).took(took.into());
    item.summary(Json::new("\"\""));
    for (index, words) in root.spoken() {
        // Those of the model are the spans of chats.
        let is_chat = spans.iter().any(|span| span.index() == Some(index));
        if !is_chat && words.kind() == Kind::Object {
            let at = out.items.len();
            message(Keys::new(words), Json::ABSENT, out);
            if let Some(item) = out.items.get_mut(at) {
                (item.parent, item.position) = (root.id, Some(index));
            }
        }
    }
}

/// Describes a span. `false` if it is none.
pub(super) fn span<'a>(record: Keys<'a>, out: &mut Description<'a>) -> bool {
    let Some(span) = Span::new(record) else { return false };
    let kind = span.kind();
    let mut gist = span.message;
    let mut failure = error_type(span.message);
    match kind {
        EventKind::ToolCall => {
            let input = span.of(&["gen_ai.tool.call.arguments"]);
            let output = span.of(&["gen_ai.tool.call.result"]);
            failure = output.get("error").given().and_then(error_type).or(failure);
            let item = out.call(Json::ABSENT, Json::ABSENT, input).status(Status::Unknown);
            if has_content(output) {
                item.part(Part::Result(output));
            }
            gist = if has_content(input) { input } else { output };
        }
        EventKind::LlmCall => {
            let told = span.of(&["gen_ai.output.messages"]);
            let item = out.model(Vec::new(), Joins::Nothing);
            item.answer(only_text(told)).usage(span.usage());
            if has_content(told) {
                item.part(Part::Answer(told));
                gist = words_in(told);
            }
        }
        kind => drop(out.event(kind, "").or_known()),
    }
    let item = out.last().name(span.name(kind)).span(span.id, span.parent);
    if kind == EventKind::RunStart {
        // The document around the spans has said when.
        item.summary(Json::new("\"\""));
    } else {
        item.starts(span.start).took(between(span.start, span.end)).summary(gist);
        item.status = span.status().or(item.status);
        item.error = failure.filter(|_| item.status == Some(Status::Error)).unwrap_or_default();
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
