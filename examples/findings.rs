//! Prints the findings of trace files as JSON, one line each: `cargo run --release --example findings -- FILE…`. The first
//! line of a file has its counts. Calls are numbered from 0, in the order of the timeline.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::indexing_slicing)]

use traceloupe_core::model::EventKind;
use traceloupe_protocol::messages::{Input, OpenRequest, Response};
use traceloupe_session::Session;
use traceloupe_session::store::MemoryStore;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path)?;
        let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
        print(&name, bytes);
    }
    Ok(())
}

fn print(name: &str, bytes: Vec<u8>) {
    let mut store = MemoryStore::default();
    let inputs = vec![Input { path: name.to_owned(), len_bytes: bytes.len() as u64 }];
    let handles = [store.add(bytes)];
    let mut session = Session::new(store, OpenRequest { inputs, ..OpenRequest::default() });
    let responses = session.open_all(&handles, 1 << 20);
    let outline = responses.into_iter().rev().find_map(|response| match response {
        Response::Outline(outline) => Some(*outline),
        _ => None,
    });
    let Some(outline) = outline else {
        println!("{}", serde_json::json!({ "file": name, "opened": false }));
        return;
    };
    let mut assembly = traceloupe_view::assembly::Assembly::new(outline.clone());
    for response in session.rows(&outline) {
        if let Response::Rows(rows) = response {
            assembly.append(&rows);
        }
    }
    let outline = assembly.finish();
    // How many calls come before each row.
    let mut before = vec![0_u32];
    let n_rows = outline.runs.iter().map(|run| run.n_rows).sum::<u32>();
    for row in 0..n_rows {
        let is_call = outline.rows.kinds.get(row) == EventKind::ToolCall as u8;
        before.push(before[row as usize] + u32::from(is_call));
    }
    let errors: u64 = outline.runs.iter().map(|run| run.counts.errors).sum();
    let calls = before.last().unwrap();
    println!(
        "{}",
        serde_json::json!({ "file": name, "opened": true, "calls": calls, "errors": errors })
    );
    for finding in &outline.findings {
        let rows = finding.rows.as_slice().iter();
        let is_call = |row: &&u32| outline.rows.kinds.get(**row) == EventKind::ToolCall as u8;
        let calls: Vec<u32> = rows.filter(is_call).map(|row| before[*row as usize]).collect();
        println!(
            "{}",
            serde_json::json!({
                "file": name,
                "rule": finding.rule.id(),
                "severity": finding.severity.id(),
                "repetitions": finding.repetitions(),
                "block": finding.block_len(),
                "calls": calls,
            })
        );
    }
}
