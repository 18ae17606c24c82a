//! The lexer: where strings end, where unquoted runs of bytes end, and which bytes are structure.
//!
//! Everything in `json` that reads possibly broken bytes is based on this file. [`string_scan`] and [`run_end`] read
//! text that is complete; [`Lexer`] goes from mark to mark and can stop at the end of any chunk. Only the strict walk
//! has a scanner of its own ([`super::marks`]), because it checks 64 bytes at a time.

use memchr::memchr2;

/// Whether a byte is JSON white space.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// The offset of the first byte at or after `from` that is not white space.
#[inline]
pub(super) fn skip_space(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while bytes.get(at).is_some_and(|&byte| is_space(byte)) {
        at += 1;
    }
    at
}

/// How many 8-byte words of a string are checked here before `memchr2` takes over. Most strings are short, such as keys
/// and ids, and the call would cost more than checking them here.
const SHORT_WORDS: usize = 3;

const LOW_BITS: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The offset of the first `"` or `\` at or after `from`.
#[inline]
fn find_mark(bytes: &[u8], from: usize) -> Option<usize> {
    let (words, _) = bytes.get(from..)?.as_chunks::<8>();
    let mut at = from;
    for word in words.iter().take(SHORT_WORDS) {
        let word = u64::from_le_bytes(*word);
        // Only the lowest set bit is reliable.
        let hits = zero_bytes(word ^ (LOW_BITS * 0x22)) | zero_bytes(word ^ (LOW_BITS * 0x5c));
        if hits != 0 {
            return Some(at + (hits.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    memchr2(b'"', b'\\', bytes.get(at..)?).map(|hit| at + hit)
}

fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(LOW_BITS) & !word & HIGH_BITS
}

/// Which escapes a string contains.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) enum Escapes {
    /// None.
    #[default]
    None,
    /// Only escapes that are the shortest spelling of their character: `\n`, `\"`…
    Short,
    /// Also other escapes: `\u0041`, `\/`, or escapes that JSON does not have.
    Other,
}

/// Whether a backslash and this letter are an escape of [`Escapes::Short`].
#[inline]
pub(super) fn is_short_escape(letter: Option<&u8>) -> bool {
    matches!(letter, Some(b'n' | b't' | b'r' | b'b' | b'f' | b'"' | b'\\'))
}

/// The offset after the quote that closes a string, and which escapes the string contains. `from` is
/// the offset after the opening quote. `None` if the string is not closed.
#[inline]
pub(super) fn string_scan(bytes: &[u8], from: usize) -> Option<(usize, Escapes)> {
    let mut at = from;
    let mut escapes = Escapes::None;
    loop {
        let hit = find_mark(bytes, at)?;
        if bytes.get(hit) == Some(&b'"') {
            return Some((hit + 1, escapes));
        }
        let is_short = is_short_escape(bytes.get(hit + 1));
        escapes = escapes.max(if is_short { Escapes::Short } else { Escapes::Other });
        at = hit + 2;
    }
}

/// The end of a run of bytes without structure: a number, a literal, or a bare word.
pub(super) fn run_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let ends = |byte: &u8| {
        is_space(*byte) || matches!(byte, b',' | b':' | b'{' | b'}' | b'[' | b']' | b'"')
    };
    from + rest.iter().position(ends).unwrap_or(rest.len())
}

/// The range of `bytes` without the white space around it.
#[must_use]
pub fn trim(bytes: &[u8]) -> std::ops::Range<usize> {
    let start = skip_space(bytes, 0);
    let rest = bytes.get(start..).unwrap_or_default();
    let len = rest.iter().rposition(|&byte| !is_space(byte)).map_or(0, |at| at + 1);
    start..start + len
}

/// A structural byte, or a quote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    /// `{` or `[`.
    Open { is_object: bool },
    /// `}` or `]`.
    Close { is_object: bool },
    /// `,`
    Comma,
    /// The quote that opens a string.
    StringStart,
    /// The quote that closes a string.
    StringEnd,
}

/// Goes through bytes from mark to mark. The bytes may come in chunks that end anywhere, even within a string or an
/// escape.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Lexer {
    in_string: bool,
    /// The last byte was a backslash in a string.
    is_escaped: bool,
}

impl Lexer {
    /// Whether the next byte is inside a string.
    pub fn in_string(self) -> bool {
        self.in_string
    }

    /// Whether the next byte is the second one of an escape.
    pub fn is_escaped(self) -> bool {
        self.is_escaped
    }

