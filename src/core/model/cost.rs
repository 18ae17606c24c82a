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
