//! Copied histories and repeated messages.
#![no_main]

use libfuzzer_sys::fuzz_target;
use traceloupe_fuzz::{Engine, weave};

fuzz_target!(|bytes: &[u8]| weave(Engine::Copies, bytes));
