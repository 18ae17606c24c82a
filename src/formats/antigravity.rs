//! Antigravity CLI: the transcript of a conversation, one step per line.
//!
//! Read from code that reads such transcripts and from transcripts of summer 2026. A response of the planner is one LLM
//! call, with the calls that it requested. The model's steps after it are the results of these calls, in order: neither
//! has an id, and their names differ. The model is named only in the text that a change of settings adds to a request;
//! few versions write token counts. A command that failed is a step with the status done; only its result has the exit
//! code. [`printed`] reads what the program prints.

use traceloupe_core::json::{is_strict, quoted};
use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::exit_code;

/// The format.
pub static ANTIGRAVITY: Described = Described {
    signs: &[
        Sign::record(
            "steps have the `type` and the `source` of Antigravity",
            &[
                Test::OneOf(
                    "type",
                    &["USER_INPUT", "PLANNER_RESPONSE", "CONVERSATION_HISTORY", "CHECKPOINT"],
                ),
                Test::OneOf("source", &["USER_EXPLICIT", "USER_IMPLICIT", "MODEL", "SYSTEM"]),
            ],
        ),
        Sign::record(
            "there are updates of steps, as Antigravity CLI prints them",
            &[Test::Is("event", "step_update"), Test::Text("step_update.step_type")],
        ),
        Sign::record(
            "a conversation begins, as Antigravity CLI prints it",
            &[Test::Is("event", "init"), Test::Text("conversation_id"), Test::Object("init")],
        ),
    ],
    quiet: &[
        "type|source|status|created_at|step_index|event|conversation_id",
        "tool_calls.*.name",
        "step_update.step_index|step_type|state|tool_name|duration_seconds|conversation_id",
        "step_update.tool_info.name",
        "result.status|conversation_id|duration_seconds",
    ],
    ..Described::new(&catalog::ANTIGRAVITY, describe)
};

static COUNTS: Flavour = Flavour {
    input: &["input_tokens", "prompt_token_count"],
    output: &["output_tokens", "candidates_token_count"],
    cache_read: &["cached_content_token_count", "cached_tokens", "cache_read_tokens"],
    reasoning: &["thoughts_token_count", "thinking_tokens"],
    input_has_cached: true,
    ..Flavour::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if record.get("event").is_given() {
        return printed::describe(record, out);
    }
    out.at(record.get("created_at"));
    let content = record.any(&["content.text", "content"]);
    let kind = record.get("type").label();
    match kind.as_ref() {
        "USER_INPUT" => request(content, out),
        "PLANNER_RESPONSE" => {
            let usage = record.get("usage").or(record);
            out.model(content::pieces(content), Joins::Nothing)
                .name(record.get("model"))
                .usage(COUNTS.read(usage))
                .value(BlockRole::Usage, record.get("usage"));
            let thinking = record.get("thinking");
            if thinking.is_given() {
                out.last().parts.insert(0, Part::Thinking(thinking));
            }
            for call in record.get("tool_calls").items() {
                let arguments = unquoted(call.get("args"), out);
                out.asked_by(0, call.get("id"), call.get("name"), arguments);
            }
        }
        "CHECKPOINT" => drop(out.event(EventKind::Compaction, "checkpoint").text(content)),
        "ERROR_MESSAGE" => {
            out.event(EventKind::Error, "error").error(record.any(&["error", "content"]));
        }
        _ if record.get("source").is("MODEL") => {
            let code = exit_code::told_after(out.text(content), "\nCommand exited with code ", out);
            let item = out.result(Json::ABSENT, content).or_note("step");
            item.error(record.get("error")).field("Step", record.get("type"));
            match record.get("status").label().as_ref() {
                "DONE" => drop(item.status(Status::Ok).exit(code)),
                "ERROR" => drop(item.status(Status::Failed)),
                "CANCELED" | "CANCELLED" => drop(item.status(Status::Cancelled)),
                _ => {}
            }
        }
        _ if content.is_given() => drop(out.item(What::System).text(content)),
        _ => drop(out.note(kind.replace('_', " ").to_ascii_lowercase())),
    }
}

/// Arguments that are JSON in strings, unpacked.
fn unquoted<'a>(arguments: Json<'a>, out: &mut Description<'a>) -> Json<'a> {
    let mut text = String::new();
    for (key, value) in arguments.members() {
        let inner = out.text(value);
        let value = if is_strict(inner) { inner } else { value.raw() };
        text.push_str(if text.is_empty() { "{" } else { "," });
        text.push_str(&format!("{}:{value}", quoted(&key)));
    }
    match text.is_empty() {
        true => arguments,
        false => out.json(&(text + "}")),
    }
}

/// The user's request, and the text that the program added to it.
fn request<'a>(content: Json<'a>, out: &mut Description<'a>) {
    let words = out.text(content);
    let asked =
        words.split_once("<USER_REQUEST>").and_then(|(_, it)| it.split_once("</USER_REQUEST>"));
    let model =
        words.split_once("Model Selection` from ").and_then(|(_, it)| it.split_once(" to "));
    out.run.titles.words = match asked {
        Some((asked, _)) => out.string(asked.trim()),
        None => content,
    };
    let first_words = out.run.titles.words;
    if let Some((_, after)) = model {
        let name = after.lines().next().unwrap_or_default();
        let name = name.split(". ").next().unwrap_or_default().trim_end_matches('.');
        out.run.models.name = out.string(name);
    }
    out.item(What::User).text(content).summary(first_words);
}

mod printed;
