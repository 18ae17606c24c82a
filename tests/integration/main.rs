//! All integration tests in one program: it is linked once, and its tests share the processors. One module for each
//! subject; docs/testing.md describes the modules.

// A test may panic, but clippy treats the helpers of a test as product code.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used
)]

#[path = "../harness/mod.rs"]
mod harness;
mod snapshot;

mod agentdbg;
mod agentv;
mod annotations;
mod archi;
mod archives;
mod brief;
mod claude_code;
mod command;
mod coverage;
mod cursor;
mod damage;
mod databases;
mod detection;
mod documents;
mod excerpts;
mod expectations;
mod flashinfer;
mod formats;
mod framing;
mod guess;
mod hostile;
mod inspect;
mod joins;
mod json_nodes;
mod jsonl_faults;
mod live;
mod misread_sessions;
mod misread_spans;
mod other_files;
mod prices;
mod reads;
mod redaction;
mod requests;
mod requirements;
mod round_trips;
mod samples;
mod search;
mod session;
mod start_page;
mod stopping;
mod strict;
mod time;
mod values;
mod words;
