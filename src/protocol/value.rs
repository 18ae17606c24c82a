//! A value of any size, as sent to the page: the first part at once, the rest on request.

use serde::{Deserialize, Serialize};

pub use super::cut::{Cut, CutForm};
use super::json_line::JsonLine;
use super::problem::ReadError;
use super::text_form::TextForm;

/// A value, ready to display.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Shown {
    /// Text, with line breaks; its place in the source if it has one (even if the text is complete, because annotations
    /// point at it); how it is drawn.
    Text(String, Option<Cut>, TextForm),
    /// JSON in lines. Lines state what was left out. The place is that of the whole value, and is present only if
    /// something was left out.
    Json(Vec<JsonLine>, Option<Cut>),
    /// An image, a recording or a document.
    Media(ShownMedia),
    /// The value cannot be read.
    Unreadable(ReadError),
}

impl Shown {
    /// Text that is drawn unchanged.
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
    /// The base64 text of a small one; empty if the page has to request it, or may not show it.
    pub base64: String,
    /// Approximate length in bytes.
    pub n_bytes: u64,
    /// The place of the whole value.
    pub cut: Cut,
    /// Whether the page may show images of this type.
    pub is_safe: bool,
    /// The points in this screenshot at which its call pointed.
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

/// How many bytes of a text are shown at first.
pub const TEXT_BYTES: u32 = 32 * 1024;

/// How many bytes of a text are added when the page requests more.
pub const MORE_BYTES: u32 = 256 * 1024;

/// The form of a value in an opened row, which determines its style and how it is shortened.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ValueForm {
    /// The result of a tool call.
    Result,
    /// Prose.
    Text,
    /// JSON.
    Json,
    /// Thinking of a model.
    Thinking,
    /// Output of a program.
    Log,
    /// It could not be read.
    Unreadable,
}
