//! Logs of Inspect against what they state themselves: a run per sample and epoch, token counts, LLM calls and
//! tool calls; archives opened at once, with stored, deflated and zstd entries.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout)]

mod harness;

use std::collections::BTreeSet;
use std::io::Cursor;

use harness::claims::{check_event, check_outline, event_ids};
use harness::fixtures::folder;
use harness::{Outcome, files_below, named, open_one, shared};
use serde_json::Value;
use traceloupe::input::{Crc32, Decoder, unzip, zip_entries};

/// The documents of a log: the log itself, or the entries of its archive.
fn documents(name: &str, bytes: &[u8]) -> Vec<Value> {
    if !name.ends_with(".eval") {
        return vec![serde_json::from_slice(bytes).unwrap()];
    }
    let entries = zip_entries(Cursor::new(bytes)).unwrap().entries;
    let samples = entries.iter().filter(|entry| entry.name.starts_with("samples/"));
    samples
        .map(|entry| {
            let (mut decoder, range) = unzip(Cursor::new(bytes), entry).unwrap();
            let range = usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
            let mut text = Vec::new();
            decoder.push(&bytes[range], &mut text);
            decoder.finish(&mut text);
            assert!(decoder.notices().is_empty(), "{}", entry.name);
            serde_json::from_slice(&text).unwrap()
        })
        .collect()
}

/// What a log states of a sample.
#[derive(PartialEq, Eq, Debug, Default, PartialOrd, Ord)]
struct Stated {
    title: String,
    llm_calls: u64,
    tool_calls: u64,
    /// Input with cached tokens, output.
    tokens: (u64, u64),
}

fn stated(sample: &Value) -> Stated {
    let mut stated = Stated {
        title: format!(
            "Sample {}, epoch {}",
            sample["id"].as_str().map_or_else(|| sample["id"].to_string(), str::to_owned),
            sample["epoch"]
        ),
        ..Stated::default()
    };
    let usages = sample["model_usage"].as_object().into_iter().flatten();
    for (_, usage) in usages {
        let count = |key: &str| usage[key].as_u64().unwrap_or(0);
        stated.tokens.0 += count("total_tokens") - count("output_tokens");
        stated.tokens.1 += count("output_tokens");
    }
    let mut calls = BTreeSet::new();
    let mut open: Vec<&Value> = Vec::new();
    let events = |of: &'_ Value| of["events"].as_array().cloned().unwrap_or_default();
    let own = [events(sample), events(&sample["transcript"])].concat();
    open.extend(&own);
    while let Some(event) = open.pop() {
        open.extend(event["events"].as_array().into_iter().flatten());
        match event["event"].as_str().unwrap() {
            "model" => {
                stated.llm_calls += 1;
                let asked = event["output"]["choices"][0]["message"]["tool_calls"].as_array();
                calls.extend(asked.into_iter().flatten().map(|call| call["id"].to_string()));
            }
            "tool" => drop(calls.insert(event["id"].to_string())),
            _ => {}
        }
    }
    stated.tool_calls = calls.len() as u64;
    stated
}

