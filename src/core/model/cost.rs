//! Costs stated in files.

use crate::number;

/// The dollars of a stated cost: `0.25`, `$1.5`.
#[must_use]
pub fn stated_dollars(text: &str) -> Option<f64> {
    dollars_in(text).filter(|it| is_cost(*it))
}

/// An amount in dollars as written, which may be 0.
pub(super) fn dollars_in(text: &str) -> Option<f64> {
    let text = text.trim();
    number::parse(text.strip_prefix('$').unwrap_or(text))
}

/// Whether a number of dollars is a cost. Producers write 0 for models whose price they do not know.
#[must_use]
pub fn is_cost(dollars: f64) -> bool {
    dollars > 0.0 && dollars.is_finite()
}

/// The total cost of several calls.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CostSum {
    /// Dollars, over the calls whose cost is known.
    pub dollars: f64,
    /// The number of those calls.
    pub n_known: u32,
    /// How many of those costs the file states.
    pub n_given: u32,
    /// How many calls report tokens but have no cost, because their model has no price or a count is missing.
    pub n_unknown: u32,
    /// How many of the known costs are lower bounds, because their tokens were counted before the call ended.
    pub n_unfinished: u32,
}

impl CostSum {
    /// Whether there is a cost to show.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.n_known > 0
    }

    /// Whether the calls cost more than the sum.
    #[must_use]
    pub fn is_lower_bound(&self) -> bool {
        self.n_unknown > 0 || self.n_unfinished > 0
    }

    /// Whether any part is estimated from public prices.
    #[must_use]
    pub fn is_estimate(&self) -> bool {
        self.n_given < self.n_known
    }

    /// Adds the cost of other calls.
    pub fn add(&mut self, more: &Self) {
        self.dollars += more.dollars;
        self.n_known += more.n_known;
        self.n_given += more.n_given;
        self.n_unknown += more.n_unknown;
        self.n_unfinished += more.n_unfinished;
    }

    /// The difference to an earlier sum of some of the same calls.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let n_known = self.n_known - before.n_known;
        Self {
            dollars: if n_known == 0 { 0.0 } else { (self.dollars - before.dollars).max(0.0) },
            n_known,
            n_given: self.n_given - before.n_given,
            n_unknown: self.n_unknown - before.n_unknown,
            n_unfinished: self.n_unfinished - before.n_unfinished,
        }
    }
}
