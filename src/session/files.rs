//! Values as files to keep: the decoded text of a string, the bytes of an image, anything else as it
//! stands. Made piece by piece beside the page, so that nothing waits for a large one.

use super::Session;
use super::store::{Handle, Store};
use crate::json::{decode_string, unfinished};
use crate::model::Span;
use crate::view::wire::protocol::MadeFile;
use crate::view::wire::value::{Cut, Form};
use crate::view::worker::values::{base64_start, span_of};

/// How much is decoded in one step.
const PIECE_BYTES: u64 = 1 << 20;

/// The longest beginning of a data address.
const ADDRESS_BYTES: usize = 256;

/// A file that is being made.
#[derive(Debug)]
pub struct FileMaker {
    from: Handle,
    /// Which bytes are still to be decoded.
    at: u64,
    end: u64,
    into: Handle,
    file: MadeFile,
    decoding: Option<Decoding>,
}

#[derive(Debug)]
enum Decoding {
    Text,
    /// With the base64 digits that have no group of four yet, and whether the beginning was seen.
    Image {
        rest: Vec<u8>,
        has_begun: bool,
    },
}

impl<S: Store> Session<S> {
    /// Begins to make a file of a value. `None` if it stands nowhere.
    pub fn begin_file(&mut self, cut: &Cut) -> Option<FileMaker> {
        let span = span_of(cut);
        let from = self.sources.get(span.source.index())?.handle;
        let head = self.store.read(from, span.start, ADDRESS_BYTES).ok()?;
        let is_string = head.first() == Some(&b'"');
        let decoding = match cut.form {
            Form::Image => Some(Decoding::Image { rest: Vec::new(), has_begun: false }),
            Form::Json | Form::JsonInString if is_string => Some(Decoding::Text),
            _ => None,
        };
        let (ending, media) = match (&decoding, cut.form) {
            (Some(Decoding::Image { .. }), _) => ("", ""),
            (Some(Decoding::Text), _) => ("txt", "text/plain;charset=utf-8"),
            (None, Form::Raw) => ("txt", "text/plain;charset=utf-8"),
            (None, _) => ("json", "application/json"),
        };
        let name = format!("value-at-byte-{}.{ending}", span.start);
        let mut file = MadeFile { name, media: media.to_owned(), ..MadeFile::default() };
        let end = span.start + u64::from(span.len);
        if decoding.is_none() {
            // It is a slice of what is there: nothing is copied.
            (file.handle, file.start, file.len) = (from.0, span.start, u64::from(span.len));
            return Some(FileMaker { from, at: end, end, into: from, file, decoding });
        }
        let into = self.store.create();
        file.handle = into.0;
        file.is_made = true;
        let inside = Span { start: span.start + 1, ..span };
        Some(FileMaker { from, at: inside.start, end: end.max(inside.start), into, file, decoding })
    }

    /// Makes some of a file. Returns it when it is whole.
    pub fn make_some(&mut self, maker: &mut FileMaker) -> Option<MadeFile> {
        let len = (maker.end - maker.at).min(PIECE_BYTES);
        let bytes = match usize::try_from(len) {
            Ok(len) if len > 0 => self.store.read(maker.from, maker.at, len).unwrap_or_default(),
            _ => Vec::new(),
        };
        if bytes.is_empty() || maker.decoding.is_none() {
            if maker.file.is_made {
                maker.file.len = self.store.len(maker.into);
            }
            return Some(maker.file.clone());
        }
        let is_last = maker.at + bytes.len() as u64 >= maker.end;
        let (inside, used) = if is_last {
            (bytes.strip_suffix(b"\"").unwrap_or(&bytes), bytes.len())
        } else {
            let used = bytes.len() - unfinished(&bytes);
            (bytes.get(..used).unwrap_or_default(), used.max(1))
        };
        maker.at += used as u64;
        let quoted = format!("\"{}\"", String::from_utf8_lossy(inside));
        let text = decode_string(&quoted);
        match &mut maker.decoding {
            Some(Decoding::Image { rest, has_begun }) => {
                let mut text = text.as_ref();
                if !std::mem::replace(has_begun, true) {
                    text = text.get(base64_start(text)..).unwrap_or(text);
                }
                let decoded = base64(text.as_bytes(), rest, is_last);
                if maker.file.media.is_empty() {
                    let (media, ending) = image_type(&decoded);
                    media.clone_into(&mut maker.file.media);
                    maker.file.name.push_str(ending);
                }
                self.store.append(maker.into, &decoded);
            }
            _ => self.store.append(maker.into, text.as_bytes()),
        }
        None
    }

    /// The page has the file: what was made for it is given up.
    pub fn drop_file(&mut self, file: &MadeFile) {
        if file.is_made {
            self.store.remove(Handle(file.handle));
        }
    }
}

/// What an image is, by its first bytes: media type, ending of its name.
fn image_type(bytes: &[u8]) -> (&'static str, &'static str) {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => ("image/png", "png"),
        [0xff, 0xd8, ..] => ("image/jpeg", "jpg"),
        [b'G', b'I', b'F', b'8', ..] => ("image/gif", "gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => ("image/webp", "webp"),
        _ => ("application/octet-stream", "bin"),
    }
}

/// Decodes base64 in either alphabet; what is no digit is passed over. Digits without a whole group
/// wait in `rest`.
fn base64(text: &[u8], rest: &mut Vec<u8>, is_last: bool) -> Vec<u8> {
    let digits = text.iter().filter_map(|byte| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    });
    rest.extend(digits);
    let mut out = Vec::with_capacity(rest.len() / 4 * 3 + 3);
    let groups = rest.chunks_exact(4);
    let over = groups.remainder().to_vec();
    for group in groups {
        let [a, b, c, d] = *group else { continue };
        out.extend([(a << 2) | (b >> 4), (b << 4) | (c >> 2), (c << 6) | d]);
    }
    *rest = over;
    if is_last {
        match rest.as_slice() {
            [a, b] => out.push((a << 2) | (b >> 4)),
            [a, b, c] => out.extend([(a << 2) | (b >> 4), (b << 4) | (c >> 2)]),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded_wherever_it_is_cut() {
        let text = b"TG9va2luZyBmb3IgYSBob3RlbCBpbiBHcmF6Pw==";
        for cut in 0..text.len() {
            let mut rest = Vec::new();
            let mut out = base64(&text[..cut], &mut rest, false);
            out.extend(base64(&text[cut..], &mut rest, true));
            assert_eq!(out, b"Looking for a hotel in Graz?", "{cut}");
        }
        assert_eq!(base64(b"_-8=\n", &mut Vec::new(), true), [0xff, 0xef]);
        assert_eq!(base64(b"", &mut Vec::new(), true), [0; 0]);
    }
}
