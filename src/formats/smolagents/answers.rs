//! Answers to the questions of a benchmark, one per line, as the examples of smolagents write them (GAIA of
//! `open_deep_research`, and `smolagents_benchmark`), and many programs derived from them.
//!
//! Read from `run_gaia.py` and `run.py` of huggingface/smolagents, 2024 to 2026. Between a question and its answer are
//! the messages of the agent's memory, steps as objects, calls in the form of LangChain's agents, or text.

use std::borrow::Cow;

use traceloupe_core::json::python_repr_to_json;
use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::OPENAI;

/// The sign for answers with the steps of an agent.
pub const WITH_STEPS: Sign = Sign::record(
    "records are questions with an agent's steps and its answer",
    &[
        Test::List("intermediate_steps"),
        Test::Text("question"),
        Test::HasOne(&["prediction", "answer"]),
        Test::HasOne(&["true_answer", "agent_name", "agent_action_type", "augmented_question"]),
    ],
);

/// The sign for answers alone.
pub const WITHOUT_STEPS: Sign = Sign::record(
    "records are questions, with the kind of agent that answers them",
    &[Test::Texts(&["question", "agent_action_type", "model_id"])],
);

/// Whether a record is an answer.
pub fn is_answer(record: Json<'_>) -> bool {
    record.get("question").is_given()
        && ["intermediate_steps", "agent_action_type"]
            .iter()
            .any(|key| !record.get(key).is_absent())
}

/// A question, the agent's steps, and its answer: a run of its own.
pub fn answer<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let question = record.any(&["original_question", "question"]);
    let answer = record.any(&["prediction", "answer"]);
    let failure = record.get("agent_error");
    let run = &mut out.run;
    run.records = Records::Itself;
    (run.titles.own, run.models.name) = (question, record.any(&["model_id", "agent_name"]));
    let has_failed = has_content(failure);
    run.status = Some(if has_failed { RunStatus::Error } else { RunStatus::Ok });
    run.totals.usage = OPENAI.read(record.get("token_counts"));
    run.times.duration = match record.get("duration").number() {
        None => between(record.get("start_time"), record.get("end_time")),
        seconds => seconds_ns(seconds),
    };
    out.facts(
        record,
        &[
            ("Task", "task_id"),
            ("Level", "task"),
            ("Source", "source"),
            ("Agent", "agent_action_type"),
            ("True answer", "true_answer"),
        ],
    );
    out.at(record.get("start_time"));
    out.event(EventKind::RunStart, "question")
        .summary(question)
        .value("Asked", record.get("augmented_question"));
    let mut open = Open::default();
    for step in record.get("intermediate_steps").items() {
        self::step(step, &mut open, out);
    }
    if record.get("intermediate_steps").item(0).is_absent() && has_content(answer) {
        out.model(vec![Part::Text(answer)], Joins::Nothing);
    }
    out.at(record.get("end_time"));
    if has_failed {
        out.event(EventKind::Error, "error").error(failure);
    }
    out.event(EventKind::RunEnd, "answer")
        .summary(answer)
        .field("Answer", answer)
        .field("True answer", record.get("true_answer"))
        .fields(
            record,
            &[
                ("Parsing error", "parsing_error"),
                ("Iteration limit exceeded", "iteration_limit_exceeded"),
            ],
        );
}

/// The beginnings of steps with an LLM call, as Python prints them.
const PRINTED_CALLS: &[&str] = &["ActionStep(", "PlanningStep(", "{'step_number':"];

/// The items that the next message may belong to.
#[derive(Default)]
struct Open<'a> {
    /// The number of the LLM call's item, if nothing followed it.
    model: Option<usize>,
    /// The id and the name of the call that has no result yet.
    call: Option<(Json<'a>, Cow<'a, str>)>,
}

fn step<'a>(step: Json<'a>, open: &mut Open<'a>, out: &mut Description<'a>) {
    if step.kind() == Kind::String {
        // A step as Python prints it.
        let text = step.label();
        match PRINTED_CALLS.iter().any(|start| text.starts_with(start)) {
            true => drop(out.model(vec![Part::Text(step)], Joins::Nothing)),
            false => drop(out.note("step").text(step)),
        }
        return;
    }
    if step.get("tool").is_given() {
        out.ask(Json::ABSENT, step.get("tool"), step.get("tool_input"));
        let output = step.get("tool_output");
        if output.is_given() {
            let name = step.get("tool").label();
            out.result(Json::ABSENT, output).name(name);
        }
        return;
    }
    let Some(role) = step.get("role").word() else { return super::step(step, out) };
    let content = step.get("content");
    let words = content.any(&["0.text"]).or(content);
    let role = role.rsplit('.').next().unwrap_or_default().to_ascii_lowercase().replace('_', "-");
    match role.as_str() {
        "assistant" => {
            open.model = Some(out.items.len());
            out.model(content::pieces(content), Joins::Nothing);
        }
        "tool-call" => calls(words, open, out),
        "tool-response" => {
            open.model = None;
            let text = words.label();
            let has_failed = text.lines().take(2).any(|line| line.starts_with("Error:"));
            match open.call.take() {
                Some((id, name)) => {
                    let status = if has_failed { Status::Failed } else { Status::Ok };
                    out.result(id, words).name(name).status(status);
                }
                None if has_failed => {
                    out.event(EventKind::Error, "error").summary(words).error(words);
                }
                None => drop(out.note("observation").text(words)),
            }
        }
        "system" => drop(out.item(What::System).text(words)),
        role => content::message_of_role(role, step, Joins::Nothing, out),
    }
}

/// Calls as text, such as `Calling tools:` and a list in Python's notation. Without a message before them, they are the
/// model's whole output.
fn calls<'a>(words: Json<'a>, open: &mut Open<'a>, out: &mut Description<'a>) {
    let text = words.label();
    let list = text.split_once('\n').and_then(|(_, list)| python_repr_to_json(list));
    let Some(list) = list.map(|list| out.json(&list)) else {
        out.note("tool calls").text(words);
        return;
    };
    let model = open.model.take().unwrap_or_else(|| {
        out.model(Vec::new(), Joins::Nothing);
        out.items.len() - 1
    });
    let n_calls = list.items().count();
    for (nth, call) in (1..).zip(list.items()) {
        let (id, name, arguments) = content::call_of(call);
        let item = out.asked_by(model, id, name, arguments).log("As written", words);
        // One observation covers all of them together.
        if nth < n_calls {
            item.status(Status::Ok);
        }
        open.call = Some((id, name.label()));
    }
}
