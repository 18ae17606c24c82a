//! Reading files slice by slice: the next slices are under way while this one is indexed.

use std::collections::VecDeque;

use js_sys::{Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use super::blobs::{BlobStore, len_bytes, slice};
use super::{Pauses, Shared, answer_with, post, searching, with};
use crate::model::SourceId;
use crate::session::protocol::{OpenRequest, Response};
use crate::session::{AfterSource, Session, unreadable};

/// The first slice is small, so that rows are there at once; the others are large.
const FIRST_SLICE_BYTES: u64 = 1 << 20;
const SLICE_BYTES: u64 = 8 << 20;

/// So many slices are under way at once: with one alone the browser waits while a slice is indexed.
const SLICES_AHEAD: usize = 2;

#[wasm_bindgen]
extern "C" {
    /// Reads a slice in a thread of its own where the browser has one for it (`public/boot.js`).
    #[wasm_bindgen(js_name = readSlice)]
    fn read_slice(slice: &Blob) -> Promise;
}

/// Opens files and posts how far it has come, and what came of it.
pub(super) async fn open(shared: Shared, request: OpenRequest, files: Vec<Blob>) {
    let mut store = BlobStore::default();
    let handles: Vec<_> = files.iter().map(|file| store.add(file)).collect();
    let total_bytes = files.iter().map(len_bytes).sum();
    let paths: Vec<String> = request.inputs.iter().map(|input| input.path.clone()).collect();
    *shared.borrow_mut() = Some(Session::new(store, request));

    let mut snapshots = Snapshots::new(total_bytes);
    let mut asked = false;
    for ((file, handle), path) in files.iter().zip(handles).zip(paths) {
        let Some(source) = with(&shared, |session| session.begin(&path, handle)) else { return };
        if let Err(error) = read(&shared, file, source, &mut snapshots).await {
            with(&shared, |session| session.fail(source, unreadable(&words(&error))));
        }
        match with(&shared, |session| session.end(source)) {
            Some(AfterSource::Choose(path, entries)) => {
                post(&Response::Choose(path, entries));
                asked = true;
            }
            Some(AfterSource::Unpack) => unpack(&shared, &mut snapshots).await,
            Some(AfterSource::Next) | None => {}
        }
        if with(&shared, |session| session.is_stopped()) == Some(true) {
            break;
        }
    }
    if asked {
        return;
    }
    snapshots.tell_now(&shared);
    with(&shared, |session| {
        let answer = session.complete();
        answer_with(session, &answer);
    });
    searching::wake(&shared);
}

/// Unpacks archives piece by piece; between the pieces the page is answered.
async fn unpack(shared: &Shared, snapshots: &mut Snapshots) {
    let mut pauses = Pauses::new();
    while with(shared, Session::unpack_some) == Some(true) {
        snapshots.tell(shared);
        snapshots.show(shared);
        pauses.pause().await;
    }
}

async fn read(
    shared: &Shared,
    file: &Blob,
    source: SourceId,
    snapshots: &mut Snapshots,
) -> Result<(), JsValue> {
    let len = len_bytes(file);
    let mut asked = 0;
    let mut under_way = VecDeque::new();
    // One room for all slices: memory of wasm that has grown is never given back.
    let mut bytes = Vec::new();
    loop {
        while under_way.len() < SLICES_AHEAD && (asked < len || under_way.is_empty()) {
            let slice_bytes = if asked == 0 { FIRST_SLICE_BYTES } else { SLICE_BYTES };
            let end = (asked + slice_bytes).min(len);
            under_way.push_back(JsFuture::from(read_slice(&slice(file, asked, end)?)));
            asked = end;
        }
        let Some(next) = under_way.pop_front() else { return Ok(()) };
        let read = Uint8Array::new(&next.await?);
        bytes.resize(read.length() as usize, 0);
        read.copy_to(&mut bytes);
        with(shared, |session| session.push(source, &bytes));
        searching::wake(shared);
        snapshots.tell(shared);
        let wants_more = with(shared, |session| session.wants_more(source)) == Some(true);
        if under_way.is_empty() && asked >= len || !wants_more {
            return Ok(());
        }
        snapshots.show(shared);
    }
}

/// So long the page is left alone after counts, and after rows. It draws with what the machine has, and
/// reading needs it too: a page that draws every slice takes as much time as the reading.
const COUNTS_EVERY_MS: f64 = 100.0;
const ROWS_EVERY_MS: f64 = 300.0;

/// Tells the page how far reading has come: the rows of the first slice at once, later ones when their
/// number has doubled, so that all snapshots together cost no more than the reading.
struct Snapshots {
    total_bytes: u64,
    next_events: u64,
    told_ms: f64,
    shown_ms: f64,
}

impl Snapshots {
    fn new(total_bytes: u64) -> Self {
        Self { total_bytes, next_events: 1, told_ms: 0.0, shown_ms: 0.0 }
    }

    /// The counts, if it is time.
    fn tell(&mut self, shared: &Shared) {
        if js_sys::Date::now() - self.told_ms >= COUNTS_EVERY_MS {
            self.tell_now(shared);
        }
    }

    fn tell_now(&mut self, shared: &Shared) {
        self.told_ms = js_sys::Date::now();
        if let Some((bytes, events)) = with(shared, |session| session.progress()) {
            post(&Response::Progress(bytes, self.total_bytes, events));
        }
        if let Some(memory) = with(shared, |session| session.memory()) {
            post(&Response::Memory(memory));
        }
    }

    /// The rows, if it is time.
    fn show(&mut self, shared: &Shared) {
        let Some((_, events)) = with(shared, |session| session.progress()) else { return };
        if events < self.next_events || js_sys::Date::now() - self.shown_ms < ROWS_EVERY_MS {
            return;
        }
        with(shared, |session| {
            if let Some(outline) = session.snapshot() {
                answer_with(session, &outline);
            }
        });
        self.shown_ms = js_sys::Date::now();
        self.next_events = events * 2;
    }
}

/// An error of the browser in words.
pub(super) fn words(error: &JsValue) -> String {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => format!("{error:?}"),
    }
}
