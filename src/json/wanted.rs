//! Which of some keys a key is.

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

    /// Whether a key may be one of them. Most keys of an object are not, and this mostly tells.
    #[inline]
    pub fn may_have(&self, key: &[u8]) -> bool {
        self.bits & key_bit(key) != 0
    }

    /// Which of the keys one is.
    #[inline]
    pub fn find(&mut self, key: &[u8]) -> Option<usize> {
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

/// One bit that stands for all keys of a length and a first letter, and for some others.
#[inline]
fn key_bit(key: &[u8]) -> u64 {
    let first = key.first().copied().unwrap_or_default();
    1 << ((key.len() + 11 * usize::from(first)) & 63)
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
        assert_eq!(wanted.find(b"b"), None);
        assert!(keys.iter().all(|key| wanted.may_have(key.as_bytes())));
        assert!(!wanted.may_have(b"b") && !wanted.may_have(b"bcd"));
    }
}
