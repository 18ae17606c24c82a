//! Search in whole sessions: the matches and their events, while files are read and afterwards, in packed files and in
//! several files.

use crate::harness;

use std::collections::{BTreeMap, BTreeSet};

use harness::{
    Opened, Opening, at_least, files_below, gzip, named, open, open_one, shared, traces,
};
use serde_json::json;
use traceloupe_core::case::lowercase;
use traceloupe_protocol::hits::{HitBatch, HitLine, MAX_LISTED};
use traceloupe_protocol::messages::{Input, OpenRequest, Request, Response};
use traceloupe_search::Query;
use traceloupe_session::store::{MemoryStore, Store};
use traceloupe_session::{Pace, Progress, Session};

/// Everything a search reported.
#[derive(Debug, Default, PartialEq)]
struct Told {
    by_id: BTreeMap<u32, u32>,
    lines: Vec<HitLine>,
    last: HitBatch,
}

impl Told {
    fn add(&mut self, response: Response) {
        let Response::Hits(batch) = response else { panic!("{response:?} is no hits") };
        for (id, n) in batch.ids.as_slice().iter().zip(batch.counts.as_slice()) {
            *self.by_id.entry(*id).or_default() += n;
        }
        self.lines.extend(batch.lines.iter().cloned());
        for (at, id) in &batch.found_later {
            self.lines[*at as usize].id = Some(*id);
        }
        let (ids, counts) = Default::default();
        self.last = HitBatch { ids, counts, lines: Vec::new(), found_later: Vec::new(), ..*batch };
    }
}

fn pace(max_bytes: usize) -> Pace {
    Pace { max_bytes, is_report_due: true }
}

/// Searches as the worker does, one piece at a time, collecting the matches after each.
fn go(session: &mut Session<MemoryStore>, told: &mut Told, piece: usize) {
    loop {
        let mut answers = Vec::new();
        let progress = session.step(pace(piece), &mut answers);
        answers.into_iter().for_each(|news| told.add(news));
        if progress != Progress::Working {
            return;
        }
    }
}

fn search(session: &mut Session<MemoryStore>, query: &Query, piece: usize) -> Told {
    let mut told = Told::default();
    let answers = session.handle(&Request::Search(query.clone(), 7));
    answers.into_iter().for_each(|answer| told.add(answer));
    go(session, &mut told, piece);
    assert!(told.last.done && told.last.generation == 7);
    let n: u64 = told.by_id.values().map(|n| u64::from(*n)).sum();
    assert_eq!(n + told.last.nowhere, told.last.total);
    told
}

fn find(opened: &mut Opened, text: &str) -> Told {
    search(&mut opened.session, &Query::literal(text), 1 << 20)
}

/// An AgentDbg tool call.
fn call(at: usize, name: &str, args: &serde_json::Value, result: &serde_json::Value) -> String {
    let event = json!({
        "spec_version": "0.1", "event_id": format!("e-{at}"), "run_id": "run-1", "parent_id": null,
        "event_type": "TOOL_CALL", "ts": format!("2026-01-01T00:{:02}:{:02}.000Z", at / 60, at % 60), "duration_ms": 1,
        "name": name, "payload": { "tool_name": name, "args": args, "result": result, "status": "ok", "error": null },
        "meta": {},
    });
    format!("{event}\n")
}

fn three() -> String {
    [
        call(0, "first", &json!({"q": "Zürich \"HB\""}), &json!("a\nneedle\nb needle")),
        call(1, "second", &json!({"q": "x"}), &json!(null)),
        call(2, "third", &json!({"path": "/needle/"}), &json!({"n": 12})),
    ]
    .concat()
}

#[test]
fn hits_belong_to_events() {
    let mut opened = open_one("events.jsonl", three().as_bytes());
    let told = find(&mut opened, "needle");
    assert_eq!(told.by_id, [(0, 2), (2, 1)].into());
    assert_eq!(told.last.total, 3);
    assert_eq!(told.last.searched_bytes, told.last.total_bytes);
    assert_eq!(told.last.total_bytes, three().len() as u64);
    let texts: Vec<String> = told.lines.iter().map(|line| line.text.join("|")).collect();
    assert_eq!(texts, ["a |needle| b needle", "a needle b |needle|", "/|needle|/"]);
    assert_eq!(told.lines[2].id, Some(2));
    for (text, id) in [("zürich \"hb\"", 0), ("a\nneedle", 0), ("second", 1), ("\"x", 9)] {
        let told = find(&mut opened, text);
        assert_eq!(told.by_id.keys().next().copied().unwrap_or(9), id, "{text}");
    }
}

