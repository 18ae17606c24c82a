//! Reading files piece by piece: the next ones are under way while this one is indexed.

use js_sys::{Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use super::blobs::{BlobStore, len_bytes};
use super::{Pauses, Shared, answer_with, arriving, post, searching, with};
use traceloupe::model::SourceId;
use traceloupe::session::store::Handle;
use traceloupe::session::{AfterSource, Session, unreadable};
use traceloupe::view::wire::protocol::{OpenRequest, Response};

/// So much is gathered before it is indexed: little enough to stay in the processor's cache on its way.
const PIECE_BYTES: usize = 1 << 20;
/// So much at first: enough for the first screen of rows.
const FIRST_PIECE_BYTES: usize = 1 << 19;

#[wasm_bindgen]
extern "C" {
    /// A file that is being read.
    type Pieces;

    /// Begins to read a file from its start, in a thread of its own where the browser has one for it
    /// (`public/boot.js`).
    #[wasm_bindgen(js_name = readPieces)]
    fn read_pieces(file: &Blob) -> Pieces;

    /// The next bytes, as many as come at once (a `Uint8Array`), or null at the end. The next ones are
    /// on their way meanwhile.
    #[wasm_bindgen(method)]
    fn next(this: &Pieces) -> Promise;

    /// No more are wanted.
    #[wasm_bindgen(method)]
    fn end(this: &Pieces);
}

/// Opens files and posts how far it has come, and what came of it.
pub(super) async fn open(shared: Shared, request: OpenRequest, files: Vec<Blob>) {
    let mut store = BlobStore::default();
    let handles: Vec<_> = files.iter().map(|file| store.add(file)).collect();
    let grows = request.grows;
    let total_bytes = match grows {
        Some(growth) => growth.total_bytes,
        None => files.iter().map(len_bytes).sum(),
    };
    let paths: Vec<String> = request.inputs.iter().map(|input| input.path.clone()).collect();
    *shared.borrow_mut() = Some(Session::new(store, request));

    let mut snapshots = Snapshots::new(total_bytes);
    let mut asked = false;
    for (index, ((file, handle), path)) in (0..).zip(files.iter().zip(handles).zip(paths)) {
        let Some(source) = with(&shared, |session| session.begin(&path, handle)) else { return };
        if let Err(error) = read(&shared, (file, handle), source, &mut snapshots).await {
            with(&shared, |session| session.fail(source, unreadable(&words(&error))));
        }
        if let Some(growth) = grows {
            arriving::read(&shared, index, source, growth.is_live, &mut snapshots).await;
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
    (file, handle): (&Blob, Handle),
    source: SourceId,
    snapshots: &mut Snapshots,
) -> Result<(), JsValue> {
    let pieces = read_pieces(file);
    // One room for all pieces: memory of wasm that has grown is never given back. It is not cleared, for
    // clearing it and growing it again would fill it with zeros each time.
    let mut room = Vec::new();
    // Pieces that are here already come without a pause in which the page could be heard.
    let mut pauses = Pauses::new();
    let mut piece_bytes = FIRST_PIECE_BYTES;
    loop {
        let mut len = 0;
        let mut is_over = false;
        while !is_over && len < piece_bytes {
            match JsFuture::from(pieces.next()).await?.dyn_into::<Uint8Array>() {
                Ok(piece) => {
                    let start = len;
                    len += piece.length() as usize;
                    if room.len() < len {
                        room.resize(len, 0);
                    }
                    piece.copy_to(room.get_mut(start..len).unwrap_or_default());
                }
                Err(_) => is_over = true,
            }
        }
        let piece = room.get(..len).unwrap_or_default();
        with(shared, |session| session.store_mut().keep_head(handle, piece));
        with(shared, |session| session.push(source, piece));
        searching::wake(shared);
        snapshots.tell(shared);
        let wants_more = with(shared, |session| session.wants_more(source)) == Some(true);
        if is_over || !wants_more {
            pieces.end();
            return Ok(());
        }
        snapshots.show(shared);
        pauses.pause().await;
        piece_bytes = PIECE_BYTES;
    }
}

/// So long the page is left alone after counts, and after rows. It draws with what the machine has, and
/// reading needs it too: a page that draws every piece takes as much time as the reading.
const COUNTS_EVERY_MS: f64 = 100.0;
const ROWS_EVERY_MS: f64 = 300.0;

/// Tells the page how far reading has come: the rows of the first piece at once, later ones when their
/// number has doubled, so that all snapshots together cost no more than the reading; none when all rows
/// are about to come.
pub(super) struct Snapshots {
    total_bytes: u64,
    began_ms: f64,
    next_events: u64,
    told_ms: f64,
    shown_ms: f64,
}

impl Snapshots {
    fn new(total_bytes: u64) -> Self {
        let began_ms = js_sys::Date::now();
        Self { total_bytes, began_ms, next_events: 1, told_ms: 0.0, shown_ms: 0.0 }
    }

    /// The counts, if it is time.
    pub(super) fn tell(&mut self, shared: &Shared) {
        if js_sys::Date::now() - self.told_ms >= COUNTS_EVERY_MS {
            self.tell_now(shared);
        }
    }

    pub(super) fn tell_now(&mut self, shared: &Shared) {
        self.told_ms = js_sys::Date::now();
        if let Some((bytes, events)) = with(shared, |session| session.progress()) {
            post(&Response::Progress(bytes, self.total_bytes, events));
        }
        if let Some(memory) = with(shared, |session| session.memory()) {
            post(&Response::Memory(memory));
        }
    }

    /// The rows, if it is time.
    pub(super) fn show(&mut self, shared: &Shared) {
        let Some((bytes, events)) = with(shared, |session| session.progress()) else { return };
        let now_ms = js_sys::Date::now();
        if events < self.next_events || now_ms - self.shown_ms < ROWS_EVERY_MS {
            return;
        }
        if self.shown_ms > 0.0 && self.rest_ms(bytes, now_ms) < ROWS_EVERY_MS {
            return;
        }
        self.show_now(shared);
        self.next_events = events * 2;
    }

    /// How much longer it takes, if it goes on as it has; what all bytes are not known of, or is unpacked
    /// when they are read, may take forever.
    fn rest_ms(&self, bytes: u64, now_ms: f64) -> f64 {
        if bytes >= self.total_bytes {
            return f64::INFINITY;
        }
        #[expect(clippy::cast_precision_loss)] // files are far below 2^53 bytes
        let (read, rest) = (bytes as f64, (self.total_bytes - bytes) as f64);
        (now_ms - self.began_ms) * rest / read.max(1.0)
    }

    /// The rows as they are; returns how many milliseconds that took.
    pub(super) fn show_now(&mut self, shared: &Shared) -> f64 {
        let began_ms = js_sys::Date::now();
        with(shared, |session| {
            let Some(response) = session.snapshot() else { return };
            if let Response::Outline(outline) = &response
                && self.shown_ms == 0.0
            {
                post(&session.first_previews(outline));
            }
            answer_with(session, &response);
        });
        self.shown_ms = js_sys::Date::now();
        self.shown_ms - began_ms
    }
}

/// An error of the browser in words.
pub(super) fn words(error: &JsValue) -> String {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => format!("{error:?}"),
    }
}
