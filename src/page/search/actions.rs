//! Searching, and moving between hits.

use std::time::Duration;

use leptos::prelude::*;

use crate::app::notice::say;
use crate::app::pane::Pane;
use crate::browser;
use crate::marks;
use crate::pane::actions::{close_body, go_to, open_body};
use crate::shared::Shared;
use crate::state::search::{Aim, Visit};
use traceloupe_protocol::hits::HitBatch;
use traceloupe_protocol::messages::Request;
use traceloupe_protocol::route::Route;
use traceloupe_search::{Pattern, Query};
use traceloupe_view::hits::Found;
use traceloupe_view::list::visible_lines::Line;
use traceloupe_words::page::search as text;

/// The link is changed only after a pause in typing, because browsers limit how often it can be changed.
const LINK_WAIT: Duration = Duration::from_millis(250);

/// Starts searching for a query, and puts it into the link.
pub fn search(pane: Pane, query: Query) {
    if pane.search.query.with_untracked(|old| *old == query) {
        return;
    }
    pane.search.query.set(query);
    start(pane);
    let generation = pane.search.generation.get_value();
    set_timeout(
        move || {
            if pane.trace.is_open() && pane.search.generation.get_value() == generation {
                write_link(pane);
            }
        },
        LINK_WAIT,
    );
}

/// Searches the trace for the current query.
pub fn start(pane: Pane) {
    forget(pane);
    let query = pane.search.query.get_untracked();
    let generation = pane.search.generation.get_value();
    if query.is_empty() {
        return pane.trace.send(&Request::StopSearch);
    }
    // If the expression is invalid, the worker's response reports it.
    pane.search.pattern.set(Pattern::new(&query).ok().map(Shared::new));
    pane.trace.send(&Request::Search(query, generation));
}

/// Goes to the first hit, once there is one, if the link names a trace and what to search for in it.
pub fn show_linked(pane: Pane) {
    let is_linked = pane.page.route.with_untracked(|route| {
        route.traces().next().is_some() && !route.query.is_empty() && route.sel.is_none()
    });
    if is_linked {
        pane.search.awaited.set_value(Some(true));
    }
}

/// Drops the results of the search.
fn forget(pane: Pane) {
    pane.search.generation.update_value(|generation| *generation = generation.wrapping_add(1));
    pane.search.opened_for_hit.set_value(None);
    pane.search.awaited.set_value(None);
    pane.search.visit.update(|visit| visit.row = None);
    pane.search.is_landing.set(false);
    pane.search.stand.set_value(None);
    pane.search.beyond.set(None);
    pane.search.found.set(Found::default());
    pane.search.pattern.set(None);
    if pane.choice.with_untracked(|choice| !choice.shown.is_empty()) {
        pane.choice.update(|choice| choice.shown.clear());
    }
}

/// Ends the search and clears its field.
pub fn clear_search(pane: Pane) {
    search(pane, Query::default());
    pane.filter.typed.set(String::new());
    pane.filter.faults.set(Vec::new());
    pane.search.list_is_open.set(false);
}

/// Shows or hides the list of hits.
pub fn toggle_hits(pane: Pane) {
    pane.search.list_is_open.update(|is_open| *is_open = !*is_open);
}

fn write_link(pane: Pane) {
    let route = Route::parse(&browser::fragment());
    let fragment = pane.search.query.with_untracked(|query| route.with_query(query));
    browser::replace_fragment(&fragment);
    let mut route = Route::parse(&fragment);
    route.sel = pane.page.route.with_untracked(|old| old.sel.clone());
    pane.page.route.set(route);
}

/// Takes hits from the worker.
pub(crate) fn found(pane: Pane, batch: HitBatch) {
    if batch.generation != pane.search.generation.get_value() {
        return;
    }
    let done = batch.done && batch.fault.is_none();
    let outline = pane.trace.outline.get_untracked();
    pane.search.found.update(|found| found.add(batch, &|id| outline.row_of(id)));
    if done {
        let words = pane.search.found.with_untracked(hits_in_words);
        say(pane.page, &words);
    }
    if let Some(forward) = pane.search.awaited.try_update_value(Option::take).flatten() {
        next_hit(pane, forward);
    }
}

/// Adapts to a later outline, because hits may now belong to other rows.
pub(crate) fn rows_moved(pane: Pane) {
    if pane.search.query.with_untracked(|query| !query.is_empty()) {
        let outline = pane.trace.outline.get_untracked();
        pane.search.found.update(|found| found.place(&outline));
    }
}

/// `41 matches in 12 events`.
pub fn hits_in_words(found: &Found) -> String {
    text::hits_in_events(found.last.total, found.n_events())
}

/// Goes to the next (`true`) or previous hit.
pub fn next_hit(pane: Pane, forward: bool) {
    let here = pane.selected.get_untracked().and_then(Line::row);
    let is_open = |row: u32| pane.opened.with_untracked(|opened| opened.has(row));
    let stand = pane.search.stand.get_value();
    let stand = stand.filter(|stand| here == Some(stand.row) && is_open(stand.row));
    if let Some((row, place)) = stand.and_then(|stand| Some((stand.row, stand.step(forward)?))) {
        return visit(pane, row, Aim::At(place));
    }
    let row = pane.search.found.with_untracked(|found| found.next_row(here, forward));
    match row {
        Some(row) => visit(pane, row, if forward { Aim::First } else { Aim::Last }),
        None if is_searching(pane) => pane.search.awaited.set_value(Some(forward)),
        None => say(pane.page, text::NO_MATCHES),
    }
}

/// Whether more hits may still be found.
fn is_searching(pane: Pane) -> bool {
    let is_done = pane.search.found.with_untracked(|found| found.last.done);
    !is_done && pane.search.pattern.with_untracked(Option::is_some)
}

/// Goes to a hit from the list of hits.
pub fn show_listed(pane: Pane, row: u32, at: usize) {
    visit(pane, row, Aim::Listed(at));
}

/// Goes to a place in an event with hits and opens the event. Closes the event that was opened for the previous hit.
fn visit(pane: Pane, row: u32, aim: Aim) {
    let was_opened = pane.search.opened_for_hit.get_value();
    if let Some(before) = was_opened.filter(|before| *before != row) {
        pane.search.opened_for_hit.set_value(None);
        close_body(pane, before);
    }
    // If the row is drawn already, there is no need to go to it.
    let is_here = pane.selected.get_untracked() == Some(Line::Row(row));
    if !is_here || !marks::has(&format!("#body-{row}-panel")) {
        go_to(pane, row);
    }
    if pane.opened.with_untracked(|opened| !opened.has(row)) {
        open_body(pane, row);
        pane.search.opened_for_hit.set_value(Some(row));
    }
    pane.search.is_landing.set(true);
    pane.search.visit.update(|visit| {
        *visit = Visit { count: visit.count.wrapping_add(1), row: Some(row), aim };
    });
}
