//! Files that grow: the page sends their bytes piece by piece, from an address that it fetches or a file that it
//! watches.
//!
//! A stream of events may pause for minutes, so the rows of a live file are shown as soon as their bytes arrive.

use std::cell::RefCell;
use std::collections::VecDeque;

use gloo_timers::callback::Timeout;
use js_sys::{Function, Promise, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use crate::jobs::reading::Snapshots;
use crate::{Pauses, Shared, jobs, post_file, with};
use traceloupe_core::model::SourceId;
use traceloupe_protocol::messages::Response;

/// How often the rows of a live file are shown, in milliseconds.
const SHOW_MS: f64 = 60.0;

/// Showing rows takes at most one part in this many of the time.
const SHARE: f64 = 10.0;

/// How long to wait for records that would make the format certain, in milliseconds.
const PATIENCE_MS: f64 = 1_000.0;

/// After how many bytes other work gets a turn.
const BATCH_BYTES: u32 = 1 << 20;

#[derive(Default)]
struct Queue {
    pieces: VecDeque<Uint8Array>,
    is_over: bool,
}

thread_local! {
    /// The bytes of each file that have not been read yet.
    static QUEUES: RefCell<Vec<Queue>> = const { RefCell::new(Vec::new()) };
    /// Resolves the promise that reading waits for.
    static WAKE: RefCell<Option<Function>> = const { RefCell::new(None) };
}

fn queue<T: Default>(index: u32, act: impl FnOnce(&mut Queue) -> T) -> T {
    QUEUES.with_borrow_mut(|queues| {
        while queues.len() <= index as usize {
            queues.push(Queue::default());
        }
        queues.get_mut(index as usize).map_or_else(T::default, act)
    })
}

/// Takes the next bytes of a file.
pub(crate) fn push(index: u32, piece: Uint8Array) {
    queue(index, |queue| queue.pieces.push_back(piece));
    wake();
}

/// The file has ended.
pub(crate) fn end(index: u32) {
    queue(index, |queue| queue.is_over = true);
    wake();
}

/// Resumes a waiting reading, because bytes have arrived or because it should stop.
pub(crate) fn wake() {
    if let Some(go) = WAKE.take() {
        // Resolving a promise cannot fail.
        let _ = go.call0(&JsValue::UNDEFINED);
    }
}

/// Waits for [`wake`], for at most `max_ms` milliseconds.
async fn wait(max_ms: Option<f64>) {
    let mut timer = None;
    let woken = Promise::new(&mut |go, _| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a short time
        let set = |ms: f64| Timeout::new(ms.max(0.0) as u32 + 1, wake);
        timer = max_ms.map(set);
        WAKE.set(Some(go));
    });
    // The promise is never rejected.
    let _ = JsFuture::from(woken).await;
    drop(timer);
}

/// Reads a file until it ends or the user stops the reading, then posts it as one complete file.
pub(crate) async fn read(
    shared: &Shared,
    index: u32,
    source: SourceId,
    is_live: bool,
    snapshots: &mut Snapshots,
) {
    let mut pauses = Pauses::every(Pauses::WHILE_READING_MS);
    let now = js_sys::Date::now;
    let (mut first_ms, mut came_ms, mut shown_ms, mut every_ms) = (None, now(), 0.0, SHOW_MS);
    // The bytes that the file had before it started to grow have not been shown yet.
    let mut has_news = true;
    loop {
        let came = read_batch(shared, index, source);
        let is_empty = queue(index, |queue| queue.pieces.is_empty());
        let is_stopped = with(shared, |session| session.is_stopped()) != Some(false);
        if is_stopped || is_empty && queue(index, |queue| queue.is_over) {
            break;
        }
        if came {
            has_news = true;
            came_ms = now();
            first_ms.get_or_insert(came_ms);
            jobs::wake(shared);
            snapshots.tell(shared);
        }
        let due_ms = if is_live { shown_ms + every_ms } else { came_ms + PATIENCE_MS };
        if has_news && now() >= due_ms {
            let is_patient = is_live && now() - first_ms.unwrap_or(came_ms) < PATIENCE_MS;
            with(shared, |session| session.pause(source, is_patient));
            let took_ms = snapshots.show_now(shared);
            snapshots.tell_now(shared);
            (shown_ms, every_ms) = (now(), SHOW_MS.max(took_ms * SHARE));
            let has_none = with(shared, |session| session.progress().1 == 0) == Some(true);
            has_news = is_patient && has_none;
        } else if came && !is_live {
            snapshots.show(shared);
        }
        if is_empty {
            wait(has_news.then_some(due_ms.max(shown_ms + every_ms) - now())).await;
        } else {
            pauses.pause().await;
        }
    }
    // The page needs the file to read it as another format, or to reopen it.
    with(shared, |session| {
        let file = session.whole(source);
        post_file(session, &Response::Grown(index, file.clone()), &file);
    });
}

/// Reads the bytes that have arrived. Returns whether there were any.
fn read_batch(shared: &Shared, index: u32, source: SourceId) -> bool {
    let mut len_bytes = 0;
    while len_bytes < BATCH_BYTES
        && let Some(piece) = queue(index, |queue| queue.pieces.pop_front())
    {
        len_bytes += piece.length();
        with(shared, |session| session.push_more(source, &piece.to_vec()));
    }
    len_bytes > 0
}
