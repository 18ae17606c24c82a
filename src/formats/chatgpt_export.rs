//! Conversations of ChatGPT: `conversations.json` of a data export, a list of conversations, and a single one as the app
//! itself loads it.
//!
//! Read from the descriptions of the export in projects that read it (<https://github.com/Sinity/polylogue>,
//! <https://github.com/mohamed-chs/convoviz>); no real file was at hand. Messages are the nodes of a tree under
//! `mapping`: a message that was edited or answered again has several children; all of them are rows, in the order of
//! their times. A call is a message of the model to a tool (`recipient`), its result is the next message of that tool;
//! neither names the other by an id. There are no token counts.

use traceloupe_engine::prelude::*;

/// The format.
pub static CHATGPT_EXPORT: Described = Described {
    signs: &[Sign::record(
        "conversations have a `mapping` of nodes, and a `current_node` or a title with a time",
        &[
            Test::Object("mapping"),
            Test::Has("create_time"),
            Test::HasOne(&["current_node", "title"]),
        ],
    )],
    lists: &["mapping.{}"],
    quiet: &[
        "id|parent|children",
        "message.id|create_time|update_time|status|end_turn|weight|recipient",
        "message.author.role|name",
        "message.content.content_type",
        "message.metadata.model_slug",
    ],
    ..Described::new(&catalog::CHATGPT_EXPORT, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        let run = out.run(record.any(&["conversation_id", "id"]));
        (run.titles.own, run.models.name) = (record.get("title"), record.get("default_model_slug"));
        (run.times.start, run.times.end) =
            (time_of(record.get("create_time")), time_of(record.get("update_time")));
        run.times.order_rows = true;
        out.facts(
            record,
            &[(FactKind::Model, "default_model_slug"), (FactKind::Other("GPT"), "gizmo_id")],
        );
        out.event(EventKind::RunStart, "conversation");
        return;
    }
    let said = record.get("message");
    out.at(said.get("create_time"));
    message(said, out);
}

/// Describes a message of a conversation. The page of ChatGPT gets the same messages as streams.
pub fn message<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let parts = words(message.get("content"));
    let role = message.get("author.role").label();
    let is_hidden = message.get("metadata.is_visually_hidden_from_conversation").is_true();
    match role.as_ref() {
        "assistant" => answer(message, parts, out),
        "tool" => result(message, out),
        // The root of the tree, and empty messages that only hold a place in it.
        "system" | "user" | "" if parts.is_empty() => out.nothing(),
        "user" if !is_hidden => {
            if let Some(Part::Text(first)) = parts.first() {
                out.run.titles.words = *first;
            }
            said(What::User, message, parts, out);
        }
        // Text that the app gives to the model: custom instructions, the contents of files.
        _ => said(What::System, message, parts, out),
    }
}

fn said<'a>(what: What, message: Json<'a>, parts: Vec<Part<'a>>, out: &mut Description<'a>) {
    let item = out.item(what).id(message.get("id"));
    item.parts = parts;
    item.value(BlockRole::Attachments, message.get("metadata.attachments"));
}

/// A message of the model: to the user, or to a tool.
fn answer<'a>(message: Json<'a>, parts: Vec<Part<'a>>, out: &mut Description<'a>) {
    let content = message.get("content");
    let tool = message.get("recipient").given().filter(|tool| !tool.is("all"));
    if parts.is_empty() && tool.is_none() {
        return out.nothing();
    }
    let item = out.item(What::Model).joins(Joins::Neighbours).id(message.get("id"));
    item.name = message.get("metadata.model_slug").label();
    item.value("Citations", message.get("metadata.citations"));
    if message.get("status").is("finished_partial_completion") {
        item.status(Status::Cancelled);
    }
    let Some(tool) = tool else {
        item.parts.extend(parts);
        return;
    };
    let arguments = content.get("text").or(content.get("parts.0"));
    let model = out.items.len() - 1;
    out.asked_by(model, Json::ABSENT, tool, arguments);
}

/// The response of a tool. The output of its code is stored beside it, with its status.
fn result<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let content = message.get("content");
    let run = message.get("metadata.aggregate_result");
    let told = ["text", "result", "parts", "summary", "thoughts"];
    let value = told.iter().map(|key| content.get(key)).find(|it| it.is_given());
    let is_single = |it: &Json<'a>| it.kind() == Kind::Array && it.item(1).is_absent();
    let value = value.map(|it| if is_single(&it) { it.item(0) } else { it });
    let failed = run.get("status").is("failed_with_in_kernel_exception")
        || content.get("content_type").is("system_error")
        || run.get("in_kernel_exception").is_given();
    let item = out.result(Json::ABSENT, value.unwrap_or(content));
    item.name = message.get("author.name").label();
    if run.get("status").is("success") {
        item.status(Status::Ok);
    }
    if failed {
        item.status(Status::Failed);
        item.ending.error = run.get("in_kernel_exception.name").label().into();
    }
    item.value("Run", run);
}

/// The content of a message: texts, thinking, code, pictures.
fn words(content: Json<'_>) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for part in content.get("parts").items() {
        match part.kind() {
            Kind::String if part.raw().len() <= 2 => {}
            Kind::String => parts.push(Part::Text(part)),
            // Speech, as a text.
            Kind::Object if has_content(part.get("text")) => {
                parts.push(Part::Text(part.get("text")))
            }
            Kind::Object => parts.push(Part::Value(BlockRole::Named("Part"), part)),
            _ => {}
        }
    }
    for thought in content.get("thoughts").items() {
        // Thoughts that are not shown have only a summary.
        let mut words = [thought.get("content"), thought.get("summary"), thought].into_iter();
        let words = words.find(|it| has_content(*it)).unwrap_or(thought);
        parts.push(Part::Thinking(words));
    }
    for key in ["text", "content", "user_instructions", "user_profile", "model_set_context"] {
        let text = content.get(key);
        let is_thinking = content.get("content_type").is("reasoning_recap");
        if text.kind() == Kind::String && text.raw().len() > 2 {
            parts.push(if is_thinking { Part::Thinking(text) } else { Part::Text(text) });
        }
    }
    parts
}
