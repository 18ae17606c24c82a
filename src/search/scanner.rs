//! Scans the bytes of a source from one string to the next.
//!
//! A *leaf* is the inside of a string, or the text between two strings on one line. Only quotes and line ends delimit
//! leaves, so a broken line cannot affect the next one. Only leaves that contain an anchor are examined; without
//! anchors, all are.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr2, memchr3, memrchr};

use super::anchors::Anchors;
use super::pattern::Pattern;
use super::query::{Fault, Query};
use traceloupe_core::json::decode_inner;

/// Windows in which longer leaves are searched.
#[derive(Debug, Clone, Copy)]
struct Windows {
    len: usize,
    /// Windows overlap by twice this, so that every match up to this length is whole in one of them.
    margin: usize,
}

/// The longest plain text, written in its longest form, fits into the margin.
const OF_TEXT: Windows = Windows { len: 512 << 10, margin: 64 << 10 };

/// A regular expression may examine everything after a match before it settles on a short one, so this is kept short.
const OF_REGEX: Windows = Windows { len: 64 << 10, margin: 16 << 10 };

/// A match.
#[derive(Debug)]
pub struct Hit<'a> {
    /// Offset in the source of the leaf with the match.
    pub leaf: u64,
    /// The text with the match: the leaf, or a window of it.
    pub text: &'a str,
    /// The range of the match in the text.
    pub range: Range<usize>,
}

/// Searches the bytes of a source, chunk by chunk.
#[derive(Debug)]
pub struct Scanner {
    pattern: Pattern,
    anchors: Option<Anchors>,
    windows: Windows,
    /// The bytes of the unfinished leaf.
    held: Vec<u8>,
    /// Offset in the source of the first byte held.
    at: u64,
    /// Whether the bytes held are the inside of a string.
    in_string: bool,
    /// How many of the bytes held are known not to end the leaf.
    scanned: usize,
    /// For a leaf that is searched in windows: where it starts, and how much of the next window's
    /// text has been searched.
    window: Option<(u64, usize)>,
}

/// A leaf in the current bytes.
struct Leaf {
    /// Where it ends.
    end: usize,
    /// Where the next leaf starts; `None` if the end of this one has not been seen.
    next: Option<usize>,
    /// Whether it ends with a quote.
    by_quote: bool,
}

