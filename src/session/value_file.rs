//! A value as a file for download: the decoded text of a string, the bytes of an image, or anything else as it is in
//! the source.

use super::store::{Handle, Store};
use crate::intake::files::Files;
use crate::render::values::{ReadError, base64_start, span_of};
use traceloupe_core::json::{base64, decode_string, unfinished};
use traceloupe_core::model::{SourceId, Span};
use traceloupe_protocol::messages::MadeFile;
use traceloupe_protocol::value::{Cut, CutForm};

/// How many bytes are decoded in one step.
const PIECE_BYTES: u32 = 1 << 20;

/// The longest head of a data URL.
const URL_HEAD_BYTES: u32 = 256;

/// A job that creates a file from a value.
#[derive(Debug)]
pub(super) struct ValueFile {
    source: SourceId,
    /// Offset of the next byte to decode.
    at: u64,
    end: u64,
    file: MadeFile,
    decoding: Option<Decoding>,
}

#[derive(Debug)]
enum Decoding {
    Text,
    /// Holds base64 digits that do not fill a group of four yet, and whether the head has been skipped.
    Media {
        rest: Vec<u8>,
        has_begun: bool,
    },
}

impl ValueFile {
    /// Starts a file.
    ///
    /// # Errors
    /// If the value cannot be read.
    pub(super) fn new<S: Store>(files: &mut Files<S>, cut: &Cut) -> Result<Self, ReadError> {
        let span = span_of(cut);
        let head = files.read(Span { len: span.len.min(URL_HEAD_BYTES), ..span })?;
        let is_string = head.first() == Some(&b'"');
        let decoding = match cut.form {
            CutForm::Media => Some(Decoding::Media { rest: Vec::new(), has_begun: false }),
            CutForm::Json | CutForm::JsonInString if is_string => Some(Decoding::Text),
            _ => None,
        };
        let (ending, media) = match (&decoding, cut.form) {
            (Some(Decoding::Media { .. }), _) => ("", ""),
            (Some(Decoding::Text), _) | (None, CutForm::Raw) => ("txt", "text/plain;charset=utf-8"),
            (None, _) => ("json", "application/json"),
        };
        let name = format!("value-at-byte-{}.{ending}", span.start);
        let mut file = MadeFile { name, media: media.to_owned(), ..MadeFile::default() };
        let end = span.start + u64::from(span.len);
        if decoding.is_some() {
            file.handle = files.store.create().0;
            file.is_made = true;
        } else {
            // The file is a slice of the source, which the browser reads later. If the source has changed, no part of
            // it can be read, so reading the last byte is a sufficient check.
            let last = Span { start: end.saturating_sub(1), len: span.len.min(1), ..span };
            files.read(last)?;
            file.handle = files.source(span.source).map_or(0, |source| source.handle.0);
            (file.start, file.len) = (span.start, u64::from(span.len));
        }
        // Skip the opening quote.
        let at = (span.start + 1).min(end);
        Ok(Self { source: span.source, at, end, file, decoding })
    }

    /// The storage that was created for the file.
    pub(super) fn made(&self) -> Option<Handle> {
        self.file.is_made.then_some(Handle(self.file.handle))
    }

    /// Decodes a piece. Returns the file when it is complete.
    pub(super) fn step<S: Store>(
        &mut self,
        files: &mut Files<S>,
    ) -> Result<Option<MadeFile>, ReadError> {
        let Some(decoding) = &mut self.decoding else { return Ok(Some(self.file.clone())) };
        let into = Handle(self.file.handle);
        let len = u32::try_from(self.end - self.at).unwrap_or(u32::MAX).min(PIECE_BYTES);
        let bytes = files.read(Span { source: self.source, start: self.at, len })?;
        if bytes.is_empty() {
            self.file.len = files.store.len(into);
            return Ok(Some(self.file.clone()));
        }
        let is_last = self.at + bytes.len() as u64 >= self.end;
        let (inside, used) = if is_last {
            (bytes.strip_suffix(b"\"").unwrap_or(&bytes), bytes.len())
        } else {
            let used = bytes.len() - unfinished(&bytes);
            (bytes.get(..used).unwrap_or_default(), used.max(1))
        };
        self.at += used as u64;
        let quoted = format!("\"{}\"", String::from_utf8_lossy(inside));
        let text = decode_string(&quoted);
        match decoding {
            Decoding::Media { rest, has_begun } => {
                let mut text = text.as_ref();
                if !std::mem::replace(has_begun, true) {
                    text = text.get(base64_start(text)..).unwrap_or(text);
                }
                let decoded = base64::decode(text.as_bytes(), rest, is_last);
                if self.file.media.is_empty() {
                    let (media, ending) = type_of_media(&decoded);
                    media.clone_into(&mut self.file.media);
                    self.file.name.push_str(ending);
                }
                files.store.append(into, &decoded);
            }
            Decoding::Text => files.store.append(into, text.as_bytes()),
        }
        Ok(None)
    }
}

/// The media type and the file extension of media, by their first bytes.
fn type_of_media(bytes: &[u8]) -> (&'static str, &'static str) {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => ("image/png", "png"),
        [0xff, 0xd8, ..] => ("image/jpeg", "jpg"),
        [b'G', b'I', b'F', b'8', ..] => ("image/gif", "gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => ("image/webp", "webp"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..] => ("audio/wav", "wav"),
        [b'I', b'D', b'3', ..] | [0xff, 0xf2 | 0xf3 | 0xfa | 0xfb, ..] => ("audio/mpeg", "mp3"),
        [0xff, 0xf1 | 0xf9, ..] => ("audio/aac", "aac"),
        [b'O', b'g', b'g', b'S', ..] => ("audio/ogg", "ogg"),
        [b'f', b'L', b'a', b'C', ..] => ("audio/flac", "flac"),
        [0x1a, 0x45, 0xdf, 0xa3, ..] => ("audio/webm", "webm"),
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => ("audio/mp4", "m4a"),
        [b'%', b'P', b'D', b'F', ..] => ("application/pdf", "pdf"),
        _ => ("application/octet-stream", "bin"),
    }
}
