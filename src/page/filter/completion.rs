//! The suggestions of the input field: filter keys, and known names and words.

use crate::reactive::{Memo, RwSignal, Show, memo};
use leptos::prelude::*;

use crate::app::pane::Pane;
use crate::browser;
use crate::filter::typed;
use traceloupe_view::query::suggest::{Suggestion, suggest};
use traceloupe_words::count;
use traceloupe_words::page::filter as text;

/// The id of the list.
pub const LIST: &str = "filter-offers";

/// The suggestions for the typed text.
#[derive(Clone, Copy)]
pub struct Completions {
    pane: Pane,
    all: Memo<Vec<Suggestion>>,
    is_open: RwSignal<bool>,
    /// Index of the highlighted suggestion.
    at: RwSignal<Option<usize>>,
}

impl Completions {
    /// The suggestions for the field of a view.
    pub fn new(pane: Pane) -> Self {
        let is_open = RwSignal::new(false);
        // Nothing is counted before the user types.
        let all = memo(move || match is_open.get() {
            true => {
                let typed = typed::field_text(pane);
                pane.facets.with(|it| suggest(&typed, it))
            }
            false => Vec::new(),
        });
        Self { pane, all, is_open, at: RwSignal::new(None) }
    }

    /// Opens the list of suggestions.
    pub fn open(&self) {
        self.is_open.set(true);
        self.at.set(None);
    }

    /// Closes the list of suggestions.
    pub fn close(&self) {
        self.is_open.set(false);
        self.at.set(None);
    }

    /// Whether the list is shown.
    pub fn is_shown(&self) -> bool {
        self.all.with(|all| !all.is_empty())
    }

    /// Highlights the next or previous suggestion, wrapping around at the ends.
    pub fn step(&self, forward: bool) {
        if !self.is_open.get_untracked() {
            return self.open();
        }
        let n = self.all.with_untracked(Vec::len);
        self.at.update(|at| {
            *at = match (*at, forward) {
                _ if n == 0 => None,
                (None, true) => Some(0),
                (None, false) => Some(n - 1),
                (Some(at), true) => (at + 1 < n).then_some(at + 1),
                (Some(at), false) => at.checked_sub(1),
            };
        });
        if let Some(id) = self.active() {
            browser::show_inside(&format!("#{LIST}"), &format!("#{id}"));
        }
    }

    /// The highlighted suggestion.
    pub fn current(&self) -> Option<Suggestion> {
        let at = self.at.get_untracked()?;
        self.all.with_untracked(|all| all.get(at).cloned())
    }

    /// The id of the highlighted suggestion.
    pub fn active(&self) -> Option<String> {
        self.at.get().map(id)
    }

    /// Accepts a suggestion. After a key, the user still has to type its value.
    pub fn choose(&self, chosen: Suggestion) {
        if chosen.is_text {
            typed::search_for(self.pane, chosen.text);
            return self.close();
        }
        typed::set(self.pane, chosen.text);
        self.open();
        if !chosen.is_key {
            typed::enter(self.pane, true);
            self.close();
        }
    }
}

fn id(at: usize) -> String {
    format!("{LIST}-{at}")
}

/// The list under the field.
#[component]
pub fn Completion(offers: Completions) -> impl IntoView {
    let offer = move |(at, it): (usize, Suggestion)| {
        let is_marked = move || (offers.at.get() == Some(at)).to_string();
        let about = match it.n {
            Some(n) => count(n),
            None if it.is_text => text::AS_TEXT.to_owned(),
            None => text::about_key(&it.word).to_owned(),
        };
        let word = it.word.clone();
        markup! {
            <li id=id(at) role="option" aria-selected=is_marked
                // The field keeps the focus.
                on:mousedown=move |event| event.prevent_default()
                on:click=move |_| offers.choose(it.clone())>
                <code>{word}</code><small>{about}</small>
            </li>
        }
    };
    markup! {
        <Show when=move || offers.is_shown()>
            <ul id=LIST class="filter__offers" role="listbox" aria-label=text::OFFERS>
                {move || offers.all.get().into_iter().enumerate().map(offer).collect_view()}
            </ul>
        </Show>
    }
}
