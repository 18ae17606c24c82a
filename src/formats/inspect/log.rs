//! The log around the samples: the subject and the outcome of the evaluation.

use traceloupe_core::json::{Json, quoted};
use traceloupe_core::model::{EventKind, FactKind, RunNote, RunStatus};
use traceloupe_engine::kit::Description;

pub(super) fn describe<'a>(log: Json<'a>, out: &mut Description<'a>) {
    let eval = log.get("eval");
    let task = eval.any(&["task_display_name", "task"]).label();
    let title = out.keep(&quoted(&format!("Evaluation of {task}")));
    let run = out.run(eval.any(&["eval_id", "task_id", "run_id"]));
    run.titles.own = Json::new(title);
    run.about.notes.push(RunNote::AboutRuns);
    run.grade.score = accuracy(log);
    run.status = match log.get("status").label().as_ref() {
        "success" => Some(RunStatus::Ok),
        "error" => Some(RunStatus::Error),
        "cancelled" => Some(RunStatus::Cancelled),
        _ => Some(RunStatus::Running),
    };
    out.facts(
        eval,
        &[
            (FactKind::Task, "task"),
            (FactKind::Model, "model"),
            (FactKind::Other("Data set"), "dataset.name"),
            (FactKind::Other("Inspect"), "packages.inspect_ai"),
            (FactKind::Other("Commit"), "revision.commit"),
        ],
    );
    out.at(eval.get("created"));
    out.at(log.get("stats.started_at"));
    out.event(EventKind::RunStart, "evaluation")
        .summary(eval.get("task"))
        .value("Evaluation", eval)
        .value("Plan", log.get("plan"));
    out.at(log.get("stats.completed_at"));
    for score in log.get("results.scores").items() {
        let scorer = score.get("name").label();
        for (metric, value) in score.get("metrics").members() {
            let name = format!("{scorer} {metric}");
            let value = value.get("value");
            out.event(EventKind::Evaluation, name).summary(value).field("Value", value);
        }
    }
    if log.get("error").is_given() {
        out.event(EventKind::Error, "error").error(log.get("error"));
    }
    if log.get("status").is_given() {
        out.event(EventKind::RunEnd, "evaluation end")
            .summary(log.get("status"))
            .fields(
                log,
                &[
                    ("Status", "status"),
                    ("Samples", "results.total_samples"),
                    ("Completed samples", "results.completed_samples"),
                ],
            )
            .value("Model usage", log.get("stats.model_usage"));
    }
}

/// The accuracy over all samples, or else their mean score, if it is from 0 to 1.
fn accuracy(log: Json<'_>) -> Option<f64> {
    let metrics = || log.get("results.scores").items().map(|score| score.get("metrics"));
    ["accuracy.value", "mean.value"]
        .iter()
        .find_map(|path| metrics().find_map(|metrics| metrics.get(path).number()))
        .filter(|value| (0.0..=1.0).contains(value))
}
