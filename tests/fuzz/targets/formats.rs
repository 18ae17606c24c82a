//! Any records, read as a format that the user has chosen: the first byte chooses it. (JSON never begins with such a
//! byte.)
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use traceloupe_formats::FORMATS;

fuzz_target!(|bytes: &[u8]| {
    let chosen = bytes.first().filter(|first| !first.is_ascii_whitespace());
    match chosen.and_then(|first| FORMATS.get(usize::from(*first))) {
        Some(format) => traceloupe_fuzz::open("unknown", &bytes[1..], Some(format.id())),
        None => traceloupe_fuzz::open("unknown", bytes, None),
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    // Occasionally another format.
    if seed % 8 == 0 && size > 0 && size + 1 < max_size.min(data.len()) {
        let from = usize::from(!matches!(data[0], b'{' | b'['));
        data.copy_within(from..size, 1);
        data[0] = u8::try_from(seed as usize / 8 % FORMATS.len()).unwrap_or_default();
        return size + 1 - from;
    }
    traceloupe_fuzz::mutate(data, size, max_size, seed)
});
