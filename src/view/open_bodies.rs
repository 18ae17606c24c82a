//! Which rows have an open body: a default, plus exceptions.

use traceloupe_core::number_set::NumberSet;

/// The open bodies. Opening every row of a long trace only changes the default.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opened {
    /// The default: whether rows that are not in `except` are open.
    pub all: bool,
    /// The rows that differ from the default.
    pub except: NumberSet,
    /// While all rows are open: the rows to leave open when that ends.
    before: NumberSet,
}

impl Opened {
    /// All rows open (`true`) or closed.
    #[must_use]
    pub fn every(all: bool) -> Self {
        Self { all, ..Self::default() }
    }

    /// One row open, all others closed.
    #[must_use]
    pub fn one(row: u32) -> Self {
        Self { except: [row].into(), ..Self::default() }
    }

    /// Whether any body is open.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.all || !self.except.is_empty()
    }

    /// The open bodies after switching to a mode that opens all bodies (`all`) or none. Bodies that
    /// the user opened stay open, and so does that of the `selected` row.
    #[must_use]
    pub fn in_mode(&self, all: bool, selected: Option<u32>) -> Self {
        match (self.all, all) {
            (false, true) => {
                Self { all, except: NumberSet::default(), before: self.except.clone() }
            }
            (true, false) => {
                let mut except = self.before.clone();
                except.retain(|row| self.has(row));
                except.extend(selected.filter(|row| self.has(*row)));
                Self { all, except, before: NumberSet::default() }
            }
            _ => self.clone(),
        }
    }

    /// Whether the body of a row is open.
    #[must_use]
    pub fn has(&self, row: u32) -> bool {
        self.all != self.except.contains(row)
    }

    /// Opens or closes the body of a row.
    pub fn set(&mut self, row: u32, open: bool) {
        if open == self.all {
            self.except.remove(row);
        } else {
            self.except.insert(row);
        }
    }

    /// Translates row indices after rows have moved; rows for which `to` returns `None` are
    /// dropped.
    #[must_use]
    pub fn moved(&self, to: impl Fn(u32) -> Option<u32>) -> Self {
        let moved = |rows: &NumberSet| rows.as_slice().iter().copied().filter_map(&to).collect();
        Self { all: self.all, except: moved(&self.except), before: moved(&self.before) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exceptions_are_stored() {
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

    #[test]
    fn another_mode_closes_nothing_that_was_opened_by_hand() {
        let mut opened = Opened::default();
        opened.set(3, true);
        opened.set(5, true);
        assert_eq!(opened.in_mode(false, None), opened);
        let mut all = opened.in_mode(true, Some(3));
        assert!(all.has(3) && all.has(4));
        all.set(5, false);
        let again = all.moved(|row| Some(row + 10)).in_mode(false, Some(19));
        let open: Vec<u32> = (0..30).filter(|row| again.has(*row)).collect();
        assert_eq!(open, [13, 19], "the row opened before, and the selected one");
    }
}
