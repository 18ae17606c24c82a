//! Measures the whole index pass over a file, and the share of its framing:
//! `cargo run --release --example index_speed -- FILE…`.
//!
//! With `--once` before the files each of them is opened a single time and nothing is printed: run under
//! `valgrind --tool=callgrind` that counts the instructions of the index pass, which no other work on
//! the machine changes.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use traceloupe_input::{Framed, Framer, FramerOptions};
use traceloupe_protocol::messages::{Input, OpenRequest};
use traceloupe_session::Session;
use traceloupe_session::store::{MemoryStore, Store};

const SLICE_BYTES: usize = 8 << 20;
const ROUNDS: usize = 7;

fn main() -> std::io::Result<()> {
    let mut paths: Vec<String> = std::env::args().skip(1).collect();
    if paths.first().is_some_and(|first| first == "--once") {
        for path in paths.drain(..).skip(1) {
            black_box(open(&path, &std::fs::read(&path)?));
        }
    }
    for path in paths {
        let bytes = std::fs::read(&path)?;
        let (seconds, events) = fewest(|| open(&path, &bytes));
        println!("{path}: {} bytes, {events} events", bytes.len());
        report("whole session", &bytes, seconds);
        for (name, inspect, validate) in [
            ("  its framing, lines alone", false, false),
            ("  its framing, validated", false, true),
            ("  its framing, validated and inspected", true, true),
        ] {
            let (seconds, _) = fewest(|| timed(|| frame(&bytes, inspect, validate)));
            report(name, &bytes, seconds);
        }
        let (seconds, _) = fewest(|| timed(|| u64::from(std::str::from_utf8(&bytes).is_ok())));
        report("  UTF-8 alone", &bytes, seconds);
    }
    Ok(())
}

fn report(name: &str, bytes: &[u8], seconds: f64) {
    let len = bytes.len() as f64;
    println!("{name}: {:.0} MB/s, {:.2} ns per byte", len / seconds / 1e6, seconds * 1e9 / len);
}

/// Pushes slices as the worker does; the cost of storing the bytes is not measured.
fn open(path: &str, bytes: &[u8]) -> (f64, u64) {
    let mut store = MemoryStore::default();
    let handle = store.create();
    let inputs = vec![Input { path: path.to_owned(), len_bytes: bytes.len() as u64 }];
    let mut session = Session::new(store, OpenRequest { inputs, ..OpenRequest::default() });
    let start = Instant::now();
    let source = session.begin(path, handle);
    bytes.chunks(SLICE_BYTES).for_each(|slice| session.push(source, slice));
    session.end(source);
    let seconds = start.elapsed().as_secs_f64();
    let (_, events) = session.progress();
    black_box(session.complete());
    (seconds, events)
}

fn frame(bytes: &[u8], inspect: bool, validate: bool) -> u64 {
    let mut framer = Framer::with_options(FramerOptions { inspect, validate });
    let mut records = 0;
    let mut sink = |framed: Framed<'_>| {
        records += u64::from(matches!(framed, Framed::Record { .. }));
    };
    bytes.chunks(SLICE_BYTES).for_each(|slice| framer.push(slice, &mut sink));
    framer.finish(&mut sink);
    records
}

fn timed(work: impl FnOnce() -> u64) -> (f64, u64) {
    let start = Instant::now();
    let found = black_box(work());
    (start.elapsed().as_secs_f64(), found)
}

/// The time of the fastest repetition, in seconds, and its result.
fn fewest(mut work: impl FnMut() -> (f64, u64)) -> (f64, u64) {
    (0..ROUNDS)
        .map(|_| work())
        .fold((f64::INFINITY, 0), |best, (seconds, found)| (best.0.min(seconds), found))
}
