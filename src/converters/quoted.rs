//! Unpacks JSON that is inside of JSON strings: `"{\"id\": …}"`, once or on each line, as programs leave that
//! serialize what is serialized already.

use crate::input::{Decoder, Remark};
use crate::json::Notice;
use crate::notice::NoticeCode;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Whether text begins with a string that holds an object or a list of objects.
#[must_use]
pub fn looks_like_quoted_json(head: &[u8]) -> bool {
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
    let Some(inner) = text.strip_prefix(b"\"").map(after_blanks) else { return false };
    let inner = inner.strip_prefix(b"[").map_or(inner, after_blanks);
    inner.strip_prefix(b"{").is_some_and(|members| after_blanks(members).starts_with(b"\\\""))
}

/// What follows the white space inside of a string.
fn after_blanks(mut text: &[u8]) -> &[u8] {
    let blanks: [&[u8]; 4] = [b" ", b"\\n", b"\\r", b"\\t"];
    while let Some(rest) = blanks.iter().find_map(|blank| text.strip_prefix(*blank)) {
        text = rest;
    }
    text
}

/// Unpacks strings; lines that are none stay as they are. Each string becomes lines of its own.
#[derive(Default)]
pub struct Quoted {
    place: Place,
    /// The first half of a character that is written as two escapes.
    half: Option<u32>,
    is_told: bool,
}

#[derive(Clone, Copy, Default)]
enum Place {
    #[default]
    Outside,
    /// In a line that is no string.
    Plain,
    Inside,
    AfterBackslash,
    /// Within `\u0000`: the digits so far, and how many are missing.
    Digits(u32, u8),
}

impl Quoted {
    /// A decoder that has seen no bytes yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn byte(&mut self, byte: u8, out: &mut Vec<u8>) {
        self.place = match (self.place, byte) {
            (Place::Outside, b'"') => Place::Inside,
            (Place::Inside, b'"') => {
                self.end_half(out);
                out.push(b'\n');
                Place::Outside
            }
            (Place::Inside, b'\\') => Place::AfterBackslash,
            (Place::Outside | Place::Plain, _) => {
                out.push(byte);
                let is_over = byte == b'\n';
                let is_blank = (byte.is_ascii_whitespace() || BYTE_ORDER_MARK.contains(&byte))
                    && matches!(self.place, Place::Outside);
                if is_over || is_blank { Place::Outside } else { Place::Plain }
            }
            (Place::Inside, _) => {
                self.end_half(out);
                out.push(byte);
                Place::Inside
            }
            (Place::AfterBackslash, b'u') => Place::Digits(0, 4),
            (Place::AfterBackslash, _) => {
                self.end_half(out);
                out.push(match byte {
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'b' => 8,
                    b'f' => 12,
                    _ => byte,
                });
                Place::Inside
            }
            (Place::Digits(so_far, missing), _) => {
                let Some(digit) = char::from(byte).to_digit(16) else {
                    // Not an escape: what follows is read as text again.
                    self.place = Place::Inside;
                    write(char::REPLACEMENT_CHARACTER, out);
                    return self.byte(byte, out);
                };
                let code = so_far * 16 + digit;
                if missing == 1 {
                    self.character(code, out);
                    Place::Inside
                } else {
                    Place::Digits(code, missing - 1)
                }
            }
        };
    }

    /// Writes the character of an escape, or keeps the first half of one.
    fn character(&mut self, code: u32, out: &mut Vec<u8>) {
        if (0xd800..0xdc00).contains(&code) {
            self.end_half(out);
            self.half = Some(code);
            return;
        }
        let code = match self.half {
            Some(half) if (0xdc00..0xe000).contains(&code) => {
                self.half = None;
                0x1_0000 + ((half - 0xd800) << 10) + (code - 0xdc00)
            }
            _ => code,
        };
        self.end_half(out);
        write(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), out);
    }

    /// A first half without a second one is no character.
    fn end_half(&mut self, out: &mut Vec<u8>) {
        if self.half.take().is_some() {
            write(char::REPLACEMENT_CHARACTER, out);
        }
    }
}

fn write(character: char, out: &mut Vec<u8>) {
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

impl Decoder for Quoted {
    fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        out.reserve(bytes.len());
        for byte in bytes {
            self.byte(*byte, out);
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.end_half(out);
    }

    fn notices(&mut self) -> Vec<Notice> {
        self.remarks().into_iter().map(|remark| remark.notice).collect()
    }

    fn remarks(&mut self) -> Vec<Remark> {
        match std::mem::replace(&mut self.is_told, true) {
            true => Vec::new(),
            false => vec![Remark::from(Notice::new(NoticeCode::FromString, 0))],
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
    fn broken_escapes_leave_a_mark() {
        assert_eq!(
            unpacked("\"a\\ud83eb\\ud83e\\u0041\\uq\\ud83e", 1),
            "a\u{fffd}b\u{fffd}A\u{fffd}q\u{fffd}"
        );
    }
}
