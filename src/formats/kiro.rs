//! Kiro: the files of its sessions, one JSON object per line.
//!
//! Read from its documentation (kiro.dev/docs/cli) and a session of version `v1`. A message of the assistant is one LLM
//! call. Results are written twice, as the model sees them and as the tool returned them: the latter is shown if it has
//! more than the former. Only prompts have times.
//!
//! Since 2026 its third engine, which its editor uses as well, has a folder per session instead ([`engine_v3`]).

use super::join_by_folder;
use traceloupe_core::model::TraceBuilder;
use traceloupe_engine::prelude::*;

/// The format.
pub static KIRO: Described = Described {
    signs: &[
        Sign::record(
            "records have a `version`, a `kind` of Kiro and `data` with a list of content",
            &[
                Test::OneOf("kind", &["Prompt", "AssistantMessage", "ToolResults"]),
                Test::Starts("version", "v"),
                Test::List("data.content"),
            ],
        ),
        Sign::certain(
            On::Document,
            "the document has the `session_state` of a session",
            &[
                Test::Text("session_id"),
                Test::Starts("session_state.version", "v"),
                Test::HasOne(&[
                    "session_state.conversation_metadata",
                    "session_state.rts_model_state",
                    "session_state.model_info",
                ]),
            ],
        ),
        Sign::record(
            "records have a `payload` of Kiro's third engine",
            &[
                Test::Lacks("type"),
                Test::OneOf("payload.type", engine_v3::TYPES),
                Test::HasOne(&[
                    "payload.operationType",
                    "payload.toolCallId",
                    "payload.executionId",
                    "payload.promptTurnSummaries",
                ]),
            ],
        ),
        Sign::certain(
            On::Document,
            "the document is about a session of Kiro's third engine",
            &[
                Test::Starts("id", "sess_"),
                Test::List("workspacePaths"),
                Test::HasOne(&["dataModelVersion", "agentMode", "lastModifiedAt"]),
            ],
        ),
    ],
    has_messages: true,
    hooks: Hooks { join: Some(join), ..Hooks::NONE },
    quiet: &[
        "version|kind|id|timestamp",
        "payload.type|toolCallId|toolName|executionId|operationType|success|status",
        "data.message_id",
        "data.meta.timestamp",
        "data.content.*.kind",
        "data.content.*.data.toolUseId|name|modelId|status|signature|redactedContent",
        "data.content.*.data.content.*.kind",
        "data.results.*.tool",
        "data.results.*.result.Success",
    ],
    ..Described::new(&catalog::KIRO, describe)
};

/// The messages belong to the session that `session.json` beside them describes.
fn join(out: &mut TraceBuilder) {
    join_by_folder::join(KIRO.names.0, out);
}

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let data = record.get("data");
    if record.get("payload").is_given() || record.get("workspacePaths").is_given() {
        return engine_v3::describe(record, out);
    }
    if record.get("session_state").is_given() {
        // The data beside the messages of a session, in a file of its own.
        out.at(record.get("created_at"));
        let run = out.run(record.get("session_id"));
        (run.titles.own, run.times.end) = (record.get("title"), time_of(record.get("updated_at")));
        out.facts(
            record,
            &[
                (FactKind::Folder, "cwd"),
                (FactKind::Other("Parent session"), "parent_session_id"),
                (FactKind::Model, "session_state.model_info.model_id"),
                (FactKind::Model, "session_state.rts_model_state.model_info.model_id"),
            ],
        );
        out.event(EventKind::RunStart, "session").summary(record.get("title"));
        return;
    }
    out.at(data.any(&["meta.timestamp", "timestamp"]));
    let kind = record.get("kind").label();
    let model = match kind.as_ref() {
        "Prompt" => {
            let first = data.get("content.0");
            if first.get("kind").is("text") {
                out.run.titles.words = first.get("data");
            }
            out.item(What::User);
            None
        }
        "AssistantMessage" => {
            out.item(What::Model).joins(Joins::Nothing).asks(data.get("content"));
            Some(0)
        }
        "ToolResults" => None,
        "Compaction" | "Summary" => {
            out.event(EventKind::Compaction, "compaction").text(data.get("summary"));
            return;
        }
        _ => {
            out.note(kind).text(data.any(&["message", "text", "summary"]));
            return;
        }
    };
    for content in data.get("content").items() {
        let inner = content.get("data");
        match content.get("kind").label().as_ref() {
            "toolUse" => {
                let (id, name) = (inner.get("toolUseId"), inner.get("name"));
                let shown = Part::Call(name.label(), inner.get("input"));
                out.call(id, name, inner.get("input")).asked_by(model);
                out.items.first_mut().map(|item| item.part(shown));
            }
            "toolResult" => result(inner, out),
            _ => {
                let part = part_of(content);
                let item = out.items.first_mut();
                let Some(item) = item.filter(|item| item.what() != What::Result) else { continue };
                let name = inner.get("modelId").word().filter(|_| item.what() == What::Model);
                item.name = name.unwrap_or(std::mem::take(&mut item.name));
                item.part(part);
            }
        }
    }
}

fn part_of(content: Json<'_>) -> Part<'_> {
    let data = content.get("data");
    let words = data.get("text");
    match content.get("kind").label().as_ref() {
        "text" => Part::Text(data),
        "thinking" if words.raw().len() > 2 => Part::Thinking(words),
        "thinking" => Part::HiddenThinking,
        "image" => {
            let kind = data.get("format").label();
            Part::Media(format!("image/{kind}").into(), data.any(&["source.data", "source.bytes"]))
        }
        _ => Part::Value(BlockRole::Content, content),
    }
}

/// The result of a call: usually a single value. Commands have their exit status as text.
fn result<'a>(result: Json<'a>, out: &mut Description<'a>) {
    let list = result.get("content");
    let value = match list.item(1).is_absent() {
        true => list.get("0.data").or(list),
        false => list,
    };
    let exit = out.text(value.get("exit_status")).strip_prefix("exit status: ").unwrap_or_default();
    let item = out.result(result.get("toolUseId"), value);
    item.exit(Json::new(exit));
    match result.get("status").label().as_ref() {
        "error" => drop(item.status(Status::Failed)),
        "success" if item.ending.status.is_none() => drop(item.status(Status::Ok)),
        _ => {}
    }
}

mod engine_v3;
