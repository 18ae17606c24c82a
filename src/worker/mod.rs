//! The worker's border to the browser: messages in and out, slices of files. Wasm only.
//!
//! A message to the worker is an array of an encoded [`Request`] and the files that go with it; a
//! message from it is an encoded [`Response`], moved and not copied. A string is the last word of a
//! worker that has panicked.

pub mod blobs;
pub mod client;
mod reading;
mod searching;

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, DedicatedWorkerGlobalScope, MessageEvent};

use crate::session::protocol::{Request, Response, decode, encode};
use crate::session::{Session, WarmUp};
use blobs::BlobStore;

/// The opened trace, shared by the reading and the answering.
type Shared = Rc<RefCell<Option<Session<BlobStore>>>>;

/// Takes the worker's role: from here on it answers the page.
pub fn start() {
    std::panic::set_hook(Box::new(|panic| {
        let words = JsValue::from_str(&panic.to_string());
        // The page may be gone; then there is nobody left to tell.
        let _ = scope().post_message(&words);
    }));
    let session: Shared = Rc::default();
    let asked = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        take(&session, &event.data().unchecked_into());
    });
    scope().set_onmessage(Some(asked.as_ref().unchecked_ref()));
    asked.forget();
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

fn take(session: &Shared, message: &Array) {
    let bytes = message.get(0).unchecked_into::<Uint8Array>().to_vec();
    let Some(request) = decode::<Request>(&bytes) else { return };
    match request {
        Request::WarmUp => wasm_bindgen_futures::spawn_local(warm_up(session.clone())),
        Request::Open(request) => {
            let files = message.get(1).unchecked_into::<Array>();
            let files = files.iter().map(JsCast::unchecked_into::<Blob>).collect();
            wasm_bindgen_futures::spawn_local(reading::open(session.clone(), request, files));
        }
        request => {
            let answers = match session.borrow_mut().as_mut() {
                Some(session) => session.handle(&request),
                None => return,
            };
            answers.iter().for_each(post);
            if matches!(request, Request::Search(..)) {
                searching::begin(session);
            }
        }
    }
}

fn with<T>(shared: &Shared, act: impl FnOnce(&mut Session<BlobStore>) -> T) -> Option<T> {
    shared.borrow_mut().as_mut().map(act)
}

/// Practises in small pieces, until there is something to read.
async fn warm_up(session: Shared) {
    let mut practice = WarmUp::default();
    while session.borrow().is_none() && practice.step() {
        TimeoutFuture::new(0).await;
    }
}

fn post(response: &Response) {
    let bytes = Uint8Array::from(encode(response).as_slice());
    let moved = Array::of1(&bytes.buffer());
    // As above: a page that is gone needs no answer.
    let _ = scope().post_message_with_transfer(&bytes, &moved);
}
