//! The user stops reading: everything read so far is kept, and the page shows how far reading got.

use crate::harness;

use std::io::Write as _;

use harness::gzip;
use traceloupe_core::model::NoEnd;
use traceloupe_protocol::messages::{Input, OpenRequest, Request, Response};
use traceloupe_protocol::outline::OutlineHead;
use traceloupe_session::store::{MemoryStore, Store as _};
use traceloupe_session::{Pace, Session};

fn lines(n: usize) -> Vec<u8> {
    let mut text = Vec::new();
    for at in 0..n {
        // Numbers that do not repeat, so that the compressed file is large too.
        let noise = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        writeln!(text, "{{\"type\":\"step\",\"n\":{at},\"noise\":\"{noise:x}{:x}\"}}", !noise)
            .unwrap();
    }
    text
}

/// Uncompressed entries, one after the other.
fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in entries {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        let (len, name_len) = (bytes.len() as u32, name.len() as u16);
        let start = out.len() as u32;
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        common.extend(crc.sum().to_le_bytes());
        common.extend(len.to_le_bytes());
        common.extend(len.to_le_bytes());
        common.extend(name_len.to_le_bytes());
        common.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(*bytes);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, n) = (out.len() as u32, entries.len() as u16);
    out.extend(&directory);
    out.extend(b"PK\x05\x06\x00\x00\x00\x00");
    out.extend(n.to_le_bytes());
    out.extend(n.to_le_bytes());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    out
}

/// Reads files in slices of 64 KiB, as the worker does; stops after this many steps.
fn read(files: &[(&str, Vec<u8>)], stop_after: usize) -> (Session<MemoryStore>, Response) {
    let mut store = MemoryStore::default();
    let handles: Vec<_> = files.iter().map(|(_, bytes)| store.add(bytes.clone())).collect();
    let inputs = files
        .iter()
        .map(|(name, bytes)| Input { path: (*name).to_owned(), len_bytes: bytes.len() as u64 });
    let entries = Some(vec![("two.zip".to_owned(), 0), ("two.zip".to_owned(), 1)]);
    let request = OpenRequest { inputs: inputs.collect(), entries, ..OpenRequest::default() };
    let mut session = Session::new(store, request);
    let mut steps = 0;
    let mut step = |session: &mut Session<MemoryStore>| {
        steps += 1;
        if steps == stop_after {
            assert_eq!(session.handle(&Request::Stop), []);
        }
    };
    for ((name, bytes), handle) in files.iter().zip(handles) {
        if session.is_stopped() {
            break;
        }
        let source = session.begin(name, handle);
        for slice in bytes.chunks(64 << 10) {
            session.push(source, slice);
            step(&mut session);
            if !session.wants_more(source) {
                break;
            }
        }
        session.end(source);
        while session.is_unpacking() {
            session.step(Pace::default(), &mut Vec::new());
            step(&mut session);
        }
    }
    let answer = session.complete();
    (session, answer)
}

#[track_caller]
fn outline(answer: Response) -> Box<OutlineHead> {
    match answer {
        Response::Outline(outline) => outline,
        other => panic!("{other:?}"),
    }
}

fn n_rows(outline: &OutlineHead) -> usize {
    outline.runs.iter().map(|run| run.n_rows as usize).sum()
}

#[test]
fn what_was_read_is_kept_and_the_rest_is_no_fault() {
    let all = lines(10_000);
    for (name, bytes) in
        [("a.jsonl", all.clone()), ("a.jsonl.gz", gzip(&all)), ("doc.json", as_array(&all))]
    {
        let total = bytes.len() as u64;
        let (session, answer) = read(&[(name, bytes.clone())], 2);
        let outline = outline(answer);
        assert!(outline.complete, "{name}");
        assert_eq!(outline.stopped, Some((128 << 10, total)), "{name}");
        let n = n_rows(&outline);
        assert!(n > 500 && n < 9_000, "{name}: {n}");
        assert_eq!(outline.warnings.len(), 0, "{name}: {:?}", outline.warnings);
        assert!(outline.sources.iter().all(|it| it.problem.is_none()), "{name}");
        assert_eq!(session.progress().0, 128 << 10, "{name}");
        // If everything was read, stopping is not mentioned.
        let (_, answer) = read(&[(name, bytes)], usize::MAX);
        assert_eq!(super_outline(answer), (None, 10_000), "{name}");
    }
}

fn super_outline(answer: Response) -> (Option<(u64, u64)>, usize) {
    let outline = outline(answer);
    (outline.stopped, n_rows(&outline))
}

fn as_array(lines: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(lines.to_vec()).unwrap();
    format!("[{}]", text.trim_end().replace('\n', ",\n")).into_bytes()
}

#[test]
fn files_that_were_not_begun_are_left_out() {
    let all = lines(5_000);
    let files = [("a.jsonl", all.clone()), ("b.jsonl", all.clone())];
    let (_, answer) = read(&files, 1);
    let outline = outline(answer);
    assert_eq!(outline.sources.len(), 1);
    assert_eq!(outline.stopped, Some((64 << 10, 2 * all.len() as u64)));
}

#[test]
fn archives_stop_between_their_pieces() {
    // Entries are unpacked a megabyte at a time.
    let all = lines(60_000);
    assert!(all.len() > 3 << 20);
    let zip = zip_of(&[("one.jsonl", &all), ("two.jsonl", &all)]);
    let (session, answer) = read(&[("two.zip", zip.clone())], usize::MAX);
    let whole = outline(answer);
    assert_eq!((whole.stopped, n_rows(&whole)), (None, 120_000));
    assert_eq!(session.store().kept_bytes(), 2 * all.len() as u64);
    assert_eq!(session.memory().blob_bytes, 2 * all.len() as u64);
    let (_, answer) = read(&[("two.zip", zip.clone())], 4);
    let stopped = outline(answer);
    let n = n_rows(&stopped);
    assert!(n > 1_000 && n < 60_000, "{n}");
    assert_eq!(stopped.stopped.unwrap().1, zip.len() as u64);
    assert_eq!(stopped.warnings.len(), 0, "{:?}", stopped.warnings);
}

#[test]
fn nothing_read_yet_says_what_to_do() {
    let long = format!("{{\"text\":\"{}\"}}\n", "x".repeat(1 << 20)).into_bytes();
    let (_, answer) = read(&[("a.jsonl", long)], 1);
    let Response::Failed(problem) = answer else { panic!("{answer:?}") };
    assert_eq!(problem.code.word(), "stopped");
}

#[test]
fn an_end_that_was_not_read_is_not_missed() {
    let event = |at: usize| {
        format!(
            "{{\"spec_version\":\"0.1\",\"event_id\":\"e{at}\",\"run_id\":\"r-1\",\"parent_id\":null,\"event_type\":\"TOOL_CALL\",\"ts\":\"2026-01-01T00:00:00.000Z\",\"duration_ms\":null,\"name\":\"look\",\"payload\":{{\"tool_name\":\"look\",\"args\":{{\"at\":{at}}},\"result\":null,\"status\":\"ok\",\"error\":null}},\"meta\":{{}}}}\n"
        )
    };
    let text: String = (0..2_000).map(event).collect();
    for (stop_after, no_end) in [(1, None), (usize::MAX, Some(NoEnd::RunEnd))] {
        let (_, answer) = read(&[("events.jsonl", text.clone().into_bytes())], stop_after);
        assert_eq!(outline(answer).runs[0].no_end, no_end);
    }
}
