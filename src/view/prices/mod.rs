//! The cost of calls, by public prices: the list of prices, and the price of one call.
//!
//! The list is a file beside the page, not part of the program (`.ci/prices.py` creates it and documents it). Prices
//! entered by the user take precedence. A cost is an estimate. There is none if the list does not have the model, or if
//! a required count is unknown.

mod book;
mod costs;
mod own;
mod rates;
mod rule;
mod split;

pub use book::{Found, Prices};
pub use costs::{Costs, call_cost, given_dollars, unpriced};
pub use own::OwnPrices;
pub use rates::{Cost, Part, Tokens, What};
pub use split::CostSplit;
