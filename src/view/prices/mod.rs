//! What calls cost, by public prices: the list of prices, and the price of one call.
//!
//! The list is a file beside the page (`.ci/prices.py` makes it and describes it), not part of the program. Prices that a
//! person has entered come before it.
//! A cost is an estimate: of a model that is not in the list, and of a call with a needed count unknown, there
//! is none.

mod book;
mod costs;
mod own;
mod rates;
mod rule;

pub use book::{Found, Prices};
pub use costs::{Costs, call_cost, given_dollars, unpriced};
pub use own::OwnPrices;
pub use rates::{Cost, Part, Tokens, What};
