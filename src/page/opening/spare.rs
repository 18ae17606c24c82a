//! A worker that waits for the next file, so that its reading can begin at once. The one that waits for
//! the first file is warmed up while the person looks for it.

use std::cell::RefCell;

use gloo_timers::callback::Timeout;
use wasm_bindgen::prelude::*;
use web_sys::Worker;

use crate::boot;
use crate::browser;
use crate::client;
use traceloupe::view::wire::protocol::Request;

thread_local! {
    static SPARE: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

/// So long after a trace has been read its page is left alone.
const LATER_MS: u32 = 300;

/// Starts a worker ahead of time, and lets it practise.
pub fn prepare() {
    if let Some(worker) = start() {
        client::post(&worker, &Request::WarmUp, &[]);
        SPARE.set(Some(worker));
    }
}

/// Starts the worker for the next trace while one is shown. The code is fast already.
pub fn prepare_later() {
    // A frame is there for its one trace.
    if browser::is_framed() {
        return;
    }
    Timeout::new(LATER_MS, || {
        if let Some(worker) = start() {
            SPARE.set(Some(worker));
        }
    })
    .forget();
}

/// A new worker, unless one is waiting. Where the browser does not let it start, that is told when one
/// is wanted.
fn start() -> Option<Worker> {
    if SPARE.with_borrow(Option::is_some) {
        return None;
    }
    let worker = boot::spawn_worker().ok()?;
    // A worker that waits has nothing to say but its last words.
    let fallen = Closure::<dyn FnMut()>::new(|| SPARE.set(None)).into_js_value();
    worker.set_onmessage(Some(fallen.unchecked_ref()));
    worker.set_onerror(Some(fallen.unchecked_ref()));
    Some(worker)
}

/// The worker that waits, or a new one.
///
/// # Errors
/// Where the browser lets none start.
pub fn take() -> Result<Worker, JsValue> {
    SPARE.take().map_or_else(boot::spawn_worker, Ok)
}
