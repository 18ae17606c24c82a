//! The worker's connection to the browser: messages in and out, and bytes of files. Wasm only.
//!
//! A message to the worker is an array of an encoded [`Request`] and the files that belong to it. A message from the
//! worker is an encoded [`Response`], which is moved rather than copied, or an array of an encoded response and its
//! file. A string is the last message of a worker that has panicked.
#![cfg(target_arch = "wasm32")]

mod heads;
pub mod jobs;

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;
use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, DedicatedWorkerGlobalScope, MessageChannel, MessageEvent};

use jobs::blobs::BlobStore;
use traceloupe_protocol::messages::{MadeFile, Request, Response, decode, encode};
use traceloupe_session::{Session, WarmUp, format_lines};

/// The session, shared by reading and request handling. `None` until files are opened.
type Shared = Rc<RefCell<Option<Session<BlobStore>>>>;

/// Starts the worker, which from then on handles the messages of the page.
pub fn start() {
    std::panic::set_hook(Box::new(|panic| {
        let words = JsValue::from_str(&panic.to_string());
        // If the page is gone, nobody needs the message.
        let _ = scope().post_message(&words);
    }));
    let session: Shared = Rc::default();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        take(&session, &event.data().unchecked_into());
    });
    scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Handles a message. Requests that come with files or bytes are handled here, all others by the session.
fn take(shared: &Shared, message: &Array) {
    let bytes = message.get(0).unchecked_into::<Uint8Array>().to_vec();
    let Some(request) = decode::<Request>(&bytes) else { return };
    match request {
        Request::WarmUp => spawn_local(warm_up(shared.clone())),
        Request::MakeRoom => make_room(),
        Request::Open(request) => {
            spawn_local(jobs::reading::open(shared.clone(), request, files_of(message)));
        }
        Request::Heads(inputs) => spawn_local(heads::read(inputs, files_of(message))),
        Request::EntryHeads(entries) => {
            spawn_local(heads::read_entries(entries, files_of(message)));
        }
        Request::Formats => post(&Response::Formats(format_lines())),
        Request::Push(index) => {
            let pieces = message.get(1).unchecked_into::<Array>();
            pieces.iter().for_each(|piece| jobs::growing::push(index, piece.unchecked_into()));
        }
        Request::End(index) => jobs::growing::end(index),
        request => {
            with(shared, |session| {
                let answers = session.handle(&request);
                answers.iter().for_each(|answer| answer_with(session, answer));
            });
            match request {
                Request::Search(..) => jobs::reset_pace(),
                Request::Stop => jobs::growing::wake(),
                _ => {}
            }
            jobs::wake(shared);
        }
    }
}

/// The files of a message.
fn files_of(message: &Array) -> Vec<Blob> {
    message.get(1).unchecked_into::<Array>().iter().map(JsCast::unchecked_into).collect()
}

fn with<T>(shared: &Shared, act: impl FnOnce(&mut Session<BlobStore>) -> T) -> Option<T> {
    shared.borrow_mut().as_mut().map(act)
}

/// Lets pending messages be handled. Posts a message to itself instead of setting a timeout, because browsers extend
/// each of many timeouts to four milliseconds.
async fn breathe() {
    let Ok(channel) = MessageChannel::new() else { return };
    let answered = Promise::new(&mut |go, _| channel.port1().set_onmessage(Some(&go)));
    // Posting null cannot fail.
    let _ = channel.port2().post_message(&JsValue::NULL);
    let _ = JsFuture::from(answered).await;
    channel.port1().close();
}

/// Interrupts long work from time to time, so that messages are handled.
struct Pauses {
    every_ms: f64,
    last_ms: f64,
}

impl Pauses {
    /// How often reading is interrupted, in milliseconds.
    const WHILE_READING_MS: f64 = 40.0;

    fn every(every_ms: f64) -> Self {
        Self { every_ms, last_ms: js_sys::Date::now() }
    }

    /// Interrupts the work, if it is time.
    async fn pause(&mut self) {
        if js_sys::Date::now() - self.last_ms >= self.every_ms {
            breathe().await;
            self.last_ms = js_sys::Date::now();
        }
    }
}

/// Warms up until there is something to read.
async fn warm_up(shared: Shared) {
    let mut warm_up = WarmUp::<BlobStore>::default();
    make_room();
    while shared.borrow().is_none() && warm_up.step() {
        TimeoutFuture::new(0).await;
    }
}

/// How much memory a worker reserves in advance: most of what a file of 100 MB needs.
const ROOM_BYTES: usize = 10 << 20;

/// Reserves memory in advance. The system provides memory page by page when it is first written to, which takes about
/// two microseconds per page, or ten milliseconds for the index of a large file. A worker that waits for a file has the
/// time.
fn make_room() {
    const PAGE_BYTES: usize = 4_096;
    let mut room = vec![0_u8; ROOM_BYTES];
    room.iter_mut().step_by(PAGE_BYTES).for_each(|byte| *byte = 1);
    std::hint::black_box(&room);
}

/// Posts a response: an outline is followed by its rows, and a file comes with its Blob.
fn answer_with(session: &mut Session<BlobStore>, answer: &Response) {
    match answer {
        Response::File(_, file) => post_file(session, answer, file),
        Response::Outline(outline) => {
            post(answer);
            session.rows(outline).for_each(|rows| post(&rows));
        }
        _ => post(answer),
    }
}

/// Posts a response with a file from the store.
fn post_file(session: &mut Session<BlobStore>, answer: &Response, file: &MadeFile) {
    if let Ok(blob) = session.store().blob(file) {
        session.drop_file(file);
        let bytes = Uint8Array::from(encode(answer).as_slice());
        // If the page is gone, nobody needs the message.
        let _ = scope().post_message(&Array::of2(&bytes, &blob));
    }
}

fn post(response: &Response) {
    let bytes = Uint8Array::from(encode(response).as_slice());
    let moved = Array::of1(&bytes.buffer());
    // If the page is gone, nobody needs the message.
    let _ = scope().post_message_with_transfer(&bytes, &moved);
}
