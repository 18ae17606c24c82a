//! The index pass over spans.

use std::borrow::Cow;

use crate::formats::Record;
use crate::formats::agentdbg::{
    Identity, Index, OpenAiSpan, REDACTED, add_facts, end_status, set_shape, set_summary,
};
use crate::formats::fields::{JsonValue, between, count, fields, given, millis, text, time, word};
use crate::formats::shapes::exit_code::name_exit_code;
use crate::json::Json;
use crate::model::{
    EventId, EventKind, MaybeNs, NameId, Place, RunId, Status, TraceBuilder, Usage,
};

/// The fields of a span, raw.
#[derive(Clone, Copy)]
pub(super) struct Span<'a> {
    pub trace_id: Option<Json<'a>>,
    pub span_id: Option<Json<'a>>,
    pub parent_id: Option<Json<'a>>,
    pub name: Option<Json<'a>>,
    pub start: Option<Json<'a>>,
    pub end: Option<Json<'a>>,
    pub duration: Option<Json<'a>>,
    pub attributes: Json<'a>,
    pub events: Option<Json<'a>>,
    pub status: Option<Json<'a>>,
}

impl<'a> Span<'a> {
    /// Takes a record apart. `None` if it is no span.
    pub fn new(record: impl JsonValue<'a>) -> Option<Self> {
        let keys = [
            "trace_id",
            "span_id",
            "parent_span_id",
            "name",
            "start_time",
            "end_time",
            "duration_ms",
            "attributes",
            "events",
            "status_code",
            "event_type",
        ];
        let [
            trace_id,
            span_id,
            parent_id,
            name,
            start,
            end,
            duration,
            attributes,
            events,
            status,
            event_type,
        ] = fields(record.json(), keys)?;
        if span_id.is_none() || event_type.is_some() || (attributes.is_none() && start.is_none()) {
            return None;
        }
        let attributes = attributes.unwrap_or_else(|| Json::new("{}"));
        let parent_id = given(parent_id).filter(|raw| *raw != "\"\"");
        Some(Self {
            trace_id,
            span_id,
            parent_id,
            name,
            start,
            end,
            duration,
            attributes,
            events,
            status,
        })
    }

    /// The kind of the event, by the order in which the producer's own `derive_span_type` asks.
    pub fn kind(&self) -> EventKind {
        let keys = [
            "gen_ai.system",
            "gen_ai.provider.name",
            "gen_ai.operation.name",
            "maida.tool_name",
            "gen_ai.tool.name",
            "maida.event_type",
            "maida.error_type",
            "maida.run_name",
        ];
        let [system, provider, operation, tool, gen_ai_tool, event_type, error, run_name] =
            fields(self.attributes, keys).unwrap_or_default();
        // Other emitters of OpenTelemetry spans name agents and tools by the operation.
        let by_operation = match text(operation).as_deref() {
            Some("execute_tool") => Some(EventKind::ToolCall),
            Some("invoke_agent" | "create_agent") => Some(EventKind::Agent),
            Some(_) => Some(EventKind::LlmCall),
            None => None,
        };
        let call = if let Some(kind) = by_operation {
            Some(kind)
        } else if system.is_some() || provider.is_some() {
            Some(EventKind::LlmCall)
        } else if tool.is_some() || gen_ai_tool.is_some() {
            Some(EventKind::ToolCall)
        } else {
            None
        };
        // A call that stands alone has no parent either, but is no run.
        if self.parent_id.is_none() && (call.is_none() || run_name.is_some()) {
            return EventKind::RunStart;
        }
        let name = text(self.name).unwrap_or_default();
        match call {
            Some(kind) => kind,
            None if name == "state" => EventKind::State,
            None if name == "loop_warning" => EventKind::LoopWarning,
            None if text(event_type).as_deref() == Some("LOOP_WARNING") => EventKind::LoopWarning,
            None if error.is_some() => EventKind::Error,
            None => EventKind::Agent,
        }
    }

