//! The content of an opened row, as its format describes it: blocks whose values are places in the source.
//!
//! A format decides *what* is shown and states *where it is*; `session::render` reads the places and decides how much
//! of them to show. Thus a detail stays small, and every value can be traced back to its bytes.

use super::{BlockRole, ErrorLabel, FactKind, Span};

/// The role of a block, with the labels that formats give.
pub type Role = BlockRole<&'static str>;

/// The content of one opened row.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Detail {
    /// The blocks, in display order.
    pub blocks: Vec<Block>,
    /// The producer's own id of the event, used in links to it.
    pub native_id: Option<String>,
}

/// A value to show.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A JSON value in the source, shown by its type: a string as text, anything else as JSON.
    Json(Span),
    /// A JSON string in the source whose text is JSON itself, such as arguments in OpenAI's format.
    JsonInString(Span),
    /// A JSON value inside a JSON string in the source, with the escapes of that string.
    Escaped(Span),
    /// Text that does not exist in the source in this form.
    Text(String),
    /// JSON that does not exist in the source in this form.
    OwnedJson(String),
}

/// A labelled value.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// The kind of value.
    pub label: FactKind,
    /// The value.
    pub value: Value,
}

/// A piece of a message.
#[derive(Clone, PartialEq, Debug)]
pub enum Content {
    /// Text.
    Text(Value),
    /// Thinking of the model.
    Thinking(Value),
    /// Thinking that the producer hid or encrypted.
    HiddenThinking,
    /// A tool call inside a message: name, arguments.
    ToolUse(String, Value),
    /// A tool result inside a message.
    ToolResult(Value),
    /// An image, a recording or a document: its media type (`image/png`), and the base64 string in the source.
    Media(String, Span),
    /// Anything else.
    Other(Value),
}

/// A message of a conversation.
#[derive(Clone, PartialEq, Debug)]
pub struct Message {
    /// The role as written in the file: `user`, `assistant`, `system`, `tool`…
    pub role: String,
    /// The name given with the role, or empty.
    pub name: String,
    /// The content of the message.
    pub content: Vec<Content>,
}

/// A block of an opened row.
#[derive(Clone, PartialEq, Debug)]
pub enum Block {
    /// Short labelled values (usage, provider, temperature…).
    Fields(Role, Vec<Field>),
    /// Arguments of a call. An object is shown as a table.
    Arguments(Value),
    /// Result of a call.
    Result(Value),
    /// Text.
    Text(Role, Value),
    /// Thinking of the model.
    Thinking(Value),
    /// Thinking that the producer hid or encrypted.
    HiddenThinking,
    /// JSON.
    Json(Role, Value),
    /// Messages. The first `n` were already in the previous request of the conversation; they are collapsed.
    Messages(Role, Vec<Message>, usize),
    /// An error: its type, its message, and its stack if there is one.
    Error {
        /// Type or exit code.
        kind: ErrorLabel<String>,
        /// The message.
        message: Option<Value>,
        /// The stack.
        stack: Option<Value>,
    },
    /// An image, a recording or a document: its media type, and the base64 string in the source.
    Media(String, Span),
    /// The difference between an earlier value and this one.
    Diff(Role, Value, Value),
    /// A tool call that a response requests: its name and arguments. An object is shown as a table.
    ToolUse(String, Value),
    /// Source code: its path or title, its language in lower case (empty if unknown), and the text.
    Code(String, String, Value),
    /// Output of a program. Colour codes are removed.
    Log(Role, Value),
    /// A table: its role, column headings, and rows of cells.
    Table(Role, Vec<&'static str>, Vec<Vec<Value>>),
    /// A sentence written by Traceloupe about the event ("cut at 20,000 bytes by the producer").
    Note(String),
}
