//! The brief as Markdown. Nothing in a trace can become markup: its text is in code spans and fences longer than any run of
//! backticks in it, and in the words around it every sign with a meaning is escaped.

use super::html::{HEADING, rest};
use super::sections::{Block, Line, sections};
use super::{Brief, EventRefs};
use crate::counts;
use crate::pieces::{Piece, Sentence};
use crate::suspicious_chars::marked;

/// The brief with headings of the second and third level.
#[must_use]
pub fn brief_markdown(brief: &Brief) -> String {
    let mut out = format!("## {HEADING}\n");
    for section in sections(brief) {
        out.push_str(&format!("\n### {}\n\n", section.heading));
        let blocks: Vec<String> = section.blocks.iter().map(block).collect();
        out.push_str(&blocks.join("\n"));
    }
    out
}

fn block(block: &Block) -> String {
    match block {
        Block::Facts(facts) => {
            facts.iter().map(|(label, it)| format!("- {label}: {}\n", line(it))).collect()
        }
        Block::List(lines) => lines.iter().map(|it| format!("- {}\n", line(it))).collect(),
        Block::Table(heads, rows) => {
            let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
            let mut table = row(heads.iter().map(|head| (*head).to_owned()).collect());
            table.push_str(&row(heads.iter().map(|_| "---".to_owned()).collect()));
            for cells in rows {
                table.push_str(&row(cells.iter().map(|it| in_cell(&line(it))).collect()));
            }
            table
        }
        Block::Quote(quote) => {
            let rest = rest(quote);
            let event = events(&quote.event.into());
            let after = [rest, event].into_iter().filter(|it| !it.is_empty());
            let after: Vec<String> = after.collect();
            format!("{}\n{}\n", fenced(&quote.text), after.join(", "))
        }
        Block::Note(words) => format!("{}\n", sentence(words)),
    }
}

/// A cell of a table ends at a bar, also in code.
fn in_cell(text: &str) -> String {
    text.replace('|', "\\|").replace("\\\\|", "\\|")
}

fn line(line: &Line) -> String {
    match events(&line.events) {
        events if events.is_empty() => sentence(&line.words),
        events if line.words.is_empty() => events,
        events => format!("{} ({events})", sentence(&line.words)),
    }
}

fn events(events: &EventRefs) -> String {
    let numbers: Vec<u32> = events.named.iter().map(|it| it.number).collect();
    counts::at_events(&numbers, events.n_more)
}

/// A sentence in one line.
#[must_use]
pub fn sentence(sentence: &Sentence) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(words) => text(words),
        Piece::Code(text) => code_span(text),
    };
    sentence.pieces().iter().map(piece).collect()
}

/// Words of ours, which may contain words of the trace.
fn text(words: &str) -> String {
    let is_address = ["://", "@", "www."].iter().any(|it| words.contains(it));
    // Some readers of Markdown make links of addresses, even of escaped ones.
    if is_address {
        return code_span(words);
    }
    let mut out = String::with_capacity(words.len());
    let words = marked(words);
    let mut chars = words.chars().peekable();
    let mut begins = true;
    while let Some(char) = chars.next() {
        let char = if char.is_control() { ' ' } else { char };
        // At the beginning of a line, `- a` and `1. a` would be lists, and `---` a rule.
        let next = chars.peek().copied().unwrap_or(' ');
        let is_list = "+-.)".contains(char) && (next.is_whitespace() || next == char);
        if "\\`*_[]<>&|~$".contains(char) || begins && (char == '#' || is_list) {
            out.push('\\');
        }
        out.push(char);
        begins &= char == ' ' || char.is_ascii_digit();
    }
    out
}

/// A text in one line as code. An empty text gives nothing.
#[must_use]
pub fn code_span(text: &str) -> String {
    let text = marked(text);
    let text: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    let text = text.trim();
    if text.is_empty() {
        return String::new();
    }
    let fence = "`".repeat(longest_run(text) + 1);
    // Without spaces, backticks at its ends would lengthen the fence.
    match text.starts_with('`') || text.ends_with('`') {
        true => format!("{fence} {text} {fence}"),
        false => format!("{fence}{text}{fence}"),
    }
}

/// A text as a block of code.
#[must_use]
pub fn fenced(text: &str) -> String {
    let text = marked(text);
    let text = text.trim_matches('\n').replace('\r', "");
    let fence = "`".repeat((longest_run(&text) + 1).max(3));
    format!("{fence}\n{text}\n{fence}")
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|char| char != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{full, payloads, with_text};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_fence_is_longer_than_any_run_of_backticks_in_it() {
        assert_eq!(code_span("a"), "`a`");
        assert_eq!(code_span("a``b`"), "``` a``b` ```");
        assert_eq!(code_span(" \n"), "");
        assert_eq!(fenced("a\n````\n# b"), "`````\na\n````\n# b\n`````");
    }

    #[test]
    fn signs_with_a_meaning_are_escaped_in_words() {
        let said = |words: &str| sentence(&Sentence::default().text(words.to_owned()));
        assert_eq!(said("1. [a](b) *c* <d> x|y"), "1\\. \\[a\\](b) \\*c\\* \\<d\\> x\\|y");
        assert_eq!(said("- a"), "\\- a");
        assert_eq!(said("---"), "\\---");
        assert_eq!(said("# no heading"), "\\# no heading");
        assert_eq!(said("3 edits, 4.5 s"), "3 edits, 4.5 s");
        assert_eq!(said("see https://a.example"), "`see https://a.example`");
        assert_eq!(said("a\u{202e}b\nc"), "a⟨U+202E⟩b c");
    }

    /// Outside of fences, every line is one of the brief's own.
    fn check(text: &str) -> Result<(), TestCaseError> {
        // An empty title has no line.
        if text.trim().is_empty() {
            return Ok(());
        }
        let own = brief_markdown(&with_text("x"));
        let markdown = brief_markdown(&with_text(text));
        let lines = |markdown: &str| {
            let mut fence = String::new();
            let mut begins = Vec::new();
            for line in markdown.split('\n') {
                let is_fence = line.starts_with("```") && line.bytes().all(|it| it == b'`');
                match (fence.is_empty(), is_fence) {
                    (true, true) => line.clone_into(&mut fence),
                    (false, true) if line == fence => fence.clear(),
                    (false, _) => continue,
                    (true, false) => {}
                }
                begins.push(
                    line.chars().take(2).filter(|it| "#-|`".contains(*it)).collect::<String>(),
                );
            }
            assert!(fence.is_empty(), "{markdown}");
            begins
        };
        prop_assert_eq!(lines(&markdown).len(), lines(&own).len(), "{}", markdown);
        Ok(())
    }

    #[test]
    fn no_text_of_a_trace_becomes_markup() {
        for payload in payloads() {
            check(&payload).unwrap();
        }
    }

    proptest! {
        #[test]
        fn no_text_becomes_markup(text in any::<String>()) {
            check(&text)?;
        }
    }

    #[test]
    fn it_has_a_heading_for_each_section() {
        let markdown = brief_markdown(&full());
        for part in ["### Asked", "- Outcome: ", "| File | Lines | Change |", "(event 7)"] {
            assert!(markdown.contains(part), "{part}: {markdown}");
        }
    }
}
