//! What passes for strict JSON and still needs a word: duplicate keys, lone surrogates, depth.

use std::borrow::Cow;

use memchr::memmem;

use super::Notice;
use super::decode::{decode_string_bytes, unicode_unit};
use super::tokens::{TokenKind, Tokens};

/// More levels than this are called `too-deep`.
pub const MAX_DEPTH: u32 = 512;

/// Looks through strict JSON for `lone-surrogate`, `duplicate-key` and `too-deep`; one notice of
/// each at most, in the order of their places. Costs a whole scan, so it is done where asked.
#[must_use]
pub fn inspect(text: &str) -> Vec<Notice> {
    let bytes = text.as_bytes();
    let mut notices = Vec::new();
    if let Some(at) = lone_surrogates(bytes).next() {
        Notice::add_once(&mut notices, "lone-surrogate", at);
    }
    let mut keys = Keys::default();
    let mut is_deep = false;
    for token in Tokens::new(bytes) {
        match token.kind {
            TokenKind::ObjectStart | TokenKind::ArrayStart => {
                if token.depth >= MAX_DEPTH && !is_deep {
                    is_deep = true;
                    Notice::add_once(&mut notices, "too-deep", token.start);
                }
                if token.kind == TokenKind::ObjectStart {
                    keys.open();
                }
            }
            TokenKind::ObjectEnd => keys.close(bytes),
            TokenKind::Key => keys.add(token.start, token.end),
            _ => {}
        }
    }
    if let Some(at) = keys.duplicate {
        Notice::add_once(&mut notices, "duplicate-key", at);
    }
    notices.sort_by_key(|notice| notice.offset);
    notices
}

/// Whether a `\uXXXX` escape names half a character. Very cheap where there are no such escapes.
#[must_use]
pub fn has_lone_surrogate(bytes: &[u8]) -> bool {
    lone_surrogates(bytes).next().is_some()
}

/// The offsets of the backslashes of `\uXXXX` escapes that name half a character.
pub(super) fn lone_surrogates(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let mut paired = 0;
    memmem::find_iter(bytes, b"\\u").filter(move |&at| {
        if at < paired {
            return false;
        }
        let Some(unit @ 0xd800..=0xdfff) = bytes.get(at..).and_then(unicode_unit) else {
            return false;
        };
        // `\\u` is a backslash and a letter: what counts is how many backslashes stand before. A run
        // of them ends at the `u` of an earlier hit, so this stays linear.
        let before = bytes.get(..at).unwrap_or_default();
        if before.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1 {
            return false;
        }
        let second = bytes.get(at + 6..).and_then(unicode_unit);
        if let (0xd800..=0xdbff, Some(0xdc00..=0xdfff)) = (unit, second) {
            paired = at + 12;
            return false;
        }
        true
    })
}

/// The keys of the open objects, in one list; each object knows where its own begin.
#[derive(Default)]
struct Keys {
    spans: Vec<(usize, usize)>,
    starts: Vec<usize>,
    duplicate: Option<usize>,
}

impl Keys {
    fn open(&mut self) {
        self.starts.push(self.spans.len());
    }

    fn add(&mut self, start: usize, end: usize) {
        if self.duplicate.is_none() {
            self.spans.push((start, end));
        }
    }

    fn close(&mut self, bytes: &[u8]) {
        let Some(start) = self.starts.pop() else { return };
        if self.duplicate.is_none() {
            let spans = self.spans.get(start..).unwrap_or_default();
            if spans.len() > 1 {
                self.duplicate = duplicate(spans, bytes);
            }
        }
        self.spans.truncate(start);
    }
}

/// The place of the first key, in the order of the file, that is there twice.
fn duplicate(spans: &[(usize, usize)], bytes: &[u8]) -> Option<usize> {
    let mut keys: Vec<(Cow<'_, [u8]>, usize)> = spans
        .iter()
        .map(|&(start, end)| {
            let raw = bytes.get(start..end).unwrap_or_default();
            let text = if raw.contains(&b'\\') {
                Cow::Owned(decode_string_bytes(raw).into_owned().into_bytes())
            } else {
                Cow::Borrowed(raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default())
            };
            (text, start)
        })
        .collect();
    keys.sort_unstable();
    keys.array_windows::<2>().filter(|[one, two]| one.0 == two.0).map(|[_, two]| two.1).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<&'static str> {
        inspect(text).into_iter().map(|notice| notice.code).collect()
    }

    #[test]
    fn duplicate_keys_are_found_in_their_own_object_only() {
        assert_eq!(
            inspect(r#"{"a":{"b":1},"b":{"a":1},"a":2}"#),
            [Notice::new("duplicate-key", 25)]
        );
        assert_eq!(codes(r#"{"a":[{"a":1},{"a":1}],"b":"a"}"#), [""; 0]);
        assert_eq!(codes("{\"a\":1,\"\\u0061\":2}"), ["duplicate-key"]);
    }

    #[test]
    fn only_halves_of_characters_are_lone() {
        assert_eq!(codes(r#"["\ud83d\ude00","\\ud83d","\u00e9","\\\\ude00"]"#), [""; 0]);
        assert_eq!(inspect(r#"["\ud83d"]"#), [Notice::new("lone-surrogate", 2)]);
        assert_eq!(inspect(r#"["\\\ud83d"]"#), [Notice::new("lone-surrogate", 4)]);
        assert_eq!(inspect(r#"["\ud83d\ud83d\ude00"]"#), [Notice::new("lone-surrogate", 2)]);
        assert_eq!(inspect(r#"["\ude00\ud83d"]"#), [Notice::new("lone-surrogate", 2)]);
    }

    #[test]
    fn depth_is_counted_outside_strings() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(codes(&nested(512)), [""; 0]);
        assert_eq!(codes(&nested(513)), ["too-deep"]);
        assert_eq!(codes(&format!("\"{}\"", "[".repeat(600))), [""; 0]);
    }
}
