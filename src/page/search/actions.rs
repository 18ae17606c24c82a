//! Searching: the query, what comes of it, going from hit to hit.

use std::cell::Cell;
use std::time::Duration;

use leptos::prelude::*;

use crate::app::notice::say;
use crate::app::state::{AppState, Shared};
use crate::app::worker::send;
use crate::browser;
use crate::pane::actions::{close_body, go_to, open_body};
use traceloupe::search::{Pattern, Query};
use traceloupe::view::page::hits::Found;
use traceloupe::view::page::rows::Line;
use traceloupe::view::route::Route;
use traceloupe::view::wire::hits::HitBatch;
use traceloupe::view::wire::protocol::Request;
use traceloupe::view::words;

/// The address is written when nothing has been typed for so long: browsers refuse to write it often.
const LINK_WAIT: Duration = Duration::from_millis(250);

thread_local! {
    /// The number of the query that counts; what belongs to an earlier one is thrown away.
    static GENERATION: Cell<u32> = const { Cell::new(0) };
    /// The body that was opened to show a hit.
    static OPENED: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Searches for a query, in place of any other, and puts it into the address.
pub fn search(state: AppState, query: Query) {
    if state.search.query.with_untracked(|old| *old == query) {
        return;
    }
    state.search.query.set(query);
    start(state);
    let generation = GENERATION.get();
    set_timeout(
        move || {
            if GENERATION.get() == generation {
                write_link(state);
            }
        },
        LINK_WAIT,
    );
}

/// Searches for the query of the page in what is open now.
pub fn start(state: AppState) {
    forget(state);
    let query = state.search.query.get_untracked();
    let generation = GENERATION.get();
    if query.is_empty() {
        return send(&Request::StopSearch);
    }
    // A wrong expression is told by the worker's answer.
    state.search.pattern.set(Pattern::new(&query).ok().map(Shared::new));
    send(&Request::Search(query, generation));
}

/// Throws away what has been found.
pub(crate) fn forget(state: AppState) {
    GENERATION.set(GENERATION.get().wrapping_add(1));
    OPENED.set(None);
    state.search.shown_hit.update(|(_, row)| *row = None);
    state.search.found.set(Found::default());
    state.search.pattern.set(None);
}

/// Ends the search and empties its field.
pub fn clear_search(state: AppState) {
    search(state, Query::default());
    state.search.list_is_open.set(false);
}

/// Shows or hides the list of hits.
pub fn toggle_hits(state: AppState) {
    state.search.list_is_open.update(|is_open| *is_open = !*is_open);
}

fn write_link(state: AppState) {
    let route = Route::parse(&browser::fragment());
    let fragment = state.search.query.with_untracked(|query| route.with_query(query));
    browser::replace_fragment(&fragment);
    let mut route = Route::parse(&fragment);
    route.sel = state.route.with_untracked(|old| old.sel.clone());
    state.route.set(route);
}

/// Takes what the worker has found.
pub(crate) fn found(state: AppState, batch: HitBatch) {
    if batch.generation != GENERATION.get() {
        return;
    }
    let done = batch.done && batch.fault.is_none();
    let outline = state.outline.get_untracked();
    state.search.found.update(|found| found.add(batch, &|id| outline.row_of(id)));
    if done {
        let words = state.search.found.with_untracked(hits_in_words);
        say(state, &words);
    }
}

/// More has been read: hits may stand on other rows.
pub(crate) fn rows_moved(state: AppState) {
    if state.search.query.with_untracked(|query| !query.is_empty()) {
        let outline = state.outline.get_untracked();
        state.search.found.update(|found| found.place(&outline));
    }
}

/// `41 hits in 12 events`.
pub fn hits_in_words(found: &Found) -> String {
    if found.last.total == 0 {
        return "No hits".to_owned();
    }
    let hits = words::counted(found.last.total, "hit", "hits");
    format!("{hits} in {}", words::counted(found.n_events() as u64, "event", "events"))
}

/// Goes to the next (`true`) or previous event with hits, and opens it.
pub fn next_hit(state: AppState, forward: bool) {
    let here = state.selected.get_untracked().and_then(Line::row);
    let row = state.search.found.with_untracked(|found| found.next_row(here, forward));
    match row {
        Some(row) => show_hit(state, row),
        None => say(state, "There is no hit"),
    }
}

/// Goes to an event with hits and opens it; the one that was opened before for that is closed again.
pub fn show_hit(state: AppState, row: u32) {
    let was_opened = OPENED.take().filter(|before| *before != row);
    if let Some(before) = was_opened {
        close_body(state, before);
    }
    go_to(state, row);
    if state.opened.with_untracked(|opened| !opened.has(row)) {
        open_body(state, row);
        OPENED.set(Some(row));
    }
    state.search.shown_hit.update(|(count, shown)| {
        *count += 1;
        *shown = Some(row);
    });
}
