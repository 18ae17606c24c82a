//! Logs of Inspect compared with their own figures: a run per sample and epoch, token counts, LLM calls and tool calls;
//! archives opened at once, with stored, deflated and zstd entries.

use crate::harness;

use std::collections::BTreeSet;
use std::io::Cursor;

use harness::claims::{check_event, check_outline, event_ids};
use harness::fixtures::folder;
use harness::{Outcome, files_below, named, open_one, shared};
use serde_json::Value;
use traceloupe_core::model::{FactKind, fact_text};
use traceloupe_input::{Crc32, Decoder, unzip, zip_entries};
use traceloupe_protocol::messages::{Request, Response};
use traceloupe_view::outline::Outline;

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

/// The values that a log states about a sample.
#[derive(PartialEq, Eq, Debug, Default, PartialOrd, Ord)]
struct Stated {
    /// Its id and its epoch.
    sample: String,
    /// Whether it has words that can be its title.
    is_asked: bool,
    llm_calls: u64,
    tool_calls: u64,
    /// Input with cached tokens, output.
    tokens: (u64, u64),
}

/// Whether the input of a sample has any words.
fn asked(input: &Value) -> bool {
    let is_word = |text: &Value| text.as_str().is_some_and(|it| !it.trim().is_empty());
    is_word(input) || input.as_array().is_some_and(|messages| !messages.is_empty())
}

fn stated(sample: &Value) -> Stated {
    let mut stated = Stated {
        sample: format!(
            "{} {}",
            sample["id"].as_str().map_or_else(|| sample["id"].to_string(), str::to_owned),
            sample["epoch"]
        ),
        is_asked: asked(&sample["input"]),
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
        // One log was made for a test, of results without their calls.
        let warnings = outline.warnings.iter().filter(|it| it.code.word() != "result-without-call");
        assert_eq!(warnings.count(), 0, "{name}: {:?}", outline.warnings);
        let mut runs: Vec<Stated> = outline
            .runs
            .iter()
            .filter(|run| outline.is_listed(run))
            .map(|run| Stated {
                sample: [FactKind::Sample, FactKind::Epoch]
                    .map(|kind| fact_text(&run.facts, &kind).unwrap().to_owned())
                    .join(" "),
                is_asked: !run.title.starts_with("Sample "),
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
        assert_eq!((outline.n_listed(), outline.about_runs().count()), (runs.len(), 1), "{name}");
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

/// The items of a list in chunks, as entries of an archive.
fn chunks(folder: &str, items: &[Value], len: usize) -> Vec<(String, String)> {
    let starts = (0..).step_by(len);
    let chunk = |(start, items): (usize, &[Value])| {
        (format!("{folder}/{start}.json"), Value::from(items).to_string())
    };
    starts.zip(items.chunks(len)).map(chunk).collect()
}

#[test]
fn a_sample_in_chunks_is_read_as_the_one_document_that_it_was() {
    let text = std::fs::read(folder().join("inspect/condensed-sample.json")).unwrap();
    let whole: Value = serde_json::from_slice(&text).unwrap();
    let mut shell = whole.clone();
    let shell_of = shell.as_object_mut().unwrap();
    let events = shell_of.remove("events").unwrap();
    let data = shell_of.remove("events_data").unwrap();
    let attachments = shell_of.remove("attachments").unwrap();
    shell_of.remove("messages");
    shell_of.insert("message_refs".to_owned(), serde_json::json!([[0, 1], [1, 2]]));
    // Attachments have numbers for names.
    let names: Vec<&String> = attachments.as_object().unwrap().keys().collect();
    let numbered = |value: &Value| {
        let mut text = value.to_string();
        for (at, name) in names.iter().enumerate() {
            text = text.replace(&format!("attachment://{name}"), &format!("attachment://{at}"));
        }
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let list = |value: &Value| numbered(value).as_array().unwrap().clone();
    let attachments: Vec<Value> = attachments.as_object().unwrap().values().cloned().collect();
    let sample = "samples/7_epoch_1";
    let mut files = vec![
        (
            "header.json".to_owned(),
            r#"{"version":2,"status":"success","eval":{"run_id":"r","task":"lamps"}}"#.to_owned(),
        ),
        (format!("{sample}/skeleton.json"), "{}".to_owned()),
        (format!("{sample}/events/stats.json"), "{}".to_owned()),
    ];
    files.extend(chunks(&format!("{sample}/events"), &list(&events), 3));
    files.extend(chunks(&format!("{sample}/messages"), &list(&data["messages"]), 2));
    files.extend(chunks(&format!("{sample}/attachments"), &attachments, 1));
    files.push((format!("{sample}/sample.json"), numbered(&shell).to_string()));
    let entries: Vec<(&str, &[u8])> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let mut opened = open_one("lamps.eval", &zip(&entries));
    check_outline(&opened);
    let mut expected = open_one("sample.json", &text);
    let rows = |outline: &Outline, run: usize| {
        let run = &outline.runs[run];
        let rows = run.first_row..run.first_row + run.n_rows;
        let row = |row: u32| (outline.rows.kinds.get(row), outline.rows.depths.get(row));
        (run.counts, run.usage, rows.map(row).collect::<Vec<_>>())
    };
    assert_eq!(rows(opened.outline(), 1), rows(expected.outline(), 0));
    let paths: Vec<_> = opened.outline().sources.iter().map(|it| it.path.clone()).collect();
    assert_eq!(paths[1..], ["lamps.eval/header.json", "lamps.eval/samples/7_epoch_1"]);
    // The opened row shows the same, including attachments and pooled messages.
    let own = opened.outline().runs[1].first_row;
    let ids = event_ids(expected.outline());
    let of_sample = event_ids(opened.outline()).split_off(own as usize);
    assert_eq!(ids.len(), of_sample.len());
    for (id, other) in ids.into_iter().zip(of_sample).skip(1) {
        let (one, other) = (check_event(&mut expected, id), check_event(&mut opened, other));
        assert_eq!(one.blocks.len(), other.blocks.len());
        assert!(!format!("{:?}", other.blocks).contains("not in the opened files"));
    }
}

#[test]
fn the_summary_of_a_call_has_the_text_to_which_its_arguments_refer() {
    let call = r#"{"event":"tool","timestamp":"2026-03-04T10:00:02Z","working_start":0,"id":"c1","function":"sh","arguments":{"cmd":"attachment://ab","limit":4},"result":"ok"}"#;
    let sample = format!(
        r#"{{"id":1,"epoch":1,"input":"Go","target":"","messages":[],"attachments":{{"ab":"ring the \"bell\" twice"}},"events":[{call}]}}"#
    );
    let mut opened = open_one("sample.json", sample.as_bytes());
    let ids = event_ids(opened.outline());
    let Response::Previews(previews) = opened.ask(&Request::Previews(ids)) else { panic!() };
    let said: Vec<&str> = previews.iter().map(|it| it.1.text.as_str()).collect();
    assert!(said.contains(&"ring the \"bell\" twice"), "{said:?}");
}
