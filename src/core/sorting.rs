//! Sorting and lookup that is compiled only once.
//!
//! The standard sort is compiled separately for every item type, at 5 kB each; with forty types that would be a
//! sixteenth of the page. Here indices are sorted, with the comparison called through a pointer, and the items are then
//! moved into place. Code that sorts a whole trace while reading uses the standard sort.

use std::cmp::Ordering;

/// Sorts items and keeps the order of equal ones.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut order: Vec<usize> = (0..items.len()).collect();
    sort_indices(&mut order, &mut |a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    follow(&mut order, |a, b| items.swap(a, b));
}

/// Sorts items by a key and keeps the order of equal ones.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts items by their own order.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Sorts numbers; NaN comes last.
pub fn sort_floats(numbers: &mut [f64]) {
    sort_by(numbers, f64::total_cmp);
}

#[inline(never)]
fn sort_indices(order: &mut [usize], compare: &mut dyn FnMut(usize, usize) -> Ordering) {
    order.sort_by(|a, b| compare(*a, *b));
}

/// Swaps items until each position has the item that `order` assigns to it.
fn follow(order: &mut [usize], mut swap: impl FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut here = start;
        // Follow one cycle of the permutation. Finished positions point to themselves.
        while let Some(from) = order.get_mut(here).map(|it| std::mem::replace(it, here)) {
            if from == here || from == start {
                break;
            }
            swap(here, from);
            here = from;
        }
    }
}

/// A lookup by key: sorted pairs of a hash and a number. A hash map would be compiled separately for each item type, at
/// 2 kB each.
#[derive(Debug)]
pub struct Index(Vec<(u64, usize)>);

impl Index {
    /// Builds an index of the given pairs, without duplicates.
    #[must_use]
    pub fn new(mut pairs: Vec<(u64, usize)>) -> Self {
        sort(&mut pairs);
        pairs.dedup();
        Self(pairs)
    }

    /// All pairs.
    #[must_use]
    pub fn pairs(&self) -> &[(u64, usize)] {
        &self.0
    }

    /// The pairs with a key.
    #[must_use]
    pub fn at(&self, key: u64) -> &[(u64, usize)] {
        let from = self.0.partition_point(|it| it.0 < key);
        let until = self.0.partition_point(|it| it.0 <= key);
        self.0.get(from..until).unwrap_or_default()
    }

    /// The pairs with the same key, for each key.
    pub fn groups(&self) -> impl Iterator<Item = &[(u64, usize)]> {
        self.0.chunk_by(|one, other| one.0 == other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library(mut items in prop::collection::vec((0_u8..9, any::<u16>()), 0..60)) {
            let mut expected = items.clone();
            expected.sort_by_key(|it| it.0);
            sort_by_key(&mut items, |it| it.0);
            prop_assert_eq!(&items, &expected);
            sort(&mut items);
            expected.sort();
            prop_assert_eq!(items, expected);
        }
    }

    #[test]
    fn an_index_has_each_pair_once_under_its_key() {
        let index = Index::new(vec![(7, 2), (3, 9), (7, 1), (7, 2)]);
        assert_eq!(index.at(7), [(7, 1), (7, 2)]);
        assert!(index.at(5).is_empty() && index.at(9).is_empty());
        assert_eq!(index.groups().map(<[_]>::len).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(index.pairs().len(), 3);
    }
}
