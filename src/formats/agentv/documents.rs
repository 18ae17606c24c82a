//! Documents and rows: results of all eras, replay fixtures, what commands answer, summaries of a run or of many, and
//! where they have lists of messages or events.

use super::grading;
use super::members::Members;
use super::run::{counts, fact, facts, identify, own_fact, own_totals, status_of, totals};
use super::shape::Shape;
use super::talk::{error, error_type, only_text, words_in};
use crate::format::kit::{Description, Joins, Part, What, has_content, time_of};
use crate::json::{Json, Kind, quoted};
use crate::model::{RunStatus, RunVerdict};

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

/// What was asked, as a list of messages.
const ASKED: &str = "input|input_messages|inputMessages";

/// Where a record may have the conversation: the members to look at, and the lists to read, without what was asked
/// and with it. Trace events come last, for the answer is told beside them.
const TALKS: [(&str, &str, &str); 6] = [
    (
        "output_messages",
        "output_messages|outputMessages",
        "input|input_messages|inputMessages|output_messages|outputMessages",
    ),
    ("output", "output", "input|input_messages|inputMessages|output"),
    ("messages", "messages", "input|input_messages|inputMessages|messages"),
    ("trace.messages", "trace.messages", "trace.messages"),
    ("trace", "trace", "input|input_messages|inputMessages|trace"),
    ("trace.events", "trace.events", "trace.events"),
];

/// Whether a value is a list of messages or events.
fn is_talk(list: Json<'_>) -> bool {
    list.kind() == Kind::Array && list.items().next().is_some_and(|it| it.kind() == Kind::Object)
}

fn talk_of(record: &Members<'_>) -> Option<&'static (&'static str, &'static str, &'static str)> {
    let nested = record.object("trace");
    TALKS.iter().find(|(name, ..)| {
        is_talk(match name.strip_prefix("trace.") {
            Some(inner) => nested.at(&[inner]),
            None => record.at(&[name]),
        })
    })
}

/// Where a record has its list.
pub(super) fn list_of(record: &Members<'_>, shape: Shape) -> Option<&'static str> {
    match shape {
        Shape::Spans => match record.object("trace").list("spans") {
            Some(_) => Some("trace.spans"),
            None => record.list("spans").map(|_| "spans"),
        },
        Shape::Turns => Some("turns"),
        Shape::Row | Shape::Fixture | Shape::Answer | Shape::Messages => {
            let is_asked = is_talk(record.at(&["input", "input_messages"]));
            match talk_of(record) {
                Some((_, alone, asked)) => Some(if is_asked { *asked } else { *alone }),
                None => is_asked.then_some(ASKED),
            }
        }
        _ => None,
    }
}

/// Describes a document or a row.
pub(super) fn describe<'a>(record: &Members<'a>, shape: Shape, out: &mut Description<'a>) {
    out.run.is_own = true;
    match shape {
        Shape::Row => row(record, out),
        Shape::Fixture | Shape::Answer | Shape::Messages => talk(record, out),
        Shape::Turns => turns(record, out),
        Shape::Grading => {
            let metrics = record.object("execution_metrics");
            counts(&metrics, out);
            // Where no grader came to speak, an error was put in their place.
            let n_errors = metrics.at(&["errors_encountered"]).count().unwrap_or(0);
            if n_errors > 0 && grading::graders(record).is_empty() {
                out.run.status = Some(RunStatus::Error);
            }
            out.run.gives_way = true;
            grading::describe(record, out);
        }
        Shape::Metrics => metrics(record, out),
        Shape::Timing => {
            out.run.gives_way = true;
            own_totals(record, out);
            out.note("timing").summary(record.at(&["duration_ms"]));
        }
        Shape::Task => {
            let label = if record.has("targets") { "targets" } else { "eval" };
            let told = ["description", "name", "tests", "evalcases", "targets"];
            out.note(label).summary(record.at(&told)).last();
        }
        _ => benchmark(record, out),
    }
}

fn row<'a>(row: &Members<'a>, out: &mut Description<'a>) {
    let dimensions = row.object("projection_identity").object("dimensions");
    let nested = row.object("trace");
    let id = dimensions.at(&["trace_id"]).given().unwrap_or(nested.at(&["trace_id"]));
    out.run(id);
    identify(&dimensions, out);
    identify(row, out);
    let told: &[(_, &[&str])] = &[
        ("Evaluated at", &["timestamp"]),
        ("Execution status", &["execution_status"]),
        ("Failure stage", &["failure_stage"]),
        ("Failure reason", &["failure_reason_code"]),
    ];
    facts(row, told, out);
    fact("Trace id", dimensions.at(&["trace_id"]), out);
    own_totals(row, out);
    let summed = if row.has("trace_summary") { "trace_summary" } else { "trace" };
    summary(&row.object(summed), out);
    fact("Trace file", row.at(&["trace_ref"]), out);
    let status = row.at(&["execution_status"]);
    let failure = row.at(&["error"]);
    let run = &mut out.run;
    (run.start, run.end) = (time_of(row.at(&["start_time"])), time_of(row.at(&["end_time"])));
    run.status = status_of(status).or(failure.is_given().then_some(RunStatus::Error));
    run.model = row.at(&["model"]).given().unwrap_or(row.object("source").at(&["model"]));
    run.files = PATHS.iter().map(|name| row.at(&[name])).filter(|it| it.is_given()).collect();
    asked(row, out);
    out.after_list();
    answered(row, &["output", "candidate_answer", "answer", "output_text"], out);
    if has_content(failure) {
        let kind = row.at(&["failure_reason_code"]).word().or_else(|| error_type(failure));
        error(kind, failure, out).is_last = true;
    }
    grading::describe(row, out);
    if out.run.verdict.is_none() && status.is("ok") {
        // Without a verdict a test that was carried out has passed.
        out.run.verdict = Some(RunVerdict::Pass);
    }
}

