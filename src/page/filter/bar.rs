//! The line of the filter: its terms, a field for more, and how many rows are left.

use crate::reactive::{Show, live, memo};
use crate::words::filter as text;
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::browser;
use crate::filter::completion::{Completion, Completions};
use crate::glyph::glyph;
use crate::pane::filtering;
use crate::shared::Shared;
use traceloupe::view::page::icon;
use traceloupe::view::page::query::facets::unknown_name;
use traceloupe::view::page::query::matching::Matching;
use traceloupe::view::page::scope::range;

/// The id of what is said of the field.
const FAULTS: &str = "filter-faults";

/// The line.
#[component]
pub fn FilterBar() -> impl IntoView {
    let pane = pane();
    let is_filtered = memo(move || pane.choice.with(|choice| choice.is_filtered()));
    let has_faults = memo(move || pane.filter.faults.with(|faults| !faults.is_empty()));
    let is_shown = move || {
        is_filtered.get()
            || has_faults.get()
            || pane.filter.is_wanted.get()
            || pane.shows_side.get()
    };
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
                    browser::focus(filtering::FIELD);
                }><bdi>{words}</bdi><span aria-hidden="true">"✕"</span></button>
        }
    };
    markup! {
        <section class="filter" aria-label=text::FILTER_OF_ROWS data-shown=move || is_shown().to_string()
            data-set=move || is_filtered.get().to_string()>
            <div class="filter__box" data-fault=move || has_faults.get().to_string()>
                {glyph(icon::FUNNEL)}
                {move || terms.get().into_iter().enumerate().map(term).collect_view()}
                <Field/>
            </div>
            <Show when=move || is_filtered.get()>
                <span class="filter__count" role="status">{move || count(pane)}</span>
                <div class="seg filter__how" role="group" aria-label=text::OTHER_ROWS>
                    {how(pane, false, text::HIDE, text::HIDE_TITLE)}
                    {how(pane, true, text::DIM, text::DIM_TITLE)}
                </div>
                <button class="quiet" on:click=move |_| {
                    filtering::clear_filter(pane);
                    browser::focus_timeline();
                }>{text::CLEAR_FILTERS}</button>
            </Show>
            {move || pane.filter.faults.with(|faults| (!faults.is_empty()).then(|| {
                let said = faults.iter().map(|fault| markup! { <li>{text::fault(fault)}</li> });
                markup! { <ul id=FAULTS class="filter__faults" role="alert" aria-label=text::FILTER_OF_ROWS>{said.collect_view()}</ul> }
            }))}
        </section>
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

/// The field, with what it offers.
#[component]
fn Field() -> impl IntoView {
    let pane = pane();
    let typed = pane.filter.typed;
    let offers = Completions::new(pane);
    let pressed = move |event: leptos::ev::KeyboardEvent| {
        let key = event.key();
        match key.as_str() {
            _ if event.is_composing() => return,
            "ArrowDown" => offers.step(true),
            "ArrowUp" => offers.step(false),
            "Enter" => match offers.current() {
                Some(chosen) => offers.choose(chosen),
                None => {
                    filtering::add_typed(pane);
                    offers.close();
                }
            },
            "Tab" => match offers.current() {
                Some(chosen) => offers.choose(chosen),
                None => return,
            },
            "Backspace" if typed.with_untracked(String::is_empty) => filtering::take_back(pane),
            "Escape" => {
                offers.close();
                browser::focus_timeline();
            }
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let is_empty = move || pane.choice.with(|choice| !choice.is_filtered());
    markup! {
        <div class="filter__field">
            <input id=filtering::FIELD type="text" role="combobox" autocomplete="off" spellcheck="false"
                autocapitalize="off" aria-label=text::FILTER_ROWS title=text::FIELD_TITLE
                placeholder=move || if is_empty() { text::EXAMPLE } else { text::MORE }
                aria-autocomplete="list" aria-expanded=move || offers.is_shown().to_string()
                aria-controls=move || offers.is_shown().then_some(crate::filter::completion::LIST)
                aria-activedescendant=move || offers.active()
                aria-invalid=move || pane.filter.faults.with(|it| !it.is_empty()).to_string()
                aria-describedby=move || pane.filter.faults.with(|it| (!it.is_empty()).then_some(FAULTS))
                prop:value=move || typed.get()
                on:input=move |event| {
                    filtering::set_typed(pane, event_target_value(&event));
                    offers.open();
                }
                on:focus=move |_| offers.open() on:click=move |_| offers.open()
                on:blur=move |_| {
                    offers.close();
                    if typed.with_untracked(String::is_empty) {
                        pane.filter.is_wanted.set(false);
                    }
                }
                on:keydown=pressed/>
            <Completion offers/>
        </div>
    }
}

/// What is said if no row fits the filter.
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
