//! Bytes that come in pieces from the page: of an address that is being read, of a file that grows.
//!
//! What comes slowly is shown as it comes: a stream of events may pause for minutes, and what is here of
//! it is to be read meanwhile.

use std::cell::RefCell;
use std::collections::VecDeque;

use gloo_timers::callback::Timeout;
use js_sys::{Array, Function, Promise, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use super::reading::Snapshots;
use super::{Pauses, Shared, encode, scope, searching, with};
use traceloupe::model::SourceId;
use traceloupe::session::Session;
use traceloupe::view::wire::protocol::Response;

/// Rows are shown this often while bytes come, in milliseconds.
const SHOW_MS: f64 = 60.0;

/// Showing the rows may take one part in so many of the time.
const SHARE: f64 = 10.0;

/// So long the first records are waited for that tell their format, in milliseconds.
const PATIENCE_MS: f64 = 1_000.0;

/// So many bytes are taken in before anything else is looked at.
const BATCH_BYTES: u32 = 1 << 20;

#[derive(Default)]
struct Queue {
    pieces: VecDeque<Uint8Array>,
    is_over: bool,
}

thread_local! {
    /// What has come of each file and is not taken in yet.
    static QUEUES: RefCell<Vec<Queue>> = const { RefCell::new(Vec::new()) };
    /// Whom to tell that something has come.
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

/// The next piece of a file is here.
pub(super) fn take(index: u32, piece: Uint8Array) {
    queue(index, |queue| queue.pieces.push_back(piece));
    wake();
}

/// No more of a file will come.
pub(super) fn end(index: u32) {
    queue(index, |queue| queue.is_over = true);
    wake();
}

/// Something has changed that the reading must look at.
pub(super) fn wake() {
    if let Some(go) = WAKE.take() {
        // A resolved promise has no more to say.
        let _ = go.call0(&JsValue::UNDEFINED);
    }
}

/// Waits until something comes, or so many milliseconds have passed.
async fn wait(max_ms: Option<f64>) {
    let mut timer = None;
    let woken = Promise::new(&mut |go, _| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a short time
        let set = |ms: f64| Timeout::new(ms.max(0.0) as u32 + 1, wake);
        timer = max_ms.map(set);
        WAKE.set(Some(go));
    });
    // It is only ever resolved.
    let _ = JsFuture::from(woken).await;
    drop(timer);
}

/// Reads what comes of a file until no more will, or the person stops it; then hands over all of it.
/// What is live is shown as soon as anything is here.
pub(super) async fn read(
    shared: &Shared,
    index: u32,
    source: SourceId,
    is_live: bool,
    snapshots: &mut Snapshots,
) {
    let mut pauses = Pauses::new();
    let now = js_sys::Date::now;
    let (mut first_ms, mut came_ms, mut shown_ms, mut every_ms) = (None, now(), 0.0, SHOW_MS);
    // What a file had before it grew has not been shown either.
    let mut has_news = true;
    loop {
        let came = take_in(shared, index, source);
        let is_empty = queue(index, |queue| queue.pieces.is_empty());
        let is_stopped = with(shared, |session| session.is_stopped()) != Some(false);
        if is_stopped || is_empty && queue(index, |queue| queue.is_over) {
            break;
        }
        if came {
            has_news = true;
            came_ms = now();
            first_ms.get_or_insert(came_ms);
            searching::wake(shared);
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
    hand_over(shared, index, source);
}

/// Takes in what has come. Whether there was anything.
fn take_in(shared: &Shared, index: u32, source: SourceId) -> bool {
    let mut len_bytes = 0;
    while len_bytes < BATCH_BYTES
        && let Some(piece) = queue(index, |queue| queue.pieces.pop_front())
    {
        len_bytes += piece.length();
        with(shared, |session| session.push_more(source, &piece.to_vec()));
    }
    len_bytes > 0
}

/// The page gets all bytes as one file: to read it as another format, or to come back to it.
fn hand_over(shared: &Shared, index: u32, source: SourceId) {
    with(shared, |session: &mut Session<_>| {
        let file = session.whole(source);
        if let Ok(blob) = session.store().blob(&file) {
            let bytes = Uint8Array::from(encode(&Response::Grown(index, file)).as_slice());
            // A page that is gone needs no answer.
            let _ = scope().post_message(&Array::of2(&bytes, &blob));
        }
    });
}
