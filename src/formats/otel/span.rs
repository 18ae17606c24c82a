//! The data of a span, whichever program wrote it.
//!
//! The names of members differ (OTLP, the SDKs of Python and JavaScript, Jaeger, Zipkin) and do not collide, so one
//! reader handles all of them.

use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::{EventKind, FactKind, MaybeNs, RunStatus, Status, Usage};
use traceloupe_engine::kit::{
    Description, Joins, Known, Msg, Part, What, iso_duration_ns, millis_ns, seconds_ns, time_of,
};
use traceloupe_engine::shapes::gen_ai::beeai::Emitted;
use traceloupe_engine::shapes::gen_ai::dialects::{
    self, AGENT_NAME, ARGUMENTS, CALL_ID, CLAUDE_CODE_USAGE, MODEL, RESULT, SpanKind, TOOL_NAME,
};
use traceloupe_engine::shapes::gen_ai::{Attributes, plain, says_anything};
use traceloupe_engine::shapes::gen_ai::{Exchange, message};
use traceloupe_engine::shapes::step::{kind_of_word, unpacked};
use traceloupe_engine::tokens::{self, Flavour};

/// A shorter wait for approval was not for a person.
const LEAST_APPROVAL_NS: i64 = 1_000_000_000;

/// The id of the trace that a span or a log record belongs to.
pub fn trace_of(record: Json<'_>) -> Json<'_> {
    let id = record.any(&[
        "traceId",
        "trace_id",
        "traceID",
        "context.trace_id",
        "spanContext.traceId",
        "_spanContext.traceId",
        "SpanContext.TraceID",
        "TraceId",
    ]);
    id.given().unwrap_or_else(|| record.field("context.trace_id"))
}

/// The id of a span, or of the span that a log record belongs to.
pub fn span_of(record: Json<'_>) -> Json<'_> {
    let id = record.any(&[
        "spanId",
        "span_id",
        "spanID",
        "context.span_id",
        "spanContext.spanId",
        "_spanContext.spanId",
        "SpanContext.SpanID",
        "SpanId",
    ]);
    id.given().unwrap_or_else(|| record.field("context.span_id"))
}

const PARENT: &[&str] = &[
    "parentSpanId",
    "parent_span_id",
    "parentSpanContext.spanId",
    "parent_id",
    "parentId",
    "references.0.spanID",
    "parentSpanID",
    "ParentSpanId",
    "Parent.SpanID",
];

/// The attributes of a span or a log record. Some test captures consist only of attributes.
pub fn attributes_of<'a>(record: Json<'a>, out: &Description<'a>) -> Attributes<'a> {
    let written = record.any(&[
        "span_attributes",
        "attributes",
        "tags",
        "attrs",
        "SpanAttributes",
        "Attributes",
    ]);
    if written.is_absent() && record.field("context.span_id").is_given() {
        return Attributes::of_row(record, out);
    }
    let is_bare = written.is_absent() && !trace_of(record).is_given();
    Attributes::read(if is_bare { record } else { written }, out)
}

/// The start and the duration of a span.
fn times(span: Json<'_>) -> (MaybeNs, MaybeNs) {
    let start = time_of(span.any(&[
        "startTimeUnixNano",
        "start_time_unix_nano",
        "start_time",
        "startTime",
        "timestamp",
        "start_timestamp",
        "Timestamp",
        "StartTime",
        "startTimeMs",
        "start_time_ms",
        "started_at",
    ]));
    let end = time_of(span.any(&[
        "endTimeUnixNano",
        "end_time_unix_nano",
        "end_time",
        "endTime",
        "end_timestamp",
        "EndTime",
        "endTimeMs",
        "end_time_ms",
        "ended_at",
    ]));
    let between = start.get().zip(end.get()).and_then(|(start, end)| end.checked_sub(start));
    let duration = match between.filter(|ns| *ns >= 0) {
        Some(ns) => Some(ns),
        // ClickHouse and AgentOps count nanoseconds, Jaeger and Zipkin microseconds.
        None => span
            .get("Duration")
            .integer()
            .or_else(|| span.get("span_attributes").given().and(span.get("duration").integer()))
            .or_else(|| millis_ns(span.get("duration_ms")).get())
            .or_else(|| span.get("duration").integer().and_then(|us| us.checked_mul(1_000)))
            // The console exporter of JavaScript writes microseconds.
            .or_else(|| seconds_ns(span.get("duration").number().map(|us| us / 1e6)).get())
            .or_else(|| iso_duration_ns(span.get("duration")).get()),
    };
    (start, duration.into())
}

/// The outcome of a span, by its status.
fn status_of(span: Json<'_>, attributes: &Attributes<'_>) -> Option<Status> {
    let code = span.any(&[
        "status.code",
        "status.status_code",
        "statusCode",
        "status_code",
        "otel_status_code",
        "StatusCode",
        "Status.Code",
    ]);
    // Flat spans have the status as a plain word.
    let word = Some(span.get("status")).filter(|it| it.kind() == Kind::String);
    let code = code.given().or(word).unwrap_or_default();
    let code = code.given().unwrap_or_else(|| attributes.peek("otel.status_code"));
    let error = attributes.peek("error");
    match code.label().as_ref() {
        "2" | "ERROR" | "Error" | "STATUS_CODE_ERROR" => Some(Status::Failed),
        // Zipkin writes the message of the error here.
        _ if error.is_given()
            && error.word().is_none_or(|it| it != "false")
            && error != "false" =>
        {
            Some(Status::Failed)
        }
        "1" | "OK" | "Ok" | "STATUS_CODE_OK" => Some(Status::Ok),
        _ if attributes.peek("langfuse.observation.level").is("ERROR") => Some(Status::Failed),
        _ => None,
    }
}

/// Logfire writes a request with a streamed response as two spans: one that ends when the stream begins, without an
/// answer, and one of no length at the end of the stream, which has everything. Only the second one is the LLM call.
fn streamed(
    kind: SpanKind,
    status: Option<Status>,
    start: MaybeNs,
    duration: MaybeNs,
    attributes: &Attributes<'_>,
) -> (SpanKind, MaybeNs, MaybeNs) {
    const ANSWER: [&str; 4] = [
        "response_data",
        "gen_ai.output.messages",
        "gen_ai.response.id",
        "gen_ai.usage.input_tokens",
    ];
    let is_logfire = kind == SpanKind::Llm && attributes.peek("request_data").is_given();
    if !is_logfire || status == Some(Status::Failed) {
        return (kind, start, duration);
    }
    let took = seconds_ns(attributes.peek("duration").number());
    if attributes.peek("logfire.span_type").is("log") && took.is_known() {
        let began = start.get().zip(took.get()).and_then(|(end, took)| end.checked_sub(took));
        return (kind, began.into(), took);
    }
    match ANSWER.iter().any(|name| attributes.peek(name).is_given()) {
        true => (kind, start, duration),
        false => (SpanKind::Plain, start, duration),
    }
}

/// Describes a span.
pub fn describe<'a>(span: Json<'a>, out: &mut Description<'a>) {
    let mut attributes = attributes_of(span, out);
    let mut exchange = Exchange::default();
    let mut others = Vec::new();
    let mut errors = Vec::new();
    let events =
        span.any(&["events", "span_events", "annotations", "Events", "timeEvents.timeEvent"]);
    for event in events.items().chain(span.get("logs").items()) {
        take_event(event, &mut attributes, &mut exchange, &mut errors, &mut others, out);
    }
    let name = span.any(&[
        "name",
        "operationName",
        "spanName",
        "span_name",
        "SpanName",
        "Name",
        "displayName",
    ]);
    let name = name.given().unwrap_or_else(|| attributes.peek("ai.operationId"));
    let resource = [
        "resource.attributes",
        "resource._rawAttributes",
        "resource",
        "ResourceAttributes",
        "resource_attributes",
        "Resource",
    ];
    let resource = span.any(&resource);
    let resource = Attributes::read(resource, out);
    let (start, duration) = times(span);
    let status = status_of(span, &attributes);
    let parent = span.any(PARENT);
    let parent = parent.given().unwrap_or_else(|| attributes.take(&["virtual_parent.genai"]));
    // Some exporters write zeros for no parent.
    let is_root = parent.word().is_none_or(|id| id.bytes().all(|byte| byte == b'0'));
    let parent = if is_root { Json::ABSENT } else { parent };
    tell_run(span, name, is_root, status, &attributes, &resource, out);

    attributes.hide(dialects::QUIET);
    let id = span.any(&["id"]);
    let id = span_of(span).or(id);
    let kind = match dialects::kind_of(&attributes) {
        // Phoenix has the kind beside the attributes, and so do exporters of other programs.
        SpanKind::Plain => {
            let word = span.any(&["span_kind", "spanKind", "span_type"]).label();
            kind_of_word(&word)
        }
        SpanKind::Agent if name.word().is_some_and(|it| dialects::is_runnable(&it)) => {
            SpanKind::Step
        }
        kind => kind,
    };
    let (kind, start, duration) = streamed(kind, status, start, duration, &attributes);
    let emitted = Emitted::of(name, attributes.peek("target"), attributes.peek("name"));
    let kind = emitted.as_ref().map_or(kind, |it| it.kind(kind));
    match kind {
        SpanKind::Llm => llm(&attributes, exchange, id, out),
        SpanKind::Tool => tool(&attributes, exchange, name, status, duration, out),
        SpanKind::Agent | SpanKind::Evaluation | SpanKind::Step => {
            exchange.read(&attributes, out);
            let usage = usage_of(&attributes, out);
            // A plan or a search in a memory is not named like its agent.
            let is_operation =
                kind == SpanKind::Step && attributes.peek("gen_ai.operation.name").is_given();
            let agent = if is_operation { Json::ABSENT } else { attributes.take(AGENT_NAME) };
            let label = agent.or(name);
            if kind == SpanKind::Agent {
                tell_agent(label, is_root, &exchange, &attributes, out);
            }
            let what = match kind {
                SpanKind::Step => What::Event(EventKind::Span),
                SpanKind::Evaluation => What::Event(EventKind::Evaluation),
                _ => What::Event(EventKind::Agent),
            };
            let label = label.label();
            exchange.tell(out.item(what).name(label).usage(usage));
        }
        SpanKind::Plain => {
            let target = attributes.take(dialects::PLAIN_SUMMARY);
            let item = out.item(What::Span).name(name.label());
            exchange.tell(item.value("Target", target));
        }
    }
    let message = span.any(&[
        "status.message",
        "status.description",
        "status_message",
        "otel_status_message",
        "exception_message",
        "StatusMessage",
        "Status.Description",
    ]);
    let message = message.given().unwrap_or_else(|| attributes.take(&["otel.status_description"]));
    let error_type = attributes.take(&["error.type"]);
    let error = attributes.peek("error");
    let is_work = attributes.peek("span.type").is("tool.execution");
    // Claude Code has the class of the failure here.
    let error_type = if is_work { error_type.or(error) } else { error_type };
    let error_type = if status == Some(Status::Failed) && !error_type.is_given() {
        // A failed HTTP request is recognised by its status code.
        let code = attributes.peek_any(&["http.response.status_code", "http.status_code"]);
        if code.count().is_some_and(|code| code >= 400) { code } else { error_type }
    } else {
        error_type
    };
    let message = if error.kind() == Kind::String && !error.is("true") { error } else { message };
    let Some(item) = out.items.last_mut() else { return };
    item.span(id, parent).starts(start).took(duration);
    // The question of Copilot and Claude Code whether a tool may run is a span inside that of the call. Most are
    // answered by a rule.
    let is_asked = attributes.peek("github.copilot.permission.kind").is_given()
        || attributes.peek("span.type").is("tool.blocked_on_user");
    if is_asked && duration.get().is_some_and(|ns| ns >= LEAST_APPROVAL_NS) {
        item.waits_for_user();
    }
    item.span_name(name);
    if let Some(emitted) = emitted {
        emitted.tell(item);
    }
    // Some programs write a span when it begins and again when it ends, or twice. The two sides of a request share an
    // id in Zipkin.
    if item.what() != What::Model && !span.get("localEndpoint").is_given() {
        item.repeats.known = Known::Rewritten;
    }
    item.span.is_work = is_work;
    let says_failed = || attributes.peek("success").word().is_some_and(|it| it == "false");
    let status = if is_work && says_failed() { Some(Status::Failed) } else { status };
    if item.ending.status.is_none() {
        item.ending.status = status;
    }
    if status == Some(Status::Failed)
        && errors.is_empty()
        && (says_anything(message) || says_anything(error_type))
    {
        errors.push(Part::Error(error_type, message, Json::ABSENT));
    }
    if let (Some(Status::Failed), Some(Part::Error(kind, ..))) = (status, errors.first()) {
        item.ending.error = kind.label().into();
    }
    item.parts.extend(errors);
    if !item.summary_value().is_given() {
        // No single one of the attributes below makes a useful summary.
        item.summary(Json::new("\"\""));
    }
    if name.word().is_some_and(|name| name != item.name) {
        item.field("Span", name);
    }
    attributes.tell_rest(item);
    item.parts.extend(others);
    if is_root {
        // Dumps of the SDKs repeat the resource on every span.
        resource.tell_rest(item);
    }
}

/// Facts about the run in the resource of a span or a log record.
pub const SERVICE: [(FactKind<&'static str>, &str); 2] =
    [(FactKind::Other("Service"), "service.name"), (FactKind::Version, "service.version")];

/// The name of the root of each trace of the Agent Development Kit.
const ADK_ROOT: &str = "invocation";

/// The titles that the span of an agent gives to a run without a useful name. The root has what the user asked.
fn tell_agent<'a>(
    label: Json<'a>,
    is_root: bool,
    exchange: &Exchange<'a>,
    attributes: &Attributes<'a>,
    out: &mut Description<'a>,
) {
    if !is_root || attributes.peek_any(AGENT_NAME).is_given() {
        out.run.titles.agent = label;
    }
    if is_root {
        tell_first_words(exchange, out);
        // Copilot Chat has it without the context that the model also gets.
        let asked = attributes.peek("copilot_chat.user_request");
        out.run.titles.words = asked.given().unwrap_or(out.run.titles.words);
    }
}

/// The title of a run without a useful name: the first user text in the model's input.
fn tell_first_words<'a>(exchange: &Exchange<'a>, out: &mut Description<'a>) {
    let said = exchange.input.iter().find(|message| message.role == "user");
    let words = said.into_iter().flat_map(|message| &message.parts).find_map(|part| match part {
        Part::Text(words) => Some(*words),
        _ => None,
    });
    // Instructions are often given to a model as a user message.
    let is_prompt = |words: &Json<'_>| words.raw().trim_start_matches('"').starts_with("You are ");
    if let Some(words) = words.filter(|words| !is_prompt(words)) {
        out.run.titles.words = words;
    }
}

/// The data that a span has about its trace. Its name is the title if it has no parent.
fn tell_run<'a>(
    span: Json<'a>,
    name: Json<'a>,
    is_root: bool,
    status: Option<Status>,
    attributes: &Attributes<'a>,
    resource: &Attributes<'a>,
    out: &mut Description<'a>,
) {
    let run = out.run(trace_of(span));
    run.times.order_rows = true;
    // Spans of AgentOps lack the trace id; the document around them has it.
    if is_root && (run.key.is_given() || span.get("span_attributes").is_given()) {
        // The Agent Development Kit gives all roots this name. The user's text is a better title.
        run.gives_way = name.is(ADK_ROOT);
        run.titles.own = name;
        run.status = match status {
            Some(Status::Failed) => Some(RunStatus::Error),
            Some(Status::Ok) => Some(RunStatus::Ok),
            _ => None,
        };
    }
    for (label, keys) in dialects::FACTS {
        let value = attributes.take(keys);
        if value.is_given() {
            run.about.facts.push(((*label).into(), value));
        }
    }
    for (kind, key) in SERVICE {
        let value = resource.take(&[key]);
        if value.is_given() {
            run.about.facts.push((kind.into(), value));
        }
    }
}

