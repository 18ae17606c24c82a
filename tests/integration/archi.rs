//! Our own and real streams and stored traces of archi, compared with independent counts.

use crate::harness;

use harness::{at_least, open_one, traces};
use serde_json::Value;
use traceloupe_core::model::{BlockRole, EventKind};
use traceloupe_protocol::detail::ShownBlock;
use traceloupe_protocol::messages::{Request, Response};
use traceloupe_protocol::value::Shown;

#[track_caller]
fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = traces();
    files.retain(|(name, _)| name.contains("archi/"));
    assert_eq!(files.len(), 8 + at_least(10, 0));
    files
}

/// The events of a file, in file order.
fn events_of(bytes: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(bytes).unwrap();
    if let Ok(document) = serde_json::from_str::<Value>(text)
        && document["trace"].is_object()
    {
        return document["trace"]["events"].as_array().unwrap().clone();
    }
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn count(events: &[Value], kind: &str) -> u64 {
    events.iter().filter(|it| it["type"] == kind).count() as u64
}

#[test]
fn counts_are_those_of_the_files() {
    for (name, bytes) in &files() {
        let events = events_of(bytes);
        let opened = open_one(name, bytes);
        let [run] = opened.outline().runs.as_slice() else { panic!("{name}: one run") };
        assert_eq!(run.counts.tool_calls, count(&events, "tool_start"), "{name}");
        let said_only_at_the_end = u64::from(name.contains("looping-search.stream"));
        let calls = count(&events, "thinking_start") + said_only_at_the_end;
        assert_eq!(run.counts.llm_calls, calls, "{name}");
        assert_eq!(run.counts.errors, count(&events, "error"), "{name}");
        let usage = events.iter().rev().find_map(|it| match &it["usage"] {
            Value::Null => Some(it).filter(|it| it["type"] == "usage"),
            usage => Some(usage),
        });
        let tokens = |key: &str| usage.and_then(|usage| usage[key].as_u64());
        assert_eq!(run.usage.input, tokens("prompt_tokens"), "{name}");
        assert_eq!(run.usage.output, tokens("completion_tokens"), "{name}");
        let status = match name.as_str() {
            it if it.contains("cancelled") && it.contains(".api") => "cancelled",
            it if it.contains("cancelled") => "running",
            it if it.contains("provider-error") || it.contains("failed") => "error",
            _ => "ok",
        };
        assert_eq!(run.status.word(), status, "{name}");
        let loops = opened.outline().findings.iter().filter(|it| it.is_loud());
        let loops: Vec<_> = loops.map(|it| it.repetitions()).collect();
        let expected = match name.as_str() {
            it if it.contains("looping-search") => &[7][..],
            it if it.contains("looping") => &[6],
            _ => &[],
        };
        assert_eq!(loops, expected, "{name}");
    }
}

#[test]
fn the_pieces_of_an_answer_are_the_answer() {
    let mut n_answers = 0;
    for (name, bytes) in &files() {
        let events = events_of(bytes);
        let last_text = events.iter().rev().find_map(|it| {
            let is_text = it["type"] == "chunk" || it["type"] == "text";
            it["content"].as_str().filter(|_| is_text)
        });
        let mut opened = open_one(name, bytes);
        let rows = opened.outline().rows.clone();
        let mut said = String::new();
        for row in 0..rows.ids.len() {
            if rows.kinds.get(row) != EventKind::LlmCall as u8 {
                continue;
            }
            let Response::Detail(detail) = opened.ask(&Request::Detail(rows.ids.get(row))) else {
                panic!("no detail")
            };
            for block in &detail.blocks {
                if let ShownBlock::Value(BlockRole::Response, _, Shown::Text(text, ..)) = block
                    && !text.starts_with("Recursion limit")
                {
                    said.push_str(text);
                }
            }
        }
        assert_eq!(said, last_text.unwrap_or_default(), "{name}");
        n_answers += usize::from(!said.is_empty());
    }
    assert!(n_answers > 0, "no file has an answer");
}
