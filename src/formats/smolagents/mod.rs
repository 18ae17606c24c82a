//! smolagents: the steps of an agent's memory, as `agent.memory.get_full_steps()` and `RunResult.dict()` return them,
//! and answers to the questions of a benchmark ([`answers`]).
//!
//! Read from `memory.py`, `agents.py` and `monitoring.py` of huggingface/smolagents, versions 1.0 to 1.2x: times were
//! in `start_time`, `end_time` and `duration` of a step before they moved to `timing`.
//!
//! A list of steps is a run. An action is one LLM call with the tools that it calls; the observation is the result of
//! the last tool. Plans are LLM calls as well. Sub-agents are called like tools.

mod answers;

use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::OPENAI;

/// The format.
pub static SMOLAGENTS: Described = Described {
    signs: &[
        answers::WITH_STEPS,
        answers::WITHOUT_STEPS,
        Sign::certain(
            On::Within(&["steps", "messages"]),
            "steps have a number and what was observed",
            &[
                Test::Has("step_number"),
                Test::HasOne(&[
                    "model_output",
                    "model_output_message",
                    "observations",
                    "action_output",
                ]),
                Test::HasOne(&["timing", "duration", "start_time"]),
            ],
        ),
        Sign::record(
            "there are steps with a plan and with what the model was asked for it",
            &[Test::Text("plan"), Test::HasOne(&["model_output_message", "model_input_messages"])],
        ),
        Sign::likely(
            On::Any,
            "records are tasks with their images",
            &[Test::Text("task"), Test::KeyStarts("", "task_images")],
        ),
    ],
    lists: &["steps", "messages", ""],
    quiet: &["timing|start_time|end_time|duration|model_output", "tool_calls.*.type"],
    ..Described::new(&catalog::SMOLAGENTS, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if answers::is_answer(record) {
        answers::answer(record, out);
    } else if entry.is_document {
        out.at(record.any(&["timing.start_time", "start_time"]));
        result(record, out);
    } else {
        step(record, out);
    }
}

fn step<'a>(step: Json<'a>, out: &mut Description<'a>) {
    out.at(step.any(&["timing.start_time", "start_time"]));
    let has = |key: &str| step.get(key).is_given();
    if has("step_number") {
        action(step, out);
    } else if has("plan") {
        let model = model(step, out);
        model.text(step.get("plan"));
    } else if has("task") {
        out.run.titles.words = step.get("task");
        let item = out.item(What::User);
        item.text(step.get("task"));
        images(step.get("task_images"), item);
    } else if has("system_prompt") {
        out.item(What::System).text(step.get("system_prompt"));
    } else if has("output") || has("final_answer") {
        let answer = step.any(&["output", "final_answer"]);
        out.event(EventKind::Note, "final answer").summary(answer).value(BlockRole::Answer, answer);
    }
}

/// The members around the steps of a run.
fn result<'a>(result: Json<'a>, out: &mut Description<'a>) {
    if result.kind() == Kind::Array {
        out.run.records = Records::Itself;
        return;
    }
    out.run.status = match result.get("state").word().as_deref() {
        Some("success") => Some(RunStatus::Ok),
        Some(_) => Some(RunStatus::Error),
        None => None,
    };
    out.run.times.duration = seconds_ns(result.get("timing.duration").number());
    out.run.totals.usage = OPENAI.read(result.get("token_usage"));
    out.facts(result, &[("State", "state")]);
    let output = result.get("output");
    out.event(EventKind::RunStart, "run").summary(output).value(BlockRole::Answer, output);
}

/// The LLM call of a step, without its text.
fn model<'a, 'd>(step: Json<'a>, out: &'d mut Description<'a>) -> &'d mut Item<'a> {
    let counts = step.any(&["token_usage", "model_output_message.token_usage"]);
    let item = out.item(What::Model).joins(Joins::Nothing);
    item.tokens(&OPENAI, counts).took(took(step));
    let messages = step.get("model_input_messages");
    if messages.kind() == Kind::Array {
        item.part(Part::Messages(BlockRole::Messages, content::messages(messages)));
    }
    item
}

fn took(step: Json<'_>) -> traceloupe_core::model::MaybeNs {
    let seconds = step.any(&["timing.duration", "duration"]).number();
    if seconds.is_some() {
        return seconds_ns(seconds);
    }
    let start = step.any(&["timing.start_time", "start_time"]);
    between(start, step.any(&["timing.end_time", "end_time"]))
}

fn action<'a>(step: Json<'a>, out: &mut Description<'a>) {
    let at = out.items.len();
    let words = step.any(&["model_output", "model_output_message.content"]);
    let mut parts = content::pieces(words);
    let item = model(step, out);
    item.field("Step", step.get("step_number"));
    if step.get("is_final_answer").is_true() {
        item.field("Final answer", step.get("is_final_answer"));
    }
    // A tool that fails leaves no calls in the step, only in the model's output.
    let calls = match step.get("tool_calls.0").is_given() {
        true => step.get("tool_calls"),
        false => step.get("model_output_message.tool_calls"),
    };
    let n_calls = calls.items().count();
    let error = step.get("error");
    for (nth, call) in (1..).zip(calls.items()) {
        let (id, name, arguments) = content::call_of(call);
        let arguments = out.unpack(arguments);
        parts.push(Part::Call(name.label(), arguments));
        let item = out.call(id, name, arguments);
        item.asked_by(at);
        if nth < n_calls {
            item.status(Status::Ok);
            continue;
        }
        let (observed, output) = (step.get("observations"), step.get("action_output"));
        let result = if has_content(observed) { observed } else { output };
        if has_content(result) {
            item.part(Part::Result(result));
        }
        if has_content(observed) {
            item.value(BlockRole::Output, output);
        }
        images(step.get("observations_images"), item);
        match has_content(error) {
            true => drop(item.error(error)),
            false => drop(item.status(Status::Ok)),
        }
    }
    let Some(item) = out.items.get_mut(at) else { return };
    parts.append(&mut item.parts);
    item.parts = parts;
    item.asks(calls);
    if n_calls == 0 {
        item.error(error);
        item.value("Observations", step.get("observations"));
        item.value(BlockRole::Output, step.get("action_output"));
    }
}

/// Images, as base64 in strings.
fn images<'a>(images: Json<'a>, item: &mut Item<'a>) {
    for image in images.items().filter(|image| image.kind() == Kind::String) {
        item.part(Part::Media("image/png".into(), image));
    }
}
