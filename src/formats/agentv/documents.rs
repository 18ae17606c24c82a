//! Documents and rows: results of all eras, transcripts, replay fixtures, output of commands, summaries of one or many
//! runs, and where their lists of messages or events are.

use super::grading;
use super::keys::Keys;
use super::messages::{error, error_type, message, only_text, words_in};
use super::run::{
    Facts, NAMES, counted, counts, facts, listed, own_fact, own_totals, status_of, totals,
};
use super::shape::Shape;
use super::spans;
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::{FactKind, RunStatus, RunVerdict};
use traceloupe_engine::kit::{
    Description, Joins, Lent, Order, Part, Reach, Records, What, has_content, millis_ns, time_of,
};

/// The members of a row that name other files of the run.
const FILES: &str = "trace_path|transcript_path|transcript_raw_path|grading_path|metrics_path|timing_path|\
    summary_path|trace_ref|artifact_dir|result_dir|output_path|raw_provider_log_path";

/// Where the agent's input may be, as a list of messages.
const ASKED: &str = "input|input_messages|inputMessages";

/// Where a record may have the conversation: the lists to read, without the input and with it. Trace events come last,
/// because the answer is written beside them.
const TALKS: [[&str; 2]; 6] = [
    [
        "output_messages|outputMessages",
        "input|input_messages|inputMessages|output_messages|outputMessages",
    ],
    ["output", "input|input_messages|inputMessages|output"],
    ["messages", "input|input_messages|inputMessages|messages"],
    ["trace.messages"; 2],
    ["trace", "input|input_messages|inputMessages|trace"],
    ["trace.events"; 2],
];

/// Whether a value is a list of messages or events.
fn is_talk(list: Json<'_>) -> bool {
    list.kind() == Kind::Array && list.item(0).kind() == Kind::Object
}

fn talk_of(record: &Keys<'_>) -> Option<[&'static str; 2]> {
    TALKS.into_iter().find(|[lists, _]| is_talk(record.at(lists)))
}

/// Where a record has its list.
pub(super) fn list_of(record: &Keys<'_>, shape: Shape) -> Option<&'static str> {
    match shape {
        Shape::Spans => {
            ["trace.spans", "spans"].into_iter().find(|path| record.list(path).is_some())
        }
        Shape::Turns => Some("turns"),
        Shape::Row | Shape::Fixture | Shape::Answer | Shape::Messages => {
            let is_asked = is_talk(record.at("input|input_messages"));
            let talk = talk_of(record).map(|[alone, all]| if is_asked { all } else { alone });
            talk.or(is_asked.then_some(ASKED))
        }
        _ => None,
    }
}

/// Describes a document or a row.
pub(super) fn describe<'a>(record: &Keys<'a>, shape: Shape, out: &mut Description<'a>) {
    let is_part = matches!(shape, Shape::Spans | Shape::TranscriptRow);
    out.run.records = Records::itself_if(!is_part);
    out.run.gives_way = is_part || matches!(shape, Shape::Grading | Shape::Metrics | Shape::Timing);
    match shape {
        Shape::Spans => spans::document(record, out),
        Shape::TranscriptRow => transcript_row(record, out),
        Shape::Row => row(record, out),
        Shape::Turns => turns(record, out),
        Shape::Metrics => metrics(record, out),
        Shape::Grading => {
            let metrics = record.inner("execution_metrics");
            counts(&metrics, out);
            // Where no grader ran, an error stands in place of the grades.
            let n_errors = metrics.at("errors_encountered").count().unwrap_or(0);
            if n_errors > 0 && grading::graders(record).is_empty() {
                out.run.status = Some(RunStatus::Error);
            }
            grading::describe(record, out);
        }
        Shape::Timing => {
            own_totals(record, out);
            out.note("timing").summary(record.at("duration_ms"));
        }
        Shape::Task => {
            let label = if record.has("targets") { "targets" } else { "eval" };
            out.note(label).summary(record.at("description|name|tests|evalcases|targets")).last();
        }
        Shape::Benchmark => benchmark(record, out),
        _ => talk(record, out),
    }
}

