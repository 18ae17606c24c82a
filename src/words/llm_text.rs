//! Events of a trace as compact Markdown for an LLM, within a number of tokens. What is cut is said with counts.

use std::ops::Range;

use crate::brief::{EventRef, fenced, sentence_markdown};
use crate::pieces::Sentence;
use crate::{bytes, count, counted, counts};

/// An event as evidence.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Passage {
    /// The event.
    pub event: EventRef,
    /// What it is, and how it came out.
    pub heading: Sentence,
    /// Its texts.
    pub parts: Vec<PassagePart>,
}

/// A text of an event.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PassagePart {
    /// What it is; empty where it needs no label.
    pub label: String,
    /// The text, as far as it was sent.
    pub text: String,
    /// How many bytes of it were not sent.
    pub n_unsent_bytes: u64,
    /// What should stay when it is cut, such as the line with the reason of a failure; otherwise its ends stay.
    pub focus: Option<Range<usize>>,
}

/// Markdown within a number of tokens.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LlmText {
    /// The Markdown.
    pub markdown: String,
    /// About how many tokens it has.
    pub n_tokens: usize,
    /// What was left out; empty if nothing was.
    pub left_out: String,
}

/// About how many tokens a text has: one for four ASCII characters, and one for each other character. Every model counts
/// in its own way, so this is an estimate.
#[must_use]
pub fn estimated_tokens(text: &str) -> usize {
    let n_ascii = text.bytes().filter(u8::is_ascii).count();
    let n_others = text.chars().filter(|char| !char.is_ascii()).count();
    n_ascii.div_ceil(4) + n_others
}

/// How many tokens the heading, the label and the fences of a text take at most, beside the heading itself.
const AROUND_TOKENS: usize = 16;

/// The fewest tokens with which a text is worth showing.
const LEAST_TOKENS: usize = 24;

/// How many tokens are kept for what was left out.
const CLOSING_TOKENS: usize = 40;

/// Equal texts of at least this length are referred to instead of repeated.
const REPEATED_BYTES: usize = 60;

/// Some Markdown followed by events, in at most about `max_tokens` tokens. `n_more`: how many events are not among the
/// passages.
#[must_use]
pub fn llm_text(head: &str, passages: &[Passage], n_more: u64, max_tokens: usize) -> LlmText {
    let room = max_tokens.saturating_sub(CLOSING_TOKENS);
    let (head, n_head_cut) = cut_lines(head, room);
    let mut left = room.saturating_sub(estimated_tokens(&head));
    // Those that have room for their headings and the beginnings of their texts.
    let mut shown = Vec::new();
    for passage in passages {
        let least: usize =
            passage.parts.iter().map(|it| estimated_tokens(&it.text).min(LEAST_TOKENS)).sum();
        let around =
            (passage.parts.len() + 1) * AROUND_TOKENS + estimated_tokens(&passage.heading.plain());
        let Some(rest) = left.checked_sub(least + around) else { break };
        left = rest;
        shown.push(passage);
    }
    let parts: Vec<(EventRef, &PassagePart)> =
        shown.iter().flat_map(|it| it.parts.iter().map(|part| (it.event, part))).collect();
    let before = |at: usize, text: &str| {
        let equal = parts.iter().take(at).find(|(_, other)| other.text == text);
        equal.filter(|_| text.len() >= REPEATED_BYTES).map(|it| it.0)
    };
    let sizes: Vec<usize> = parts
        .iter()
        .enumerate()
        .map(|(at, (_, part))| match before(at, &part.text) {
            Some(_) => 0,
            None => estimated_tokens(&part.text),
        })
        .collect();
    let reserved: usize = sizes.iter().map(|size| (*size).min(LEAST_TOKENS)).sum();
    let share = fair_share(&sizes, left + reserved);
    let mut markdown = head;
    let (mut n_cut_bytes, mut at) = (0, 0);
    for passage in &shown {
        if !markdown.is_empty() {
            markdown.push('\n');
        }
        let number = count(u64::from(passage.event.number));
        let heading = sentence_markdown(&passage.heading);
        markdown.push_str(&format!("### Event {number}: {heading}\n"));
        for part in &passage.parts {
            if !part.label.is_empty() {
                let label = Sentence::default().text(part.label.clone());
                markdown.push_str(&format!("\n{}:\n", sentence_markdown(&label)));
            }
            match before(at, &part.text) {
                Some(event) => {
                    let number = count(u64::from(event.number));
                    markdown.push_str(&format!("\n(the same as in event {number})\n"));
                }
                None => {
                    let (text, n_cut) = cut(part, share);
                    n_cut_bytes += n_cut;
                    markdown.push_str(&format!("\n{}\n", fenced(&text)));
                }
            }
            at += 1;
        }
    }
    let n_events = n_more + (passages.len() - shown.len()) as u64;
    let left_out = left_out(n_events, n_cut_bytes, n_head_cut);
    if !left_out.is_empty() {
        markdown.push_str(&format!("\n{left_out}\n"));
    }
    LlmText { n_tokens: estimated_tokens(&markdown), markdown, left_out }
}

