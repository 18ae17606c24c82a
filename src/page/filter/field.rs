//! The field at the top, for search text and filter terms, with its options, the count of hits, and suggestions.

use crate::glyph::glyph;
use crate::reactive::{Show, memo};
use leptos::prelude::*;

use crate::app::pane::pane;
use crate::browser;
use crate::filter::completion::{Completion, Completions, LIST};
use crate::filter::typed;
use crate::search::actions;
use traceloupe_search::Query;
use traceloupe_view::icon::{self, Icon};
use traceloupe_view::query::parse::Fault;
use traceloupe_words::page::filter as filter_text;
use traceloupe_words::page::search as text;

/// The id of the messages about the field.
const FAULTS: &str = "filter-faults";

/// The field, its options, the count of hits, and buttons for the next and previous match.
#[component]
pub fn Field() -> impl IntoView {
    let pane = pane();
    let query = pane.search.query;
    let has_query = memo(move || query.with(|query| !query.is_empty()));
    let fault = memo(move || pane.search.found.with(|found| found.last.fault.clone()));
    let has_faults = memo(move || pane.filter.faults.with(|faults| !faults.is_empty()));
    let is_wrong = move || (has_faults.get() || fault.with(Option::is_some)).to_string();
    let offers = Completions::new(pane);
    let pressed = move |event: leptos::ev::KeyboardEvent| {
        match event.key().as_str() {
            _ if event.is_composing() => return,
            "ArrowDown" => offers.step(true),
            "ArrowUp" => offers.step(false),
            "Enter" => match offers.current() {
                Some(chosen) => offers.choose(chosen),
                None => {
                    offers.close();
                    typed::enter(pane, !event.shift_key());
                }
            },
            "Tab" => match offers.current() {
                Some(chosen) => offers.choose(chosen),
                None => return,
            },
            // Here the key only ends the search.
            "Escape" => {
                offers.close();
                actions::clear_search(pane);
                browser::focus_timeline();
            }
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let option = move |words: &'static str,
                       title: &'static str,
                       is_on: fn(&Query) -> bool,
                       set: fn(&mut Query)| {
        let is_on = move || query.with(is_on).to_string();
        let act = move |_| {
            let mut changed = query.get_untracked();
            set(&mut changed);
            actions::search(pane, changed);
        };
        markup! {
            <button class="find__opt" aria-pressed=is_on title=title aria-label=title on:click=act>{words}</button>
        }
    };
    markup! {
        <div class="find" role="search" aria-label=text::SEARCH_THE_TRACE data-set=move || has_query.get().to_string()
            data-landing=move || pane.search.is_landing.get().to_string() data-fault=is_wrong>
            <div class="find__box">
                {glyph(Icon::Search.path())}
                <input id="search-input" type="search" role="combobox" placeholder=text::PLACEHOLDER autocomplete="off"
                    spellcheck="false" autocapitalize="off" aria-label=text::SEARCH_AND_FILTER title=text::FIELD_TITLE
                    aria-autocomplete="list" aria-expanded=move || offers.is_shown().to_string()
                    aria-controls=move || offers.is_shown().then_some(LIST)
                    aria-activedescendant=move || offers.active()
                    aria-invalid=is_wrong
                    aria-describedby=move || has_faults.get().then_some(FAULTS)
                    prop:value=move || typed::field_text(pane)
                    on:input=move |event| {
                        let value = event_target_value(&event);
                        if value.is_empty() { offers.close() } else { offers.open() }
                        typed::set(pane, value);
                    }
                    on:focus=move |_| offers.open() on:click=move |_| offers.open()
                    on:blur=move |_| offers.close() on:keydown=pressed/>
                <Show when=move || has_query.get()>
                    <Count/>
                    <button class="find__step" title=text::PREVIOUS_MATCH_N aria-label=text::PREVIOUS_MATCH
                        on:click=move |_| actions::next_hit(pane, false)>{glyph(icon::UP)}</button>
                    <button class="find__step" title=text::NEXT_MATCH_N aria-label=text::NEXT_MATCH
                        on:click=move |_| actions::next_hit(pane, true)>{glyph(icon::DOWN)}</button>
                </Show>
                {option("Aa", text::MATCH_CASE, Query::is_case_sensitive, |query| query.case = Some(!query.is_case_sensitive()))}
                {option("W", text::WHOLE_WORDS, |query| query.word, |query| query.word = !query.word)}
                {option(".*", text::REGULAR_EXPRESSION, |query| query.regex, |query| query.regex = !query.regex)}
                <Completion offers/>
            </div>
            {move || fault.get().map(|fault| {
                let at = fault.at.map(text::at_character).unwrap_or_default();
                markup! { <p class="find__fault" role="alert" aria-label=text::SEARCH>{at}{fault.what}</p> }
            })}
            {move || has_faults.get().then(|| {
                let said = pane.filter.faults.get().iter().map(Fault::words).collect::<Vec<_>>().join("\n");
                markup! { <p id=FAULTS class="find__fault" role="alert" aria-label=filter_text::FILTER_OF_ROWS>{said}</p> }
            })}
        </div>
    }
}

/// The number of hits, as a button that opens the list of hits.
#[component]
fn Count() -> impl IntoView {
    let pane = pane();
    let found = pane.search.found;
    let total = move || found.with(|found| found.last.total.to_string());
    let done = move || found.with(|found| found.last.done.to_string());
    let current = memo(move || {
        let row = pane.selected.get().and_then(traceloupe_view::list::visible_lines::Line::row)?;
        found.with(|found| found.position(row))
    });
    let words = move || {
        found.with(|found| {
            let last = &found.last;
            let share = || (last.searched_bytes * 100).checked_div(last.total_bytes).unwrap_or(0);
            match (last.total, last.done, current.get()) {
                (_, true, _) if last.fault.is_some() => "–".to_owned(),
                (0, false, _) => text::searching(share()),
                (_, _, Some(at)) => text::place(at, found.n_events(), last.total, last.done),
                (_, true, None) => actions::hits_in_words(found),
                (_, false, None) => text::hits_so_far(&actions::hits_in_words(found), share()),
            }
        })
    };
    let title = move || {
        found.with(|found| {
            let last = &found.last;
            let mut title = actions::hits_in_words(found);
            if last.nowhere > 0 {
                title.push_str(&text::outside_events(last.nowhere));
            }
            text::searched(&title, last.searched_bytes, last.total_bytes)
        })
    };
    markup! {
        <button id="search-count" class="quiet find__count" title=title data-total=total data-done=done
            aria-expanded=move || pane.search.list_is_open.get().to_string()
            on:click=move |_| actions::toggle_hits(pane)>{words}</button>
    }
}
