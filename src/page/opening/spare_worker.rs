//! A worker that is started ahead of time, so that reading the next file can begin at once. The first one is warmed up
//! while the user looks for a file.

use std::cell::RefCell;

use gloo_timers::callback::Timeout;
use wasm_bindgen::prelude::*;
use web_sys::Worker;

use crate::boot;
use crate::browser;
use crate::client;
use traceloupe_protocol::messages::Request;

thread_local! {
    static SPARE: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

/// How long after reading a trace the next worker is started, in milliseconds.
const LATER_MS: u32 = 300;

/// Starts a worker ahead of time and warms it up.
pub fn prepare() {
    if let Some(worker) = start() {
        client::post(&worker, &Request::WarmUp, &[]);
        SPARE.set(Some(worker));
    }
}

/// Starts the worker for the next trace while a trace is shown. It needs no warm-up, because the code has been compiled
/// by then.
pub fn prepare_later() {
    // A frame usually shows only one trace.
    if browser::is_framed() {
        return;
    }
    Timeout::new(LATER_MS, || {
        if let Some(worker) = start() {
            client::post(&worker, &Request::MakeRoom, &[]);
            SPARE.set(Some(worker));
        }
    })
    .forget();
}

/// A new worker, unless there is a spare one. If the browser refuses, that is reported when a worker is needed.
fn start() -> Option<Worker> {
    if SPARE.with_borrow(Option::is_some) {
        return None;
    }
    let worker = boot::spawn_worker().ok()?;
    // A spare worker sends a message only if it crashes.
    let fallen = Closure::<dyn FnMut()>::new(|| SPARE.set(None)).into_js_value();
    worker.set_onmessage(Some(fallen.unchecked_ref()));
    worker.set_onerror(Some(fallen.unchecked_ref()));
    Some(worker)
}

/// The spare worker, or a new one.
///
/// # Errors
/// The browser refuses to start a worker.
pub fn take() -> Result<Worker, JsValue> {
    SPARE.take().map_or_else(boot::spawn_worker, Ok)
}
