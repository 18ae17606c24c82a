//! Results of solutions: traces of the benchmark, and the generations of KernelLLM (July 2025), whose run times are in
//! milliseconds.

use super::{run, source};
use traceloupe_core::number;
use traceloupe_engine::kit::{Column, Exhibit, Outcome};
use traceloupe_engine::prelude::*;

const INPUTS: &[Column] = &[
    Column::new("name", "name"),
    Column::new("type", "type"),
    Column::new("value", "value"),
    Column::new("path", "path"),
    Column::new("tensor key", "tensor_key"),
];

/// A solution with its result on a workload, or the workload alone.
pub(super) fn trace<'a>(record: Json<'a>, out: &mut Description<'a>) {
    run(record.field("definition"), out);
    let (workload, evaluation) = (record.field("workload"), record.field("evaluation"));
    let (uuid, axes) = (workload.field("uuid"), workload.field("axes"));
    let solution = record.field("solution").label();
    // The id of the workload, with the solution that ran it.
    let id = match uuid.word() {
        Some(uuid) if !solution.is_empty() => out.string(&format!("{uuid} {solution}")),
        _ => uuid,
    };
    out.at(evaluation.field("timestamp"));
    let name = if solution.is_empty() { "Workload".into() } else { solution.clone() };
    let item = out.event(EventKind::Evaluation, name).id(id);
    let performance = evaluation.field("performance");
    let (log, correctness) = (evaluation.field("log"), evaluation.field("correctness"));
    let told = [performance, log, correctness, axes, workload];
    item.row.summary = told.into_iter().find(|it| has_content(*it)).unwrap_or_default();
    let status = evaluation.field("status");
    let mut about = vec![("status".into(), status), ("solution".into(), record.field("solution"))];
    about.push(("definition".into(), record.field("definition")));
    about.push(("timestamp".into(), evaluation.field("timestamp")));
    if has_content(evaluation) {
        let float = |of: Json<'_>, key| float(of.field(key));
        outcome(
            status,
            item,
            Outcome {
                name: solution,
                workload: axes_in_words(axes).into(),
                latency_ms: float(performance, "latency_ms").filter(|ms| *ms >= 0.0),
                speedup: float(performance, "speedup_factor").filter(|times| times.is_finite()),
                max_diff: float(correctness, "max_absolute_error"),
                ..Outcome::default()
            },
        );
        item.group("Evaluation", about);
    } else {
        let note = "Only a workload: no solution was evaluated on it";
        item.status(Status::Missing).group("Evaluation", about).part(Part::Note(note.into()));
    }
    item.members("Performance", performance);
    item.members("Correctness", correctness);
    item.log("Log", log);
    item.group("Log file", vec![("path".into(), evaluation.field("log_file"))]);
    let environment = evaluation.field("environment");
    let hardware = environment.any(&["hardware", "device"]);
    item.group("Environment", vec![("hardware".into(), hardware)]);
    item.members("Libraries", environment.field("libs"));
    item.group("Workload", vec![("uuid".into(), uuid)]);
    item.members("Workload axes", axes);
    item.table("Workload inputs", INPUTS, workload.field("inputs"));
}

/// Lists an evaluation, and sets whether it passed. `status` is the producer's word.
fn outcome<'a>(status: Json<'a>, item: &mut Item<'a>, outcome: Outcome<'a>) {
    let word = status.label();
    let is_good = |good: &&str| word.eq_ignore_ascii_case(good);
    let passed =
        (!word.is_empty()).then(|| ["passed", "pass", "ok", "success"].iter().any(is_good));
    item.status(match passed {
        Some(true) => Status::Ok,
        Some(false) => Status::Failed,
        None => Status::Unknown,
    });
    if passed == Some(false) {
        item.ending.error = word.clone().into();
        item.part(Part::Error(status, Json::ABSENT, Json::ABSENT));
    }
    item.exhibit(Exhibit::Evaluation(Outcome { status: word, passed, ..outcome }));
}

/// The axes of a workload: `M=4, N=128`.
fn axes_in_words(axes: Json<'_>) -> String {
    const MAX_CHARS: usize = 80;
    let words = axes.members().filter_map(|(axis, it)| Some(format!("{axis}={}", it.word()?)));
    words.collect::<Vec<_>>().join(", ").chars().take(MAX_CHARS).collect()
}

