//! The same value, however it is written, has the same fingerprint.

use std::cell::RefCell;

use memchr::memchr;

use super::decode::{decode_escape, decode_string_bytes};
use super::hash::{hash_bytes, mix};
use super::scan::Escapes;
use super::strict::is_strict;
use super::tape::{Children, Known, known};
use super::tokens::{TokenKind, Tokens};

/// How many times JSON inside a string is looked into.
const STRING_LEVELS: u8 = 3;

/// A hash of a JSON value, never 0. The order of keys, white space, and the way strings are escaped
/// do not matter; numbers count as they are written; a string that is itself a JSON object or array
/// counts as that value. The same in every build, so it may be kept.
#[must_use]
pub fn fingerprint(raw: &str) -> u64 {
    let bytes = raw.as_bytes();
    let by_tape = known(bytes, |value| {
        // The rest of the text, if there is any, would count too.
        (value.end() == bytes.len()).then(|| hash_known(bytes, value))
    });
    by_tape.flatten().unwrap_or_else(|| hash_values(bytes, STRING_LEVELS)).max(1)
}

/// Like [`hash_values`] for a value of which it is known where all in it stands.
fn hash_known(bytes: &[u8], value: Known<'_>) -> u64 {
    let mut outer: Vec<(Frame, Children<'_>)> = Vec::new();
    let mut value = value;
    loop {
        let raw = bytes.get(value.start()..value.end()).unwrap_or_default();
        let mut hash = match raw.first() {
            Some(bracket @ (b'{' | b'[')) => {
                let mut frame = Frame { is_object: *bracket == b'{', key: 0, hash: 0 };
                let mut children = value.children();
                if let Some(first) = frame.next_value(&mut children, bytes) {
                    outer.push((frame, children));
                    value = first;
                    continue;
                }
                frame.finish()
            }
            Some(b'"') => hash_string(raw, value.escapes(), STRING_LEVELS),
            _ => hash_bytes(tag::WORD, raw),
        };
        // The value is done; with it all brackets of which it is the last.
        value = loop {
            let Some((frame, children)) = outer.last_mut() else { return hash };
            frame.add(hash);
            if let Some(next) = frame.next_value(children, bytes) {
                break next;
            }
            hash = frame.finish();
            outer.pop();
        };
    }
}

/// An open object or array.
struct Frame {
    is_object: bool,
    key: u64,
    hash: u64,
}

impl Frame {
    fn add(&mut self, value: u64) {
        if self.is_object {
            // A sum: the order of the fields must not matter.
            self.hash = self.hash.wrapping_add(mix(self.key, value));
        } else {
            self.hash = mix(self.hash, value);
        }
    }

    /// The next value inside; of an object's member, whose key is taken over.
    fn next_value<'t>(&mut self, children: &mut Children<'t>, bytes: &[u8]) -> Option<Known<'t>> {
        let child = children.next()?;
        if !self.is_object {
            return Some(child);
        }
        let key = bytes.get(child.start()..child.end()).unwrap_or_default();
        self.key = hash_string(key, child.escapes(), 0);
        children.next()
    }

    fn finish(&self) -> u64 {
        mix(self.hash, if self.is_object { tag::OBJECT } else { tag::ARRAY })
    }
}

mod tag {
    pub const OBJECT: u64 = 0x6f62_6a65_6374_0001;
    pub const ARRAY: u64 = 0x6172_7261_7900_0002;
    pub const STRING: u64 = 0x7374_7269_6e67_0003;
    pub const WORD: u64 = 0x776f_7264_0000_0004;
}

fn hash_values(bytes: &[u8], levels: u8) -> u64 {
    // The innermost open frame stands apart: arguments of one level need no heap.
    let mut inner: Option<Frame> = None;
    let mut outer: Vec<Frame> = Vec::new();
    let mut root = None;
    let mut tokens = Tokens::new(bytes);
    while let Some(token) = tokens.next() {
        let raw = bytes.get(token.start..token.end).unwrap_or_default();
        let value = match token.kind {
            TokenKind::ObjectStart | TokenKind::ArrayStart => {
                let is_object = token.kind == TokenKind::ObjectStart;
                outer.extend(inner.replace(Frame { is_object, key: 0, hash: 0 }));
                continue;
            }
            TokenKind::ObjectEnd | TokenKind::ArrayEnd => {
                let Some(frame) = inner.take() else { continue };
                inner = outer.pop();
                frame.finish()
            }
            TokenKind::Key => {
                if let Some(frame) = &mut inner {
                    frame.key = hash_string(raw, tokens.escapes(), 0);
                }
                continue;
            }
            TokenKind::String => hash_string(raw, tokens.escapes(), levels),
            _ => hash_bytes(tag::WORD, raw),
        };
        add(inner.as_mut(), &mut root, value);
    }
    while let Some(frame) = inner {
        inner = outer.pop();
        add(inner.as_mut(), &mut root, frame.finish());
    }
    root.unwrap_or_default()
}

fn add(frame: Option<&mut Frame>, root: &mut Option<u64>, value: u64) {
    match (frame, &root) {
        (Some(frame), _) => frame.add(value),
        (None, None) => *root = Some(value),
        (None, Some(before)) => *root = Some(mix(*before, value)),
    }
}

