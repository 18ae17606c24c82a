//! Spans of spec 0.2.

use std::borrow::Cow;

use crate::agentdbg::{
    FACTS, SdkSpan, asked, error, error_part, gist_of_call, is_redacted, loop_warning, mark, state,
    status_of,
};
use traceloupe_core::json::KeySet;
use traceloupe_core::model::{MaybeNs, RunCounts, Usage};
use traceloupe_engine::fields::{between, millis};
use traceloupe_engine::kit::Msg;
use traceloupe_engine::prelude::*;

/// The fields that determine the kind of a span.
struct Span<'a> {
    id: Json<'a>,
    parent: Json<'a>,
    name: Json<'a>,
    attributes: Json<'a>,
    events: Json<'a>,
    status: Json<'a>,
    duration: MaybeNs,
}

/// Describes a record as a span. `false` if it is not a span.
pub(super) fn span<'a>(record: Json<'a>, out: &mut Description<'a>) -> bool {
    let keys = const {
        &KeySet::new([
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
        ])
    };
    let Some([trace, id, parent, name, start, end, told, attributes, events, status, event_type]) =
        record.fields(keys)
    else {
        return false;
    };
    let is_bare = attributes.is_absent() && start.is_absent();
    if id.is_absent() || !event_type.is_absent() || is_bare {
        return false;
    }
    let start = time_of(start);
    let duration = measured(between(start, time_of(end)), millis(told.present()));
    let span = Span { id, parent, name, attributes, events, status, duration };
    let written = attributes.field("maida.meta");
    let meta = out.unpack(written);
    let second = SdkSpan::of(meta);
    out.run(trace).times.order_rows = true;
    out.may_be_python();
    let kind = span.kind();
    match kind {
        EventKind::LlmCall => span.llm_call(out),
        EventKind::ToolCall => span.tool_call(second.handoff, out),
        EventKind::RunStart => span.run_start(out),
        EventKind::Agent => span.agent(out),
        _ => span.point(kind, span.point_attributes(kind), out),
    }
    let item = out.last().once().span(id, parent).value(BlockRole::Meta, meta);
    item.span.may_lack_parent = true;
    second.time(start, duration, item);
    mark(record, item);
    if kind == EventKind::RunStart {
        span.points(out);
    }
    true
}

/// The duration of a span, if it is known. Maida opens the span of a call when the call is *recorded*, so a duration of
/// 0 ms means nothing; the durations of roots and of other emitters (fixtures, imports) are measured.
fn measured(apart: MaybeNs, told: MaybeNs) -> MaybeNs {
    const MILLISECOND: i64 = 1_000_000;
    match (apart.get(), told.get()) {
        (Some(ns), _) if ns >= MILLISECOND => apart,
        (_, Some(ns)) if ns > 0 => told,
        _ => MaybeNs::UNKNOWN,
    }
}

