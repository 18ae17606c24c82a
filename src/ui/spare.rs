//! A worker that waits for the first file, warmed up while the person looks for it.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;
use web_sys::Worker;

use super::boot;
use crate::session::protocol::Request;
use crate::worker::client;

thread_local! {
    static SPARE: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

/// Starts a worker ahead of time. Where the browser does not let it start, that is told when one is
/// wanted.
pub fn prepare() {
    if SPARE.with_borrow(Option::is_some) {
        return;
    }
    if let Ok(worker) = boot::spawn_worker() {
        // A worker that practises has nothing to say but its last words.
        let fallen = Closure::<dyn FnMut()>::new(|| SPARE.set(None)).into_js_value();
        worker.set_onmessage(Some(fallen.unchecked_ref()));
        worker.set_onerror(Some(fallen.unchecked_ref()));
        client::post(&worker, &Request::WarmUp, &[]);
        SPARE.set(Some(worker));
    }
}

/// The worker that waits, or a new one.
///
/// # Errors
/// Where the browser lets none start.
pub fn take() -> Result<Worker, JsValue> {
    SPARE.take().map_or_else(boot::spawn_worker, Ok)
}