/// Token counts.
pub fn usage_of<'a>(attributes: &Attributes<'a>, out: &mut Description<'a>) -> Usage {
    let count = |keys: &[&str]| attributes.peek_any(keys).count();
    let usage = dialects::USAGE.read_with(&count);
    // Logfire has the counts as the API wrote them, with those of cached tokens.
    let counts = out.unpack(attributes.peek("gen_ai.usage.raw"));
    let usage = Flavour::of(counts).read(counts).or(usage);
    // MLflow has all counts in one attribute.
    let counts = out.unpack(attributes.peek("mlflow.chat.tokenUsage"));
    let usage = usage.or(Flavour::of(counts).read(counts));
    // Genkit has the counts in the model's output.
    let counts = out.unpack(attributes.peek("genkit:output")).get("usage");
    let usage = usage.or(Flavour::of(counts).read(counts));
    let counts = out.unpack(attributes.peek("langfuse.observation.usage_details"));
    let usage = usage.or(tokens::langfuse(counts));
    if usage.is_empty() { CLAUDE_CODE_USAGE.read_with(&count) } else { usage }
}

fn llm<'a>(
    attributes: &Attributes<'a>,
    mut exchange: Exchange<'a>,
    id: Json<'a>,
    out: &mut Description<'a>,
) {
    exchange.read(attributes, out);
    tell_first_words(&exchange, out);
    let usage = usage_of(attributes, out);
    let mut model = attributes.take(MODEL);
    if !model.is_given()
        && attributes.peek("entity.2.type").text().is_some_and(|it| it.starts_with("model."))
    {
        model = attributes.take(&["entity.2.name"]);
    }
    let joins = if id.is_given() { Joins::Id(id) } else { Joins::Nothing };
    let asks = exchange.asks(out);
    exchange.tell_asked(id, out);
    let item = out.item(What::Model).joins(joins).usage(usage);
    (item.row.asks, item.row.has_rest) = (asks, true);
    // MLflow writes JSON into every string.
    let model = model.label();
    exchange.tell_model(item.name(model.trim_matches('"').to_owned()));
}

