//! Entire CLI: transcripts in its own format, which it makes from the sessions of any coding agent and stores with
//! commits.
//!
//! Read from the producer's code (github.com/entireio/cli, `transcript/`) and transcripts of Claude Code and Copilot
//! CLI of April and May 2026. A line is a user message or a piece of one LLM call: if the agent streamed the message,
//! each of its blocks is a line of its own, with the same `id` and the same token counts. A tool call has its result
//! inside. Messages of some agents have no id; each of them is a call. `full.jsonl` beside it is the agent's own file,
//! in the agent's format.

use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::ANTHROPIC;

/// The format.
pub static ENTIRE: Described = Described {
    signs: &[Sign::record(
        "lines have `v`, the name of the `agent` and `cli_version`",
        &[Test::HasAll(&["v", "cli_version"]), Test::Texts(&["agent", "type"])],
    )],
    quiet: &[
        "v|agent|cli_version|type|ts|id|input_tokens|output_tokens",
        "content.*.type|id",
        "content.*.result.status",
    ],
    ..Described::new(&catalog::ENTIRE, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let line = entry.json;
    out.at(line.get("ts"));
    let (kind, content) = (line.get("type"), line.get("content"));
    if kind.is("assistant") {
        return answer(line, content, out);
    }
    let item = match kind.is("user") {
        true => out.item(What::User),
        false => out.note(kind),
    };
    item.parts = content::pieces(content);
    if kind.is("user") {
        // These facts are the same on every line.
        out.facts(line, &[("Agent", "agent"), ("Entire CLI", "cli_version")]);
        out.run.titles.words = content.get("0.text").or(content);
    }
}

/// A piece of an LLM call, with its tool calls.
fn answer<'a>(line: Json<'a>, content: Json<'a>, out: &mut Description<'a>) {
    let id = line.get("id");
    let joins = if id.is_given() { Joins::Id(id) } else { Joins::Nothing };
    let mut parts = content::pieces(content);
    parts.retain(|part| !matches!(part, Part::Call(..) | Part::Result(_)));
    // Counts that are repeated with the same id replace the earlier ones.
    out.model(parts, joins).usage(ANTHROPIC.read(line)).asks(content);
    for block in content.items().filter(|block| block.get("type").is("tool_use")) {
        out.asked_by(0, block.get("id"), block.get("name"), block.get("input"));
        let result = block.get("result");
        if result.is_given() {
            let item = out.last();
            item.outcome(result.get("status")).part(Part::Result(result.get("output")));
            item.fields(
                result,
                &[("File", "file.filePath"), ("Lines", "file.numLines"), ("Matches", "matchCount")],
            );
        }
    }
}
