//! Sessions of Kiro's third engine: `messages.jsonl`, and `session.json` beside it, in a folder of their own.
//!
//! Read from code that reads them and from sessions that users quote. A record is `{id, timestamp, payload}`: text of
//! the model, calls and results in sequence; consecutive records without a result or a prompt between them are one LLM
//! call. There are no token counts, only credits per turn. Messages do not name their session.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::exit_code::told_after;

/// The types of payloads.
pub(super) const TYPES: &[&str] = &[
    "assistant",
    "tool_call",
    "tool_result",
    "turn_start",
    "turn_end",
    "usage_summary",
    "pending_interaction",
];

/// A record, or the document about the session.
pub(super) fn describe<'a>(record: Json<'a>, out: &mut Description<'a>) {
    if record.get("workspacePaths").is_given() {
        return about(record, out);
    }
    out.at(record.get("timestamp"));
    let payload = record.get("payload");
    let (id, content) = (payload.get("toolCallId"), payload.get("content"));
    let kind = payload.get("type").label();
    match kind.as_ref() {
        "user" => {
            let item = out.user(content);
            for (title, key) in [("Images", "images"), ("Documents", "documents")] {
                item.part(Part::Value(title.into(), payload.get(key)));
            }
            item.parts.retain(|part| !matches!(part, Part::Value(_, it) if !has_content(*it)));
        }
        "session_start" => drop(out.item(What::System).text(content)),
        "assistant" => match payload.get("operationType").label().as_ref() {
            "Reasoning" => drop(out.thinking(content)),
            "Summary" => drop(out.event(EventKind::Compaction, "compaction").text(content)),
            _ => drop(out.item(What::Model).text(content)),
        },
        "tool_call" => {
            out.ask(id, payload.get("toolName"), payload.get("args")).or_known();
        }
        "tool_result" => {
            let exit = told_after(out.text(content), "\nExit Code:", out);
            let item = out.result(id, content).exit(exit);
            match payload.get("success").bool() {
                Some(false) => _ = item.status(Status::Failed),
                Some(true) if item.ending.status.is_none() => _ = item.status(Status::Ok),
                _ => {}
            }
        }
        "sub_agent_start" => {
            let name = payload.get("subAgentName");
            out.event(EventKind::Agent, name.label())
                .text(payload.get("prompt"))
                .field("Session", payload.get("subSessionId"));
        }
        "sub_agent_complete" => {
            out.event(EventKind::Agent, "complete")
                .text(payload.get("response"))
                .field("Session", payload.get("subSessionId"))
                .status(Status::Ok);
        }
        "tombstone" => drop(out.bookkeeping("tombstone").summary(payload.get("kind"))),
        "usage_summary" => {
            let turns = payload.get("promptTurnSummaries");
            out.bookkeeping("usage").value(BlockRole::Usage, turns);
        }
        "turn_end" => {
            out.bookkeeping("turn end").field("Stop reason", payload.get("stopReason"));
        }
        _ => {
            let words = payload.any(&["question", "category", "key"]);
            out.bookkeeping(kind.replace('_', " ")).text(words);
        }
    }
}

/// `session.json`.
fn about<'a>(record: Json<'a>, out: &mut Description<'a>) {
    out.at(record.get("createdAt"));
    let run = out.run(record.get("id"));
    (run.titles.own, run.models.name) = (record.get("title"), record.get("modelId"));
    run.times.end = time_of(record.get("lastModifiedAt"));
    out.facts(
        record,
        &[
            (FactKind::Folder, "workspacePaths.0"),
            (FactKind::Other("Mode"), "agentMode"),
            (FactKind::Model, "modelId"),
            (FactKind::Other("Status"), "status"),
            (FactKind::Other("Parent session"), "parentSessionId"),
        ],
    );
    out.event(EventKind::RunStart, "session").summary(record.get("title"));
}
