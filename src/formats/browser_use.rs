//! Browser Use: what an agent did in a browser, as its library saves it.
//!
//! Read from the producer's code (github.com/browser-use/browser-use, `agent/views.py`) and a history of 2025. A file
//! is a list of steps. A step has the model's output with its actions, the result of each action in the same order, and
//! the page as it was before the step. Later versions have the model's thinking beside its actions instead of in an
//! object. The time of a step is that of its LLM call and its actions together; its tokens are an estimate of the
//! request's.

use traceloupe_core::model::{RunStatus, Usage};
use traceloupe_engine::prelude::*;

/// The format.
pub static BROWSER_USE: Described = Described {
    signs: &[Sign::certain(
        On::Within(&["history"]),
        "steps have a `model_output`, its `result`, and the `state` of a page",
        &[
            Test::List("result"),
            Test::Object("state"),
            Test::Has("state.url"),
            Test::HasOne(&["model_output.action", "metadata.step_number"]),
        ],
    )],
    lists: &["history"],
    quiet: &[
        "metadata.step_start_time|step_end_time|input_tokens",
        "state.interacted_element",
        "result.*.is_done|include_in_memory",
    ],
    ..Described::new(&catalog::BROWSER_USE, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    if entry.is_document {
        out.run.records = Records::Itself;
        return out.nothing();
    }
    let step = entry.json;
    let about = step.get("metadata");
    out.at(about.get("step_start_time"));
    let (output, results) = (step.get("model_output"), step.get("result"));
    let mut results = results.items();
    if output.kind() == Kind::Object {
        let model = thought(output, about, out);
        page(step.get("state"), out.last());
        for action in output.get("action").items() {
            let mut members = action.members().filter(|(_, value)| value.is_given());
            let Some((name, arguments)) = members.next() else { continue };
            let name = out.string(&name);
            out.asked_by(model, Json::ABSENT, name, arguments);
            if let Some(result) = results.next() {
                came(result, out);
            }
        }
    }
    // The LLM call itself may have failed.
    for result in results {
        match result.get("error").is_given() {
            true => drop(out.event(EventKind::Error, "step failed")),
            false => drop(out.note("result")),
        }
        came(result, out);
    }
    if out.items.is_empty() {
        out.note("step");
    }
    if output.kind() != Kind::Object {
        page(step.get("state"), out.last());
    }
}

/// The model's output as an LLM call. Returns its item.
fn thought<'a>(output: Json<'a>, about: Json<'a>, out: &mut Description<'a>) -> usize {
    let model = out.items.len();
    let state = output.get("current_state").or(output);
    let thinking = state.get("thinking").given().map(Part::Thinking);
    let usage = Usage { input: about.get("input_tokens").count(), ..Usage::default() };
    out.model(thinking.into_iter().collect(), Joins::Nothing)
        .begins(time_of(about.get("step_start_time")))
        .usage(usage)
        .text(state.get("next_goal"))
        .field("Last goal", state.get("evaluation_previous_goal"))
        .field("Memory", state.get("memory"))
        .field("Step", about.get("step_number"));
    model
}

/// The page before the step.
fn page<'a>(state: Json<'a>, item: &mut Item<'a>) {
    item.fields(state, &[("Page", "url"), ("Title", "title")]).value("Tabs", state.get("tabs"));
    let screenshot = state.get("screenshot");
    if screenshot.kind() == Kind::String {
        item.part(Part::Media("image/png".into(), screenshot));
    }
}

/// The result of an action, for the item that was added last.
fn came<'a>(result: Json<'a>, out: &mut Description<'a>) {
    if result.get("is_done").is_true() {
        let has_failed = result.get("success").bool() == Some(false);
        out.run.status = Some(if has_failed { RunStatus::Error } else { RunStatus::Ok });
    }
    let item = out.last();
    let content = result.get("extracted_content");
    if content.is_given() {
        item.part(Part::Result(content));
    }
    item.field("Success", result.get("success")).error(result.get("error"));
    item.ending.status.get_or_insert(Status::Ok);
}
