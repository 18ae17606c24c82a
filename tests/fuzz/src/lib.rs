//! Shared code of the fuzz targets: opening files in a whole session, driving the engines, and mutations that keep JSON
//! valid.

#[path = "../../harness/mod.rs"]
mod harness;

mod engines;
mod mutate;
mod whole;

pub use engines::{Engine, weave};
pub use mutate::mutate;
pub use whole::open;