fn left_out(n_events: u64, n_bytes: u64, n_lines: u64) -> String {
    let parts = [
        (n_lines > 0).then(|| counts::lines(n_lines)),
        (n_bytes > 0).then(|| format!("{} of texts", bytes(n_bytes))),
        (n_events > 0).then(|| counted(n_events, "event", "events")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!("Left out: {}", parts.join(", ")) }
}

/// The most tokens that each text may have so that all of them fit: short ones leave room for long ones.
fn fair_share(sizes: &[usize], room: usize) -> usize {
    let mut sizes = sizes.to_vec();
    traceloupe_core::sorting::sort(&mut sizes);
    let mut room = room;
    for (at, size) in sizes.iter().enumerate() {
        let share = room / (sizes.len() - at);
        if *size > share {
            return share;
        }
        room -= size;
    }
    usize::MAX
}

/// Whole lines of a text, and how many are left out.
fn cut_lines(text: &str, max_tokens: usize) -> (String, u64) {
    let mut left = max_tokens;
    let mut kept = String::new();
    let mut lines = text.split_inclusive('\n');
    for line in lines.by_ref() {
        let Some(rest) = left.checked_sub(estimated_tokens(line)) else {
            return (kept, 1 + lines.count() as u64);
        };
        left = rest;
        kept.push_str(line);
    }
    (kept, 0)
}

/// A text with at most about `max_tokens` tokens, and how many bytes are left out: what is around its focus stays,
/// otherwise its beginning and its end.
fn cut(part: &PassagePart, max_tokens: usize) -> (String, u64) {
    let PassagePart { text, n_unsent_bytes, .. } = part;
    let unsent = |text: &str| match n_unsent_bytes {
        0 => text.to_owned(),
        n => format!("{text}\n{}", gap(*n)),
    };
    if estimated_tokens(text) <= max_tokens {
        return (unsent(text), *n_unsent_bytes);
    }
    let max_bytes = max_tokens.saturating_sub(8) * 4;
    // Other characters than ASCII take more tokens than bytes suggest.
    let max_bytes = max_bytes * text.chars().count() / text.len().max(1);
    let (from, to) = match &part.focus {
        Some(focus) => {
            let around = max_bytes.saturating_sub(focus.len()) / 2;
            (focus.start.saturating_sub(around), (focus.end + around).min(text.len()))
        }
        None => (0, max_bytes * 2 / 3),
    };
    let tail = if part.focus.is_some() { 0 } else { max_bytes - to };
    let (from, to) = (boundary(text, from), boundary(text, to));
    let end = boundary(text, text.len() - tail.min(text.len() - to));
    let mut kept = String::new();
    if from > 0 {
        kept.push_str(&format!("{}\n", gap(from as u64)));
    }
    kept.push_str(text.get(from..to).unwrap_or_default());
    if end > to {
        kept.push_str(&format!("\n{}\n", gap((end - to) as u64)));
    }
    kept.push_str(text.get(end..).unwrap_or_default());
    (unsent(&kept), (from + end - to) as u64 + n_unsent_bytes)
}

fn gap(n_bytes: u64) -> String {
    format!("[… {} left out …]", bytes(n_bytes))
}

/// The last place between two characters up to `at`.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn passage(number: u32, text: &str) -> Passage {
        Passage {
            event: EventRef { row: number - 1, number },
            heading: Sentence::default().code("Bash").text(" failed"),
            parts: vec![PassagePart {
                label: "Result".to_owned(),
                text: text.to_owned(),
                ..PassagePart::default()
            }],
        }
    }

    #[test]
    fn what_fits_is_whole() {
        let made = llm_text("## Loop\n", &[passage(3, "a"), passage(5, "b")], 0, 500);
        let expected = "## Loop\n\n### Event 3: `Bash` failed\n\nResult:\n\n```\na\n```\n\n\
                        ### Event 5: `Bash` failed\n\nResult:\n\n```\nb\n```\n";
        assert_eq!(made.markdown, expected);
        assert_eq!((made.left_out.as_str(), made.n_tokens), ("", expected.len().div_ceil(4)));
    }

    #[test]
    fn equal_texts_are_referred_to() {
        let text = "the same long result ".repeat(10);
        let made = llm_text("", &[passage(3, &text), passage(5, &text)], 0, 2_000);
        assert!(made.markdown.contains("(the same as in event 3)"), "{}", made.markdown);
        assert_eq!(made.markdown.matches("the same long").count(), 10);
    }

    #[test]
    fn what_is_cut_is_said_with_counts() {
        let long = passage(1, &"line of output\n".repeat(1_000));
        let made = llm_text("", &[passage(3, "short"), long], 2, 400);
        assert!(made.n_tokens <= 400, "{}", made.n_tokens);
        assert!(made.markdown.contains("short") && made.markdown.contains("kB left out …]"));
        assert!(made.left_out.ends_with("of texts, 2 events"), "{}", made.left_out);
        let few = llm_text("a\nb\n", &vec![passage(1, "x"); 50], 0, 200);
        assert!(few.n_tokens <= 200 && few.left_out.contains("events"), "{few:?}");
    }

    #[test]
    fn the_reason_of_a_failure_stays() {
        let mut text = "before\n".repeat(2_000);
        let start = text.len();
        text.push_str("error: no such field");
        let focus = Some(start..text.len());
        text.push_str(&"\nafter".repeat(2_000));
        let part = PassagePart { text, focus, ..PassagePart::default() };
        let passage = Passage { parts: vec![part], ..passage(1, "") };
        let made = llm_text("", &[passage], 0, 300);
        assert!(made.markdown.contains("before\nerror: no such field\nafter"), "{}", made.markdown);
        assert!(made.n_tokens <= 300);
    }

    proptest! {
        #[test]
        fn the_number_of_tokens_is_kept(
            texts in proptest::collection::vec("(?s).{0,400}", 0..12),
            head in "[a-z\n]{0,300}",
            max in 60_usize..3_000,
        ) {
            let passages: Vec<Passage> =
                (1..).zip(&texts).map(|(number, text)| passage(number, text)).collect();
            let made = llm_text(&head, &passages, 0, max);
            // Marks of characters that cannot be seen are longer than these.
            let n_marks = made.markdown.matches("⟨U+").count();
            prop_assert!(made.n_tokens <= max + n_marks * 4, "{} of {}", made.n_tokens, max);
        }
    }
}
