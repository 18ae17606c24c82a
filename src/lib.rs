//! Traceloupe reads AI agent traces in the browser.
//!
//! This library is pure: no browser, no network, no files. It is compiled and tested natively. What
//! touches the browser, `worker` and `ui`, is a package of its own (`page.rs`). `README.md` beside this
//! file is the map of the code, with its invariants.

pub mod json;
pub mod notice;
pub mod order;

pub mod input;
pub mod model;
pub mod search;

pub mod analysis;
pub mod export;
pub mod formats;
pub mod view;

pub mod session;
