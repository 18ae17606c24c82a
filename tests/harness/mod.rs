//! Opens files in a whole session, as the worker does, and returns the outcome.
#![allow(dead_code, reason = "the fuzz targets use a part of the harness")]

pub mod archives;
pub mod briefs;
pub mod claims;
pub mod detect;
pub mod dump;
pub mod faults;
pub mod fixtures;
pub mod json_cases;
pub mod own_format;
mod shared;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[allow(unused_imports, reason = "the fuzz targets use a part of the harness")]
pub use shared::{at_least, shared, shared_also};
use traceloupe_protocol::messages::{
    EntryLine, Input, OpenRequest, Problem, Request, Response, decode, encode,
};
use traceloupe_protocol::outline::OutlineHead;
use traceloupe_session::Session;
use traceloupe_session::store::{MemoryStore, Store};
use traceloupe_view::assembly::Assembly;
use traceloupe_view::outline::Outline;

/// How many bytes the worker reads at a time.
pub const SLICE_BYTES: usize = 1 << 20;

/// All files below a folder, by path.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The trace files of the formats that are read whole: our own fixtures, named below `fixtures/`, and the real files in
/// `../shared`, named below its folder of traces.
#[track_caller]
pub fn traces() -> Vec<(String, Vec<u8>)> {
    let mut found = fixtures::own_traces();
    let Some(root) = shared_also("traces") else { return found };
    let folders = [
        "agentdbg",
        "agentv",
        "anthropic-messages",
        "archi",
        "claude-code",
        "claude-stream-json",
        "cline",
        "codex-exec",
        "codex-rollout",
        "flashinfer-bench",
        "gemini-cli",
        "iflow",
        "invariant-explorer",
        "jaeger",
        "openai-chat-log",
        "opencode",
        "otel-sdk-spans",
        "otlp",
        "otlp-tempo",
        "qwen-code",
        "zipkin",
    ];
    let files = folders.iter().flat_map(|folder| files_below(&root.join(folder)));
    let files = files.filter(|path| path.extension().is_some_and(|it| it != "md"));
    found.extend(files.map(|path| named(&root, &path)));
    found
}

/// Our own faults of JSONL files and those of `../shared`.
#[track_caller]
pub fn all_faults() -> Vec<faults::Fault> {
    #[derive(serde::Deserialize)]
    struct Manifest {
        cases: Vec<Case>,
    }
    #[derive(serde::Deserialize)]
    struct Case {
        file: String,
        events: Option<u32>,
        diagnostics: Vec<String>,
    }
    let mut all = faults::faults();
    let Some(folder) = shared_also("hostile/generated/jsonl-faults") else { return all };
    let manifest = fs::read_to_string(folder.join("manifest.json")).unwrap();
    let manifest: Manifest = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest.cases.len(), 43);
    all.extend(manifest.cases.into_iter().map(|case| {
        let bytes = fs::read(folder.join(&case.file)).unwrap();
        let mut notices = case.diagnostics;
        notices.sort();
        faults::Fault { name: case.file, bytes, events: case.events, notices }
    }));
    all
}

/// A file with its name relative to a folder.
pub fn named(root: &Path, path: &Path) -> (String, Vec<u8>) {
    let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
    (name, fs::read(path).unwrap())
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// How files are opened.
#[derive(Clone, Default)]
pub struct Opening {
    pub slice_len: Option<usize>,
    pub format: Option<&'static str>,
    pub entries: Option<Vec<(String, u32)>>,
}

/// The outcome of opening files.
pub enum Outcome {
    Outline(Box<Outline>),
    Failed(Problem),
    Choose(Vec<(String, Vec<EntryLine>)>),
}

pub struct Opened {
    pub session: Session<MemoryStore>,
    pub outcome: Outcome,
}

/// Opens files: name and bytes of each.
pub fn open(files: &[(&str, &[u8])], opening: &Opening) -> Opened {
    let mut store = MemoryStore::default();
    let handles: Vec<_> = files.iter().map(|(_, bytes)| store.add(bytes.to_vec())).collect();
    let inputs = files
        .iter()
        .map(|(name, bytes)| Input { path: (*name).to_owned(), len_bytes: bytes.len() as u64 });
    let request = OpenRequest {
        inputs: inputs.collect(),
        format: opening.format.map(str::to_owned),
        entries: opening.entries.clone(),
        ..OpenRequest::default()
    };
    let mut session = Session::new(store, request);
    let responses = session.open_all(&handles, opening.slice_len.unwrap_or(SLICE_BYTES));
    let mut asked = Vec::new();
    let mut outcome = None;
    for response in responses {
        match response {
            Response::Outline(outline) => {
                outcome = Some(Outcome::Outline(Box::new(arrived(&session, &outline))));
            }
            Response::Failed(problem) => outcome = Some(Outcome::Failed(problem)),
            Response::Choose(path, entries) => asked.push((path, entries)),
            other => panic!("an unexpected answer: {other:?}"),
        }
    }
    Opened { session, outcome: outcome.unwrap_or(Outcome::Choose(asked)) }
}

/// An outline with its rows, as the page has it once all messages have arrived.
pub fn arrived<S: Store>(session: &Session<S>, outline: &OutlineHead) -> Outline {
    let sent = encode(&Response::Outline(Box::new(outline.clone())));
    let Some(Response::Outline(head)) = decode(&sent) else { panic!("the outline is lost") };
    let mut assembly = Assembly::new(*head);
    for rows in session.rows(outline) {
        assert!(!assembly.is_complete(), "no rows too many");
        let Some(Response::Rows(rows)) = decode(&encode(&rows)) else { panic!("rows are lost") };
        assembly.append(&rows);
    }
    assert!(assembly.is_complete(), "all rows are sent");
    assembly.finish()
}

/// Opens one file unchanged.
pub fn open_one(name: &str, bytes: &[u8]) -> Opened {
    open(&[(name, bytes)], &Opening::default())
}

impl Opened {
    /// The outline; fails the test if there is none.
    pub fn outline(&self) -> &Outline {
        match &self.outcome {
            Outcome::Outline(outline) => outline,
            Outcome::Failed(problem) => panic!("nothing to show: {problem:?}"),
            Outcome::Choose(asked) => panic!("a choice among {asked:?}"),
        }
    }

    /// The problem, if nothing can be shown.
    pub fn problem(&self) -> Option<&Problem> {
        match &self.outcome {
            Outcome::Failed(problem) => Some(problem),
            _ => None,
        }
    }

    /// The only response to a request.
    pub fn ask(&mut self, request: &Request) -> Response {
        let mut answers = self.session.answer(request);
        assert_eq!(answers.len(), 1);
        answers.remove(0)
    }

    /// The codes of all warnings, repeated as often as they were raised, sorted.
    pub fn codes(&self) -> Vec<String> {
        let warnings = self.session.trace().warnings().as_slice().iter();
        let mut codes: Vec<String> = warnings
            .flat_map(|it| {
                std::iter::repeat_n(it.code.word().to_owned(), usize::try_from(it.count).unwrap())
            })
            .collect();
        codes.sort();
        codes
    }
}
