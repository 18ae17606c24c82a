//! The contents of an opened row, as sent to the page.

use serde::{Deserialize, Serialize};

use super::notes::ShownNote;
pub use super::value::ValueForm;
use super::value::{Shown, ShownMedia};
use traceloupe_core::model::ErrorLabel;
use traceloupe_core::model::{BlockRole, FactKind};

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

impl ValueForm {
    /// The word for the form in style sheets.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::Text => "text",
            Self::Json => "json",
            Self::Thinking => "thinking",
            Self::Log => "log",
            Self::Unreadable => "unreadable",
        }
    }
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
    Table(BlockRole, Vec<(FactKind, Shown)>),
    /// A value, with its form.
    Value(BlockRole, ValueForm, Shown),
    /// Messages: their role, those that earlier requests already contained, the new ones.
    Messages(BlockRole, Vec<ShownMessage>, Vec<ShownMessage>),
    /// Source code: its role, language, text.
    Code(BlockRole, String, Shown),
    /// A table: its role, column headings, rows of cells.
    Grid(BlockRole, Vec<String>, Vec<Vec<Shown>>),
    /// An error: type, message, stack.
    Error(ErrorLabel<String>, Option<Shown>, Option<Shown>),
    /// An image, a recording or a document.
    Media(ShownMedia),
    /// A note.
    Note(ShownNote),
    /// A line diff: its role; `+`, `-` or space, and the line.
    Diff(BlockRole, Vec<(char, String)>),
    /// A change of files as a unified diff.
    Patch(String),
    /// A command as given to a shell.
    Command(Shown),
    /// A list of tasks: the status of each, as written in the file, and its text.
    Tasks(Vec<(String, String)>),
}
