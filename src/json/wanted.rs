//! Which of some keys a key is.

/// Tells which of some keys a key is.
pub(super) trait Find {
    /// The place of a key among them.
    fn find(&mut self, key: &[u8]) -> Option<usize>;
}

/// Keys that are looked for in each record of a file. What a lookup needs is computed by the compiler, and a lookup
/// compares with one or two of the keys, however many there are.
#[derive(Debug)]
pub struct KeySet {
    keys: &'static [&'static str],
    /// The place of the first key of each slot ([`key_slot`]), plus one; 0 if there is none.
    first: [u8; 64],
    /// For each key the place of the next one of its slot, plus one; 0 if there is none.
    after: [u8; KeySet::MAX_KEYS],
}

impl KeySet {
    /// The most keys of a set.
    pub const MAX_KEYS: usize = 64;

    /// A set of at most [`KeySet::MAX_KEYS`] keys.
    #[must_use]
    #[expect(clippy::indexing_slicing)] // slots are below 64; more keys than there may be are an error of the compiler
    pub const fn new(keys: &'static [&'static str]) -> Self {
        let (mut first, mut after) = ([0; 64], [0; Self::MAX_KEYS]);
        let mut at = keys.len();
        while at > 0 {
            let slot = key_slot(keys[at - 1].as_bytes());
            after[at - 1] = first[slot];
            #[expect(clippy::cast_possible_truncation)] // at most 64
            let place = at as u8;
            first[slot] = place;
            at -= 1;
        }
        Self { keys, first, after }
    }
}

impl Find for &KeySet {
    #[inline]
    fn find(&mut self, key: &[u8]) -> Option<usize> {
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

/// Keys that are looked for in an object.
pub(super) struct Wanted<'k> {
    keys: &'k [&'k str],
    /// The [`key_bit`] of each key.
    bits: u64,
    /// The key after the one that was found last: many objects have their keys in the order in which they are
    /// asked for.
    next: usize,
}

impl<'k> Wanted<'k> {
    pub fn new(keys: &'k [&'k str]) -> Self {
        Self {
            keys,
            bits: keys.iter().fold(0, |bits, key| bits | key_bit(key.as_bytes())),
            next: 0,
        }
    }
}

impl Find for Wanted<'_> {
    #[inline]
    fn find(&mut self, key: &[u8]) -> Option<usize> {
        // Most keys of an object are none of them, and this mostly tells.
        if self.bits & key_bit(key) == 0 {
            return None;
        }
        let (before, behind) = self.keys.split_at_checked(self.next)?;
        let place = |keys: &[&str]| keys.iter().position(|it| is_same(it.as_bytes(), key));
        let found = match place(behind) {
            Some(place) => self.next + place,
            None => place(before)?,
        };
        self.next = found + 1;
        Some(found)
    }
}

/// The slot, below 64, of all keys of a length and a first letter, and of some others.
#[inline]
const fn key_slot(key: &[u8]) -> usize {
    let first = match key.first() {
        Some(first) => *first as usize,
        None => 0,
    };
    (key.len() + 11 * first) & 63
}

#[inline]
fn key_bit(key: &[u8]) -> u64 {
    1 << key_slot(key)
}

/// One bit that stands for all keys of a length.
#[inline]
pub(super) fn len_bit(len: usize) -> u64 {
    1 << (len & 63)
}

/// Whether two keys are the same. Most differ, and their lengths tell. The words at both ends are all of most keys.
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
    fn keys_are_found_in_any_order() {
        let keys = ["a", "bc", "d", ""];
        let mut wanted = Wanted::new(&keys);
        for (key, place) in [("d", 2), ("a", 0), ("bc", 1), ("bc", 1), ("", 3), ("", 3), ("a", 0)] {
            assert_eq!(wanted.find(key.as_bytes()), Some(place), "{key}");
        }
        assert_eq!((wanted.find(b"b"), wanted.find(b"bcd")), (None, None));
    }

    #[test]
    fn a_set_finds_its_keys_and_no_others() {
        // "time" and "text" share a slot, and so do "b" and another letter of a longer key.
        const KEYS: [&str; 6] = ["a", "time", "", "text", "b", "tame"];
        static SET: KeySet = KeySet::new(&KEYS);
        for (place, key) in KEYS.iter().enumerate() {
            assert_eq!((&SET).find(key.as_bytes()), Some(place), "{key}");
        }
        for other in ["c", "tim", "tome", "times", "é"] {
            assert_eq!((&SET).find(other.as_bytes()), None, "{other}");
        }
        assert_eq!((&KeySet::new(&[])).find(b"a"), None);
    }
}
