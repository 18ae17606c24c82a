//! The rows of a run: drawing and scrolling.

pub mod agents;
mod bars;
pub mod beside;
mod columns;
pub mod flame;
mod fold_line;
pub mod overview;
pub mod previews;
pub mod print;
mod reason;
pub mod rows;
pub mod said;
pub mod scrolling;
pub mod state;
pub mod thumbnail;
pub mod turns;
pub mod waterfall;
