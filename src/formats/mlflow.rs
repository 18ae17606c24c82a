//! MLflow Tracing: traces of MLflow 2 and 3.
//!
//! Read from the producer's documentation (mlflow.org, trace schema) and code; no real file was at hand. A trace is a
//! document with `info` and `data.spans`; the artifact `traces.json` is the content of `data`. Every attribute is JSON
//! in a string. Spans name their trace by the id of `info` in an attribute, and have another trace id as a member. The
//! content of spans is read as in `otel`. A run is a trace; its assessments are evaluations.

use super::otel;
use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::step::{self, unpacked};

/// The format.
pub static MLFLOW: Described = Described {
    signs: &[
        Sign::record(
            "documents have `info` of a trace and `data.spans`",
            &[
                Test::HasOne(&["info.trace_id", "info.request_id"]),
                Test::HasOne(&["data.spans", "info.state", "info.status"]),
            ],
        ),
        Sign::record(
            "the answer of a Databricks endpoint has a trace",
            &[Test::HasOne(&[
                "databricks_output.trace.info.trace_id",
                "databricks_output.trace.info.request_id",
            ])],
        ),
        Sign::certain(
            On::Within(&["traces"]),
            "the `info` of traces is there without their spans",
            &[
                Test::HasOne(&["trace_id", "request_id"]),
                Test::HasOne(&["trace_metadata", "request_metadata"]),
                Test::HasOne(&["state", "status"]),
                Test::Object("tags"),
            ],
        ),
        Sign::certain(
            On::Items("traces"),
            "`traces` have `info` and `data.spans`",
            &[Test::HasOne(&["info.trace_id", "info.request_id"]), Test::Has("data.spans")],
        ),
        Sign::record(
            "spans have attributes of MLflow and a `context`",
            &[
                Test::KeyStarts("attributes", "mlflow."),
                Test::Texts(&["name", "context.span_id"]),
                Test::Lacks("kind"),
            ],
        ),
        spans(On::Items("spans")),
        spans(On::Items("data.spans")),
    ],
    lists: &["data.spans", "databricks_output.trace.data.spans", "spans", "traces.**"],
    quiet: otel::QUIET,
    ..Described::new(&catalog::MLFLOW, describe)
};

const fn spans(on: On) -> Sign {
    let tests = &[Test::KeyStarts("attributes", "mlflow."), Test::Has("name")];
    Sign::certain(on, "spans have attributes of MLflow", tests)
}

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let around = entry.json.get("databricks_output.trace");
    let record = around.or(entry.json);
    let metadata = record.any(&["trace_metadata", "request_metadata"]);
    let is_bare = metadata.kind() == Kind::Object && !entry.is_document;
    let info = if is_bare { record } else { record.get("info") };
    if !info.is_given() && !entry.is_document {
        otel::describe(entry, out);
        // The trace has a name of its own.
        out.run.titles.words = std::mem::take(&mut out.run.titles.own);
        let of = unpacked(record.get("attributes").field("mlflow.traceRequestId"), out);
        if of.is_given() {
            out.run.key = of;
        }
        let input = record.get("attributes").field("mlflow.spanInputs");
        let model = out.unpack(input).get("model").label();
        if let Some(item) = out.items.first_mut().filter(|it| it.what() == What::Model)
            && item.name.is_empty()
        {
            item.name(model);
        }
        return;
    }
    let first = record.any(&["data.spans.0.attributes", "spans.0.attributes"]);
    let first = unpacked(first.field("mlflow.traceRequestId"), out);
    let request = info.any(&["request_preview", "request"]);
    let run = out.run(info.any(&["trace_id", "request_id"]).or(first));
    run.times.order_rows = true;
    run.times.start = time_of(info.any(&["request_time", "timestamp_ms"]));
    let ms = info.any(&["execution_duration_ms", "execution_time_ms"]).number();
    let words = info.get("execution_duration").text().unwrap_or_default();
    let seconds = words.strip_suffix('s').and_then(traceloupe_core::number::parse);
    run.times.duration = seconds_ns(seconds.or(ms.map(|ms| ms / 1000.0)));
    run.ended(info.any(&["state", "status"]));
    run.titles.own = info.get("tags").field("mlflow.traceName");
    let metadata = info.any(&["trace_metadata", "request_metadata"]);
    for (label, key) in [
        ("Session", "mlflow.trace.session"),
        ("User", "mlflow.trace.user"),
        ("Source", "mlflow.source.name"),
    ] {
        let value = metadata.field(key);
        if value.is_given() {
            run.about.facts.push((label.into(), value));
        }
    }
    out.facts(
        info,
        &[
            ("Experiment", "experiment_id"),
            ("Experiment", "trace_location.mlflow_experiment.experiment_id"),
        ],
    );
    out.at(info.any(&["request_time", "timestamp_ms"]));
    if is_bare {
        out.run.about.notes.push("The file holds metadata and no trace".into());
    }
    out.event(EventKind::RunStart, "trace")
        .value(BlockRole::Request, request)
        .value(BlockRole::Response, info.any(&["response_preview", "response"]))
        .value("Metadata", metadata)
        .value("Tags", info.get("tags"));
    for it in info.get("assessments").items() {
        let value = it.any(&["feedback.value", "expectation.value", "value"]);
        let value = unpacked(value, out);
        let (name, reason) = (it.any(&["assessment_name", "name"]), it.get("rationale"));
        step::score(name, value, reason, it.get("span_id"), out)
            .fields(it, &[("Source", "source.source_type"), ("By", "source.source_id")])
            .error(it.get("feedback.error"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{read, sniff};
    use traceloupe_engine::Verdict;

    #[test]
    fn spans_in_a_list_may_not_name_their_trace() {
        let span = |id: &str, parent: &str, kind: &str| {
            format!(
                r#"{{"name":"{id}","context":{{"span_id":"{id}","trace_id":"t"}},"parent_id":{parent},"start_time":1700000000000000000,"end_time":1700000001000000000,"status_code":"OK","status_message":"","attributes":{{"mlflow.spanType":"\"{kind}\""}},"events":[]}}"#
            )
        };
        let spans = [span("a", "null", "AGENT"), span("b", "\"a\"", "TOOL")];
        let spans = [spans[0].as_str(), &spans[1]];
        assert!(matches!(sniff(&MLFLOW, "x", &spans), Verdict::Certain(_)));
        assert_eq!(read(&MLFLOW, &[&spans]).outline(), ["agent a", " tool-call b"]);
    }
}
