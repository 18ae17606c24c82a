//! Stretches of rows that fold into one line, with their totals.

use crate::findings_by_row::Took;

/// Consecutive rows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stretch {
    /// The first row.
    pub first: u32,
    /// The row after the last one.
    pub end: u32,
    /// The totals of its rows.
    pub took: Took,
}

/// Stretches that do not overlap, in order.
#[derive(Clone, Debug, Default)]
pub struct Stretches(Vec<Stretch>);

impl Stretches {
    /// Makes it from stretches in order.
    #[must_use]
    pub fn new(stretches: Vec<Stretch>) -> Self {
        Self(stretches)
    }

    /// The stretch that contains a row.
    #[must_use]
    pub fn around(&self, row: u32) -> Option<&Stretch> {
        let at = self.0.partition_point(|it| it.end <= row);
        self.0.get(at).filter(|it| it.first <= row)
    }

    /// The stretch that begins at a row.
    #[must_use]
    pub fn at(&self, row: u32) -> Option<&Stretch> {
        self.around(row).filter(|it| it.first == row)
    }
}
