//! Notices about strict JSON: duplicate keys, lone surrogates, depth.

use std::borrow::Cow;

use memchr::memmem;

use super::Notice;
use super::cursor::Json;
use super::decode::{Unicode, decode_string_bytes, unicode_escape};
use super::hash::quick_hash;
use super::strict::{Notes, Walk};
use crate::warning_code::WarningCode;

/// Nesting deeper than this gets a `too-deep` notice.
pub const MAX_DEPTH: u32 = 512;

/// Validates texts one after another, and reuses its memory.
#[derive(Default, Debug)]
pub struct Inspector {
    notes: Notes,
}

/// A text that is strict JSON.
#[derive(Debug)]
pub struct Inspected<'a> {
    /// Its value, with a tape.
    pub json: Json<'a>,
    /// `lone-surrogate`, `duplicate-key` and `too-deep`, at most one of each, in the order of their
    /// offsets.
    pub notices: Vec<Notice>,
}

impl Inspector {
    /// Checks that a text is one strict JSON value, and collects its tape and its notices in the same pass. `None` if
    /// it is not strict.
    pub fn inspect<'a>(&'a mut self, text: &'a str) -> Option<Inspected<'a>> {
        let met = Walk::new(text, Some(&mut self.notes)).run()?;
        self.notes.tape.set_unique(!self.notes.keys.has_duplicates());
        let mut notices = Vec::new();
        let found = [
            (WarningCode::LoneSurrogate, met.lone_surrogate),
            (WarningCode::DuplicateKey, self.notes.keys.duplicate),
            (WarningCode::TooDeep, met.too_deep),
        ];
        for (code, at) in found {
            notices.extend(at.map(|at| Notice::new(code, at)));
        }
        crate::sorting::sort_by_key(&mut notices, |notice| notice.offset);
        Some(Inspected { json: self.json(text), notices })
    }

    /// The value of the text that was inspected last, with its tape.
    #[must_use]
    pub fn json<'a>(&'a self, text: &'a str) -> Json<'a> {
        Json::with_tape(text, &self.notes.tape)
    }
}

/// The notices of [`Inspector::strict_notices`] about one text; none for a text that is not strict.
#[must_use]
pub fn inspect(text: &str) -> Vec<Notice> {
    Inspector::default().inspect(text).map(|found| found.notices).unwrap_or_default()
}

/// Whether a `\uXXXX` escape is half of a surrogate pair. Fast if there are no such escapes.
#[must_use]
pub fn has_lone_surrogate(bytes: &[u8]) -> bool {
    lone_surrogates(bytes).next().is_some()
}

/// The offsets of the `\uXXXX` escapes that are half of a surrogate pair.
pub(super) fn lone_surrogates(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let mut paired = 0;
    memmem::find_iter(bytes, b"\\u").filter(move |&at| {
        if at < paired {
            return false;
        }
        let Some((named, len)) = bytes.get(at..).and_then(unicode_escape) else { return false };
        // `\\u` is an escaped backslash and a letter, so an odd number of backslashes before this one rules the escape
        // out. A run of backslashes ends at the `u` of an earlier hit, so this stays linear.
        let before = bytes.get(..at).unwrap_or_default();
        if before.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1 {
            return false;
        }
        paired = at + len;
        named == Unicode::LoneSurrogate
    })
}

/// The keys of the open objects, in one list.
#[derive(Default, Debug)]
pub(super) struct Keys {
    keys: Vec<NotedKey>,
    open: Vec<OpenObject>,
    duplicate: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct NotedKey {
    start: usize,
    end: usize,
    /// Keys with equal hashes are compared.
    hash: u32,
}

#[derive(Debug)]
struct OpenObject {
    /// Index of its first key in the list.
    start: usize,
    /// Two bits for each of its keys, by hash.
    seen: [u64; 2],
    /// Whether both bits of a key were set already.
    is_suspect: bool,
}

/// Up to this many keys are compared pairwise; more are sorted.
const FEW_KEYS: usize = 12;

impl Keys {
    pub fn clear(&mut self) {
        self.keys.clear();
        self.open.clear();
        self.duplicate = None;
    }

    #[inline]
    pub fn open(&mut self) {
        self.open.push(OpenObject { start: self.keys.len(), seen: [0; 2], is_suspect: false });
    }

    /// Adds a key of the innermost object. Returns its [`key_hash`].
    #[inline]
    pub fn add(&mut self, start: usize, end: usize, has_escapes: bool, bytes: &[u8]) -> u32 {
        let hash = if has_escapes {
            hash_decoded(bytes.get(start..end).unwrap_or_default())
        } else {
            quick_hash(bytes.get(start + 1..end - 1).unwrap_or_default())
        };
        let Some(object) = self.open.last_mut() else { return hash as u32 };
        let [seen, seen_too] = &mut object.seen;
        let (bit, other) = (1 << (hash & 63), 1 << (hash >> 6 & 63));
        object.is_suspect |= (*seen & bit != 0) & (*seen_too & other != 0);
        *seen |= bit;
        *seen_too |= other;
        if self.duplicate.is_none() {
            self.keys.push(NotedKey { start, end, hash: hash as u32 });
        }
        hash as u32
    }

