//! Measures redaction on labelled sets: how many texts with a secret are changed, and how many texts without one. Needs
//! `../shared`. `make redaction`; with `--list`, the texts that are missed and those that are flagged wrongly.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::indexing_slicing)]

use std::path::Path;

use traceloupe_core::json::base64;
use traceloupe_redaction::{Options, Redactor};

#[derive(serde::Deserialize)]
struct Example {
    rule: String,
    kind: String,
    text_b64: String,
}

/// The labelled sets of secrets.
const SETS: [&str; 3] = ["gitleaks", "betterleaks", "noseyparker"];

fn main() {
    let list = std::env::args().any(|it| it == "--list");
    if std::env::args().any(|it| it == "--traces") {
        for path in std::env::args().skip(2) {
            trace(&path);
        }
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/hostile");
    println!("{:<14}{:>22}{:>26}", "set", "secrets found", "others flagged");
    for set in SETS {
        let Ok(text) = std::fs::read_to_string(root.join(set).join("examples.b64.jsonl")) else {
            println!("{set:<14} not found");
            continue;
        };
        let mut counts = [[0_usize; 2]; 2];
        for line in text.lines() {
            let example: Example = serde_json::from_str(line).unwrap();
            let bytes = base64::decode(example.text_b64.as_bytes(), &mut Vec::new(), true);
            let is_secret = example.kind == "positive";
            let is_found = is_flagged(&bytes);
            let of = &mut counts[usize::from(is_secret)];
            of[0] += usize::from(is_found);
            of[1] += 1;
            if list && is_found != is_secret {
                let label = if is_secret { "missed" } else { "flagged" };
                println!("{label}\t{}\t{:?}", example.rule, String::from_utf8_lossy(&bytes));
            }
        }
        let share = |[found, all]: [usize; 2]| {
            format!("{found} of {all} ({:.1} %)", found as f64 * 100.0 / all as f64)
        };
        println!("{set:<14}{:>22}{:>26}", share(counts[1]), share(counts[0]));
    }
}

fn is_flagged(bytes: &[u8]) -> bool {
    let mut redactor = Redactor::new(&Options::default());
    redactor.search(bytes);
    redactor.rewrite(bytes, &[]).is_ok_and(|it| !it.hits.is_empty())
}

/// Prints what is replaced in a file, and how long that takes.
fn trace(path: &str) {
    let bytes = std::fs::read(path).unwrap();
    let start = std::time::Instant::now();
    let mut redactor = Redactor::new(&Options::default());
    redactor.search(&bytes);
    let result = redactor.rewrite(&bytes, &[]);
    let seconds = start.elapsed().as_secs_f64();
    let hits = result.as_ref().map_or(&[] as &[_], |it| &it.hits);
    let outcome =
        result.as_ref().map_or_else(|refusal| format!("{refusal:?}"), |_| "ok".to_owned());
    let speed = bytes.len() as f64 / 1e6 / seconds;
    println!("{path}: {} bytes, {speed:.0} MB/s, {} hits, {outcome}", bytes.len(), hits.len());
    for hit in hits {
        let text = String::from_utf8_lossy(&bytes[hit.range.clone()]);
        let start = hit.range.start.saturating_sub(40);
        let before = String::from_utf8_lossy(&bytes[start..hit.range.start]);
        let shown: String = text.chars().take(80).collect();
        println!("  {:?}\t{}\t{before:?}\t{shown:?}", hit.kind, hit.placeholder);
    }
}
