//! Hermes Agent: the files and exports of its sessions, JSON documents or one message per line, and dumps of requests
//! that failed. [`super::databases`] writes the sessions of its database as exports.
//!
//! Read from its documentation (hermes-agent.nousresearch.com/docs, sessions), its code
//! (github.com/NousResearch/hermes-agent), code that reads the files, and a dump of May 2026. Messages are those of
//! OpenAI's Chat API, with the reasoning beside the content. A message of the assistant is one LLM call. Tools report
//! failures in the JSON of their results. Token counts and costs are those of a session, and 0 if nothing was counted.
//! A dump is a run with the conversation of the request, and an LLM call that failed.

use traceloupe_engine::kit;
use traceloupe_engine::prelude::*;

/// The format.
pub static HERMES: Described = Described {
    signs: &[
        Sign::record(
            "the first message has the role `session_meta`",
            &[Test::Is("role", "session_meta"), Test::HasOne(&["model", "platform", "tools"])],
        ),
        Sign::record(
            "the document has the id and the start of a session, its platform and messages",
            &[
                Test::Texts(&["session_id", "session_start"]),
                Test::List("messages"),
                Test::HasOne(&["platform", "last_updated", "message_count"]),
            ],
        ),
        Sign::record(
            "the document has the columns of a session of the database, and its messages",
            &[
                Test::Texts(&["id", "source"]),
                Test::HasAll(&["started_at", "model"]),
                Test::HasOne(&["end_reason", "cost_status", "tool_call_count", "input_tokens"]),
                Test::List("messages"),
            ],
        ),
        Sign::record(
            "the document has a request of a session, and the reason why it was kept",
            &[Test::Texts(&["session_id", "reason", "request.url"]), Test::Object("request.body")],
        ),
    ],
    lists: &["messages"],
    has_messages: true,
    quiet: &[
        "role|timestamp|message_count|tool_name|started_at|ended_at|end_reason",
        "tool_calls.*.type|call_id",
        "request.method|headers",
        "request.body.messages.*.role|tool_calls.*.type",
    ],
    ..Described::new(&catalog::HERMES, describe)
};

/// The input excludes tokens read from or written to a cache.
static COUNTS: Flavour = Flavour {
    input: &["input_tokens"],
    output: &["output_tokens"],
    cache_read: &["cache_read_tokens"],
    cache_write: &["cache_write_tokens"],
    reasoning: &["reasoning_tokens"],
    ..Flavour::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(&["timestamp", "session_start", "started_at"]));
    if record.get("request.body").is_given() {
        return request(record, out);
    }
    if entry.is_document || record.get("role").is("session_meta") {
        return session(record, out);
    }
    message(record, out);
}

fn session<'a>(record: Json<'a>, out: &mut Description<'a>) {
    out.run(record.any(&["session_id", "id"]));
    (out.run.titles.own, out.run.models.name) = (record.get("title"), record.get("model"));
    out.run.times.end = time_of(record.any(&["last_updated", "ended_at"]));
    let used = COUNTS.read(record);
    if used.input.is_some_and(|it| it > 0) || used.output.is_some_and(|it| it > 0) {
        out.run.totals.usage = used;
    }
    // Without a statement of the provider, the program estimates the cost from a list of prices.
    let is_cost = |key: &&str| record.get(key).number().is_some_and(|cost| cost > 0.0);
    if let Some(cost) = ["actual_cost_usd", "estimated_cost_usd"].into_iter().find(is_cost) {
        out.facts(record, &[(FactKind::<&str>::Cost, cost)]);
    }
    out.facts(
        record,
        &[
            (FactKind::Other("Platform"), "platform"),
            (FactKind::Other("Platform"), "source"),
            (FactKind::Model, "model"),
            (FactKind::Other("Address"), "base_url"),
            (FactKind::Provider, "billing_provider"),
            (FactKind::Other("Cost status"), "cost_status"),
            (FactKind::Folder, "cwd"),
            (FactKind::Branch, "git_branch"),
            (FactKind::Other("Ended by"), "end_reason"),
        ],
    );
    out.event(EventKind::RunStart, "session")
        .value(BlockRole::Instructions, record.get("system_prompt"))
        .value(BlockRole::Tools, record.get("tools"));
}

fn message<'a>(record: Json<'a>, out: &mut Description<'a>) {
    content::said(record, Joins::Nothing, out);
    let told = out.unpack(record.get("content"));
    for item in &mut out.items {
        match item.what() {
            What::Model => drop(item.field("Finish reason", record.get("finish_reason"))),
            What::Result if told.kind() == Kind::Object => {
                if told.get("error").word().is_some_and(|error| !error.is_empty()) {
                    item.status(Status::Failed);
                }
                item.failed_unless(told.get("success")).exit(told.get("exit_code"));
            }
            _ => {}
        }
    }
}

/// A request that was kept because it failed, or before it was sent.
fn request<'a>(dump: Json<'a>, out: &mut Description<'a>) {
    let body = dump.get("request.body");
    let run = out.run(dump.get("session_id"));
    // The session itself may be open as well.
    run.reach = Reach::File;
    run.models.name = body.get("model");
    out.facts(
        dump,
        &[
            (FactKind::Other("Session"), "session_id"),
            (FactKind::Model, "request.body.model"),
            (FactKind::Other("Address"), "request.url"),
        ],
    );
    let instructions = body.any(&["system", "instructions"]);
    if has_content(instructions) {
        out.item(What::System).parts = content::pieces(instructions);
    }
    for said in body.get("messages").items() {
        message(said, out);
    }
    // The conversation has no times of its own.
    for item in &mut out.items {
        item.time = kit::Timing::default();
    }
    let input = body.get("input");
    let call = out.item(What::Model).joins(Joins::Nothing).name(body.get("model"));
    if input.item(0).is_given() {
        call.part(Part::Messages(BlockRole::Messages, content::messages(input)));
    }
    call.error(dump.get("error"))
        .field("Reason", dump.get("reason"))
        .value(BlockRole::Tools, body.get("tools"));
}
