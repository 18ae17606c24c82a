//! Langfuse: traces with their observations, and scores.
//!
//! Read from the producer's API reference (api.reference.langfuse.com) and from downloads from its interface of 2025,
//! by ten frameworks. There are four containers: the download of the interface (`trace` and `observations` side by
//! side), the trace of the API (`observations` in it), lists of observations, traces or scores (bare, under `data`, or
//! one per line; exports to a storage have names with underscores), and batches of the ingestion API, whose updates
//! complete the created objects. `input`, `output` and `metadata` may be strings with JSON, sometimes twice. A run is a
//! trace; an observation is a span. If an observation has no type of its own, the OpenTelemetry attributes in
//! `metadata` may have it.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::step::{self, Shape, kind_of_word, unpacked};
use traceloupe_engine::tokens;

/// The format.
pub static LANGFUSE: Described = Described {
    signs: &[
        Sign::certain(
            On::Within(&["observations", "trace.observations", "data"]),
            "observations have a type of Langfuse and `traceId`",
            &[TYPES, Test::Texts(&["traceId", "startTime"])],
        ),
        Sign::certain(
            On::Within(&["data", "traces"]),
            "traces have `timestamp`, `public` and `bookmarked`",
            &[
                Test::Texts(&["id", "timestamp"]),
                Test::Has("public"),
                Test::HasOne(&[
                    "bookmarked",
                    "htmlPath",
                    "observations",
                    "projectId",
                    "environment",
                ]),
                Test::Lacks("traceId"),
            ],
        ),
        Sign::certain(
            On::Within(&["batch"]),
            "records create or update traces and observations",
            &[
                Test::OneOf(
                    "type",
                    &[
                        "trace-create",
                        "generation-create",
                        "generation-update",
                        "span-create",
                        "span-update",
                        "event-create",
                        "score-create",
                        "observation-create",
                        "observation-update",
                    ],
                ),
                Test::Object("body"),
            ],
        ),
        Sign::record("records are scores of traces", SCORE),
        Sign::certain(On::Items("data"), "`data` has scores of traces", SCORE),
        Sign::record(
            "records have `trace_id`, `parent_observation_id` and a type of Langfuse",
            &[TYPES, Test::Texts(&["trace_id", "start_time"]), Test::Has("level")],
        ),
    ],
    lists: &["observations", "trace.observations", "data.**", "batch", "traces.**"],
    quiet: &[
        "type|name|model|level|startTime|endTime|start_time|end_time|timestamp|latency|scores",
        "body.name|model|startTime|endTime",
    ],
    ..Described::new(&catalog::LANGFUSE, describe)
};

const TYPES: Test = Test::OneOf(
    "type",
    &[
        "SPAN",
        "GENERATION",
        "EVENT",
        "AGENT",
        "TOOL",
        "CHAIN",
        "RETRIEVER",
        "EVALUATOR",
        "EMBEDDING",
        "GUARDRAIL",
    ],
);
const SCORE: &[Test] = &[Test::Texts(&["traceId", "dataType", "source", "name"])];
static OBSERVATION: Shape = Shape {
    run: &["traceId", "trace_id"],
    id: &["id"],
    parent: &["parentObservationId", "parent_observation_id"],
    name: &["name"],
    kind: &["type"],
    model: &["model", "providedModelName", "provided_model_name"],
    start: &["startTime", "start_time"],
    end: &["endTime", "end_time"],
    status: &["level"],
    counts: &["usageDetails", "usage_details", "usage"],
    cost: &["costDetails.total", "cost_details.total", "calculatedTotalCost", "totalCost"],
    input: &["input"],
    output: &["output"],
    fields: &[
        (FactKind::Version, "version"),
        (FactKind::Other("Environment"), "environment"),
        (FactKind::Other("Prompt"), "promptName"),
        (FactKind::Other("Prompt version"), "promptVersion"),
        (FactKind::Own("First token at"), "completionStartTime"),
        (FactKind::Amount("Time to first token"), "timeToFirstToken"),
    ],
    values: &[
        (BlockRole::Named("Model parameters"), "modelParameters"),
        (BlockRole::Named("Cost details"), "costDetails"),
        (BlockRole::Named("Metadata"), "metadata"),
    ],
    ..Shape::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let body = record.get("body");
    let kind = record.get("type").label();
    let is_of_trace = record.any(OBSERVATION.run).is_given();
    if record.kind() != Kind::Object {
        out.nothing();
    } else if body.kind() == Kind::Object {
        out.at(record.get("timestamp"));
        match kind.split_once('-') {
            Some(("trace", _)) => trace(body, out),
            Some(("score", _)) => score(body, out),
            Some((kind, verb)) => observation(kind, verb == "update", body, out),
            None => _ = out.note(kind.into_owned()).value("Event", body),
        }
    } else if record.any(&["trace.id", "trace.timestamp"]).is_given() {
        trace(record.get("trace"), out);
    } else if is_of_trace && record.any(OBSERVATION.start).is_given() {
        observation(&kind, false, record, out);
    } else if is_of_trace {
        score(record, out);
    } else if record.get("timestamp").is_given() {
        trace(record, out);
    } else if entry.is_document {
        let key = [
            "batch.0.body.traceId",
            "batch.0.body.id",
            "data.0.traceId",
            "data.0.id",
            "traces.0.id",
        ];
        out.run(record.any(&key));
        out.facts(record, &[("Project", "projectId"), ("Created", "createdAt")]);
        let sdk = [("SDK", "metadata.sdk_name"), ("SDK version", "metadata.sdk_version")];
        out.facts(record, &sdk);
        out.nothing();
    }
}

