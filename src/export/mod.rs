//! The way out: a run as events of no format in particular ([`normal`]), written in the forms of
//! other programs ([`forms`]), summed up ([`summary`]), and held against what was expected of it
//! ([`expect`]).
//!
//! **Invariants.** Nothing here knows a format: all of it works on what every format says of an event
//! (its columns, and its blocks). JSON is handled as text, token by token, so that numbers keep their
//! digits, keys their order, and depth costs no stack. At most one turn of a run is held.

pub mod forms;
pub mod normal;
pub mod yaml;
