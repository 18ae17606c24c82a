//! Prints the findings of trace files as JSON, one line each: `cargo run --release --example findings -- FILE…`. The first
//! line of a file has its counts. Calls are numbered from 0, in the order of the timeline.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../tests/harness/mod.rs"]
mod harness;

use harness::{Outcome, open_one};
use serde_json::json;
use traceloupe_core::model::EventKind;
use traceloupe_view::outline::Outline;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let name = path.rsplit('/').next().unwrap_or(&path);
        match open_one(name, &std::fs::read(&path)?).outcome {
            Outcome::Outline(outline) => print(name, &outline),
            Outcome::Failed(_) | Outcome::Choose(_) => {
                println!("{}", json!({ "file": name, "opened": false }));
            }
        }
    }
    Ok(())
}

fn print(name: &str, outline: &Outline) {
    let is_call = |row: u32| outline.rows.kinds.get(row) == EventKind::ToolCall as u8;
    // How many calls come before each row.
    let mut before = vec![0_u32];
    for row in 0..outline.runs.iter().map(|run| run.n_rows).sum::<u32>() {
        before.push(before[row as usize] + u32::from(is_call(row)));
    }
    let errors: u64 = outline.runs.iter().map(|run| run.counts.errors).sum();
    let calls = before.last().unwrap();
    println!("{}", json!({ "file": name, "opened": true, "calls": calls, "errors": errors }));
    for finding in &outline.findings {
        let rows = finding.rows.as_slice().iter().filter(|row| is_call(**row));
        let calls: Vec<u32> = rows.map(|row| before[*row as usize]).collect();
        let line = json!({
            "file": name,
            "rule": finding.rule.id(),
            "severity": finding.severity.id(),
            "repetitions": finding.repetitions(),
            "block": finding.block_len(),
            "calls": calls,
        });
        println!("{line}");
    }
}
