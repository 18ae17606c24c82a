//! OpenClaw: its trajectories, the records of each agent run beside the session.
//!
//! Read from its documentation (docs.openclaw.ai/tools/trajectory) and code (github.com/openclaw/openclaw,
//! `src/trajectory`); no real file was at hand. Its sessions themselves are those of pi ([`super::pi`]). The runtime's
//! records have the prompt, the tools and the outcome of a run; in an export the messages of the session are between
//! them, with each call a second time. The runtime's token counts are those of a whole run: they are used if no message
//! has any.

use super::pi;
use traceloupe_engine::prelude::*;

/// The format.
pub static OPENCLAW: Described = Described {
    signs: &[Sign::record(
        "records say `openclaw-trajectory`",
        &[Test::Is("traceSchema", "openclaw-trajectory"), Test::Has("schemaVersion")],
    )],
    quiet: &[
        "traceSchema|schemaVersion|traceId|source|type|ts|seq|sourceSeq|sessionId|sessionKey",
        "runId|workspaceDir|provider|modelId|modelApi|entryId|parentEntryId",
        "data.message.timestamp|model|toolName|isError",
        "data.message.content.*.type|thinkingSignature",
        "data.name|isError|assistantEntryId|blockIndex",
    ],
    hooks: Hooks { tells_twice: true, ..Hooks::NONE },
    ..Described::new(&catalog::OPENCLAW, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let (record, data) = (entry.json, entry.json.get("data"));
    out.at(record.any(&["ts", "generatedAt"]));
    out.run(record.get("sessionId")).models.name = record.get("modelId");
    let kind = record.get("type").label();
    // Every record has these, so they are read only once.
    if kind == "session.started" || record.get("seq").count() == Some(1) {
        out.facts(
            record,
            &[(FactKind::Other("Session key"), "sessionKey"), (FactKind::Folder, "workspaceDir")],
        );
    }
    let is_told = record.get("source").is("transcript");
    match kind.as_ref() {
        "session.started" => drop(out.event(EventKind::RunStart, "session")),
        "context.compiled" => {
            let messages = content::messages(data.get("messages"));
            let item = out.item(What::System).text(data.get("systemPrompt"));
            item.value(BlockRole::Tools, data.get("tools"));
            if !messages.is_empty() {
                item.part(Part::Messages(BlockRole::Messages, messages));
            }
        }
        "prompt.submitted" => drop(out.note("prompt").text(data.get("prompt"))),
        "tool.call" => {
            let name = data.any(&["name", "toolName"]);
            out.call(data.get("toolCallId"), name, data.any(&["arguments", "args"])).again();
        }
        "tool.result" if data.get("message").is_absent() => {
            let value = data.any(&["result", "output", "contentItems"]);
            out.result(data.get("toolCallId"), value).failed(data.get("isError"));
            out.last().failed_unless(data.get("success")).error(data.get("error"));
        }
        "model.completed" => {
            let usage = data.get("usage");
            let messages = content::messages(data.get("messagesSnapshot"));
            out.run.totals.usage = pi::COUNTS.read(usage);
            let item = out.note("model completed").value(BlockRole::Usage, usage);
            item.parts.extend(data.get("assistantTexts").items().map(Part::Text));
            item.error(data.any(&["promptError", "terminalError"]));
            if !messages.is_empty() {
                item.part(Part::Messages(BlockRole::Messages, messages));
            }
        }
        "session.ended" => {
            out.run.status = match data.get("status").label().as_ref() {
                "success" | "ok" | "completed" => Some(RunStatus::Ok),
                "error" | "failed" => Some(RunStatus::Error),
                "aborted" | "cancelled" | "interrupted" | "timeout" => Some(RunStatus::Cancelled),
                _ => None,
            };
            out.note("session ended").field("Status", data.get("status"));
            out.last().error(data.any(&["promptError", "error"]));
        }
        "" => drop(out.note("manifest")),
        _ if data.get("message").is_given() => {
            pi::message(data.get("message"), record.get("ts"), out);
            // The runtime may also have recorded it.
            if is_told {
                out.items.iter_mut().for_each(|it| it.repeats.is_again = it.what() == What::Result);
            }
        }
        _ => match kind.strip_prefix("session.") {
            Some(kind) => pi::entry_of(kind, data, out),
            None => drop(out.note(kind.replace(['.', '_'], " "))),
        },
    }
}