/// Hashes a string as it is written where that is the one short way of writing it, and rewritten in
/// that way where not.
fn hash_string(raw: &[u8], escapes: Escapes, levels: u8) -> u64 {
    let inner = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
    if levels > 0 && may_hold_json(inner) {
        let text = decode_string_bytes(raw);
        let trimmed = text.trim_matches([' ', '\t', '\n', '\r']);
        let holds_json = ((trimmed.starts_with('{') && trimmed.ends_with('}'))
            || (trimmed.starts_with('[') && trimmed.ends_with(']')))
            && is_strict(trimmed);
        if holds_json {
            // Calls itself `STRING_LEVELS` deep at most, whatever the data.
            return hash_values(trimmed.as_bytes(), levels - 1);
        }
    }
    if escapes < Escapes::Other {
        return hash_bytes(tag::STRING, inner);
    }
    SHORTEST.with_borrow_mut(|room| {
        room.clear();
        write_shortest(inner, room);
        let hash = hash_bytes(tag::STRING, room);
        // A long string was the exception: its room is given back.
        room.shrink_to(ROOM_BYTES);
        hash
    })
}

/// Whether the text of a string may be a JSON object or array: it begins and ends with brackets, or
/// with escapes, which may be white space.
fn may_hold_json(inner: &[u8]) -> bool {
    let inner = inner.get(super::scan::trim(inner)).unwrap_or_default();
    let ends_in_escape = |len: usize| {
        let at = inner.len().checked_sub(len);
        at.and_then(|at| inner.get(at)) == Some(&b'\\')
    };
    matches!(inner.first(), Some(b'{' | b'[' | b'\\'))
        && (matches!(inner.last(), Some(b'}' | b']')) || ends_in_escape(2) || ends_in_escape(6))
}

const ROOM_BYTES: usize = 1 << 16;

thread_local! {
    static SHORTEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Writes the inside of a string literal with the escapes that have a short form, and no others.
fn write_shortest(inner: &[u8], out: &mut Vec<u8>) {
    let mut rest = inner;
    while let Some(at) = memchr(b'\\', rest) {
        let (before, escape) = rest.split_at_checked(at).unwrap_or((rest, &[]));
        out.extend_from_slice(before);
        let len = match escape.get(1) {
            Some(letter @ (b'"' | b'\\' | b'n' | b't' | b'r' | b'b' | b'f')) => {
                out.extend([b'\\', *letter]);
                2
            }
            _ => {
                let (character, len) = decode_escape(escape);
                match character {
                    Some(character) => push_shortest(character, out),
                    // No escape at all: the text has a backslash here.
                    None => out.extend(b"\\\\"),
                }
                len
            }
        };
        rest = escape.get(len..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
}

fn push_shortest(character: char, out: &mut Vec<u8>) {
    let letter = match character {
        '"' | '\\' => character as u8,
        '\n' => b'n',
        '\t' => b't',
        '\r' => b'r',
        '\u{8}' => b'b',
        '\u{c}' => b'f',
        _ => {
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            return;
        }
    };
    out.extend([b'\\', letter]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_of_writing_does_not_matter() {
        let one = fingerprint(r#"{"a":1,"b":["x",{"c":null}]}"#);
        assert_eq!(one, fingerprint("{ \"b\" : [\"\\u0078\", {\"c\":null}],\n \"a\":1 }"));
        assert_eq!(one, fingerprint(r#""{\"b\":[\"x\",{\"c\":null}],\"a\":1}""#));
        let in_string = fingerprint(r#"{"args":"{\"q\": 1}"}"#);
        assert_eq!(in_string, fingerprint(r#"{"args":{"q":1}}"#));
    }

    #[test]
    fn escapes_are_written_in_the_one_short_way() {
        for (raw, shortest) in [
            (r"caf\u00e9 \/\u002f", "café //"),
            (r"\u000a\u0022\u005c\u0009\u000d\u0008\u000c", r#"\n\"\\\t\r\b\f"#),
            (r"\ud83d\ude00 \ud83d!", "😀 \u{fffd}!"),
            (r"a\qb\u12", r"a\\qb\\u12"),
            ("\\u0001\u{e9}", "\u{1}\u{e9}"),
            (r"\n\\n", r"\n\\n"),
        ] {
            let mut out = Vec::new();
            write_shortest(raw.as_bytes(), &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), shortest, "{raw}");
        }
    }

    #[test]
    fn json_in_a_string_may_have_escaped_space_around_it() {
        let plain = fingerprint(r#"{"a":1}"#);
        for raw in [
            r#""{\"a\":1}""#,
            r#"" {\"a\":1}\n ""#,
            r#""\u000a\t{\"a\":1}""#,
            r#""\u007b\"a\":1\u007d""#,
            r#""{\"a\":1\u007d\u0020""#,
        ] {
            assert_eq!(fingerprint(raw), plain, "{raw}");
        }
        assert_ne!(fingerprint(r#""{\"a\":1} and more""#), plain);
    }

    #[test]
    fn different_values_differ() {
        let all = [
            "{}",
            "[]",
            "null",
            "\"\"",
            "0",
            "0.0",
            "\"0\"",
            "true",
            "false",
            "[[]]",
            "[{}]",
            "[1,2]",
            "[2,1]",
            r#"{"a":"b","c":"d"}"#,
            r#"{"a":"d","c":"b"}"#,
            r#"{"a":{"b":1}}"#,
            r#"{"a":1,"b":{}}"#,
            r#""\"a\"""#,
            r#""a""#,
            "\"{\"",
            "\"[1\"",
        ];
        let mut hashes: Vec<u64> = all.iter().map(|text| fingerprint(text)).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), all.len());
        assert!(!hashes.contains(&0));
    }

    #[test]
    fn it_is_the_same_in_every_build() {
        assert_eq!(
            fingerprint(r#"{"path":"src/main.rs"}"#),
            fingerprint("{\"path\" : \"src\\/main.rs\"}")
        );
        // Kept fingerprints would mean nothing if this number changed.
        assert_eq!(fingerprint(r#"{"path":"src/main.rs"}"#), 0x1c94_fc67_c70b_0b19);
        assert_eq!(fingerprint(""), 1);
        assert_ne!(fingerprint(&"[".repeat(1_000_000)), 0);
    }
}
