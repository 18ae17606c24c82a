//! A value of any size, as sent to the page: the first part at once, the rest on request.

use serde::{Deserialize, Serialize};

use super::json_line::JsonLine;
use super::text_form::TextForm;

/// A value, ready to display.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Shown {
    /// Text, with line breaks; its place in the source if it has one (even if the text is complete:
    /// annotations point at it); how it is drawn.
    Text(String, Option<Cut>, TextForm),
    /// JSON in lines. Lines say what was left out. The place is that of the whole value, and is there
    /// only if something was left out.
    Json(Vec<JsonLine>, Option<Cut>),
    /// An image, a recording or a document.
    Media(ShownMedia),
    /// The value cannot be read. The sentence says why.
    Unreadable(String),
}

impl Shown {
    /// Text that is drawn as it is.
    #[must_use]
    pub fn text(text: impl Into<String>, cut: Option<Cut>) -> Self {
        Self::Text(text.into(), cut, TextForm::Plain)
    }
}

/// An image, a recording or a document in base64.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ShownMedia {
    /// The media type, such as `image/png`.
    pub media: String,
    /// The base64 text of a small one; empty if the page has to ask for it, or may not show it.
    pub base64: String,
    /// Approximate length in bytes.
    pub n_bytes: u64,
    /// The place of all of it.
    pub cut: Cut,
    /// Whether the page may show images of this type.
    pub is_safe: bool,
    /// Where the call that this screenshot belongs to pointed at.
    pub points: Vec<Point>,
}

/// A place in an image, in its pixels from the left and the top.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Point {
    /// Pixels from the left.
    pub x: f64,
    /// Pixels from the top.
    pub y: f64,
}

/// The place of a value and how much of it is shown. The page sends it back to ask for more of the value, or for all
/// of it as a file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Cut {
    /// Index of the source.
    pub source: u32,
    /// First byte of the whole value.
    pub start: u64,
    /// Length of the whole value in bytes.
    pub len: u32,
    /// How its bytes are to be read.
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

/// How the bytes of a value are to be read.
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

/// How many bytes of a text are shown at first.
pub const TEXT_BYTES: u32 = 32 * 1024;

/// How many bytes of a text are added when the page asks for more.
pub const MORE_BYTES: u32 = 256 * 1024;
