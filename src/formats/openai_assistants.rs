//! OpenAI's Assistants API: the messages of a thread, the runs on it, and the steps of these runs.
//!
//! Read from the reference of the API and from pages of its lists in the tests of its clients. A thread is a run here:
//! its messages, its runs and their steps are objects that name it, in pages of a list (the newest first), in lists,
//! one per line, or in an object of another program with several such lists. A step that creates a message is an LLM
//! call: the step has the token counts, the message has the text. A step with tool calls is an LLM call that requested
//! them; the calls contain their results.

use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::OPENAI;

/// The format.
pub static OPENAI_ASSISTANTS: Described = Described {
    signs: &[Sign::certain(
        On::Within(LISTS),
        "objects are messages, runs or steps of a thread of the Assistants API",
        &[Test::OneOf("object", &["thread.message", "thread.run", "thread.run.step"])],
    )],
    lists: LISTS,
    undivided: &["thread_id"],
    quiet: &[
        "object|created_at|thread_id|type|role|status|has_more|first_id|last_id",
        "step_details.type",
        "step_details.message_creation.message_id",
        "step_details.tool_calls.*.type",
    ],
    ..Described::new(&catalog::OPENAI_ASSISTANTS, describe)
};

const LISTS: &[&str] = &["data", "messages.data", "messages|runs|run_steps|steps"];

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        return page(record, out);
    }
    let run = out.run(record.get("thread_id"));
    run.times.order_rows = true;
    out.at(record.get("created_at"));
    match record.get("object").label().as_ref() {
        "thread.message" => message(record, out),
        "thread.run.step" => step(record, out),
        "thread.run" => self::run(record, out),
        // Pieces of a later record.
        word if word.ends_with(".delta") => out.nothing(),
        _ => drop(out.bookkeeping("object")),
    }
}

/// A page of a list, or an object with several lists.
fn page<'a>(page: Json<'a>, out: &mut Description<'a>) {
    let first = page.any(&["data.0", "messages.data.0", "messages.0", "steps.0", "run_steps.0"]);
    out.run(first.get("thread_id")).times.order_rows = true;
    // The oldest message is the last one of a page.
    let messages = page.any(&["data", "messages.data", "messages"]);
    let of_user = messages.items().filter(|message| message.get("role").is("user"));
    let oldest =
        of_user.min_by_key(|message| message.get("created_at").count().unwrap_or(u64::MAX));
    out.run.titles.words = oldest.map_or(Json::ABSENT, content::first_words);
    out.nothing();
}

/// A message of the user, or the message of the LLM call whose step created it.
fn message<'a>(message: Json<'a>, out: &mut Description<'a>) {
    if message.get("role").is("user") {
        out.run.titles.words = content::first_words(message);
        return content::message(message, Joins::Nothing, out);
    }
    content::message(message, Joins::Id(message.get("id")), out);
}

/// A run of an assistant on the thread.
fn run<'a>(run: Json<'a>, out: &mut Description<'a>) {
    let status = run.get("status");
    out.run.ended(status);
    out.run.totals.usage = OPENAI.read(run.get("usage"));
    out.run.models.name = run.get("model");
    out.facts(run, &[(FactKind::Model, "model"), (FactKind::Other("Assistant"), "assistant_id")]);
    let item = out.event(EventKind::Span, "run");
    item.summary(status).field("Status", status).span(run.get("id"), Json::ABSENT);
    item.repeats.known = Known::Rewritten;
    item.took(between(run.get("started_at"), run.get("completed_at")));
    failed(run, item);
}

/// A step of a run.
fn step<'a>(step: Json<'a>, out: &mut Description<'a>) {
    let details = step.get("step_details");
    let created = details.get("message_creation.message_id");
    let usage = step.get("usage");
    let model = out.items.len();
    let id = if created.is_given() { created } else { step.get("id") };
    let item = out.model(Vec::new(), Joins::Id(id));
    item.begins(time_of(step.get("created_at")))
        .took(between(step.get("created_at"), step.get("completed_at")))
        .tokens(&OPENAI, usage)
        .asks(details.get("tool_calls"));
    let calls = details.get("tool_calls");
    if calls.item(0).is_absent() {
        failed(step, item);
    }
    // A failure is attributed once, to the call without a result.
    let mut is_told = false;
    for call in calls.items() {
        let inner = call.any(&["function", "code_interpreter", "file_search"]);
        let name = inner.get("name").or(call.get("type"));
        let result = inner.any(&["output", "outputs", "results"]);
        let arguments = inner.any(&["arguments", "input", "ranking_options"]);
        let item = out.asked_by(model, call.get("id"), name, arguments);
        item.or_known();
        if has_content(result) {
            item.part(Part::Result(result)).status(Status::Ok);
        } else if !is_told {
            failed(step, item);
            is_told = true;
        }
    }
}

/// Sets that a step or a run failed, if it did.
fn failed<'a>(of: Json<'a>, item: &mut traceloupe_engine::kit::Item<'a>) {
    let error = of.get("last_error");
    if error.kind() == Kind::Object {
        item.part(Part::Error(error.get("code"), error.get("message"), Json::ABSENT));
        item.status(Status::Failed).ending.error = error.get("code").label().into();
    }
}
