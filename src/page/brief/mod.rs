//! The brief of the displayed run, and texts for an LLM.

mod current;
pub mod llm_dialog;
pub mod panel;

pub use current::{copy_markdown, current, has_arrived};
