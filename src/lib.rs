//! Traceloupe reads AI agent traces in the browser.
//!
//! This library is pure: no browser, no network, no files. It is compiled and tested natively. The
//! two programs, `src/page` and `src/worker`, are packages of their own. `ARCHITECTURE.md` has the map of
//! the code and its invariants.
//!
//! The page is built without the feature `reader`: it has the model, the view models and search, and
//! cannot name a format, framing or an export.

pub mod case;
pub mod catalog;
pub mod json;
pub mod notice;
pub mod number;
pub mod order;
pub mod plain;
pub mod reason;

pub mod model;
pub mod search;

pub mod analysis;
pub mod view;

#[cfg(feature = "reader")]
pub mod input;

#[cfg(feature = "reader")]
pub mod format;

#[cfg(test)]
#[path = "../tests/harness/shared.rs"]
mod shared;
