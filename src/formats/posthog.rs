//! PostHog: events of its LLM analytics, as its API, its exports and its SDKs write them.
//!
//! Read from the producer's documentation (<https://posthog.com/docs/llm-analytics>) and code; no real file was at
//! hand. Events are one per line, in a list, under `batch` (sent by SDKs), `results` (pages of the API) or the `events`
//! of a trace. All data of a step is in `properties`, which exports may keep as a string. An event is written when its
//! step ends. A run is a trace (`$ai_trace_id`); steps may have the trace as their parent.

use traceloupe_core::model::MaybeNs;
use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::step::{self, Shape, SpanKind};

/// The format.
pub static POSTHOG: Described = Described {
    signs: &[
        sign(On::Within(&["batch", "results", "events"])),
        Sign::certain(
            On::Items("results"),
            "traces have events of LLM analytics",
            &[Test::OneOf("events.0.event", EVENTS), Test::Has("events.0.properties")],
        ),
    ],
    lists: &["batch", "events", "results.**"],
    quiet: &[
        "event|timestamp|createdAt|uuid|distinct_id",
        "properties.$ai_session_id|$ai_span_name|$ai_model",
        "properties.$ai_trace_id|$ai_latency|$ai_is_error",
        "properties.$ai_input_tokens|$ai_output_tokens|$ai_reasoning_tokens",
        "properties.$ai_cache_read_input_tokens|$ai_cache_creation_input_tokens",
    ],
    ..Described::new(&catalog::POSTHOG, describe)
};

/// The names of the events of LLM analytics.
const EVENTS: &[&str] = &[
    "$ai_generation",
    "$ai_span",
    "$ai_trace",
    "$ai_embedding",
    "$ai_metric",
    "$ai_feedback",
    "$ai_evaluation",
];

const fn sign(on: On) -> Sign {
    let tests = &[Test::OneOf("event", EVENTS), Test::Has("properties")];
    Sign::certain(on, "events of LLM analytics have `properties`", tests)
}

static EVENT: Shape = Shape {
    run: &["$ai_trace_id"],
    id: &["$ai_span_id", "$ai_generation_id"],
    parent: &["$ai_parent_id"],
    name: &["$ai_span_name", "$ai_trace_name"],
    model: &["$ai_model"],
    error: &["$ai_error"],
    cost: &["$ai_total_cost_usd"],
    input: &["$ai_input", "$ai_input_state"],
    output: &["$ai_output_choices", "$ai_output", "$ai_output_state"],
    fields: &[
        (FactKind::Provider, "$ai_provider"),
        (FactKind::Other("Stop reason"), "$ai_stop_reason"),
        (FactKind::Other("Status code"), "$ai_http_status"),
        (FactKind::Other("Time to first token in seconds"), "$ai_time_to_first_token"),
    ],
    values: &[
        (BlockRole::Tools, "$ai_tools"),
        (BlockRole::Named("Parameters"), "$ai_model_parameters"),
    ],
    ..Shape::NONE
};

/// OpenAI's input includes the cached tokens.
const COUNTS: Flavour = Flavour {
    input: &["$ai_input_tokens"],
    output: &["$ai_output_tokens"],
    cache_read: &["$ai_cache_read_input_tokens"],
    cache_write: &["$ai_cache_creation_input_tokens"],
    reasoning: &["$ai_reasoning_tokens"],
    input_has_cached: true,
    ..Flavour::NONE
};

/// Anthropic's input does not.
const OF_ANTHROPIC: Flavour = Flavour { input_has_cached: false, ..COUNTS };

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if record.kind() != Kind::Object {
        return out.nothing();
    }
    if entry.is_document {
        // A trace of the API contains its events.
        let id = record.get("id");
        if !id.is_given() {
            return out.nothing();
        }
        out.run(id).titles.own = record.get("traceName");
        out.at(record.get("createdAt"));
        out.event(EventKind::RunStart, "trace")
            .value(BlockRole::Input, record.get("inputState"))
            .value(BlockRole::Output, record.get("outputState"));
        return;
    }
    let properties = out.unpack(record.get("properties"));
    out.run.about.growing = vec![
        (FactKind::Other("Session"), properties.get("$ai_session_id")),
        (FactKind::Other("User"), record.get("distinct_id")),
    ];
    let event = record.get("event").label();
    if !EVENTS.contains(&event.as_ref()) {
        // The same export has the other events of a page.
        out.at(record.any(&["timestamp", "createdAt"]));
        out.note(event);
        return;
    }
    let mut step = EVENT.step(properties);
    step.kind = match event.as_ref() {
        "$ai_generation" => SpanKind::Llm,
        "$ai_span" if properties.get("$ai_tool_call_id").is_given() => SpanKind::Tool,
        "$ai_span" => SpanKind::Plain,
        "$ai_trace" | "$ai_embedding" => SpanKind::Step,
        _ => return judged(record, properties, out),
    };
    step.end = time_of(record.any(&["timestamp", "createdAt"]));
    step.took = seconds_ns(properties.get("$ai_latency").number());
    let began = step.end.get().zip(step.took.get()).and_then(|(end, took)| end.checked_sub(took));
    step.start = MaybeNs::from(began.or(step.end.get()));
    let is_exclusive = properties.get("$ai_cache_reporting_exclusive").bool();
    let is_exclusive =
        is_exclusive.unwrap_or_else(|| properties.get("$ai_provider").is("anthropic"));
    step.usage = if is_exclusive { OF_ANTHROPIC } else { COUNTS }.read(properties);
    if properties.get("$ai_is_error").is_true() {
        step.status = Some(Status::Failed);
    }
    let is_trace = event == "$ai_trace";
    let is_below_trace = step.parent.is_given() && step.parent.word() == step.run.word();
    if is_trace && !step.id.is_given() {
        step.id = step.run;
    }
    let (id, run) = (step.id, step.run);
    let item = step.tell(out);
    item.id = item.id.or(properties.get("$ai_tool_call_id"));
    item.span.may_lack_parent = is_below_trace;
    if is_trace && id.word() != run.word() {
        // Its steps may name either id.
        item.span.second = Some(Box::new([run, Json::ABSENT]));
    }
}

/// Judgements of users and graders on a trace.
fn judged<'a>(record: Json<'a>, properties: Json<'a>, out: &mut Description<'a>) {
    out.run(properties.get("$ai_trace_id"));
    out.at(record.any(&["timestamp", "createdAt"]));
    let name = properties.any(&["$ai_metric_name", "$ai_evaluation_name", "$ai_feedback_name"]);
    let name = if name.is_given() { name } else { out.string("feedback") };
    let value = properties.any(&["$ai_metric_value", "$ai_evaluation_result"]);
    let words = properties.any(&["$ai_feedback_text", "$ai_evaluation_reasoning"]);
    let of = properties.any(&["$ai_parent_id", "$ai_target_event_id"]);
    step::score(name, value, words, of, out).span.may_lack_parent = true;
}
