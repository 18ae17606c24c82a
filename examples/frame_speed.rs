//! Measures framing and fingerprints on 100 MB of generated AgentDbg log: `cargo run --release
//! --example frame_speed`.
#![allow(clippy::print_stdout)]

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use traceloupe_core::json;
use traceloupe_input::{Framed, Framer, FramerOptions};

const BYTES: usize = 100_000_000;
const CHUNK_BYTES: usize = 8 << 20;
const ROUNDS: usize = 5;

fn main() {
    let text = log();
    println!("{} bytes in {} lines", text.len(), text.lines().count());
    for (name, inspect, validate) in [
        ("lines alone", false, false),
        ("validated", false, true),
        ("validated and inspected", true, true),
    ] {
        let options = FramerOptions { inspect, validate };
        let best = best(|| {
            let mut framer = Framer::with_options(options);
            let mut records = 0_u32;
            let mut sink = |framed: Framed<'_>| {
                if matches!(framed, Framed::Record { .. }) {
                    records += 1;
                }
            };
            text.as_bytes().chunks(CHUNK_BYTES).for_each(|chunk| framer.push(chunk, &mut sink));
            framer.finish(&mut sink);
            black_box(records);
        });
        println!("{name}: {:.0} MB/s", text.len() as f64 / best / 1e6);
    }
    let array = format!("[{}]", text.trim_end().replace('\n', ",\n"));
    let seconds = best(|| {
        let mut framer = Framer::new();
        let mut records = 0_u32;
        let mut sink = |_: Framed<'_>| records += 1;
        array.as_bytes().chunks(CHUNK_BYTES).for_each(|chunk| framer.push(chunk, &mut sink));
        framer.finish(&mut sink);
        black_box(records);
    });
    println!("as an array, validated: {:.0} MB/s", array.len() as f64 / seconds / 1e6);
    let seconds = best(|| {
        black_box(text.lines().map(json::fingerprint).fold(0, u64::wrapping_add));
    });
    println!("fingerprints: {:.0} MB/s", text.len() as f64 / seconds / 1e6);
}

/// The time of the fastest repetition, in seconds.
fn best(mut work: impl FnMut()) -> f64 {
    let rounds = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    });
    rounds.fold(f64::INFINITY, f64::min)
}

fn log() -> String {
    let mut text = String::with_capacity(BYTES + 10_000);
    let mut nth = 0_usize;
    while text.len() < BYTES {
        let words = "the quick brown fox jumps over the lazy dog, \\\"quoted\\\" and on\\n";
        let long = words.repeat(1 + nth % 60);
        let _ = writeln!(
            text,
            r#"{{"spec_version":"0.1","event_id":"{nth:032x}","run_id":"b1946ac9-2492-4d23-8c6a-3f3f8a1c1c11","parent_id":null,"event_type":"TOOL_CALL","ts":"2026-03-01T10:00:00.000Z","duration_ms":{},"name":"search","payload":{{"tool_name":"search","args":{{"query":"billing {nth}","page":{},"filters":[true,null,1.5]}},"result":"{long}"}},"meta":{{}}}}"#,
            nth % 977,
            nth % 7,
        );
        nth += 1;
    }
    text
}
