//! Rows that are shown as one line, one file per kind of fold; [`passes`] applies them in order.

pub mod apart;
pub mod lookups;
pub mod loops;
pub mod misses;
pub mod passes;
pub mod quiet_rows;
pub mod talk;
