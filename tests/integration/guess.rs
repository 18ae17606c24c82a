//! Files of no known format in whole sessions: the guessed meaning of their keys, the user's own choice, and the report
//! on their shape.

use crate::harness;

use std::fs;

use harness::claims::{check_event, event_ids};
use harness::fixtures::folder;
use harness::{Opened, Outcome, arrived, open_one};
use traceloupe_core::model::{EventKind, Mapping, Reading};
use traceloupe_protocol::messages::{Input, OpenRequest, Request, Response};
use traceloupe_session::Session;
use traceloupe_session::store::{MemoryStore, Store};
use traceloupe_view::outline::Outline;

fn fixture(name: &str) -> Vec<u8> {
    fs::read(folder().join("records").join(name)).unwrap()
}

/// Opens a file with the user's choices: for this file, and for files with the same keys.
fn open_with(bytes: &[u8], mapping: Option<&str>, known: &[(String, String)]) -> Opened {
    let mut store = MemoryStore::default();
    let handle = store.add(bytes.to_vec());
    let request = OpenRequest {
        inputs: vec![Input { path: "unknown".to_owned(), len_bytes: bytes.len() as u64 }],
        mapping: mapping.map(str::to_owned),
        mappings: known.to_vec(),
        ..OpenRequest::default()
    };
    let mut session = Session::new(store, request);
    let responses = session.open_all(&[handle], 1 << 16);
    let [Response::Outline(outline)] = responses.as_slice() else { panic!("{responses:?}") };
    let outcome = Outcome::Outline(Box::new(arrived(&session, outline)));
    Opened { session, outcome }
}

#[test]
fn plain_records_are_read_as_such_if_asked_for() {
    let bytes = fixture("odd-messages.jsonl");
    let guessed = open_with(&bytes, None, &[]);
    assert!(rows(&guessed).iter().any(|row| !row.contains("Record")), "{:?}", rows(&guessed));
    let opening = harness::Opening { format: Some("records"), ..harness::Opening::default() };
    let plain = harness::open(&[("unknown", &bytes)], &opening);
    let kinds = &plain.outline().rows.kinds;
    assert!((0..5).all(|row| kinds.get(row) == EventKind::Record as u8));
}

fn rows(opened: &Opened) -> Vec<String> {
    let outline = opened.outline();
    (0..outline.n_rows)
        .map(|row| {
            let rows = &outline.rows;
            let kind = EventKind::from_code(rows.kinds.get(row));
            let depth = " ".repeat(usize::from(rows.depths.get(row)));
            format!("{depth}{} {}", kind.word(), outline.name(rows.names.get(row)))
        })
        .collect()
}

fn reading(outline: &Outline) -> &Reading {
    outline.sources[0].reading.as_ref().unwrap()
}

#[test]
fn messages_with_calls_are_a_conversation() {
    let opened = open_one("x", &fixture("odd-messages.jsonl"));
    // The result has no id: it belongs to the call that is waiting.
    let expected = ["user ", "llm-call ", " tool-call chart", "llm-call ", "user "];
    assert_eq!(rows(&opened), expected);
    assert_eq!(opened.outline().runs[0].title, "How deep is the harbour at low tide?");
}

#[test]
fn calls_have_their_results() {
    let opened = open_one("x", &fixture("tool-events.jsonl"));
    let expected = [
        "record run_started",
        "llm-call sail-2",
        "tool-call weather",
        "tool-call engine",
        "llm-call sail-2",
    ];
    assert_eq!(rows(&opened), expected);
    let run = &opened.outline().runs[0];
    assert_eq!((run.counts.errors, run.usage.input, run.usage.output), (1, Some(50), Some(13)));
    assert_eq!(opened.outline().rows.durations_ms.get(2), 812.0);
}

#[test]
fn spans_are_nested() {
    let opened = open_one("x", &fixture("odd-spans.json"));
    assert_eq!(rows(&opened), ["span plan", " span fetch", " span sum up", "  span write"]);
    assert_eq!(opened.outline().rows.durations_ms.get(1), 2_250.0);
}

#[test]
fn what_stands_around_a_list_is_a_row() {
    let opened = open_one("x.json", &fixture("inside.json"));
    assert_eq!(rows(&opened), ["run-start ", "user ", "llm-call ", "user "]);
}