#[test]
fn pieces_of_every_size_find_the_same() {
    let text = three();
    let mut opened = open_one("events.jsonl", text.as_bytes());
    let whole = find(&mut opened, "needle");
    for piece in 1..200 {
        let told = search(&mut opened.session, &Query::literal("needle"), piece);
        assert_eq!(told, whole, "{piece}");
    }
}

#[test]
fn a_search_goes_along_with_the_reading() {
    let long = "x".repeat(1_000);
    let mut text: String =
        (0..400).map(|at| call(at, "step", &json!({"long": long}), &json!("needle"))).collect();
    text.push_str("some noise with a needle in it\n");
    text.push_str(&call(400, "last", &json!({}), &json!("needle")));
    let expected = find(&mut open_one("events.jsonl", text.as_bytes()), "needle");
    assert_eq!((expected.last.total, expected.last.nowhere), (402, 1));
    assert_eq!(expected.lines[401].id, Some(400));
    for slice in [1_000, 77_777, 300_000, 1 << 20] {
        let mut store = MemoryStore::default();
        let handle = store.add(text.clone().into_bytes());
        let input = Input { path: "events.jsonl".to_owned(), len_bytes: 0 };
        let request = OpenRequest { inputs: vec![input], ..OpenRequest::default() };
        let mut session = Session::new(store, request);
        let source = session.begin("events.jsonl", handle);
        let mut told = Told::default();
        session.handle(&Request::Search(Query::literal("needle"), 3));
        let mut early = 0;
        for at in (0..text.len()).step_by(slice) {
            let bytes = session.store().read(handle, at as u64, slice).unwrap();
            session.push(source, &bytes);
            go(&mut session, &mut told, 4_096);
            assert!(!told.last.done, "more may come");
            early = told.last.total;
        }
        assert!(slice > 400_000 || early > 50, "what is there is found at once, not {early}");
        session.end(source);
        session.complete();
        go(&mut session, &mut told, 4_096);
        assert!(told.last.done);
        assert_eq!(told.by_id, expected.by_id, "{slice}");
        assert_eq!(told.lines, expected.lines, "{slice}");
        assert_eq!(told.last.nowhere, 1);
    }
}

