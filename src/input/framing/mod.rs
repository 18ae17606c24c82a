//! From a text to records: where each value begins and ends. [`framer`] is the entrance; every other file is one way in
//! which producers put values one after the other.

mod begin;
mod emit;
pub mod framer;
mod lines;
pub mod log;
pub mod split;
pub mod sse;
mod values;