#[test]
fn a_person_can_choose_other_keys_or_none() {
    let bytes = fixture("tool-events.jsonl");
    let guessed = open_with(&bytes, None, &[]);
    let fingerprint = reading(guessed.outline()).shape.fingerprint.clone();
    let mut mapping = reading(guessed.outline()).mapping.clone();
    assert!(!reading(guessed.outline()).is_chosen);
    mapping.set(traceloupe_core::model::Slot::Tool, "");
    let text = mapping.to_string();
    let without_tools = |opened: &Opened| {
        assert_eq!(reading(opened.outline()).mapping, mapping);
        assert!(reading(opened.outline()).is_chosen);
        assert!(!rows(opened).iter().any(|row| row.contains("weather")), "{:?}", rows(opened));
    };
    without_tools(&open_with(&bytes, Some(&text), &[]));
    without_tools(&open_with(&bytes, None, &[(fingerprint.clone(), text.clone())]));
    let plain = open_with(&bytes, Some("records"), &[(fingerprint, text)]);
    assert!(rows(&plain).iter().all(|row| row.starts_with("record ")));
    assert_eq!(plain.outline().n_rows, 7);
    // A file that a known format has claimed stays in that format.
    let chat =
        br#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}"#;
    assert_eq!(open_with(chat, Some("text:content"), &[]).outline().sources[0].format, "chat");
}

/// A document that is long enough to be split at its list.
fn long_document() -> (Vec<u8>, usize) {
    const N: usize = 6_000;
    let items: Vec<String> = (0..N)
        .map(|at| {
            let who = if at % 2 == 0 { "user" } else { "assistant" };
            let filler = "wave after wave ".repeat(8);
            format!(r#"{{"who":"{who}","say":"{at} {filler}","weight":{at}}}"#)
        })
        .collect();
    let text = format!(
        r#"{{"desk":{{"place":"ferry","open":true}},"turns":[{}],"closing":{{"mood":"calm"}}}}"#,
        items.join(",")
    );
    (text.into_bytes(), N)
}

#[test]
fn a_long_document_is_split_and_nothing_of_it_is_lost() {
    let (bytes, n) = long_document();
    assert!(bytes.len() > 600_000);
    let mut opened = open_with(&bytes, None, &[]);
    let mapping = reading(opened.outline()).mapping.to_string();
    assert_eq!(mapping, "list:turns~role:who~text:say");
    let kinds = rows(&opened);
    assert_eq!(kinds.iter().filter(|row| row.starts_with("user")).count(), n / 2);
    assert_eq!(kinds.iter().filter(|row| row.starts_with("llm-call")).count(), n / 2);
    let ids = event_ids(opened.outline());
    let shown: String = [0, ids.len() - 1]
        .into_iter()
        .map(|at| format!("{:?}", check_event(&mut opened, ids[at])))
        .collect();
    assert!(shown.contains("ferry") && shown.contains("calm"), "{shown}");
    // Read as plain records, the document is one record.
    assert_eq!(open_with(&bytes, Some("records"), &[]).outline().n_rows, 1);
}

#[test]
fn the_report_has_the_keys_and_no_value() {
    let secret = "Zanzibar";
    let bytes = format!(
        "{{\"who\":\"user\",\"say\":\"the {secret} plan\",\"n\":48151623,\"by.{secret}.x@y\":1}}\n\
         {{\"who\":\"assistant\",\"say\":\"a {secret} answer\",\"n\":48151623}}\n"
    );
    let mut opened = open_with(bytes.as_bytes(), None, &[]);
    let answers = opened.session.answer(&Request::ShapeReport(0, 7));
    let [Response::File(7, file)] = answers.as_slice() else { panic!("{answers:?}") };
    let handle = traceloupe_session::store::Handle(file.handle);
    let report = opened.session.store().read(handle, 0, file.len as usize).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["mapping"]["text"], "say");
    assert_eq!(report["lists"][0]["keys"][1]["longest_bytes"], 19);
    let text = report.to_string();
    for value in ["plan", "48151623", "assistant", "x@y", "unknown"] {
        assert!(!text.contains(value), "{value} in {text}");
    }
    // A format that is known needs no report.
    let chat = br#"{"messages":[{"role":"user","content":"a"}]}"#;
    let mut known = open_with(chat, None, &[]);
    assert!(known.session.answer(&Request::ShapeReport(0, 8)).is_empty());
    assert!(known.session.answer(&Request::ShapeReport(9, 8)).is_empty());
}

#[test]
fn a_mapping_that_does_not_fit_is_passed_over() {
    let bytes = fixture("inside.json");
    let opened = open_with(&bytes, Some("list:elsewhere~text:x"), &[]);
    let Reading { mapping, is_chosen, .. } = reading(opened.outline());
    assert_eq!((mapping.list.as_str(), *is_chosen), ("session.log", false));
    let broken = open_with(&bytes, Some("nonsense"), &[]);
    assert_eq!(&reading(broken.outline()).mapping, mapping);
    assert!(Mapping::parse("nonsense").is_none());
}