    /// The span events: name, time, attributes; raw but for the name.
    pub fn span_events(&self) -> impl Iterator<Item = (Cow<'a, str>, Option<Json<'a>>, Json<'a>)> {
        self.events.unwrap_or_default().items().map(|raw| {
            let keys = ["name", "timestamp", "attributes"];
            let [name, time, attributes] = fields(raw, keys).unwrap_or_default();
            let attributes = attributes.unwrap_or_else(|| Json::new("{}"));
            (text(name).unwrap_or_default(), time, attributes)
        })
    }

    /// How long it took, where that is known. Maida opens the span of a call when the call is
    /// *recorded*, so its 0 ms say nothing; roots and other emitters (fixtures, imports) measure.
    fn measured(&self) -> MaybeNs {
        const MILLISECOND: i64 = 1_000_000;
        let apart = between(time(self.start), time(self.end));
        let told = millis(self.duration);
        match (apart.get(), told.get()) {
            (Some(ns), _) if ns >= MILLISECOND => apart,
            (_, Some(ns)) if ns > 0 => told,
            _ => MaybeNs::UNKNOWN,
        }
    }
}

/// A span event of a root that is an event of its own. Held back until the source ends: where the
/// root stands first in the file, what it says at its end would stand before the calls.
pub(super) struct OnRoot {
    trace_id: String,
    span_id: String,
    kind: EventKind,
    start: MaybeNs,
    selector: u32,
    name: String,
    summary: Option<Place>,
    place: Place,
}

/// Reads a record as a span. `false` if it is none. What stands on a root is added to `on_root`.
pub(super) fn read(
    index: &mut Index,
    record: &Record<'_>,
    on_root: &mut Vec<OnRoot>,
    out: &mut TraceBuilder,
) -> bool {
    let Some(span) = Span::new(record.json) else { return false };
    let kind = span.kind();
    let [meta] = fields(span.attributes, ["maida.meta"]).unwrap_or_default();
    let meta = text(meta).unwrap_or_default();
    let mut real = OpenAiSpan::of_meta(Some(&meta));
    if !real.duration.is_known() {
        real.duration = span.measured();
    }
    let (trace_id, span_id, parent_id) = (
        word(span.trace_id).unwrap_or_default(),
        word(span.span_id).unwrap_or_default(),
        word(span.parent_id).unwrap_or_default(),
    );
    let identity = Identity {
        run: &trace_id,
        id: &span_id,
        parent: &parent_id,
        kind,
        start: if real.start.is_known() { real.start } else { time(span.start) },
    };
    if let Some(id) = index.push(&identity, record.place(), out) {
        index.finish_event(id, record, Some(&real), out);
        fill(id, &span, kind, record, out);
    }
    if kind != EventKind::RunStart {
        return true;
    }
    for (at, (name, stamp, attributes)) in span.span_events().enumerate() {
        let kind = match name.as_ref() {
            "exception" => EventKind::Error,
            "maida.loop.warning" => EventKind::LoopWarning,
            "state" => EventKind::State,
            _ => continue,
        };
        let (name, summary) = point(kind, attributes);
        on_root.push(OnRoot {
            trace_id: trace_id.clone().into_owned(),
            span_id: span_id.clone().into_owned(),
            kind,
            start: time(stamp),
            // Which of the root's span events: counted from 1, for 0 is the span itself.
            selector: u32::try_from(at + 1).unwrap_or(u32::MAX),
            name: name.into_owned(),
            summary: summary
                .filter(|value| record.span_of(value.raw()).is_some())
                .map(|value| record.inner(value).place()),
            place: record.place(),
        });
    }
    true
}

/// Adds what stood on the roots, nested in them.
pub(super) fn add_on_root(index: &mut Index, on_root: &mut Vec<OnRoot>, out: &mut TraceBuilder) {
    for point in on_root.drain(..) {
        let identity = Identity {
            run: &point.trace_id,
            id: &point.span_id,
            parent: &point.span_id,
            kind: point.kind,
            start: point.start,
        };
        let Some(id) = index.push(&identity, point.place, out) else { continue };
        if let Some(event) = out.event_mut(id) {
            event.selector = point.selector;
        }
        fill_point(id, point.kind, &point.name, out);
        if let Some(place) = point.summary {
            out.set_summary(id, place.span.start, place.span.len);
        }
    }
}

