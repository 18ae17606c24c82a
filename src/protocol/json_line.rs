//! A line of formatted JSON, in pieces with a colour class each.

use serde::{Deserialize, Serialize};

use super::cut::Cut;

/// The class of a piece, which determines its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Class {
    /// Brackets, commas, colons.
    Mark,
    /// A key.
    Key,
    /// A string.
    Text,
    /// A number, as written.
    Number,
    /// true, false, null.
    Word,
    /// Not valid JSON: NaN, bare words.
    Odd,
    /// A remark by Traceloupe: what was left out.
    Note,
}

/// A piece of a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Piece(pub Class, pub String);

/// A line.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct JsonLine {
    /// Indentation level, at most [`MAX_INDENT`].
    pub indent: u16,
    /// Its pieces.
    pub pieces: Vec<Piece>,
    /// What was left out at the end of the line, if it can be requested.
    pub more: Option<Box<Cut>>,
    /// Whether a string in it contains data in another form: JSON, base64, escapes.
    pub is_encoded: bool,
}

/// The deepest indentation that is drawn, so that the page's width does not grow with the depth of a value.
pub const MAX_INDENT: u16 = 16;

/// The lines as plain text, for copying and for tests.
#[must_use]
pub fn plain(lines: &[JsonLine]) -> String {
    let mut text = String::new();
    for line in lines {
        text.extend(std::iter::repeat_n("  ", usize::from(line.indent)));
        text.extend(line.pieces.iter().map(|piece| piece.1.as_str()));
        text.push('\n');
    }
    text
}
