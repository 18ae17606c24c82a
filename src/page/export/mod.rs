//! Exports a run in the format of another program.

pub mod form;
