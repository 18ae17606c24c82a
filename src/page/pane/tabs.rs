//! The chosen view of a trace, which the link names.

use leptos::prelude::*;

use crate::app::pane::Pane;
use crate::browser;
use traceloupe::view::route::Route;

/// Chooses a view by its id, and puts it into the link.
pub fn choose_tab(pane: Pane, id: &str) {
    if pane.tab.with_untracked(|tab| tab == id) {
        return;
    }
    pane.tab.set(id.to_owned());
    let fragment = Route::parse(&browser::fragment()).with_tab(id);
    browser::replace_fragment(&fragment);
    let mut route = Route::parse(&fragment);
    route.sel = pane.page.route.with_untracked(|old| old.sel.clone());
    pane.page.route.set(route);
}

/// Chooses the view that the link names, when a trace is first shown.
pub(crate) fn take_from_link(pane: Pane) {
    if let Some(tab) = pane.page.route.with_untracked(|route| route.tab.clone()) {
        pane.tab.set(tab);
    }
}
