//! The filter bar: its terms, and how many rows match.

use crate::reactive::{Show, live, memo};
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::browser;
use crate::glyph::glyph;
use crate::pane::filtering;
use crate::shared::Shared;
use traceloupe_view::icon;
use traceloupe_view::list::scope::range;
use traceloupe_view::query::facets::unknown_name;
use traceloupe_view::query::matching::Matching;
use traceloupe_words::page::filter as text;

/// The bar, shown while there is a filter.
#[component]
pub fn FilterBar() -> impl IntoView {
    let pane = pane();
    let is_filtered = memo(move || pane.choice.with(|choice| choice.is_filtered()));
    let terms = memo(move || {
        pane.choice.with(|choice| {
            choice.query.terms().iter().map(|it| (it.print(), it.is_not)).collect::<Vec<_>>()
        })
    });
    let term = move |(at, (words, is_not)): (usize, (String, bool))| {
        let title = text::remove(&words);
        markup! {
            <button class="filter__term" data-not=is_not.to_string() title=title.clone() aria-label=title
                on:click=move |_| {
                    filtering::remove(pane, at);
                    browser::focus_timeline();
                }><bdi>{words}</bdi><span aria-hidden="true">"✕"</span></button>
        }
    };
    markup! {
        <Show when=move || is_filtered.get()>
            <section class="filter" aria-label=text::FILTER_OF_ROWS>
                {glyph(icon::FUNNEL)}
                {move || terms.get().into_iter().enumerate().map(term).collect_view()}
                <span class="filter__count" role="status">{move || count(pane)}</span>
                <div class="seg filter__how" role="group" aria-label=text::OTHER_ROWS>
                    {how(pane, false, text::HIDE, text::HIDE_TITLE)}
                    {how(pane, true, text::DIM, text::DIM_TITLE)}
                </div>
                <button class="quiet" on:click=move |_| {
                    filtering::clear_filter(pane);
                    browser::focus_timeline();
                }>{text::CLEAR_FILTERS}</button>
            </section>
        </Show>
    }
}

fn how(pane: Pane, dims: bool, words: &'static str, title: &'static str) -> impl IntoView {
    let pressed = move || pane.choice.with(|choice| choice.dims == dims).to_string();
    markup! {
        <button aria-pressed=pressed title=title on:click=move |_| filtering::set_dims(pane, dims)>{words}</button>
    }
}

/// `12 of 320 rows`.
fn count(pane: Pane) -> String {
    let rows = pane.trace.outline.with(|outline| pane.choice.with(|choice| range(outline, choice)));
    let of = rows.end - rows.start;
    let fits = |it: &Shared<Matching>| rows.filter(|row| it.has(*row)).count();
    let n = u32::try_from(pane.matching.with(fits)).unwrap_or(of);
    let looking = pane.choice.with(|choice| (!choice.texts.done).then_some(choice.texts.looked_at));
    let has_texts = pane.choice.with(|choice| choice.texts.needles().next().is_some());
    text::rows_left(n, of, looking.filter(|_| has_texts))
}

/// Shown if no row matches the filter.
#[component]
pub fn NoMatch() -> impl IntoView {
    let pane = pane();
    let unknown = move || {
        let outline = pane.trace.outline.get();
        pane.choice.with(|choice| unknown_name(&outline, choice.run, &choice.query))
    };
    let is_looking = move || {
        pane.choice.with(|choice| !choice.texts.done && choice.texts.needles().next().is_some())
    };
    live(move || {
        if is_looking() {
            return markup! { <p>{text::LOOKING}</p> }.into_any();
        }
        let hint = unknown().map(|(term, like)| text::not_here(&term, like.as_deref()));
        markup! {
            <p><b>{text::NO_ROWS_MATCH}</b></p>
            {hint.map(|hint| markup! { <p>{hint}</p> })}
            <button on:click=move |_| {
                filtering::clear_filter(pane);
                browser::focus_timeline();
            }>{text::SHOW_ALL_ROWS}</button>
        }
        .into_any()
    })
}