/// What the agent was asked, where that is no list of messages.
fn asked<'a>(record: &Members<'a>, out: &mut Description<'a>) {
    let asked = record.at(&["input", "input_messages"]).given();
    let asked = asked.unwrap_or(record.object("lm_provider_request").at(&["question"]));
    if asked.is_given() && !is_talk(asked) {
        let item = out.item(What::User).part(Part::Prompt(asked)).answer(only_text(asked));
        item.summary(words_in(asked));
    }
}

/// The final answer, where there are no messages that have it.
fn answered<'a>(record: &Members<'a>, names: &[&str], out: &mut Description<'a>) {
    let has_messages = talk_of(record).is_some_and(|(name, ..)| !name.starts_with("trace"));
    let answer = record.at(names);
    if !has_messages && has_content(answer) {
        let item = out.model(vec![Part::Answer(answer)], Joins::Nothing).answer(only_text(answer));
        item.summary(words_in(answer));
    }
}

/// A replay fixture, what a command answers, or messages in a document.
fn talk<'a>(record: &Members<'a>, out: &mut Description<'a>) {
    let source = record.object("source");
    identify(record, out);
    fact("Recorded at", record.at(&["recorded_at"]), out);
    let told: &[(_, &[&str])] =
        &[("Provider", &["provider"]), ("Session", &["session_id"]), ("Directory", &["cwd"])];
    facts(&source, told, out);
    own_totals(record, out);
    if record.has("trace_summary") {
        summary(&record.object("trace_summary"), out);
    }
    out.run.model = record.at(&["model"]).given().unwrap_or(source.at(&["model"]));
    asked(record, out);
    out.after_list();
    answered(record, &["output", "text", "answer", "output_text"], out);
    let path = record.at(&["trace_ref"]);
    if path.is_given() {
        fact("Trace file", path, out);
        out.run.files.push(path);
        out.note("trace_ref").summary(path);
    }
    if out.items.is_empty() && talk_of(record).is_none() {
        out.note("fixture");
    }
}

/// What a summary of a trace says.
fn summary<'a>(summed: &Members<'a>, out: &mut Description<'a>) {
    counts(summed, out);
    own_totals(summed, out);
}

/// A document of turns.
fn turns<'a>(document: &Members<'a>, out: &mut Description<'a>) {
    let told: &[(_, &[&str])] = &[("Provider", &["provider_id"]), ("Target", &["target"])];
    facts(document, told, out);
    let summed = document.object("transcript_summary");
    for (label, name) in [("Files read", "files_read"), ("Files modified", "files_modified")] {
        let list = summed.at(&[name]);
        let words: Vec<_> = list.items().filter_map(Json::word).collect();
        own_fact(label, &words.join(", "), out);
    }
    let by_category = summed.at(&["tool_calls"]);
    let counted = by_category.members().filter_map(|(name, value)| {
        value.count().filter(|n| *n > 0).map(|n| format!("{name} ×{n}"))
    });
    own_fact("Tool categories", &counted.collect::<Vec<_>>().join(", "), out);
    out.after_list();
    let summed = document.at(&["transcript_summary"]);
    let item = out.note("transcript summary").value("Transcript summary", summed);
    item.has_rest = true;
}

fn metrics<'a>(document: &Members<'a>, out: &mut Description<'a>) {
    let id = document.object("trace").at(&["trace_id"]);
    out.run(id).gives_way = true;
    identify(document, out);
    fact("Trace id", id, out);
    let metrics = document.object("metrics");
    counts(&metrics, out);
    let told: &[(_, &[&str])] = &[
        ("Turns", &["total_turns"]),
        ("Steps", &["total_steps"]),
        ("Thinking blocks", &["thinking_blocks"]),
        ("Output characters", &["output_chars"]),
    ];
    facts(&metrics, told, out);
    let duration = document.object("duration").at(&["total_ms"]);
    let cost = document.object("cost").at(&["usd"]);
    totals(duration, cost, document.at(&["tokens", "token_usage"]), out);
    out.run.status = status_of(document.object("execution").at(&["status"]));
    let item = out.note("metrics").summary(metrics.at(&["tool_calls"])).last();
    item.value("Metrics", document.at(&["metrics"]));
}

/// A summary of many runs is a run of its own, for none of them is in it.
fn benchmark<'a>(document: &Members<'a>, out: &mut Description<'a>) {
    let told: &[(_, &[&str])] = &[
        ("Eval file", &["eval_file"]),
        ("Targets", &["targets"]),
        ("Tests", &["tests_run"]),
        ("Experiment", &["experiment"]),
    ];
    facts(&document.object("metadata"), told, out);
    fact("Notes", document.at(&["notes"]), out);
    out.run.title = Json::new(out.keep(&quoted("Benchmark summary")));
    out.note("benchmark").summary(document.at(&["run_summary"]));
}