fn row<'a>(row: &Keys<'a>, out: &mut Description<'a>) {
    const TRACE_ID: &str = "projection_identity.dimensions.trace_id";
    let told: Facts = &[
        (FactKind::Own("Evaluated at"), "timestamp"),
        (FactKind::Other("Execution status"), "execution_status"),
        (FactKind::Other("Failure stage"), "failure_stage"),
        (FactKind::Other("Failure reason"), "failure_reason_code"),
        (FactKind::TraceId, TRACE_ID),
    ];
    out.run(row.at(TRACE_ID).or(row.at("trace.trace_id")));
    facts(&row.inner("projection_identity.dimensions"), NAMES, out);
    facts(row, NAMES, out);
    facts(row, told, out);
    own_totals(row, out);
    summary(&row.inner(if row.has("trace_summary") { "trace_summary" } else { "trace" }), out);
    facts(row, &[(FactKind::TraceFile, "trace_ref")], out);
    let status = row.at("execution_status");
    let failure = row.at("error");
    let run = &mut out.run;
    (run.times.start, run.times.end) = (time_of(row.at("start_time")), time_of(row.at("end_time")));
    run.status = status_of(status).or(failure.is_given().then_some(RunStatus::Error));
    run.models.name = row.at("model|source.model");
    run.about.files = FILES.split('|').map(|path| row.at(path)).collect();
    asked(row, out);
    out.after_list();
    answered(row, "output|candidate_answer|answer|output_text", out);
    if has_content(failure) {
        let kind = row.at("failure_reason_code").word().or_else(|| error_type(failure));
        error(kind, failure, out).order = Order::Last;
    }
    grading::describe(row, out);
    if status.is("ok") {
        // A test that was carried out and has no verdict passed.
        out.run.grade.verdict.get_or_insert(RunVerdict::Pass);
    }
}

/// The agent's input, if it is not a list of messages.
fn asked<'a>(record: &Keys<'a>, out: &mut Description<'a>) {
    let asked = record.at("input|input_messages|lm_provider_request.question");
    if asked.is_given() && !is_talk(asked) {
        let item = out.item(What::User).part(Part::Prompt(asked)).answer(only_text(asked));
        item.summary(words_in(asked));
    }
}

/// The final answer, if no message contains it.
fn answered<'a>(record: &Keys<'a>, names: &str, out: &mut Description<'a>) {
    let has_messages = talk_of(record).is_some_and(|[lists, _]| !lists.starts_with("trace"));
    let answer = record.at(names);
    if !has_messages && has_content(answer) {
        let item = out.model(vec![Part::Answer(answer)], Joins::Nothing).answer(only_text(answer));
        item.summary(words_in(answer));
    }
}

/// A replay fixture, the output of a command, or messages in a document.
fn talk<'a>(record: &Keys<'a>, out: &mut Description<'a>) {
    let told: Facts = &[
        (FactKind::Own("Recorded at"), "recorded_at"),
        (FactKind::Provider, "source.provider"),
        (FactKind::Other("Session"), "source.session_id"),
        (FactKind::Folder, "source.cwd"),
    ];
    facts(record, NAMES, out);
    facts(record, told, out);
    own_totals(record, out);
    summary(&record.inner("trace_summary"), out);
    out.run.models.name = record.at("model|source.model");
    asked(record, out);
    out.after_list();
    answered(record, "output|text|answer|output_text", out);
    let path = record.at("trace_ref");
    if path.is_given() {
        facts(record, &[(FactKind::TraceFile, "trace_ref")], out);
        out.run.about.files.push(path);
        out.note("trace_ref").summary(path);
    }
    if out.items.is_empty() && talk_of(record).is_none() {
        out.note("fixture");
    }
}

/// The summary of a trace.
fn summary<'a>(summed: &Keys<'a>, out: &mut Description<'a>) {
    counts(summed, out);
    own_totals(summed, out);
}

