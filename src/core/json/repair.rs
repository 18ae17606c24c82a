//! Repairs: turns nearly-JSON into strict JSON without moving a byte.

use crate::warning_code::WarningCode;
use std::borrow::Cow;
use std::ops::Range;

use serde_json::Deserializer;
use serde_json::value::RawValue;

use super::Notice;
use super::lexer::{Lexer, Mark, run_end, skip_space, trim};
use super::strict::is_strict;
use super::strict_notices::lone_surrogates;

/// The result of [`repair`] for the bytes of one record.
#[derive(Clone, PartialEq, Debug)]
pub enum Repaired<'a> {
    /// One strict JSON value. It is as long as the bytes, so every offset remains valid.
    Good {
        /// The value; borrowed if nothing was patched.
        text: Cow<'a, str>,
        /// The repairs: at most one notice per code.
        notices: Vec<Notice>,
    },
    /// Several values in a row. Each must be repaired separately.
    Several(Vec<Range<usize>>),
    /// Not JSON.
    Bad {
        /// What is wrong, in a few words.
        reason: String,
        /// The offset of the fault.
        offset: usize,
        /// Whether more bytes could make it JSON.
        truncated: bool,
    },
}

/// Turns the bytes of one record into strict JSON, or reports why that is not possible. The following are patched
/// without changing any length: bytes that are not UTF-8 (each becomes `?`), raw control characters in strings (a
/// space), the backslash of escapes that JSON does not have (`?`), lone surrogate escapes (`\ufffd`), `NaN` and the infinities (an empty string and spaces), and extra commas
/// (a space).
#[must_use]
#[inline(never)]
pub fn repair(bytes: &[u8]) -> Repaired<'_> {
    let strict = std::str::from_utf8(bytes).ok().filter(|text| is_strict(text));
    if let Some(text) = strict
        && lone_surrogates(bytes).next().is_none()
    {
        return Repaired::Good { text: Cow::Borrowed(text), notices: Vec::new() };
    }
    let (text, notices) = patched(bytes);
    match serde_json::from_str::<&RawValue>(&text) {
        Ok(_) => Repaired::Good { text: Cow::Owned(text), notices },
        Err(error) => several(&text, bytes).map_or_else(|| bad(&text, &error), Repaired::Several),
    }
}

/// The bytes with all patches of [`repair`], even if the result is not JSON.
pub(super) fn patched(bytes: &[u8]) -> (String, Vec<Notice>) {
    let mut patch = Patch { text: bytes.to_vec(), notices: Vec::new() };
    patch.utf8(bytes);
    patch.surrogates(bytes);
    patch.syntax(bytes);
    (String::from_utf8(patch.text).unwrap_or_default(), patch.notices)
}

/// The message of a serde error, with its place in the notation of this project.
#[must_use]
pub fn reason(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    let said = error.to_string();
    let place = format!(" at line {line} column {column}");
    let what = said.strip_suffix(&place).unwrap_or(&said);
    if line > 1 {
        format!("{what} at line {line} column {column} of the record")
    } else {
        format!("{what} at column {column}")
    }
}

fn bad<'a>(text: &str, error: &serde_json::Error) -> Repaired<'a> {
    let line_start = match error.line().checked_sub(2) {
        Some(nth) => memchr::memchr_iter(b'\n', text.as_bytes()).nth(nth).map_or(0, |at| at + 1),
        None => 0,
    };
    Repaired::Bad {
        reason: reason(error),
        offset: (line_start + error.column().saturating_sub(1)).min(text.len()),
        truncated: error.is_eof(),
    }
}

/// The ranges of the values, if the patched text consists of two or more of them and nothing else.
fn several(text: &str, bytes: &[u8]) -> Option<Vec<Range<usize>>> {
    let mut values = Deserializer::from_str(text).into_iter::<&RawValue>();
    let mut ranges = Vec::new();
    let mut from = 0;
    while let Some(value) = values.next() {
        value.ok()?;
        let end = values.byte_offset();
        let inner = trim(text.as_bytes().get(from..end)?);
        // A patched word keeps its length: spaces follow its quotes.
        let is_patched = |at: &usize| {
            text.as_bytes().get(*at) == Some(&b' ')
                && bytes.get(*at).is_some_and(u8::is_ascii_alphabetic)
        };
        let rest = (from + inner.end..text.len()).take_while(is_patched).count();
        ranges.push(from + inner.start..from + inner.end + rest);
        from = end;
    }
    (ranges.len() > 1).then_some(ranges)
}

struct Patch {
    text: Vec<u8>,
    notices: Vec<Notice>,
}

impl Patch {
    fn blank(&mut self, range: Range<usize>) {
        if let Some(bytes) = self.text.get_mut(range) {
            bytes.fill(b' ');
        }
    }

    fn notice(&mut self, code: WarningCode, offset: usize) {
        Notice::add_once(&mut self.notices, code, offset);
    }

