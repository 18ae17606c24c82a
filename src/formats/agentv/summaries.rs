//! Documents about a run or about many: `grading.json`, `agentv.metrics.v1`, `timing.json`,
//! `benchmark.json`, `EVAL.yaml`, `targets.yaml`.

use super::events::{At, add_fact, identify, note, run_totals};
use super::grading;
use super::members::Members;
use super::shape::Shape;
use crate::formats::Record;
use crate::formats::by_hand::add_facts;
use crate::formats::fields::{count, entries, text, word};
use crate::model::{RunStatus, TraceBuilder};

/// Reads such a document.
pub(super) fn read(record: &Record<'_>, shape: Shape, own_key: &str, out: &mut TraceBuilder) {
    let Some(document) = Members::new(record.json) else { return };
    match shape {
        Shape::Grading => {
            let at = At::of_run(own_key, out);
            grading::push(record, &document, at, out);
            let metrics = document.object("execution_metrics");
            counts(at, &metrics, out);
            // Where no grader came to speak, an error was put in their place.
            let has_failed = grading::graders(&document).is_empty()
                && count(metrics.get("errors_encountered")).is_some_and(|n| n > 0);
            let run = out.run_mut(at.run);
            if has_failed && run.status == RunStatus::Unknown {
                run.status = RunStatus::Error;
            }
        }
        Shape::Metrics => metrics(record, &document, own_key, out),
        Shape::Timing => {
            let at = At::of_run(own_key, out);
            let of = |name: &str| document.get(name);
            let tokens = document.value("token_usage");
            run_totals(at.run, of("duration_ms"), of("cost_usd"), tokens, out);
            note(record, "timing", of("duration_ms"), at, out);
        }
        Shape::Task => {
            let at = At::of_run(own_key, out);
            let is_eval = !document.has("targets");
            let told = document.any(&["description", "name", "tests", "evalcases", "targets"]);
            let id = note(record, if is_eval { "eval" } else { "targets" }, told, at, out);
            out.put_last(id);
        }
        _ => benchmark(record, &document, own_key, out),
    }
}

fn metrics(record: &Record<'_>, document: &Members<'_>, own_key: &str, out: &mut TraceBuilder) {
    let trace = document.object("trace");
    let key = word(trace.get("trace_id")).unwrap_or(own_key.into());
    let at = At::of_run(&key, out);
    identify(at.run, document, out);
    add_facts(at.run, &[("Trace id", trace.get("trace_id"))], out);
    let metrics = document.object("metrics");
    counts(at, &metrics, out);
    let totals = [
        ("Turns", metrics.get("total_turns")),
        ("Steps", metrics.get("total_steps")),
        ("Thinking blocks", metrics.get("thinking_blocks")),
        ("Output characters", metrics.get("output_chars")),
    ];
    add_facts(at.run, &totals, out);
    let (duration, cost) = (document.object("duration"), document.object("cost"));
    let tokens = document.any_value(&["tokens", "token_usage"]);
    run_totals(at.run, duration.get("total_ms"), cost.get("usd"), tokens, out);
    let status = match text(document.object("execution").get("status")).as_deref() {
        Some("ok" | "quality_failure") => RunStatus::Ok,
        Some("execution_error") => RunStatus::Error,
        _ => RunStatus::Unknown,
    };
    let run = out.run_mut(at.run);
    if run.status == RunStatus::Unknown {
        run.status = status;
    }
    let id = note(record, "metrics", metrics.get("tool_calls"), at, out);
    out.put_last(id);
}

/// Counts of calls, by the names of their tools.
fn counts(at: At, metrics: &Members<'_>, out: &mut TraceBuilder) {
    let by_name =
        metrics.any_value(&["tool_calls", "tool_call_counts"]).map(entries).unwrap_or_default();
    let names: Vec<String> = by_name
        .into_iter()
        .filter_map(|(name, raw)| Some(format!("{name} ×{}", count(Some(raw))?)))
        .collect();
    add_fact(at.run, "Tools", names.join(", "), out);
    let known = &mut out.run_mut(at.run).counts;
    known.tool_calls = known.tool_calls.or(count(metrics.get("total_tool_calls")));
    known.errors = known.errors.or(count(metrics.get("errors_encountered")));
}

/// A summary of many runs is a run of its own, for none of them is in it.
fn benchmark(record: &Record<'_>, document: &Members<'_>, own_key: &str, out: &mut TraceBuilder) {
    let at = At::of_run(own_key, out);
    let metadata = document.object("metadata");
    let facts = [
        ("Eval file", metadata.get("eval_file")),
        ("Targets", metadata.get("targets")),
        ("Tests", metadata.get("tests_run")),
        ("Experiment", metadata.get("experiment")),
        ("Notes", document.get("notes")),
    ];
    add_facts(at.run, &facts, out);
    let run = out.run_mut(at.run);
    if run.title.is_none() {
        run.title = Some("Benchmark summary".to_owned());
    }
    note(record, "benchmark", document.get("run_summary"), at, out);
}
