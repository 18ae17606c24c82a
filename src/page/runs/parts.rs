//! Buttons that choose which part of a list is shown.

use crate::reactive::{Memo, RwSignal};
use leptos::prelude::*;

/// A part of a list: its number, its label, and how many lines it has.
pub type ListPart = (usize, &'static str, usize);

/// A button for each part, with the number of its lines. Nothing if there are no parts.
pub fn list_parts(
    label: &'static str,
    parts: Memo<Vec<ListPart>>,
    chosen: RwSignal<usize>,
) -> AnyView {
    let button = move |(part, word, n): ListPart| {
        let pressed = move || (chosen.get() == part).to_string();
        markup! {
            <button aria-pressed=pressed on:click=move |_| chosen.set(part)>{word}" "<span>{n}</span></button>
        }
    };
    let group = move || {
        let parts = parts.get();
        (!parts.is_empty()).then(|| {
            let buttons = parts.into_iter().map(button).collect_view();
            markup! { <div class="seg" role="group" aria-label=label>{buttons}</div> }
        })
    };
    group.into_any()
}
