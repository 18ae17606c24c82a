//! Hashes that are the same in every build and on every machine.

/// One step of a hash: one 64-bit multiplication, because wasm has no 128-bit one. A product carries
/// bits only upwards, so the upper half is folded down first; otherwise one bit of the next word could
/// undo one of this word.
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
    // Spread over all bits, so that a length cannot cancel a first byte.
    let mut hash = tag ^ (bytes.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (blocks, rest) = bytes.as_chunks::<32>();
    if !blocks.is_empty() {
        hash = step(hash, hash_blocks(tag, blocks));
    }
    let (words, tail) = rest.as_chunks::<8>();
    for word in words {
        hash = step(hash, u64::from_le_bytes(*word));
    }
    if !tail.is_empty() {
        hash = step(hash, tail_word(tail));
    }
    finish(hash)
}

/// A hash of the length and both ends, for keys. Different keys may well have the same one.
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
fn hash_blocks(tag: u64, blocks: &[[u8; 32]]) -> u64 {
    let [mut one, mut two, mut three, mut four] =
        [tag, !tag, tag.rotate_left(21), tag.rotate_left(42)];
    for block in blocks {
        if let ([a, b, c, d], _) = block.as_chunks::<8>() {
            one = step(one, u64::from_le_bytes(*a));
            two = step(two, u64::from_le_bytes(*b));
            three = step(three, u64::from_le_bytes(*c));
            four = step(four, u64::from_le_bytes(*d));
        }
    }
    step(step(step(finish(one), two), three), four)
}

/// One to seven bytes as a word. The hash has their number already.
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
}
