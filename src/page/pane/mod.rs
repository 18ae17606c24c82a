//! What one reader of a trace does: selecting, opening, folding, filtering, choosing runs and tabs.

pub mod actions;
pub mod tabs;
