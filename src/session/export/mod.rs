//! Exports runs. [`normal`] turns an event of any format into a format-independent one, [`forms`] writes those events
//! in the formats of other programs, and [`yaml`] rewrites JSON as YAML.
//!
//! **Invariants.** Nothing here depends on a particular format: everything is based on an event's
//! columns and blocks, which every format provides. JSON is processed as text, token by token, so
//! that numbers keep their digits, objects keep the order of their keys, and deep values do not use
//! up the stack. At most one turn of a run is held in memory.

pub mod forms;
pub mod normal;
pub mod yaml;
