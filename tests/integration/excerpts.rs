//! Parts of a trace as files that can be opened again: whole lines of the source, in order, and nothing else.

use crate::harness::{Opened, Opening, Outcome, open, open_one, traces};
use traceloupe_protocol::messages::{Request, Response};
use traceloupe_session::store::{Handle, Store as _};

/// The files with the records of events; `None` if they cannot be cut out.
fn excerpt(opened: &mut Opened, ids: Vec<u32>) -> Option<Vec<(String, Vec<u8>)>> {
    let mut made = Vec::new();
    for response in opened.session.answer(&Request::Excerpt(ids, 5)) {
        match response {
            Response::File(5, file) => {
                let len = usize::try_from(file.len).unwrap();
                let bytes = opened.session.store().read(Handle(file.handle), file.start, len);
                made.push((file.name, bytes.unwrap()));
            }
            Response::Excerpted(5, true) => return Some(made),
            Response::Excerpted(5, false) => {
                assert!(made.is_empty());
                return None;
            }
            other => panic!("{other:?}"),
        }
    }
    panic!("no answer")
}

fn line(id: u32, kind: &str, payload: &str) -> String {
    format!(
        r#"{{"spec_version":"0.1","event_id":"e-{id}","run_id":"r","parent_id":null,"event_type":"{kind}","ts":"2026-01-05T10:00:0{id}Z","duration_ms":null,"name":"n{id}","payload":{payload},"meta":{{}}}}"#
    )
}

fn call(id: u32) -> String {
    line(id, "TOOL_CALL", r#"{"tool_name":"t","args":{},"result":1,"status":"ok","error":null}"#)
}

#[test]
fn some_events_are_their_lines_after_the_first_line() {
    let lines = [line(0, "RUN_START", r#"{"run_name":"x"}"#), call(1), call(2), call(3)];
    let text = lines.join("\n");
    let mut opened = open_one("a.jsonl", text.as_bytes());
    let ids = opened.outline().rows.ids.as_slice().to_vec();
    assert_eq!(ids.len(), 4);
    let made = excerpt(&mut opened, vec![ids[2], ids[3]]).unwrap();
    assert_eq!(
        made,
        [(
            "a.jsonl".to_owned(),
            format!("{}\n{}\n{}\n", lines[0], lines[2], lines[3]).into_bytes()
        )]
    );
}

#[test]
fn all_events_are_the_whole_file_byte_for_byte() {
    let text =
        format!("\u{feff}{}\r\n\r\n{}\0 \r\n{}", line(0, "RUN_START", "{}"), call(1), call(2));
    let mut opened = open_one("a.jsonl", text.as_bytes());
    let ids = opened.outline().rows.ids.as_slice().to_vec();
    let made = excerpt(&mut opened, ids).unwrap();
    assert_eq!(made, [("a.jsonl".to_owned(), text.into_bytes())]);
}

#[test]
fn parts_of_a_document_are_refused() {
    let message = |role: &str| format!(r#"{{"role":"{role}","content":"hello {role}"}}"#);
    let (user, assistant) = (message("user"), message("assistant"));
    for text in [
        format!("[{user},{assistant},{user},{assistant}]"),
        format!("[\n{user},\n{assistant},\n{user},\n{assistant}\n]\n"),
    ] {
        let mut opened = open_one("a.json", text.as_bytes());
        let ids = opened.outline().rows.ids.as_slice().to_vec();
        assert!(ids.len() > 2);
        assert_eq!(excerpt(&mut opened, ids[..2].to_vec()), None, "{text}");
        assert_eq!(excerpt(&mut opened, ids[1..].to_vec()), None, "{text}");
    }
}

#[test]
fn parts_of_traces_consist_of_their_lines_and_open_again() {
    let (mut n_cut, mut n_refused) = (0, 0);
    for (name, bytes) in &traces() {
        let mut opened = open_one(name, bytes);
        let Outcome::Outline(outline) = &opened.outcome else { continue };
        let ids: Vec<u32> = outline.rows.ids.as_slice().to_vec();
        let format = outline.runs.first().map(|run| run.format.clone());
        if ids.len() < 4 || outline.sources.len() != 1 {
            continue;
        }
        let Some(made) = excerpt(&mut opened, ids[..ids.len() / 2].to_vec()) else {
            n_refused += 1;
            continue;
        };
        let [(_, part)] = made.as_slice() else { panic!("{name}: {} files", made.len()) };
        let mut rest = bytes.split(|byte| *byte == b'\n');
        let part_lines = part.strip_suffix(b"\n").unwrap_or(part);
        for line in part_lines.split(|byte| *byte == b'\n') {
            let trimmed = |line: &[u8]| line.strip_suffix(b"\r").unwrap_or(line).to_vec();
            assert!(
                rest.any(|it| trimmed(it) == trimmed(line)),
                "{name}: a line that is not in the file"
            );
        }
        let format: &'static str = String::leak(format.unwrap());
        let again = open(&[(name, part)], &Opening { format: Some(format), ..Opening::default() });
        assert!(again.outline().n_rows > 0, "{name}");
        n_cut += 1;
    }
    println!("{n_cut} cut, {n_refused} refused");
    assert!(n_cut > 20 && n_refused > 0);
}
