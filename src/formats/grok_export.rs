//! Conversations of Grok's web and mobile apps: `prod-grok-backend.json` of a data export.
//!
//! Read from a description of the export that was checked with real ones (<https://portable-ai-memory.org>) and from
//! programs that read it; no real file was at hand. Each conversation and each message is wrapped in an object. Times
//! of conversations are ISO 8601, those of messages are milliseconds in MongoDB's notation. An answer has steps, whose
//! texts have names: the model's thinking, and calls as XML. A call and its results share the id of a card. Whatever
//! follows a result is another LLM call. There are no token counts.

use traceloupe_core::case::lowercase;
use traceloupe_core::json::is_strict;
use traceloupe_engine::prelude::*;

/// The format.
pub static GROK_EXPORT: Described = Described {
    signs: &[
        Sign::certain(
            On::Items("conversations"),
            "conversations have an object `conversation` and `responses`",
            &[Test::Text("conversation.id"), Test::List("responses")],
        ),
        Sign::record(
            "a conversation has an object `conversation` and `responses`",
            &[Test::Text("conversation.create_time"), Test::List("responses")],
        ),
    ],
    lists: &["conversations.**", "responses"],
    quiet: &[
        "conversation.create_time|modify_time",
        "response._id|conversation_id|parent_response_id|sender|model|create_time",
        "response.steps.*.tag_order",
        "response.steps.*.tool_usage_results.*.tool_usage_card_id",
    ],
    ..Described::new(&catalog::GROK_EXPORT, describe)
};

/// Where the time is.
const TIME: &[&str] = &["create_time.$date.$numberLong", "create_time.$date", "create_time"];

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        return conversation(record, out);
    }
    let message = record.get("response").or(record);
    out.at(message.any(TIME));
    let sender = message.get("sender").label();
    if lowercase(&sender) == "human" {
        let words = message.get("message");
        let words = if has_content(words) { words } else { message.get("query") };
        out.user(words).value("Files", message.get("file_attachments"));
        return;
    }
    answer(message, out);
}

fn conversation<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let conversation = record.get("conversation");
    if conversation.is_absent() {
        // The document with all conversations of an account.
        return out.nothing();
    }
    out.at(conversation.any(TIME));
    let run = out.run(conversation.get("id"));
    run.titles.own = conversation.get("title");
    (run.times.start, run.times.end) =
        (time_of(conversation.any(TIME)), time_of(conversation.get("modify_time")));
    out.facts(conversation, &[("System prompt", "system_prompt_name")]);
    out.event(EventKind::RunStart, "conversation").text(conversation.get("summary"));
}

/// The model's response: LLM calls, with their tool calls and results between them.
fn answer<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let mut model = begin(message, out);
    let mut is_answered = false;
    let mut has_thought = false;
    for step in message.get("steps").items() {
        for (tag, text) in step.get("tagged_text").members() {
            if std::mem::take(&mut is_answered) {
                model = begin(message, out);
            }
            if tag == "tool_usage_card" {
                is_answered = calls(model, step, text, out);
                continue;
            }
            let item = out.nth(model);
            if has_content(text) {
                has_thought = true;
                match tag.as_ref() {
                    "raw_function_result" => item.value(BlockRole::Result, text),
                    _ => item.part(Part::Thinking(text)),
                };
            }
        }
        if !is_answered && let Some(item) = out.items.get_mut(model) {
            item.value("Search results", step.get("web_search_results"));
        }
    }
    if is_answered {
        begin(message, out);
    }
    let thinking = message.get("thinking_trace");
    let agents = message.get("agent_thinking_traces").items().map(|it| it.get("thinking_trace"));
    let item = out.last();
    if has_content(thinking) {
        match has_thought {
            // This text repeats the steps.
            true => item.told(thinking),
            false => item.part(Part::Thinking(thinking)),
        };
    }
    for thought in agents.filter(|it| has_content(*it) && it.raw() != thinking.raw()) {
        item.part(Part::Thinking(thought));
    }
    item.text(message.get("message"))
        .value("Web search results", message.get("web_search_results"))
        .value("Cited results", message.get("cited_web_search_results"))
        .value("Images", message.get("generated_image_urls"))
        .error(message.get("error"));
}

fn begin<'a>(message: Json<'a>, out: &mut Description<'a>) -> usize {
    let model = message.any(&["model", "metadata.request_metadata.resolved_model"]);
    out.item(What::Model).joins(Joins::Nothing).name(model);
    out.items.len() - 1
}

/// The calls that a text names, each in a card, with their results. Returns whether there is any result.
fn calls<'a>(model: usize, step: Json<'a>, cards: Json<'a>, out: &mut Description<'a>) -> bool {
    const END: &str = "</xai:tool_usage_card>";
    let mut is_answered = false;
    out.nth(model).told(cards);
    for card in out.text(cards).split_inclusive(END).filter(|card| card.ends_with(END)) {
        let value = |text: &str, out: &Description<'a>| out.string(text);
        let id = inner(card, "tool_usage_card_id");
        let arguments = inner(card, "tool_args");
        let arguments = arguments.strip_prefix("<![CDATA[").unwrap_or(arguments);
        let arguments = arguments.strip_suffix("]]>").unwrap_or(arguments);
        let arguments = match is_strict(arguments) {
            true => out.json(arguments),
            false => value(arguments, out),
        };
        let (key, name) = (value(id, out), value(inner(card, "tool_name"), out));
        out.asked_by(model, key, name, arguments);
        let results = step.get("tool_usage_results");
        let mut of_card = results.items().filter(|it| it.get("tool_usage_card_id").is(id));
        let found = of_card.next().or_else(|| step.get("web_search_results").given());
        if let Some(found) = found {
            out.result(key, found)
                .error(found.get("error"))
                .ending
                .status
                .get_or_insert(Status::Ok);
            is_answered = true;
        }
    }
    is_answered
}

/// The content of an element of Grok's XML.
fn inner<'a>(xml: &'a str, name: &str) -> &'a str {
    let inside = xml.split_once(&format!("<xai:{name}>")).map_or("", |it| it.1);
    inside.split_once(&format!("</xai:{name}>")).map_or("", |it| it.0).trim()
}
