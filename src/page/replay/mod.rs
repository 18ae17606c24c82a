//! Playing a run back by its times.

pub mod replay;
pub mod replaying;
