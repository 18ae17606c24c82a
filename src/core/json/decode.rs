//! Decodes JSON string literals to text.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memrchr};

/// The text of a JSON string literal, with or without its quotes. Never fails: a lone surrogate becomes U+FFFD, and an
/// escape that JSON does not have stays as written.
#[must_use]
pub fn decode_string(raw: &str) -> Cow<'_, str> {
    let inner = raw.strip_prefix('"').unwrap_or(raw);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    if memchr(b'\\', inner.as_bytes()).is_none() {
        return Cow::Borrowed(inner);
    }
    Cow::Owned(unescape(inner))
}

/// The beginning of the result of [`decode_string`], from at most `max_bytes` bytes of the literal; it stops earlier
/// rather than within an escape. Half of a surrogate pair becomes U+FFFD.
#[must_use]
pub fn decode_start(raw: &str, max_bytes: usize) -> Cow<'_, str> {
    const ESCAPE_BYTES: usize = 6;
    if raw.len() <= max_bytes {
        return decode_string(raw);
    }
    let head = raw.get(..raw.floor_char_boundary(max_bytes)).unwrap_or(raw);
    let last = memrchr(b'\\', head.as_bytes()).filter(|at| at + ESCAPE_BYTES > head.len());
    let until = last.filter(|at| {
        let backslashes = head.bytes().take(at + 1).rev().take_while(|byte| *byte == b'\\');
        backslashes.count() % 2 == 1
    });
    decode_string(head.get(..until.unwrap_or(head.len())).unwrap_or(head))
}

/// Like [`decode_string`] for the bytes of a file: bytes that are not UTF-8 become U+FFFD.
#[must_use]
pub fn decode_string_bytes(raw: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(raw) {
        Cow::Borrowed(text) => decode_string(text),
        Cow::Owned(text) => Cow::Owned(decode_string(&text).into_owned()),
    }
}

/// Like [`decode_string_bytes`] for the bytes between the quotes of a string literal.
#[must_use]
pub fn decode_inner(inner: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(inner) {
        Cow::Borrowed(text) if memchr(b'\\', inner).is_none() => Cow::Borrowed(text),
        text => Cow::Owned(unescape(&text)),
    }
}

/// Maps a range of the decoded text of a string literal to the range of its bytes in the literal, escapes included. The
/// literal has its quotes.
#[must_use]
pub fn escaped_range(literal: &str, decoded: Range<usize>) -> Range<usize> {
    let inner = literal.strip_prefix('"').unwrap_or(literal);
    let quote = literal.len() - inner.len();
    let mut found = [literal.len(), literal.len()];
    // Offsets within the quotes of the literal, and in its text.
    let (mut at, mut text_at) = (0, 0);
    for (bound, wanted) in found.iter_mut().zip([decoded.start, decoded.end]) {
        loop {
            let rest = inner.get(at..).unwrap_or_default();
            let plain = memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
            if text_at + plain >= wanted || rest.len() == plain {
                *bound = quote + at + wanted.saturating_sub(text_at).min(plain);
                break;
            }
            let escape = rest.get(plain..).unwrap_or_default();
            let (character, len) = decode_escape(escape.as_bytes());
            at += plain + len;
            text_at += plain + character.map_or(1, char::len_utf8);
        }
    }
    let [start, end] = found;
    start..end.max(start)
}

