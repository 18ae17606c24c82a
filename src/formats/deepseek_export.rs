//! Conversations of DeepSeek's web and mobile apps: `conversations.json` of a data export, and a single conversation as
//! the page itself loads it, whether the user's own or a shared one.
//!
//! Read from a conversation that a browser extension saved (<https://github.com/ceyaima/deepseek-exporter>) and from
//! programs that read exports. The messages of an export are the nodes of a tree under `mapping`, those of the page a
//! list. The content of a message is a list of fragments, each with a type; until mid-2025 the page had the text in
//! `content` and `thinking_content`. An answer may be written before its question by a few milliseconds, so rows are in
//! the order of the file. Whatever follows a search is another LLM call. The only token count is the length of the
//! conversation so far.

use traceloupe_core::case::lowercase;
use traceloupe_engine::prelude::*;

/// The format.
pub static DEEPSEEK_EXPORT: Described = Described {
    signs: &[
        Sign::record(
            "conversations have a `mapping` of nodes, and say when they were inserted",
            &[Test::Object("mapping"), Test::Text("inserted_at"), Test::Lacks("create_time")],
        ),
        Sign::record(
            "the answer of the page has messages under `biz_data`",
            &[Test::HasOne(&["data.biz_data.chat_messages", "data.biz_data.messages"])],
        ),
    ],
    lists: &["mapping.{}", "data.biz_data.chat_messages", "data.biz_data.messages"],
    quiet: &[
        "id|parent|children|message_id|parent_id|model|role|inserted_at|code",
        "message.model|inserted_at",
        "message.fragments.*.id|type",
        "fragments.*.id|type",
        "data.biz_code",
    ],
    ..Described::new(&catalog::DEEPSEEK_EXPORT, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        return conversation(record, out);
    }
    let message = record.get("message").or(record);
    out.at(message.get("inserted_at"));
    let fragments = message.get("fragments");
    let is_of_person = match message.get("role").word() {
        Some(role) => role == "USER",
        None => fragments.items().any(|it| it.get("type").is("REQUEST")),
    };
    match () {
        // The root of the tree.
        () if message.get("inserted_at").is_absent() && fragments.is_absent() => out.nothing(),
        () if is_of_person => said(message, out),
        () => answer(message, out),
    }
}

fn conversation<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let data = record.get("data.biz_data");
    let session = data.get("chat_session").given().or_else(|| data.given()).unwrap_or(record);
    out.at(session.get("inserted_at"));
    let run = out.run(session.get("id"));
    run.titles.own = session.get("title");
    (run.times.start, run.times.end) =
        (time_of(session.get("inserted_at")), time_of(session.get("updated_at")));
    out.facts(session, &[(FactKind::Model, "model_type"), (FactKind::Other("Agent"), "agent")]);
    out.event(EventKind::RunStart, "conversation");
}

fn said<'a>(message: Json<'a>, out: &mut Description<'a>) {
    out.item(What::User).text(message.get("content"));
    for fragment in message.get("fragments").items() {
        let words = fragment.get("content");
        let item = out.last();
        match fragment.get("type").label().as_ref() {
            "REQUEST" => drop(item.text(words)),
            _ => drop(item.value("Files", fragment.get("files").or(fragment))),
        }
    }
    out.last().value("Files", message.get("files"));
    let words = out.last().parts.iter().find_map(|part| match part {
        Part::Text(words) => Some(*words),
        _ => None,
    });
    out.run.titles.words = words.unwrap_or_default();
}

/// The model's response: LLM calls, with their searches and search results between them.
fn answer<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let mut model = begin(message, out);
    let mut is_answered = false;
    for fragment in message.get("fragments").items() {
        let kind = fragment.get("type").label();
        let found = fragment.any(&["results", "result"]);
        if kind == "SEARCH" || kind.starts_with("TOOL_") {
            let asked = fragment.any(&["queries", "query", "content", "url"]);
            let name = out.json(&format!("\"{}\"", lowercase(&kind)));
            out.asked_by(model, Json::ABSENT, name, asked);
            if found.is_given() {
                out.result(Json::ABSENT, found).name(lowercase(&kind)).status(Status::Ok);
            }
            is_answered = true;
            continue;
        }
        if std::mem::take(&mut is_answered) {
            model = begin(message, out);
        }
        let item = out.nth(model);
        match kind.as_ref() {
            "RESPONSE" => {
                item.text(fragment.get("content")).value("References", fragment.get("references"));
            }
            "THINK" => {
                item.part(Part::Thinking(fragment.get("content")))
                    .field("Seconds of thinking", fragment.get("elapsed_secs"));
            }
            _ => drop(item.value("Fragment", fragment)),
        }
    }
    // The page's form before there were fragments.
    let thinking = message.get("thinking_content");
    let item = out.last();
    if has_content(thinking) {
        item.part(Part::Thinking(thinking))
            .field("Seconds of thinking", message.get("thinking_elapsed_secs"));
    }
    item.value("Search results", message.get("search_results")).text(message.get("content"));
    item.field("Tokens so far", message.get("accumulated_token_usage"));
    let status = message.get("status");
    if status.is("INCOMPLETE") {
        item.status(Status::Cancelled);
    }
    if !status.is("FINISHED") {
        item.field("Status", status);
    }
}

fn begin<'a>(message: Json<'a>, out: &mut Description<'a>) -> usize {
    let start = time_of(message.get("inserted_at"));
    let item = out.item(What::Model).joins(Joins::Nothing).begins(start);
    item.name = message.get("model").label();
    out.items.len() - 1
}
