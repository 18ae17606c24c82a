//! The page with nothing open. It stands in `index.html`, so that it can be used before this program is there;
//! `public/start.js` passes on what it is given.

use leptos::html::Div;
use leptos::prelude::*;

use crate::boot;
use crate::reactive::effect;

/// Where the empty page is while nothing is open.
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
