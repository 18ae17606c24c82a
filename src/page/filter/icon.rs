//! The icon of the filter.

use leptos::prelude::*;

/// Three lines, each shorter than the one above.
#[component]
pub fn FilterIcon() -> impl IntoView {
    markup! { <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4h12M4.5 8h7M7 12h2"></path></svg> }
}
