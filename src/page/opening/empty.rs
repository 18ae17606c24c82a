//! The page without an open trace. It is in `index.html`, so that it can be used before this program has loaded.
//! `public/start.js` passes on its input.

use leptos::html::Div;
use leptos::prelude::*;

use crate::boot;
use crate::reactive::effect;

/// The container of the empty page while no trace is open.
#[component]
pub fn Empty() -> impl IntoView {
    let place: NodeRef<Div> = NodeRef::new();
    effect(move || {
        if let Some(place) = place.get() {
            boot::take_over(&place);
        }
    });
    markup! { <div class="start" node_ref=place></div> }
}