#[test]
fn packed_and_several_files_are_searched_unpacked() {
    let (a, b) = (three(), three().replace("run-1", "run-2"));
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(b.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let mut opened =
        open(&[("a.jsonl.gz", &gzip(a.as_bytes())), ("b.jsonl", &utf16)], &Opening::default());
    let told = find(&mut opened, "Zürich");
    assert_eq!(told.by_id.len(), 2);
    let outline = opened.outline();
    for line in &told.lines {
        assert!(!outline.sources[line.source as usize].is_container);
    }
    assert_eq!(told.last.total_bytes, (a.len() + b.len()) as u64);
}

#[test]
fn a_new_query_stops_the_old_one() {
    let text: String =
        (0..2_000).map(|at| call(at, "step", &json!({}), &json!("needle"))).collect();
    let mut opened = open_one("events.jsonl", text.as_bytes());
    let session = &mut opened.session;
    session.handle(&Request::Search(Query::literal("needle"), 1));
    assert_eq!(session.step(pace(10_000), &mut Vec::new()), Progress::Working);
    assert!(session.has_jobs());
    let told = search(session, &Query::literal("step"), 10_000);
    assert_eq!(told.last.total, 4_000, "the name is told twice");
    assert_eq!(told.lines.len(), MAX_LISTED, "the list is cut, the counts are not");
    assert_eq!(told.by_id.len(), 2_000);
    session.handle(&Request::Search(Query::literal("needle"), 2));
    session.handle(&Request::StopSearch);
    let mut answers = Vec::new();
    assert_eq!(session.step(pace(10_000), &mut answers), Progress::Finished);
    assert_eq!(answers, []);
}

#[test]
fn a_wrong_expression_says_what_is_wrong() {
    let mut opened = open_one("events.jsonl", three().as_bytes());
    let query = Query { regex: true, ..Query::literal("a(b") };
    let told = search(&mut opened.session, &query, 1 << 20);
    let fault = told.last.fault.unwrap();
    assert_eq!(fault.at, Some(2));
    assert!(fault.what.contains("closing"));
}

/// Every event of a real trace is found by text of its own line, and the match is inside its own record.
#[test]
fn hits_of_real_traces_stand_in_records_of_their_events() {
    let files = traces();
    let mut n = 0;
    for (name, bytes) in &files {
        let mut opened = open_one(name, bytes);
        let told = find(&mut opened, "the");
        for line in told.lines.iter().filter(|line| line.id.is_some()) {
            let trace = opened.session.trace();
            let event = trace.events().get(line.id.unwrap() as usize).unwrap();
            let holds = trace.places(event).any(|place| {
                let span = place.span;
                span.source.index() == line.source as usize
                    && (span.start..span.start + u64::from(span.len)).contains(&line.byte)
            });
            assert!(holds, "{name}: byte {}", line.byte);
            n += 1;
        }
        assert_eq!(told.last.searched_bytes, told.last.total_bytes, "{name}");
    }
    println!("{n} hits");
    assert!(n > at_least(1_000, 30));
}

#[test]
fn text_that_a_rollout_holds_twice_is_found_once() {
    let line = |kind: &str, payload: serde_json::Value| {
        let record =
            json!({"timestamp": "2026-03-04T10:00:00.000Z", "type": kind, "payload": payload});
        format!("{record}\n")
    };
    let message = |role: &str, kind: &str, text: &str| {
        let content = json!([{"type": kind, "text": text}]);
        line("response_item", json!({"type": "message", "role": role, "content": content}))
    };
    let event =
        |kind: &str, key: &str, text: &str| line("event_msg", json!({"type": kind, key: text}));
    let log = [
        line("session_meta", json!({"id": "s-1", "cwd": "/boat", "cli_version": "0.130.0"})),
        event("task_started", "turn_id", "t-1"),
        message("user", "input_text", "Please mend the mizzen"),
        event("user_message", "message", "Please mend the mizzen"),
        event("agent_reasoning", "text", "The halyard looks worn, and the halyard squeaks"),
        line(
            "response_item",
            json!({"type": "reasoning", "summary": [
                {"type": "summary_text", "text": "The halyard looks worn, and the halyard squeaks"}
            ]}),
        ),
        event("agent_message", "message", "I replaced the gasket"),
        message("assistant", "output_text", "I replaced the gasket"),
        event("task_complete", "last_agent_message", "I replaced the gasket"),
        message("user", "input_text", "And the gasket of the pump?"),
        event("user_message", "message", "And the gasket of the pump?"),
    ]
    .concat();
    let mut opened = open_one("rollout.jsonl", log.as_bytes());
    // The prompt, the thinking with the word twice, the answer and the next prompt.
    for (word, counts) in [("mizzen", vec![1]), ("halyard", vec![2]), ("gasket", vec![1, 1])] {
        let told = find(&mut opened, word);
        let found: Vec<u32> = told.by_id.values().copied().collect();
        assert_eq!(found, counts, "{word}: {:?}", told.lines);
        assert_eq!(told.last.total, u64::from(counts.iter().sum::<u32>()), "{word}");
        assert_eq!(told.lines.len() as u64, told.last.total);
    }
}

#[test]
fn messages_of_real_rollouts_are_found_once() {
    let Some(root) = shared("traces/codex-rollout") else { return };
    let mut n = 0;
    for path in files_below(&root) {
        let (name, bytes) = named(&root, &path);
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        let lines: Vec<serde_json::Value> =
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let told = lines.iter().filter(|line| line["type"] == "event_msg").filter_map(|line| {
            let kind = line["payload"]["type"].as_str()?;
            let key = if kind == "agent_reasoning" { "text" } else { "message" };
            let is_message = ["agent_reasoning", "agent_message", "user_message"].contains(&kind);
            line["payload"][key].as_str().filter(|_| is_message)
        });
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == ' ';
        let needles: BTreeSet<String> = told
            .map(|text| text.chars().take_while(|it| is_plain(*it)).take(40).collect::<String>())
            .filter(|needle| needle.len() >= 30)
            // Its two or three copies, and nothing else.
            .filter(|needle| {
                let has = |line: &&str| lowercase(line).contains(&lowercase(needle));
                let found: Vec<&str> = text.lines().filter(has).collect();
                (2..=3).contains(&found.len())
                    && !found.iter().any(|it| it.contains("\"compacted\""))
            })
            .collect();
        let mut opened = open_one(&name, &bytes);
        for needle in needles.iter().take(12) {
            let told = find(&mut opened, needle);
            let copies = told.lines.iter().map(|it| (it.id, it.byte)).collect::<Vec<_>>();
            let kinds: Vec<_> = copies.iter().filter_map(|it| it.0).collect();
            assert_eq!(told.last.total, 1, "{name}: {needle} in {kinds:?}");
            n += 1;
        }
    }
    assert!(n > 20, "{n}");
}
