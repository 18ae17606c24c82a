//! Follows changes of the link in the address bar: another event, run, filter, view or query.

use crate::app::App;
use crate::app::notice::{report, say};
use crate::app::pane::{Pane, Wanted};
use crate::browser;
use crate::pane;
use crate::pane::links;
use crate::search::actions::search;
use traceloupe_protocol::messages::Problem;
use traceloupe_protocol::problem::LinkMiss;
use traceloupe_protocol::route::Route;
use traceloupe_words::page::shell as text;

/// Handles a changed fragment. Another trace is loaded by reloading the page. All other changes take effect at once.
pub fn follow_address(app: App) {
    let pane = app.pane_untracked();
    let route = Route::parse(&browser::fragment());
    let old = pane.page.route.get_untracked();
    if !route.traces().eq(old.traces()) {
        return browser::reload();
    }
    if let Some(run) = route.run.as_ref().filter(|run| old.run.as_ref() != Some(run))
        && pane.trace.has_rows_untracked()
        && !pane::actions::show_linked_run(pane, run)
    {
        say(pane.page, text::LINKED_RUN_MISSING);
    }
    if route.agent != old.agent && pane.trace.has_rows_untracked() {
        match route.agent.clone() {
            Some(agent) => links::find(pane, agent, Wanted::Agent),
            None => pane::agents::leave(pane, None),
        }
    }
    if let Some(sel) = route.sel.clone()
        && pane.trace.has_rows_untracked()
    {
        links::find(pane, sel, Wanted::Event);
    }
    if let Some(filter) = &route.filter
        && (old.filter.as_ref(), old.dims) != (Some(filter), route.dims)
    {
        pane::filtering::filter_as_linked(pane, filter, route.dims);
    }
    if route.tab != old.tab {
        pane.tab.set(route.tab.clone().unwrap_or_default());
    }
    let mut route = route;
    route.sel = None;
    let query = route.query.clone();
    pane.page.route.set(route);
    if query != old.query {
        search(pane, query);
    }
}

/// Takes the event of a link, or why there is none.
pub fn found(pane: Pane, id: Option<u32>, miss: Option<LinkMiss>) {
    if let Some(miss) = miss {
        report(pane.trace, Problem::EventNotFound(miss));
    }
    links::found(pane, id);
}
