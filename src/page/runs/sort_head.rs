//! The heading of a sortable column.

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;

use crate::reactive::{RwSignal, live};
use traceloupe_view::table::{Head, Layout, Sort};
use traceloupe_words::page::statistics as text;

/// The sort order of the rows of a table.
pub type SortedBy = RwSignal<Option<Sort>>;

/// The heading of a column. The first click sorts by it, the second one reverses the order, the third one removes it.
pub fn sort_head(by: SortedBy, head: Head, layout: Layout) -> impl IntoView {
    let sorted = move || Sort::direction(by.get(), &head);
    let sign = live(move || match sorted() {
        "ascending" => " ▴",
        "descending" => " ▾",
        _ => "",
    });
    let words = if layout == Layout::Narrow { head.short } else { head.words };
    markup! {
        <th scope="col" data-column=head.id {..custom_attribute("aria-sort", sorted)}>
            <button class="quiet named" title=text::SORT_TITLE
                on:click=move |_| by.update(|by| *by = Sort::clicked(*by, head.id))>
                {words}<span aria-hidden="true">{sign}</span></button>
        </th>
    }
}
