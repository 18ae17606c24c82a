//! trae-agent: trajectories of ByteDance's agent, one document per run.
//!
//! Read from the producer's code (github.com/bytedance/trae-agent, `utils/trajectory_recorder.py`) and a trajectory of
//! January 2026, and one of the version in Rust of September 2025. A document has each LLM call twice: as an
//! interaction, with the request and all token counts, and in the step of the agent, with the results of its calls. The
//! two are matched by their responses: interactions and steps are in the same order. The final result is written at the
//! end of the run.

use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::{ANTHROPIC, OPENAI};

/// The format.
pub static TRAE_AGENT: Described = Described {
    signs: &[
        Sign::record(
            "the document has a `task`, `max_steps`, and `llm_interactions`",
            &[Test::HasAll(&["task", "start_time", "max_steps"]), Test::List("llm_interactions")],
        ),
        Sign::record(
            "the document has a `task`, `max_step`, and `llm_interaction`",
            &[Test::HasAll(&["task", "start_time", "max_step"]), Test::List("llm_interaction")],
        ),
    ],
    // Both lists are needed at once.
    hooks: Hooks { is_whole: true, ..Hooks::NONE },
    quiet: &["success|start_time|end_time|execution_time"],
    ..Described::new(&catalog::TRAE_AGENT, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let document = entry.json;
    let (start, end) = (document.get("start_time"), document.get("end_time"));
    let worked = document.get("success").bool().filter(|_| has_content(end));
    out.at(start);
    let run = &mut out.run;
    run.records = Records::Itself;
    (run.titles.own, run.models.name) = (document.get("task"), document.get("model"));
    (run.times.start, run.times.end) = (time_of(start), time_of(end));
    run.times.duration = seconds_ns(document.get("execution_time").number().filter(|it| *it > 0.0));
    run.status = worked.map(|worked| if worked { RunStatus::Ok } else { RunStatus::Error });
    let facts = [
        (FactKind::Provider, "provider"),
        (FactKind::Model, "model"),
        (FactKind::Other("Most steps"), "max_steps"),
        (FactKind::Other("Most steps"), "max_step"),
    ];
    out.facts(document, &facts);
    out.event(EventKind::RunStart, "task")
        .summary(document.get("task"))
        .value("Task", document.get("task"));

    let steps = document.get("agent_steps");
    let mut told: Vec<&str> = steps
        .items()
        .flat_map(|step| step.get("tool_results").items())
        .map(|result| result.get("call_id").raw())
        .collect();
    traceloupe_core::sorting::sort(&mut told);
    let is_anthropic = document.get("provider").is("anthropic");
    let mut interactions = document.get("llm_interactions").items();
    for step in steps.items() {
        let answer = step.get("llm_response");
        let ahead = interactions.clone().position(|it| is_same(it.get("response"), answer));
        let mut own = Json::ABSENT;
        for interaction in interactions.by_ref().take(ahead.map_or(0, |ahead| ahead + 1)) {
            // Interactions without a step are calls of their own.
            if own.is_given() {
                call(own, Json::ABSENT, &told, is_anthropic, out);
            }
            own = interaction;
        }
        call(own, step, &told, is_anthropic, out);
        came(step, out);
    }
    for interaction in interactions {
        call(interaction, Json::ABSENT, &told, is_anthropic, out);
    }
    // The version in Rust has the step inside each interaction.
    for interaction in document.get("llm_interaction").items() {
        let step = interaction.get("steps");
        out.at(interaction.get("timestamp"));
        call(Json::ABSENT, step, &told, is_anthropic, out);
        came(step, out);
        if has_content(interaction.get("error_message")) {
            out.event(EventKind::Error, "error").error(interaction.get("error_message"));
        }
    }
    if let Some(worked) = worked {
        out.at(end);
        let result = document.get("final_result");
        out.event(EventKind::RunEnd, if worked { "success" } else { "failed" })
            .status(if worked { Status::Ok } else { Status::Failed })
            .text(result);
    }
}

/// Whether two responses are the same.
fn is_same(interaction: Json<'_>, step: Json<'_>) -> bool {
    step.is_given()
        && ["content", "tool_calls"]
            .iter()
            .all(|key| interaction.get(key).fingerprint() == step.get(key).fingerprint())
}

/// An LLM call, by its interaction, its step, or both.
fn call<'a>(
    interaction: Json<'a>,
    step: Json<'a>,
    told: &[&str],
    is_anthropic: bool,
    out: &mut Description<'a>,
) {
    let recorded = interaction.get("timestamp").given().or(step.get("timestamp").given());
    recorded.into_iter().for_each(|time| out.at(time));
    let sent = interaction.get("input_messages").or(step.get("llm_messages"));
    for message in sent.items() {
        let result = message.get("tool_result");
        if result.is_given() {
            if told.binary_search(&result.get("call_id").raw()).is_err() {
                answered(result, out);
            }
        } else if has_content(message.get("content")) {
            content::message(message, Joins::Nothing, out);
        }
    }
    let answer = interaction.get("response").or(step.get("llm_response"));
    if !answer.is_given() {
        return;
    }
    let usage = answer.get("usage");
    let counts = if is_anthropic { ANTHROPIC.read(usage) } else { OPENAI.read(usage) };
    let text = answer.get("content");
    let parts = if has_content(text) { content::pieces(text) } else { Vec::new() };
    let model = out.items.len();
    let item = out.model(parts, Joins::Nothing);
    item.name(answer.get("model")).usage(counts);
    item.asks(answer.get("tool_calls"));
    item.fields(answer, &[("Finish reason", "finish_reason")])
        .fields(step, &[("Step", "step_number"), ("State", "state")])
        .value(BlockRole::Usage, usage)
        .value(BlockRole::Tools, interaction.get("tools_available"));
    if answer.get("finish_reason").is("Error") {
        item.status(Status::Failed);
    }
    let calls = answer.get("tool_calls").or(step.get("tool_calls"));
    for call in calls.items() {
        let id = call.any(&["call_id", "id"]);
        out.asked_by(model, id, call.get("name"), call.get("arguments"));
    }
}

/// The outcome of a step.
fn came<'a>(step: Json<'a>, out: &mut Description<'a>) {
    step.get("timestamp").given().into_iter().for_each(|time| out.at(time));
    for result in step.get("tool_results").items() {
        answered(result, out);
    }
    if has_content(step.get("reflection")) {
        out.note("reflection").text(step.get("reflection"));
    }
    if has_content(step.get("error")) {
        out.event(EventKind::Error, "step failed").error(step.get("error"));
    }
}

/// The result of a call. A result beside an error is the output until then.
fn answered<'a>(result: Json<'a>, out: &mut Description<'a>) {
    let output = result.get("result");
    let id = result.any(&["call_id", "id"]);
    let output = if has_content(output) { output } else { Json::ABSENT };
    out.result(id, output).failed_unless(result.get("success")).error(result.get("error"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sniff;
    use traceloupe_engine::Verdict;

    #[test]
    fn the_beginning_of_a_long_trajectory_is_enough() {
        let head = r#"{"task":"a","start_time":"2026-01-18T21:00:00","max_steps":9,"llm_interactions":[]}"#;
        assert!(matches!(sniff(&TRAE_AGENT, "x", &[head]), Verdict::Certain(_)));
    }
}
