//! Prices and costs.

use crate::numbers::{about, at_least, count};
use traceloupe_core::model::CostSum;
use traceloupe_core::number::fixed;

/// A price in dollars, exactly.
#[must_use]
pub fn price(dollars: f64) -> String {
    let text = fixed(dollars, 6);
    let short = text.trim_end_matches('0').trim_end_matches('.');
    format!("${short}")
}

/// Dollars, with as many digits as matter.
#[must_use]
pub fn dollars(n: f64) -> String {
    match n {
        n if n.is_nan() => String::new(),
        n if n <= 0.0 => "$0".to_owned(),
        n if is_tiny(n) => "< $0.001".to_owned(),
        n if n < 0.0995 => format!("${}", fixed(n, 3)),
        n if n < 999.995 => format!("${}", fixed(n, 2)),
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
        n => format!("${}", count(n.round() as u64)),
    }
}

/// Formats dollars that are a lower bound or an estimate: `≥ $1.20`, `≈ $1.20`. Less than a tenth of a cent is `> $0` at
/// least, and has no estimate. Empty for NaN.
#[must_use]
pub fn dollars_about(n: f64, is_lower_bound: bool, is_estimate: bool) -> String {
    match (is_lower_bound, is_estimate) {
        (true, _) if is_tiny(n) => "> $0".to_owned(),
        (true, _) => at_least(dollars(n), true),
        (false, true) if !is_tiny(n) => about(dollars(n)),
        _ => dollars(n),
    }
}

/// Whether dollars are too few to be written.
fn is_tiny(dollars: f64) -> bool {
    dollars > 0.0 && dollars < 0.001
}

/// What several calls cost: `≈` before an estimate, `≥` before a lower bound; empty if nothing is known.
#[must_use]
pub fn cost(sum: &CostSum) -> String {
    match sum.is_known() {
        true => dollars_about(sum.dollars, sum.is_lower_bound(), sum.is_estimate()),
        false => String::new(),
    }
}

/// What several calls cost, where something else says whether it is an estimate; a lower bound still says that it is one.
#[must_use]
pub fn cost_or_bound(sum: &CostSum) -> String {
    match (sum.is_known(), sum.is_lower_bound()) {
        (false, _) => String::new(),
        (true, true) => cost(sum),
        (true, false) => dollars(sum.dollars),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_says_how_sure_a_cost_is() {
        let one = |dollars| CostSum { dollars, n_known: 1, ..CostSum::default() };
        assert_eq!(cost(&one(0.25)), "≈ $0.25");
        assert_eq!(cost_or_bound(&one(0.25)), "$0.25");
        assert_eq!(cost(&CostSum { n_given: 1, ..one(1.5) }), "$1.50");
        assert_eq!(cost(&CostSum { n_unknown: 1, ..one(1.5) }), "≥ $1.50");
        assert_eq!(cost_or_bound(&CostSum { n_unknown: 1, ..one(1.5) }), "≥ $1.50");
        assert_eq!(cost(&CostSum { n_unfinished: 1, ..one(1234.5) }), "≥ $1,235");
        assert_eq!(cost(&one(0.0001)), "< $0.001");
        assert_eq!(cost(&CostSum { n_unknown: 1, ..one(0.0001) }), "> $0");
        assert_eq!(cost(&one(0.0)), "≈ $0");
        let unknown = CostSum { n_unknown: 1, ..CostSum::default() };
        assert_eq!((cost(&unknown), cost_or_bound(&unknown)), (String::new(), String::new()));
    }
}