fn tool<'a>(
    attributes: &Attributes<'a>,
    exchange: Exchange<'a>,
    name: Json<'a>,
    status: Option<Status>,
    duration: MaybeNs,
    out: &mut Description<'a>,
) {
    let label = attributes.take(TOOL_NAME).or(name);
    let arguments = attributes.take(ARGUMENTS).or(exchange.raw_input);
    let result = attributes.take(RESULT).or(exchange.raw_output);
    // Strands has both as messages.
    let arguments = arguments.given().unwrap_or_else(|| only_value(&exchange.input));
    let result = result.given().unwrap_or_else(|| only_value(&exchange.output));
    let result = unpacked(result, out);
    let outcome = attributes.peek_any(&["gen_ai.tool.status", "tool.status"]);
    let item = out.call(attributes.peek_any(CALL_ID), label, arguments);
    if says_anything(result) {
        item.part(Part::Result(result));
    } else if duration.is_known() {
        // The call ended; only its result was not recorded.
        item.status(status.unwrap_or(Status::Unknown));
    }
    item.outcome(outcome);
    let words = item.name.strip_prefix("execute_tool ").map(ToOwned::to_owned);
    if let Some(words) = words {
        item.name(words);
    }
}

/// The value of the only part that messages have.
fn only_value<'a>(messages: &[Msg<'a>]) -> Json<'a> {
    let mut parts = messages.iter().flat_map(|message| &message.parts);
    match (parts.next(), parts.next()) {
        (Some(Part::Text(value) | Part::Result(value) | Part::Value(_, value)), None) => *value,
        _ => Json::ABSENT,
    }
}

