//! A text, drawn in its form.

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;

use crate::event::change::changes_view;
use crate::event::code::{coloured, listing_view};
use crate::event::prose::prose_view;
use crate::search::hits::text_pieces;
use crate::shared::Shared;
use traceloupe_core::text::listing::listing;
use traceloupe_core::text::patch::{self, Row};
use traceloupe_core::text::terminal;
use traceloupe_protocol::markdown;
use traceloupe_protocol::text_form::TextForm;
use traceloupe_search::Pattern;

/// Draws a text in a form. `site` is its place in the trace, for annotations on part of it.
pub fn rendered(
    text: &str,
    form: &TextForm,
    site: Option<String>,
    pattern: Option<&Shared<Pattern>>,
) -> AnyView {
    let plain = |content: AnyView, look: &'static str| {
        markup! {
            <pre class="text" data-look=look data-empty=text.is_empty().to_string()
                {..custom_attribute("data-site", site.clone())}>{content}</pre>
        }
        .into_any()
    };
    match form {
        TextForm::Plain => plain(text_pieces(text, pattern), "plain"),
        TextForm::Prose => plain(text_pieces(text, pattern), "prose"),
        TextForm::Code(language) => plain(coloured(text, language, pattern), "code"),
        TextForm::Terminal => terminal_view(text, pattern),
        TextForm::Markdown(nodes) => prose_view(nodes, pattern),
        TextForm::Diff => changes_view(&patch::parse_marked(text), pattern),
        TextForm::Listing(language) => match listing(text) {
            Some(listing) => listing_view(&listing, language, pattern),
            None => plain(text_pieces(text, pattern), "plain"),
        },
    }
}

/// How many hits the drawn form of a text has. Text that the form omits, such as Markdown markup, only occurs in the
/// source.
pub fn n_drawn_hits(text: &str, form: &TextForm, pattern: &Pattern) -> usize {
    let count = |text: &str| pattern.matches(text).count();
    match form {
        TextForm::Plain | TextForm::Prose | TextForm::Code(_) => count(text),
        TextForm::Terminal => terminal::pieces(text).iter().map(|piece| count(&piece.1)).sum(),
        TextForm::Markdown(nodes) => {
            let mut n = 0;
            markdown::each_text(nodes, &mut |text| n += count(text));
            n
        }
        TextForm::Diff => {
            let files = patch::parse(text);
            let of_row = |row: &Row| match row {
                Row::Line(line) => count(&line.text),
                Row::Gap(text, _) | Row::Other(text) => count(text),
            };
            let of_file = |file: &patch::FileChange| -> usize {
                count(&file.path) + file.rows.iter().map(of_row).sum::<usize>()
            };
            files.iter().map(of_file).sum()
        }
        TextForm::Listing(_) => listing(text).map_or(0, |listing| {
            let lines: usize = listing.lines.iter().map(|line| count(line)).sum();
            count(listing.before) + lines + count(listing.after)
        }),
    }
}

/// Terminal output, in its colours.
fn terminal_view(text: &str, pattern: Option<&Shared<Pattern>>) -> AnyView {
    let piece = |(style, text): (terminal::Style, String)| {
        let content = text_pieces(&text, pattern);
        if style == terminal::Style::default() {
            return content;
        }
        let flags = [
            (style.is_bold, "bold"),
            (style.is_dim, "dim"),
            (style.is_italic, "italic"),
            (style.is_underlined, "underline"),
            (style.is_filled, "filled"),
        ];
        let words: Vec<&str> = flags.into_iter().filter(|flag| flag.0).map(|flag| flag.1).collect();
        let colour = style.colour.map(terminal::Colour::word);
        markup! {
            <span {..custom_attribute("data-ansi", words.join(" "))}
                {..custom_attribute("data-colour", colour)}>{content}</span>
        }
        .into_any()
    };
    let pieces = terminal::pieces(text).into_iter().map(piece).collect_view();
    markup! { <pre class="text" data-look="terminal">{pieces}</pre> }.into_any()
}
