//! JSON-RPC: the envelope of MCP, A2A and ACP, bare or in the record of a logger.
//!
//! Requests and responses have the same id. Both sides count from 0, so ids are distinguished by the sender of the
//! request, if the log states it. A request is a tool call if its protocol says so, and a span otherwise. A response is
//! matched to its request by id only.

use crate::kit::{Description, Test, What};
use traceloupe_core::json::{Json, Kind, quoted};
use traceloupe_core::model::{BlockRole, Status};

/// A message, with its sender.
#[derive(Clone, Copy, Debug)]
pub struct Rpc<'a> {
    /// The method of a request or of a notification.
    pub method: Json<'a>,
    /// Its parameters.
    pub params: Json<'a>,
    /// The result in a response.
    pub result: Json<'a>,
    /// The id of the request.
    pub id: Json<'a>,
    /// The error of a response.
    pub error: Json<'a>,
}

/// The version that every message states.
pub const VERSION_2: Test = Test::OneOf("jsonrpc", &["2.0"]);

/// Paths of the message in logs.
const MESSAGES: &[&str] = &[
    "message", "data", "json", "payload", "msg", "body", "raw", "line", "frame", "request",
    "response",
];

/// Paths of the sender in logs.
const SENDERS: &[&str] = &["direction", "dir", "from", "source", "sender", "side"];

/// Prefixes of methods that only servers or agents call.
const OF_SERVERS: &[&str] =
    &["sampling/", "elicitation/", "roots/", "session/request_permission", "fs/", "terminal/"];

/// Members that only answers to these requests have.
const FOR_SERVERS: &[&str] = &["outcome", "role", "action", "roots", "terminalId", "exitStatus"];

/// Paths of the time when it was sent.
pub const TIMES: &[&str] = &["timestamp", "ts", "time", "at", "@timestamp"];

/// Reads the message in a record.
#[must_use]
pub fn read<'a>(record: Json<'a>, out: &mut Description<'a>) -> Option<Rpc<'a>> {
    let inner = MESSAGES.iter().map(|path| out.unpack(record.get(path))).find(|it| is_rpc(*it));
    let message = if is_rpc(record) { record } else { inner? };
    let method = message.get("method");
    let id = message.get("id");
    let sender = record.any(SENDERS).label().to_ascii_lowercase();
    // Each word stands for one side, or for one direction.
    let is_client = ["client", "out", "send", "request", "->", "c2s", "tx"];
    let is_server = ["server", "in", "recv", "receive", "response", "<-", "s2c", "rx", "agent"];
    let starts = |words: &[&str]| words.iter().any(|word| sender.starts_with(word));
    let asked_by_client = match (starts(&is_client), starts(&is_server)) {
        (true, _) => method.is_given(),
        (_, true) => method.is_absent(),
        // Without such a word, the message itself shows the sender.
        _ => {
            let word = method.label();
            let is_of_server = OF_SERVERS.iter().any(|start| word.starts_with(start));
            !is_of_server && message.get("result").any(FOR_SERVERS).is_absent()
        }
    };
    let key = match id.word() {
        Some(word) if asked_by_client => quoted(&word),
        Some(word) => quoted(&format!("server {word}")),
        None => String::new(),
    };
    let id = out.json(&key);
    let (params, result) = (message.get("params"), message.get("result"));
    Some(Rpc { method, params, result, id, error: message.get("error") })
}

/// Whether a value is a message of JSON-RPC.
#[must_use]
pub fn is_rpc(value: Json<'_>) -> bool {
    value.get("jsonrpc").is("2.0")
        || value.get("method").kind() == Kind::String && value.get("params").kind() == Kind::Object
}

impl<'a> Rpc<'a> {
    /// Adds a request or a notification without a meaning in its protocol.
    pub fn request(&self, out: &mut Description<'a>) {
        let name = self.method.label();
        let item = match self.id.is_given() {
            true => out.item(What::Span).name(name).span(self.id, Json::ABSENT),
            false => out.note(name),
        };
        item.value("Parameters", self.params);
    }

    /// Adds a response to the call with its id, or to the span.
    pub fn response(&self, out: &mut Description<'a>) {
        let value = self.result.any(&["content", "structuredContent"]).given();
        let value = value.filter(|it| it.kind() == Kind::Array).unwrap_or(self.result);
        let is_of_tool = self.result.get("content").kind() == Kind::Array;
        let has_failed = self.error.is_given() || self.result.get("isError").is_true();
        let item = out.result(self.id, value);
        // It may be the response of a span.
        if !is_of_tool {
            item.or_known();
        }
        item.ending.status = Some(if has_failed { Status::Failed } else { Status::Ok });
        item.error(self.error).value("Structured", self.result.get("structuredContent"));
        if is_of_tool {
            return;
        }
        let item = out.item(What::End).span(self.id, Json::ABSENT);
        item.ending.status = Some(if has_failed { Status::Failed } else { Status::Ok });
        item.error(self.error).value(BlockRole::Result, self.result);
    }
}
