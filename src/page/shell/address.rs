//! Following the address: another event, run, filter, tab or query in it.

use leptos::prelude::*;

use crate::app::notice::{report, say};
use crate::app::state::AppState;
use crate::app::worker::send;
use crate::browser;
use crate::pane;
use crate::search::actions::search;
use traceloupe::view::route::Route;
use traceloupe::view::wire::protocol::{Problem, Request};

/// The address has changed by hand or by a link: another trace is loaded afresh, another event is
/// gone to.
pub fn follow_address(state: AppState) {
    let route = Route::parse(&browser::fragment());
    let old = state.route.get_untracked();
    if !route.traces().eq(old.traces()) {
        return browser::reload();
    }
    if let Some(sel) = route.sel.clone()
        && state.has_rows_untracked()
    {
        send(&Request::Find(sel));
    }
    if let Some(run) = route.run.as_ref().filter(|run| old.run.as_ref() != Some(run))
        && state.has_rows_untracked()
        && !pane::actions::show_linked_run(state, run)
    {
        say(state, "The linked run is not in this trace");
    }
    if let Some(filter) = route.filter.as_ref().filter(|it| old.filter.as_ref() != Some(it)) {
        pane::actions::filter_as_linked(state, filter);
    }
    if route.tab != old.tab {
        state.tab.set(route.tab.unwrap_or_default());
    }
    let mut route = route;
    route.sel = None;
    let query = route.query.clone();
    state.route.set(route);
    if query != old.query {
        search(state, query);
    }
}

/// The event of a link is found, or why it is not.
pub fn found(state: AppState, id: Option<u32>, note: Option<String>) {
    if let Some(what) = note {
        report(
            state,
            Problem {
                code: "sel".to_owned(),
                what,
                next: "The link was perhaps made for another copy of the file".to_owned(),
                details: String::new(),
            },
        );
    }
    let outline = state.outline.get_untracked();
    if let Some(row) = id.and_then(|id| outline.rows.row_of(id)) {
        pane::actions::jump(state, row);
    }
}
