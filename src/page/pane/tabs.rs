//! The tabs of a trace that has exhibits: which one is in front, and in the link.

use leptos::prelude::*;

use crate::app::pane::Pane;
use crate::browser;
use traceloupe::view::route::{Route, Tab};

/// Puts a tab in front, and into the link.
pub fn choose_tab(pane: Pane, tab: Tab) {
    if pane.tab.get_untracked() == tab {
        return;
    }
    pane.tab.set(tab);
    let fragment = Route::parse(&browser::fragment()).with_tab(tab);
    browser::replace_fragment(&fragment);
    let mut route = Route::parse(&fragment);
    route.sel = pane.page.route.with_untracked(|old| old.sel.clone());
    pane.page.route.set(route);
}

/// Takes the tab that the link names, when a trace is first shown.
pub(crate) fn take_from_link(pane: Pane) {
    if let Some(tab) = pane.page.route.with_untracked(|route| route.tab) {
        pane.tab.set(tab);
    }
}
