//! The storage of OpenCode since version 2: a session in the table `session_v2`, and one row per message in
//! `session_message`, whose `type` determines the content of `data`. An export (`opencode session export`) has `info`
//! and these messages, with the data beside their `id` and `type`; [`super::databases`] writes the sessions of a
//! database in this form.
//!
//! Read from rows that version 2.0.14 wrote, and from descriptions of its tables. A message of the assistant is one LLM
//! call; calls are in its `content`, with their results.

use crate::opencode::{TOKENS, failure, result};
use traceloupe_engine::prelude::*;

/// The types of messages.
pub(super) const TYPES: &[&str] = &[
    "user",
    "assistant",
    "shell",
    "synthetic",
    "system",
    "skill",
    "compaction",
    "idle",
    "agent-switched",
    "model-switched",
    "location-switched",
];

/// The tables whose rows are read.
pub(super) const TABLES: &[&str] = &["session_v2", "session_message"];

/// A row of a table.
pub(super) fn row<'a>(table: Json<'a>, row: Json<'a>, out: &mut Description<'a>) {
    if table.is("session_v2") {
        out.at(row.get("time_created"));
        let run = out.run(row.get("id"));
        run.times.order_rows = true;
        run.titles.own = row.get("title");
        run.origin.started_by = row.get("parent_id");
        (run.times.start, run.times.end) =
            (time_of(row.get("time_created")), time_of(row.get("time_updated")));
        out.facts(row, &[(FactKind::Folder, "directory"), (FactKind::Version, "version")]);
        out.facts(row, &[("Project", "project_id")]);
        out.event(EventKind::RunStart, "session").summary(row.get("directory"));
        return;
    }
    out.run(row.get("session_id"));
    let data = out.unpack(row.get("data"));
    message(row.get("type"), row.get("id"), data, out);
}

/// A message: its type, its id, and its data.
pub(super) fn message<'a>(kind: Json<'a>, id: Json<'a>, data: Json<'a>, out: &mut Description<'a>) {
    out.at(data.get("time.created"));
    let kind = kind.label();
    match kind.as_ref() {
        "user" => {
            out.run.titles.words = data.get("text");
            let item = out.item(What::User).id(id).text(data.get("text"));
            for (title, key) in [("Files", "files"), ("Agents", "agents"), ("Skills", "skills")] {
                if data.get(key).items().next().is_some() {
                    item.value(title, data.get(key));
                }
            }
        }
        "assistant" => answer(id, data, out),
        // The user ran it.
        "shell" => {
            let name = out.string("shell");
            let call = out.call(data.get("shellID"), name, data.get("command"));
            call.field("Shell", data.get("shellID"));
            call.part(Part::Note(EventNote::RunByUser));
            if !data.get("status").is("running") {
                let output = data.any(&["output.output", "output"]);
                let item = out.result(data.get("shellID"), output).exit(data.get("exit"));
                item.took(between(data.get("time.created"), data.get("time.completed")));
                if data.get("status").is("killed") {
                    item.status(Status::Cancelled);
                } else if data.get("status").is("timeout") {
                    item.status(Status::TimedOut);
                }
            }
        }
        "synthetic" | "system" | "skill" => {
            out.item(What::System).text(data.get("text")).field("Skill", data.get("name"));
        }
        "compaction" => {
            let item = out.event(EventKind::Compaction, "compaction").text(data.get("summary"));
            item.field("Reason", data.get("reason"));
            failure(data.get("error"), item);
        }
        // The end of a turn.
        "idle" => {
            let outcome = data.get("outcome");
            out.run.ended(outcome);
            out.bookkeeping("idle").field("Outcome", outcome);
        }
        kind => {
            let labels = [
                (FactKind::Other("Agent"), "agent"),
                (FactKind::Model, "model.id"),
                (FactKind::Folder, "location.directory"),
            ];
            out.bookkeeping(kind.replace('-', " ")).fields(data, &labels);
        }
    }
}

/// One LLM call, with the calls that it requests.
fn answer<'a>(id: Json<'a>, data: Json<'a>, out: &mut Description<'a>) {
    out.facts(data, &[(FactKind::Provider, "model.providerID")]);
    let counts = data.get("tokens");
    let item = out.item(What::Model).joins(Joins::Nothing).id(id);
    item.name = data.get("model.id").label();
    item.begins(time_of(data.get("time.created")));
    // Calls run after the answer has been streamed.
    let streamed = data.any(&["time.streamed", "time.completed"]);
    item.took(between(data.get("time.created"), streamed));
    item.tokens(&TOKENS, counts);
    item.fields(
        data,
        &[
            (FactKind::Other("Finish reason"), "finish"),
            (FactKind::Cost, "cost"),
            (FactKind::Other("Agent"), "agent"),
        ],
    );
    failure(data.get("error"), item);
    let model = out.items.len().saturating_sub(1);
    for part in data.get("content").items() {
        if part.get("type").is("tool") {
            tool(part, model, out);
        } else {
            out.nth(model).parts.extend(content::pieces(part));
        }
    }
}

/// A call, with its result where it has one.
fn tool<'a>(part: Json<'a>, model: usize, out: &mut Description<'a>) {
    let (state, id, name) = (part.get("state"), part.get("id"), part.get("name"));
    let began = part.any(&["time.ran", "time.created"]);
    out.asked_by(model, id, name, state.get("input")).starts_run(state.get("metadata.sessionID"));
    let value = state.any(&["error.message", "error", "content"]);
    result(id, state, value, (began, part.get("time.completed")), out);
}
