//! Looks up keys in a fixed set.

/// Keys to look for in objects. If the set is a constant, the compiler computes the tables for a lookup. A lookup
/// compares one or two of the keys, regardless of the size of the set.
#[derive(Debug)]
pub struct KeySet<'k, const N: usize> {
    keys: [&'k str; N],
    /// For each slot ([`key_slot`]), the place of its first key plus one; 0 if there is none.
    first: [u8; SLOTS],
    /// For each key, the place of the next key in its slot plus one; 0 if there is none.
    after: [u8; N],
}

const SLOTS: usize = 64;

impl<'k, const N: usize> KeySet<'k, N> {
    /// A set of at most 255 keys, in the order of their places.
    #[must_use]
    #[expect(clippy::indexing_slicing)] // slots are below 64, and places below N
    pub const fn new(keys: [&'k str; N]) -> Self {
        const { assert!(N <= u8::MAX as usize, "the places of keys are bytes") };
        let (mut first, mut after) = ([0; SLOTS], [0; N]);
        let mut at = N;
        while at > 0 {
            let slot = key_slot(keys[at - 1].as_bytes());
            after[at - 1] = first[slot];
            first[slot] = at as u8;
            at -= 1;
        }
        Self { keys, first, after }
    }

    /// The place of a key in the set.
    #[must_use]
    pub fn place_of(&self, key: &[u8]) -> Option<usize> {
        self.wanted().find(key)
    }

    /// The set in a form that does not depend on its size, so that the search is compiled only once.
    #[inline]
    pub(super) fn wanted(&self) -> Wanted<'_> {
        Wanted { keys: &self.keys, first: &self.first, after: &self.after }
    }
}

/// Keys to look for in an object.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'k> {
    keys: &'k [&'k str],
    first: &'k [u8; SLOTS],
    after: &'k [u8],
}

impl Wanted<'_> {
    /// The place of a key in the set.
    #[inline]
    pub fn find(self, key: &[u8]) -> Option<usize> {
        let mut place = usize::from(*self.first.get(key_slot(key))?);
        loop {
            let at = place.checked_sub(1)?;
            if is_same(self.keys.get(at)?.as_bytes(), key) {
                return Some(at);
            }
            place = usize::from(*self.after.get(at)?);
        }
    }
}

/// The slot, below 64, of a key. Keys with the same length and first letter share a slot, and so may others.
#[inline]
const fn key_slot(key: &[u8]) -> usize {
    let first = match key.first() {
        Some(first) => *first as usize,
        None => 0,
    };
    (key.len() + 11 * first) % SLOTS
}

/// One bit that stands for all keys of a length.
#[inline]
pub(super) fn len_bit(len: usize) -> u64 {
    1 << (len & 63)
}

/// Whether two keys are the same. Most differ in length. For most keys, the words at both ends cover the whole key.
#[inline]
pub(super) fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    match (one.first_chunk::<8>(), other.first_chunk::<8>()) {
        (Some(first), Some(too)) => {
            first == too
                && one.last_chunk::<8>() == other.last_chunk()
                && (one.len() <= 16 || one == other)
        }
        _ => match (one.first_chunk::<4>(), other.first_chunk::<4>()) {
            (Some(first), Some(too)) => first == too && one.last_chunk::<4>() == other.last_chunk(),
            _ => one.iter().eq(other),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_that_differs_is_seen_at_any_place() {
        for len in 0..40 {
            let one: Vec<u8> = (0..len).collect();
            assert!(is_same(&one, &one.clone()));
            assert!(!is_same(&one, &[one.as_slice(), &[0]].concat()));
            for at in 0..one.len() {
                let mut other = one.clone();
                other[at] ^= 1;
                assert!(!is_same(&one, &other), "{at} of {len}");
            }
        }
    }

    #[test]
    fn a_set_finds_its_keys_and_no_others() {
        // "time" and "text" share a slot, and so do "b" and another letter of a longer key.
        const KEYS: [&str; 6] = ["a", "time", "", "text", "b", "tame"];
        let find = |key: &str| KeySet::new(KEYS).wanted().find(key.as_bytes());
        for (place, key) in KEYS.iter().enumerate() {
            assert_eq!(find(key), Some(place), "{key}");
        }
        for other in ["c", "tim", "tome", "times", "é"] {
            assert_eq!(find(other), None, "{other}");
        }
        assert_eq!(KeySet::new([]).wanted().find(b"a"), None);
    }
}
