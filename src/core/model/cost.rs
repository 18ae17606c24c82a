//! Costs as files state them.

use crate::number;

/// The labels of the fields and facts in which formats show a cost in dollars.
pub const COST_LABELS: [&str; 3] = ["Cost", "Cost in USD", "Cost (USD)"];

/// The dollars of a stated cost: `0.25`, `$1.5`.
#[must_use]
pub fn stated_dollars(text: &str) -> Option<f64> {
    let text = text.trim();
    number::parse(text.strip_prefix('$').unwrap_or(text)).filter(|it| is_cost(*it))
}

/// Whether a number of dollars is a cost. Of models whose price they do not know, producers write 0.
#[must_use]
pub(super) fn is_cost(dollars: f64) -> bool {
    dollars > 0.0 && dollars.is_finite()
}
