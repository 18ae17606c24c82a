//! A line of JSON that is set for reading, in pieces with their colours.

use serde::{Deserialize, Serialize};

use super::value::Cut;

/// What a piece of a line is, for its colour.
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
    /// What JSON does not allow: NaN, bare words.
    Odd,
    /// A word of ours: what was left out.
    Note,
}

/// A piece of a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Piece(pub Class, pub String);

/// A line.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct JsonLine {
    /// Indentation in steps, cut at [`MAX_INDENT`].
    pub indent: u16,
    /// Its pieces.
    pub pieces: Vec<Piece>,
    /// What was left out at its end, where more of that can be asked for.
    pub more: Option<Box<Cut>>,
}

/// Deeper lines are not indented further: a page must not grow with the depth of a file.
pub const MAX_INDENT: u16 = 16;

/// The lines as plain text, for copying and tests.
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
