//! Rows of results of all eras, replay fixtures, what commands answer, and messages in a document.

use super::events::{
    At, ID, add_fact, error_type, event, fill, identify, note, run_totals, settle, summary,
    trace_summary, words,
};
use super::grading;
use super::members::{Lines, Members};
use super::messages::push_list;
use super::shape::MESSAGE_LISTS;
use super::trace_events::{Pairs, is_events};
use crate::formats::Record;
use crate::formats::by_hand::add_facts;
use crate::formats::fields::{text, time, word};
use crate::formats::shapes::openai::gist;
use crate::json::{Json, Kind, number};
use crate::model::{
    EventKind, Link, MaybeNs, RunStatus, RunVerdict, Status, TraceBuilder, key_hash,
};
use crate::notice::NoticeCode;

/// The members of a row that name other files of the run.
const PATHS: [&str; 12] = [
    "trace_path",
    "transcript_path",
    "transcript_raw_path",
    "grading_path",
    "metrics_path",
    "timing_path",
    "summary_path",
    "trace_ref",
    "artifact_dir",
    "result_dir",
    "output_path",
    "raw_provider_log_path",
];

/// The key that a row and a file have in common: the end of the file's path.
pub(super) fn path_key(path: &str) -> u64 {
    key_hash(&[ID, "path", path.trim_start_matches("./")])
}

/// The key of the run of a row: the id of its trace where it has one, else a key of its own.
fn key_of(row: &Members<'_>, own_key: &str) -> String {
    let dimensions = row.object("projection_identity").object("dimensions");
    let id = word(dimensions.get("trace_id")).or_else(|| word(row.object("trace").get("trace_id")));
    id.map_or(own_key.to_owned(), std::borrow::Cow::into_owned)
}

/// Reads a row of results.
pub(super) fn read_row(record: &Record<'_>, own_key: &str, out: &mut TraceBuilder) {
    let Some(row) = Members::new(record.json) else { return };
    let at = At::of_run(&key_of(&row, own_key), out);
    let dimensions = row.object("projection_identity").object("dimensions");
    identify(at.run, &dimensions, out);
    identify(at.run, &row, out);
    let facts = [
        ("Evaluated at", row.get("timestamp")),
        ("Execution status", row.get("execution_status")),
        ("Failure stage", row.get("failure_stage")),
        ("Failure reason", row.get("failure_reason_code")),
        ("Trace id", dimensions.get("trace_id")),
    ];
    add_facts(at.run, &facts, out);
    let of = |name: &str| row.get(name);
    run_totals(at.run, of("duration_ms"), of("cost_usd"), row.value("token_usage"), out);
    let summed = if row.has("trace_summary") { "trace_summary" } else { "trace" };
    trace_summary(at.run, &row.object(summed), out);
    let (start, end) = (time(of("start_time")), time(of("end_time")));
    let run = out.run_mut(at.run);
    if start.is_known() {
        run.start = start;
    }
    if end.is_known() {
        run.end = end;
    }
    let status = match text(of("execution_status")).as_deref() {
        Some("execution_error") => RunStatus::Error,
        Some("ok" | "quality_failure") => RunStatus::Ok,
        _ if row.has("error") => RunStatus::Error,
        _ => RunStatus::Unknown,
    };
    if status != RunStatus::Unknown {
        run.status = status;
    }
    let mut lines = Lines::new(record);
    if let Some(input) = row.any_value(&["input", "input_messages"]) {
        read_input(record, input, &mut lines, at, out);
    } else if let Some(asked) = row.object("lm_provider_request").value("question") {
        read_input(record, asked, &mut lines, at, out);
    }
    let has_calls = read_lists(&row, &mut lines, at, out);
    if !has_calls {
        let answer = row.any_value(&["output", "candidate_answer", "answer", "output_text"]);
        read_answer(record, answer, at, out);
    }
    if let Some(error) = of("error") {
        let kind = word(of("failure_reason_code")).map(std::borrow::Cow::into_owned);
        let kind = kind.or_else(|| error_type(error)).unwrap_or_default();
        let key = at.key("error", "");
        let (id, _) = event(EventKind::Error, at, record, Some(key), out);
        fill(id, &kind, MaybeNs::UNKNOWN, MaybeNs::UNKNOWN, out);
        settle(id, None::<&str>, None, Status::Error, Some(&kind), out);
        summary(id, record, Some(error), out);
        out.put_last(id);
    }
    let (id, grade) = grading::push(record, &row, at, out);
    add_facts(at.run, &[("Trace file", of("trace_ref"))], out);
    for name in PATHS {
        if let Some(path) = word(of(name)) {
            out.link(ID, Link { key: path_key(&path), time_ns: i64::MAX, event: id });
        }
    }
    // What the row says counts more than what was made of single graders.
    let run = out.run_mut(at.run);
    run.score = of("score").and_then(number).filter(|it| (0.0..=1.0).contains(it)).or(run.score);
    run.verdict = grade.verdict.or(run.verdict);
    if grade.verdict.is_none() && text(of("execution_status")).as_deref() == Some("ok") {
        run.verdict = run.verdict.or(Some(RunVerdict::Pass));
    }
}

