//! Datadog LLM Observability: spans of its export API, of its intake, and of its tracers.
//!
//! Read from the producer's documentation (docs.datadoghq.com/llm_observability, export API and HTTP API) and its
//! tracer for Python; no real file was at hand. Exported spans are under `data`, each with its values in `attributes`;
//! the spans that programs send are in `spans`, with most values in `meta`. Times and durations are in nanoseconds. A
//! run is a trace.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::step::{Shape, kind_of_word};
use traceloupe_engine::tokens::OPENAI;

/// The format.
pub static DATADOG: Described = Described {
    signs: &[
        Sign::certain(
            On::Items("data"),
            "`data` has spans with `span_kind` and `ml_app`",
            &[Test::Text("attributes.span_kind"), Test::Has("attributes.start_ns")],
        ),
        Sign::record(
            "records have `attributes` with `span_kind` and `start_ns`",
            &[Test::Text("attributes.span_kind"), Test::Has("attributes.start_ns")],
        ),
        Sign::certain(
            On::Within(&["data.attributes.spans", "spans"]),
            "spans have `start_ns`, `duration` and `meta`",
            &[Test::HasAll(&["start_ns", "duration"]), Test::Object("meta")],
        ),
    ],
    lists: &["data.attributes.spans", "data", "spans"],
    quiet: &[
        "*.trace_id|start_ns|duration|status|name|span_kind|model_name",
        "name|trace_id|start_ns|duration|status|type",
        "meta.kind",
    ],
    ..Described::new(&catalog::DATADOG, describe)
};

static SPAN: Shape = Shape {
    run: &["trace_id"],
    id: &["span_id"],
    parent: &["parent_id"],
    name: &["name"],
    kind: &["span_kind", "meta.kind"],
    model: &["model_name", "meta.model_name", "metadata.model_name", "meta.metadata.model_name"],
    start: &["start_ns"],
    status: &["status"],
    error: &["error", "meta.error"],
    counts: &["metrics"],
    input: &["input.messages", "input.value", "input", "meta.input.messages", "meta.input.value"],
    output: &[
        "output.messages",
        "output.value",
        "output",
        "meta.output.messages",
        "meta.output.value",
    ],
    facts: &[
        (FactKind::Other("App"), "ml_app"),
        (FactKind::Other("Session"), "session_id"),
        (FactKind::Other("Service"), "service"),
        (FactKind::Other("Env"), "env"),
    ],
    fields: &[(FactKind::Provider, "model_provider"), (FactKind::Provider, "meta.model_provider")],
    values: &[
        (BlockRole::Named("Documents"), "meta.output.documents"),
        (BlockRole::Named("Metadata"), "metadata"),
        (BlockRole::Named("Metadata"), "meta.metadata"),
        (BlockRole::Tools, "tool_definitions"),
        (BlockRole::Named("Evaluation"), "evaluation"),
        (BlockRole::Named("Tags"), "tags"),
    ],
    ..Shape::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if record.kind() != Kind::Object {
        return out.nothing();
    }
    if entry.is_document {
        let around = record.get("data.attributes").or(record);
        let run = out.run(around.get("spans.0.trace_id"));
        run.times.order_rows = true;
        out.facts(around, SPAN.facts);
        out.facts(around, &[("Tags", "tags")]);
        for (label, key) in [("Tracer", "_dd.tracer_version"), ("Stage", "_dd.stage")] {
            let value = around.field(key);
            if value.is_given() {
                out.run.about.facts.push((label.into(), value));
            }
        }
        return out.nothing();
    }
    let span = record.get("attributes");
    let span = if span.kind() == Kind::Object { span } else { record };
    let mut step = SPAN.step(span);
    if let Some(kind) = span.get("meta").field("span.kind").word() {
        step.kind = kind_of_word(&kind);
    }
    // Tracers write this if there is no parent.
    if step.parent.is("undefined") {
        step.parent = Json::ABSENT;
    }
    // The input includes the cached tokens.
    step.usage = OPENAI.read(step.counts);
    step.took = span.get("duration").integer().into();
    step.tell(out);
}
