//! The bytes that matter inside a string, found 64 at a time.

use wide::u8x16;

pub(super) const BLOCK_BYTES: usize = 64;

const ODD_BITS: u64 = 0xaaaa_aaaa_aaaa_aaaa;

/// Reads bytes forwards in blocks of 64 and sets a bit for each byte that matters, so that short strings and texts full
/// of escapes cost little more than long plain ones.
///
/// Whether a byte is escaped depends on the backslashes before it. If the previous block was skipped, the block begins
/// outside a string, where strict JSON has no backslashes.
pub(super) struct Marks<'a> {
    blocks: &'a [[u8; BLOCK_BYTES]],
    /// The bytes after the last whole block, padded with spaces.
    tail: [u8; BLOCK_BYTES],
    /// The index of the current block.
    block: usize,
    bits: Bits,
    /// 1 if the current block ends with a backslash that escapes the first byte of the next one.
    carry: u64,
}

/// The marks of a block. The lowest bit is for the first byte.
#[derive(Clone, Copy, Default)]
pub(super) struct Bits {
    /// Bytes at which the reader of a string must stop: quotes that are not escaped, control characters,
    /// and the letters of all escapes except the frequent ones, `\"`, `\\`, `\n` and `\t`.
    pub stops: u64,
    /// The backslashes that begin escapes.
    pub escapes: u64,
}

impl<'a> Marks<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let (blocks, rest) = bytes.as_chunks();
        let mut tail = [b' '; BLOCK_BYTES];
        for (byte, known) in tail.iter_mut().zip(rest) {
            *byte = *known;
        }
        Self { blocks, tail, block: usize::MAX, bits: Bits::default(), carry: 0 }
    }

    /// The marks of a block; `None` after the last one. Blocks must be requested in order.
    #[inline]
    pub fn block(&mut self, block: usize) -> Option<Bits> {
        if block != self.block {
            self.go_to(block)?;
        }
        Some(self.bits)
    }

    /// How many bytes there are from a byte to the first stop, if the stop is in the current block and there is no
    /// escape before it.
    #[inline]
    pub fn plain_len(&self, from: usize) -> Option<usize> {
        let at = from % BLOCK_BYTES;
        let (stops, escapes) = (self.bits.stops >> at, self.bits.escapes >> at);
        let first = stops & stops.wrapping_neg();
        let is_it = from / BLOCK_BYTES == self.block && first != 0 && escapes & (first - 1) == 0;
        is_it.then_some(stops.trailing_zeros() as usize)
    }

    #[inline]
    fn go_to(&mut self, block: usize) -> Option<()> {
        let carry = if block == self.block.wrapping_add(1) { self.carry } else { 0 };
        let bytes = match self.blocks.get(block) {
            Some(bytes) => bytes,
            None if block == self.blocks.len() => &self.tail,
            None => return None,
        };
        (self.bits, self.carry) = bits_of(bytes, carry);
        self.block = block;
        Some(())
    }
}

/// The bits of a block, and the carry for the next one.
#[inline]
fn bits_of(bytes: &[u8; BLOCK_BYTES], carry: u64) -> (Bits, u64) {
    let (parts, _) = bytes.as_chunks::<16>();
    let (mut ends, mut backslashes) = (0, 0);
    for part in parts.iter().rev() {
        let part = u8x16::new(*part);
        let end = part.simd_eq(u8x16::splat(b'"')) | part.min(u8x16::splat(0x1f)).simd_eq(part);
        ends = ends << 16 | u64::from(end.to_bitmask());
        let backslash = part.simd_eq(u8x16::splat(b'\\'));
        backslashes = backslashes << 16 | u64::from(backslash.to_bitmask());
    }
    if backslashes | carry == 0 {
        return (Bits { stops: ends, escapes: 0 }, 0);
    }
    // Every second backslash of a run is escaped. One subtraction finds, by its carries, where the runs that begin on
    // even bits end (Langdale and Lemire, "Parsing Gigabytes of JSON per Second", 2019, section 3.1.1, in the form that
    // simdjson uses now).
    let starts = backslashes & !carry;
    let codes = ((starts << 1) | ODD_BITS).wrapping_sub(starts) ^ ODD_BITS;
    let escaped = codes ^ (backslashes | carry);
    let escapes = codes & backslashes;
    let stops = (ends & !escaped) | (escaped & !(backslashes | frequent_letters(parts)));
    (Bits { stops, escapes }, escapes >> 63)
}

