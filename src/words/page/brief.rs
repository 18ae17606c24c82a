//! Words of the brief of a run, and of texts for an LLM.

use crate::numbers::{about, count};

pub const BRIEF: &str = "Brief";
pub const HEADING: &str = "Brief of the run";
pub const COPY_MARKDOWN: &str = "Copy as Markdown";
pub const COPY_MARKDOWN_TITLE: &str = "Copy the brief as Markdown";
pub const BRIEF_COPIED: &str = "Brief copied";
pub const SAVE_MARKDOWN: &str = "Brief as Markdown";
pub const SAVE_MARKDOWN_TITLE: &str = "Save the brief of the run as a Markdown file";
pub const MARKDOWN_NAME: &str = "brief.md";
pub const SAVE_HTML: &str = "Brief as HTML";
pub const SAVE_HTML_TITLE: &str = "Save the brief of the run as an HTML file without scripts";
pub const HTML_NAME: &str = "brief.html";
pub const FOR_LLM: &str = "Copy for an LLM…";
pub const FOR_LLM_TITLE: &str =
    "Copy this with its evidence as compact Markdown, within a number of tokens (Y)";
pub const LLM_DIALOG: &str = "Copy for an LLM";
pub const WHAT: &str = "What to copy";
pub const WHOLE_BRIEF: &str = "Brief of the run, with the events of its loops and failures";
pub const FINDING: &str = "The chosen finding, with its events";
pub const AT_MOST: &str = "Tokens, at most";
pub const OTHER_NUMBER: &str = "Other number of tokens";
pub const READING: &str = "Reading the events…";
pub const PREVIEW: &str = "What will be copied";
pub const COPY: &str = "Copy";
pub const COPIED: &str = "Copied for an LLM";

/// The selected row.
#[must_use]
pub fn event(number: u32) -> String {
    format!("Event {}, with what is nested in it", count(u64::from(number)))
}

/// The turn of the selected row.
#[must_use]
pub fn turn(number: u32) -> String {
    format!("Turn {}", count(u64::from(number)))
}

/// A preset number of tokens: `8k`.
#[must_use]
pub fn preset(n: usize) -> String {
    format!("{}k", n / 1_000)
}

/// How long a text is, and what is missing from it.
#[must_use]
pub fn size(n_tokens: usize, left_out: &str) -> String {
    let tokens = about(count(n_tokens as u64));
    let tokens = format!("{tokens} tokens, estimated as one for four characters");
    if left_out.is_empty() { tokens } else { format!("{tokens}. {left_out}") }
}

/// The part of a text that is not quoted.
#[must_use]
pub fn rest(size: &str) -> String {
    format!("{size} more in ")
}

/// The button that leads to an event.
#[must_use]
pub fn go_to(event: &str) -> String {
    format!("Go to {event}")
}

/// Events that are not named.
#[must_use]
pub fn more(n: u64) -> String {
    format!("+{}", count(n))
}
