//! Where the bytes stand that matter inside a string, found 64 at a time.

use wide::u8x16;

const BLOCK_BYTES: usize = 64;

/// Finds quotes, backslashes and control characters, going forwards through bytes. What was found
/// in a block of 64 bytes is kept as a bit for each, so that short strings and texts full of escapes
/// cost little more than long plain ones.
pub(super) struct Marks<'a> {
    blocks: &'a [[u8; BLOCK_BYTES]],
    /// The bytes behind the last whole block, filled up with spaces.
    tail: [u8; BLOCK_BYTES],
    /// The block that is at hand, and its bits; lowest for its first byte.
    block: usize,
    bits: u64,
}

impl<'a> Marks<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let (blocks, rest) = bytes.as_chunks();
        let mut tail = [b' '; BLOCK_BYTES];
        for (byte, known) in tail.iter_mut().zip(rest) {
            *byte = *known;
        }
        Self { blocks, tail, block: usize::MAX, bits: 0 }
    }

    /// The offset of the first mark at or after `from`.
    #[inline]
    pub fn next(&mut self, from: usize) -> Option<usize> {
        let block = from / BLOCK_BYTES;
        if block != self.block {
            self.go_to(block);
        }
        let bits = self.bits & (u64::MAX << (from % BLOCK_BYTES));
        if bits != 0 {
            return Some(block * BLOCK_BYTES + bits.trailing_zeros() as usize);
        }
        self.next_block()
    }

    fn next_block(&mut self) -> Option<usize> {
        while self.block < self.blocks.len() {
            self.go_to(self.block + 1);
            if self.bits != 0 {
                return Some(self.block * BLOCK_BYTES + self.bits.trailing_zeros() as usize);
            }
        }
        None
    }

    fn go_to(&mut self, block: usize) {
        self.block = block;
        self.bits = match self.blocks.get(block) {
            Some(bytes) => marks(bytes),
            None if block == self.blocks.len() => marks(&self.tail),
            None => 0,
        };
    }
}

/// A bit for each byte that is a quote, a backslash or a control character.
#[inline]
fn marks(bytes: &[u8; BLOCK_BYTES]) -> u64 {
    let (parts, _) = bytes.as_chunks::<16>();
    let mut bits = 0;
    for part in parts.iter().rev() {
        let part = u8x16::new(*part);
        let found = part.simd_eq(u8x16::splat(b'"'))
            | part.simd_eq(u8x16::splat(b'\\'))
            | part.min(u8x16::splat(0x1f)).simd_eq(part);
        bits = bits << 16 | u64::from(found.to_bitmask());
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_found_at_any_place() {
        let is_mark = |byte: u8| byte == b'"' || byte == b'\\' || byte < 0x20;
        for byte in 0..=u8::MAX {
            let mut bytes = vec![b'a'; 131];
            for at in [0, 1, 15, 16, 31, 63, 64, 127, 128, 130] {
                bytes[at] = byte;
                let expected = is_mark(byte).then_some(at);
                assert_eq!(Marks::new(&bytes).next(0), expected, "{byte} at {at}");
                assert_eq!(Marks::new(&bytes).next(at), expected);
                assert_eq!(Marks::new(&bytes).next(at + 1), None);
                bytes[at] = b'a';
            }
        }
    }

    #[test]
    fn going_on_from_each_finds_all() {
        for len in [0, 1, 63, 64, 65, 200] {
            let bytes: Vec<u8> = (0..len).map(|at| if at % 7 < 2 { b'"' } else { 0xc3 }).collect();
            let mut marks = Marks::new(&bytes);
            let mut found = Vec::new();
            let mut at = 0;
            while let Some(hit) = marks.next(at) {
                found.push(hit);
                at = hit + 1;
            }
            let expected: Vec<usize> = (0..len).filter(|at| at % 7 < 2).collect();
            assert_eq!(found, expected, "{len} bytes");
            assert_eq!(marks.next(len + 1000), None);
        }
    }
}
