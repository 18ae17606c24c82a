//! The rows of a run: drawing and scrolling.

pub mod agents;
mod badge_reason;
mod bars;
pub mod beside;
mod columns;
pub mod flame;
mod fold_line;
pub mod overview;
pub mod previews;
pub mod print;
pub mod rows;
pub mod scrolling;
pub mod thumbnail;
pub mod transcript_text;
pub mod turns;
pub mod waterfall;
