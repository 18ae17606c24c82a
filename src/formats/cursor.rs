//! Cursor: the chats that its editor exports as Markdown, which `src/converters/markdown.rs` turns into records, and
//! the transcripts of its agents (JSONL). The output of `cursor-agent --output-format stream-json` is read like that of
//! Claude Code ([`super::claude_stream`]). [`super::databases`] writes each conversation of the editor's database as
//! one document.
//!
//! Read from exports that users quote and from code that reads transcripts and databases; no real file was at hand. A
//! message of the assistant is one LLM call. Exports and transcripts have no times; transcripts have calls without ids,
//! most of them without results.
//!
//! A conversation consists of bubbles: `type` 1 is a user message, 2 is text of the model (`text`), its thinking, or a
//! call with its result (`toolFormerData`). Consecutive thinking and text are one LLM call, and calls belong to the LLM
//! call before them, because nothing states which bubbles came from one request. Most token counts are 0, which means
//! that they were not counted.

use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::CONVERSE;

/// The format.
pub static CURSOR: Described = Described {
    signs: &[
        Sign::record(
            "the file says that Cursor has exported it",
            &[Test::Is("type", "export"), Test::Is("from", "Cursor"), Test::Text("exported")],
        ),
        Sign::record(
            "the document has a `composerId` and the bubbles of its `conversation`",
            &[Test::Text("composerId"), Test::List("conversation")],
        ),
        Sign::likely(
            On::First,
            "records are messages of a transcript: a role, and a message with content",
            &[Test::OneOf("role", &["user", "assistant"]), Test::List("message.content")],
        ),
    ],
    lists: &["conversation"],
    quiet: &[
        "type|role|from|bubbleId|createdAt|modelInfo|tokenCount|timingInfo",
        "message.content.*.name",
        "toolFormerData.name|status|toolCallId",
    ],
    ..Described::new(&catalog::CURSOR, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document && record.get("composerId").is_given() {
        return conversation(record, out);
    }
    if record.get("bubbleId").is_given() {
        return bubble(record, out);
    }
    let (message, text) = (record.get("message"), record.get("text"));
    let kind = record.any(&["type", "role"]).label();
    match kind.as_ref() {
        "export" => {
            out.run.titles.own = record.get("title");
            out.facts(
                record,
                &[(FactKind::Other("Exported"), "exported"), (FactKind::Version, "version")],
            );
            out.event(EventKind::RunStart, "chat").summary(record.get("title"));
        }
        "user" | "assistant" if message.is_given() => {
            if kind == "user" {
                let first = content::first_words(message);
                // The time may precede it.
                let (_, query) = out.text(first).split_once("<user_query>").unwrap_or_default();
                let query = query.trim().trim_end_matches("</user_query>").trim();
                out.run.titles.words = match Some(query).filter(|it| !it.is_empty()) {
                    Some(query) => out.string(query),
                    None => first,
                };
            }
            content::message_of_role(&kind, message, Joins::Nothing, out);
            for item in &mut out.items {
                match item.what() {
                    // Most transcripts have no results.
                    What::Call => item.ending.status = Some(Status::Unknown),
                    // Calls have no ids, even where results name one: they are in the same order.
                    What::Result => item.id = Json::ABSENT,
                    _ => {}
                }
            }
        }
        "user" => drop(out.user(text)),
        "assistant" => drop(out.model(vec![Part::Text(text)], Joins::Nothing)),
        _ => drop(out.note(kind.replace('_', " ")).text(text)),
    }
}

/// The start of a conversation of the editor.
fn conversation<'a>(record: Json<'a>, out: &mut Description<'a>) {
    out.at(record.get("createdAt"));
    let run = out.run(record.get("composerId"));
    run.titles.own = record.get("name");
    run.models.name = record.get("modelConfig.modelName");
    run.times.end = time_of(record.get("lastUpdatedAt"));
    out.facts(
        record,
        &[(FactKind::Other("Mode"), "unifiedMode"), (FactKind::Model, "modelConfig.modelName")],
    );
    out.event(EventKind::RunStart, "chat").summary(record.get("name"));
}

/// A piece of a conversation of the editor.
fn bubble<'a>(record: Json<'a>, out: &mut Description<'a>) {
    /// Some versions give the milliseconds of a piece since the start of the program.
    const FIRST_TIME_MS: f64 = 1e12;
    let began = record.get("timingInfo.clientStartTime");
    match record.get("createdAt").given() {
        Some(time) => out.at(time),
        None if began.number().is_some_and(|ms| ms > FIRST_TIME_MS) => out.at(began),
        None => {}
    }
    let (text, call) = (record.get("text"), record.get("toolFormerData"));
    if record.get("type").integer() == Some(1) {
        out.user(text);
        return;
    }
    let thinking = record.any(&["thinking.text", "thinking"]);
    let mut parts = Vec::new();
    if thinking.text().is_some_and(|words| !words.is_empty()) {
        parts.push(Part::Thinking(thinking));
    }
    if text.text().is_some_and(|words| !words.is_empty()) {
        parts.push(Part::Text(text));
    }
    let counts = record.get("tokenCount");
    let is_counted = counts.members().any(|(_, count)| count.number().is_some_and(|n| n > 0.0));
    if !parts.is_empty() || is_counted {
        let item = out.model(parts, Joins::Neighbours);
        item.name = record.get("modelInfo.modelName").label();
        if is_counted {
            item.tokens(&CONVERSE, counts);
        }
    }
    if call.get("name").is_given() {
        let id = call.get("toolCallId");
        let given = |key: &str| call.get(key).given().filter(|value| !value.is(""));
        let arguments = given("rawArgs").or(given("params")).unwrap_or_default();
        out.call(id, call.get("name"), arguments).asked_by(AskedBy::Last);
        let result = given("result").or(given("error"));
        let status = call.get("status");
        let is_over = ["completed", "success", "error", "cancelled"].iter().any(|it| status.is(it));
        if result.is_some() || is_over {
            let result = out.unpack(result.unwrap_or_default());
            out.result(id, result).outcome(status);
        }
    }
    if out.items.is_empty() {
        out.nothing();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn results_of_a_transcript_belong_to_its_calls_in_order() {
        let lines = [
            r#"{"role":"user","message":{"content":[{"type":"text","text":"Count the nets"}]}}"#,
            r#"{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":"ls nets"}}]}}"#,
            r#"{"role":"user","message":{"content":[{"type":"tool_result","tool_use_id":"n1","content":[{"type":"text","text":"a net"}]}]}}"#,
            r#"{"role":"assistant","message":{"content":[{"type":"text","text":"One."}]}}"#,
        ];
        let read = read(&CURSOR, &[&lines]);
        assert_eq!(read.outline(), ["user ", "llm-call ", " tool-call Bash", "llm-call "]);
        let blocks = format!("{:?}", read.detail(&CURSOR, 2).blocks);
        assert!(blocks.contains("Result("), "{blocks}");
    }

    #[test]
    fn the_title_is_the_question_without_its_tags() {
        let line = r#"{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nTie it\n</user_query>"}]}}"#;
        let read = read(&CURSOR, &[&[line]]);
        assert_eq!(read.trace.runs()[0].title.as_deref(), Some("Tie it"));
    }
}