/// A number, or one that is written as a string because JSON has no infinity and no NaN.
fn float(value: Json<'_>) -> Option<f64> {
    let Some(words) = value.text() else { return number::parse(value.raw()) };
    match words.trim() {
        "Infinity" | "inf" => Some(f64::INFINITY),
        "-Infinity" | "-inf" => Some(f64::NEG_INFINITY),
        "NaN" | "nan" => Some(f64::NAN),
        digits => number::parse(digits),
    }
}

/// The task of a generator, and its machine. The generations follow.
pub(super) fn kernel_spec<'a>(record: Json<'a>, out: &mut Description<'a>) {
    const PARTS: [&str; 3] = ["kernel_spec", "device_info", "generations"];
    let spec = record.field("kernel_spec");
    if let Some(file) = spec.field("description_file").word() {
        let name = file.rsplit('/').next().unwrap_or_default();
        out.run.titles.own = out.string(name);
    }
    let item = out.note("Kernel spec").exhibit(Exhibit::Definition).summary(spec);
    item.members("Kernel spec", spec);
    let summary = record.members().filter(|(key, _)| !PARTS.contains(&key.as_ref()));
    item.group(BlockRole::Summary, summary.collect());
    item.members("Device", record.field("device_info"));
    let number = record.field("generations").items().count();
    item.part(Part::Note(format!("Its {number} generations are rows of their own").into()));
}

/// Errors of a generation: key and title.
const ERRORS: [(&str, &str); 3] = [
    ("generation_error", "Generation error"),
    ("compilation_error", "Compilation error"),
    ("runtime_error", "Runtime error"),
];

/// The output of a generator in one round.
pub(super) fn generation<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let (round, code) = (record.field("round"), record.field("generated_code"));
    let name = format!("round {}", round.label());
    let word = status_of(record);
    let status = match word {
        "" => Json::ABSENT,
        word => out.string(word),
    };
    let errors = ERRORS.map(|(key, _)| record.field(key));
    let told = errors.into_iter().find(|it| has_content(*it));
    // Generators of this family write -1 for measurements that did not run.
    let float = |key| float(record.field(key));
    let (runtime, speedup) = (float("runtime"), float("speedup"));
    let item = out.event(EventKind::Evaluation, name.trim_end().to_owned());
    item.row.summary = told.unwrap_or(record.any(&["speedup", "runtime", "max_diff"]));
    outcome(
        status,
        item,
        Outcome {
            name: item.name.clone(),
            latency_ms: runtime.filter(|ms| *ms >= 0.0),
            speedup: speedup.filter(|times| times.is_finite() && *times >= 0.0),
            max_diff: float("max_diff").filter(|diff| !diff.is_sign_negative()),
            has_code: !code.is_absent(),
            ..Outcome::default()
        },
    );
    let keys = ["round", "compiled", "correctness", "max_diff", "avg_diff", "runtime", "speedup"];
    item.group("Generation", keys.map(|key| (key.into(), record.field(key))).into());
    for (key, title) in ERRORS {
        item.log(title, record.field(key));
    }
    source("generated code", "python", code, item);
    item.members("Metadata", record.field("metadata"));
    item.value("NCU results", record.field("ncu_results"));
}

/// The result of a generation, in the words of a trace's status; empty if it does not state one.
fn status_of(generation: Json<'_>) -> &'static str {
    let says_timeout = |key: &str| {
        let words = generation.field(key).text().unwrap_or_default().to_ascii_lowercase();
        words.contains("timeout") || words.contains("timed out")
    };
    let has = |key: &str| has_content(generation.field(key));
    let compiled = generation.field("compiled").bool();
    match generation.field("correctness").bool() {
        _ if says_timeout("runtime") || says_timeout("runtime_error") => "TIMEOUT",
        _ if has("generation_error") => "GENERATION_ERROR",
        _ if has("compilation_error") || compiled == Some(false) => "COMPILE_ERROR",
        _ if has("runtime_error") => "RUNTIME_ERROR",
        Some(true) => "PASSED",
        Some(false) => "INCORRECT_NUMERICAL",
        None => "",
    }
}
