//! Reads the beginnings of the files of a folder and of the entries of an archive. While one file is examined, the next
//! ones are already being read.

use std::collections::VecDeque;

use js_sys::{ArrayBuffer, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use super::{Pauses, post};
use crate::jobs::blobs::{BlobStore, len_bytes, slice};
use traceloupe_protocol::head::{HEAD_BYTES, Head, LONG_HEAD_BYTES};
use traceloupe_protocol::messages::{Input, Response};
use traceloupe_session::{self as session, EntryHeads};

/// How many files are read ahead.
const AHEAD: usize = 8;

/// How often results are sent to the page, in milliseconds.
const BATCH_MS: f64 = 120.0;

/// Reads the beginnings of files, and sends their summaries to the page.
pub(super) async fn read(inputs: Vec<Input>, files: Vec<Blob>) {
    let mut coming = files.iter().map(|file| begin(file, HEAD_BYTES));
    let mut begun: VecDeque<Option<Promise>> = coming.by_ref().take(AHEAD).collect();
    let mut told = Told::new(inputs.len());
    for ((index, input), file) in (0..).zip(&inputs).zip(&files) {
        let bytes = match begun.pop_front().flatten() {
            Some(promise) => JsFuture::from(promise).await.ok(),
            None => None,
        };
        begun.extend(coming.next());
        let look = |bytes: Option<&JsValue>, read: u32| {
            // A file that cannot be read is listed as not being a trace. Opening it shows why.
            let bytes = bytes.map(|it| Uint8Array::new(it.unchecked_ref::<ArrayBuffer>()).to_vec());
            let is_whole = len_bytes(file) <= u64::from(read);
            session::head(index, &input.path, &bytes.unwrap_or_default(), is_whole, &told.likely)
        };
        let mut head = look(bytes.as_ref(), HEAD_BYTES);
        if head.is_cut
            && let Some(promise) = begin(file, LONG_HEAD_BYTES)
        {
            head = look(JsFuture::from(promise).await.ok().as_ref(), LONG_HEAD_BYTES);
        }
        told.add(head).await;
    }
    post(&Response::Heads(told.batch));
}

/// Reads the beginnings of entries of an archive, or of sessions of a database, and sends their summaries to the page.
/// The archive or database is the only file.
pub(super) async fn read_entries(entries: Vec<u32>, files: Vec<Blob>) {
    let mut store = BlobStore::default();
    let archive = files.first().map(|file| store.add(file));
    let Some(mut heads) = archive.and_then(|archive| EntryHeads::open(store, archive)) else {
        return;
    };
    let mut told = Told::new(entries.len());
    for (index, entry) in (0..).zip(entries) {
        let head = heads.head(index, entry, &told.likely);
        told.add(head).await;
    }
    post(&Response::Heads(told.batch));
}

/// Summaries for the page, sent in batches.
struct Told {
    batch: Vec<Head>,
    /// How long a batch takes. The page sorts the whole list for each.
    batch_ms: f64,
    told_ms: f64,
    /// The format of the last trace, because the files of a folder often share one.
    likely: String,
    pauses: Pauses,
}

impl Told {
    fn new(n_files: usize) -> Self {
        let pauses = Pauses::every(Pauses::WHILE_READING_MS);
        #[expect(clippy::cast_precision_loss)] // a number of files
        let batch_ms = BATCH_MS.max(n_files as f64 / 10.0);
        let told_ms = js_sys::Date::now();
        Self { batch: Vec::new(), batch_ms, told_ms, likely: String::new(), pauses }
    }

    /// Adds the summary of a file's beginning, and sends the batch if it is due.
    async fn add(&mut self, head: Head) {
        if !head.format.is_empty() {
            self.likely.clone_from(&head.format);
        }
        self.batch.push(head);
        if js_sys::Date::now() - self.told_ms >= self.batch_ms {
            post(&Response::Heads(std::mem::take(&mut self.batch)));
            self.told_ms = js_sys::Date::now();
        }
        self.pauses.pause().await;
    }
}

/// Starts reading the beginning of a file.
fn begin(file: &Blob, len_bytes: u32) -> Option<Promise> {
    Some(slice(file, 0, u64::from(len_bytes)).ok()?.array_buffer())
}
