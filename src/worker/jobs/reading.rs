//! Reads files piece by piece. While a piece is indexed, the browser fills its pipe with the next bytes.

use js_sys::{Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use crate::jobs::blobs::{BlobStore, len_bytes};
use crate::jobs::{self, growing};
use crate::{Pauses, Shared, answer_with, post, with};
use traceloupe_core::model::SourceId;
use traceloupe_protocol::messages::{OpenRequest, Response};
use traceloupe_session::store::Handle;
use traceloupe_session::{AfterSource, Session};

/// The size of the pieces that are indexed: small enough to stay in the processor's cache.
const PIECE_BYTES: usize = 1 << 20;

/// The size of the first piece: enough for the first screen of rows.
const FIRST_PIECE_BYTES: usize = 1 << 19;

#[wasm_bindgen]
extern "C" {
    /// A file that is being read.
    type Pieces;

    /// Starts reading a file from its beginning (`public/boot.js`).
    #[wasm_bindgen(js_name = readPieces)]
    fn read_pieces(file: &Blob) -> Pieces;

    /// The next bytes (a `Uint8Array` that is valid until the next call), or null at the end: the requested number, or
    /// the rest of the file. Browsers that cannot read files into a given buffer return as many as they have.
    #[wasm_bindgen(method)]
    fn next(this: &Pieces, len_bytes: u32) -> Promise;

    /// Stops reading.
    #[wasm_bindgen(method)]
    fn end(this: &Pieces);
}

/// Opens files. Posts the progress, and finally the outline or the problem.
pub(crate) async fn open(shared: Shared, request: OpenRequest, files: Vec<Blob>) {
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
            with(&shared, |session| session.fail_read(source, &words(&error)));
        }
        if let Some(growth) = grows {
            growing::read(&shared, index, source, growth.is_live, &mut snapshots).await;
        }
        match with(&shared, |session| session.end(source)) {
            Some(AfterSource::Choose(path, entries)) => {
                post(&Response::Choose(path, entries));
                asked = true;
            }
            Some(AfterSource::Unpack) => {
                let after_step = || {
                    snapshots.tell(&shared);
                    snapshots.show(&shared);
                };
                jobs::run(&shared, Session::is_unpacking, after_step).await;
            }
            Some(AfterSource::Next) | None => {}
        }
        if with(&shared, |session| session.is_stopped()) == Some(true) {
            break;
        }
    }
    if asked {
        return;
    }
    with(&shared, |session| {
        let answer = session.complete();
        answer_with(session, &answer);
        post(&Response::Memory(session.memory()));
    });
    jobs::wake(&shared);
}

async fn read(
    shared: &Shared,
    (file, handle): (&Blob, Handle),
    source: SourceId,
    snapshots: &mut Snapshots,
) -> Result<(), JsValue> {
    let mut portions = Portions { pieces: read_pieces(file), piece: None };
    // One buffer for all pieces, because wasm memory never shrinks. It is not cleared between pieces, because growing
    // it again would fill it with zeros.
    let mut room = Vec::new();
    // Pieces that have been read already arrive without a pause in which messages could be handled.
    let mut pauses = Pauses::every(Pauses::WHILE_READING_MS);
    let mut piece_bytes = FIRST_PIECE_BYTES;
    loop {
        let (len, is_over) = portions.fill(&mut room, piece_bytes).await?;
        let piece = room.get(..len).unwrap_or_default();
        with(shared, |session| session.store_mut().keep_head(handle, piece));
        with(shared, |session| session.push(source, piece));
        jobs::wake(shared);
        snapshots.tell(shared);
        let wants_more = with(shared, |session| session.wants_more(source)) == Some(true);
        if is_over || !wants_more {
            portions.pieces.end();
            return Ok(());
        }
        snapshots.show(shared);
        pauses.pause().await;
        piece_bytes = PIECE_BYTES;
    }
}

