//! Exports a run in the format of another program, and reviews what is redacted in what is saved.

pub mod form;
pub mod review;
