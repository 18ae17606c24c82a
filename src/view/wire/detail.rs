//! What an opened row shows, as it travels to the page.

use serde::{Deserialize, Serialize};

use super::value::{Shown, ShownImage};

/// An opened row.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ShownDetail {
    /// Id of the event.
    pub id: u32,
    /// A link to the event, as `sel=` takes it.
    pub sel: String,
    /// What is shown.
    pub blocks: Vec<ShownBlock>,
    /// The records, for the raw text.
    pub records: Vec<ShownRecord>,
}

/// Where a record stands.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ShownRecord {
    /// Index of the source.
    pub source: u32,
    /// Line of its first byte, from 1.
    pub line: u32,
    /// Its first byte.
    pub start: u64,
    /// Its length in bytes.
    pub len: u32,
}

/// A message, ready to be shown.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ShownMessage {
    /// The role.
    pub role: String,
    /// A name, or empty.
    pub name: String,
    /// Its pieces.
    pub content: Vec<ShownBlock>,
}

/// A block, ready to be shown.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ShownBlock {
    /// Labelled values in two columns.
    Table(String, Vec<(String, Shown)>),
    /// A value under a title; the word says what it is, for its looks: `result`, `text`, `json`,
    /// `thinking`, `tool-use`, `log`.
    Value(String, String, Shown),
    /// Messages: title, those seen before in this conversation, the new ones.
    Messages(String, Vec<ShownMessage>, Vec<ShownMessage>),
    /// Source code: path or title, language, text.
    Code(String, String, Shown),
    /// A table with heads: title, heads of the columns, rows of cells.
    Grid(String, Vec<String>, Vec<Vec<Shown>>),
    /// An error: type, message, stack.
    Error(String, Option<Shown>, Option<Shown>),
    /// An image.
    Image(ShownImage),
    /// A sentence.
    Note(String),
    /// A difference in lines: `+`, `-` or space, and the line.
    Diff(String, Vec<(char, String)>),
}
