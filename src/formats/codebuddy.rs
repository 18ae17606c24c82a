//! CodeBuddy and WorkBuddy: sessions of the command line tool and of the desktop program, one event per line.
//!
//! Read from descriptions and test data of programs that read such sessions (CodeBuddy 2, WorkBuddy of 2026): the
//! producer documents where they are and not what they hold. Folders are as those of Claude Code, events as items of
//! OpenAI's Responses API with a session around them. Events with one `providerData.messageId` are one LLM call; each
//! of them may have its token counts. A sub-agent is a session of its own.

use super::kit::{Described, Description, Entry, Item, Joins, On, Sign, Test, What, has_content};
use super::shapes::content;
use super::shapes::tokens::OPENAI;
use crate::catalog;
use crate::json::Json;

/// The format.
pub static CODEBUDDY: Described = Described {
    signs: &[
        Sign::certain(
            On::Any,
            "events are items of a session, with `providerData`",
            &[
                Test::OneOf("type", &["message", "reasoning", "function_call"]),
                Test::Text("sessionId"),
                Test::Object("providerData"),
            ],
        ),
        Sign::certain(
            On::Any,
            "messages of a session have content of the Responses API",
            &[
                Test::OneOf("type", &["message"]),
                Test::OneOf("content.0.type", &["input_text", "output_text"]),
                Test::Text("sessionId"),
                Test::Text("cwd"),
            ],
        ),
        Sign::certain(
            On::Any,
            "results of calls have a `callId` and a session",
            &[
                Test::OneOf("type", &["function_call", "function_call_result"]),
                Test::Text("callId"),
                Test::Text("sessionId"),
            ],
        ),
    ],
    quiet: &[
        "type",
        "id",
        "parentId",
        "role",
        "name",
        "timestamp",
        "sessionId",
        "cwd",
        "status",
        "output.type",
        "providerData.model",
        "providerData.messageId",
    ],
    ..Described::new(&catalog::CODEBUDDY, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let (id, content) = (record.get("callId"), record.get("content"));
    out.at(record.get("timestamp"));
    let run = out.run(record.get("sessionId"));
    run.title = record.any(&["topic", "aiTitle"]);
    out.facts(record, &[("Directory", "cwd"), ("Model", "providerData.model")]);
    match record.get("type").word().unwrap_or_default().as_ref() {
        "message" if record.get("role").is("assistant") => {
            let parts = content::pieces(content);
            let item = model(record, out);
            item.parts.splice(0..0, parts);
        }
        "message" => {
            let text = content.get("0.text").text().unwrap_or_default();
            // What commands of the program printed.
            let is_told = text.starts_with("<command-")
                || text.starts_with("<local-command-")
                || text.starts_with("<system-");
            if !is_told && record.get("role").is("user") {
                out.run.first_words = content::first_words(record);
            }
            let is_user = !is_told && record.get("role").is("user");
            let what = if is_user { What::User } else { What::System };
            out.item(what).parts = content::pieces(content);
        }
        "reasoning" => {
            let words = record.any(&["rawContent.0.text", "content.0.text"]);
            let list =
                if words.is_given() { record.any(&["rawContent", "content"]) } else { words };
            let parts = std::mem::take(&mut out.thinking(list).parts);
            out.items.clear();
            model(record, out).parts.splice(0..0, parts);
        }
        "function_call" => {
            model(record, out).asks = record;
            out.asked_by(0, id, record.get("name"), record.get("arguments"));
        }
        "function_call_result" => {
            let output = record.any(&["output.text", "output", "content"]);
            let told = record.get("providerData.toolResult");
            let item = out.result(id, output).error(told.get("error"));
            if item.status.is_none() {
                item.outcome(record.get("status"));
            }
            item.name(record.get("name").word().unwrap_or_default());
            item.value("Result as shown", told.get("renderer"));
            if told.get("content").fingerprint() == output.fingerprint() {
                item.told(told);
            }
        }
        "topic" | "ai-title" => drop(out.item(What::Nothing)),
        kind => drop(out.note(kind.replace('-', " ")).value("Snapshot", record.get("snapshot"))),
    }
}

/// The LLM call that an event is a piece of.
fn model<'a, 'd>(record: Json<'a>, out: &'d mut Description<'a>) -> &'d mut Item<'a> {
    let data = record.get("providerData");
    let (id, counts) = (data.get("messageId"), data.any(&["rawUsage", "usage"]));
    let joins = if has_content(id) { Joins::Id(id) } else { Joins::Neighbours };
    let item = out.item(What::Model).joins(joins).usage(OPENAI.read(counts));
    item.name(data.get("model").word().unwrap_or_default());
    item.told(data.get("usage")).value("Usage", counts)
}
