//! The store of the browser: files from the page and unpacked bytes, as Blobs. Their bytes stay outside wasm memory and
//! are read in slices.

use std::cell::RefCell;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsValue;
use web_sys::{Blob, BlobPropertyBag, FileReaderSync};

use traceloupe_protocol::messages::MadeFile;
use traceloupe_session::store::{Handle, Store};

/// Unpacked bytes are collected into pieces of this size before they become a Blob.
const PIECE_BYTES: usize = 4 << 20;

/// How much of a Blob is read at once if less is asked for. Each read takes half a millisecond, whatever its length up to
/// this one, and what is asked for next usually follows: the next row, the result of a call.
const AHEAD_BYTES: u64 = 64 << 10;

/// Files and unpacked bytes by handle.
#[derive(Debug, Default)]
pub struct BlobStore {
    all: Vec<Kept>,
    head: Option<Head>,
    ahead: RefCell<Ahead>,
}

/// The bytes of the last short read, and those after it.
#[derive(Debug, Default)]
struct Ahead {
    /// The Blob: the index of the file, and of the piece in it.
    of: (usize, usize),
    /// Their place in the Blob.
    start: u64,
    bytes: Vec<u8>,
}

impl Ahead {
    /// A range of a Blob, if all of it is there.
    fn get(&self, of: (usize, usize), start: u64, end: u64) -> Option<&[u8]> {
        let from = usize::try_from(start.checked_sub(self.start)?).ok()?;
        let to = usize::try_from(end.checked_sub(self.start)?).ok()?;
        self.bytes.get(from..to).filter(|_| self.of == of)
    }
}

/// The first bytes of a file, which the first screen of rows needs. While a file is being read, another read of it
/// would have to wait for all reads that the browser has started.
#[derive(Debug)]
struct Head {
    handle: Handle,
    bytes: Vec<u8>,
}

#[derive(Debug, Default)]
struct Kept {
    /// Pieces with the offset of their first byte.
    pieces: Vec<(u64, Blob)>,
    /// The bytes after the last complete piece.
    rest: Vec<u8>,
    rest_start: u64,
    /// Whether it is a file from the page.
    is_file: bool,
}

impl BlobStore {
    /// Adds a file.
    pub fn add(&mut self, file: &Blob) -> Handle {
        let rest_start = len_bytes(file);
        self.push(Kept {
            pieces: vec![(0, file.clone())],
            rest: Vec::new(),
            rest_start,
            is_file: true,
        })
    }

    /// A file as a Blob. Its pieces are shared, not copied.
    pub fn blob(&self, file: &MadeFile) -> Result<Blob, JsValue> {
        let parts = Array::new();
        let end = file.start + file.len;
        if let Some(kept) = self.all.get(file.handle as usize) {
            for (at, blob) in &kept.pieces {
                let (from, to) = (file.start.max(*at), end.min(at + len_bytes(blob)));
                if from < to {
                    let part: JsValue = slice(blob, from - at, to - at)?.into();
                    parts.push(&part);
                }
            }
            let from = file.start.saturating_sub(kept.rest_start);
            let to = end.saturating_sub(kept.rest_start);
            let range = usize::try_from(from).unwrap_or(usize::MAX)
                ..usize::try_from(to).unwrap_or(usize::MAX).min(kept.rest.len());
            if let Some(rest) = kept.rest.get(range).filter(|rest| !rest.is_empty()) {
                parts.push(&Uint8Array::from(rest));
            }
        }
        let options = BlobPropertyBag::new();
        options.set_type(&file.media);
        Blob::new_with_blob_sequence_and_options(&parts, &options)
    }

    /// Keeps the first bytes of a file, unless those of another file are kept already.
    pub fn keep_head(&mut self, handle: Handle, bytes: &[u8]) {
        if self.head.is_none() {
            self.head = Some(Head { handle, bytes: bytes.to_vec() });
        }
    }

    /// Bytes of the head, if it contains all of them.
    fn read_head(&self, handle: Handle, start: u64, end: u64) -> Option<Vec<u8>> {
        let head = self.head.as_ref().filter(|head| head.handle == handle)?;
        let range = usize::try_from(start).ok()?..usize::try_from(end).ok()?;
        head.bytes.get(range).map(<[u8]>::to_vec)
    }

