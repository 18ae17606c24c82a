//! Words of what one call cost.

pub use crate::column_headings::{COST as COST_HEAD, TOKENS};

pub const PER_MILLION: &str = "Per million";
pub const COST_IN_ALL: &str = "Total";
pub const COST_AT_LEAST: &str =
    " At least: the tokens were counted before the answer was complete.";
pub const COST_PART: &str = "For";
pub const INPUT: &str = "Input";
pub const READ_FROM_CACHE: &str = "Cache reads";
pub const WRITTEN_TO_CACHE: &str = "Cache writes";
pub const OUTPUT: &str = "Output";
pub const REASONING: &str = "Reasoning";
pub const REQUEST: &str = "Request";

/// Says that the cost of a call is estimated by the user's own prices.
pub const ESTIMATED_BY_OWN: &str = "Estimated with your own prices.";

/// Says of a call that there is no price of its model.
#[must_use]
pub fn no_price(model: &str) -> String {
    format!("No price is known for {model}.")
}

pub const ENTER_A_PRICE: &str = "Enter a price…";

/// By which prices the cost of a call is estimated.
#[must_use]
pub fn estimated_by(provider: &str, model: &str, list: &str) -> String {
    let model = if model.is_empty() { String::new() } else { format!(" for {model}") };
    format!("Estimated with the prices of {provider}{model} in {list}.")
}
