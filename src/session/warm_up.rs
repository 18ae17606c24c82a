//! Practice for a worker that waits: browsers translate wasm once more, and better, when it has run
//! for a while. What is read here is made up on the spot, so that the first real file meets code that
//! is already fast.

use super::Session;
use super::store::{MemoryStore, Store};
use crate::model::SourceId;
use crate::view::wire::protocol::{Input, OpenRequest};

/// Records made at once: some 200 KiB, a few milliseconds even where the code is still slow.
const RECORDS: usize = 300;

/// Pieces of each trace. Chromium has the loops translated well after three or four megabytes.
const PIECES: usize = 7;

/// Makes a record out of a number.
type Make = fn(usize) -> String;

/// The traces: those shapes whose reading differs most.
const TRACES: [Make; 3] = [agentdbg, claude_code, plain];

/// Reads made-up traces, one piece after the other.
#[derive(Debug, Default)]
pub struct WarmUp {
    done: usize,
    open: Option<(Session<MemoryStore>, SourceId)>,
}

impl WarmUp {
    /// Reads one piece. `false` when there are no more.
    pub fn step(&mut self) -> bool {
        let Some(make) = TRACES.get(self.done / PIECES) else { return false };
        let piece = self.done % PIECES;
        let (session, source) = self.open.get_or_insert_with(open);
        let records: Vec<String> =
            (0..RECORDS).map(|at| make(piece * RECORDS + at) + "\n").collect();
        session.push(*source, records.concat().as_bytes());
        self.done += 1;
        if self.done.is_multiple_of(PIECES)
            && let Some((mut session, source)) = self.open.take()
        {
            session.end(source);
            // What is encoded goes nowhere; that it is encoded is the practice.
            let _ = crate::view::wire::protocol::encode(&session.complete());
        }
        true
    }
}

fn open() -> (Session<MemoryStore>, SourceId) {
    let mut store = MemoryStore::default();
    let handle = store.create();
    let inputs = vec![Input { path: "warm-up.jsonl".to_owned(), len_bytes: 0 }];
    let mut session = Session::new(store, OpenRequest { inputs, ..OpenRequest::default() });
    let source = session.begin("warm-up.jsonl", handle);
    (session, source)
}

/// Text as agents read and write it: quotes, ends of lines, some words of other scripts.
fn text(n: usize) -> String {
    format!(
        r#"{n}: \"fn main() {{\"\n\tprintln!(\"ä {n}\");\n}} and so on, {}"#,
        "word ".repeat(40)
    )
}

fn agentdbg(n: usize) -> String {
    let (kind, payload) = match n % 3 {
        0 => (
            "LLM_CALL",
            format!(
                r#"{{"model":"m","prompt":[{{"role":"user","content":"{0}"}}],"response":"{0}","usage":{{"prompt_tokens":{n},"completion_tokens":2,"total_tokens":3}},"status":"ok","error":null}}"#,
                text(n)
            ),
        ),
        1 => ("STATE_UPDATE", format!(r#"{{"state":{{"step":{n}}},"diff":null}}"#)),
        _ => (
            "TOOL_CALL",
            format!(
                r#"{{"tool_name":"t{}","args":{{"path":"a/{n}","all":true}},"result":{{"text":"{}"}},"status":"ok","error":null}}"#,
                n % 7,
                text(n)
            ),
        ),
    };
    format!(
        r#"{{"spec_version": "0.1", "event_id": "{n:08x}-0000-4000-8000-000000000000", "run_id": "00000000-0000-4000-8000-000000000000", "parent_id": null, "event_type": "{kind}", "ts": "2026-01-01T00:00:00.{:03}Z", "duration_ms": {n}, "name": "t", "payload": {payload}, "meta": {{}}}}"#,
        n % 1000
    )
}

fn claude_code(n: usize) -> String {
    let message = match n % 2 {
        0 => format!(
            r#""type":"assistant","message":{{"id":"msg_{n}","type":"message","role":"assistant","model":"m","content":[{{"type":"text","text":"{}"}},{{"type":"tool_use","id":"toolu_{n}","name":"Read","input":{{"file_path":"a/{n}"}}}}],"usage":{{"input_tokens":{n},"output_tokens":2,"cache_read_input_tokens":3}}}}"#,
            text(n)
        ),
        _ => format!(
            r#""type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"toolu_{}","content":"{}"}}]}}"#,
            n - 1,
            text(n)
        ),
    };
    let parent = match n {
        0 => "null".to_owned(),
        _ => format!("\"{:08x}-0000-4000-8000-000000000000\"", n - 1),
    };
    format!(
        r#"{{"parentUuid":{parent},"isSidechain":false,"userType":"external","cwd":"/a","sessionId":"00000000-0000-4000-8000-000000000000","version":"2.0.0","gitBranch":"main",{message},"uuid":"{n:08x}-0000-4000-8000-000000000000","timestamp":"2026-01-01T00:00:00.{:03}Z"}}"#,
        n % 1000
    )
}

fn plain(n: usize) -> String {
    format!(r#"{{"step":{n},"level":"info","message":"{}","tags":["a","b"],"ok":true}}"#, text(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_trace_is_read_as_what_it_imitates() {
        let mut warm_up = WarmUp::default();
        let mut formats = Vec::new();
        let mut steps = 0;
        loop {
            let open = warm_up.open.as_ref();
            let last = open.map(|(session, _)| session.sources[0].format.map(|it| it.id()));
            if !warm_up.step() {
                break;
            }
            steps += 1;
            if warm_up.open.is_none() {
                formats.push(last.flatten());
            }
        }
        assert_eq!(formats, [Some("agentdbg"), Some("claude-code"), Some("records")]);
        assert_eq!(steps, PIECES * TRACES.len());
        for make in TRACES {
            assert!((0..6).all(|n| crate::json::inspect(&make(n)).is_empty()));
            assert!((0..6).all(|n| crate::json::is_strict(&make(n))));
        }
    }
}
