//! ForgeCode: a conversation as its command `dump` writes it, one JSON document. [`super::databases`] writes the
//! conversations of its database in the same form.
//!
//! Read from its code (<https://github.com/antinomyhq/forge>, `crates/forge_domain/src/context.rs`, `tools/result.rs`,
//! `crates/forge_main/src/ui.rs`); no real file was at hand. A message is an object whose member is its kind: `text`,
//! `tool` or `image`. The database has another object around it. Counts are those of the API, or an estimate of the
//! program, which is ignored here.

use traceloupe_engine::prelude::*;

/// The format.
pub static FORGE: Described = Described {
    signs: &[Sign::certain(
        On::Within(&["conversation.context.messages", "context.messages", "messages"]),
        "messages are an object `text` or `tool`, with a role or the name of the tool",
        &[Test::HasOne(&[
            "text.role",
            "message.text.role",
            "tool.output.values",
            "message.tool.output.values",
        ])],
    )],
    lists: &["conversation.context.messages", "context.messages", "messages"],
    quiet: &[
        "created_at|updated_at|conversation_id",
        "context.conversation_id",
        "conversation.context.conversation_id",
        "conversation.metadata",
        "text.role|model|timestamp",
        "text.tool_calls.*.name|call_id",
        "text.reasoning_details.*.signature",
        "tool.output.is_error",
        "tool.name|call_id",
        "message.text.role|model|timestamp",
        "message.text.tool_calls.*.name|call_id",
        "message.text.reasoning_details.*.signature",
        "message.tool.output.is_error",
        "message.tool.name|call_id",
    ],
    ..Described::new(&catalog::FORGE, describe)
};

/// Counts that the API reported. `{"approx": …}` is an estimate.
static COUNTS: Flavour = Flavour {
    input: &["prompt_tokens.actual", "prompt_tokens"],
    output: &["completion_tokens.actual", "completion_tokens"],
    cache_read: &["cached_tokens.actual", "cached_tokens"],
    input_has_cached: true,
    ..Flavour::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        return conversation(record, out);
    }
    let message = record.get("message").or(record);
    let (text, tool) = (message.get("text"), message.get("tool"));
    out.at(text.get("timestamp"));
    match text.get("role").label().as_ref() {
        "Assistant" => answer(record, text, out),
        "System" => drop(out.item(What::System).text(text.get("content"))),
        "" if tool.is_given() => result(tool, out),
        "" => {
            let image = message.get("image");
            let kind = image.get("mime_type").label();
            out.item(What::User).part(Part::Media(kind, image.get("url")));
        }
        _ => {
            // The task as it was typed, before the program put it into a template.
            let typed = text.any(&["raw_content.Text", "raw_content.text"]);
            let content = text.get("content");
            out.run.titles.words = typed.or(content);
            let item = out.item(What::User).text(content);
            item.summary(typed);
            if typed.raw() == content.raw() {
                item.told(text.get("raw_content"));
            }
        }
    }
}

fn conversation<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let it = record.get("conversation").or(record);
    let run = out.run(it.get("id"));
    run.titles.own = it.get("title");
    run.times.start = time_of(it.any(&["metadata.created_at", "created_at"]));
    run.times.end = time_of(it.any(&["metadata.updated_at", "updated_at"]));
    out.facts(it, &[(FactKind::Cost, "metrics.cost"), (FactKind::Other("Agent"), "initiator")]);
    out.at(it.any(&["metadata.created_at", "created_at"]));
    out.event(EventKind::RunStart, "conversation")
        .summary(it.get("title"))
        .value("Metrics", it.get("metrics"))
        .value(BlockRole::Tools, it.any(&["context.tools", "tools"]))
        .value("Related conversations", record.get("related_conversations"));
}

fn answer<'a>(record: Json<'a>, text: Json<'a>, out: &mut Description<'a>) {
    let usage = record.get("usage");
    let thoughts = text.get("reasoning_details").items().map(|it| it.get("text"));
    let parts = thoughts.filter(|it| has_content(*it)).map(Part::Thinking).collect();
    out.model(parts, Joins::Nothing)
        .name(text.get("model"))
        .text(text.get("content"))
        .tokens(&COUNTS, usage)
        .field(FactKind::Cost, usage.get("cost"));
    for call in text.get("tool_calls").items() {
        out.asked_by(0, call.get("call_id"), call.get("name"), call.get("arguments"));
    }
}

fn result<'a>(tool: Json<'a>, out: &mut Description<'a>) {
    let name = tool.get("name").label();
    let item = out.result(tool.get("call_id"), Json::ABSENT);
    item.name(name).failed(tool.get("output.is_error"));
    for value in tool.get("output.values").items() {
        // The first value of a pair is for the model.
        let value = value.get("pair.0").or(value);
        let agent = value.any(&["aI", "ai"]);
        item.starts_run(agent.get("conversation_id"));
        let image = value.get("image");
        let words = value.any(&["text", "markdown"]).given().or_else(|| agent.get("value").given());
        match image.get("url").given() {
            Some(url) => {
                let kind = image.get("mime_type").label();
                item.part(Part::Media(kind, url));
            }
            None if value.is("empty") => {}
            None => drop(item.part(Part::Result(words.unwrap_or(value)))),
        }
    }
}