impl<'a> Span<'a> {
    /// The first of several attributes that is given.
    fn any(&self, keys: &[&str]) -> Json<'a> {
        let mut values = keys.iter().map(|key| self.attributes.field(key));
        values.find(|value| value.is_given()).unwrap_or_default()
    }

    /// The kind of the event, tested in the same order as in the producer's own `derive_span_type`.
    fn kind(&self) -> EventKind {
        let keys = const {
            &KeySet::new([
                "gen_ai.system",
                "gen_ai.provider.name",
                "gen_ai.operation.name",
                "maida.tool_name",
                "gen_ai.tool.name",
                "maida.event_type",
                "maida.error_type",
                "maida.run_name",
            ])
        };
        let [system, provider, operation, tool, other_tool, event_type, error, run_name] =
            self.attributes.fields(keys).unwrap_or_default();
        // Other emitters of OpenTelemetry spans name agents and tools by the operation.
        let call = match operation.text().as_deref() {
            Some("execute_tool") => Some(EventKind::ToolCall),
            Some("invoke_agent" | "create_agent") => Some(EventKind::Agent),
            Some(_) => Some(EventKind::LlmCall),
            None if !system.is_absent() || !provider.is_absent() => Some(EventKind::LlmCall),
            None if !tool.is_absent() || !other_tool.is_absent() => Some(EventKind::ToolCall),
            None => None,
        };
        // A call outside a run has no parent either, but is not a run.
        if self.parent.word().is_none() && (call.is_none() || !run_name.is_absent()) {
            return EventKind::RunStart;
        }
        match call {
            Some(kind) => kind,
            None if self.name.is("state") => EventKind::State,
            None if self.name.is("loop_warning") || event_type.is("LOOP_WARNING") => {
                EventKind::LoopWarning
            }
            None if !error.is_absent() => EventKind::Error,
            None => EventKind::Agent,
        }
    }

    /// The span events: name, time, attributes.
    fn events(&self) -> impl Iterator<Item = [Json<'a>; 3]> {
        let keys = const { &KeySet::new(["name", "timestamp", "attributes"]) };
        self.events.items().map(move |event| event.fields(keys).unwrap_or_default())
    }

    /// The attributes of a span's point in time: they are on its span event.
    fn point_attributes(&self, kind: EventKind) -> Json<'a> {
        let is_it = |name: Json<'_>| kind_of_event(name) == Some(kind) && kind != EventKind::Error;
        let on_event = self.events().find(|[name, ..]| is_it(*name));
        on_event.map_or(self.attributes, |[.., attributes]| attributes)
    }

    fn point(&self, kind: EventKind, attributes: Json<'a>, out: &mut Description<'a>) {
        match kind {
            EventKind::State => state("state".into(), attributes, out),
            EventKind::LoopWarning => loop_warning(attributes, Json::ABSENT, out),
            _ => error(error_of(attributes), Json::ABSENT, out),
        }
    }

    /// The span events of a root become events of their own.
    fn points(&self, out: &mut Description<'a>) {
        for [name, time, attributes] in self.events() {
            let Some(kind) = kind_of_event(name) else { continue };
            self.point(kind, attributes, out);
            let item = out.last().id(self.id).once().begins(time_of(time));
            (item.span.parent, item.span.may_lack_parent) = (self.id, true);
            if kind == EventKind::Error {
                // A stop by a guardrail names the guardrail, its threshold and the value that was reached.
                let is_other = |key: &str| !ERROR_KEYS.iter().any(|known| key.starts_with(known));
                for (key, value) in attributes.members().filter(|(key, _)| is_other(key)) {
                    item.field(key, value);
                }
            }
        }
    }

    /// Adds the outcome of the span, with its error. Returns the error's message.
    fn failure(&self, item: &mut Item<'a>) -> Json<'a> {
        let told = self.attributes.field("maida.status");
        if told.is("error") || self.status.is("ERROR") {
            item.ending.error = self.any(&["maida.error_type", "error.type"]).label().into();
            item.status(Status::Failed);
        } else if told.is("ok") || self.status.is("OK") {
            item.status(Status::Ok);
        }
        let parts = error_of(self.attributes);
        error_part(parts, item);
        parts[1]
    }

    fn llm_call(&self, out: &mut Description<'a>) {
        let keys = const {
            &KeySet::new([
                "gen_ai.usage.input_tokens",
                "gen_ai.usage.output_tokens",
                "gen_ai.usage.total_tokens",
            ])
        };
        let counts = self.attributes.fields(keys).unwrap_or_default();
        let [input, output, _] = counts;
        let model = self.any(&["gen_ai.request.model", "gen_ai.response.model"]);
        let model = model.word().or_else(|| self.name.word()).unwrap_or_default();
        let item = out.model(Vec::new(), Joins::Nothing).name(model).usage(Usage {
            input: input.count(),
            output: output.count(),
            redacted: counts.into_iter().any(is_redacted),
            ..Usage::default()
        });
        let message = self.failure(item);
        let (mut asked_by, mut prompts, mut response) = (Vec::new(), Vec::new(), Json::ABSENT);
        for [name, _, attributes] in self.events() {
            let content = attributes.get("content");
            let name = name.text().unwrap_or_default().into_owned();
            let role = name.strip_prefix("gen_ai.").and_then(|it| it.strip_suffix(".message"));
            match role.filter(|_| content.is_given()) {
                Some("assistant") => response = content,
                Some(role) => {
                    prompts.push(content);
                    asked_by.push(role.to_owned());
                }
                None => {}
            }
        }
        // Other emitters write one span event for each message.
        let prompt = match prompts.as_slice() {
            [only] => *only,
            _ => {
                let roles = asked_by.into_iter().map(Cow::Owned).zip(&prompts);
                let message = |(role, words): (Cow<'a, str>, &Json<'a>)| {
                    let parts = vec![Part::Text(*words)];
                    Msg { role, parts, ..Msg::default() }
                };
                let messages: Vec<_> = roles.map(message).collect();
                if !messages.is_empty() {
                    item.part(Part::Messages(BlockRole::Messages, messages));
                }
                Json::ABSENT
            }
        };
        asked(prompt, response, message, item);
        for (key, value) in self.attributes.members() {
            match key.strip_prefix("gen_ai.") {
                Some("system" | "provider.name") => item.field(FactKind::Provider, value),
                Some("request.temperature") => item.field("Temperature", value),
                Some("response.finish_reasons") => item.field("Stop reason", value),
                Some(key) if key.starts_with("usage.") => {
                    item.field(key.replacen("usage.", "", 1), value)
                }
                _ => continue,
            };
        }
    }

    fn tool_call(&self, handoff: Json<'a>, out: &mut Description<'a>) {
        let tool = self.any(&["maida.tool_name", "gen_ai.tool.name"]);
        let (mut args, mut result) = (Json::ABSENT, Json::ABSENT);
        for [name, _, attributes] in self.events() {
            if name.is("maida.tool.args") {
                args = attributes.get("args").given().unwrap_or_default();
            } else if name.is("maida.tool.result") {
                result = attributes.get("result").given().unwrap_or_default();
            }
        }
        // The structure is that of the value that was passed, so one level of string quoting is removed; arguments that
        // were a string to begin with stay a string.
        let passed = out.text(args);
        let structure = if passed.is_empty() { args } else { Json::new(passed) };
        let is_twice = passed.starts_with('"');
        let arguments = if is_twice { out.unpack(Json::new(passed)) } else { args };
        let name = tool.word().or_else(|| self.name.text()).unwrap_or_default();
        let item = out.call(Json::ABSENT, Json::ABSENT, arguments).name(name);
        item.value("Handoff", handoff).structure(structure);
        let message = self.failure(item);
        if result.is_given() {
            item.part(Part::Result(result));
        }
        item.summary(gist_of_call(handoff, args, result, message));
        if is_twice {
            item.told(args);
        }
    }

    /// The root of a run. The run's own record takes precedence, and an error of the run is not an error of this event.
    fn run_start(&self, out: &mut Description<'a>) {
        let name = self.attributes.field("maida.run_name");
        let title = if name.word().is_some() { name } else { self.name };
        let of = |key: &str| self.attributes.field(&format!("maida.{key}"));
        let run = &mut out.run;
        run.gives_way = true;
        run.titles.own = title;
        run.status = self.status.text().and_then(|word| status_of(&word));
        run.times.duration = self.duration;
        run.totals.counts = RunCounts {
            llm_calls: of("llm_calls").count(),
            tool_calls: of("tool_calls").count(),
            errors: of("errors").count(),
            loop_warnings: of("loop_warnings").count(),
        };
        let facts = FACTS.map(|(label, key)| (label.into(), of(key)));
        run.about.facts.extend(facts.into_iter().filter(|(_, value)| has_content(*value)));
        out.event(EventKind::RunStart, title).summary(of("argv"));
    }

    fn agent(&self, out: &mut Description<'a>) {
        let item = out.event(EventKind::Agent, self.name.text().unwrap_or_default());
        self.failure(item);
        item.summary(self.attributes);
        for [name, _, attributes] in self.events() {
            if kind_of_event(name) == Some(EventKind::Error) {
                error_part(error_of(attributes), item);
            }
        }
    }
}

/// The kind of a span event that is more than a part of its span.
fn kind_of_event(name: Json<'_>) -> Option<EventKind> {
    match name.text()?.as_ref() {
        "exception" => Some(EventKind::Error),
        "maida.loop.warning" => Some(EventKind::LoopWarning),
        "state" => Some(EventKind::State),
        _ => None,
    }
}

/// The prefixes of attributes that are parts of an error.
const ERROR_KEYS: [&str; 2] = ["maida.error_", "exception."];

/// Type, message and stack of an error in attributes.
fn error_of(attributes: Json<'_>) -> [Json<'_>; 3] {
    let any = |keys: &KeySet<'_, 2>| {
        let [own, other] = attributes.fields(keys).unwrap_or_default();
        own.or(other)
    };
    [
        any(const { &KeySet::new(["maida.error_type", "exception.type"]) }),
        any(const { &KeySet::new(["maida.error_message", "exception.message"]) }),
        any(const { &KeySet::new(["maida.error_stack", "exception.stacktrace"]) }),
    ]
}