fn unescape(inner: &str) -> String {
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = memchr(b'\\', rest.as_bytes()) {
        let (before, escape) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let (decoded, len) = decode_escape(escape.as_bytes());
        match decoded {
            Some(character) => out.push(character),
            None => out.push('\\'),
        }
        rest = escape.get(len..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The character of the escape at the beginning of the bytes, and the escape's length in bytes. `None` and 1, for the
/// backslash alone, if JSON does not have such an escape. This is the only decoder of JSON escapes.
pub fn decode_escape(escape: &[u8]) -> (Option<char>, usize) {
    let simple = match escape.get(1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => {
            return match unicode_escape(escape) {
                Some((Unicode::Character(character), len)) => (Some(character), len),
                Some((Unicode::LoneSurrogate, len)) => (Some(char::REPLACEMENT_CHARACTER), len),
                None => (None, 1),
            };
        }
        _ => return (None, 1),
    };
    (Some(simple), 2)
}

/// The meaning of a `\uXXXX` escape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unicode {
    /// A character: one escape, or a pair of surrogates.
    Character(char),
    /// One half of a pair without the other half.
    LoneSurrogate,
}

/// The meaning of the `\uXXXX` escape at the beginning of the bytes, and its length in bytes: 6, or 12 for a pair of
/// surrogates. `None` if the bytes do not begin with such an escape. This is the only place that joins surrogates.
#[inline]
pub(super) fn unicode_escape(bytes: &[u8]) -> Option<(Unicode, usize)> {
    let unit = unicode_unit(bytes)?;
    if let Some(character) = char::from_u32(u32::from(unit)) {
        return Some((Unicode::Character(character), 6));
    }
    let second = bytes.get(6..).and_then(unicode_unit);
    if let (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) = (unit, second) {
        let code = 0x1_0000 + ((u32::from(unit) - 0xd800) << 10) + (u32::from(low) - 0xdc00);
        return Some((Unicode::Character(char::from_u32(code)?), 12));
    }
    Some((Unicode::LoneSurrogate, 6))
}

/// The UTF-16 unit of the `\uXXXX` escape at the beginning of the bytes.
#[inline]
fn unicode_unit(bytes: &[u8]) -> Option<u16> {
    let [b'\\', b'u', a, b, c, d, ..] = bytes else { return None };
    let value = |digit: &u8| {
        let value = HEX_VALUES.get(usize::from(*digit)).copied().unwrap_or(NO_DIGIT);
        u16::from(value)
    };
    let (a, b, c, d) = (value(a), value(b), value(c), value(d));
    let is_hex = (a | b | c | d) < u16::from(NO_DIGIT);
    is_hex.then_some(a << 12 | b << 8 | c << 4 | d)
}

/// Has a bit that is not set in the value of any digit.
const NO_DIGIT: u8 = 16;

/// The values of hexadecimal digits by their bytes; [`NO_DIGIT`] for all other bytes.
static HEX_VALUES: [u8; 256] = {
    let mut values = [NO_DIGIT; 256];
    let mut byte = 0;
    while byte < 255_u8 {
        let value = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            b'A'..=b'F' => byte - b'A' + 10,
            _ => NO_DIGIT,
        };
        #[expect(clippy::indexing_slicing)] // of 256 places, by a byte
        let place = &mut values[byte as usize];
        *place = value;
        byte += 1;
    }
    values
};

/// How many bytes at the end of the inside of a string literal are an incomplete escape, pair of surrogates, or
/// character. A string that is cut there must lose them.
#[must_use]
pub fn unfinished(inside: &[u8]) -> usize {
    // The longest escape is a pair of surrogates.
    const LONGEST: usize = 12;
    let tail_start = inside.len().saturating_sub(LONGEST);
    let (before, tail) = inside.split_at_checked(tail_start).unwrap_or((&[], inside));
    // An escape may begin just before the tail. Its second byte is then the first one of the tail.
    let backslashes = before.iter().rev().take_while(|byte| **byte == b'\\').count();
    let mut at = backslashes % 2;
    while let Some(found) = tail.get(at..).and_then(|rest| memchr(b'\\', rest)) {
        at += found;
        let escape = tail.get(at..).unwrap_or_default();
        match escape_len(escape) {
            Some(len) => at += len,
            None => return escape.len(),
        }
    }
    match std::str::from_utf8(tail) {
        Err(error) if error.error_len().is_none() => tail.len() - error.valid_up_to(),
        Err(_) => cut_character(tail),
        Ok(_) => 0,
    }
}

/// The length of the escape at the beginning of the bytes. `None` if they end before the length is certain.
fn escape_len(escape: &[u8]) -> Option<usize> {
    if escape.get(1)? != &b'u' {
        return Some(2);
    }
    let digits = escape.get(2..escape.len().min(6)).unwrap_or_default();
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        // Not an escape: it stays as written.
        return Some(2);
    }
    if escape.len() < 6 {
        return None;
    }
    let (named, len) = unicode_escape(escape).unwrap_or((Unicode::LoneSurrogate, 6));
    let is_high =
        named == Unicode::LoneSurrogate && matches!(unicode_unit(escape), Some(0xd800..=0xdbff));
    let second = escape.get(6..12.min(escape.len())).unwrap_or_default();
    let may_be_paired = second.len() < 6 && b"\\u".starts_with(second.get(..2).unwrap_or(second));
    (!is_high || !may_be_paired).then_some(len)
}

