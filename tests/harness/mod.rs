//! Opens files through a whole session, as the page's worker does, and says what came of it.
#![allow(dead_code, reason = "each test file uses its part of the harness")]

pub mod claims;
pub mod dump;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use traceloupe::session::Session;
use traceloupe::session::store::{MemoryStore, Store};
use traceloupe::view::page::assembly::Assembly;
use traceloupe::view::wire::outline::Outline;
use traceloupe::view::wire::protocol::{
    EntryLine, Input, OpenRequest, Problem, Request, Response, decode, encode,
};

/// The slice the page reads at once.
pub const SLICE_BYTES: usize = 1 << 20;

/// A path below the folder of real and hostile files, if that is here.
pub fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(path);
    if !path.exists() {
        println!("skipped: ../shared is not here");
        return None;
    }
    Some(path)
}

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

/// The trace files of the formats that are read whole, with their names below the folder of traces.
pub fn traces() -> Option<Vec<(String, Vec<u8>)>> {
    let root = shared("traces")?;
    let folders = [
        "agentdbg",
        "agentv",
        "archi",
        "claude-code",
        "flashinfer-bench",
        "iflow",
        "invariant-explorer",
    ];
    let files = folders.iter().flat_map(|folder| files_below(&root.join(folder)));
    let files = files.filter(|path| path.extension().is_some_and(|it| it != "md"));
    Some(files.map(|path| named(&root, &path)).collect())
}

/// A file with its name below a folder.
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

/// What came of opening files.
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

/// An outline with its rows as the page has it when all messages have come.
pub fn arrived<S: Store>(session: &Session<S>, outline: &Outline) -> Outline {
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

/// Opens one file as it is.
pub fn open_one(name: &str, bytes: &[u8]) -> Opened {
    open(&[(name, bytes)], &Opening::default())
}

impl Opened {
    /// The outline; anything else is a failure of the test.
    pub fn outline(&self) -> &Outline {
        match &self.outcome {
            Outcome::Outline(outline) => outline,
            Outcome::Failed(problem) => panic!("nothing to show: {problem:?}"),
            Outcome::Choose(asked) => panic!("a choice among {asked:?}"),
        }
    }

    /// The problem, where nothing can be shown.
    pub fn problem(&self) -> Option<&Problem> {
        match &self.outcome {
            Outcome::Failed(problem) => Some(problem),
            _ => None,
        }
    }

    /// The only answer to a request.
    pub fn ask(&mut self, request: &Request) -> Response {
        let mut answers = self.session.handle(request);
        assert_eq!(answers.len(), 1);
        answers.remove(0)
    }

    /// Codes of all warnings, each as often as it was raised, sorted.
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
