//! Where a value is in its source, and how much of it is shown.

use serde::{Deserialize, Serialize};

/// The place of a value and how much of it is shown. The page sends it back to request more of the value, or all of it
/// as a file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Cut {
    /// Index of the source.
    pub source: u32,
    /// First byte of the whole value.
    pub start: u64,
    /// Length of the whole value in bytes.
    pub len: u32,
    /// How to read its bytes.
    pub form: CutForm,
    /// How many of its bytes are shown.
    pub shown_bytes: u32,
    /// The number of items that are not shown; 0 if they were not counted.
    pub items: u64,
}

impl Cut {
    /// Whether all of the value is shown.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.shown_bytes >= self.len
    }
}

/// How to read the bytes of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum CutForm {
    /// A JSON value; a string is shown as text.
    #[default]
    Json,
    /// A JSON string that contains JSON.
    JsonInString,
    /// Plain bytes.
    Raw,
    /// Items of a list, without the brackets.
    Items,
    /// Members of an object, without the braces.
    Members,
    /// A JSON string that contains an image, a recording or a document in base64.
    Media,
}