/// Handles an event of a span: exceptions are errors, events with messages are messages, events with token counts or
/// further attributes belong to the span itself.
fn take_event<'a>(
    event: Json<'a>,
    attributes: &mut Attributes<'a>,
    exchange: &mut Exchange<'a>,
    errors: &mut Vec<Part<'a>>,
    others: &mut Vec<Part<'a>>,
    out: &mut Description<'a>,
) {
    let written = event.any(&["attributes", "fields", "Attributes", "annotation.attributes"]);
    // Patronus keeps log records on their spans.
    let is_log = event.get("severity_number").is_given();
    let log = if is_log { event.get("body") } else { Json::ABSENT };
    let own = Attributes::read(if is_log { log } else { written }, out);
    let name = event.any(&["name", "event_name", "value", "Name", "annotation.description"]);
    let name = name.given().unwrap_or_else(|| own.peek("event"));
    let word = name.label();
    // The log of an exception that is also an event is no second error.
    let is_known = is_log && !errors.is_empty();
    if !is_known && (word == "exception" || own.has("exception.")) {
        errors.push(Part::Error(
            own.take(&["exception.type"]),
            own.take(&["exception.message"]),
            own.take(&["exception.stacktrace"]),
        ));
        others.extend(own.rest().map(|(key, value)| Part::Field(key.into(), value)));
        return;
    }
    if is_log {
        let text = Some(log).filter(|it| it.kind() == Kind::String).unwrap_or_default();
        let told = [("severity_text", event.get("severity_text")), ("body", text)];
        let told = told.into_iter().filter(|(_, value)| value.is_given());
        others.extend(told.map(|(key, value)| Part::Field(key.into(), value)));
    }
    if is_log || take_message(&word, &own, exchange, out) {
        others.extend(own.rest().map(|(key, value)| Part::Field(key.into(), value)));
        return;
    }
    match word.as_ref() {
        // Monocle's token counts; messages as attributes of an event.
        "metadata"
        | "gen_ai.client.inference.operation.details"
        | "gen_ai.content.prompt"
        | "gen_ai.content.completion" => attributes.add(written, out),
        _ => {
            let body = event.get("body");
            let body = plain(body, out);
            exchange.add_input(body.get("input"), out);
            exchange.add_output(body.get("output"), out);
            let time = event.any(&["timeUnixNano", "timestamp", "time_unix_nano", "time", "Time"]);
            let is_told = body.any(&["input", "output"]).is_given();
            let value = if says_anything(body) && !is_told { body } else { written };
            let value = if says_anything(value) { value } else { time };
            others.push(Part::Field(word.into(), value));
        }
    }
}

/// Handles an event that is a message: those of OpenTelemetry 1.27 to 1.36, and Monocle's.
pub fn take_message<'a>(
    name: &str,
    event: &Attributes<'a>,
    exchange: &mut Exchange<'a>,
    out: &mut Description<'a>,
) -> bool {
    let mut take = |keys: &[&str]| out.unpack(event.take(keys));
    match name {
        "data.input" => {
            let input = take(&["input", "query"]);
            exchange.add_input(input, out);
        }
        "data.output" => {
            let output = take(&["response", "output"]);
            exchange.add_output(output, out);
        }
        "gen_ai.choice" => {
            let (content, calls) = (take(&["message", "content"]), take(&["tool_calls"]));
            exchange.output.push(message("assistant", content, calls, Json::ABSENT));
        }
        _ => {
            let role = name.strip_prefix("gen_ai.").and_then(|it| it.strip_suffix(".message"));
            let Some(role) = role else { return false };
            let (content, calls) = (take(&["content", "message"]), take(&["tool_calls"]));
            exchange.input.push(message(role, content, calls, event.peek("id")));
        }
    }
    event.hide(&["role"]);
    true
}
