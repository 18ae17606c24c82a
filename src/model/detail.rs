//! What an opened row shows, as a format says it: blocks whose values are places in the source.
//!
//! A format names *what* is shown and *where it stands*; `view::detail` reads the places and decides
//! how much of them is shown. So nothing here is large, and every value can be traced to its bytes.

use super::Span;

/// The content of one opened row.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Detail {
    /// What is shown, in order.
    pub blocks: Vec<Block>,
    /// The producer's own id of the event, for links to it.
    pub native_id: Option<String>,
}

/// A value to show.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A JSON value in the source, shown as what it is: a string as text, the rest as JSON.
    Json(Span),
    /// A JSON string in the source whose text is JSON again (arguments as OpenAI writes them).
    JsonInString(Span),
    /// Text that stands nowhere in the source as it is shown.
    Text(String),
    /// JSON that stands nowhere in the source as it is shown.
    OwnedJson(String),
}

/// A labelled value.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// The label.
    pub label: String,
    /// The value.
    pub value: Value,
}

/// A piece of a message.
#[derive(Clone, PartialEq, Debug)]
pub enum Content {
    /// Words.
    Text(Value),
    /// Thinking of the model.
    Thinking(Value),
    /// Thinking that the producer hid or encrypted.
    HiddenThinking,
    /// A tool call inside a message: name, arguments.
    ToolUse(String, Value),
    /// A tool result inside a message.
    ToolResult(Value),
    /// An image of a media type (`image/png`), as the base64 string in the source.
    Image(String, Span),
    /// Anything else.
    Other(Value),
}

/// A message of a conversation.
#[derive(Clone, PartialEq, Debug)]
pub struct Message {
    /// The role as the file has it: `user`, `assistant`, `system`, `tool`…
    pub role: String,
    /// A name beside the role, or empty.
    pub name: String,
    /// What it says.
    pub content: Vec<Content>,
}

/// A part of an opened row.
#[derive(Clone, PartialEq, Debug)]
pub enum Block {
    /// Small labelled values under a title (usage, provider, temperature…).
    Fields(&'static str, Vec<Field>),
    /// Arguments of a call: an object is shown as a table.
    Arguments(Value),
    /// Result of a call.
    Result(Value),
    /// Text under a title.
    Text(&'static str, Value),
    /// Thinking of the model.
    Thinking(Value),
    /// Thinking that the producer hid or encrypted.
    HiddenThinking,
    /// JSON under a title.
    Json(&'static str, Value),
    /// Messages under a title; the first `n` stood in the previous request of the same conversation
    /// already and are one click away.
    Messages(&'static str, Vec<Message>, usize),
    /// An error: type, message, and stack where there is one.
    Error {
        /// Type or code, may be empty.
        kind: String,
        /// What it says.
        message: Option<Value>,
        /// The stack.
        stack: Option<Value>,
    },
    /// An image (media type, base64 string in the source).
    Image(String, Span),
    /// What changed between an earlier value and this one.
    Diff(&'static str, Value, Value),
    /// A tool call that a response asks for: name, arguments. An object is shown as a table.
    ToolUse(String, Value),
    /// Source code: its path or title, its language as a lower-case word (empty where it is not
    /// known), the text.
    Code(String, String, Value),
    /// What a program printed, under a title; its colour codes are not shown.
    Log(&'static str, Value),
    /// A table: title, heads of the columns, rows of cells.
    Table(&'static str, Vec<&'static str>, Vec<Vec<Value>>),
    /// A sentence of ours about the event ("cut at 20,000 bytes by the producer").
    Note(String),
}