/// A trace: metadata of the run, and its scores.
fn trace<'a>(trace: Json<'a>, out: &mut Description<'a>) {
    let run = out.run(trace.get("id"));
    run.titles.own = trace.get("name");
    run.times.order_rows = true;
    run.times.start = time_of(trace.get("timestamp"));
    run.times.duration = seconds_ns(trace.get("latency").number());
    out.facts(
        trace,
        &[
            (FactKind::Other("Session"), "sessionId"),
            (FactKind::Other("Session"), "session_id"),
            (FactKind::Other("User"), "userId"),
            (FactKind::Other("User"), "user_id"),
            (FactKind::Other("Tags"), "tags"),
            (FactKind::Other("Environment"), "environment"),
            (FactKind::Other("Release"), "release"),
            (FactKind::Version, "version"),
            (FactKind::Cost, "totalCost"),
        ],
    );
    out.at(trace.get("timestamp"));
    let [input, output, metadata] =
        ["input", "output", "metadata"].map(|key| unpacked(trace.get(key), out));
    out.event(EventKind::RunStart, "trace")
        .value(BlockRole::Input, input)
        .value(BlockRole::Output, output)
        .value("Metadata", metadata);
    for it in trace.get("scores").items().filter(|it| it.kind() == Kind::Object) {
        score(it, out);
    }
}

/// A score of a trace or of an observation.
fn score<'a>(score: Json<'a>, out: &mut Description<'a>) {
    if let Some(trace) = score.any(OBSERVATION.run).given() {
        out.run(trace);
    }
    let value = score.any(&["stringValue", "string_value", "value"]);
    let of = score.any(&["observationId", "observation_id"]);
    step::score(score.get("name"), value, score.get("comment"), of, out)
        .starts(time_of(score.any(&["timestamp", "createdAt"])))
        .fields(score, &[("Source", "source"), ("Type", "dataType"), ("Author", "authorUserId")])
        .value("Metadata", score.get("metadata"));
}

/// An observation, or an update of one from the ingestion API.
fn observation<'a>(kind: &str, is_update: bool, record: Json<'a>, out: &mut Description<'a>) {
    let mut step = OBSERVATION.step(record);
    if kind != "observation" {
        step.kind = kind_of_word(kind);
    }
    step.usage = tokens::langfuse(step.counts.or(record));
    step.attributes = unpacked(record.get("metadata"), out).get("attributes");
    let message = record.any(&["statusMessage", "status_message"]);
    let has_failed = step.status.is_some_and(Status::is_error);
    if has_failed {
        step.error = message;
    }
    let item = if is_update { step.tell_end(out) } else { step.tell(out) };
    if !has_failed && has_content(message) {
        item.field("Status", message);
    }
    if !record.get("level").is("DEFAULT") {
        item.field("Level", record.get("level"));
    }
    if item.what() == What::Span && kind.eq_ignore_ascii_case("event") {
        item.becomes(What::Event(EventKind::Note));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn a_trace_comes_before_its_first_span_even_if_it_is_younger() {
        let document = r#"{"trace":{"id":"t1","timestamp":"2026-03-01T10:00:00.004Z","name":"ferry","public":false,"bookmarked":false,"input":"When?"},"observations":[{"id":"o1","traceId":"t1","type":"SPAN","name":"answer","startTime":"2026-03-01T10:00:00.000Z","endTime":"2026-03-01T10:00:02.000Z"},{"id":"o2","traceId":"t1","parentObservationId":"o1","type":"GENERATION","name":"say","model":"keel-1","startTime":"2026-03-01T10:00:01.000Z","endTime":"2026-03-01T10:00:02.000Z"}]}"#;
        let read = read(&LANGFUSE, &[&[document]]);
        assert_eq!(read.outline(), ["run-start trace", "span answer", " llm-call keel-1"]);
    }

    #[test]
    fn events_of_one_call_of_beeai_are_one_call_that_lasts_until_its_outcome() {
        let document = include_str!("../../tests/fixtures/langfuse/beeai.json");
        let read = read(&LANGFUSE, &[&[document]]);
        let calls: Vec<_> = read
            .trace
            .order(traceloupe_core::model::RunId::from_index(0))
            .iter()
            .filter_map(|id| read.trace.event(*id))
            .filter(|it| matches!(it.kind, EventKind::LlmCall | EventKind::ToolCall))
            .map(|it| {
                let ms = it.duration.get().map(|ns| ns / 1_000_000);
                (read.trace.name(it.name), ms, it.status, it.result_hash != 0)
            })
            .collect();
        assert_eq!(
            calls,
            [
                // Nothing says when its answer came.
                ("helm-1", None, Status::Unknown, false),
                ("wikipedia", Some(2_000), Status::Ok, true),
                ("wikipedia", Some(500), Status::Failed, false),
                ("helm-1", Some(1_000), Status::Ok, false),
            ]
        );
        let agents = read.trace.events().iter().filter(|it| it.kind == EventKind::Agent);
        assert_eq!(agents.count(), 1, "updates are no agents");
    }
}
