//! Google AI Studio: prompts as it stores them in Google Drive and lets users download them, one document per
//! conversation.
//!
//! Read from a prompt of 2025, from others that users have published inside documents, and from programs that read
//! prompts. The chunks are messages; a chunk with `isThought` is the thinking of the answer after it. A chunk counts
//! only its own tokens, so the tokens of an answer and of its thinking are its output, and the input of a call is never
//! known.

use traceloupe_core::model::Usage;
use traceloupe_engine::prelude::*;

/// The format.
pub static AI_STUDIO: Described = Described {
    signs: &[Sign::record(
        "the document has the chunks of a prompt of Google AI Studio",
        &[Test::List("chunkedPrompt.chunks")],
    )],
    lists: &["chunkedPrompt.chunks"],
    has_messages: true,
    // The parts are pieces of the text.
    quiet: &["role|isThought|createTime|tokenCount", "parts.*.text"],
    ..Described::new(&catalog::AI_STUDIO, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        out.run.titles.own = record.any(&["title", "displayName"]);
        out.run.models.name = record.get("runSettings.model");
        out.facts(
            record,
            &[
                ("Temperature", "runSettings.temperature"),
                ("Thinking budget", "runSettings.thinkingBudget"),
            ],
        );
        let system = record.get("systemInstruction");
        let words = system.any(&["parts", "text"]);
        if has_content(words) {
            out.item(What::System).parts = content::pieces(words);
        }
        return;
    }
    out.at(record.get("createTime"));
    let tokens = record.get("tokenCount");
    if record.get("role").is("user") {
        out.run.titles.words = record.get("text");
        let item = out.item(What::User);
        item.parts = content::pieces(record);
        item.field("Tokens", tokens);
        return;
    }
    if record.get("isThought").is_true() {
        let usage = Usage { output: tokens.count(), reasoning: tokens.count(), ..Usage::default() };
        let item = out.thinking(record.get("text"));
        item.usage(usage).field("Tokens of the thinking", tokens).adds_usage();
        return;
    }
    let usage = Usage { output: tokens.count(), ..Usage::default() };
    let item = out.model(content::pieces(record), Joins::Neighbours);
    item.usage(usage)
        .field("Finish reason", record.get("finishReason"))
        .field("Error", record.get("errorMessage"));
    item.adds_usage();
}
