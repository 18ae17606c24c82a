//! WebArena: trajectories of agents that use a browser.
//!
//! Read from the producers' code: the JSON that WebArena makes of its rendered pages (github.com/web-arena-x/webarena,
//! `scripts/html2json.py`), and the logs of AgentOccam and of agents made from it. A step has the content of the page,
//! and the action that the model chose; the result of an action is the page in the next step. There are neither times
//! nor token counts.

use traceloupe_core::model::{RunStatus, RunVerdict};
use traceloupe_engine::prelude::*;

/// The format.
pub static WEBARENA: Described = Described {
    signs: &[
        Sign::record(
            "the document has a `trajectory` of steps with an `objective`, a `url` and an `action`",
            &[
                Test::Text("trajectory.0.objective"),
                Test::HasAll(&["trajectory.0.url", "trajectory.0.observation"]),
            ],
        ),
        Sign::certain(
            On::Within(&["{}"]),
            "tasks have an `intent`, and messages of `user` and `assistant`",
            &[
                Test::HasAll(&["intent", "messages.0.user"]),
                Test::HasOne(&["sites", "task_id", "success"]),
            ],
        ),
    ],
    lists: &["trajectory", "messages", "{}.**"],
    undivided: &["url", "user", "assistant", "observation"],
    // Tasks are members of the document.
    hooks: Hooks { is_whole: true, ..Hooks::NONE },
    quiet: &["objective|done|success|reward"],
    ..Described::new(&catalog::WEBARENA, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        document(record, out);
    } else if record.get("assistant").is_given() {
        answer(record.get("assistant"), out);
    } else if record.get("user").is_given() {
        out.result(Json::ABSENT, record.get("user")).or_note("observation");
    } else {
        step(record, out);
    }
}

fn document<'a>(document: Json<'a>, out: &mut Description<'a>) {
    if document.get("trajectory").is_absent() && document.get("messages").is_absent() {
        // The members are the runs.
        out.item(traceloupe_engine::kit::What::Nothing);
        return;
    }
    out.run.records = Records::Itself;
    let goal = document.any(&["intent", "trajectory.0.objective"]);
    out.run.titles.own = goal.or(document.any(&["task", "id"]));
    let last = document.get("trajectory").items().last().unwrap_or_default();
    let worked = document.get("success").or(last.get("success"));
    let reward = last.get("reward").number().filter(|reward| (0.0..=1.0).contains(reward));
    out.run.grade.score = worked.bool().map(f64::from).or_else(|| worked.number()).or(reward);
    out.run.grade.verdict = worked.bool().map(RunVerdict::of);
    out.run.status = last.get("done").bool().filter(|done| *done).map(|_| RunStatus::Ok);
    out.facts(
        document,
        &[
            (FactKind::Task, "task_id"),
            (FactKind::Task, "task"),
            (FactKind::Task, "id"),
            (FactKind::Model, "model"),
            (FactKind::Other("Agent"), "type"),
            (FactKind::Other("Succeeded"), "success"),
        ],
    );
    out.event(EventKind::RunStart, "task")
        .summary(goal)
        .value("Goal", document.get("intent"))
        .value("Expected", document.get("reference_answers"));
    out.after_list();
    if worked.is_given() || last.get("reward").is_given() {
        out.event(EventKind::Evaluation, "success")
            .field("Succeeded", worked)
            .field("Reward", last.get("reward"));
    }
}

/// A step: the observation, the thought, the action.
fn step<'a>(step: Json<'a>, out: &mut Description<'a>) {
    out.result(Json::ABSENT, step.get("observation"))
        .or_note("observation")
        .field("URL", step.get("url"));
    let thought = step.any(&["reason", "thought", "raw_prediction"]);
    let (plan, response) = (step.get("plan"), step.get("response"));
    let action = step.any(&["action", "action_str"]);
    let mut parts = Vec::new();
    if has_content(thought) {
        parts.push(Part::Text(thought));
    } else if has_content(response) {
        parts.push(Part::Text(response));
    }
    act(parts, action, out);
    if let Some(item) = out.items.get_mut(1) {
        item.value("Plan", plan);
        if has_content(thought) {
            item.value(BlockRole::Response, response);
        }
        item.value(BlockRole::Prompt, step.get("input"));
    }
}

/// The model's response, with the action between three backticks.
fn answer<'a>(words: Json<'a>, out: &mut Description<'a>) {
    let action = out.text(words).split("```").nth(1).unwrap_or_default().trim();
    let action = if action.is_empty() { Json::ABSENT } else { out.string(action) };
    act(vec![Part::Text(words)], action, out);
}

/// An LLM call with the action that it chose: `click [12]`.
fn act<'a>(parts: Vec<Part<'a>>, action: Json<'a>, out: &mut Description<'a>) {
    let first = out.text(action).split([' ', '[', '(', '\n']).next().unwrap_or_default();
    let model = out.items.len();
    out.model(parts, Joins::Nothing).asks(action);
    if !first.is_empty() {
        out.asked_by(model, Json::ABSENT, out.string(first), action);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn a_task_passes_if_it_succeeded() {
        for (success, verdict) in [("true", RunVerdict::Pass), ("false", RunVerdict::Fail)] {
            let task = format!(
                r#"{{"task_id":4,"intent":"Find it","messages":[{{"user":"a"}},{{"assistant":"b"}}],"success":{success}}}"#
            );
            let read = read(&WEBARENA, &[&[&task]]);
            assert_eq!(read.trace.runs()[0].verdict, Some(verdict));
        }
    }
}
