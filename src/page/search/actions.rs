//! Searching, and going from hit to hit.

use crate::words::search as text;
use std::time::Duration;

use leptos::prelude::*;

use crate::app::notice::say;
use crate::app::pane::Pane;
use crate::browser;
use crate::pane::actions::{close_body, go_to, open_body};
use crate::shared::Shared;
use traceloupe::search::{Pattern, Query};
use traceloupe::view::page::hits::Found;
use traceloupe::view::page::rows::Line;
use traceloupe::view::route::Route;
use traceloupe::view::wire::hits::HitBatch;
use traceloupe::view::wire::protocol::Request;

/// The link is changed after a pause in typing, because browsers refuse to change it often.
const LINK_WAIT: Duration = Duration::from_millis(250);

/// Searches for a query instead of the current one, and puts it into the link.
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
    // The worker's answer reports a wrong expression.
    pane.search.pattern.set(Pattern::new(&query).ok().map(Shared::new));
    pane.trace.send(&Request::Search(query, generation));
}

/// Forgets what has been found.
fn forget(pane: Pane) {
    pane.search.generation.update_value(|generation| *generation = generation.wrapping_add(1));
    pane.search.opened_for_hit.set_value(None);
    pane.search.shown_hit.update(|(_, row)| *row = None);
    pane.search.found.set(Found::default());
    pane.search.pattern.set(None);
}

/// Ends the search and empties its field.
pub fn clear_search(pane: Pane) {
    search(pane, Query::default());
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

/// Takes hits that the worker has found.
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
}

/// More has been read, so hits may belong to other rows.
pub(crate) fn rows_moved(pane: Pane) {
    if pane.search.query.with_untracked(|query| !query.is_empty()) {
        let outline = pane.trace.outline.get_untracked();
        pane.search.found.update(|found| found.place(&outline));
    }
}

/// `41 hits in 12 events`.
pub fn hits_in_words(found: &Found) -> String {
    text::hits_in_events(found.last.total, found.n_events())
}

/// Goes to the next (`true`) or previous event with hits, and opens it.
pub fn next_hit(pane: Pane, forward: bool) {
    let here = pane.selected.get_untracked().and_then(Line::row);
    let row = pane.search.found.with_untracked(|found| found.next_row(here, forward));
    match row {
        Some(row) => show_hit(pane, row),
        None => say(pane.page, text::THERE_IS_NO_HIT),
    }
}

/// Goes to an event with hits and opens it. Closes the one that was opened for the hit before.
pub fn show_hit(pane: Pane, row: u32) {
    let was_opened = pane.search.opened_for_hit.get_value().filter(|before| *before != row);
    pane.search.opened_for_hit.set_value(None);
    if let Some(before) = was_opened {
        close_body(pane, before);
    }
    go_to(pane, row);
    if pane.opened.with_untracked(|opened| !opened.has(row)) {
        open_body(pane, row);
        pane.search.opened_for_hit.set_value(Some(row));
    }
    pane.search.shown_hit.update(|(count, shown)| {
        *count += 1;
        *shown = Some(row);
    });
}