    fn utf8(&mut self, bytes: &[u8]) {
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            at += chunk.valid().len();
            let invalid = chunk.invalid().len();
            if invalid > 0 {
                self.notice(WarningCode::InvalidUtf8, at);
                if let Some(bytes) = self.text.get_mut(at..at + invalid) {
                    bytes.fill(b'?');
                }
                at += invalid;
            }
        }
    }

    fn surrogates(&mut self, bytes: &[u8]) {
        for at in lone_surrogates(bytes) {
            self.notice(WarningCode::LoneSurrogate, at);
            if let Some(escape) = self.text.get_mut(at..at + 6) {
                escape.copy_from_slice(b"\\ufffd");
            }
        }
    }

    /// Patches control characters in strings, words that JSON does not have, and extra commas.
    fn syntax(&mut self, bytes: &[u8]) {
        let (mut lexer, mut at) = (Lexer::default(), 0);
        loop {
            let in_string = lexer.in_string();
            let mark = lexer.next(bytes, at);
            let end = mark.map_or(bytes.len(), |(hit, _)| hit);
            if in_string {
                self.string(bytes, at..end);
            } else {
                self.words(bytes, at..end);
            }
            let Some((hit, mark)) = mark else { return };
            at = hit + 1;
            let next = bytes.get(skip_space(bytes, at));
            if mark == Mark::Comma && matches!(next, Some(b'}' | b']' | b',')) {
                self.notice(WarningCode::TrailingComma, hit);
                self.blank(hit..at);
            }
        }
    }

    /// Patches the inside of a string.
    fn string(&mut self, bytes: &[u8], range: Range<usize>) {
        let mut is_escaped = false;
        for (at, byte) in range.clone().zip(bytes.get(range.clone()).unwrap_or_default()) {
            if is_escaped {
                is_escaped = false;
                let digits = bytes.get(at + 1..at + 5).unwrap_or_default();
                let is_known = match byte {
                    b'u' => digits.len() == 4 && digits.iter().all(u8::is_ascii_hexdigit),
                    _ => b"\"\\/bfnrt".contains(byte),
                };
                if !is_known && let Some(backslash) = self.text.get_mut(at - 1) {
                    *backslash = b'?';
                    self.notice(WarningCode::InvalidEscape, at - 1);
                }
                if *byte >= 0x20 {
                    continue;
                }
            }
            is_escaped = *byte == b'\\';
            if *byte < 0x20 {
                self.notice(WarningCode::RawControlChar, at);
                self.blank(at..at + 1);
            }
        }
    }

    /// Patches the bytes between two marks outside of strings.
    fn words(&mut self, bytes: &[u8], range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            let end = run_end(bytes, at).min(range.end);
            if matches!(bytes.get(at..end), Some(b"NaN" | b"Infinity" | b"-Infinity")) {
                self.notice(WarningCode::NonFiniteNumber, at);
                self.blank(at..end);
                if let Some(quotes) = self.text.get_mut(at..at + 2) {
                    quotes.fill(b'"');
                }
            }
            // White space and colons are empty runs.
            at = end.max(at + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good(bytes: &[u8]) -> (String, Vec<&'static str>) {
        match repair(bytes) {
            Repaired::Good { text, notices } => {
                assert_eq!(text.len(), bytes.len());
                (text.into_owned(), notices.into_iter().map(|it| it.code.word()).collect())
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn strict_json_is_borrowed() {
        let text = br#"{"a":"\ud83d\ude00","n":1e400}"#;
        assert!(
            matches!(repair(text), Repaired::Good { text: Cow::Borrowed(_), notices } if notices.is_empty())
        );
    }

    #[test]
    fn an_escape_that_json_does_not_have_loses_its_backslash() {
        assert_eq!(
            good(br#"{"a":"x\user\u0041\q\\u\u12"}"#),
            (r#"{"a":"x?user\u0041?q\\u?u12"}"#.to_owned(), vec!["invalid-escape"])
        );
    }

    #[test]
    fn patches_keep_every_length() {
        assert_eq!(
            good(br#"{"a":NaN,"b":[-Infinity,Infinity,1,],}"#),
            (
                r#"{"a":"" ,"b":["\"       ,""      ,1 ] }"#.replace("\\\"", "\""),
                vec!["non-finite-number", "trailing-comma"]
            )
        );
        assert_eq!(
            good(b"{\"t\":\"a\tb\x1b\0\"}"),
            (String::from(r#"{"t":"a b  "}"#), vec!["raw-control-char"])
        );
        assert_eq!(
            good(b"{\"c\":\"\xed\xa0\xbd\",\"f\":\"\xff\xc3\xa9\"}"),
            (String::from("{\"c\":\"???\",\"f\":\"?é\"}"), vec!["invalid-utf8"])
        );
        assert_eq!(
            good(br#"["\uD83D","NaN, Infinity,]"]"#),
            (String::from(r#"["\ufffd","NaN, Infinity,]"]"#), vec!["lone-surrogate"])
        );
    }

    #[test]
    fn several_values_are_found() {
        let text = b" {\"a\":1}{\"b\":NaN} [3]";
        assert_eq!(repair(text), Repaired::Several(vec![1..8, 8..17, 18..21]));
        assert_eq!(
            repair(b"1 NaN -Infinity 2"),
            Repaired::Several(vec![0..1, 2..5, 6..15, 16..17])
        );
        assert_eq!(repair(b"{}true[]"), Repaired::Several(vec![0..2, 2..6, 6..8]));
    }

    #[test]
    fn bad_ones_say_why_and_where() {
        let Repaired::Bad { reason, offset, truncated } = repair(br#"{"id": oops}"#) else {
            panic!("is bad")
        };
        assert_eq!((reason.as_str(), offset, truncated), ("expected value at column 8", 7, false));
        for cut in [&b"{\"a\":\"\xf0\x9f"[..], b"{\"a\":1", b"{\"a\":\"x\\u00", b"[[", b"{\"a\":tr"]
        {
            assert!(matches!(repair(cut), Repaired::Bad { truncated: true, .. }), "{cut:?}");
        }
    }
}
