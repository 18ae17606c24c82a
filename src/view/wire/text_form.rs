//! How a text is drawn.

use serde::{Deserialize, Serialize};

use super::markdown::Node;

/// How a text is drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum TextForm {
    /// As it is, in the font for code.
    #[default]
    Plain,
    /// As it is, in the font for words.
    Prose,
    /// As Markdown.
    Markdown(Vec<Node>),
    /// With the colours of a terminal.
    Terminal,
    /// As a diff.
    Diff,
    /// With line numbers, coloured by the language, which may be empty.
    Listing(String),
    /// Coloured by the language.
    Code(String),
}

impl TextForm {
    /// Whether the form differs from the source, which then is one click away.
    #[must_use]
    pub fn is_rendered(&self) -> bool {
        !matches!(self, Self::Plain | Self::Prose | Self::Code(_))
    }
}
