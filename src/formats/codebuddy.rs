//! CodeBuddy and WorkBuddy: sessions of the command line tool and of the desktop program, one event per line.
//!
//! Read from descriptions and test data of programs that read such sessions (CodeBuddy 2, WorkBuddy of 2026): the
//! producer documents their location, but not their content. Folders are like those of Claude Code, events like items
//! of OpenAI's Responses API with a session around them. Events with one `providerData.messageId` are one LLM call;
//! each of them may have its token counts. A sub-agent is a session of its own.

use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::OPENAI;

/// The format.
pub static CODEBUDDY: Described = Described {
    signs: &[
        Sign::record(
            "events are items of a session, with `providerData`",
            &[
                Test::OneOf("type", &["message", "reasoning", "function_call"]),
                Test::Text("sessionId"),
                Test::Object("providerData"),
            ],
        ),
        Sign::record(
            "messages of a session have content of the Responses API",
            &[
                Test::Is("type", "message"),
                Test::OneOf("content.0.type", &["input_text", "output_text"]),
                Test::Texts(&["sessionId", "cwd"]),
            ],
        ),
        Sign::record(
            "results of calls have a `callId` and a session",
            &[
                Test::OneOf("type", &["function_call", "function_call_result"]),
                Test::Texts(&["callId", "sessionId"]),
            ],
        ),
    ],
    quiet: &[
        "type|id|parentId|role|name|timestamp|sessionId|cwd|status",
        "output.type",
        "providerData.model|messageId",
    ],
    ..Described::new(&catalog::CODEBUDDY, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let (data, id, role) = (record.get("providerData"), record.get("callId"), record.get("role"));
    let call = data.get("messageId");
    let joins = if call.is_given() { Joins::Id(call) } else { Joins::Neighbours };
    out.at(record.get("timestamp"));
    let run = out.run(record.get("sessionId"));
    run.titles.own = record.any(&["topic", "aiTitle"]);
    out.facts(record, &[(FactKind::Folder, "cwd"), (FactKind::Model, "providerData.model")]);
    match record.get("type").label().as_ref() {
        "message" => {
            // Output of the program's commands.
            let is_told = record.get("content.0.text").raw().starts_with("\"<");
            if role.is("user") && !is_told {
                out.run.titles.words = content::first_words(record);
            }
            let role = role.label();
            let role = if role == "user" && is_told { "system" } else { role.as_ref() };
            content::message_of_role(role, record, joins, out);
        }
        "reasoning" => drop(out.thinking(record.any(&["rawContent", "content"])).joins(joins)),
        "function_call" => {
            out.item(What::Model).joins(joins).asks(record);
            out.asked_by(0, id, record.get("name"), record.get("arguments"));
        }
        "function_call_result" => {
            let output = record.any(&["output.text", "output", "content"]);
            let told = data.get("toolResult");
            let item = out.result(id, output).outcome(record.get("status"));
            if has_content(told.get("error")) {
                item.status(Status::Failed).error(told.get("error"));
            }
            item.name(record.get("name"));
            item.told(told.get("content"))
                .value(BlockRole::OtherOutput("Result as shown"), told.get("renderer"));
        }
        "topic" | "ai-title" => out.nothing(),
        kind => drop(out.note(kind.replace('-', " "))),
    }
    let counts = data.any(&["rawUsage", "usage"]);
    if let Some(item) = out.items.first_mut().filter(|item| item.what() == What::Model) {
        item.tokens(&OPENAI, counts).told(data.get("usage"));
        item.name = data.get("model").label();
    }
}
