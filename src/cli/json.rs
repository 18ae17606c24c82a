//! Summaries as JSON. The keys are stable: `docs/ci.md` describes them.

use traceloupe_core::json::text::{ObjectText, list, quoted};
use traceloupe_core::model::RunOutcome;
use traceloupe_words::brief::Brief;
use traceloupe_words::summary::{
    ErrorLine, FoundLine, RunSummary, Summary, problem_line, warning_line,
};

use crate::checks::Failed;

/// The version of the keys: it grows when a key gets another meaning or goes.
const VERSION: u32 = 1;

/// A summary as JSON.
#[must_use]
pub fn summary_json(summary: &Summary) -> String {
    of_summary(summary).end()
}

/// A summary as JSON, with what checks have found.
#[must_use]
pub fn failed_json(summary: &Summary, failed: &[Failed]) -> String {
    let one = |it: &Failed| {
        ObjectText::new()
            .text("check", it.check.word())
            .raw("run", &it.run.map_or("null".to_owned(), |run| run.to_string()))
            .text("text", &it.text)
            .end()
    };
    of_summary(summary).raw("failed", &array(failed, one)).end()
}

fn of_summary(summary: &Summary) -> ObjectText {
    let problems = array(&summary.problems, |it| {
        ObjectText::new().text("code", &it.code().word()).text("text", &problem_line(it)).end()
    });
    let warnings = array(&summary.warnings, |(code, n)| {
        ObjectText::new()
            .text("code", code.word())
            .raw("count", &n.to_string())
            .text("text", &warning_line(*code, *n))
            .end()
    });
    ObjectText::new()
        .raw("version", &VERSION.to_string())
        .raw("runs", &array(&summary.runs, run_json))
        .raw("problems", &problems)
        .raw("warnings", &warnings)
}

fn array<T>(items: &[T], one: impl Fn(&T) -> String) -> String {
    list(&items.iter().map(one).collect::<Vec<_>>())
}

/// A number with at most this number of decimal places; `null` if it is not known. Times in milliseconds since 1970 have no
/// exact decimals beyond three.
fn number(n: f64, decimals: i32) -> String {
    let scale = 10_f64.powi(decimals);
    if n.is_finite() { ((n * scale).round() / scale).to_string() } else { "null".to_owned() }
}

/// A time in milliseconds.
fn milliseconds(ms: f64) -> String {
    number(ms, 3)
}

fn count(n: Option<u64>) -> String {
    n.map_or("null".to_owned(), |n| n.to_string())
}

fn run_json(run: &RunSummary) -> String {
    let Brief { title, format, usage, cost, failures, .. } = &run.brief;
    let (score, verdict) = run.brief.grade;
    let n_never_fixed = run.knows_repairs.then_some(failures.n_never);
    let n_fixed = run.knows_repairs.then_some(failures.n_fixed);
    let dollars = if cost.is_known() { cost.dollars } else { f64::NAN };
    let verdict = verdict.map_or("null".to_owned(), |it| quoted(it.word()));
    ObjectText::new()
        .text("id", &run.key)
        .text("title", title)
        .text("format", format)
        .text("outcome", outcome(run.brief.outcome))
        .raw("score", &number(score.unwrap_or(f64::NAN), 6))
        .raw("verdict", &verdict)
        .raw("start_unix_ms", &milliseconds(run.brief.start_ms))
        .raw("duration_ms", &milliseconds(run.duration_ms))
        .raw("active_ms", &milliseconds(run.active_ms))
        .raw("events", &run.n_events.to_string())
        .raw("llm_calls", &run.brief.n_llm_calls.to_string())
        .raw("tool_calls", &run.brief.n_tool_calls.to_string())
        .raw("errors", &failures.n.to_string())
        .raw("errors_fixed", &count(n_fixed))
        .raw("errors_never_fixed", &count(n_never_fixed))
        .raw("input_tokens", &count(usage.total_input()))
        .raw("cache_read_tokens", &count(usage.cache_read))
        .raw("cache_write_tokens", &count(usage.cache_write))
        .raw("output_tokens", &count(usage.output))
        .raw("reasoning_tokens", &count(usage.reasoning))
        .raw("output_tokens_is_lower_bound", &usage.unfinished.to_string())
        .raw("cost_usd", &number(dollars, 9))
        .raw("cost_is_estimate", &cost.is_estimate().to_string())
        .raw("cost_is_lower_bound", &cost.is_lower_bound().to_string())
        .raw("findings", &array(&run.findings, finding_json))
        .raw("failures", &array(&run.errors, error_json))
        .end()
}

fn numbers(events: &[u32]) -> String {
    array(events, u32::to_string)
}

fn finding_json(found: &FoundLine) -> String {
    ObjectText::new()
        .text("rule", found.rule.id())
        .text("severity", found.severity.id())
        .raw("is_possible_loop", &found.is_loud.to_string())
        .raw("places", &found.n_places.to_string())
        .text("text", &found.said.sentence.plain())
        .raw("events", &numbers(&found.events))
        .end()
}

fn error_json(error: &ErrorLine) -> String {
    ObjectText::new()
        .raw("count", &error.n.to_string())
        .raw("never_fixed", &error.n_never_fixed.to_string())
        .text("text", &error.said.sentence.plain())
        .raw("events", &numbers(&error.events))
        .end()
}

/// The stable word for an outcome.
fn outcome(outcome: RunOutcome) -> &'static str {
    match outcome {
        RunOutcome::Ok => "ok",
        RunOutcome::OkWithLoops => "ok-with-loops",
        RunOutcome::Failed => "failed",
        RunOutcome::GradedFail => "graded-fail",
        RunOutcome::Answered => "answered",
        RunOutcome::HasErrors => "has-errors",
        RunOutcome::Running => "running",
        RunOutcome::NoEnd => "no-end",
        RunOutcome::Cancelled => "cancelled",
        RunOutcome::Unknown => "unknown",
    }
}