    /// Closes the innermost object. Returns the [`key_bit`] of all its keys.
    #[inline]
    pub fn close(&mut self, bytes: &[u8]) -> u32 {
        let Some(object) = self.open.pop() else { return u32::MAX };
        if object.is_suspect && self.duplicate.is_none() {
            let keys = self.keys.get(object.start..).unwrap_or_default();
            if has_equals(keys) {
                self.duplicate = duplicate(keys, bytes);
            }
        }
        self.keys.truncate(object.start);
        let [seen, _] = object.seen;
        (seen | seen >> 32) as u32
    }

    /// Whether a key was repeated in any of the objects so far.
    pub fn has_duplicates(&self) -> bool {
        self.duplicate.is_some()
    }
}

/// The hash of a quoted key that has escapes.
#[cold]
fn hash_decoded(raw: &[u8]) -> u64 {
    quick_hash(decode_string_bytes(raw).as_bytes())
}

/// The hash of a key without escapes, equal to the one from [`Keys::add`].
#[inline]
pub(super) fn key_hash(key: &[u8]) -> u32 {
    quick_hash(key) as u32
}

/// One bit that stands for all keys with a hash.
#[inline]
pub(super) fn key_bit(hash: u32) -> u32 {
    1 << (hash & 31)
}

/// Whether two keys have the same hash.
fn has_equals(keys: &[NotedKey]) -> bool {
    if keys.len() > FEW_KEYS {
        let mut hashes: Vec<u32> = keys.iter().map(|key| key.hash).collect();
        hashes.sort_unstable();
        return hashes.array_windows::<2>().any(|[one, two]| one == two);
    }
    let mut rest = keys;
    while let [one, others @ ..] = rest {
        if others.iter().any(|other| other.hash == one.hash) {
            return true;
        }
        rest = others;
    }
    false
}

/// The offset of the first key, in file order, that repeats an earlier one.
fn duplicate(keys: &[NotedKey], bytes: &[u8]) -> Option<usize> {
    let mut keys: Vec<(Cow<'_, [u8]>, usize)> = keys
        .iter()
        .map(|&NotedKey { start, end, .. }| {
            let raw = bytes.get(start..end).unwrap_or_default();
            let text = if raw.contains(&b'\\') {
                Cow::Owned(decode_string_bytes(raw).into_owned().into_bytes())
            } else {
                Cow::Borrowed(raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default())
            };
            (text, start)
        })
        .collect();
    crate::sorting::sort(&mut keys);
    keys.array_windows::<2>().filter(|[one, two]| one.0 == two.0).map(|[_, two]| two.1).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<&'static str> {
        inspect(text).into_iter().map(|notice| notice.code.word()).collect()
    }

    #[test]
    fn duplicate_keys_are_found_in_their_own_object_only() {
        assert_eq!(
            inspect(r#"{"a":{"b":1},"b":{"a":1},"a":2}"#),
            [Notice::new(WarningCode::DuplicateKey, 25)]
        );
        assert_eq!(codes(r#"{"a":[{"a":1},{"a":1}],"b":"a"}"#), [""; 0]);
        assert_eq!(codes("{\"a\":1,\"\\u0061\":2}"), ["duplicate-key"]);
    }

    #[test]
    fn only_halves_of_characters_are_lone() {
        assert_eq!(codes(r#"["\ud83d\ude00","\\ud83d","\u00e9","\\\\ude00"]"#), [""; 0]);
        assert_eq!(inspect(r#"["\ud83d"]"#), [Notice::new(WarningCode::LoneSurrogate, 2)]);
        assert_eq!(inspect(r#"["\\\ud83d"]"#), [Notice::new(WarningCode::LoneSurrogate, 4)]);
        assert_eq!(
            inspect(r#"["\ud83d\ud83d\ude00"]"#),
            [Notice::new(WarningCode::LoneSurrogate, 2)]
        );
        assert_eq!(inspect(r#"["\ude00\ud83d"]"#), [Notice::new(WarningCode::LoneSurrogate, 2)]);
    }

    #[test]
    fn depth_is_counted_outside_strings() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(codes(&nested(512)), [""; 0]);
        assert_eq!(codes(&nested(513)), ["too-deep"]);
        assert_eq!(codes(&format!("\"{}\"", "[".repeat(600))), [""; 0]);
    }
}
