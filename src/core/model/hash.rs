//! Hashes keys to 64 bits, the same in every build.

use std::hash::{Hash, Hasher};

/// Hashes eight bytes at a time. `FxHasher` is not suitable: it is as wide as a pointer, and its 32 bits in wasm are
/// too few for a hundred thousand ids.
#[derive(Clone, Debug)]
pub struct KeyHasher(u64);

impl Default for KeyHasher {
    fn default() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }
}

impl Hasher for KeyHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            // Include the length, so that trailing zeros count.
            let start = (rest.len() as u64) << 56;
            self.write_u64(start | tail_word(rest));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        let both = self.0 ^ number;
        // Multiplication only carries bits upwards, so the upper half is folded down first.
        self.0 = (both ^ (both >> 32)).wrapping_mul(0xf135_7aea_2e62_a9c5);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    /// The finisher of SplitMix64. It mixes well enough for keys to be added up.
    fn finish(&self) -> u64 {
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// One to seven bytes as a word, with the first byte lowest. Four or more bytes need only two loads, which may overlap.
#[inline]
fn tail_word(rest: &[u8]) -> u64 {
    match (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            let shift = 8 * (rest.len() - 4);
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << shift
        }
        _ => rest.iter().rev().fold(0, |word, byte| (word << 8) | u64::from(*byte)),
    }
}

/// Hashes a producer's id, together with whatever makes it unique, for
/// [`TraceBuilder::bind`](super::TraceBuilder::bind) and [`Event::id_hash`](super::Event::id_hash).
/// Never 0, and the same in every build.
#[must_use]
#[inline(never)]
pub fn key_hash(parts: &[&str]) -> u64 {
    let mut hasher = KeyHasher::default();
    for part in parts {
        part.hash(&mut hasher);
    }
    hasher.finish().max(1)
}

/// Hashes a value to 64 bits, the same in every build.
#[must_use]
pub fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = KeyHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_million_ids_have_different_hashes_in_each_half() {
        let hashes: HashSet<u64> =
            (0..1_000_000).map(|n| key_hash(&[&format!("{n:08x}-event")])).collect();
        assert_eq!(hashes.len(), 1_000_000);
        // All bits are in use: halves of a million random hashes are nearly all different.
        let upper: HashSet<u64> = hashes.iter().map(|hash| hash >> 32).collect();
        let lower: HashSet<u64> = hashes.iter().map(|hash| hash & 0xffff_ffff).collect();
        assert!(upper.len() > 999_500, "{}", upper.len());
        assert!(lower.len() > 999_500, "{}", lower.len());
    }

    #[test]
    fn the_last_bytes_are_a_word() {
        let bytes = [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77];
        for len in 1..=bytes.len() {
            let mut word = [0; 8];
            word[..len].copy_from_slice(&bytes[..len]);
            assert_eq!(tail_word(&bytes[..len]), u64::from_le_bytes(word));
        }
    }

    #[test]
    fn parts_lengths_and_zeros_count() {
        let all = [
            key_hash(&[""]),
            key_hash(&[]),
            key_hash(&["ab"]),
            key_hash(&["a", "b"]),
            key_hash(&["ba"]),
            key_hash(&["ab\0"]),
            key_hash(&["ab\0\0\0\0\0\0"]),
            key_hash(&["ab\0\0\0\0\0\0\0"]),
        ];
        let different: HashSet<u64> = all.into_iter().collect();
        assert_eq!(different.len(), all.len());
    }

    #[test]
    fn the_same_in_every_build() {
        let id = "2430a173-535b-4c29-8768-842976f2f253";
        assert_eq!(key_hash(&["run", id]), 8_871_808_715_967_808_028);
    }
}
