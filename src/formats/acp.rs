//! ACP (Agent Client Protocol): messages between an editor and a coding agent, as JSON-RPC.
//!
//! Read from the protocol (<https://agentclientprotocol.com/protocol/overview>, version 1, of 2026). The agent's text
//! and thinking arrive in chunks, in `session/update`; a tool call is announced there and updated until it has
//! completed or failed. A prompt is a request whose response states why the agent stopped.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::rpc;
use traceloupe_engine::tokens::CONVERSE;

/// The format.
pub static ACP: Described = Described {
    signs: &[
        certain(&[Test::OneOf("method", METHODS), Test::Text("params.sessionId")]),
        certain(&[Test::OneOf("message.method", METHODS), Test::Text("message.params.sessionId")]),
        certain(&[Test::OneOf("data.method", METHODS), Test::Text("data.params.sessionId")]),
        certain(&[Test::OneOf("payload.method", METHODS), Test::Text("payload.params.sessionId")]),
        certain(&[Test::Texts(&["sessionId", "update.sessionUpdate"])]),
        certain(&[Test::OneOf("sessionUpdate", UPDATES)]),
    ],
    quiet: &[
        "jsonrpc|id|method|timestamp|ts|time|dir|direction",
        "params.sessionId",
        "params.update.sessionUpdate|status",
        "params.update.content.type",
        "message.jsonrpc|id|method",
        "message.params.sessionId",
        "message.params.update.sessionUpdate",
        "message.params.update.content.type",
    ],
    ..Described::new(&catalog::ACP, describe)
};

const METHODS: &[&str] =
    &["session/prompt", "session/update", "session/request_permission", "session/cancel"];

/// Updates by which lists of bare updates are recognised.
const UPDATES: &[&str] = &[
    "user_message_chunk",
    "agent_message_chunk",
    "agent_thought_chunk",
    "tool_call",
    "tool_call_update",
];

const fn certain(tests: &'static [Test]) -> Sign {
    let why = "records are messages of the Agent Client Protocol";
    Sign::record(why, tests)
}

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(rpc::TIMES));
    if record.get("update.sessionUpdate").is_given() {
        return update(record.get("update"), out);
    }
    if record.get("sessionUpdate").is_given() {
        return update(record, out);
    }
    let Some(rpc) = rpc::read(record, out) else { return };
    out.facts(rpc.params, &[(FactKind::Other("Session"), "sessionId"), (FactKind::Folder, "cwd")]);
    match rpc.method.label().as_ref() {
        "session/update" => update(rpc.params.get("update"), out),
        "session/prompt" => {
            let prompt = rpc.params.get("prompt");
            out.item(What::Span).name("session/prompt").span(rpc.id, Json::ABSENT);
            out.run.titles.words = prompt.get("0.text");
            out.item(What::User).parts = content::pieces(prompt);
        }
        "session/cancel" => drop(out.note("cancelled").status(Status::Cancelled)),
        "" => {
            let reason = rpc.result.get("stopReason");
            // The counts cover the session so far.
            out.run.totals.usage = CONVERSE.read(rpc.result.get("usage"));
            rpc.response(out);
            if reason.is_given() {
                // Whatever follows belongs to another LLM call.
                out.usage(traceloupe_core::model::Usage::default()).ends(true);
            }
        }
        _ => rpc.request(out),
    }
}

/// An update on the agent's work.
fn update<'a>(update: Json<'a>, out: &mut Description<'a>) {
    let id = update.get("toolCallId");
    let value = update.any(&["rawOutput", "content"]);
    match update.get("sessionUpdate").label().as_ref() {
        "user_message_chunk" => {
            out.item(What::User).parts = content::pieces(update.get("content"));
        }
        "agent_message_chunk" => piece(PieceOf::Text, update.get("content"), out),
        "agent_thought_chunk" => piece(PieceOf::Thinking, update.get("content"), out),
        "tool_call" => {
            out.ask(id, update.any(&["title", "kind"]), update.get("rawInput"))
                .fields(update, &[("Kind", "kind"), ("Status", "status")])
                .value("Places", update.get("locations"))
                .value(BlockRole::Content, update.get("content"));
            ended(id, update, Json::ABSENT, out);
        }
        "tool_call_update" if !ended(id, update, value, out) => {
            out.update(id).value(BlockRole::Content, value).fields(update, &[("Title", "title")]);
        }
        "tool_call_update" => {}
        "plan" => drop(out.event(EventKind::State, "plan").value("Plan", update.get("entries"))),
        "" => {}
        kind => drop(out.note(kind.replace('_', " ")).value("Update", update)),
    }
}

/// Adds the result of a call that has ended. Returns whether it has ended.
fn ended<'a>(id: Json<'a>, update: Json<'a>, value: Json<'a>, out: &mut Description<'a>) -> bool {
    let status = match update.get("status").label().as_ref() {
        "completed" => Status::Ok,
        "failed" => Status::Failed,
        "cancelled" => Status::Cancelled,
        _ => return false,
    };
    let value = if value.is_absent() { update.get("rawOutput") } else { value };
    out.result(id, value).status(status).value(BlockRole::Content, update.get("content"));
    true
}

/// A chunk of the agent's text or thinking.
fn piece<'a>(of: PieceOf, block: Json<'a>, out: &mut Description<'a>) {
    let text = block.get("text");
    let item = out.item(What::Model).joins(Joins::Open);
    match text.is_given() {
        true => drop(item.part(Part::piece(of, text))),
        false => item.parts = content::pieces(block),
    }
}
