//! Any bytes, in chunks of any length: the same records and notices as in one piece, all within the source.
#![no_main]

use libfuzzer_sys::fuzz_target;
use traceloupe_input::{Framed, Framer, FramerOptions};

fn framed(bytes: &[u8], chunk: usize) -> Vec<String> {
    let mut framer = Framer::with_options(FramerOptions { inspect: true, validate: true });
    let mut found = Vec::new();
    let mut sink = |framed: Framed<'_>| {
        if let Framed::Record { start, .. }
        | Framed::Envelope { start, .. }
        | Framed::Notice { start, .. } = framed
        {
            assert!(start <= bytes.len() as u64, "{framed:?} is behind the end");
        }
        found.push(format!("{framed:?}"));
    };
    framer.expect_len(bytes.len() as u64);
    bytes.chunks(chunk).for_each(|chunk| framer.push(chunk, &mut sink));
    framer.finish(&mut sink);
    found
}

fuzz_target!(|bytes: &[u8]| {
    let Some((chunk, bytes)) = bytes.split_last() else { return };
    let whole = framed(bytes, bytes.len().max(1));
    assert_eq!(framed(bytes, usize::from(*chunk) + 1), whole);
});
