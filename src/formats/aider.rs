//! Aider: its chat history, `.aider.chat.history.md`.
//!
//! Read from its documentation (aider.chat/docs) and two histories of versions 0.35 to 0.60. The file is Markdown;
//! `src/converters/markdown.rs` turns it into records, each with the author of its text. A session is a run, and
//! everything that the model writes until another author follows is one LLM call. Aider has no tool calls: its messages
//! about edits, commits and failures are notes.

use traceloupe_engine::prelude::*;

/// The format.
pub static AIDER: Described = Described {
    signs: &[Sign::record(
        "the file has the start of a chat of Aider",
        &[Test::Is("type", "session"), Test::Text("started"), Test::Lacks("id")],
    )],
    quiet: &["type|sent|received|cache_hit|cache_write"],
    ..Described::new(&catalog::AIDER, describe)
};

/// The input tokens include those read from a cache.
static COUNTS: Flavour = Flavour {
    input: &["sent"],
    output: &["received"],
    cache_read: &["cache_hit"],
    cache_write: &["cache_write"],
    input_has_cached: true,
    ..Flavour::NONE
};

/// The beginnings of lines that name the model.
const MODELS: [&str; 3] = ["Main model: ", "Models: ", "Model: "];

/// Texts at the beginning of a line, or inside it, that state that something failed.
const FAILURES: [&str; 5] = [
    "litellm.",
    "Unexpected error",
    "Traceback (most recent call last)",
    "SearchReplaceNoExactMatch",
    "The LLM did not conform",
];

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let words = record.get("text");
    match record.get("type").label().as_ref() {
        "session" => {
            out.at(record.get("started"));
            out.run(record.get("started")).reach = Reach::File;
            out.event(EventKind::RunStart, "session").field("Started", record.get("started"));
        }
        "user" => drop(out.user(words)),
        "assistant" => drop(out.model(vec![Part::Text(words)], Joins::Neighbours)),
        "usage" => drop(out.usage(COUNTS.read(record)).field("Tokens", words)),
        // The response follows.
        "usage_ahead" => {
            out.item(What::Model).usage(COUNTS.read(record)).field("Tokens", words);
        }
        _ => {
            let text = out.text(words);
            let model = text.lines().find_map(|line| {
                MODELS.iter().find_map(|label| line.strip_prefix(label)?.split(" with ").next())
            });
            if let Some(model) = model {
                out.run.models.name = out.string(model);
            }
            match FAILURES.iter().any(|it| text.contains(it)) {
                true => drop(out.event(EventKind::Error, "error").error(words)),
                false => drop(out.note("aider").text(words)),
            }
        }
    }
}
