//! Cursor: what `cursor-agent --output-format stream-json` prints, and the transcripts of its agents (JSONL).
//!
//! Read from its documentation (cursor.com/docs/cli/reference/output-format) and from code that reads transcripts; no
//! real file was at hand. In a stream words and thinking come in pieces or as a whole; the words between two calls
//! are one LLM call. A call names its tool by the key of what it holds (`readToolCall`). Transcripts have
//! neither times nor results.

use std::borrow::Cow;

use super::kit::{
    Described, Description, Entry, Hooks, Joins, On, Part, Piece, PieceOf, Sign, Sure, Test, What,
    seconds_ns,
};
use super::shapes::content;
use crate::catalog;
use crate::json::{Json, quoted};
use crate::model::{EventKind, RunStatus, Status};

/// The format.
pub static CURSOR: Described = Described {
    card: &catalog::CURSOR,
    signs: &[
        Sign {
            sure: Sure::Certain,
            on: On::Any,
            why: "calls are started and completed, and hold what their tool is",
            tests: &[
                Test::OneOf("type", &["tool_call"]),
                Test::OneOf("subtype", &["started", "completed"]),
                Test::Text("call_id"),
                Test::Object("tool_call"),
            ],
        },
        Sign {
            sure: Sure::Certain,
            on: On::Any,
            why: "the stream begins with the source of the key and the mode of permissions",
            tests: &[
                Test::OneOf("type", &["system"]),
                Test::OneOf("subtype", &["init"]),
                Test::Text("apiKeySource"),
                Test::Lacks("tools"),
                Test::Lacks("uuid"),
            ],
        },
        Sign {
            sure: Sure::Likely,
            on: On::First,
            why: "records are messages of a transcript: a role, and a message with content",
            tests: &[Test::OneOf("role", &["user", "assistant"]), Test::List("message.content")],
        },
    ],
    lists: &[],
    undivided: &[],
    has_messages: false,
    hooks: Hooks::NONE,
    quiet: &[
        "type",
        "subtype",
        "role",
        "session_id",
        "timestamp_ms",
        "model_call_id",
        "message.content.*.name",
    ],
    describe,
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(&["timestamp_ms", "timestamp"]));
    out.run(record.get("session_id"));
    let message = record.get("message");
    let kind = record.any(&["type", "role"]).word().unwrap_or_default();
    match kind.as_ref() {
        "system" => {
            out.run.model = record.get("model");
            let facts =
                [("Directory", "cwd"), ("Permissions", "permissionMode"), ("Key", "apiKeySource")];
            out.facts(record, &facts);
            out.event(EventKind::RunStart, "session").field("Model", record.get("model"));
        }
        // With partial output, words come in pieces that have a time and no call, then as a whole.
        "assistant"
            if record.get("timestamp_ms").is_given() && record.get("model_call_id").is_absent() =>
        {
            piece(PieceOf::Text, content::first_words(message), out);
        }
        "thinking" => match record.get("subtype").is("completed") {
            true => drop(out.item(What::Nothing)),
            false => piece(PieceOf::Thinking, record.get("text"), out),
        },
        "user" | "assistant" if message.is_given() => {
            if kind == "user" {
                out.run.first_words = content::first_words(message);
            }
            content::message_of_role(&kind, message, Joins::Neighbours, out);
        }
        "tool_call" => call(record, out),
        "result" => {
            let failed = record.get("is_error").is_true();
            out.run.status = Some(if failed { RunStatus::Error } else { RunStatus::Ok });
            out.run.duration = seconds_ns(record.get("duration_ms").number().map(|ms| ms / 1e3));
            out.note("result").text(record.get("result")).failed(record.get("is_error"));
        }
        _ => drop(out.note(kind).text(record.get("text"))),
    }
}

fn piece<'a>(of: PieceOf, text: Json<'a>, out: &mut Description<'a>) {
    out.item(What::Model).part(Part::Piece(Piece { of, key: 0, text }));
}

/// A call that has started, or its result.
fn call<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let Some((key, call)) = record.get("tool_call").members().next() else { return };
    let id = record.get("call_id");
    // Tools without a kind of their own are functions.
    let name = match call.get("name").given() {
        Some(name) => name,
        None => Json::new(out.keep(&quoted(key.strip_suffix("ToolCall").unwrap_or(&key)))),
    };
    if record.get("subtype").is("started") {
        out.ask(id, name, call.any(&["args", "arguments"]));
        return;
    }
    let result = call.get("result");
    let (outcome, value) = result.members().next().unwrap_or((Cow::Borrowed(""), result));
    let item = out.result(id, value).exit(value.get("exitCode"));
    match outcome.as_ref() {
        "success" if item.status.is_none() => drop(item.status(Status::Ok)),
        "error" | "failure" => drop(item.status(Status::Error)),
        "rejected" | "permissionDenied" => drop(item.status(Status::Cancelled)),
        _ => {}
    }
}
