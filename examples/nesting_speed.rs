//! Measures that traces of any shape take time in proportion to their events, however deep or wide they are:
//! `cargo run --release --example nesting_speed`, part of `make bench`. Ten times as many events may take thirty times
//! as long; quadratic work would take a hundred times.
#![allow(clippy::print_stdout)]

use std::fmt::Write as _;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use traceloupe_protocol::messages::{Input, OpenRequest, Request};
use traceloupe_session::Session;
use traceloupe_session::store::MemoryStore;

const FEW: usize = 20_000;
const MANY: usize = 10 * FEW;
const MOST_GROWTH: f64 = 30.0;
const ROUNDS: usize = 3;

/// The parent of an event among so many.
type Shape = fn(usize, usize) -> Option<usize>;

const SHAPES: [(&str, Shape); 3] = [
    ("chain", |at, _| at.checked_sub(1)),
    ("ring", |at, n| (at + 1).checked_rem(n)),
    ("fan", |at, _| (at > 0).then_some(0)),
];

fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for (name, shape) in SHAPES {
        let (few, many) = (fewest(&events(FEW, shape)), fewest(&events(MANY, shape)));
        let growth = many / few;
        println!("{name}: {FEW} events in {few:.3} s, {MANY} in {many:.3} s: {growth:.1} times");
        if growth > MOST_GROWTH {
            println!("{name}: missed, at most {MOST_GROWTH} times");
            code = ExitCode::FAILURE;
        }
    }
    code
}

/// AgentDbg events nested in this shape.
fn events(n: usize, shape: Shape) -> String {
    let mut text = String::new();
    for at in 0..n {
        let parent = shape(at, n).map_or("null".to_owned(), |it| format!("\"e{it}\""));
        let written = writeln!(
            text,
            "{{\"spec_version\":\"0.1\",\"event_id\":\"e{at}\",\"run_id\":\"r-1\",\"parent_id\":{parent},\
             \"event_type\":\"TOOL_CALL\",\"ts\":\"2026-03-01T10:00:00Z\",\"name\":\"t\",\
             \"payload\":{{\"tool_name\":\"t\",\"args\":{{}}}},\"meta\":{{}}}}"
        );
        debug_assert!(written.is_ok(), "a string takes all");
    }
    text
}

/// The least time of some readings, in seconds: other work on the machine only adds to it.
fn fewest(text: &str) -> f64 {
    (0..ROUNDS).map(|_| read(text)).fold(f64::INFINITY, f64::min)
}

/// Reads a file as the worker does and opens its last row; seconds.
fn read(text: &str) -> f64 {
    let mut store = MemoryStore::default();
    let handle = store.add(text.as_bytes().to_vec());
    let inputs = vec![Input { path: "events.jsonl".to_owned(), len_bytes: text.len() as u64 }];
    let mut session = Session::new(store, OpenRequest { inputs, ..OpenRequest::default() });
    let start = Instant::now();
    let source = session.begin("events.jsonl", handle);
    text.as_bytes().chunks(1 << 20).for_each(|slice| session.push(source, slice));
    session.end(source);
    black_box(session.complete());
    let (_, n_events) = session.progress();
    let last = u32::try_from(n_events.saturating_sub(1)).unwrap_or(u32::MAX);
    black_box(session.answer(&Request::Detail(last)));
    start.elapsed().as_secs_f64()
}
