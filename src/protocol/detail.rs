//! The contents of an opened row, as sent to the page.

use serde::{Deserialize, Serialize};

use super::value::{Shown, ShownMedia};
use traceloupe_core::model::ErrorLabel;
use traceloupe_core::model::FactKind;

/// An opened row.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ShownDetail {
    /// Id of the event.
    pub id: u32,
    /// The value of `sel=` in a link to the event.
    pub sel: String,
    /// The blocks.
    pub blocks: Vec<ShownBlock>,
    /// The places of the event's records, for the JSON and raw tabs.
    pub records: Vec<ShownRecord>,
}

/// The place of a record.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ShownRecord {
    /// Index of the source.
    pub source: u32,
    /// Line of its first byte, counted from 1.
    pub line: u32,
    /// Its first byte.
    pub start: u64,
    /// Its length in bytes.
    pub len: u32,
}

/// A message, ready to display.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ShownMessage {
    /// The role.
    pub role: String,
    /// The speaker's name; may be empty.
    pub name: String,
    /// Its content blocks.
    pub content: Vec<ShownBlock>,
}

/// A block, ready to display.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ShownBlock {
    /// Labelled values in two columns.
    Table(String, Vec<(FactKind, Shown)>),
    /// A value with a title. The word says how it is styled: `result`, `text`, `json`, `thinking`, `log`,
    /// `unreadable`.
    Value(String, String, Shown),
    /// Messages: title, those that earlier requests have sent already, the new ones.
    Messages(String, Vec<ShownMessage>, Vec<ShownMessage>),
    /// Source code: path or title, language, text.
    Code(String, String, Shown),
    /// A table: title, column headers, rows of cells.
    Grid(String, Vec<String>, Vec<Vec<Shown>>),
    /// An error: type, message, stack.
    Error(ErrorLabel<String>, Option<Shown>, Option<Shown>),
    /// An image, a recording or a document.
    Media(ShownMedia),
    /// A sentence.
    Note(String),
    /// A line diff: the path or a title; `+`, `-` or space, and the line.
    Diff(String, Vec<(char, String)>),
    /// A change of files as a unified diff.
    Patch(String),
    /// A command as given to a shell.
    Command(Shown),
    /// A list of tasks: how far each is, as the file says it, and its words.
    Tasks(Vec<(String, String)>),
}
