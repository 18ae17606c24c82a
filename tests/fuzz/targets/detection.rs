//! Any bytes under any name: the file is opened in the detected format.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};

const NAMES: &[&str] =
    &["unknown", "a.jsonl", "b.json", "c.yaml", "d.md", "e.log", "f.gz", "g.eval"];

fuzz_target!(|bytes: &[u8]| {
    let name = NAMES[bytes.len() % NAMES.len()];
    traceloupe_fuzz::open(name, bytes, None);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    traceloupe_fuzz::mutate(data, size, max_size, seed)
});
