//! Harmony: conversations as gpt-oss reads and writes them, in one text with its special tokens.
//!
//! Read from its specification (<https://cookbook.openai.com/articles/openai-harmony>). A message is written
//! `<|start|>role<|channel|>channel<|message|>words<|end|>`; it ends with `<|call|>` or `<|return|>` as well. A
//! recipient (`to=functions.name`) makes it a call; the output of a tool has the tool in place of the role. The channel
//! `analysis` is thinking. Completions begin after the role. Conversations whose messages are objects are read as chat
//! messages.

use traceloupe_core::json::quoted;
use traceloupe_engine::prelude::*;

/// The format.
pub static HARMONY: Described = Described {
    signs: &[
        rendered(&[Test::Starts("text", START)]),
        rendered(&[Test::Starts("prompt", START)]),
        rendered(&[Test::Starts("rendered", START)]),
        rendered(&[Test::Starts("conversation", START)]),
        rendered(&[Test::Starts("completion", "<|channel|>")]),
        rendered(&[Test::Starts("output", "<|channel|>")]),
    ],
    undivided: TEXTS,
    quiet: &["text|prompt|rendered|conversation|completion|output"],
    ..Described::new(&catalog::HARMONY, describe)
};

/// Where the text is. A completion follows its prompt.
const TEXTS: &[&str] = &["text", "rendered", "conversation", "prompt", "completion", "output"];

const START: &str = "<|start|>";

const fn rendered(tests: &'static [Test]) -> Sign {
    let why = "texts begin with a token of Harmony";
    Sign::record(why, tests)
}

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(&["timestamp", "created", "created_at"]));
    out.run.records = Records::Itself;
    out.run.titles.own = record.any(&["id", "title", "name"]);
    out.run.models.name = record.get("model");
    for path in TEXTS {
        let text = out.text(record.get(path));
        if !text.contains("<|message|>") {
            continue;
        }
        for message in text.split(START).filter(|it| it.contains("<|message|>")) {
            // Several messages of a completion; only the first lacks its role.
            let role = if message.starts_with("<|") { "assistant" } else { "" };
            read(role, message, out);
        }
    }
    if out.items.is_empty() {
        out.note("text").value(BlockRole::Record, record);
    }
}

/// A message: its header and its text.
fn read<'a>(role: &str, message: &'a str, out: &mut Description<'a>) {
    let Some((header, words)) = message.split_once("<|message|>") else { return };
    let end = ["<|end|>", "<|call|>", "<|return|>"].iter().filter_map(|it| words.find(it)).min();
    let words = words.get(..end.unwrap_or(words.len())).unwrap_or(words);
    let (who, channel) = header.split_once("<|channel|>").unwrap_or((header, ""));
    let recipient = header.split("to=").nth(1).and_then(|it| it.split([' ', '<']).next());
    let who = who.split([' ', '<']).next().unwrap_or_default();
    let who = if who.is_empty() { role } else { who };
    let channel = channel.split([' ', '<']).next().unwrap_or_default();
    let name = |name: &str| quoted(name.strip_prefix("functions.").unwrap_or(name));
    let text = out.string(words);
    match (who, recipient) {
        ("system" | "developer", _) => drop(out.item(What::System).text(text)),
        ("user", _) => {
            if out.run.titles.words.is_absent() {
                out.run.titles.words = text;
            }
            out.item(What::User).text(text);
        }
        ("assistant", Some(recipient)) if !matches!(recipient, "user" | "all" | "assistant") => {
            let name = out.json(&name(recipient));
            out.ask(Json::ABSENT, name, text);
        }
        ("assistant", _) if channel == "analysis" => drop(out.thinking(text)),
        ("assistant", _) => {
            let item = out.model(vec![Part::Text(text)], Joins::Neighbours);
            item.ends(channel == "final");
        }
        (tool, _) => {
            let tool = name(tool);
            let tool = tool.trim_matches('"').to_owned();
            out.result(Json::ABSENT, text).name(tool);
        }
    }
}
