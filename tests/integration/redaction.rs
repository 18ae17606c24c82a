//! Redaction of real files: labelled sets of secrets, hostile files, and traces.

use std::fs;

use crate::harness::{files_below, shared};
use traceloupe_core::json::base64;
use traceloupe_redaction::{Options, Redacted, Redactor, Refusal};

fn redact(bytes: &[u8]) -> Result<Redacted, Refusal> {
    let mut redactor = Redactor::new(&Options::default());
    redactor.search(bytes);
    redactor.rewrite(bytes, &[])
}

#[derive(serde::Deserialize)]
struct Example {
    kind: String,
    text_b64: String,
}

/// The share of the texts with a secret that are changed, in percent.
fn recall(set: &str) -> Option<usize> {
    let path = shared(&format!("hostile/{set}/examples.b64.jsonl"))?;
    let text = fs::read_to_string(path).unwrap();
    let examples = text.lines().map(|line| serde_json::from_str::<Example>(line).unwrap());
    let found: Vec<bool> = examples
        .filter(|example| example.kind == "positive")
        .map(|example| {
            let bytes = base64::decode(example.text_b64.as_bytes(), &mut Vec::new(), true);
            redact(&bytes).is_ok_and(|it| !it.hits.is_empty())
        })
        .collect();
    Some(found.iter().filter(|it| **it).count() * 100 / found.len())
}

#[test]
fn labelled_secrets_are_found() {
    for (set, least) in [("betterleaks", 85), ("gitleaks", 88), ("noseyparker", 80)] {
        let Some(percent) = recall(set) else { return };
        assert!(percent >= least, "{set}: {percent} %");
    }
}

#[test]
fn hostile_files_are_read_and_stay_what_they_are() {
    let Some(folder) = shared("hostile") else { return };
    for path in files_below(&folder) {
        let bytes = fs::read(&path).unwrap();
        // Sets of secrets and of long lists say nothing more here.
        if bytes.len() > 300_000 {
            continue;
        }
        match redact(&bytes) {
            Ok(result) => {
                let again = redact(&result.bytes).unwrap();
                assert_eq!(again.hits, [], "{}", path.display());
            }
            // Archives, and text in UTF-16.
            Err(Refusal::NotText) => {}
            Err(refusal) => panic!("{}: {refusal:?}", path.display()),
        }
    }
}

#[test]
fn traces_stay_traces() {
    let Some(folder) = shared("traces") else { return };
    for path in files_below(&folder) {
        let bytes = fs::read(&path).unwrap();
        if bytes.len() > 500_000 {
            continue;
        }
        let result = match redact(&bytes) {
            // Archives and databases.
            Err(Refusal::NotText) => continue,
            result => result.unwrap(),
        };
        let lines = |bytes: &[u8]| bytes.iter().filter(|it| **it == b'\n').count();
        assert_eq!(lines(&result.bytes), lines(&bytes), "{}", path.display());
        let is_json =
            |bytes: &[u8]| serde_json::from_slice::<&serde_json::value::RawValue>(bytes).is_ok();
        assert_eq!(is_json(&result.bytes), is_json(&bytes), "{}", path.display());
        if result.hits.is_empty() {
            assert!(result.bytes == bytes, "{}", path.display());
        }
    }
}
