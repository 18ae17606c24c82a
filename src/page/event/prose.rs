//! Markdown as views. Nothing is loaded, HTML is inert, and links open only after confirmation.

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;

use crate::event::change::changes_view;
use crate::event::code::coloured;
use crate::event::link::{Target, link_view};
use crate::event::values::Copy;
use crate::reactive::Show;
use crate::search::hits::text_pieces;
use crate::shared::Shared;
use traceloupe_core::text::patch;
use traceloupe_protocol::markdown::{Align, Element, Node};
use traceloupe_search::Pattern;
use traceloupe_words::page::event as text;

/// A document.
pub fn prose_view(nodes: &[Node], pattern: Option<&Shared<Pattern>>) -> AnyView {
    markup! { <div class="prose">{views(nodes, pattern)}</div> }.into_any()
}

/// The tree has a limited depth, so recursion is safe.
fn views(nodes: &[Node], pattern: Option<&Shared<Pattern>>) -> Vec<AnyView> {
    nodes.iter().map(|node| view(node, pattern)).collect()
}

fn view(node: &Node, pattern: Option<&Shared<Pattern>>) -> AnyView {
    match node {
        Node::Text(text) => text_pieces(text, pattern),
        Node::Html(text) => {
            markup! { <span class="prose__html">{text_pieces(text, pattern)}</span> }.into_any()
        }
        Node::Code(text) => markup! { <code>{text_pieces(text, pattern)}</code> }.into_any(),
        Node::CodeBlock(language, text) => code_block(language, text, pattern),
        Node::Break => markup! { <br/> }.into_any(),
        Node::Rule => markup! { <hr/> }.into_any(),
        Node::Check(is_done) => {
            let (sign, words) =
                if *is_done { ("☑ ", text::DONE) } else { ("☐ ", text::NOT_DONE) };
            markup! { <span role="img" aria-label=words>{sign}</span> }.into_any()
        }
        Node::Image(address, title, content) => {
            let content = markup! { {text::IMAGE_IN_TEXT}{views(content, pattern)} }.into_any();
            link_view(&Target { address, title, is_image: true }, content, pattern)
        }
        Node::Link(address, title, content) => {
            let content = views(content, pattern).into_any();
            link_view(&Target { address, title, is_image: false }, content, pattern)
        }
        Node::Element(element, content) => element_view(*element, content, pattern),
    }
}

fn element_view(element: Element, nodes: &[Node], pattern: Option<&Shared<Pattern>>) -> AnyView {
    if element == Element::Table {
        return table_view(nodes, pattern);
    }
    let content = views(nodes, pattern);
    match element {
        Element::Paragraph => markup! { <p>{content}</p> }.into_any(),
        Element::HtmlBlock => markup! { <p class="prose__html">{content}</p> }.into_any(),
        // The page itself has headings above these levels.
        Element::Heading(level) => {
            let level = level.to_string();
            markup! {
                <div class="prose__head" role="heading" {..custom_attribute("aria-level", level.clone())} data-level=level>{content}</div>
            }
            .into_any()
        }
        Element::Quote => markup! { <blockquote>{content}</blockquote> }.into_any(),
        Element::List(None) => markup! { <ul>{content}</ul> }.into_any(),
        Element::List(Some(first)) => {
            markup! { <ol start=first.to_string()>{content}</ol> }.into_any()
        }
        Element::Item => markup! { <li>{content}</li> }.into_any(),
        Element::Emphasis => markup! { <em>{content}</em> }.into_any(),
        Element::Strong => markup! { <b>{content}</b> }.into_any(),
        Element::Struck => markup! { <s>{content}</s> }.into_any(),
        // Parts of a table do not occur outside a table.
        Element::Table | Element::Head | Element::Row | Element::Cell(_) => {
            markup! { <p>{content}</p> }.into_any()
        }
    }
}

fn table_view(rows: &[Node], pattern: Option<&Shared<Pattern>>) -> AnyView {
    let row = |node: &Node| {
        let Node::Element(part, cells) = node else { return ().into_any() };
        let is_head = *part == Element::Head;
        let cells = cells.iter().map(|cell| {
            let Node::Element(Element::Cell(align), content) = cell else { return ().into_any() };
            let align = match align {
                Align::Start => "start",
                Align::Centre => "centre",
                Align::End => "end",
            };
            let content = views(content, pattern);
            match is_head {
                true => markup! { <th scope="col" data-align=align>{content}</th> }.into_any(),
                false => markup! { <td data-align=align>{content}</td> }.into_any(),
            }
        });
        markup! { <tr>{cells.collect_view()}</tr> }.into_any()
    };
    let rows = rows.iter().map(row).collect_view();
    markup! {
        <div class="prose__table" tabindex="0" role="group" aria-label=text::TABLE>
            <table><tbody>{rows}</tbody></table>
        </div>
    }
    .into_any()
}

fn code_block(language: &str, code: &str, pattern: Option<&Shared<Pattern>>) -> AnyView {
    if matches!(language, "diff" | "patch") && patch::is_patch(code) {
        return changes_view(&patch::parse(code), pattern);
    }
    let copied = Shared::new(code.to_owned());
    let name = language.to_owned();
    let has_name = !name.is_empty();
    markup! {
        <div class="prose__code value">
            <Show when=move || has_name><div class="prose__language">{name.clone()}</div></Show>
            <pre class="code" tabindex="0">{coloured(code, language, pattern)}</pre>
            <div class="block__acts"><Copy text=copied/></div>
        </div>
    }
    .into_any()
}
