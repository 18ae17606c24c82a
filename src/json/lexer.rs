//! The small steps that every scan over JSON bytes shares.

use memchr::memchr2;

/// Whether a byte is JSON white space.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// The offset of the first byte at or after `from` that is no white space.
#[inline]
pub(super) fn skip_space(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while bytes.get(at).is_some_and(|&byte| is_space(byte)) {
        at += 1;
    }
    at
}

/// So many words of a string are looked through here before `memchr2` is called: most strings are
/// keys, ids and the like, and a call costs more than they do.
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
        // The lowest bit that is set is right; those above it need not be.
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

/// What escapes there are in a string.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) enum Escapes {
    /// None.
    #[default]
    None,
    /// Only those of which each is the one short way of writing its character: `\n`, `\"`…
    Short,
    /// Also others: `\u0041`, `\/`, or some that JSON does not know.
    Other,
}

/// Whether a letter behind a backslash makes one of the [`Escapes::Short`].
#[inline]
pub(super) fn is_short_escape(letter: Option<&u8>) -> bool {
    matches!(letter, Some(b'n' | b't' | b'r' | b'b' | b'f' | b'"' | b'\\'))
}

/// The offset just after the quote that closes a string, `from` being just after the one that
/// opens it. `None` when the string never closes.
#[inline]
pub(super) fn string_end(bytes: &[u8], from: usize) -> Option<usize> {
    string_scan(bytes, from).map(|(end, _)| end)
}

/// Like [`string_end`], and says what escapes there are.
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

/// The end of a run of bytes that belongs to a number, a literal or a bare word.
pub(super) fn run_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let ends = |byte: &u8| {
        is_space(*byte) || matches!(byte, b',' | b':' | b'{' | b'}' | b'[' | b']' | b'"')
    };
    from + rest.iter().position(ends).unwrap_or(rest.len())
}

/// Whether a run of bytes is a number as JSON writes them.
pub(super) fn is_number(run: &[u8]) -> bool {
    fn digits(run: &[u8]) -> (usize, &[u8]) {
        let len = run.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(run.len());
        (len, run.get(len..).unwrap_or_default())
    }
    let run = run.strip_prefix(b"-").unwrap_or(run);
    let leading_zero = run.first() == Some(&b'0');
    let (len, mut rest) = digits(run);
    if len == 0 || (leading_zero && len > 1) {
        return false;
    }
    if let Some(fraction) = rest.strip_prefix(b".") {
        let (len, after) = digits(fraction);
        if len == 0 {
            return false;
        }
        rest = after;
    }
    if let Some(exponent) = rest.strip_prefix(b"e").or_else(|| rest.strip_prefix(b"E")) {
        let exponent =
            exponent.strip_prefix(b"+").or_else(|| exponent.strip_prefix(b"-")).unwrap_or(exponent);
        let (len, after) = digits(exponent);
        return len > 0 && after.is_empty();
    }
    rest.is_empty()
}

/// The range of `bytes` without the white space around it.
#[must_use]
pub fn trim(bytes: &[u8]) -> std::ops::Range<usize> {
    let start = skip_space(bytes, 0);
    let rest = bytes.get(start..).unwrap_or_default();
    let len = rest.iter().rposition(|&byte| !is_space(byte)).map_or(0, |at| at + 1);
    start..start + len
}

/// Finds the end of a value that arrives in pieces, by brackets and strings alone.
#[derive(Clone, Copy, Default, Debug)]
pub struct Structure {
    depth: u32,
    in_string: bool,
    escaped: bool,
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
        self.in_string
    }

    /// Goes on through `bytes`; stops with the offset just after the bracket that closes the last
    /// open one. `None` when it needs more bytes.
    pub fn close(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        if self.escaped && !bytes.is_empty() {
            self.escaped = false;
            at = 1;
        }
        while at < bytes.len() {
            if self.in_string {
                let hit = at + memchr2(b'"', b'\\', bytes.get(at..)?)?;
                if bytes.get(hit) == Some(&b'"') {
                    self.in_string = false;
                    at = hit + 1;
                } else {
                    self.escaped = hit + 1 == bytes.len();
                    at = hit + 2;
                }
                continue;
            }
            match bytes.get(at)? {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth = self.depth.saturating_add(1),
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_words() {
        for good in ["0", "-0.0", "1e400", "12345678901234567890123", "1.5E-3", "-7"] {
            assert!(is_number(good.as_bytes()), "{good}");
        }
        for bad in ["", "-", "01", "1.", ".5", "1e", "+1", "NaN", "0x1", "1.2.3"] {
            assert!(!is_number(bad.as_bytes()), "{bad}");
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
