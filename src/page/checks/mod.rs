//! Checking a run against expected calls.

pub mod actions;
pub mod expectations;
