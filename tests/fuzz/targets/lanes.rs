//! Agents and their lanes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use traceloupe_fuzz::{Engine, weave};

fuzz_target!(|bytes: &[u8]| weave(Engine::Lanes, bytes));
