//! Grok Build: the history of a session, `chat_history.jsonl`.
//!
//! Read from code that reads such histories and from short ones of 2026. Records have no times. Reasoning, searches
//! that the API runs itself and the model's text are pieces of one LLM call. Text that the program gives to the model
//! in the user's name has a `synthetic_reason`. `summary.json` beside the history has the session's id, title, folder
//! and times; both are one run. The other files of a session, `updates.jsonl` among them, are messages of the Agent
//! Client Protocol and are read as such.

use super::join_by_folder;
use traceloupe_core::model::TraceBuilder;
use traceloupe_engine::prelude::*;

/// The format.
pub static GROK: Described = Described {
    signs: &[
        Sign::record(
            "messages have the `model_id` of Grok, and their type instead of a role",
            &[Test::Is("type", "assistant"), Test::Text("model_id"), Test::Has("content")],
        ),
        Sign::record(
            "a message of the user has the number of its prompt, or says why the program wrote it",
            &[
                Test::Is("type", "user"),
                Test::List("content"),
                Test::HasOne(&["prompt_index", "synthetic_reason"]),
            ],
        ),
        Sign::record(
            "calls that the API runs itself are records with their `kind`",
            &[Test::Is("type", "backend_tool_call"), Test::Text("kind.tool_type")],
        ),
        Sign::certain(
            On::First,
            "the document has the `info`, the times and the model of a session of Grok",
            &[Test::Texts(&["info.id", "info.cwd", "current_model_id"]), Test::Has("created_at")],
        ),
    ],
    has_messages: true,
    hooks: Hooks { join: Some(join), ..Hooks::NONE },
    quiet: &["type|id|model_id|status", "kind.id|status|tool_type"],
    ..Described::new(&catalog::GROK, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if record.get("info.id").is_given() {
        return summary(record, out);
    }
    let kind = record.get("type").label();
    match kind.as_ref() {
        "user" => {
            let reason = record.get("synthetic_reason");
            if reason.is_given() && !reason.is("interjection") {
                out.item(What::System)
                    .field("Reason", reason)
                    .parts
                    .extend(content::pieces(record.get("content")));
                return;
            }
            content::asked(record, out);
        }
        "reasoning" => drop(out.thinking(record.get("summary")).joins(Joins::Open)),
        "backend_tool_call" => {
            let call = record.get("kind");
            let asked = out.ask(call.get("id"), call.get("tool_type"), call.get("action"));
            if call.get("status").is("completed") {
                asked.status(Status::Ok);
            }
            if let Some(item) = out.items.first_mut() {
                item.joins(Joins::Open);
            }
        }
        "tool_result" => {
            let item = out.result(record.get("tool_call_id"), record.get("content"));
            item.parts.extend(content::pieces(record.get("images")));
        }
        "system" | "assistant" => {
            content::message_of_role(&kind, record, Joins::Open, out);
            for item in out.items.iter_mut().filter(|item| item.what() == What::Model) {
                item.name(record.get("model_id"));
            }
        }
        _ => drop(out.note(kind.into_owned())),
    }
}

/// The session's title, folder and times.
fn summary<'a>(session: Json<'a>, out: &mut Description<'a>) {
    let run = out.run(session.get("info.id"));
    run.titles.own = session.any(&["generated_title", "session_summary"]);
    run.times.start = time_of(session.get("created_at"));
    run.times.end = time_of(session.any(&["last_active_at", "updated_at"]));
    out.facts(
        session,
        &[
            (FactKind::Folder, "info.cwd"),
            (FactKind::Model, "current_model_id"),
            (FactKind::Other("Messages"), "num_messages"),
        ],
    );
    out.at(session.get("created_at"));
    out.event(EventKind::RunStart, "session")
        .summary(session.get("info.cwd"))
        .field("Updated", session.get("updated_at"));
}

/// A history without an id of its own belongs to the session whose summary is beside it.
fn join(out: &mut TraceBuilder) {
    join_by_folder::join(GROK.names.0, out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    const NETS: &str = include_str!("../../tests/fixtures/grok/nets.jsonl");
    const SUMMARY: &str = include_str!("../../tests/fixtures/grok/session/summary.json");

    #[test]
    fn a_history_is_of_the_session_whose_summary_is_beside_it() {
        let lines: Vec<&str> = NETS.lines().collect();
        let read = read(&GROK, &[&lines, &[SUMMARY]]);
        assert_eq!(read.trace.runs().len(), 1);
        assert_eq!(read.trace.runs()[0].title.as_deref(), Some("Torn nets"));
        let outline = read.outline();
        assert_eq!(outline.first().map(String::as_str), Some("run-start session"), "{outline:#?}");
    }
}
