//! Checking a run against expected calls.

pub mod check_actions;
pub mod checking;
