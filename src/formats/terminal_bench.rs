//! Terminal-Bench: the results of trials, by its first harness and by Harbor, and the responses of its agents.
//!
//! Read from the producers' code (github.com/laude-institute/terminal-bench, `harness/models.py`;
//! github.com/harbor-framework/harbor, `models/trial/result.py`) and from results of both. A trial is a run: the task,
//! the results of the tests, the duration of each phase. Results of a whole benchmark are a document with the trials in
//! `results`. An agent's response is in `episode-<n>/response.txt`, its request in `debug.json`, which is a log of
//! LiteLLM (read as chat messages). Trajectories of Harbor have the format ATIF.

use traceloupe_core::model::{RunStatus, RunVerdict};
use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::TRIAL;

/// The format.
pub static TERMINAL_BENCH: Described = Described {
    signs: &[
        Sign::certain(
            On::Within(&["results"]),
            "trials have `is_resolved`, a `failure_mode` and a `task_id`",
            &[Test::HasAll(&["task_id", "is_resolved", "failure_mode"])],
        ),
        Sign::record(
            "the document has a `trial_name`, a `task_name` and its `agent_info`, as a result of Harbor",
            &[Test::Texts(&["trial_name", "task_name"]), Test::Object("agent_info")],
        ),
        Sign::certain(
            On::Document,
            "the document counts trials by evaluation, as the result of a job of Harbor",
            &[Test::Has("n_total_trials"), Test::Object("stats.evals")],
        ),
        Sign::certain(
            On::Document,
            "the document has `commands` with `keystrokes`, and an analysis, as answers of Terminus",
            &[Test::Has("commands.0.keystrokes"), Test::HasOne(&["state_analysis", "analysis"])],
        ),
    ],
    lists: &["results"],
    quiet: &["started_at|finished_at|trial_started_at|trial_ended_at"],
    ..Described::new(&catalog::TERMINAL_BENCH, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document || record.get("stats.evals").is_given() {
        out.run.key = record.get("id");
        out.run.titles.series = Series::All("results");
        out.facts(record, &[("Accuracy", "accuracy"), ("Resolved", "n_resolved")]);
        span(record, out);
        let rest = record.get("stats");
        out.event(EventKind::RunStart, "results").summary(rest).value("Statistics", rest);
    } else if record.get("commands").is_given() {
        answer(record, out);
    } else {
        result(record, out);
    }
}

/// The start and the end of a run.
fn span<'a>(record: Json<'a>, out: &mut Description<'a>) {
    out.at(record.any(&["trial_started_at", "started_at"]));
    out.run.times.start = time_of(record.any(&["trial_started_at", "started_at"]));
    out.run.times.end = time_of(record.any(&["trial_ended_at", "finished_at"]));
}

