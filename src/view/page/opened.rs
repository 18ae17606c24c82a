//! Which rows have an open body: a default, plus exceptions.

use std::collections::BTreeSet;

/// The open bodies. Opening every row of a long trace only changes the default.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opened {
    /// The default: whether rows that are not in `except` are open.
    pub all: bool,
    /// The rows that differ from the default.
    pub except: BTreeSet<u32>,
}

impl Opened {
    /// All rows open (`true`) or closed.
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

    /// Translates row indices after rows have moved; rows for which `to` returns `None` are
    /// dropped.
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
