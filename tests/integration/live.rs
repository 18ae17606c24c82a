//! Files that grow while they are read: rows appear before anything is complete, and the final
//! trace is the same as from the whole file, wherever the bytes pause.

use crate::harness;

use harness::dump::{assert_same, full};
use harness::{arrived, open_one, traces};
use traceloupe_core::model::SourceId;
use traceloupe_protocol::messages::{Growth, Input, OpenRequest, Request, Response};
use traceloupe_protocol::outline::OutlineHead;
use traceloupe_session::Session;
use traceloupe_session::store::{MemoryStore, Store as _};

fn live(name: &str) -> (Session<MemoryStore>, SourceId) {
    let mut store = MemoryStore::default();
    let handle = store.create();
    let request = OpenRequest {
        inputs: vec![Input { path: name.to_owned(), len_bytes: 0 }],
        grows: Some(Growth { total_bytes: 0, is_live: true }),
        ..OpenRequest::default()
    };
    let mut session = Session::new(store, request);
    let source = session.begin(name, handle);
    (session, source)
}

fn look(session: &mut Session<MemoryStore>) -> Option<OutlineHead> {
    match session.snapshot() {
        Some(Response::Outline(outline)) => Some(*outline),
        _ => None,
    }
}

fn events(session: &mut Session<MemoryStore>) -> u64 {
    look(session).map_or(0, |outline| outline.runs.iter().map(|run| run.counts.events).sum())
}

const LINES: [&str; 3] = [
    "{\"type\":\"meta\",\"event\":\"stream_started\"}\n",
    "{\"type\":\"tool_start\",\"tool_call_id\":\"a\",\"tool_name\":\"search\",\"tool_args\":{}}\n",
    "{\"type\":\"tool_output\",\"tool_call_id\":\"a\",\"output\":\"found\"}\n",
];

#[test]
fn a_line_is_a_row_when_the_bytes_pause() {
    let (mut session, source) = live("answer.ndjson");
    session.push_more(source, &LINES[0].as_bytes()[..20]);
    session.pause(source, false);
    assert_eq!(events(&mut session), 0, "half a line says nothing yet");
    session.push_more(source, &LINES[0].as_bytes()[20..]);
    assert_eq!(events(&mut session), 0, "not before it pauses");
    session.pause(source, true);
    assert_eq!(events(&mut session), 1);
    session.push_more(source, LINES[1].as_bytes());
    let outline = look(&mut session).unwrap();
    assert!(outline.is_live && !outline.complete);
    assert_eq!((outline.runs[0].status.word(), outline.runs[0].n_rows), ("running", 2));
    // The rows that have arrived can be opened.
    let Response::Detail(detail) = session.handle(&Request::Detail(1)).remove(0) else { panic!() };
    assert_eq!(detail.records.len(), 1);
    session.push_more(source, LINES[2].as_bytes());
    let Response::Detail(detail) = session.handle(&Request::Detail(1)).remove(0) else { panic!() };
    assert_eq!(detail.records.len(), 2);
    session.end(source);
    let Response::Outline(outline) = session.complete() else { panic!() };
    assert!(!outline.is_live && outline.complete);
    assert_eq!(session.whole(source).len, LINES.concat().len() as u64);
}

#[test]
fn patience_waits_for_a_format_that_is_sure() {
    let (mut session, source) = live("log.ndjson");
    session.push_more(source, b"{\"level\":\"info\"}\n");
    session.pause(source, true);
    assert_eq!(events(&mut session), 0);
    session.pause(source, false);
    assert_eq!(events(&mut session), 1);
    assert_eq!(look(&mut session).unwrap().sources[0].format, "records");
}

#[test]
fn comments_and_half_lines_settle_nothing() {
    let (mut session, source) = live("sse");
    for piece in [
        ": keep alive\n\n",
        "event: x\n",
        "data: {\"type\":\"chunk\",\"content\":\"a\",",
        "\"accumulated\":true}\n",
    ] {
        session.push_more(source, piece.as_bytes());
        session.pause(source, false);
        assert_eq!(events(&mut session), 0, "{piece}");
    }
    session.push_more(source, b"\n");
    session.pause(source, false);
    assert_eq!(events(&mut session), 1);
}

#[test]
fn with_patience_a_list_on_one_line_waits_for_the_next() {
    let lines = r#"[{"role":"user","content":"One"}]
[{"role":"user","content":"Two"}]
"#;
    for cut in 1..lines.len() {
        let (mut session, source) = live("lists.jsonl");
        session.push_more(source, &lines.as_bytes()[..cut]);
        session.pause(source, true);
        session.push_more(source, &lines.as_bytes()[cut..]);
        session.end(source);
        let Response::Outline(outline) = session.complete() else { panic!() };
        let opened = open_one("lists.jsonl", lines.as_bytes());
        assert_same(&full(&arrived(&session, &outline)), &full(opened.outline()));
    }
    // A list that stays alone is shown at the end.
    let (mut session, source) = live("list.json");
    session.push_more(source, &lines.as_bytes()[..=lines.find('\n').unwrap()]);
    session.pause(source, true);
    assert_eq!(events(&mut session), 0);
    session.pause(source, false);
    assert_eq!(events(&mut session), 1);
}

#[test]
fn stopping_keeps_what_came() {
    let (mut session, source) = live("answer.ndjson");
    session.push_more(source, LINES[..2].concat().as_bytes());
    session.pause(source, true);
    session.handle(&Request::Stop);
    session.end(source);
    let Response::Outline(outline) = session.complete() else { panic!() };
    assert_eq!(outline.stopped, Some((LINES[..2].concat().len() as u64, 0)));
    assert_eq!(outline.runs[0].n_rows, 2);
    assert!(outline.runs[0].no_end.is_none(), "that its end is missing is no news");
}

#[test]
fn in_the_end_it_is_the_same_wherever_the_bytes_paused() {
    let files = traces();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let small = files.iter().filter(|(_, bytes)| bytes.len() < 100_000);
    for (name, bytes) in small {
        let (mut session, source) = live(name);
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let len = usize::try_from(random % 3_000).unwrap().clamp(1, rest.len());
            session.push_more(source, &rest[..len]);
            rest = &rest[len..];
            // As long as the session may wait, nothing is decided too early.
            session.pause(source, true);
            look(&mut session);
        }
        session.end(source);
        let Response::Outline(outline) = session.complete() else { panic!("{name}") };
        let opened = open_one(name, bytes);
        assert_same(&full(&arrived(&session, &outline)), &full(opened.outline()));
    }
}
