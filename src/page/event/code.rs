//! Source code: syntax colours and line numbers.

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;

use crate::search::hits::text_pieces;
use crate::shared::Shared;
use traceloupe_core::text::highlight::{CodeClass, highlight};
use traceloupe_core::text::listing::Listing;
use traceloupe_search::Pattern;
use traceloupe_words::page::event as text;

/// Source code in colours. During a search, marks on hits replace the colours.
pub fn coloured(text: &str, language: &str, pattern: Option<&Shared<Pattern>>) -> AnyView {
    if pattern.is_some() {
        return text_pieces(text, pattern);
    }
    let piece = |(class, text): (CodeClass, &str)| {
        let class = match class {
            CodeClass::Plain => return text_pieces(text, None),
            CodeClass::Comment => "note",
            CodeClass::Text => "string",
            CodeClass::Number => "number",
            CodeClass::Word => "word",
        };
        markup! { <span data-json=class>{text_pieces(text, None)}</span> }.into_any()
    };
    highlight(text, language).into_iter().map(piece).collect_view().into_any()
}

/// Lines of code with line numbers. The numbers are not part of a copy.
pub fn numbered(
    numbers: impl Iterator<Item = u32>,
    code: AnyView,
    site: Option<String>,
) -> impl IntoView {
    let numbers: String = numbers.map(|number| format!("{number}\n")).collect();
    markup! {
        <div class="source__lines" tabindex="0" role="group" aria-label=text::SOURCE_CODE>
            <pre class="source__numbers" aria-hidden="true">{numbers}</pre>
            <pre class="text" {..custom_attribute("data-site", site)}>{code}</pre>
        </div>
    }
}

/// A file listing, with the tool's text before and after it.
pub fn listing_view(
    listing: &Listing<'_>,
    language: &str,
    pattern: Option<&Shared<Pattern>>,
) -> AnyView {
    let aside = |text: &str| {
        let text = text.trim_matches('\n');
        (!text.is_empty())
            .then(|| markup! { <pre class="text text--aside">{text_pieces(text, pattern)}</pre> })
    };
    let mut code = listing.lines.join("\n");
    code.push('\n');
    markup! {
        {aside(listing.before)}
        {numbered(listing.numbers.iter().copied(), coloured(&code, language, pattern), None)}
        {aside(listing.after)}
    }
    .into_any()
}
