//! Prints the findings of trace files as JSON, one line each: `cargo run --release --example findings -- FILE…`. The first
//! line of a file has its counts, with `outcomes` for all calls that did not simply work. Calls are numbered from 0, in the
//! order of the timeline. With `--errors` first, the reasons of all errors follow, and with `--calls` the times and the
//! outcomes of all tool calls.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../tests/harness/mod.rs"]
mod harness;

use std::collections::BTreeMap;

use harness::{Opened, Outcome, open_one};
use serde_json::json;
use traceloupe_core::model::{CallOutcome, EventId, EventKind, Flags, Trace};
use traceloupe_protocol::causes::Repair;
use traceloupe_protocol::messages::{Request, Response};
use traceloupe_view::causes::errors;
use traceloupe_view::outline::Outline;
use traceloupe_view::waits::waited;

fn main() -> std::io::Result<()> {
    let (flags, paths): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|it| it.starts_with("--"));
    let has = |flag: &str| flags.iter().any(|it| it == flag);
    for path in paths {
        let name = path.rsplit('/').next().unwrap_or(&path);
        let mut opened = open_one(name, &std::fs::read(&path)?);
        match &opened.outcome {
            Outcome::Outline(outline) => {
                print(name, outline);
                if has("--calls") {
                    print_calls(name, outline, opened.session.trace());
                }
                if has("--errors") {
                    print_errors(name, &mut opened);
                }
            }
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
    let calls: u64 = outline.runs.iter().map(|run| run.counts.tool_calls).sum();
    let mut outcomes: BTreeMap<&str, u32> = BTreeMap::new();
    for row in (0..before.len() as u32 - 1).filter(|row| is_call(*row)) {
        let is_copy = Flags::from_bits(outline.rows.flags.get(row)).has(Flags::COPY);
        *outcomes
            .entry(if is_copy { "copy" } else { outline.rows.outcome(row).word() })
            .or_default() += 1;
    }
    outcomes.remove(CallOutcome::Ok.word());
    let line = json!({ "file": name, "opened": true, "calls": calls, "errors": errors, "outcomes": outcomes });
    println!("{line}");
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

/// Prints the active time and the waits of each run, and where each tool call is in the file, how long it worked and
/// waited, and its outcome. Times are in milliseconds, `null` if unknown.
fn print_calls(name: &str, outline: &Outline, trace: &Trace) {
    for run in &outline.runs {
        let (waited_ms, is_estimated) = waited(outline, run);
        let line = json!({
            "file": name,
            "run": run.key,
            "active_ms": run.active_ms(),
            "waited_ms": waited_ms,
            "is_estimated": is_estimated,
        });
        println!("{line}");
    }
    let rows = &outline.rows;
    let n_rows = outline.runs.iter().map(|run| run.n_rows).sum::<u32>();
    for row in (0..n_rows).filter(|row| rows.kinds.get(*row) == EventKind::ToolCall as u8) {
        let event = trace.event(EventId::from_index(rows.ids.get(row) as usize)).unwrap();
        let place = trace.places(event).next();
        let wait = rows.wait_of(row);
        let line = json!({
            "file": name,
            "call": rows.ids.get(row),
            "line": place.map(|it| it.line),
            "name": outline.name(rows.names.get(row)),
            "outcome": rows.outcome(row).word(),
            "is_copy": Flags::from_bits(rows.flags.get(row)).has(Flags::COPY),
            "basis": format!("{:?}", rows.time_basis(row)),
            "ms": rows.durations_ms.get(row),
            "wait": wait.map(|it| format!("{:?}", it.what)),
            "wait_ms": wait.map(|it| it.len_ms()),
        });
        println!("{line}");
    }
}

/// Prints why each event failed, whether a later call fixed it, where its records are, and the group of equal errors that
/// it belongs to: the run and a number. Failures that a possible loop reports have no group.
fn print_errors(name: &str, opened: &mut Opened) {
    for run in 0..opened.outline().runs.len() as u32 {
        let Response::Causes(causes) = opened.ask(&Request::Causes(run, Vec::new())) else {
            continue;
        };
        let groups = errors(opened.outline(), run, &causes);
        for failure in &causes.failures {
            let outline = opened.outline();
            let trace = opened.session.trace();
            let event = trace.event(EventId::from_index(failure.id as usize)).unwrap();
            let places: Vec<_> =
                trace.places(event).map(|it| (it.span.start, it.span.len)).collect();
            let row = outline.row_of(failure.id).unwrap();
            let fixed = match failure.repair {
                Repair::Unknown => None,
                Repair::By(_) => Some(true),
                Repair::Never => Some(false),
            };
            let call = causes.calls.iter().find(|it| it.0 == failure.id).map(|it| &it.1);
            let group = groups.iter().position(|it| it.rows.as_slice().contains(&row));
            let line = json!({
                "file": name,
                "event": failure.id,
                "name": outline.name(outline.rows.names.get(row)),
                "outcome": outline.rows.outcome(row).word(),
                "class": failure.reason.class,
                "reason": traceloupe_words::reason(&failure.reason),
                "key": failure.reason.key(),
                "fixed": fixed,
                "call": call,
                "places": places,
                "group": group.map(|at| (run, at)),
            });
            println!("{line}");
        }
    }
}
