//! The user's actions in a trace: selecting, opening, folding, filtering, choosing runs and views.

pub mod actions;
pub mod agents;
pub mod filtering;
pub mod links;
pub mod places;
pub mod tabs;
