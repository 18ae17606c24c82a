//! Opik: traces with their spans.
//!
//! Read from the producer's API reference (comet.com/docs/opik) and its published schemas; no real file was at hand.
//! Traces and spans come one per line, in a list, under `content` (pages of the API), or as a document with a `trace`
//! and its `spans` (its export). A run is a trace; feedback scores are evaluations.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::step::{self, Shape};

/// The format.
pub static OPIK: Described = Described {
    signs: &[
        spans(On::Any),
        spans(On::Items("spans")),
        spans(On::Items("content")),
        traces(On::Any),
        traces(On::Items("content")),
    ],
    lists: &["spans", "content.**"],
    quiet: &["type|name|model|start_time|end_time|trace_id"],
    ..Described::new(&catalog::OPIK, describe)
};

const SPAN_TYPES: &[&str] = &["general", "llm", "tool", "guardrail"];

const fn spans(on: On) -> Sign {
    let tests = &[
        Test::OneOf("type", SPAN_TYPES),
        Test::Text("trace_id"),
        Test::Has("start_time"),
        Test::Lacks("span_id"),
        Test::Lacks("run_type"),
        Test::HasOne(&["project_id", "project_name", "created_at", "parent_span_id", "usage"]),
    ];
    Sign::certain(on, "spans have a `type` of Opik and `trace_id`", tests)
}

const fn traces(on: On) -> Sign {
    let tests = &[
        Test::Has("start_time"),
        Test::HasOne(&["project_id", "project_name"]),
        Test::HasOne(&[
            "total_estimated_cost",
            "span_count",
            "llm_span_count",
            "feedback_scores",
            "last_updated_at",
        ]),
        Test::Lacks("trace_id"),
    ];
    let why = "traces have `start_time`, a project, and a cost, scores or the time of an update";
    Sign::certain(on, why, tests)
}

static SPAN: Shape = Shape {
    run: &["trace_id"],
    id: &["id"],
    parent: &["parent_span_id"],
    name: &["name"],
    kind: &["type"],
    model: &["model"],
    start: &["start_time"],
    end: &["end_time"],
    error: &["error_info"],
    counts: &["usage"],
    cost: &["total_estimated_cost"],
    input: &["input"],
    output: &["output"],
    fields: &[
        (FactKind::Provider, "provider"),
        (FactKind::Other("Tags"), "tags"),
        (FactKind::Other("First token"), "ttft"),
    ],
    values: &[(BlockRole::Named("Metadata"), "metadata")],
    ..Shape::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if record.kind() != Kind::Object {
        out.nothing();
    } else if record.get("trace_id").is_given() && !entry.is_document {
        let step = SPAN.step(record);
        let item = step.tell(out);
        if let Some(kind) = step.error.get("exception_type").word() {
            item.ending.error = kind.into();
        }
        scores(record, step.id, out);
        // The data of an API page belongs to the trace on it.
        out.run.records = Records::EarlierToo;
    } else {
        // A page of the API adds nothing of its own.
        if entry.is_document && record.get("content").is_given() {
            out.run(record.any(&["content.0.trace_id", "content.0.id"]));
            return out.nothing();
        }
        let inner = record.get("trace");
        trace(if inner.kind() == Kind::Object { inner } else { record }, out);
    }
}

fn trace<'a>(trace: Json<'a>, out: &mut Description<'a>) {
    let key = trace.get("id").or(trace.get("spans.0.trace_id"));
    let run = out.run(key);
    run.titles.own = trace.get("name");
    run.times.order_rows = true;
    (run.times.start, run.times.end) =
        (time_of(trace.get("start_time")), time_of(trace.get("end_time")));
    out.facts(
        trace,
        &[
            (FactKind::Other("Project"), "project_name"),
            (FactKind::Other("Thread"), "thread_id"),
            (FactKind::Other("Tags"), "tags"),
            (FactKind::Cost, "total_estimated_cost"),
        ],
    );
    out.at(trace.get("start_time"));
    out.event(EventKind::RunStart, "trace")
        .value(BlockRole::Input, trace.get("input"))
        .value(BlockRole::Output, trace.get("output"))
        .error(trace.get("error_info"))
        .value("Metadata", trace.get("metadata"))
        .value(BlockRole::Usage, trace.get("usage"));
    scores(trace, Json::ABSENT, out);
}

fn scores<'a>(of: Json<'a>, span: Json<'a>, out: &mut Description<'a>) {
    for it in of.get("feedback_scores").items() {
        step::score(it.get("name"), it.get("value"), it.get("reason"), span, out)
            .fields(it, &[("Source", "source"), ("Category", "category_name")]);
    }
}