fn result<'a>(trial: Json<'a>, out: &mut Description<'a>) {
    out.run.records = Records::Itself;
    out.run.titles.own = trial.any(&["trial_name", "task_name", "task_id"]);
    out.run.models.name = trial.any(&["agent_info.model_info.name", "config.agent.model_name"]);
    let counts = trial.get("agent_result").or(trial);
    out.run.totals.usage = TRIAL.read(counts);
    span(trial, out);
    let rewards = trial.any(&["verifier_result.rewards", "verifier_result.reward"]);
    let reward = rewards.get("reward").number().or_else(|| rewards.number());
    let is_resolved = trial.get("is_resolved").bool().or_else(|| reward.map(|it| it >= 1.0));
    out.run.grade.score = reward.or_else(|| is_resolved.map(f64::from)).filter(|it| *it <= 1.0);
    out.run.grade.verdict = is_resolved.map(RunVerdict::of);
    let mode = trial.get("failure_mode").label();
    let has_failed =
        !matches!(mode.as_ref(), "" | "unset" | "none") || has_content(trial.get("exception_info"));
    out.run.status = Some(if has_failed { RunStatus::Error } else { RunStatus::Ok });
    out.facts(
        trial,
        &[
            (FactKind::Task, "task_name"),
            (FactKind::Other("Resolved"), "is_resolved"),
            (FactKind::Other("Failure mode"), "failure_mode"),
            (FactKind::Other("Agent"), "agent_info.name"),
            (FactKind::Other("Agent version"), "agent_info.version"),
            (FactKind::Model, "config.agent.model_name"),
            (FactKind::Cost, "agent_result.cost_usd"),
        ],
    );
    let task = trial.any(&["task_name", "task_id"]);
    let words = trial.any(&["instruction", "task_description"]);
    out.event(EventKind::RunStart, "trial")
        .summary(words.or(task))
        .value(BlockRole::OtherInput("Instruction"), words)
        .value("Configuration", trial.get("config"));
    phases(trial, out);
    for (name, state) in trial.get("parser_results").members() {
        let status = if state.is("passed") { Status::Ok } else { Status::Failed };
        out.event(EventKind::Evaluation, name).field("Result", state).status(status);
    }
    if rewards.is_given() {
        let item = out.event(EventKind::Evaluation, "reward");
        item.summary(reward.map_or(rewards, |_| rewards.get("reward").or(rewards)));
        item.value("Rewards", rewards);
        item.status(if is_resolved == Some(true) { Status::Ok } else { Status::Failed });
    }
    let error = trial.get("exception_info");
    if has_content(error) {
        let (kind, message) = (error.get("exception_type"), error.get("exception_message"));
        let item = out.event(EventKind::Error, kind);
        item.part(Part::Error(kind, message, error.get("exception_traceback")));
        item.status(Status::Failed);
    }
}

/// The phases, for their durations: where each one is, and the names of its times.
const PHASES: &[(&str, &str, &str, &str)] = &[
    ("environment_setup", "environment_setup", "started_at", "finished_at"),
    ("agent_setup", "agent_setup", "started_at", "finished_at"),
    ("agent_execution", "agent_execution", "started_at", "finished_at"),
    ("verifier", "verifier", "started_at", "finished_at"),
    ("agent", "", "agent_started_at", "agent_ended_at"),
    ("tests", "", "test_started_at", "test_ended_at"),
];

fn phases<'a>(trial: Json<'a>, out: &mut Description<'a>) {
    for (name, path, start, end) in PHASES {
        let phase = if path.is_empty() { trial } else { trial.get(path) };
        let began = time_of(phase.get(start));
        if began.is_known() {
            out.event(EventKind::Span, name.replace('_', " "))
                .starts(began)
                .took(between(phase.get(start), phase.get(end)))
                .fields(phase, &[("Start", start), ("End", end)]);
        }
    }
}

/// The response of Terminus in one episode.
fn answer<'a>(answer: Json<'a>, out: &mut Description<'a>) {
    let words = [answer.any(&["analysis", "state_analysis"]), answer.any(&["plan", "explanation"])];
    let parts = words.into_iter().filter(|it| it.is_given()).map(Part::Text).collect();
    out.model(parts, Joins::Nothing);
    for command in answer.get("commands").items() {
        out.asked_by(0, Json::ABSENT, Json::new("\"keystrokes\""), command);
    }
    if answer.any(&["task_complete", "is_task_complete"]).is_true() {
        out.event(EventKind::RunEnd, "task complete")
            .fields(answer, &[("Complete", "task_complete"), ("Complete", "is_task_complete")]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn a_trial_passes_if_its_task_was_solved() {
        let told =
            [("true", Some(RunVerdict::Pass)), ("false", Some(RunVerdict::Fail)), ("null", None)];
        for (is_resolved, verdict) in told {
            let trial = format!(
                "{{\"task_id\":\"fold-map\",\"is_resolved\":{is_resolved},\"failure_mode\":\"unset\"}}"
            );
            let read = read(&TERMINAL_BENCH, &[&[&trial]]);
            assert_eq!(read.trace.runs()[0].verdict, verdict, "{is_resolved}");
        }
    }
}
