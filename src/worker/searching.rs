//! Drives the search: a piece of bytes, then the messages that have come, then the next piece.

use std::cell::Cell;

use wasm_bindgen_futures::spawn_local;

use super::{Shared, breathe, post};
use traceloupe::session::SearchStep;

/// The first pieces are small, so that a slow query does not keep the page waiting.
const FIRST_BYTES: usize = 128 << 10;
const MAX_BYTES: usize = 4 << 20;

/// A piece should take about as long as this, in milliseconds.
const PIECE_MS: f64 = 12.0;

/// News are told this often; the first hit at once.
const NEWS_MS: f64 = 60.0;

thread_local! {
    static IS_AWAKE: Cell<bool> = const { Cell::new(false) };
    static PIECE_BYTES: Cell<usize> = const { Cell::new(FIRST_BYTES) };
}

/// Another query may be slower than the last one.
pub(super) fn begin(shared: &Shared) {
    PIECE_BYTES.set(FIRST_BYTES);
    wake(shared);
}

/// Goes on searching, if there is something to search. Costs nothing where there is no query.
pub(super) fn wake(shared: &Shared) {
    let is_searching =
        shared.borrow().as_ref().is_some_and(traceloupe::session::Session::is_searching);
    if is_searching && !IS_AWAKE.replace(true) {
        spawn_local(go(shared.clone()));
    }
}

async fn go(shared: Shared) {
    let mut told_ms = 0.0;
    loop {
        breathe().await;
        let began_ms = js_sys::Date::now();
        let bytes = PIECE_BYTES.get();
        let step = super::with(&shared, |session| session.search_step(bytes));
        let now_ms = js_sys::Date::now();
        let bytes = if now_ms - began_ms < PIECE_MS { bytes * 2 } else { bytes / 2 };
        PIECE_BYTES.set(bytes.clamp(FIRST_BYTES / 2, MAX_BYTES));
        let is_over = step != Some(SearchStep::GoOn);
        let is_first = super::with(&shared, |session| session.search_has_first()) == Some(true);
        if is_over || is_first || now_ms - told_ms > NEWS_MS {
            if let Some(Some(news)) = super::with(&shared, |session| session.search_news()) {
                post(&news);
            }
            told_ms = now_ms;
        }
        if is_over {
            return IS_AWAKE.set(false);
        }
    }
}
