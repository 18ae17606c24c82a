//! Warms up a worker that waits for its first file. Browsers recompile wasm with optimisations after it has run for a
//! while. The traces for this are generated here.

use std::ops::Range;

use super::Session;
use super::store::{Handle, Store};
use traceloupe_core::model::SourceId;
use traceloupe_protocol::messages::{Input, OpenRequest, encode};

/// The records of one piece: about 200 KiB, which takes a few milliseconds before the code is optimised.
const RECORDS: usize = 300;

/// The pieces of one trace. Chromium has optimised the loops after three or four megabytes.
const PIECES: usize = 7;

/// How many times summaries of each trace are made, and for which rows.
const SUMMARIES: usize = 3;
const ROWS: Range<u32> = 0..400;

/// Generates the record with a number.
type Make = fn(usize) -> String;

/// One trace for each way of reading that differs much from the others.
const TRACES: [Make; 3] = [agentdbg, claude_code, plain];

/// Reads generated traces piece by piece, and makes the responses that are requested when a file has been opened. The
/// store is of the same kind as for real files, so that the same code gets optimised.
#[derive(Debug)]
pub struct WarmUp<S> {
    done: usize,
    open: Option<Open<S>>,
}

/// A trace that is being read, or has been.
#[derive(Debug)]
struct Open<S> {
    session: Session<S>,
    source: SourceId,
    handle: Handle,
}

impl<S> Default for WarmUp<S> {
    fn default() -> Self {
        Self { done: 0, open: None }
    }
}

impl<S: Store + Default> WarmUp<S> {
    /// Does one step: reads a piece, or makes some summaries. Returns `false` if there is nothing more to do.
    pub fn step(&mut self) -> bool {
        const STEPS: usize = PIECES + SUMMARIES;
        let Some(make) = TRACES.get(self.done / STEPS) else { return false };
        let step = self.done % STEPS;
        self.done += 1;
        let Open { session, source, handle } = self.open.get_or_insert_with(open);
        if step < PIECES {
            let records: Vec<String> =
                (0..RECORDS).map(|at| make(step * RECORDS + at) + "\n").collect();
            let piece = records.concat();
            session.store_mut().append(*handle, piece.as_bytes());
            session.push(*source, piece.as_bytes());
            if step + 1 == PIECES {
                session.end(*source);
                // Encoding should be optimised too. The result is not needed.
                let _ = encode(&session.complete());
            } else if let Some(outline) = session.snapshot() {
                // Like the first rows of a file, which are shown while the file is being read.
                let _ = encode(&outline);
            }
            return true;
        }
        let _ = encode(&session.previews(&ROWS.collect::<Vec<u32>>()));
        if step + 1 == STEPS {
            self.open = None;
        }
        true
    }
}

fn open<S: Store + Default>() -> Open<S> {
    let mut store = S::default();
    let handle = store.create();
    let inputs = vec![Input { path: "warm-up.jsonl".to_owned(), len_bytes: 0 }];
    let mut session = Session::new(store, OpenRequest { inputs, ..OpenRequest::default() });
    let source = session.begin("warm-up.jsonl", handle);
    Open { session, source, handle }
}

/// Text such as agents read and write: quotes, line ends, characters of other scripts.
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
    use crate::store::MemoryStore;
    use traceloupe_protocol::messages::Response;

    /// Whether the bytes of the first row are available for its summary.
    fn has_summary(session: &Session<MemoryStore>) -> bool {
        let Response::Previews(previews) = session.previews(&[0]) else { return false };
        previews.iter().all(|(_, it)| it.text.contains("word word"))
    }

    #[test]
    fn each_trace_is_read_as_what_it_imitates() {
        let mut warm_up = WarmUp::<MemoryStore>::default();
        let mut formats = Vec::new();
        let mut steps = 0;
        loop {
            let open = warm_up.open.as_ref();
            let last = open.map(|it| it.session.files.sources[0].format.map(|it| it.id()));
            let told = open.is_some_and(|it| has_summary(&it.session));
            if !warm_up.step() {
                break;
            }
            steps += 1;
            if warm_up.open.is_none() {
                formats.push((last.flatten(), told));
            }
        }
        assert_eq!(formats, ["agentdbg", "claude-code", "records"].map(|it| (Some(it), true)));
        assert_eq!(steps, (PIECES + SUMMARIES) * TRACES.len());
        for make in TRACES {
            assert!((0..6).all(|n| traceloupe_core::json::inspect(&make(n)).is_empty()));
            assert!((0..6).all(|n| traceloupe_core::json::is_strict(&make(n))));
        }
    }
}
