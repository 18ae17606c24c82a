//! The heading of a column that rows are sorted by.

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;

use crate::reactive::{RwSignal, live};
use crate::words::runs as text;

/// The column that the rows of a table are sorted by, and whether the smallest number comes first.
pub type SortedBy = RwSignal<Option<(usize, bool)>>;

/// The heading of a column. A click sorts by it, the largest first; a second one the smallest; a third not at all.
pub fn sort_head(by: SortedBy, at: usize, words: String) -> impl IntoView {
    let sorted = move || match by.get() {
        Some((column, true)) if column == at => "ascending",
        Some((column, false)) if column == at => "descending",
        _ => "none",
    };
    let sign = live(move || match sorted() {
        "ascending" => " ▴",
        "descending" => " ▾",
        _ => "",
    });
    markup! {
        <th scope="col" data-at=at.to_string() {..custom_attribute("aria-sort", sorted)}>
            <button class="quiet named" title=text::SORT_TITLE on:click=move |_| by.update(|by| {
                *by = match *by {
                    Some((column, false)) if column == at => Some((at, true)),
                    Some((column, true)) if column == at => None,
                    _ => Some((at, false)),
                };
            })>{words}<span aria-hidden="true">{sign}</span></button>
        </th>
    }
}
