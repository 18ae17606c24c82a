//! Hashes that are the same in every build and on every machine.

/// One step of a hash: one 64-bit multiplication, because wasm has no 128-bit one. A product carries bits only upwards,
/// so the upper half is folded down first; otherwise one bit of the next word could cancel one bit of this word.
#[inline]
fn step(hash: u64, word: u64) -> u64 {
    let both = hash ^ word;
    (both ^ (both >> 32)).wrapping_mul(0xf135_7aea_2e62_a9c5)
}

fn finish(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash ^ (hash >> 32)
}

/// A hash of two hashes. Their order matters.
pub(super) fn mix(one: u64, other: u64) -> u64 {
    finish(step(step(0x9e37_79b9_7f4a_7c15, one), other))
}

/// A hash of bytes. Equal bytes with different tags have different hashes.
#[inline]
pub(super) fn hash_bytes(tag: u64, bytes: &[u8]) -> u64 {
    let mut hash = begin(tag, bytes.len());
    let (blocks, rest) = bytes.as_chunks::<BLOCK_BYTES>();
    if !blocks.is_empty() {
        let mut lanes = Lanes::new(tag);
        lanes.add(blocks);
        hash = step(hash, lanes.finish());
    }
    end(hash, rest)
}

const BLOCK_BYTES: usize = 32;

#[inline]
fn begin(tag: u64, len_bytes: usize) -> u64 {
    // Spread over all bits, so that the length cannot cancel the first byte.
    tag ^ (len_bytes as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Adds the bytes after the last whole block.
#[inline]
fn end(mut hash: u64, rest: &[u8]) -> u64 {
    let (words, tail) = rest.as_chunks::<8>();
    for word in words {
        hash = step(hash, u64::from_le_bytes(*word));
    }
    if !tail.is_empty() {
        hash = step(hash, tail_word(tail));
    }
    finish(hash)
}

/// Computes the same hash as [`hash_bytes`] for bytes in several pieces.
pub(super) struct PiecesHash {
    hash: u64,
    lanes: Lanes,
    has_blocks: bool,
    /// The bytes after the last whole block, and how many there are.
    rest: [u8; BLOCK_BYTES],
    rest_len: usize,
}

impl PiecesHash {
    /// Starts the hash of `len_bytes` bytes in total.
    pub fn new(tag: u64, len_bytes: usize) -> Self {
        Self {
            hash: begin(tag, len_bytes),
            lanes: Lanes::new(tag),
            has_blocks: false,
            rest: [0; BLOCK_BYTES],
            rest_len: 0,
        }
    }

    /// Adds the next bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        let mut bytes = bytes;
        if self.rest_len > 0 {
            let needed = (BLOCK_BYTES - self.rest_len).min(bytes.len());
            let (head, behind) = bytes.split_at_checked(needed).unwrap_or((bytes, &[]));
            self.keep(head);
            if self.rest_len < BLOCK_BYTES {
                return;
            }
            self.lanes.add(&[self.rest]);
            (self.has_blocks, self.rest_len, bytes) = (true, 0, behind);
        }
        let (blocks, rest) = bytes.as_chunks::<BLOCK_BYTES>();
        self.lanes.add(blocks);
        self.has_blocks |= !blocks.is_empty();
        self.keep(rest);
    }

    #[inline]
    fn keep(&mut self, bytes: &[u8]) {
        let room = self.rest.get_mut(self.rest_len..).unwrap_or_default();
        room.iter_mut().zip(bytes).for_each(|(slot, byte)| *slot = *byte);
        self.rest_len += bytes.len();
    }

    /// The hash.
    pub fn finish(self) -> u64 {
        let hash = if self.has_blocks { step(self.hash, self.lanes.finish()) } else { self.hash };
        end(hash, self.rest.get(..self.rest_len).unwrap_or_default())
    }
}

/// A hash of the length and both ends, for keys. Different keys can have the same hash.
#[inline]
pub(super) fn quick_hash(bytes: &[u8]) -> u64 {
    let ends = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => {
            u64::from_le_bytes(*first).rotate_left(29) ^ u64::from_le_bytes(*last)
        }
        _ => tail_word(bytes),
    };
    let hash = step(bytes.len() as u64, ends);
    hash ^ (hash >> 32)
}

/// Four hashes side by side, because a single one would wait for each multiplication.
#[derive(Clone, Copy)]
struct Lanes([u64; 4]);

impl Lanes {
    #[inline]
    fn new(tag: u64) -> Self {
        Self([tag, !tag, tag.rotate_left(21), tag.rotate_left(42)])
    }

    #[inline]
    fn add(&mut self, blocks: &[[u8; BLOCK_BYTES]]) {
        let [mut one, mut two, mut three, mut four] = self.0;
        for block in blocks {
            if let ([a, b, c, d], _) = block.as_chunks::<8>() {
                one = step(one, u64::from_le_bytes(*a));
                two = step(two, u64::from_le_bytes(*b));
                three = step(three, u64::from_le_bytes(*c));
                four = step(four, u64::from_le_bytes(*d));
            }
        }
        self.0 = [one, two, three, four];
    }

    #[inline]
    fn finish(self) -> u64 {
        let [one, two, three, four] = self.0;
        step(step(step(finish(one), two), three), four)
    }
}

/// One to seven bytes as a word. Their number is already part of the hash.
fn tail_word(tail: &[u8]) -> u64 {
    match (tail.first_chunk::<4>(), tail.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
        }
        _ => tail.iter().fold(0, |word, &byte| (word << 8) | u64::from(byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_and_every_length_counts() {
        let bytes: Vec<u8> = (0..150).collect();
        let mut hashes = Vec::new();
        for len in 0..bytes.len() {
            let some = &bytes[..len];
            hashes.push(hash_bytes(1, some));
            hashes.push(hash_bytes(2, some));
            for at in 0..len {
                let mut other = some.to_vec();
                other[at] ^= 0x80;
                hashes.push(hash_bytes(1, &other));
            }
        }
        hashes.push(hash_bytes(1, &[&bytes[32..64], &bytes[..32]].concat()));
        hashes.push(hash_bytes(1, &[&bytes[8..16], &bytes[..8], &bytes[16..32]].concat()));
        let n = hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), n);
    }

    #[test]
    fn pieces_have_the_hash_of_the_whole() {
        let bytes: Vec<u8> = (0..200).collect();
        for len in 0..bytes.len() {
            let whole = hash_bytes(7, &bytes[..len]);
            for size in [1, 2, 5, 31, 32, 33, 64, 70, 199] {
                let mut hash = PiecesHash::new(7, len);
                hash.add(&[]);
                bytes[..len].chunks(size).for_each(|piece| hash.add(piece));
                assert_eq!(hash.finish(), whole, "{len} in pieces of {size}");
            }
        }
    }
}
