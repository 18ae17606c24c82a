//! Rows that are shown as one line, one file per kind of fold; [`passes`] applies them in order.

pub mod apart;
pub mod loops;
pub mod misses;
pub mod notes;
pub mod passes;
pub mod steps;
pub mod talk;
