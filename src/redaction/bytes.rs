//! Reading of bytes that cannot fail.

use std::ops::Range;

/// The byte at an offset, or 0.
#[inline]
pub(crate) fn at(bytes: &[u8], offset: usize) -> u8 {
    bytes.get(offset).copied().unwrap_or(0)
}

/// The byte before an offset, or 0.
#[inline]
pub(crate) fn before(bytes: &[u8], offset: usize) -> u8 {
    offset.checked_sub(1).map_or(0, |offset| at(bytes, offset))
}

/// The bytes from an offset on.
#[inline]
pub(crate) fn from(bytes: &[u8], offset: usize) -> &[u8] {
    bytes.get(offset..).unwrap_or_default()
}

/// The bytes of a range.
#[inline]
pub(crate) fn of(bytes: &[u8], range: Range<usize>) -> &[u8] {
    bytes.get(range).unwrap_or_default()
}

/// The end of the run of bytes from an offset on that have a property, at most `most` of them.
pub(crate) fn run_end(bytes: &[u8], start: usize, most: usize, has: impl Fn(u8) -> bool) -> usize {
    start + from(bytes, start).iter().take(most).take_while(|byte| has(**byte)).count()
}

/// The start of the run of bytes up to an offset that have a property, at most `most` of them.
pub(crate) fn run_start(bytes: &[u8], end: usize, most: usize, has: impl Fn(u8) -> bool) -> usize {
    let run = of(bytes, 0..end).iter().rev().take(most).take_while(|byte| has(**byte)).count();
    end - run
}

/// Whether the text begins with a lower-case ASCII pattern, in any case.
pub(crate) fn starts_with_ignoring_case(bytes: &[u8], pattern: &[u8]) -> bool {
    bytes.get(..pattern.len()).is_some_and(|start| start.eq_ignore_ascii_case(pattern))
}

/// Whether the byte at an offset belongs to an escape that begins before it: the `n` of `\n`.
pub(crate) fn is_escaped(bytes: &[u8], offset: usize) -> bool {
    let backslashes = of(bytes, 0..offset).iter().rev().take_while(|byte| **byte == b'\\').count();
    backslashes % 2 == 1 && matches!(at(bytes, offset), b'n' | b'r' | b't' | b'b' | b'f' | b'u')
}

/// A byte of a name in any language: a letter, a digit, or part of a character beyond ASCII.
pub(crate) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}