/// Like [`std::str::from_utf8`], for a text whose beginning may be cut within a character.
fn cut_character(tail: &[u8]) -> usize {
    let last = tail.iter().rev().take(4).position(|byte| *byte >= 0xc0);
    let Some(at) = last else { return 0 };
    let len = match tail.iter().rev().nth(at) {
        Some(0xc0..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        _ => 4,
    };
    if at + 1 < len { at + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(decode_string(r#""a\n\t\"\\\/\u00e9""#), "a\n\t\"\\/é");
        assert_eq!(decode_string(r#""\ud83d\ude00""#), "😀");
        assert!(matches!(decode_string("\"plain\""), Cow::Borrowed("plain")));
    }

    #[test]
    fn the_start_of_a_text_ends_before_an_escape_that_would_be_cut() {
        let raw = r#""ab\\\n\u00e9é end""#;
        let whole = decode_string(raw);
        for max_bytes in 1..raw.len() + 2 {
            let start = decode_start(raw, max_bytes);
            assert!(whole.starts_with(&*start), "{start:?} of {max_bytes} bytes");
        }
        assert_eq!(decode_start(raw, 4), "ab");
        assert_eq!(decode_start(raw, 5), "ab\\");
        assert_eq!(decode_start(raw, 7), "ab\\");
        assert_eq!(decode_start(raw, 12), "ab\\\n");
        assert_eq!(decode_start(raw, 16), "ab\\\néé ");
        assert_eq!(decode_start(raw, raw.len()), whole);
    }

    #[test]
    fn a_text_that_is_cut_where_nothing_is_unfinished_reads_the_same_in_pieces() {
        let inside = br#"a\\ud83e\uq\ud83e\u12\ud83e\udd80\u00e9\n\" \xe9\\"#;
        let inside = &[inside.as_slice(), "é🦀".as_bytes()].concat();
        for at in 0..inside.len() {
            let at = at - unfinished(&inside[..at]);
            let pieces = [&inside[..at], &inside[at..]].map(decode_inner);
            assert_eq!(pieces.concat(), decode_inner(inside), "cut at {at}");
        }
    }

    #[test]
    fn broken_escapes_are_kept_or_replaced() {
        assert_eq!(decode_string(r#""\ud83d""#), "\u{fffd}");
        assert_eq!(decode_string(r#""\ude00\ud83d!""#), "\u{fffd}\u{fffd}!");
        assert_eq!(decode_string(r#""\ud83d\u0041""#), "\u{fffd}A");
        assert_eq!(decode_string(r#""\q\u12""#), r"\q\u12");
        assert_eq!(decode_string("\"cut\\"), "cut\\");
        assert_eq!(decode_string_bytes(b"\"caf\xe9 \\n\""), "caf\u{fffd} \n");
        assert_eq!(decode_inner(br#"caf\u00e9 \"x\""#), "café \"x\"");
        assert_eq!(decode_inner(b"caf\xe9"), "caf\u{fffd}");
    }
}
