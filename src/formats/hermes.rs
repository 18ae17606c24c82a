//! Hermes Agent: the files of its sessions, a JSON document or one message per line.
//!
//! Read from its documentation (hermes-agent.nousresearch.com/docs, sessions) and from code that reads them; no real
//! file was at hand. Messages are those of OpenAI's Chat API, with the reasoning beside the content. A message of the
//! assistant is one LLM call.

use traceloupe_engine::prelude::*;

/// The format.
pub static HERMES: Described = Described {
    signs: &[
        Sign::record(
            "the first message has the role `session_meta`",
            &[Test::Is("role", "session_meta"), Test::HasOne(&["model", "platform", "tools"])],
        ),
        Sign::record(
            "the document has the id and the start of a session, its platform and messages",
            &[
                Test::Texts(&["session_id", "session_start"]),
                Test::List("messages"),
                Test::HasOne(&["platform", "last_updated", "message_count"]),
            ],
        ),
    ],
    lists: &["messages"],
    has_messages: true,
    quiet: &["role|timestamp|message_count|tool_name", "tool_calls.*.type|call_id"],
    ..Described::new(&catalog::HERMES, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(&["timestamp", "session_start"]));
    if entry.is_document || record.get("role").is("session_meta") {
        out.run(record.get("session_id"));
        (out.run.titles.own, out.run.models.name) = (record.get("title"), record.get("model"));
        out.run.times.end = traceloupe_engine::kit::time_of(record.get("last_updated"));
        out.facts(
            record,
            &[
                (FactKind::Other("Platform"), "platform"),
                (FactKind::Model, "model"),
                (FactKind::Other("Address"), "base_url"),
            ],
        );
        out.event(EventKind::RunStart, "session")
            .value(BlockRole::Instructions, record.get("system_prompt"))
            .value(BlockRole::Tools, record.get("tools"));
        return;
    }
    content::said(record, Joins::Nothing, out);
    if let Some(item) = out.items.first_mut().filter(|item| item.what() == What::Model) {
        item.field("Finish reason", record.get("finish_reason"));
    }
}