/// The bytes of a file in portions of any size, regardless of the size of the pieces from the browser.
struct Portions {
    pieces: Pieces,
    /// The latest piece, and how many of its bytes have been used.
    piece: Option<(Uint8Array, u32)>,
}

impl Portions {
    /// Puts the next bytes into the buffer: as many as requested, or the rest of the file. Returns how many there are,
    /// and whether they are the last ones.
    async fn fill(
        &mut self,
        room: &mut Vec<u8>,
        len_bytes: usize,
    ) -> Result<(usize, bool), JsValue> {
        if room.len() < len_bytes {
            room.resize(len_bytes, 0);
        }
        let mut len = 0;
        while let Some(rest) = room.get_mut(len..len_bytes).filter(|rest| !rest.is_empty()) {
            let wanted = u32::try_from(rest.len()).unwrap_or(u32::MAX);
            let Some((piece, taken)) = &mut self.piece else {
                let next = JsFuture::from(self.pieces.next(wanted)).await?;
                let Ok(piece) = next.dyn_into::<Uint8Array>() else { return Ok((len, true)) };
                self.piece = Some((piece, 0));
                continue;
            };
            let until = piece.length().min(taken.saturating_add(wanted));
            let part = piece.subarray(*taken, until);
            let part_len = part.length() as usize;
            part.copy_to(rest.get_mut(..part_len).unwrap_or_default());
            len += part_len;
            *taken = until;
            if until == piece.length() {
                self.piece = None;
            }
        }
        Ok((len, false))
    }
}

/// The minimum time between two progress counts, and between two snapshots of the rows. Drawing takes processor time
/// that reading needs: if the page drew every piece, that would take as long as the reading.
const COUNTS_EVERY_MS: f64 = 100.0;
const ROWS_EVERY_MS: f64 = 300.0;

/// Sends the progress of reading to the page. The rows of the first piece are shown at once, and later ones whenever
/// their number has doubled, so that all snapshots together cost no more than the reading. No rows are shown shortly
/// before the end.
pub(crate) struct Snapshots {
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

    /// Sends the counts, if they are due. Shortly before the end the page has better things to do than to draw them.
    pub(crate) fn tell(&mut self, shared: &Shared) {
        let now_ms = js_sys::Date::now();
        if now_ms - self.told_ms < COUNTS_EVERY_MS {
            return;
        }
        let Some((bytes, _)) = with(shared, |session| session.progress()) else { return };
        if self.told_ms == 0.0 || self.rest_ms(bytes, now_ms) >= COUNTS_EVERY_MS {
            self.tell_now(shared);
        }
    }

    pub(crate) fn tell_now(&mut self, shared: &Shared) {
        self.told_ms = js_sys::Date::now();
        if let Some((bytes, events)) = with(shared, |session| session.progress()) {
            post(&Response::Progress(bytes, self.total_bytes, events));
        }
        if let Some(memory) = with(shared, |session| session.memory()) {
            post(&Response::Memory(memory));
        }
    }

    /// Sends the rows, if they are due.
    pub(crate) fn show(&mut self, shared: &Shared) {
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

    /// How long the rest will take at the current rate. Infinite if the length is unknown, or if unpacking continues
    /// after all bytes have been read.
    fn rest_ms(&self, bytes: u64, now_ms: f64) -> f64 {
        if bytes >= self.total_bytes {
            return f64::INFINITY;
        }
        #[expect(clippy::cast_precision_loss)] // files are far below 2^53 bytes
        let (read, rest) = (bytes as f64, (self.total_bytes - bytes) as f64);
        (now_ms - self.began_ms) * rest / read.max(1.0)
    }

    /// Sends the rows so far. Returns how many milliseconds that took.
    pub(crate) fn show_now(&mut self, shared: &Shared) -> f64 {
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

/// The message of a browser error.
pub(crate) fn words(error: &JsValue) -> String {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => format!("{error:?}"),
    }
}
