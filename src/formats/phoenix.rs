//! Arize Phoenix: spans of its API and of its interface, and data frames of them.
//!
//! Read from the producer's documentation (arize.com/docs/phoenix) and from lists of spans of its API of 2026. The
//! attributes are those of OpenInference, with dots in their keys or as a tree; `span_kind` is beside them. Rows of
//! data frames have the path of every value as its key. Its command line (`px traces`) writes traces with their spans.
//! Annotations are stored apart from their spans. The content of spans is read as in `otel`.

use super::otel;
use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::step;

/// The format.
pub static PHOENIX: Described = Described {
    signs: &[
        Sign::certain(
            On::Within(&["data", "spans"]),
            "spans have `context.span_id` and `span_kind`",
            &[Test::Texts(&["context.span_id", "span_kind"]), Test::Has("start_time")],
        ),
        Sign::record(
            "rows have keys `context.span_id` and `span_kind`",
            &[Test::KeyStarts("", "context.span_id"), Test::Has("span_kind")],
        ),
        Sign::certain(
            On::Items("data"),
            "`data` has spans with `trace_id` and `start_time_unix_nano`",
            &[Test::HasAll(&["trace_id", "span_id", "start_time_unix_nano"])],
        ),
        Sign::certain(
            On::Within(&["data"]),
            "records are annotations of spans",
            &[Test::Texts(&["annotator_kind", "span_id"]), Test::Object("result")],
        ),
    ],
    lists: &["data", "spans"],
    quiet: otel::QUIET,
    ..Described::new(&catalog::PHOENIX, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if record.get("annotator_kind").is_given() && record.get("span_id").is_given() {
        let value = record.any(&["result.label", "result.score"]);
        let reason = record.get("result.explanation");
        step::score(record.get("name"), value, reason, record.get("span_id"), out)
            .fields(record, &[("Value", "result.score"), ("By", "annotator_kind")])
            .value("Metadata", record.get("metadata"));
        return;
    }
    if entry.is_document && record.get("traceId").is_given() {
        // The command-line interface's data about a trace is also on its spans.
        out.run(record.get("traceId"));
        return out.nothing();
    }
    otel::describe(entry, out);
}
