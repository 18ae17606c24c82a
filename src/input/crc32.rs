//! The checksum of gzip and zip (CRC-32, polynomial 0x04C11DB7 reflected).
//!
//! This is our own implementation because it builds its tables on first use. The tables of a crate would be part of the
//! wasm, where they compress badly.

use std::sync::LazyLock;

/// One table for each of the eight bytes processed per step.
type Tables = [[u32; 256]; 8];

static TABLES: LazyLock<Tables> = LazyLock::new(tables);

/// A checksum being computed.
#[derive(Clone, Copy, Default, Debug)]
pub struct Crc32 {
    sum: u32,
    len_bytes: u32,
}

impl Crc32 {
    /// The checksum of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> u32 {
        let mut crc = Self::default();
        crc.update(bytes);
        crc.sum
    }

    /// Adds these bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        let [t0, t1, t2, t3, t4, t5, t6, t7] = &*TABLES;
        let (eights, rest) = bytes.as_chunks::<8>();
        let mut sum = !self.sum;
        for &[a, b, c, d, e, f, g, h] in eights {
            let [a, b, c, d] = (sum ^ u32::from_le_bytes([a, b, c, d])).to_le_bytes();
            sum = (at(t7, a) ^ at(t6, b) ^ at(t5, c) ^ at(t4, d))
                ^ (at(t3, e) ^ at(t2, f) ^ at(t1, g) ^ at(t0, h));
        }
        for byte in rest {
            sum = (sum >> 8) ^ at(t0, sum.to_le_bytes()[0] ^ byte);
        }
        self.sum = !sum;
        // Modulo 2^32, as gzip stores it. On 64-bit platforms a slice can be longer than that.
        #[expect(clippy::cast_possible_truncation)]
        let len_bytes = bytes.len() as u32;
        self.len_bytes = self.len_bytes.wrapping_add(len_bytes);
    }

    /// The checksum of all bytes so far.
    #[must_use]
    pub fn sum(&self) -> u32 {
        self.sum
    }

    /// How many bytes were added, modulo 2^32.
    #[must_use]
    pub fn len_bytes(&self) -> u32 {
        self.len_bytes
    }
}

fn at(table: &[u32; 256], byte: u8) -> u32 {
    table.get(usize::from(byte)).copied().unwrap_or_default()
}

fn tables() -> Tables {
    let mut first = [0; 256];
    for (byte, entry) in (0u32..).zip(&mut first) {
        let step = |sum: u32, _| if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 };
        *entry = (0..8).fold(byte, step);
    }
    let mut tables = [first; 8];
    let mut before = first;
    for table in tables.iter_mut().skip(1) {
        for (entry, sum) in table.iter_mut().zip(before) {
            *entry = (sum >> 8) ^ at(&first, sum.to_le_bytes()[0]);
        }
        before = *table;
    }
    tables
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_sums() {
        assert_eq!(Crc32::of(b""), 0);
        assert_eq!(Crc32::of(b"123456789"), 0xCBF4_3926);
        assert_eq!(Crc32::of(b"The quick brown fox jumps over the lazy dog"), 0x414F_A339);
    }

    proptest! {
        #[test]
        fn the_same_as_a_crate_gives_in_any_pieces(bytes: Vec<u8>, cut: prop::sample::Index) {
            let (head, tail) = bytes.split_at(cut.index(bytes.len() + 1));
            let (mut ours, mut theirs) = (Crc32::default(), flate2::Crc::new());
            for piece in [head, tail] {
                ours.update(piece);
                theirs.update(piece);
            }
            prop_assert_eq!((ours.sum(), ours.len_bytes()), (theirs.sum(), theirs.amount()));
        }
    }
}
