//! Sentences as pieces, so that names and commands in them are drawn as code without marks in the text.

use std::borrow::Cow;

/// A part of a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Words of ours.
    Text(Cow<'static, str>),
    /// What is from the file, such as a name or a command.
    Code(String),
}

/// A sentence, or the beginning of one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sentence(Vec<Piece>);

impl Sentence {
    /// The sentence with more words of ours.
    #[must_use]
    pub fn text(mut self, words: impl Into<Cow<'static, str>>) -> Self {
        let words = words.into();
        if !words.is_empty() {
            self.0.push(Piece::Text(words));
        }
        self
    }

    /// The sentence with more from the file.
    #[must_use]
    pub fn code(mut self, text: impl Into<String>) -> Self {
        self.0.push(Piece::Code(text.into()));
        self
    }

    /// The sentence with another one behind it.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        self.0.extend_from_slice(&other.0);
        self
    }

    /// Whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Its pieces.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// The sentence as a text, for titles and exports.
    #[must_use]
    pub fn plain(&self) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Text(words) => words.to_string(),
            Piece::Code(text) => text.clone(),
        };
        self.0.iter().map(text).collect()
    }

    /// The sentence with its code between backticks.
    #[must_use]
    pub fn marked(&self) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Text(words) => words.to_string(),
            Piece::Code(text) => format!("`{text}`"),
        };
        self.0.iter().map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_keeps_its_own_marks() {
        let said = Sentence::default().code("echo `date`").text(" failed").text("");
        assert_eq!(said.plain(), "echo `date` failed");
        assert_eq!(said.pieces().len(), 2);
        let twice = Sentence::default().text("2 × ").with(&said);
        assert_eq!(twice.marked(), "2 × `echo `date`` failed");
        assert!(Sentence::default().is_empty());
    }
}