    /// Adds a range of a Blob to bytes.
    fn read_piece(
        &self,
        of: (usize, usize),
        blob: &Blob,
        (start, end): (u64, u64),
        bytes: &mut Vec<u8>,
    ) -> Result<(), JsValue> {
        let mut ahead = self.ahead.borrow_mut();
        if let Some(known) = ahead.get(of, start, end) {
            bytes.extend_from_slice(known);
        } else if end - start >= AHEAD_BYTES {
            bytes.extend_from_slice(&read_now(blob, start, end)?);
        } else {
            let until = (start + AHEAD_BYTES).min(len_bytes(blob));
            *ahead = Ahead { of, start, bytes: read_now(blob, start, until)? };
            bytes.extend_from_slice(ahead.get(of, start, end).unwrap_or_default());
        }
        Ok(())
    }

    fn push(&mut self, kept: Kept) -> Handle {
        self.all.push(kept);
        Handle(u32::try_from(self.all.len() - 1).unwrap_or(u32::MAX))
    }
}

/// Length of a Blob in bytes.
pub(crate) fn len_bytes(blob: &Blob) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a size is never negative
    let len = blob.size() as u64;
    len
}

/// A slice of a Blob.
pub(crate) fn slice(blob: &Blob, start: u64, end: u64) -> Result<Blob, JsValue> {
    #[expect(clippy::cast_precision_loss)] // files are far below 2^53 bytes
    blob.slice_with_f64_and_f64(start as f64, end as f64)
}

fn read_now(blob: &Blob, start: u64, end: u64) -> Result<Vec<u8>, JsValue> {
    let buffer = FileReaderSync::new()?.read_as_array_buffer(&slice(blob, start, end)?)?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

impl Store for BlobStore {
    fn read(&self, handle: Handle, start: u64, len: usize) -> Result<Vec<u8>, String> {
        let kept = self.all.get(handle.0 as usize).ok_or("no such file")?;
        let end = start.saturating_add(len as u64).min(self.len(handle));
        if let Some(bytes) = self.read_head(handle, start, end) {
            return Ok(bytes);
        }
        let mut bytes = Vec::new();
        let first = kept.pieces.partition_point(|(at, _)| *at <= start).saturating_sub(1);
        let pieces = kept.pieces.iter().enumerate().skip(first);
        for (piece, (at, blob)) in pieces.take_while(|(_, (at, _))| *at < end) {
            let (from, to) = (start.max(*at) - at, (end - at).min(len_bytes(blob)));
            if from < to {
                self.read_piece((handle.0 as usize, piece), blob, (from, to), &mut bytes)
                    .map_err(|error| crate::jobs::reading::words(&error))?;
            }
        }
        if end > kept.rest_start {
            let from = usize::try_from(start.saturating_sub(kept.rest_start)).unwrap_or(usize::MAX);
            let to = usize::try_from(end - kept.rest_start).unwrap_or(usize::MAX);
            bytes.extend_from_slice(kept.rest.get(from..to).unwrap_or_default());
        }
        Ok(bytes)
    }

    fn len(&self, handle: Handle) -> u64 {
        self.all.get(handle.0 as usize).map_or(0, |kept| kept.rest_start + kept.rest.len() as u64)
    }

    fn kept_bytes(&self) -> u64 {
        self.all.iter().filter(|kept| !kept.is_file).map(|kept| kept.rest_start).sum()
    }

    fn create(&mut self) -> Handle {
        self.push(Kept::default())
    }

    fn remove(&mut self, handle: Handle) {
        if let Some(kept) = self.all.get_mut(handle.0 as usize) {
            *kept = Kept::default();
            *self.ahead.borrow_mut() = Ahead::default();
        }
    }

    fn append(&mut self, handle: Handle, bytes: &[u8]) {
        let Some(kept) = self.all.get_mut(handle.0 as usize) else { return };
        kept.rest.extend_from_slice(bytes);
        if kept.rest.len() < PIECE_BYTES {
            return;
        }
        let parts = Array::of1(&Uint8Array::from(kept.rest.as_slice()));
        // If there is no Blob, the bytes stay in wasm memory.
        if let Ok(blob) = Blob::new_with_u8_array_sequence(&parts) {
            kept.pieces.push((kept.rest_start, blob));
            kept.rest_start += kept.rest.len() as u64;
            kept.rest = Vec::new();
        }
    }
}
