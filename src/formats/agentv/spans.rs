//! `agentv.trace.v1`: one document of OpenTelemetry spans for one test.
//!
//! Values that the producer does not know are inherited: a chat or a tool without times of its own gets those of the
//! root, and the tokens of the run are on the last chat and on the root. Neither is used beyond what it means.

use super::grading;
use super::keys::Keys;
use super::messages::{error, error_type, message, only_text, words_in};
use super::run::{Facts, NAMES, facts, status_of, totals};
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::{EventKind, FactKind, MaybeNs, RunNote, RunStatus, Status, Usage};
use traceloupe_engine::fields::between;
use traceloupe_engine::kit::{Description, Joins, Lent, Order, Part, has_content, time_of};

/// Whether a record is a span.
fn is_span(record: &Keys<'_>) -> bool {
    record.at("span_id").word().is_some()
}

/// The kind of event that a span stands for.
fn kind(span: &Keys<'_>) -> EventKind {
    let attributes = span.inner("attributes");
    let operation = attributes.at("gen_ai.operation.name|openinference.span.kind").text();
    match operation.as_deref() {
        Some("execute_tool" | "TOOL") => EventKind::ToolCall,
        Some("chat" | "text_completion" | "generate_content" | "LLM") => EventKind::LlmCall,
        _ if span.at("parent_span_id").word().is_none() => EventKind::RunStart,
        _ => EventKind::Agent,
    }
}

/// When a span began and ended.
fn times(span: &Keys<'_>) -> (MaybeNs, MaybeNs) {
    let time = |paths| time_of(span.at(paths));
    (time("start_time_unix_nano|start_time"), time("end_time_unix_nano|end_time"))
}

fn status(span: &Keys<'_>) -> Option<Status> {
    match span.at("status.code").text()?.as_ref() {
        "OK" | "STATUS_CODE_OK" => Some(Status::Ok),
        "ERROR" | "STATUS_CODE_ERROR" => Some(Status::Failed),
        _ => None,
    }
}

/// The usage that a span reports.
fn usage(span: &Keys<'_>) -> Usage {
    let attributes = span.inner("attributes");
    let of = |keys| attributes.at(keys).count();
    Usage {
        input: of("gen_ai.usage.input_tokens|llm.token_count.prompt"),
        output: of("gen_ai.usage.output_tokens|llm.token_count.completion"),
        reasoning: of("gen_ai.usage.reasoning.output_tokens|gen_ai.usage.reasoning_tokens"),
        ..Usage::default()
    }
}

/// The number of the message that a chat span stands for.
fn index(span: &Keys<'_>) -> Option<u64> {
    let index = span.inner("attributes").at("agentv.message.index").count();
    index.filter(|_| kind(span) == EventKind::LlmCall)
}

/// The messages on the root span, with their numbers, in their order.
fn spoken<'a>(root: &Keys<'a>) -> Vec<(u64, Json<'a>)> {
    let mut found = Vec::new();
    for event in root.at("events").items() {
        let attributes = event.field("attributes");
        let index = attributes.field("agentv.transcript.message.index").count();
        let words = attributes.field("agentv.transcript.message").given();
        found.extend(index.zip(words));
    }
    traceloupe_core::sorting::sort_by_key(&mut found, |(index, _)| *index);
    found
}

/// Describes the document around the spans: the run, its start, and the messages beside the spans.
pub(super) fn document<'a>(document: &Keys<'a>, out: &mut Description<'a>) {
    let told: Facts = &[
        (FactKind::Provider, "source.provider"),
        (FactKind::Other("Session"), "source.session_id"),
        (FactKind::TraceId, "trace.trace_id"),
        (FactKind::Other("Redaction"), "capture.redaction_level"),
    ];
    out.run(document.at("trace.trace_id|artifact_id"));
    facts(&document.inner("eval"), NAMES, out);
    facts(document, told, out);
    for warning in document.at("conversion_warnings").items() {
        let words = warning.word().unwrap_or(warning.raw().into());
        out.run.about.notes.push(RunNote::AgentvWarned(words.into_owned()));
    }
    let list = document.list("trace.spans").or(document.list("spans")).unwrap_or_default();
    let spans: Vec<Keys<'a>> = list.items().map(Keys::new).filter(is_span).collect();
    let root_id = document.at("trace.root_span_id").word();
    let is_root = |it: &&Keys<'a>| root_id.is_some() && it.at("span_id").word() == root_id;
    let is_outer = |it: &&Keys<'a>| it.at("parent_span_id").word().is_none();
    match spans.iter().find(is_root).or_else(|| spans.iter().find(is_outer)) {
        Some(root) => run_start(root, &spans, out),
        None => drop(out.note("trace")),
    }
    out.after_list();
    if !grading::graders(document).is_empty() {
        grading::describe(document, out);
    }
    out.items.iter_mut().for_each(|item| item.row.has_rest = false);
}

