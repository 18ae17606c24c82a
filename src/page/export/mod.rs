//! Exporting a run in the form of another program.

pub mod form;