type Each<'e> = &'e mut dyn FnMut(Hit<'_>);

impl Scanner {
    /// A scanner for a query.
    ///
    /// # Errors
    /// If the query cannot be searched for.
    pub fn new(query: &Query) -> Result<Self, Fault> {
        Ok(Self {
            pattern: Pattern::new(query)?,
            anchors: Anchors::new(query),
            windows: if query.regex { OF_REGEX } else { OF_TEXT },
            held: Vec::new(),
            at: 0,
            in_string: false,
            scanned: 0,
            window: None,
        })
    }

    /// Starts another source.
    pub fn restart(&mut self) {
        self.held = Vec::new();
        (self.at, self.in_string, self.scanned, self.window) = (0, false, 0, None);
    }

    /// Reads the next bytes.
    pub fn push(&mut self, bytes: &[u8], each: Each<'_>) {
        self.take(bytes, false, each);
    }

    /// Ends the source.
    pub fn finish(&mut self, each: Each<'_>) {
        self.take(&[], true, each);
        self.restart();
    }

    fn take(&mut self, bytes: &[u8], is_end: bool, each: Each<'_>) {
        let mut held = std::mem::take(&mut self.held);
        let joined = if held.is_empty() {
            Cow::Borrowed(bytes)
        } else {
            held.extend_from_slice(bytes);
            Cow::Owned(held)
        };
        let kept = self.walk(&joined, is_end, each);
        self.at += kept as u64;
        self.held = match joined {
            Cow::Borrowed(bytes) => bytes.get(kept..).unwrap_or_default().to_vec(),
            Cow::Owned(mut bytes) => {
                bytes.drain(..kept.min(bytes.len()));
                bytes
            }
        };
    }

    /// Searches the available bytes; returns the offset from which bytes are still needed.
    fn walk(&mut self, bytes: &[u8], is_end: bool, each: Each<'_>) -> usize {
        if let Some(anchors) = &mut self.anchors {
            anchors.reset();
        }
        let mut start = 0;
        loop {
            let wanted = match &mut self.anchors {
                None => Some(start),
                Some(anchors) => anchors.next(bytes, start),
            };
            // Skip lines without a candidate all at once.
            let before = bytes.get(start..wanted.unwrap_or(bytes.len())).unwrap_or_default();
            if let Some(line_end) = memrchr(b'\n', before) {
                start += line_end + 1;
                self.scanned = 0;
                self.in_string = false;
                self.window = None;
            }
            let leaf = self.leaf(bytes, start, is_end);
            let is_wanted = wanted.is_some_and(|at| at < leaf.end);
            start = self.windows(bytes, start, leaf.end, is_wanted, each);
            let Some(next) = leaf.next else {
                self.scanned = leaf.end - start;
                return if is_end { bytes.len() } else { start };
            };
            if is_wanted {
                self.search(bytes.get(start..leaf.end).unwrap_or_default(), start, each);
            }
            self.window = None;
            self.scanned = 0;
            self.in_string = leaf.by_quote && !self.in_string;
            start = next;
        }
    }

    /// The leaf that starts at `start`.
    fn leaf(&self, bytes: &[u8], start: usize, is_end: bool) -> Leaf {
        let mut at = start + self.scanned;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let hit = match self.in_string {
                true => memchr3(b'"', b'\\', b'\n', rest),
                false => memchr2(b'"', b'\n', rest),
            };
            let Some(hit) = hit.map(|hit| at + hit) else {
                // The end of the source ends a leaf; an empty leaf there ends the scan.
                let end = bytes.len();
                return Leaf { end, next: (is_end && start < end).then_some(end), by_quote: false };
            };
            match bytes.get(hit) {
                Some(b'\\') => match bytes.get(hit + 1) {
                    // It depends on the next byte.
                    None if !is_end => return Leaf { end: hit, next: None, by_quote: false },
                    Some(b'\n') | None => at = hit + 1,
                    Some(_) => at = hit + 2,
                },
                byte => {
                    let by_quote = byte == Some(&b'"');
                    return Leaf { end: hit, next: Some(hit + 1), by_quote };
                }
            }
        }
    }

    /// Searches all windows of a leaf but the last; returns where the last one starts.
    fn windows(
        &mut self,
        bytes: &[u8],
        start: usize,
        end: usize,
        is_wanted: bool,
        each: Each<'_>,
    ) -> usize {
        let Windows { len, margin } = self.windows;
        let mut start = start;
        while end - start > len {
            let window = bytes.get(start..start + len).unwrap_or_default();
            let cut = |at: usize| safe_cut(window, at, self.in_string);
            let whole = cut(len);
            let border = cut(len - margin);
            let next = cut(border - margin);
            let text = |from: usize, to: usize| {
                text_of(window.get(from..to).unwrap_or_default(), self.in_string)
            };
            let (leaf, mut from) = self.window.unwrap_or((self.at + start as u64, 0));
            // Leave matches that start after the border to the next window, which contains more of the text after them.
            let mut next_from = text(next, border).len();
            if is_wanted {
                let mut all = text(0, border).into_owned();
                let border_in_text = all.len();
                all.push_str(&text(border, whole));
                while let Some(range) = self.pattern.find_at(&all, from) {
                    if range.start >= border_in_text {
                        break;
                    }
                    from = range.end;
                    each(Hit { leaf, text: &all, range });
                }
                next_from += from.saturating_sub(border_in_text);
            }
            self.window = Some((leaf, next_from));
            start += next;
        }
        start
    }

    /// Searches a leaf, or the last window of one.
    fn search(&self, leaf: &[u8], start: usize, each: Each<'_>) {
        if let Some((leaf_start, done)) = self.window {
            let text = text_of(leaf, self.in_string);
            self.search_text(&text, done, leaf_start, each);
        } else if self.in_string {
            let text = decode_inner(leaf);
            let leaf_start = self.at + start as u64;
            // If a JSON string has no match, its text may have one a level deeper.
            if !self.search_text(&text, 0, leaf_start, each)
                && memchr(b'\\', text.as_bytes()).is_some()
                && matches!(text.trim_start().as_bytes().first(), Some(b'{' | b'[' | b'"'))
            {
                self.search_text(&decode_inner(text.as_bytes()), 0, leaf_start, each);
            }
        } else {
            for range in values(leaf) {
                let leaf_start = self.at + (start + range.start) as u64;
                let text = String::from_utf8_lossy(leaf.get(range).unwrap_or_default());
                self.search_text(&text, 0, leaf_start, each);
            }
        }
    }

    fn search_text(&self, text: &str, from: usize, leaf: u64, each: Each<'_>) -> bool {
        let (mut from, mut found) = (from, false);
        while let Some(range) = self.pattern.find_at(text, from) {
            (from, found) = (range.end, true);
            each(Hit { leaf, text, range });
        }
        found
    }
}

