//! Costs as files state them.

use crate::number;

/// The dollars of a stated cost: `0.25`, `$1.5`.
#[must_use]
pub fn stated_dollars(text: &str) -> Option<f64> {
    dollars_in(text).filter(|it| is_cost(*it))
}

/// An amount in dollars as it is written, which may be 0.
pub(super) fn dollars_in(text: &str) -> Option<f64> {
    let text = text.trim();
    number::parse(text.strip_prefix('$').unwrap_or(text))
}

/// Whether a number of dollars is a cost. Of models whose price they do not know, producers write 0.
#[must_use]
pub fn is_cost(dollars: f64) -> bool {
    dollars > 0.0 && dollars.is_finite()
}

/// What several calls cost together.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CostSum {
    /// Dollars, of the calls whose cost is known.
    pub dollars: f64,
    /// How many these are.
    pub n_known: u32,
    /// How many of those costs are stated by the file.
    pub n_given: u32,
    /// How many calls report tokens but have no cost: no price of their model, or a count is missing.
    pub n_unknown: u32,
    /// How many of the known costs are lower bounds, because their tokens were counted before they ended.
    pub n_unfinished: u32,
}

impl CostSum {
    /// Whether there is a cost to show.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.n_known > 0
    }

    /// Whether the calls cost more than this.
    #[must_use]
    pub fn is_lower_bound(&self) -> bool {
        self.n_unknown > 0 || self.n_unfinished > 0
    }

    /// Whether any of it is estimated by public prices.
    #[must_use]
    pub fn is_estimate(&self) -> bool {
        self.n_given < self.n_known
    }

    /// Adds what other calls cost.
    pub fn add(&mut self, more: &Self) {
        self.dollars += more.dollars;
        self.n_known += more.n_known;
        self.n_given += more.n_given;
        self.n_unknown += more.n_unknown;
        self.n_unfinished += more.n_unfinished;
    }

    /// What it is more than an earlier sum of the same calls and some before them.
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
