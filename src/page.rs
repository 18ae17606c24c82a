//! The page and its worker: what touches the browser. For wasm32 alone.
#![cfg(target_arch = "wasm32")]

use traceloupe::{model, order, search, session, view};

pub mod ui;
pub mod worker;
