//! Playing a run back by its times.

pub mod actions;
pub mod player;
