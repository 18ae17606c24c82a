//! The brief as a view. Each line leads to its events.

use leptos::prelude::*;

use crate::app::page::Dialog;
use crate::app::pane::{Pane, pane};
use crate::brief::{copy_markdown, current};
use crate::browser;
use crate::event::prose::prose_view;
use crate::pane;
use crate::reactive::live;
use crate::runs::findings::drawn;
use crate::search::hits::text_pieces;
use traceloupe_protocol::markdown;
use traceloupe_view::brief::texts::document_of;
use traceloupe_view::passages::Subject;
use traceloupe_words::brief::{Block, EventRefs, Line, Quote, Section, sections};
use traceloupe_words::page::brief as text;
use traceloupe_words::{bytes, count, counts};

/// The sections that stand beside the others, because they consist of figures.
const FIGURES: [&str; 3] = ["run", "tokens", "time"];

/// The view.
#[component]
pub fn BriefView() -> impl IntoView {
    let pane = pane();
    let brief = current(pane);
    let content = live(move || {
        let all = brief.with(|brief| sections(brief));
        let column = |class: &'static str, has_figures: bool| {
            let those = all.iter().filter(|it| FIGURES.contains(&it.id) == has_figures);
            markup! { <div class=class>{those.map(|it| section_view(pane, it)).collect_view()}</div> }
        };
        (column("brief__texts", false), column("brief__figures", true))
    });
    markup! {
        <article class="brief">
            <header class="brief__head">
                <h2>{text::HEADING}</h2>
                <button title=text::COPY_MARKDOWN_TITLE on:click=move |_| copy_markdown(pane, &brief.get_untracked())>{text::COPY_MARKDOWN}</button>
                <button title=text::FOR_LLM_TITLE on:click=move |_| pane.page.dialog.set(Some(Dialog::ForLlm(Subject::Brief)))>{text::FOR_LLM}</button>
            </header>
            {content}
        </article>
    }
}

fn section_view(pane: Pane, section: &Section) -> AnyView {
    let blocks = section.blocks.iter().map(|block| block_view(pane, block)).collect_view();
    markup! {
        <section class="brief__part" data-part=section.id>
            <h3>{section.heading}</h3>
            {blocks}
        </section>
    }
    .into_any()
}

fn block_view(pane: Pane, block: &Block) -> AnyView {
    match block {
        Block::Facts(facts) => {
            let fact = |(label, line): &(&'static str, Line)| {
                markup! { <div><dt>{*label}</dt><dd>{line_view(pane, line)}</dd></div> }
            };
            markup! { <dl>{facts.iter().map(fact).collect_view()}</dl> }.into_any()
        }
        Block::List(lines) => {
            let item = |line: &Line| markup! { <li>{line_view(pane, line)}</li> };
            markup! { <ul role="list">{lines.iter().map(item).collect_view()}</ul> }.into_any()
        }
        Block::Table(heads, rows) => {
            let head = |head: &&'static str| markup! { <th scope="col">{*head}</th> };
            let cell = |(at, line): (usize, &Line)| match at {
                0 => markup! { <th scope="row">{line_view(pane, line)}</th> }.into_any(),
                _ => markup! { <td>{line_view(pane, line)}</td> }.into_any(),
            };
            let row = |cells: &Vec<Line>| {
                markup! { <tr>{cells.iter().enumerate().map(cell).collect_view()}</tr> }
            };
            markup! {
                <table>
                    <thead><tr>{heads.iter().map(head).collect_view()}</tr></thead>
                    <tbody>{rows.iter().map(row).collect_view()}</tbody>
                </table>
            }
            .into_any()
        }
        Block::Quote(quote) => quote_view(pane, quote),
        Block::Note(words) => markup! { <p>{drawn(words)}</p> }.into_any(),
    }
}

/// The beginning of a document is drawn up to this many lines and characters.
const MOST_LINES: u32 = 40;
const MOST_CHARS: u32 = 2_400;

/// A quoted text as it is drawn in its event, if that is Markdown.
fn document_view(pane: Pane, quote: &Quote) -> Option<AnyView> {
    let id = pane.trace.outline.with(|outline| outline.rows.ids.get(quote.event.row));
    pane.trace.contents.details.with(|details| {
        let nodes = document_of(details.get(&id)?, &quote.text)?;
        let head = markdown::head(nodes, MOST_LINES, MOST_CHARS);
        Some(prose_view(head.as_deref().unwrap_or(nodes), None))
    })
}

fn quote_view(pane: Pane, quote: &Quote) -> AnyView {
    let words = document_view(pane, quote).unwrap_or_else(|| {
        markup! { <p class="brief__quote">{text_pieces(&quote.text, None)}</p> }.into_any()
    });
    let rest = (quote.n_cut_bytes > 0).then(|| text::rest(&bytes(quote.n_cut_bytes)));
    markup! {
        <blockquote>
            {words}
            <p class="brief__rest">{rest}{events_view(pane, &quote.event.into())}</p>
        </blockquote>
    }
    .into_any()
}

fn line_view(pane: Pane, line: &Line) -> AnyView {
    markup! { {drawn(&line.words)}" "{events_view(pane, &line.events)} }.into_any()
}

/// The events of a line as buttons that go to their rows.
fn events_view(pane: Pane, events: &EventRefs) -> AnyView {
    let button = |(at, event): (usize, &traceloupe_words::brief::EventRef)| {
        let (row, number) = (event.row, count(u64::from(event.number)));
        let label = counts::at_events(&[event.number], 0);
        // The first one says what the numbers are.
        let words = if at == 0 { label.clone() } else { number };
        markup! {
            <button class="brief__event" aria-label=text::go_to(&label) title=text::go_to(&label) on:click=move |_| {
                pane::actions::read(pane, row);
                browser::focus_timeline();
            }>{words}</button>
        }
    };
    let n_more = events.n_more;
    let more =
        (n_more > 0).then(|| markup! { <span class="brief__more">{text::more(n_more)}</span> });
    markup! { {events.named.iter().enumerate().map(button).collect_view()}{more} }.into_any()
}
