//! Which rows have their bodies open: all or none, and the exceptions.

use std::collections::BTreeSet;

/// The open bodies. Opening all of a million rows is one word, not a million.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opened {
    /// Whether a row is open that is no exception.
    pub all: bool,
    /// The rows for which it is the other way round.
    pub except: BTreeSet<u32>,
}

impl Opened {
    /// Every row open (`true`) or closed.
    #[must_use]
    pub fn every(all: bool) -> Self {
        Self { all, except: BTreeSet::new() }
    }

    /// Whether the body of a row is open.
    #[must_use]
    pub fn has(&self, row: u32) -> bool {
        self.all != self.except.contains(&row)
    }

    /// Opens or closes the body of a row.
    pub fn set(&mut self, row: u32, open: bool) {
        if open == self.all {
            self.except.remove(&row);
        } else {
            self.except.insert(row);
        }
    }

    /// The same for rows that stand elsewhere now.
    #[must_use]
    pub fn moved(&self, to: impl Fn(u32) -> Option<u32>) -> Self {
        Self { all: self.all, except: self.except.iter().copied().filter_map(to).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_are_all_that_is_kept() {
        let mut opened = Opened::default();
        opened.set(3, true);
        assert!(opened.has(3) && !opened.has(4));
        opened.set(3, false);
        assert_eq!(opened, Opened::default());
        let mut opened = Opened::every(true);
        opened.set(3, false);
        assert!(!opened.has(3) && opened.has(1_000_000));
        let opened = opened.moved(|row| Some(row + 10));
        assert!(opened.has(3) && !opened.has(13));
        assert!(opened.moved(|_| None).except.is_empty());
    }
}
