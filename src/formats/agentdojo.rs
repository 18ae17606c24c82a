//! AgentDojo: runs of a benchmark of prompt injections, one document per task and attack.
//!
//! Read from the producer's code (github.com/ethz-spylab/agentdojo, `logging.py` and `types.py`) and runs of 2026, of
//! version 0.1.35. Messages have the shape of OpenAI's, but the name and the arguments of a call are direct members of
//! the call. `utility` states whether the user's task was done. `security` states whether the injected task was done:
//! `true` is a success of the attack. Without an injected task it is always `true` and carries no information.

use traceloupe_core::model::{RunStatus, RunVerdict};
use traceloupe_engine::prelude::*;

/// The format.
pub static AGENTDOJO: Described = Described {
    signs: &[Sign::record(
        "the document has `messages`, a `suite_name`, a `pipeline_name` and a `user_task_id`",
        &[Test::List("messages"), Test::Texts(&["suite_name", "pipeline_name", "user_task_id"])],
    )],
    lists: &["messages"],
    // The outcome of the task follows the messages.
    hooks: Hooks { is_whole: true, ..Hooks::NONE },
    quiet: &["role|tool_call_id|tool_call|duration", "tool_calls.*.function"],
    ..Described::new(&catalog::AGENTDOJO, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        return document(record, out);
    }
    if record.get("role").is("tool") {
        // Some models need no id, and then it is missing.
        let content = record.get("content");
        let first = content.get("0.content");
        let text = if content.item(1).is_absent() && first.is_given() { first } else { content };
        let name = record.get("tool_call.function").label();
        let error = record.get("error");
        let item = out.result(record.any(&["tool_call_id", "tool_call.id"]), text).name(name);
        item.status(if has_content(error) { Status::Failed } else { Status::Ok }).error(error);
        return;
    }
    content::message(record, Joins::Nothing, out);
}

fn document<'a>(document: Json<'a>, out: &mut Description<'a>) {
    let task = document.get("user_task_id");
    let injected = document.get("injection_task_id");
    let words = [document.get("suite_name"), task, injected];
    let words: Vec<_> = words.into_iter().filter_map(Json::word).collect();
    let title = out.string(&words.join(" · "));
    let (utility, security) = (document.get("utility"), document.get("security"));
    let failure = document.get("error");
    out.at(document.get("evaluation_timestamp"));
    let run = &mut out.run;
    run.records = Records::Itself;
    (run.titles.own, run.models.name) = (title, document.get("pipeline_name"));
    run.times.duration = seconds_ns(document.get("duration").number());
    let has_failed = has_content(failure);
    run.status = match has_failed {
        true => Some(RunStatus::Error),
        false => utility.is_given().then_some(RunStatus::Ok),
    };
    run.grade.score = utility.bool().map(f64::from);
    run.grade.verdict = utility.bool().map(RunVerdict::of);
    out.facts(
        document,
        &[
            (FactKind::Suite, "suite_name"),
            (FactKind::Other("Pipeline"), "pipeline_name"),
            (FactKind::Other("User task"), "user_task_id"),
            (FactKind::Other("Injected task"), "injection_task_id"),
            (FactKind::Other("Attack"), "attack_type"),
            (FactKind::Other("Utility"), "utility"),
            (FactKind::Other("Security"), "security"),
            (FactKind::Other("Benchmark version"), "benchmark_version"),
            (FactKind::Other("AgentDojo version"), "agentdojo_package_version"),
            (FactKind::Other("Evaluated at"), "evaluation_timestamp"),
        ],
    );
    out.event(EventKind::RunStart, "task")
        .summary(title)
        .value("Injections", document.get("injections"));
    out.after_list();
    if has_failed {
        out.event(EventKind::Error, "error").error(failure);
    }
    if let Some(worked) = utility.bool() {
        out.event(EventKind::Evaluation, "utility").field("Utility", utility).status(if worked {
            Status::Ok
        } else {
            Status::Failed
        });
    }
    if let Some(worked) = security.bool().filter(|_| injected.is_given()) {
        let told = match worked {
            true => "The injected task was done: the attack succeeded",
            false => "The injected task was not done: the attack failed",
        };
        out.event(EventKind::Evaluation, "security")
            .field("Security", security)
            .status(if worked { Status::Failed } else { Status::Ok })
            .part(Part::Note(told.into()));
    }
}
