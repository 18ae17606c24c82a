//! Reading files slice by slice: the next slice is under way while this one is indexed.

use js_sys::Uint8Array;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use super::blobs::{BlobStore, len_bytes, slice};
use super::{Shared, post, searching, with};
use crate::model::SourceId;
use crate::session::protocol::{OpenRequest, Response};
use crate::session::{AfterSource, Session, unreadable};

/// The first slice is small, so that rows are there at once; the others are large.
const FIRST_SLICE_BYTES: u64 = 1 << 20;
const SLICE_BYTES: u64 = 8 << 20;

/// Opens files and posts how far it has come, and what came of it.
pub(super) async fn open(shared: Shared, request: OpenRequest, files: Vec<Blob>) {
    let mut store = BlobStore::default();
    let handles: Vec<_> = files.iter().map(|file| store.add(file)).collect();
    let total_bytes = files.iter().map(len_bytes).sum();
    let paths: Vec<String> = request.inputs.iter().map(|input| input.path.clone()).collect();
    *shared.borrow_mut() = Some(Session::new(store, request));

    let mut snapshots = Snapshots { total_bytes, next_events: 1 };
    let mut asked = false;
    for ((file, handle), path) in files.iter().zip(handles).zip(paths) {
        let Some(source) = with(&shared, |session| session.begin(&path, handle)) else { return };
        if let Err(error) = read(&shared, file, source, &mut snapshots).await {
            with(&shared, |session| session.fail(source, unreadable(&words(&error))));
        }
        if let Some(AfterSource::Choose(path, entries)) =
            with(&shared, |session| session.end(source))
        {
            post(&Response::Choose(path, entries));
            asked = true;
        }
    }
    if asked {
        return;
    }
    snapshots.tell(&shared);
    if let Some(answer) = with(&shared, Session::complete) {
        post(&answer);
    }
    searching::wake(&shared);
}

async fn read(
    shared: &Shared,
    file: &Blob,
    source: SourceId,
    snapshots: &mut Snapshots,
) -> Result<(), JsValue> {
    let len = len_bytes(file);
    let ask = |start: u64, bytes: u64| -> Result<(JsFuture, u64), JsValue> {
        let end = (start + bytes).min(len);
        Ok((JsFuture::from(slice(file, start, end)?.array_buffer()), end))
    };
    let (mut next, mut at) = ask(0, FIRST_SLICE_BYTES)?;
    loop {
        let buffer = next.await?;
        let is_last = at >= len;
        let ahead = if is_last { None } else { Some(ask(at, SLICE_BYTES)?) };
        let bytes = Uint8Array::new(&buffer).to_vec();
        with(shared, |session| session.push(source, &bytes));
        searching::wake(shared);
        snapshots.tell(shared);
        let Some((ahead, end)) = ahead else { return Ok(()) };
        snapshots.show(shared);
        (next, at) = (ahead, end);
    }
}

/// Tells the page how far reading has come: counts after every slice, rows after the first slice and
/// whenever their number has doubled, so that all snapshots together cost no more than the reading.
struct Snapshots {
    total_bytes: u64,
    next_events: u64,
}

impl Snapshots {
    fn tell(&self, shared: &Shared) {
        if let Some((bytes, events)) = with(shared, |session| session.progress()) {
            post(&Response::Progress(bytes, self.total_bytes, events));
        }
    }

    fn show(&mut self, shared: &Shared) {
        let Some((_, events)) = with(shared, |session| session.progress()) else { return };
        if events < self.next_events {
            return;
        }
        if let Some(Some(outline)) = with(shared, Session::snapshot) {
            post(&outline);
        }
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
