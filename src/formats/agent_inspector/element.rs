//! One element, taken apart under all the names that its fields have gone by.

use std::borrow::Cow;

use crate::formats::fields::{JsonValue, fields, given, text, unknown_entries};
use crate::json;

/// What an element is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A model request with its response.
    LlmRequest,
    /// A tool call.
    ToolCall,
    /// Something said over the Model Context Protocol; its fields were never settled.
    Mcp,
    /// Anything else.
    Unknown,
}

/// The keys that are read, in the order of [`Element`]'s fields; the first of a group wins.
const KEYS: [&str; 22] = [
    "type",
    "model",
    "model_name",
    "annotation",
    "conversation",
    "messages",
    "response",
    "llm_output",
    "tool_calls",
    "usage",
    "tool_name",
    "name",
    "arguments",
    "args",
    "result",
    "output",
    "cli_output",
    "error",
    "timestamp",
    "tool_call_id",
    "call_id",
    "id",
];

/// The raw fields of an element, those under `data` among them. `null` is as good as absent, but for
/// a result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element<V> {
    /// What it is.
    pub kind: Kind,
    /// Model of a request.
    pub model: Option<V>,
    /// The person's words about a request.
    pub annotation: Option<V>,
    /// The messages of a request.
    pub conversation: Option<V>,
    /// What came back, as a completion or as words.
    pub response: Option<V>,
    /// Tool calls that stand beside the response.
    pub tool_calls: Option<V>,
    /// Token counts that stand beside the response.
    pub usage: Option<V>,
    /// Name of a tool.
    pub tool_name: Option<V>,
    /// Arguments of a tool call.
    pub arguments: Option<V>,
    /// Result of a tool call; may be `null`.
    pub result: Option<V>,
    /// What the tool printed.
    pub cli_output: Option<V>,
    /// What went wrong.
    pub error: Option<V>,
    /// When it happened, where a producer says so.
    pub timestamp: Option<V>,
    /// Id of the call.
    pub id: Option<V>,
    /// The object under `data`.
    data: Option<V>,
}

impl<'a, V: JsonValue<'a, Inner = V>> Element<V> {
    /// Takes an element apart. `None` for text that is no object.
    pub fn new(raw: V) -> Option<Self> {
        let own = fields(raw, KEYS)?;
        let [data] = fields(raw, ["data"])?;
        let data = data.filter(|data| data.json().kind() == json::Kind::Object);
        let inner = data.and_then(|data| fields(data, KEYS)).unwrap_or_default();
        let is_list = |value: &V| value.json().kind() == json::Kind::Array;
        let says_something =
            |value: &V| !matches!(value.json().raw(), "\"\"" | "false" | "{}" | "[]");
        let found = |key: &str| {
            let at = KEYS.iter().position(|known| *known == key)?;
            let raw = |values: &[Option<V>]| values.get(at).copied().flatten();
            given(raw(&own)).or_else(|| given(raw(&inner))).or(raw(&own)).or(raw(&inner))
        };
        let first = |keys: &[&str]| keys.iter().find_map(|key| given(found(key)));
        let kind = match text(found("type")).unwrap_or_default().as_ref() {
            "llm_request" => Kind::LlmRequest,
            "tool_call" => Kind::ToolCall,
            "mcp" => Kind::Mcp,
            _ => Kind::Unknown,
        };
        let is_tool = kind != Kind::LlmRequest;
        Some(Self {
            kind,
            model: first(&["model", "model_name"]),
            annotation: first(&["annotation"]),
            conversation: first(&["conversation", "messages"]),
            response: first(&["response", "llm_output"]),
            tool_calls: first(&["tool_calls"]).filter(is_list),
            usage: first(&["usage"]),
            tool_name: first(&["tool_name", "name"]).filter(|_| is_tool),
            arguments: first(&["arguments", "args"]),
            result: first(&["result", "output"]).or_else(|| found("result")),
            cli_output: first(&["cli_output"]),
            error: first(&["error"]).filter(says_something),
            timestamp: first(&["timestamp"]),
            id: first(&["tool_call_id", "call_id", "id"]),
            data,
        })
    }

    /// What an element holds beside these fields, in file order.
    pub fn rest(&self, raw: V, known: &[&str]) -> Vec<(Cow<'a, str>, V)> {
        let data_is_read = if self.data.is_some() { &["data"][..] } else { &[] };
        let mut found = unknown_entries(raw, &[known, data_is_read, &["type"]].concat());
        if let Some(data) = self.data {
            found.append(&mut unknown_entries(data, &[known, &["type"]].concat()));
        }
        found
    }
}
