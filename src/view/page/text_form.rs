//! How a text is drawn: as prose, as Markdown, as output of a terminal, as a diff, as a listing of a file, as code.

use super::markdown;
use crate::view::text::highlight::language_of;
use crate::view::text::listing::listing;
use crate::view::text::{patch, terminal};

/// What a text is for, as its place in the trace tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Text that is shown as it is.
    Plain,
    /// Words of a person or a model.
    Prose,
    /// A command of a shell.
    Command,
    /// What a tool gave, with the path of the file that the call named, or empty.
    Output(String),
}

/// How a text is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TextForm {
    /// As it is, in the font for code.
    Plain,
    /// As it is, in the font for words.
    Prose,
    /// As Markdown.
    Markdown,
    /// With the colours of a terminal.
    Terminal,
    /// As a diff.
    Diff,
    /// With line numbers, coloured by the language, which may be empty.
    Listing(&'static str),
    /// Coloured by the language.
    Code(&'static str),
}

impl TextForm {
    /// Whether the form differs from the source, which then is one click away.
    #[must_use]
    pub fn is_rendered(&self) -> bool {
        !matches!(self, Self::Plain | Self::Prose | Self::Code(_))
    }
}

/// The fewest lines that are coloured because of the name of the file alone: a short answer of a tool is no code.
const MIN_CODE_LINES: usize = 4;

/// The form of a text.
#[must_use]
pub fn form_of(text: &str, purpose: &Purpose) -> TextForm {
    let path = match purpose {
        Purpose::Plain => return TextForm::Plain,
        Purpose::Command => return TextForm::Code("sh"),
        Purpose::Prose => {
            return match () {
                () if patch::is_patch(text) && !text.contains("```") => TextForm::Diff,
                () if terminal::is_terminal(text) => TextForm::Terminal,
                () if markdown::is_worth_it(&markdown::parse(text)) => TextForm::Markdown,
                () => TextForm::Prose,
            };
        }
        Purpose::Output(path) => path.as_str(),
    };
    let language = language_of(path).unwrap_or("");
    if terminal::is_terminal(text) {
        return TextForm::Terminal;
    }
    if patch::is_patch(text) {
        return TextForm::Diff;
    }
    if listing(text).is_some() {
        return TextForm::Listing(language);
    }
    let is_markdown_file = path.ends_with(".md") || path.ends_with(".markdown");
    let is_markup = || markdown::is_document(&markdown::parse(text));
    if !language.is_empty() && text.lines().nth(MIN_CODE_LINES - 1).is_some() {
        return TextForm::Code(language);
    }
    if language.is_empty() && (is_markdown_file && text.contains('\n') || is_markup()) {
        return TextForm::Markdown;
    }
    TextForm::Plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let output = |path: &str| Purpose::Output(path.to_owned());
        let cases = [
            ("Just words.", Purpose::Prose, TextForm::Prose),
            ("Run `make`.", Purpose::Prose, TextForm::Markdown),
            ("Run `make`.", Purpose::Plain, TextForm::Plain),
            ("\u{1b}[31mFAIL\u{1b}[0m", output(""), TextForm::Terminal),
            ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", output(""), TextForm::Diff),
            ("*** Begin Patch\n*** End Patch", Purpose::Prose, TextForm::Diff),
            ("     1→a\n     2→b\n", output("/w/a.py"), TextForm::Listing("py")),
            ("a\nb\nc\nd\n", output("/w/a.py"), TextForm::Code("py")),
            ("The file was written.", output("/w/a.py"), TextForm::Plain),
            ("# Title\n\ntext", output("/w/a.md"), TextForm::Markdown),
            ("# Title\n\nAll **done**.\n", output(""), TextForm::Markdown),
            ("total 8\n- a\n- b\n", output(""), TextForm::Plain),
        ];
        for (text, purpose, expected) in cases {
            assert_eq!(form_of(text, &purpose), expected, "{text}");
        }
    }
}
