//! The page's end of the connection to the worker.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, ErrorEvent, MessageEvent, Worker};

use traceloupe_protocol::messages::{Request, Response, decode, encode};

/// A running worker. Dropping it ends the worker, whatever it is doing.
#[derive(Debug)]
pub struct Client {
    worker: Worker,
    _answered: Closure<dyn FnMut(MessageEvent)>,
    _failed: Closure<dyn FnMut(ErrorEvent)>,
}

/// A message from a worker.
#[derive(Debug)]
pub enum Heard {
    /// A response.
    Response(Response),
    /// A response with a file.
    File(Response, Blob),
    /// It has crashed, with this message.
    Crashed(String),
}

impl Client {
    /// Takes over a new worker. `hear` is called with its messages.
    pub fn new(worker: Worker, hear: impl Fn(Heard) + Clone + 'static) -> Self {
        let on_crash = hear.clone();
        let answered = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let data = event.data();
            if let Some(words) = data.as_string() {
                return hear(Heard::Crashed(words));
            }
            if let Some(both) = data.dyn_ref::<Array>() {
                let bytes = both.get(0).unchecked_into::<Uint8Array>().to_vec();
                if let Some(response) = decode(&bytes) {
                    hear(Heard::File(response, both.get(1).unchecked_into()));
                }
                return;
            }
            let bytes = data.unchecked_into::<Uint8Array>().to_vec();
            if let Some(response) = decode(&bytes) {
                hear(Heard::Response(response));
            }
        });
        let failed = Closure::<dyn FnMut(ErrorEvent)>::new(move |event: ErrorEvent| {
            event.prevent_default();
            // A worker that could not start sends an event without a message.
            let words = js_sys::Reflect::get(&event, &"message".into());
            let words = words.ok().and_then(|it| it.as_string()).unwrap_or_default();
            // A panic has already been reported. A trap without a report is a failed allocation.
            let words = match words.contains("unreachable") {
                true => format!("out of memory ({words})"),
                false if words.is_empty() => "the worker could not start".to_owned(),
                false => words,
            };
            on_crash(Heard::Crashed(words));
        });
        worker.set_onmessage(Some(answered.as_ref().unchecked_ref()));
        worker.set_onerror(Some(failed.as_ref().unchecked_ref()));
        Self { worker, _answered: answered, _failed: failed }
    }

    /// Sends the next bytes of a growing file. The bytes are moved.
    pub fn push(&self, index: u32, piece: &Uint8Array) {
        let bytes = Uint8Array::from(encode(&Request::Push(index)).as_slice());
        let message = Array::of2(&bytes, &Array::of1(piece));
        // As in `post`: bytes can be transferred.
        let _ = self.worker.post_message_with_transfer(&message, &Array::of1(&piece.buffer()));
    }

    /// Sends a request with its files.
    pub fn send(&self, request: &Request, files: &[Blob]) {
        post(&self.worker, request, files);
    }
}

/// Sends a request with its files to a worker.
pub fn post(worker: &Worker, request: &Request, files: &[Blob]) {
    let bytes = Uint8Array::from(encode(request).as_slice());
    let files: Array = files.iter().collect();
    // Posting fails only for values that cannot be cloned; bytes and files can.
    let _ = worker.post_message(&Array::of2(&bytes, &files));
}

impl Drop for Client {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}
