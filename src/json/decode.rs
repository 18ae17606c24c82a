//! From a JSON string literal to its text.

use std::borrow::Cow;

use memchr::memchr;

/// The text of a JSON string literal, with or without its quotes. Never fails: a lone surrogate is
/// U+FFFD, an escape that JSON does not know stays as it is written.
#[must_use]
pub fn decode_string(raw: &str) -> Cow<'_, str> {
    let inner = raw.strip_prefix('"').unwrap_or(raw);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    if memchr(b'\\', inner.as_bytes()).is_none() {
        return Cow::Borrowed(inner);
    }
    Cow::Owned(unescape(inner))
}

/// Like [`decode_string`] for bytes as they stand in a file: what is no UTF-8 is U+FFFD.
#[must_use]
pub fn decode_string_bytes(raw: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(raw) {
        Cow::Borrowed(text) => decode_string(text),
        Cow::Owned(text) => Cow::Owned(decode_string(&text).into_owned()),
    }
}

/// The text of what stands between the quotes of a string literal; like [`decode_string_bytes`].
#[must_use]
pub fn decode_inner(inner: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(inner) {
        Cow::Borrowed(text) if memchr(b'\\', inner).is_none() => Cow::Borrowed(text),
        text => Cow::Owned(unescape(&text)),
    }
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

/// The character of the escape that `escape` begins with and the bytes it takes; `None` and the
/// backslash alone when it is none.
pub(super) fn decode_escape(escape: &[u8]) -> (Option<char>, usize) {
    let simple = match escape.get(1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unescape_unicode(escape),
        _ => return (None, 1),
    };
    (Some(simple), 2)
}

fn unescape_unicode(escape: &[u8]) -> (Option<char>, usize) {
    let Some(unit) = unicode_unit(escape) else { return (None, 1) };
    if let Some(character) = char::from_u32(u32::from(unit)) {
        return (Some(character), 6);
    }
    let second = escape.get(6..).and_then(unicode_unit);
    if let (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) = (unit, second) {
        let code = 0x1_0000 + ((u32::from(unit) - 0xd800) << 10) + (u32::from(low) - 0xdc00);
        return (char::from_u32(code), 12);
    }
    (Some(char::REPLACEMENT_CHARACTER), 6)
}

/// The UTF-16 unit of a `\uXXXX` that the bytes begin with.
pub(super) fn unicode_unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    let mut unit = 0_u16;
    for &digit in digits {
        let value = char::from(digit).to_digit(16)?;
        unit = (unit << 4) | u16::try_from(value).ok()?;
    }
    Some(unit)
}

/// The value of a JSON number, to the last but one digit of a float: the parser of JSON is there anyway, and
/// the exact one of the standard library brings a table of 10 kB.
#[must_use]
pub fn number(raw: &str) -> Option<f64> {
    serde_json::from_str(raw).ok()
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

    #[test]
    fn numbers() {
        for (raw, value) in [
            ("0", 0.0),
            ("-12", -12.0),
            ("12.0", 12.0),
            ("0.1", 0.1),
            ("3.25e2", 325.0),
            ("1795162322.584", 1_795_162_322.584),
        ] {
            assert_eq!(number(raw), Some(value), "{raw}");
        }
        for raw in ["", "NaN", "1.", "\"1\"", "null", "1e999", "inf"] {
            assert_eq!(number(raw), None, "{raw}");
        }
    }
}