/// Reads what the agent was asked: messages, or words.
fn read_input(
    record: &Record<'_>,
    input: Json<'_>,
    lines: &mut Lines<'_>,
    at: At,
    out: &mut TraceBuilder,
) {
    if input.kind() == Kind::Array && push_list(input, lines, at, None, out) > 0 {
        return;
    }
    let (id, _) = event(EventKind::UserMessage, at, record, None, out);
    words(id, Some(input), out);
    summary(id, record, Some(gist(input)), out);
}

/// Reads the lists of messages or events of a row. Returns whether there was any.
fn read_lists(row: &Members<'_>, lines: &mut Lines<'_>, at: At, out: &mut TraceBuilder) -> bool {
    let nested = row.object("trace");
    let list = MESSAGE_LISTS.iter().find_map(|name| row.list(name));
    let list = list.or_else(|| nested.list("messages"));
    let model = word(row.any(&["model"]).or(row.object("source").get("model")));
    if let Some(list) = list
        && push_list(list, lines, at, model.as_deref(), out) > 0
    {
        return true;
    }
    let events = row.list("trace").or_else(|| nested.list("events"));
    let Some(list) = events else { return false };
    if !is_events(list) {
        return push_list(list, lines, at, model.as_deref(), out) > 0;
    }
    let mut pairs = Pairs::default();
    for value in list.items() {
        let inner = lines.inner(value);
        if !pairs.push(&inner, at, out) {
            out.warn(NoticeCode::UnknownRecord, &inner.place(), "");
            event(EventKind::Record, at, &inner, None, out);
        }
    }
    false
}

/// The final answer, where it stands beside the trace.
fn read_answer(record: &Record<'_>, answer: Option<Json<'_>>, at: At, out: &mut TraceBuilder) {
    let Some(answer) = answer.filter(|it| !matches!(it.raw(), "\"\"" | "[]")) else { return };
    let (id, _) = event(EventKind::LlmCall, at, record, Some(at.key("answer", "")), out);
    words(id, Some(answer), out);
    summary(id, record, Some(gist(answer)), out);
}

/// Reads a replay fixture.
pub(super) fn read_fixture(record: &Record<'_>, own_key: &str, out: &mut TraceBuilder) {
    let Some(row) = Members::new(record.json) else { return };
    let at = At::of_run(own_key, out);
    let n_before = out.trace().events().len();
    let source = row.object("source");
    identify(at.run, &row, out);
    let facts = [
        ("Recorded at", row.get("recorded_at")),
        ("Provider", source.get("provider")),
        ("Session", source.get("session_id")),
        ("Directory", source.get("cwd")),
    ];
    add_facts(at.run, &facts, out);
    let mut lines = Lines::new(record);
    if let Some(input) = row.any_value(&["input", "input_messages"]) {
        read_input(record, input, &mut lines, at, out);
    }
    if !read_lists(&row, &mut lines, at, out) {
        read_answer(record, row.any_value(&["output", "text"]), at, out);
    }
    let of = |name: &str| row.get(name);
    run_totals(at.run, of("duration_ms"), of("cost_usd"), row.value("token_usage"), out);
    if out.trace().events().len() == n_before {
        note(record, "fixture", None, at, out);
    }
}

/// Reads what a command answers (`text` with a `trace`), or messages in a document.
pub(super) fn read_answer_document(record: &Record<'_>, own_key: &str, out: &mut TraceBuilder) {
    let Some(document) = Members::new(record.json) else { return };
    let at = At::of_run(own_key, out);
    identify(at.run, &document, out);
    let mut lines = Lines::new(record);
    let has_messages = read_lists(&document, &mut lines, at, out);
    let of = |name: &str| document.get(name);
    if !has_messages {
        read_answer(record, document.any_value(&["text", "answer", "output_text"]), at, out);
    }
    run_totals(at.run, of("duration_ms"), of("cost_usd"), document.value("token_usage"), out);
    if let Some(summed) = ["trace_summary"].iter().find(|name| document.has(name)) {
        trace_summary(at.run, &document.object(summed), out);
    }
    if let Some(path) = word(of("trace_ref")) {
        let id = note(record, "trace_ref", of("trace_ref"), at, out);
        out.link(ID, Link { key: path_key(&path), time_ns: i64::MAX, event: id });
        add_fact(at.run, "Trace file", path.into_owned(), out);
    }
}
