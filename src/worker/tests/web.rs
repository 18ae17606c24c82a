//! Tests the worker's interface to the browser, in a worker of a real browser: Blobs as the store, and the session on
//! top of them. Run by `make test` through wasm-bindgen's test runner.

#![cfg(target_arch = "wasm32")]

use js_sys::{Array, Uint8Array};
use traceloupe_core::model::key_hash;
use traceloupe_protocol::messages::{Input, OpenRequest, Request, Response, decode, encode};
use traceloupe_session::Session;
use traceloupe_session::store::Store as _;
use traceloupe_worker::jobs::blobs::BlobStore;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::Blob;

wasm_bindgen_test_configure!(run_in_dedicated_worker);

fn blob(bytes: &[u8]) -> Blob {
    Blob::new_with_u8_array_sequence(&Array::of1(&Uint8Array::from(bytes))).unwrap()
}

#[wasm_bindgen_test]
fn a_file_is_read_by_slice() {
    let mut store = BlobStore::default();
    let file = store.add(&blob(b"0123456789"));
    assert_eq!(store.len(file), 10);
    assert_eq!(store.read(file, 3, 4).unwrap(), b"3456");
    assert_eq!(store.read(file, 8, 100).unwrap(), b"89");
    assert_eq!(store.read(file, 50, 1).unwrap(), b"");
}

#[wasm_bindgen_test]
fn keys_are_as_wide_as_elsewhere() {
    // The same number as in the unit test, which runs with 64-bit pointers.
    let id = "2430a173-535b-4c29-8768-842976f2f253";
    assert_eq!(key_hash(&["run", id]), 8_871_808_715_967_808_028);
}

#[wasm_bindgen_test]
fn unpacked_bytes_are_read_across_their_pieces() {
    let mut store = BlobStore::default();
    let kept = store.create();
    // The complete pieces become a Blob, and the end stays in memory.
    let piece: Vec<u8> = (0..3_000_000_u32).map(|at| (at % 251) as u8).collect();
    for _ in 0..4 {
        store.append(kept, &piece);
    }
    let whole = piece.repeat(4);
    assert_eq!(store.len(kept), whole.len() as u64);
    for (start, len) in [(0, 10), (5_999_990, 20), (8_999_000, 3_001_000), (11_999_999, 5)] {
        let end = (start + len).min(whole.len());
        assert_eq!(store.read(kept, start as u64, len).unwrap(), whole[start..end]);
    }
}

#[wasm_bindgen_test]
fn a_session_stands_on_blobs() {
    let line = |id: u32| {
        format!(
            r#"{{"spec_version":"0.1","event_id":"e{id}","run_id":"r-1","parent_id":null,"event_type":"TOOL_CALL","ts":"2026-01-01T00:00:0{id}.000Z","duration_ms":null,"name":"search","payload":{{"tool_name":"search","args":{{"q":"x"}},"result":{{"hits":0}},"status":"ok","error":null}},"meta":{{}}}}"#
        )
    };
    let text = (0..4).map(line).collect::<Vec<_>>().join("\n");
    let mut store = BlobStore::default();
    let file = store.add(&blob(text.as_bytes()));
    let input = Input { path: "events.jsonl".to_owned(), len_bytes: text.len() as u64 };
    let request = OpenRequest { inputs: vec![input], ..OpenRequest::default() };
    let mut session = Session::new(store, request);
    let answers = session.open_all(&[file], 100);
    let [Response::Outline(outline)] = answers.as_slice() else { panic!("{answers:?}") };
    assert_eq!(outline.runs[0].counts.tool_calls, 4);
    assert_eq!(outline.findings[0].repetitions(), 4);
    // Both ends of the protocol are from this build, so a message must survive the round trip.
    let sent: Response = decode(&encode(&answers[0])).unwrap();
    // Compared as bytes, because an unknown number is not equal to itself.
    assert_eq!(encode(&sent), encode(&answers[0]));
    let previews = session.handle(&Request::Previews(vec![0]));
    assert_eq!(previews, [Response::Previews(vec![(0, "q: \"x\"".to_owned().into())])]);
}
