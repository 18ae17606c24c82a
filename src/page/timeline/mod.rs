//! The rows of a run: drawing, scrolling, moving through them.

pub mod previews;
pub mod rows;
pub mod scrolling;
pub mod state;
