//! UTF-16, as PowerShell's `>` writes it.

use super::{Container, Decoder, Notice};
use traceloupe_core::warning_code::WarningCode;

/// Transcodes UTF-16 to UTF-8 and drops the byte order mark. Raises `transcoded-utf16`. Half of a
/// surrogate pair becomes U+FFFD.
pub struct Utf16 {
    is_big_endian: bool,
    odd_byte: Option<u8>,
    high: Option<u16>,
    started: bool,
    is_told: bool,
}

impl Utf16 {
    /// A decoder for one of the two UTF-16 containers (any other container counts as little
    /// endian).
    #[must_use]
    pub fn new(container: Container) -> Self {
        Self {
            is_big_endian: container == Container::Utf16Be,
            odd_byte: None,
            high: None,
            started: false,
            is_told: false,
        }
    }

    fn unit(&mut self, pair: [u8; 2], out: &mut Vec<u8>) {
        let unit =
            if self.is_big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) };
        let is_first = !std::mem::replace(&mut self.started, true);
        if is_first && unit == 0xfeff {
            return;
        }
        if let Some(high) = self.high.take() {
            if (0xdc00..=0xdfff).contains(&unit) {
                let code =
                    0x1_0000 + ((u32::from(high) - 0xd800) << 10) + (u32::from(unit) - 0xdc00);
                push_char(char::from_u32(code), out);
                return;
            }
            push_char(None, out);
        }
        if (0xd800..=0xdbff).contains(&unit) {
            self.high = Some(unit);
        } else {
            push_char(char::from_u32(u32::from(unit)), out);
        }
    }
}

fn push_char(character: Option<char>, out: &mut Vec<u8>) {
    let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

impl Decoder for Utf16 {
    fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        out.reserve(bytes.len());
        for &byte in bytes {
            match self.odd_byte.take() {
                None => self.odd_byte = Some(byte),
                Some(first) => self.unit([first, byte], out),
            }
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        if self.high.take().is_some() || self.odd_byte.take().is_some() {
            push_char(None, out);
        }
    }

    fn notices(&mut self) -> Vec<Notice> {
        if std::mem::replace(&mut self.is_told, true) {
            return Vec::new();
        }
        vec![Notice::new(WarningCode::TranscodedUtf16, 0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_in_any_chunks() {
        let text = "\u{feff}a é 😀\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (bytes, container) in [(little, Container::Utf16Le), (big, Container::Utf16Be)] {
            for chunk in [1, 3, 100] {
                let mut decoder = Utf16::new(container);
                let mut out = Vec::new();
                bytes.chunks(chunk).for_each(|chunk| decoder.push(chunk, &mut out));
                decoder.finish(&mut out);
                assert_eq!(String::from_utf8(out).unwrap(), "a é 😀\n");
                assert_eq!(decoder.notices(), [Notice::new(WarningCode::TranscodedUtf16, 0)]);
                assert_eq!(decoder.notices(), []);
            }
        }
    }

    #[test]
    fn halves_are_replaced() {
        let mut decoder = Utf16::new(Container::Utf16Be);
        let mut out = Vec::new();
        decoder.push(b"\xd8\x3d\0a\xde\0\xd8\x3d\xd8\x3d\xde\0\xd8", &mut out);
        decoder.finish(&mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "\u{fffd}a\u{fffd}\u{fffd}😀\u{fffd}");
    }
}