/// The run's data on its root span.
fn run_start<'a>(root: &Keys<'a>, spans: &[Keys<'a>], out: &mut Description<'a>) {
    let told: Facts = &[
        (FactKind::Suite, "agentv.suite"),
        (FactKind::Test, "agentv.test_id"),
        (FactKind::Target, "agentv.target"),
        (FactKind::Attempt, "agentv.attempt"),
        (FactKind::Other("Execution status"), "agentv.execution_status"),
        (FactKind::Other("Failure stage"), "agentv.failure_stage"),
        (FactKind::Other("Failure reason"), "agentv.failure_reason_code"),
    ];
    let attributes = root.inner("attributes");
    facts(&attributes, told, out);
    totals(&attributes, ["agentv.trace.duration_ms", "agentv.trace.cost_usd", ""], out);
    let (start, end) = times(root);
    let run = &mut out.run;
    (run.times.start, run.times.end, run.times.lent) = (start, end, Lent::OfRun(start, end));
    run.status = status_of(attributes.at("agentv.execution_status")).or(match status(root) {
        Some(Status::Failed) => Some(RunStatus::Error),
        Some(Status::Ok) => Some(RunStatus::Ok),
        _ => None,
    });
    // The usage is the same as on the last chat, so it is counted once.
    if !spans.iter().any(|it| kind(it) == EventKind::LlmCall && !usage(it).is_empty()) {
        run.totals.usage = usage(root);
    }
    let took = between(start, end).get().filter(|ns| *ns > 0);
    let name = attributes.at("gen_ai.agent.name").word().or_else(|| root.at("name").word());
    let item = out.event(EventKind::RunStart, name.unwrap_or_default());
    item.span(root.at("span_id"), Json::ABSENT).starts(start).took(took.into());
    item.summary(Json::new("\"\""));
    // The model's messages are the spans of chats.
    let chats: Vec<u64> = spans.iter().filter_map(|span| index(span)).collect();
    for (index, words) in spoken(root) {
        if words.kind() == Kind::Object && !chats.contains(&index) {
            let at = out.items.len();
            message(&Keys::new(words), Json::ABSENT, out);
            if let Some(item) = out.items.get_mut(at) {
                (item.span.parent, item.order) = (root.at("span_id"), Order::At(index));
            }
        }
    }
}

/// Describes a span. `false` if the record is not a span.
pub(super) fn span<'a>(span: &Keys<'a>, out: &mut Description<'a>) -> bool {
    if !is_span(span) {
        return false;
    }
    let kind = kind(span);
    let attributes = span.inner("attributes");
    let message = span.at("status.message");
    let (start, end) = times(span);
    let mut gist = message;
    let mut failure = error_type(message);
    let names = match kind {
        EventKind::ToolCall => {
            let input = attributes.at("gen_ai.tool.call.arguments");
            let output = attributes.at("gen_ai.tool.call.result");
            failure = output.get("error").given().and_then(error_type).or(failure);
            let item = out.call(Json::ABSENT, Json::ABSENT, input).status(Status::Unknown);
            if has_content(output) {
                item.part(Part::Result(output));
            }
            gist = if has_content(input) { input } else { output };
            "gen_ai.tool.name|tool.name"
        }
        EventKind::LlmCall => {
            let told = attributes.at("gen_ai.output.messages");
            let item = out.model(Vec::new(), Joins::Nothing);
            item.answer(only_text(told)).usage(usage(span));
            if has_content(told) {
                item.part(Part::Answer(told));
                gist = words_in(told);
            }
            "gen_ai.response.model|gen_ai.request.model"
        }
        kind => {
            out.event(kind, "").or_known();
            "gen_ai.agent.name"
        }
    };
    // An attribute names the model or tool better than the span: `chat gpt-5` is of `gpt-5`.
    let name = attributes.at(names).word().or_else(|| span.at("name").word());
    let item = out.last().name(name.unwrap_or_default());
    item.span(span.at("span_id"), span.at("parent_span_id")).position(index(span));
    if kind == EventKind::RunStart {
        // The document around the spans already has the messages.
        gist = Json::new("\"\"");
    } else {
        item.starts(start).took(between(start, end)).ending.status =
            status(span).or(item.ending.status);
        let failure = failure.filter(|_| item.ending.status.is_some_and(Status::is_error));
        item.ending.error = failure.unwrap_or_default().into();
    }
    item.summary(gist);
    if has_content(message) {
        item.part(Part::Error(Json::ABSENT, message, Json::ABSENT));
    }
    if kind == EventKind::RunStart {
        failures(span, out);
    }
    true
}

/// The error that ended a run is on its root span, wherever the root is in the file. The messages on the root have rows
/// of their own.
fn failures<'a>(root: &Keys<'a>, out: &mut Description<'a>) {
    out.last().row.told.extend(spoken(root).into_iter().map(|it| it.1));
    for event in root.at("events").items().filter(|it| it.get("name").is("exception")) {
        let attributes = event.field("attributes");
        let [kind, told, stack] = ["exception.type", "exception.message", "exception.stacktrace"]
            .map(|key| attributes.field(key));
        let item = error(kind.word().or_else(|| error_type(told)), told, out);
        item.parts = vec![Part::Error(kind, told, stack)];
        (item.span.parent, item.order) = (root.at("span_id"), Order::Last);
    }
}
