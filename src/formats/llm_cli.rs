//! LLM, Simon Willison's command-line tool: the output of `llm logs --json`, a list of prompts with their responses.
//!
//! Read from its documentation and code (<https://github.com/simonw/llm>) and from logs that version 0.36 wrote; those
//! of 0.20 have fewer members. A prompt may be empty: then the model's input is the tool results that the previous
//! response requested. Instructions are repeated with every prompt of a conversation. Options and token details are
//! JSON in a string in older logs.

use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::OPENAI;

/// The format.
pub static LLM_CLI: Described = Described {
    signs: &[Sign::record(
        "a response has its prompt, the id of a conversation and `datetime_utc`",
        &[
            Test::Text("datetime_utc"),
            Test::HasAll(&["id", "model", "conversation_id"]),
            Test::HasOne(&["prompt", "response"]),
        ],
    )],
    quiet: &[
        "id|model|conversation_id|conversation_model|conversation_name|datetime_utc|duration_ms",
        "input_tokens|output_tokens|schema_id",
        "tools.*.id|hash",
        "tool_calls.*.id|tool_id|name|tool_call_id|server_executed",
        "tool_results.*.id|tool_id|name|tool_call_id|server_executed",
    ],
    ..Described::new(&catalog::LLM_CLI, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.get("datetime_utc"));
    let run = out.run(record.get("conversation_id"));
    run.titles.own = record.get("conversation_name");
    let system = record.get("system");
    if has_content(system) {
        out.item(What::System).text(system).history(0, 0, system);
    }
    for result in record.get("tool_results").items() {
        let exception = result.get("exception");
        let item = out.result(result.get("tool_call_id"), result.get("output"));
        item.name(result.get("name"))
            .value(BlockRole::Attachments, result.get("attachments"))
            .error(exception);
        if exception.kind() == Kind::Null {
            item.status(Status::Ok);
        }
    }
    let prompt = record.get("prompt");
    let fragments = record.get("prompt_fragments");
    if has_content(prompt) || has_content(fragments) {
        out.user(prompt)
            .value("Fragments", fragments)
            .value(BlockRole::Attachments, record.get("attachments"));
    }
    answer(record, out);
}

fn answer<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let options = out.unpack(record.get("options_json"));
    let details = out.unpack(record.get("token_details"));
    let schema = out.unpack(record.get("schema_json"));
    let model = out.items.len();
    // Counts of cached tokens are in the details.
    let usage =
        OPENAI.read_with(&|paths| record.any(paths).count().or_else(|| details.any(paths).count()));
    let item = out.item(What::Model).joins(Joins::Nothing);
    item.name(record.any(&["resolved_model", "model"]))
        .begins(time_of(record.get("datetime_utc")))
        .took(millis_ns(record.get("duration_ms")))
        .usage(usage);
    let thinking = record.get("reasoning");
    if has_content(thinking) {
        item.part(Part::Thinking(thinking));
    }
    item.text(record.get("response"))
        .members("Options", options)
        .value("Token details", details)
        .value("Schema", schema)
        .value(BlockRole::OtherInput("System fragments"), record.get("system_fragments"))
        .value(BlockRole::Tools, record.get("tools"))
        .value(BlockRole::Request, record.get("prompt_json"))
        .value(BlockRole::Response, record.get("response_json"));
    for call in record.get("tool_calls").items() {
        out.asked_by(model, call.get("tool_call_id"), call.get("name"), call.get("arguments"));
    }
}
