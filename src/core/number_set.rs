//! A set of numbers, such as rows. The set of the standard library would bring a tree and a second sort, which are 3 kB of the
//! page.

use crate::sorting::sort;

/// Numbers in ascending order, each once. Meant for few changes one by one, or many at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NumberSet(Vec<u32>);

impl NumberSet {
    /// Whether it has this number.
    #[must_use]
    pub fn contains(&self, number: u32) -> bool {
        self.0.binary_search(&number).is_ok()
    }

    /// Adds a number.
    pub fn insert(&mut self, number: u32) {
        if let Err(at) = self.0.binary_search(&number) {
            self.0.insert(at, number);
        }
    }

    /// Removes a number. Returns whether it was there.
    pub fn remove(&mut self, number: u32) -> bool {
        let at = self.0.binary_search(&number);
        at.map(|at| self.0.remove(at)).is_ok()
    }

    /// Keeps the numbers for which a condition holds.
    pub fn retain(&mut self, keeps: impl Fn(u32) -> bool) {
        self.0.retain(|it| keeps(*it));
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The numbers, in ascending order.
    #[must_use]
    pub fn as_slice(&self) -> &[u32] {
        &self.0
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Extend<u32> for NumberSet {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, numbers: I) {
        self.0.extend(numbers);
        sort(&mut self.0);
        self.0.dedup();
    }
}

impl FromIterator<u32> for NumberSet {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut set = Self::default();
        set.extend(numbers);
        set
    }
}

impl<const N: usize> From<[u32; N]> for NumberSet {
    fn from(numbers: [u32; N]) -> Self {
        numbers.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_each_number_once_in_order() {
        let mut set: NumberSet = [7, 3, 7, 5].into();
        assert_eq!(set.as_slice(), [3, 5, 7]);
        set.insert(4);
        set.insert(5);
        assert!(set.contains(4) && !set.contains(6));
        assert!(set.remove(3) && !set.remove(3));
        set.extend([9, 1]);
        assert_eq!(set.as_slice(), [1, 4, 5, 7, 9]);
        set.retain(|it| it > 4);
        assert_eq!(set.as_slice(), [5, 7, 9]);
        set.clear();
        assert!(set.is_empty());
    }
}
