//! Braintrust: spans of logs and experiments.
//!
//! Read from the producer's API reference (braintrust.dev/docs/reference/api, fetching of logs and experiments) and
//! its SDKs; no real file was at hand. Rows come one per line, in a list, or under `events`, `rows` or `data`. Rows
//! that the SDK sends with `_is_merge` complete others. A run is a trace (`root_span_id`); the scores of a row are
//! evaluations of its span.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::step::{self, Shape, SpanKind};

/// The format.
pub static BRAINTRUST: Described = Described {
    signs: &[Sign::certain(
        On::Within(&["events", "rows", "data"]),
        "rows have `span_id` and `root_span_id`",
        &[Test::Texts(&["span_id", "root_span_id"]), Test::Has("id")],
    )],
    lists: &["events", "rows", "data"],
    quiet: &[
        "created|root_span_id|is_root|span_parents",
        "span_attributes.name|type",
        "metrics.start|end",
    ],
    ..Described::new(&catalog::BRAINTRUST, describe)
};

static ROW: Shape = Shape {
    run: &["root_span_id"],
    id: &["span_id"],
    parent: &["span_parents.0"],
    name: &["span_attributes.name"],
    kind: &["span_attributes.type"],
    model: &["metadata.model"],
    start: &["metrics.start", "created"],
    end: &["metrics.end"],
    error: &["error"],
    counts: &["metrics"],
    cost: &["metrics.estimated_cost"],
    input: &["input"],
    output: &["output"],
    facts: &[
        (FactKind::Other("Project"), "project_id"),
        (FactKind::Other("Experiment"), "experiment_id"),
        (FactKind::Other("Tags"), "tags"),
    ],
    values: &[
        (BlockRole::Named("Expected"), "expected"),
        (BlockRole::Named("Metadata"), "metadata"),
        (BlockRole::Context, "context"),
    ],
    ..Shape::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if record.kind() != Kind::Object || entry.is_document {
        return out.nothing();
    }
    let mut step = ROW.step(record);
    if record.get("span_attributes.type").is("function") {
        // `function` may be any function of the program.
        step.kind = SpanKind::Plain;
    }
    if record.get("_is_merge").is_true() {
        step.start = step.end;
        step.tell_end(out);
    } else {
        step.tell(out);
    }
    for (name, value) in record.get("scores").members() {
        let name = out.string(&name);
        step::score(name, value, Json::ABSENT, step.id, out).starts(step.end);
    }
}
