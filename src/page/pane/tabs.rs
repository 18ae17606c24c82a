//! The tabs of a trace that has exhibits: which one is in front, and in the link.

use leptos::prelude::*;

use crate::app::state::AppState;
use crate::browser;
use traceloupe::view::route::{Route, Tab};

/// Puts a tab in front, and into the link.
pub fn choose_tab(state: AppState, tab: Tab) {
    if state.tab.get_untracked() == tab {
        return;
    }
    state.tab.set(tab);
    let fragment = Route::parse(&browser::fragment()).with_tab(tab);
    browser::replace_fragment(&fragment);
    let mut route = Route::parse(&fragment);
    route.sel = state.route.with_untracked(|old| old.sel.clone());
    state.route.set(route);
}

/// Takes the tab that the link names, when a trace is first shown.
pub(crate) fn take_from_link(state: AppState) {
    if let Some(tab) = state.route.with_untracked(|route| route.tab) {
        state.tab.set(tab);
    }
}
