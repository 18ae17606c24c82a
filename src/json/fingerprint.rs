//! The same value, however it is written, has the same fingerprint.

use memchr::memchr;

use super::decode::decode_string_bytes;
use super::scan::{is_strict, trim};
use super::tokens::{TokenKind, Tokens};

/// How many times JSON inside a string is looked into.
const STRING_LEVELS: u8 = 3;

/// A hash of a JSON value, never 0. The order of keys, white space, and the way strings are escaped
/// do not matter; numbers count as they are written; a string that is itself a JSON object or array
/// counts as that value. The same in every build, so it may be kept.
#[must_use]
pub fn fingerprint(raw: &str) -> u64 {
    hash_values(raw.as_bytes(), STRING_LEVELS).max(1)
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
    let mut frames: Vec<Frame> = Vec::new();
    let mut root = None;
    for token in Tokens::new(bytes) {
        let raw = bytes.get(token.start..token.end).unwrap_or_default();
        let value = match token.kind {
            TokenKind::ObjectStart | TokenKind::ArrayStart => {
                let is_object = token.kind == TokenKind::ObjectStart;
                frames.push(Frame { is_object, key: 0, hash: 0 });
                continue;
            }
            TokenKind::ObjectEnd | TokenKind::ArrayEnd => {
                let Some(frame) = frames.pop() else { continue };
                frame.finish()
            }
            TokenKind::Key => {
                if let Some(frame) = frames.last_mut() {
                    frame.key = hash_string(raw, 0);
                }
                continue;
            }
            TokenKind::String => hash_string(raw, levels),
            _ => hash_bytes(tag::WORD, raw),
        };
        add(&mut frames, &mut root, value);
    }
    while let Some(frame) = frames.pop() {
        add(&mut frames, &mut root, frame.finish());
    }
    root.unwrap_or_default()
}

fn add(frames: &mut [Frame], root: &mut Option<u64>, value: u64) {
    match (frames.last_mut(), &root) {
        (Some(frame), _) => frame.add(value),
        (None, None) => *root = Some(value),
        (None, Some(before)) => *root = Some(mix(*before, value)),
    }
}

fn hash_string(raw: &[u8], levels: u8) -> u64 {
    let inner = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
    let may_hold_json =
        levels > 0 && matches!(inner.get(trim(inner).start), Some(b'{' | b'[' | b'\\'));
    if !may_hold_json && memchr(b'\\', inner).is_none() {
        return hash_bytes(tag::STRING, inner);
    }
    let text = decode_string_bytes(raw);
    let trimmed = text.trim_matches([' ', '\t', '\n', '\r']);
    let holds_json = levels > 0
        && ((trimmed.starts_with('{') && trimmed.ends_with('}'))
            || (trimmed.starts_with('[') && trimmed.ends_with(']')))
        && is_strict(trimmed);
    if holds_json {
        // Calls itself `STRING_LEVELS` deep at most, whatever the data.
        hash_values(trimmed.as_bytes(), levels - 1)
    } else {
        hash_bytes(tag::STRING, text.as_bytes())
    }
}

fn hash_bytes(tag: u64, bytes: &[u8]) -> u64 {
    let mut hash = tag ^ (bytes.len() as u64);
    let (words, tail) = bytes.as_chunks::<8>();
    for word in words {
        hash = step(hash, u64::from_le_bytes(*word));
    }
    let tail = tail.iter().fold(0, |word, &byte| (word << 8) | u64::from(byte));
    finish(step(hash, tail))
}

fn mix(one: u64, other: u64) -> u64 {
    finish(step(step(0x9e37_79b9_7f4a_7c15, one), other))
}

/// One 64-bit multiplication and no 128-bit one: wasm has no instruction for those.
fn step(hash: u64, word: u64) -> u64 {
    let mixed = (hash ^ word).wrapping_mul(0xf135_7aea_2e62_a9c5);
    mixed ^ (mixed >> 32)
}

fn finish(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash ^ (hash >> 32)
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
        assert_eq!(fingerprint(r#"{"path":"src/main.rs"}"#), 0xf117_7a33_147e_412c);
        assert_eq!(fingerprint(""), 1);
        assert_ne!(fingerprint(&"[".repeat(1_000_000)), 0);
    }
}