fn text_of(bytes: &[u8], in_string: bool) -> Cow<'_, str> {
    if in_string { decode_inner(bytes) } else { String::from_utf8_lossy(bytes) }
}

/// The values between two strings: each number and word if there is nothing else, or the whole text
/// if it is not JSON.
fn values(bytes: &[u8]) -> Vec<Range<usize>> {
    let is_mark = |byte: &u8| b" \t\r,:{}[]".contains(byte);
    let mut values = Vec::new();
    let mut at = 0;
    while let Some(len) = bytes.get(at..).and_then(|rest| rest.iter().position(|it| !is_mark(it))) {
        let start = at + len;
        let rest = bytes.get(start..).unwrap_or_default();
        let end = start + rest.iter().position(is_mark).unwrap_or(rest.len());
        let is_json = match bytes.get(start..end).unwrap_or_default() {
            b"true" | b"false" | b"null" | b"NaN" | b"Infinity" | b"-Infinity" => true,
            number => number.iter().all(|byte| b"+-.eE0123456789".contains(byte)),
        };
        if !is_json {
            // Without surrounding white space and the line end's `\r`.
            let range = traceloupe_core::json::trim(bytes);
            return vec![range];
        }
        values.push(start..end);
        at = end;
    }
    values
}

/// The largest offset up to `wanted` that does not split a character or an escape.
fn safe_cut(bytes: &[u8], wanted: usize, in_string: bool) -> usize {
    let is_inside = |byte: Option<&u8>| byte.is_some_and(|byte| byte & 0xc0 == 0x80);
    let mut cut = wanted.min(bytes.len());
    // The length of the escape that starts here, including the second half of a surrogate pair.
    let escape_len = |at: usize| match bytes.get(at..).unwrap_or_default() {
        [_, b'u', b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', _, _, b'\\', b'u', ..] => {
            12
        }
        [_, b'u', ..] => 6,
        _ => 2,
    };
    // Escapes can be distinguished from plain backslashes only from a position that certainly starts an escape.
    let mut at = 0;
    while in_string && at < cut {
        let Some(hit) = memchr(b'\\', bytes.get(at..cut).unwrap_or_default()) else { break };
        let end = at + hit + escape_len(at + hit);
        if end > cut {
            cut = at + hit;
        }
        at = end;
    }
    // Invalid UTF-8 has no characters to preserve, so it may be cut anywhere.
    let back = (0..4).find(|back| !is_inside(bytes.get(cut - back.min(&cut))));
    cut - back.unwrap_or(0).min(cut)
}

#[cfg(test)]
mod tests;
