//! Ways of drawing a text.

use serde::{Deserialize, Serialize};

use super::markdown::{self, Node};

/// The way in which a text is drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum TextForm {
    /// Unchanged, in the font for code.
    #[default]
    Plain,
    /// Unchanged, in the font for text.
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

/// The length of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    /// Characters.
    pub chars: u64,
    /// Bytes in UTF-8.
    pub bytes: u64,
}

impl Extent {
    fn add(&mut self, text: &str) {
        self.chars += text.chars().count() as u64;
        self.bytes += text.len() as u64;
    }
}

impl TextForm {
    /// The length of a text as drawn in this form; for Markdown, that of the text without its markup. `is_head` states
    /// that the text is the beginning of a longer one, so that an ellipsis at its end does not count.
    #[must_use]
    pub fn extent(&self, text: &str, is_head: bool) -> Extent {
        let mut extent = Extent::default();
        let mut ends_cut = false;
        let mut add = |text: &str| {
            ends_cut = text.ends_with('…');
            extent.add(text);
        };
        match self {
            Self::Markdown(nodes) => markdown::each_text(nodes, &mut add),
            _ => add(text),
        }
        if is_head && ends_cut {
            extent.chars -= 1;
            extent.bytes -= '…'.len_utf8() as u64;
        }
        extent
    }

    /// Whether the drawn form differs from the source, which the user can then switch to.
    #[must_use]
    pub fn is_rendered(&self) -> bool {
        !matches!(self, Self::Plain | Self::Prose | Self::Code(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::Element;

    #[test]
    fn what_is_drawn_is_counted() {
        let of = |form: &TextForm, text: &str, is_head: bool| {
            let Extent { chars, bytes } = form.extent(text, is_head);
            (chars, bytes)
        };
        assert_eq!(of(&TextForm::Plain, "ä**b**", false), (6, 7));
        assert_eq!(of(&TextForm::Plain, "ä**b…", true), (4, 5));
        let strong = Node::Element(Element::Strong, vec![Node::Text("b".to_owned())]);
        let nodes =
            |last: &str| TextForm::Markdown(vec![strong.clone(), Node::Text(last.to_owned())]);
        assert_eq!(of(&nodes("cdef"), "**b**cdef", false), (5, 5));
        assert_eq!(of(&nodes("cd…"), "**b**c…", true), (3, 3));
    }
}
