//! The worker's border to the browser: messages in and out, pieces of files. Wasm only.
//!
//! A message to the worker is an array of an encoded [`Request`] and the files that go with it; a
//! message from it is an encoded [`Response`], moved and not copied; one with a file is an array of both.
//! A string is the last word of a worker that has panicked.
#![cfg(target_arch = "wasm32")]

mod arriving;
pub mod blobs;
mod reading;
mod running;
mod searching;

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;
use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, DedicatedWorkerGlobalScope, MessageChannel, MessageEvent};

use blobs::BlobStore;
use traceloupe::session::{FileMaker, Session, WarmUp};
use traceloupe::view::wire::protocol::{MadeFile, Request, Response, decode, encode};

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
        Request::Push(index) => {
            let pieces = message.get(1).unchecked_into::<Array>();
            pieces.iter().for_each(|piece| arriving::take(index, piece.unchecked_into()));
        }
        Request::End(index) => arriving::end(index),
        Request::File(cut, ticket) => {
            let mut held = session.borrow_mut();
            if let Some(maker) = held.as_mut().and_then(|session| session.begin_file(&cut)) {
                wasm_bindgen_futures::spawn_local(make_file(session.clone(), maker, ticket));
            }
        }
        Request::Convert(wanted, ticket) => {
            wasm_bindgen_futures::spawn_local(running::export(session.clone(), wanted, ticket));
        }
        Request::Check(run, text, ticket) => {
            wasm_bindgen_futures::spawn_local(running::check(session.clone(), run, text, ticket));
        }
        Request::Export(own, form, ticket) => {
            let made = with(session, |session| session.export_annotations(&own, form));
            if let Some(made) = made {
                hand_over(session, ticket, made);
            }
        }
        request => {
            let is_search = matches!(request, Request::Search(..));
            let is_stop = request == Request::Stop;
            if let Some(session) = session.borrow_mut().as_mut() {
                let answers = session.handle(&request);
                answers.iter().for_each(|answer| answer_with(session, answer));
            }
            if is_search {
                searching::begin(session);
            }
            if is_stop {
                arriving::wake();
            }
        }
    }
}

fn with<T>(shared: &Shared, act: impl FnOnce(&mut Session<BlobStore>) -> T) -> Option<T> {
    shared.borrow_mut().as_mut().map(act)
}

/// Lets the messages that have come be taken. A message to ourselves, since a browser makes each of many
/// timeouts four milliseconds long.
async fn breathe() {
    let Ok(channel) = MessageChannel::new() else { return };
    let answered = Promise::new(&mut |go, _| channel.port1().set_onmessage(Some(&go)));
    // A port of our own takes what can be copied; without an answer there is no next piece.
    let _ = channel.port2().post_message(&JsValue::NULL);
    let _ = JsFuture::from(answered).await;
    channel.port1().close();
}

/// Lets the page be heard in the midst of long work, but not after every step.
struct Pauses {
    last_ms: f64,
}

impl Pauses {
    const EVERY_MS: f64 = 40.0;

    fn new() -> Self {
        Self { last_ms: js_sys::Date::now() }
    }

    async fn pause(&mut self) {
        if js_sys::Date::now() - self.last_ms >= Self::EVERY_MS {
            breathe().await;
            self.last_ms = js_sys::Date::now();
        }
    }
}

/// Makes a file piece by piece; between the pieces the page is answered.
async fn make_file(session: Shared, mut maker: FileMaker, ticket: u32) {
    let mut pauses = Pauses::new();
    loop {
        let made = match session.borrow_mut().as_mut() {
            Some(session) => session.make_some(&mut maker),
            None => return,
        };
        if let Some(file) = made {
            return hand_over(&session, ticket, file);
        }
        pauses.pause().await;
    }
}

/// Practises in small pieces, until there is something to read.
async fn warm_up(session: Shared) {
    let mut practice = WarmUp::default();
    while session.borrow().is_none() && practice.step() {
        TimeoutFuture::new(0).await;
    }
}

fn hand_over(session: &Shared, ticket: u32, file: MadeFile) {
    let mut session = session.borrow_mut();
    let Some(session) = session.as_mut() else { return };
    if let Ok(blob) = session.store().blob(&file) {
        session.drop_file(&file);
        let bytes = Uint8Array::from(encode(&Response::File(ticket, file)).as_slice());
        // As below: a page that is gone needs no answer.
        let _ = scope().post_message(&Array::of2(&bytes, &blob));
    }
}

/// Posts an answer and, behind an outline, its rows.
fn answer_with(session: &Session<BlobStore>, answer: &Response) {
    post(answer);
    if let Response::Outline(outline) = answer {
        session.rows(outline).for_each(|rows| post(&rows));
    }
}

fn post(response: &Response) {
    let bytes = Uint8Array::from(encode(response).as_slice());
    let moved = Array::of1(&bytes.buffer());
    // As above: a page that is gone needs no answer.
    let _ = scope().post_message_with_transfer(&bytes, &moved);
}
