//! A short message over the page that disappears by itself.

use std::time::Duration;

use leptos::attr::custom::custom_attribute;
use leptos::html::Div;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;

use crate::app::page;

/// How long a message is shown.
const SHOWN_FOR: Duration = Duration::from_secs(4);

/// The message in `Page::toast`. Screen readers get it from the live region instead.
#[component]
pub fn Toast() -> impl IntoView {
    let page = page();
    let element: NodeRef<Div> = NodeRef::new();
    Effect::new(move |before: Option<Option<TimeoutHandle>>| {
        if let Some(timer) = before.flatten() {
            timer.clear();
        }
        let is_shown = page.toast.with(Option::is_some);
        if let Some(element) = element.get() {
            // It is a popover, because an open dialog covers everything else. Nothing needs to be done if the API is
            // missing or the popover is already hidden.
            let _ = element.hide_popover();
            if is_shown {
                let _ = element.show_popover();
            }
        }
        if !is_shown {
            return None;
        }
        set_timeout_with_handle(move || page.toast.set(None), SHOWN_FOR).ok()
    });
    markup! {
        <div class="toast" node_ref=element aria-hidden="true" {..custom_attribute("popover", "manual")}>
            {move || page.toast.get()}
        </div>
    }
}
