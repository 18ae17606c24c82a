//! The brief as HTML for other places than the page: without a style sheet, links or attributes, so it can stand anywhere.
//! All text of the trace is escaped, and characters that cannot be seen are named.

use super::sections::{Block, Line, sections};
use super::{Brief, EventRefs, Quote};
use crate::pieces::{Piece, Sentence};
use crate::suspicious_chars::marked;
use crate::{bytes, counts};

/// The heading of a brief.
pub(super) const HEADING: &str = "Brief of the run";

/// The brief as an article with headings of the second and third level.
#[must_use]
pub fn brief_html(brief: &Brief) -> String {
    let mut html = String::from("<article>\n");
    tagged(&mut html, "h2", |html| escape_html(html, HEADING));
    for section in sections(brief) {
        html.push_str("<section>\n");
        tagged(&mut html, "h3", |html| escape_html(html, section.heading));
        section.blocks.iter().for_each(|it| block(&mut html, it));
        html.push_str("</section>\n");
    }
    html.push_str("</article>\n");
    html
}

/// The brief as an HTML file.
#[must_use]
pub fn brief_page(brief: &Brief) -> String {
    let article = brief_html(brief);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{HEADING}</title>\n{article}</html>\n"
    )
}

/// An element on a line of its own.
fn tagged(html: &mut String, tag: &str, content: impl FnOnce(&mut String)) {
    html.push_str(&format!("<{tag}>"));
    content(html);
    html.push_str(&format!("</{tag}>\n"));
}

fn block(html: &mut String, block: &Block) {
    match block {
        Block::Facts(facts) => tagged(html, "dl", |html| {
            for (label, it) in facts {
                tagged(html, "dt", |html| escape_html(html, label));
                tagged(html, "dd", |html| line(html, it));
            }
        }),
        Block::List(lines) => tagged(html, "ul", |html| {
            for it in lines {
                tagged(html, "li", |html| line(html, it));
            }
        }),
        Block::Table(heads, rows) => tagged(html, "table", |html| {
            let head = |html: &mut String| {
                for head in heads {
                    tagged(html, "th", |html| escape_html(html, head));
                }
            };
            tagged(html, "thead", |html| tagged(html, "tr", head));
            tagged(html, "tbody", |html| {
                for cells in rows {
                    tagged(html, "tr", |html| {
                        for (at, cell) in cells.iter().enumerate() {
                            tagged(html, if at == 0 { "th" } else { "td" }, |html| {
                                line(html, cell)
                            });
                        }
                    });
                }
            });
        }),
        Block::Quote(it) => quote(html, it),
        Block::Note(words) => tagged(html, "p", |html| sentence(html, words)),
    }
}

fn quote(html: &mut String, quote: &Quote) {
    tagged(html, "blockquote", |html| {
        // A line feed after the tag is not part of the text.
        tagged(html, "pre", |html| {
            html.push('\n');
            escape_html(html, &quote.text);
        });
        tagged(html, "p", |html| {
            escape_html(html, &rest(quote));
            events(html, &quote.event.into());
        });
    });
}

/// What is said of the rest of a text that is not quoted as a whole.
pub(super) fn rest(quote: &Quote) -> String {
    match quote.n_cut_bytes {
        0 => String::new(),
        n => format!("{} more", bytes(n)),
    }
}

fn line(html: &mut String, line: &Line) {
    sentence(html, &line.words);
    events(html, &line.events);
}

fn events(html: &mut String, events: &EventRefs) {
    let words = counts::at_events(
        &events.named.iter().map(|it| it.number).collect::<Vec<_>>(),
        events.n_more,
    );
    if !words.is_empty() {
        html.push_str(" <small>(");
        escape_html(html, &words);
        html.push_str(")</small>");
    }
}

fn sentence(html: &mut String, sentence: &Sentence) {
    for piece in sentence.pieces() {
        match piece {
            Piece::Text(words) => escape_html(html, words),
            Piece::Code(text) => {
                html.push_str("<code><bdi>");
                escape_html(html, text);
                html.push_str("</bdi></code>");
            }
        }
    }
}

/// Adds text with everything escaped that has a meaning in HTML. Characters that cannot be seen are written as their
/// numbers.
pub fn escape_html(html: &mut String, text: &str) {
    for char in marked(text).chars() {
        match char {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            _ => html.push(char),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{full, payloads, with_text};
    use super::*;
    use proptest::prelude::*;

    /// What is left of HTML without the tags that a brief consists of.
    fn without_own_tags(html: &str) -> String {
        const TAGS: [&str; 22] = [
            "article",
            "section",
            "h2",
            "h3",
            "dl",
            "dt",
            "dd",
            "ul",
            "li",
            "table",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
            "p",
            "pre",
            "blockquote",
            "small",
            "code",
            "bdi",
            "br",
        ];
        let mut rest = html.to_owned();
        for tag in TAGS {
            rest = rest.replace(&format!("<{tag}>"), "").replace(&format!("</{tag}>"), "");
        }
        rest
    }

    /// The text of every place of a brief with a text is in its HTML, and no markup beside its own.
    fn check(text: &str) -> Result<(), TestCaseError> {
        let html = brief_html(&with_text(text));
        let rest = without_own_tags(&html);
        prop_assert!(!rest.contains(['<', '>', '"', '\'']), "{}", rest);
        let plain = without_own_tags(&brief_html(&with_text("x")));
        prop_assert_eq!(
            html.matches("<tr>").count(),
            brief_html(&with_text("x")).matches("<tr>").count()
        );
        prop_assert!(!plain.is_empty());
        let is_odd = |char: char| {
            char.is_control() && !"\n\t\r".contains(char)
                || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        prop_assert!(!rest.contains(is_odd), "{:?}", rest);
        Ok(())
    }

    #[test]
    fn no_text_of_a_trace_becomes_markup() {
        let payloads = payloads();
        assert!(payloads.len() > 30);
        for payload in payloads {
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
    fn it_is_readable_without_a_style_sheet() {
        let html = brief_html(&full());
        for part in ["<h3>Asked</h3>", "<dt>Outcome</dt>", "<th>File</th>", "(event 7)"] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(!html.contains("style") && !html.contains("href"));
    }
}