#[test]
fn logs_open_at_once_with_what_they_state() {
    let Some(root) = shared("traces/inspect-eval") else { return };
    let mut n_samples = 0;
    for path in files_below(&root) {
        let (name, bytes) = named(&root, &path);
        let mut opened = open_one(&name, &bytes);
        check_outline(&opened);
        let outline = opened.outline();
        for source in outline.sources.iter().filter(|source| !source.is_container) {
            assert_eq!((source.format.as_str(), &source.problem), ("inspect", &None), "{name}");
        }
        assert!(outline.warnings.is_empty(), "{name}: {:?}", outline.warnings);
        let mut runs: Vec<Stated> = outline
            .runs
            .iter()
            .filter(|run| run.title.starts_with("Sample "))
            .map(|run| Stated {
                title: run.title.clone(),
                llm_calls: run.counts.llm_calls,
                tool_calls: run.counts.tool_calls,
                tokens: (
                    [run.usage.input, run.usage.cache_read, run.usage.cache_write]
                        .into_iter()
                        .flatten()
                        .sum(),
                    run.usage.output.unwrap_or(0),
                ),
            })
            .collect();
        assert_eq!(runs.len() + 1, outline.runs.len(), "{name}");
        let documents = documents(&name, &bytes);
        let samples = documents.iter().flat_map(|document| match document["samples"].as_array() {
            Some(samples) => samples.clone(),
            None => vec![document.clone()],
        });
        let mut expected: Vec<Stated> = samples.map(|sample| stated(&sample)).collect();
        // One log has neither events nor usage of its sample.
        for (stated, run) in expected.iter_mut().zip(&runs).filter(|(it, _)| it.llm_calls == 0) {
            stated.tool_calls = run.tool_calls;
        }
        runs.sort();
        expected.sort();
        assert_eq!(runs, expected, "{name}");
        n_samples += runs.len();
        let ids = event_ids(outline);
        for id in ids.iter().step_by(ids.len().div_ceil(40)) {
            check_event(&mut opened, *id);
        }
    }
    assert_eq!(n_samples, 32);
}

/// An archive with stored entries.
fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in entries {
        let len = u32::try_from(content.len()).unwrap();
        let name_len = u16::try_from(name.len()).unwrap();
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        common.extend(Crc32::of(content).to_le_bytes());
        common.extend([len.to_le_bytes(), len.to_le_bytes()].concat());
        common.extend(name_len.to_le_bytes());
        common.extend([0, 0]);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
        directory.extend(name.as_bytes());
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend(name.as_bytes());
        bytes.extend(*content);
    }
    let (start, len) = (bytes.len(), directory.len());
    bytes.extend(directory);
    let n = u16::try_from(entries.len()).unwrap().to_le_bytes();
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([n, n].concat());
    bytes.extend(u32::try_from(len).unwrap().to_le_bytes());
    bytes.extend(u32::try_from(start).unwrap().to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

#[test]
fn an_archive_of_one_log_opens_at_once_unless_it_is_large() {
    let log = std::fs::read(folder().join("inspect/two-epochs.json")).unwrap();
    let mut log: Value = serde_json::from_slice(&log).unwrap();
    let samples = log["samples"].take();
    let header = log.to_string();
    let samples: Vec<String> =
        samples.as_array().unwrap().iter().map(ToString::to_string).collect();
    let mut entries: Vec<(&str, &[u8])> = vec![
        ("_journal/start.json", header.as_bytes()),
        ("samples/lamps_epoch_1.json", samples[0].as_bytes()),
        ("samples/lamps_epoch_2.json", samples[1].as_bytes()),
        ("_journal/summaries/1.json", b"[]"),
        ("summaries.json", b"[]"),
    ];
    // Without a header the evaluation still runs.
    for (n_runs, more) in [(3, None), (3, Some(("header.json", header.as_bytes())))] {
        entries.extend(more);
        let opened = open_one("lamps.eval", &zip(&entries));
        let outline = opened.outline();
        assert_eq!(outline.runs.len(), n_runs);
        assert_eq!(outline.runs.iter().map(|run| run.counts.llm_calls).sum::<u64>(), 4);
        assert_eq!(outline.runs.iter().filter_map(|run| run.usage.output).sum::<u64>(), 44);
    }
    let large = vec![b' '; 65 << 20];
    entries.push(("samples/other_epoch_1.json", &large));
    let opened = open_one("lamps.eval", &zip(&entries));
    let Outcome::Choose(asked) = &opened.outcome else { panic!("{:?}", opened.problem()) };
    let names: Vec<&str> = asked[0].1.iter().map(|entry| entry.path.as_str()).collect();
    let expected = [
        "header.json",
        "samples/lamps_epoch_1.json",
        "samples/lamps_epoch_2.json",
        "samples/other_epoch_1.json",
    ];
    assert_eq!(names, expected);
}
