//! View models that the page asks for: which lines are shown, where they are, how they look.

pub mod assembly;
pub mod crash;
pub mod filter;
pub mod highlight;
pub mod hits;
pub mod line_view;
pub mod look;
pub mod opened;
pub mod position;
pub mod replay;
pub mod rows;
pub mod run_filter;
pub mod scroll;
pub mod statistics;

#[cfg(test)]
pub(crate) mod testing;