/// A bit for each byte that is the letter of a frequent escape, except backslashes.
fn frequent_letters(parts: &[[u8; 16]]) -> u64 {
    let mut bits = 0;
    for part in parts.iter().rev() {
        let part = u8x16::new(*part);
        let found = part.simd_eq(u8x16::splat(b'"'))
            | part.simd_eq(u8x16::splat(b'n'))
            | part.simd_eq(u8x16::splat(b't'));
        bits = bits << 16 | u64::from(found.to_bitmask());
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected marks, found one byte at a time.
    fn slowly(bytes: &[u8]) -> (Vec<usize>, Vec<usize>) {
        let (mut stops, mut escapes) = (Vec::new(), Vec::new());
        let mut is_escaped = false;
        for (at, byte) in bytes.iter().enumerate() {
            let stops_here =
                if is_escaped { !b"\"\\nt".contains(byte) } else { *byte == b'"' || *byte < 0x20 };
            stops.extend(stops_here.then_some(at));
            is_escaped = !is_escaped && *byte == b'\\';
            escapes.extend(is_escaped.then_some(at));
        }
        (stops, escapes)
    }

    fn by_blocks(bytes: &[u8]) -> (Vec<usize>, Vec<usize>) {
        let mut marks = Marks::new(bytes);
        let (mut stops, mut escapes) = (Vec::new(), Vec::new());
        for block in 0..=bytes.len() / BLOCK_BYTES {
            let bits = marks.block(block).unwrap();
            let places = |bits: u64| {
                (0..BLOCK_BYTES)
                    .filter(move |at| bits >> at & 1 == 1)
                    .map(|at| block * BLOCK_BYTES + at)
            };
            stops.extend(places(bits.stops).filter(|at| *at < bytes.len()));
            escapes.extend(places(bits.escapes));
        }
        assert!(marks.block(bytes.len() / BLOCK_BYTES + 1).is_none());
        (stops, escapes)
    }

    #[test]
    fn every_byte_is_judged_at_any_place_escaped_or_not() {
        for byte in 0..=u8::MAX {
            for at in [0, 1, 15, 16, 31, 62, 63, 64, 126, 127, 128, 130] {
                for backslashes in 0..=at.min(3) {
                    let mut bytes = vec![b'a'; 131];
                    bytes[at - backslashes..at].fill(b'\\');
                    bytes[at] = byte;
                    assert_eq!(by_blocks(&bytes), slowly(&bytes), "{byte} at {at}");
                }
            }
        }
    }

    #[test]
    fn runs_of_backslashes_cross_blocks() {
        for before in 0..140 {
            for len in [1, 2, 3, 63, 64, 65, 66, 127, 128, 129, 200] {
                let mut bytes = vec![b' '; before];
                bytes.resize(before + len, b'\\');
                bytes.extend(b"\"n/u\\\"");
                assert_eq!(by_blocks(&bytes), slowly(&bytes), "{len} after {before}");
            }
        }
    }

    #[test]
    fn a_block_after_a_gap_begins_unescaped() {
        let mut bytes = vec![b'\\'; 63];
        bytes.resize(192, b'"');
        let mut marks = Marks::new(&bytes);
        assert_eq!(marks.block(0).unwrap().escapes & 1 << 62, 1 << 62);
        assert_eq!(marks.block(2).unwrap().stops, u64::MAX);
    }
}
