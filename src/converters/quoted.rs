//! Unpacks JSON inside JSON strings: `"{\"id\": …}"`, once or on each line, as left by programs that serialize twice.

use memchr::{memchr, memchr2};
use traceloupe_core::json::{Notice, decode_inner, unfinished};
use traceloupe_core::warning_code::WarningCode;
use traceloupe_input::{Decoder, Remark};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Whether a text begins with a string that contains an object or a list of objects.
#[must_use]
pub fn looks_like_quoted_json(head: &[u8]) -> bool {
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
    let Some(inner) = text.strip_prefix(b"\"").map(after_blanks) else { return false };
    let inner = inner.strip_prefix(b"[").map_or(inner, after_blanks);
    inner.strip_prefix(b"{").is_some_and(|members| after_blanks(members).starts_with(b"\\\""))
}

/// The text after the white space at the beginning of a string.
fn after_blanks(mut text: &[u8]) -> &[u8] {
    let blanks: [&[u8]; 4] = [b" ", b"\\n", b"\\r", b"\\t"];
    while let Some(rest) = blanks.iter().find_map(|blank| text.strip_prefix(*blank)) {
        text = rest;
    }
    text
}

/// Unpacks strings; lines that are not strings stay as they are. Each string becomes lines of its own.
#[derive(Default)]
pub struct Quoted {
    place: Place,
    /// The end of the last chunk, inside a string: an incomplete escape or character.
    held: Vec<u8>,
    is_told: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Place {
    /// Where a string may begin.
    #[default]
    Outside,
    /// In a line that is not a string.
    Plain,
    Inside,
}

impl Quoted {
    /// Creates a decoder without input.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads bytes of a string. Returns the bytes after its end.
    fn string<'b>(&mut self, bytes: &'b [u8], out: &mut Vec<u8>) -> &'b [u8] {
        let end = string_end(bytes);
        let len = end.unwrap_or_else(|| bytes.len() - unfinished(bytes));
        let (inside, rest) = bytes.split_at_checked(len).unwrap_or((bytes, &[]));
        out.extend_from_slice(decode_inner(inside).as_bytes());
        if end.is_none() {
            self.held.extend_from_slice(rest);
            return &[];
        }
        out.push(b'\n');
        self.place = Place::Outside;
        rest.get(1..).unwrap_or_default()
    }

    /// Reads the rest of a line, or white space and the quote that begins a string. Returns the bytes after that.
    fn line<'b>(&mut self, bytes: &'b [u8], out: &mut Vec<u8>) -> &'b [u8] {
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || BYTE_ORDER_MARK.contains(byte);
        let n_blank = match self.place {
            Place::Plain => 0,
            _ => bytes.iter().take_while(|byte| is_blank(byte)).count(),
        };
        let (blank, rest) = bytes.split_at_checked(n_blank).unwrap_or((bytes, &[]));
        out.extend_from_slice(blank);
        if self.place == Place::Outside
            && let Some((first, after)) = rest.split_first()
        {
            if *first == b'"' {
                self.place = Place::Inside;
                return after;
            }
            self.place = Place::Plain;
        }
        let end = memchr(b'\n', rest).map(|at| at + 1);
        let (line, rest) = rest.split_at_checked(end.unwrap_or(rest.len())).unwrap_or((rest, &[]));
        out.extend_from_slice(line);
        if end.is_some() {
            self.place = Place::Outside;
        }
        rest
    }
}

/// The offset of the quote that ends a string.
fn string_end(inside: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr2(b'"', b'\\', inside.get(at..)?)?;
        if inside.get(at) == Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

impl Decoder for Quoted {
    fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        out.reserve(bytes.len());
        let mut held = std::mem::take(&mut self.held);
        let mut rest = bytes;
        if !held.is_empty() {
            held.extend_from_slice(bytes);
            rest = &held;
        }
        while !rest.is_empty() {
            rest = match self.place {
                Place::Inside => self.string(rest, out),
                _ => self.line(rest, out),
            };
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(decode_inner(&std::mem::take(&mut self.held)).as_bytes());
    }

    fn notices(&mut self) -> Vec<Notice> {
        self.remarks().into_iter().map(|remark| remark.notice).collect()
    }

    fn remarks(&mut self) -> Vec<Remark> {
        match std::mem::replace(&mut self.is_told, true) {
            true => Vec::new(),
            false => vec![Remark::from(Notice::new(WarningCode::FromString, 0))],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(text: &str, chunk_len: usize) -> String {
        let (mut decoder, mut out) = (Quoted::new(), Vec::new());
        for chunk in text.as_bytes().chunks(chunk_len) {
            decoder.push(chunk, &mut out);
        }
        decoder.finish(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn strings_with_objects_are_told_by_their_beginning() {
        for text in ["\"{\\\"a\\\":1}\"", " \"[{\\\"a\\\"", "\"{\\n  \\\"a\\\"", "\u{feff}\"{\\\""]
        {
            assert!(looks_like_quoted_json(text.as_bytes()), "{text}");
        }
        for text in ["{\"a\":1}", "\"words\"", "\"{}\"", "\"{\"\"a\"\":1}\",2", "\"[1]\"", ""] {
            assert!(!looks_like_quoted_json(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn strings_are_unpacked_wherever_the_chunks_end() {
        let inner = "{\"a\": \"line\\nnext \\\"x\\\" \\\\ é 🦀 \u{8}\"}\n\t";
        let text = serde_json::to_string(inner).unwrap();
        let ascii = text.replace('🦀', "\\uD83E\\udd80").replace('é', "\\u00e9");
        for chunk_len in [1, 2, 3, 1000] {
            assert_eq!(unpacked(&text, chunk_len), format!("{inner}\n"));
            assert_eq!(unpacked(&ascii, chunk_len), format!("{inner}\n"));
        }
        assert_eq!(unpacked("\"{}\"\r\n{\"b\":2}\n\"[]\"", 4), "{}\n\r\n{\"b\":2}\n[]\n");
    }

    #[test]
    fn broken_escapes_are_read_as_everywhere() {
        let broken = "a\\ud83eb\\ud83e\\u0041\\uq\\ud83e";
        for chunk_len in [1, 2, 5, 100] {
            let read = unpacked(&format!("\"{broken}"), chunk_len);
            assert_eq!(read, traceloupe_core::json::decode_string(broken));
            assert_eq!(read, "a\u{fffd}b\u{fffd}A\\uq\u{fffd}");
        }
    }
}