/// The name and the raw summary of an event without duration: an error, a loop warning, a state.
fn point(kind: EventKind, attributes: Json<'_>) -> (Cow<'_, str>, Option<Json<'_>>) {
    let keys = ["maida.error_type", "exception.type", "pattern"];
    let [error, exception, pattern] = fields(attributes, keys).unwrap_or_default();
    let keys = ["maida.error_message", "exception.message", "state", "diff"];
    let [message, exception_message, state, diff] = fields(attributes, keys).unwrap_or_default();
    let (name, summary) = match kind {
        EventKind::Error => {
            (word(error).or_else(|| word(exception)), given(message).or(given(exception_message)))
        }
        EventKind::LoopWarning => (word(pattern), given(pattern)),
        _ => (Some(Cow::Borrowed("state")), given(state).or(given(diff))),
    };
    (name.unwrap_or_default(), summary)
}

fn fill_point(id: EventId, kind: EventKind, name: &str, out: &mut TraceBuilder) {
    let name = out.name(name);
    if let Some(event) = out.event_mut(id) {
        event.name = name;
        if kind == EventKind::Error {
            event.error = name;
            event.status = Status::Error;
        }
    }
}

fn fill(
    id: EventId,
    span: &Span<'_>,
    kind: EventKind,
    record: &Record<'_>,
    out: &mut TraceBuilder,
) {
    match kind {
        EventKind::LlmCall => llm_call(id, span, record, out),
        EventKind::ToolCall => tool_call(id, span, record, out),
        EventKind::State | EventKind::LoopWarning | EventKind::Error => {
            let found = match kind {
                EventKind::State => span.span_events().find(|(name, ..)| name == "state"),
                EventKind::LoopWarning => {
                    span.span_events().find(|(name, ..)| name == "maida.loop.warning")
                }
                _ => None,
            };
            let attributes = found.map_or(span.attributes, |(.., attributes)| attributes);
            let (name, summary) = point(kind, attributes);
            fill_point(id, kind, &name, out);
            set_summary(id, record, summary, out);
        }
        EventKind::RunStart => run_start(id, span, record, out),
        _ => {
            named(id, text(span.name).unwrap_or_default(), out);
            failure(id, span, out);
            set_summary(id, record, Some(span.attributes), out);
        }
    }
}

fn llm_call(id: EventId, span: &Span<'_>, record: &Record<'_>, out: &mut TraceBuilder) {
    let keys = [
        "gen_ai.request.model",
        "gen_ai.response.model",
        "gen_ai.usage.input_tokens",
        "gen_ai.usage.output_tokens",
        "gen_ai.usage.total_tokens",
        "maida.error_message",
    ];
    let [asked, answered, input, output, total, message] =
        fields(span.attributes, keys).unwrap_or_default();
    let model = word(asked).or_else(|| word(answered)).or_else(|| word(span.name));
    named(id, model.unwrap_or_default(), out);
    failure(id, span, out);
    let is_redacted = |value: &Option<Json<'_>>| text(*value).as_deref() == Some(REDACTED);
    out.set_usage(
        id,
        Usage {
            input: count(input),
            output: count(output),
            redacted: [input, output, total].iter().any(is_redacted),
            ..Usage::default()
        },
    );
    let (mut prompt, mut response) = (None, None);
    for (name, _, attributes) in span.span_events() {
        let [content] = fields(attributes, ["content"]).unwrap_or_default();
        match name.as_ref() {
            "gen_ai.user.message" => prompt = given(content),
            "gen_ai.assistant.message" => response = given(content),
            _ => {}
        }
    }
    hashes(id, prompt, response, out);
    set_summary(id, record, response.or(prompt).or(given(message)), out);
}