/// A document of turns.
fn turns<'a>(document: &Keys<'a>, out: &mut Description<'a>) {
    facts(document, &[(FactKind::Provider, "provider_id"), (FactKind::Target, "target")], out);
    let summed = document.inner("transcript_summary");
    own_fact(FactKind::Other("Files read"), &listed(summed.at("files_read")), out);
    own_fact(FactKind::Other("Files modified"), &listed(summed.at("files_modified")), out);
    let by_category = summed.at("tool_calls");
    own_fact(FactKind::Other("Tool categories"), &counted(by_category, Json::ABSENT, 1).0, out);
    out.after_list();
    let item = out.note("transcript summary").value("Transcript summary", summed.json);
    item.row.has_rest = true;
}

/// `agentv.transcript.v1`: a row for each message; several tests and targets may share a file.
///
/// Tokens, duration and cost of the whole transcript are repeated on every row. A tool without times of its own has
/// those of the run.
fn transcript_row<'a>(row: &Keys<'a>, out: &mut Description<'a>) {
    let told: Facts = &[
        (FactKind::Provider, "source.provider"),
        (FactKind::Other("Session"), "source.session_id"),
        (FactKind::Folder, "source.cwd"),
        (FactKind::Model, "source.model"),
    ];
    let of = |names: &str| row.at(names).label();
    let id = row.at("trace.trace_id");
    let is_named = id.word().is_some();
    let name = || out.string(&format!("{} · {}", of("test_id|eval_id"), of("target")));
    let key = if is_named { id } else { name() };
    let run = out.run(key);
    if !is_named {
        run.reach = Reach::File;
    }
    run.models.name = row.at("source.model");
    let stamp = time_of(row.at("source.timestamp"));
    let took = millis_ns(row.at("transcript_duration_ms"));
    let end = stamp.get().zip(took.get()).map(|(start, took)| start.saturating_add(took));
    run.times.lent = Lent::OfMessages(stamp, end.into());
    facts(row, NAMES, out);
    facts(row, told, out);
    if !row.at("source.format").is("agentv_result") {
        facts(row, &[(FactKind::Other("Imported from"), "source.format")], out);
    }
    let told: Facts = &[
        (FactKind::TraceId, "trace.trace_id"),
        (FactKind::Other("Redaction"), "capture.redaction_level"),
    ];
    facts(row, told, out);
    let totalled = ["transcript_duration_ms", "transcript_cost_usd", "transcript_token_usage"];
    totals(row, totalled, out);
    if row.at("source.kind").is("imported_transcript") {
        own_fact(FactKind::Other("Kind"), "imported transcript", out);
    }
    // A message that is not an LLM call has the span id of the root.
    message(row, row.at("trace.span_id"), out);
    if let Some(item) = out.items.first_mut() {
        item.position(row.at("message_index").count());
    }
}

fn metrics<'a>(document: &Keys<'a>, out: &mut Description<'a>) {
    let told: Facts = &[
        (FactKind::Other("Turns"), "total_turns"),
        (FactKind::Other("Steps"), "total_steps"),
        (FactKind::Other("Thinking blocks"), "thinking_blocks"),
        (FactKind::Amount("Output characters"), "output_chars"),
    ];
    out.run(document.at("trace.trace_id"));
    facts(document, NAMES, out);
    facts(document, &[(FactKind::TraceId, "trace.trace_id")], out);
    let metrics = document.inner("metrics");
    counts(&metrics, out);
    facts(&metrics, told, out);
    let totalled = ["duration.total_ms", "cost.usd", "tokens|token_usage"];
    totals(document, totalled, out);
    out.run.status = status_of(document.at("execution.status"));
    let item = out.note("metrics").summary(metrics.at("tool_calls")).last();
    item.value("Metrics", metrics.json);
}

/// A summary of many runs is a run of its own, because it contains none of them.
fn benchmark<'a>(document: &Keys<'a>, out: &mut Description<'a>) {
    let told: Facts = &[
        (FactKind::Other("Eval file"), "metadata.eval_file"),
        (FactKind::Other("Targets"), "metadata.targets"),
        (FactKind::Other("Tests"), "metadata.tests_run"),
        (FactKind::Other("Experiment"), "metadata.experiment"),
        (FactKind::Other("Notes"), "notes"),
    ];
    facts(document, told, out);
    out.run.titles.own = out.string("Benchmark summary");
    out.note("benchmark").summary(document.at("run_summary"));
}
