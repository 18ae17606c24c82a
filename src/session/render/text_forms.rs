//! How texts are drawn: as prose, Markdown, terminal output, a diff, a file listing, or code.

use super::markdown;
use traceloupe_core::model::arguments::FILES;
use traceloupe_core::text::highlight::language_of;
use traceloupe_core::text::listing::listing;
use traceloupe_core::text::{patch, terminal};
use traceloupe_protocol::detail::{ShownBlock, ShownMessage, ValueForm};
use traceloupe_protocol::markdown::Node;
use traceloupe_protocol::text_form::TextForm;
use traceloupe_protocol::value::Shown;

/// The purpose of a text, determined by its place in the trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose<'a> {
    /// Text that is shown as it is.
    Plain,
    /// Text written by a user or a model.
    Prose,
    /// A command of a shell.
    Command,
    /// Output of a tool, with the path of the file that the call named, or an empty path.
    Output(&'a str),
}

/// Sets the form of each text in the blocks of an event.
pub fn give_forms(blocks: &mut [ShownBlock]) {
    let path = path_of(blocks);
    blocks.iter_mut().for_each(|block| give_form(block, &path));
}

/// The file that a call is about, which indicates what its result contains: the path among its arguments, or empty.
fn path_of(blocks: &[ShownBlock]) -> String {
    let mut rows = blocks.iter().filter_map(|block| match block {
        ShownBlock::Table(_, rows) => Some(rows),
        _ => None,
    });
    let found = rows.find_map(|rows| {
        rows.iter().find_map(|(key, value)| match value {
            Shown::Text(path, ..) if key.key().is_some_and(|key| FILES.contains(&key)) => {
                Some(path.clone())
            }
            _ => None,
        })
    });
    found.unwrap_or_default()
}

fn give_form(block: &mut ShownBlock, path: &str) {
    match block {
        ShownBlock::Table(_, rows) => {
            rows.iter_mut().for_each(|(_, value)| set(value, Purpose::Output("")));
        }
        ShownBlock::Value(_, form, value) => set(value, purpose_of(*form, path)),
        ShownBlock::Messages(_, before, new) => {
            let messages = before.iter_mut().chain(new);
            let content = messages.flat_map(|message: &mut ShownMessage| &mut message.content);
            content.for_each(|block| give_form(block, ""));
        }
        ShownBlock::Error(_, message, stack) => {
            message.iter_mut().chain(stack).for_each(|value| set(value, Purpose::Output("")));
        }
        ShownBlock::Command(value) => set(value, Purpose::Command),
        // Source code is drawn in the language named by the block. Cells of a grid are short.
        ShownBlock::Code(..)
        | ShownBlock::Grid(..)
        | ShownBlock::Media(_)
        | ShownBlock::Note(_)
        | ShownBlock::Diff(..)
        | ShownBlock::Patch(_)
        | ShownBlock::Tasks(_) => {}
    }
}

fn set(value: &mut Shown, purpose: Purpose<'_>) {
    if let Shown::Text(text, _, form) = value {
        *form = form_of(text, purpose);
    }
}

/// The purpose of the text of a value.
fn purpose_of(form: ValueForm, path: &str) -> Purpose<'_> {
    match form {
        ValueForm::Text | ValueForm::Thinking => Purpose::Prose,
        ValueForm::Result | ValueForm::Log | ValueForm::Json => Purpose::Output(path),
        ValueForm::Unreadable => Purpose::Plain,
    }
}

/// The fewest lines that are coloured just because of the file name. A short answer of a tool is not code.
const MIN_CODE_LINES: usize = 4;

/// The form of a text.
fn form_of(text: &str, purpose: Purpose<'_>) -> TextForm {
    match purpose {
        Purpose::Plain => TextForm::Plain,
        Purpose::Command => TextForm::Code("sh".to_owned()),
        Purpose::Prose => form_of_prose(text),
        Purpose::Output(path) => form_of_output(text, path),
    }
}

fn form_of_prose(text: &str) -> TextForm {
    if patch::is_only_a_patch(text) && !text.contains("```") {
        return TextForm::Diff;
    }
    if terminal::is_terminal(text) {
        return TextForm::Terminal;
    }
    markdown_if(text, markdown::is_worth_it).unwrap_or(TextForm::Prose)
}

fn form_of_output(text: &str, path: &str) -> TextForm {
    let language = language_of(path).unwrap_or("");
    if terminal::is_terminal(text) {
        return TextForm::Terminal;
    }
    if patch::is_patch(text) {
        return TextForm::Diff;
    }
    if listing(text).is_some() {
        return TextForm::Listing(language.to_owned());
    }
    if terminal::report(text).is_some() {
        return TextForm::Terminal;
    }
    if !language.is_empty() {
        let is_code = text.lines().nth(MIN_CODE_LINES - 1).is_some();
        return if is_code { TextForm::Code(language.to_owned()) } else { TextForm::Plain };
    }
    let is_markdown_file = path.ends_with(".md") || path.ends_with(".markdown");
    let is_meant =
        |nodes: &[Node]| is_markdown_file && text.contains('\n') || markdown::is_document(nodes);
    markdown_if(text, is_meant).unwrap_or_default()
}

/// The text as Markdown, if it is meant as such.
fn markdown_if(text: &str, is_meant: impl Fn(&[Node]) -> bool) -> Option<TextForm> {
    let nodes = markdown::parse(text);
    is_meant(&nodes).then_some(TextForm::Markdown(nodes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let output = Purpose::Output;
        let markdown = |text: &str| TextForm::Markdown(markdown::parse(text));
        let cases = [
            ("Just words.", Purpose::Prose, TextForm::Prose),
            ("Run `make`.", Purpose::Prose, markdown("Run `make`.")),
            ("Run `make`.", Purpose::Plain, TextForm::Plain),
            ("\u{1b}[31mFAIL\u{1b}[0m", output(""), TextForm::Terminal),
            ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", output(""), TextForm::Diff),
            ("*** Begin Patch\n*** End Patch", Purpose::Prose, TextForm::Diff),
            ("Is this right?\n--- a\n+++ b\n", Purpose::Prose, TextForm::Prose),
            ("     1→a\n     2→b\n", output("/w/a.py"), TextForm::Listing("py".to_owned())),
            ("a\nb\nc\nd\n", output("/w/a.py"), TextForm::Code("py".to_owned())),
            ("The file was written.", output("/w/a.py"), TextForm::Plain),
            ("# Title\n\ntext", output("/w/a.md"), markdown("# Title\n\ntext")),
            ("# Title\n\nAll **done**.\n", output(""), markdown("# Title\n\nAll **done**.\n")),
            ("total 8\n- a\n- b\n", output(""), TextForm::Plain),
        ];
        for (text, purpose, expected) in cases {
            assert_eq!(form_of(text, purpose), expected, "{text}");
        }
    }
}