fn tool_call(id: EventId, span: &Span<'_>, record: &Record<'_>, out: &mut TraceBuilder) {
    let keys = ["maida.tool_name", "gen_ai.tool.name", "maida.error_message"];
    let [tool, gen_ai_tool, message] = fields(span.attributes, keys).unwrap_or_default();
    let name = text(tool).or_else(|| text(gen_ai_tool)).or_else(|| text(span.name));
    named(id, name.unwrap_or_default(), out);
    failure(id, span, out);
    let (mut args, mut result) = (None, None);
    for (name, _, attributes) in span.span_events() {
        match name.as_ref() {
            "maida.tool.args" => args = fields(attributes, ["args"]).and_then(|[it]| given(it)),
            "maida.tool.result" => {
                result = fields(attributes, ["result"]).and_then(|[it]| given(it));
            }
            _ => {}
        }
    }
    hashes(id, args, result, out);
    name_exit_code(id, result, out);
    // The structure is that of the value that was passed, so the string around it is taken off
    // once; arguments that were a string to begin with stay one.
    let passed = args.map(|args| args.text().unwrap_or(args.raw().into()));
    set_shape(id, passed.as_deref().filter(|raw| *raw != "null"), out);
    let told = args.filter(|raw| *raw != "\"{}\"");
    set_summary(id, record, told.or(result).or(given(message)).or(args), out);
}

fn run_start(id: EventId, span: &Span<'_>, record: &Record<'_>, out: &mut TraceBuilder) {
    let keys = [
        "maida.run_name",
        "maida.python_version",
        "maida.platform",
        "maida.cwd",
        "maida.argv",
        "maida.llm_calls",
        "maida.tool_calls",
        "maida.errors",
        "maida.loop_warnings",
    ];
    let [title, python, platform, cwd, argv, llm_calls, tool_calls, errors, loop_warnings] =
        fields(span.attributes, keys).unwrap_or_default();
    let title = word(title).or_else(|| word(span.name)).unwrap_or_default();
    named(id, title.as_ref().into(), out);
    set_summary(id, record, given(argv), out);
    let Some(event) = out.trace().event(id) else { return };
    let (run_id, took): (RunId, _) = (event.run, event.duration);
    // The run's own record wins, and an error of the run is no error of this event.
    end_status(run_id, &text(span.status).unwrap_or_default(), out);
    let run = out.run_mut(run_id);
    if run.title.is_none() && !title.is_empty() {
        run.title = Some(title.into_owned());
    }
    if !run.duration.is_known() {
        run.duration = took;
    }
    let counts = &mut run.counts;
    counts.llm_calls = counts.llm_calls.or(count(llm_calls));
    counts.tool_calls = counts.tool_calls.or(count(tool_calls));
    counts.errors = counts.errors.or(count(errors));
    counts.loop_warnings = counts.loop_warnings.or(count(loop_warnings));
    let facts = [("Python", python), ("Platform", platform), ("Directory", cwd), ("Command", argv)];
    add_facts(run_id, &facts, out);
}

fn named(id: EventId, name: Cow<'_, str>, out: &mut TraceBuilder) {
    let name = out.name(&name);
    if let Some(event) = out.event_mut(id) {
        event.name = name;
    }
}

fn failure(id: EventId, span: &Span<'_>, out: &mut TraceBuilder) {
    let keys = ["maida.status", "maida.error_type", "error.type"];
    let [told, maida_type, error_type] = fields(span.attributes, keys).unwrap_or_default();
    let status = match (text(told).as_deref(), text(span.status).as_deref()) {
        (Some("error"), _) | (_, Some("ERROR")) => Status::Error,
        (Some("ok"), _) | (_, Some("OK")) => Status::Ok,
        _ => Status::Unknown,
    };
    let error = word(maida_type).or_else(|| word(error_type)).unwrap_or_default();
    let error = if status == Status::Error { out.name(&error) } else { NameId::NONE };
    if let Some(event) = out.event_mut(id) {
        event.status = status;
        event.error = error;
    }
}

fn hashes(id: EventId, args: Option<Json<'_>>, result: Option<Json<'_>>, out: &mut TraceBuilder) {
    if let Some(event) = out.event_mut(id) {
        event.args_hash = args.map_or(0, Json::fingerprint);
        event.result_hash = result.map_or(0, Json::fingerprint);
    }
}