    /// The next mark at or after `from`, and its offset; continue after it. `None` if the chunk has no more marks:
    /// continue at the start of the next chunk.
    #[inline]
    pub fn next(&mut self, chunk: &[u8], from: usize) -> Option<(usize, Mark)> {
        if self.in_string {
            return self.string_end(chunk, from).map(|at| (at, Mark::StringEnd));
        }
        for (offset, byte) in chunk.get(from..)?.iter().enumerate() {
            let mark = match byte {
                b'"' => {
                    self.in_string = true;
                    Mark::StringStart
                }
                b'{' | b'[' => Mark::Open { is_object: *byte == b'{' },
                b'}' | b']' => Mark::Close { is_object: *byte == b'}' },
                b',' => Mark::Comma,
                _ => continue,
            };
            return Some((from + offset, mark));
        }
        None
    }

    /// The offset of the quote that closes the open string.
    #[inline]
    fn string_end(&mut self, chunk: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        if self.is_escaped && at < chunk.len() {
            self.is_escaped = false;
            at += 1;
        }
        loop {
            let hit = find_mark(chunk, at)?;
            if chunk.get(hit) == Some(&b'"') {
                self.in_string = false;
                return Some(hit);
            }
            if hit + 1 == chunk.len() {
                self.is_escaped = true;
                return None;
            }
            at = hit + 2;
        }
    }
}

/// Finds the end of a value that arrives in chunks, by brackets and strings alone. Brackets are counted, not matched.
#[derive(Clone, Copy, Default, Debug)]
pub struct Structure {
    depth: u32,
    lexer: Lexer,
}

impl Structure {
    /// How many brackets are open.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether the next byte is inside a string.
    #[must_use]
    pub fn in_string(&self) -> bool {
        self.lexer.in_string()
    }

    /// Reads the next chunk. Returns the offset after the bracket that closes the last open one, or `None` if more
    /// bytes are needed.
    #[inline]
    pub fn close(&mut self, chunk: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some((hit, mark)) = self.lexer.next(chunk, at) {
            at = hit + 1;
            match mark {
                Mark::Open { .. } => self.depth = self.depth.saturating_add(1),
                Mark::Close { .. } => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(at);
                    }
                }
                Mark::Comma | Mark::StringStart | Mark::StringEnd => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All marks of a text that is read in chunks of `chunk_bytes` bytes.
    fn marks(text: &[u8], chunk_bytes: usize) -> Vec<(usize, Mark)> {
        let (mut lexer, mut found) = (Lexer::default(), Vec::new());
        for (nth, chunk) in text.chunks(chunk_bytes).enumerate() {
            let mut at = 0;
            while let Some((hit, mark)) = lexer.next(chunk, at) {
                found.push((nth * chunk_bytes + hit, mark));
                at = hit + 1;
            }
        }
        found
    }

    #[test]
    fn marks_do_not_depend_on_where_chunks_end() {
        use Mark::{Close, Comma, Open, StringEnd, StringStart};
        let text = br#"{"a\\":[1,"\"]}\\\"","b\u0022, twenty-four bytes and more"],x]}"#;
        let whole = marks(text, text.len());
        let kinds: Vec<Mark> = whole.iter().map(|(_, mark)| *mark).collect();
        let (object, list) = (true, false);
        assert_eq!(
            kinds,
            [
                Open { is_object: object },
                StringStart,
                StringEnd,
                Open { is_object: list },
                Comma,
                StringStart,
                StringEnd,
                Comma,
                StringStart,
                StringEnd,
                Close { is_object: list },
                Comma,
                Close { is_object: list },
                Close { is_object: object },
            ]
        );
        for chunk_bytes in 1..text.len() {
            assert_eq!(marks(text, chunk_bytes), whole, "chunks of {chunk_bytes}");
        }
    }

    #[test]
    fn the_first_mark_is_found_at_any_place() {
        for len in 0..100 {
            for mark in [b'"', b'\\'] {
                let mut bytes = vec![b'#'; len];
                bytes.extend([mark, b'!', b'"', b'\\', b']']);
                let found: Vec<_> = (0..=len).map(|from| find_mark(&bytes, from)).collect();
                assert_eq!(found, vec![Some(len); len + 1]);
            }
            assert_eq!(find_mark(&vec![0xa2; len], 0), None);
        }
    }

    #[test]
    fn a_value_in_pieces_closes_where_the_whole_closes() {
        let text = br#"{"a\\":["]}\"",{}],"b":"\\"} tail"#;
        let whole = Structure::default().close(text);
        assert_eq!(whole, Some(text.len() - 5));
        let mut structure = Structure::default();
        let end = text.iter().position(|byte| structure.close(&[*byte]).is_some());
        assert_eq!(end.map(|at| at + 1), whole);
    }
}
