//! Icons as elements.

use leptos::prelude::*;

/// An icon from its drawing (see [`traceloupe_view::icon`]). It is hidden from screen readers, because the text beside
/// it or the label of its button has the same meaning.
pub fn glyph(path: &'static str) -> AnyView {
    markup! { <svg class="glyph" viewBox="0 0 16 16" aria-hidden="true"><path d=path></path></svg> }
        .into_any()
}
