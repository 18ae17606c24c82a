//! The heart of the worker, without any input or output of its own: bytes are pushed in, requests
//! are answered, and bytes are read again through [`Store`]. So it is tested natively, as scripts of
//! requests and expected answers.
//!
//! **Invariant**: reading never fails half-way. What could not be read becomes a warning or a
//! problem of its source; one bad file never hides the others.

mod annotated;
mod annotating;
mod answers;
mod checking;
mod choose;
mod entries;
mod exporting;
mod files;
mod intake;
mod memory;
mod problems;
mod searching;
mod seldom;
mod source;
pub mod store;
mod warm_up;

use crate::analysis::Settings;
use crate::model::{RunId, RunStatus, SourceId, Trace, TraceBuilder};
use crate::view::wire::outline::{Outline, SourceLine};
use crate::view::wire::protocol::{
    EntryLine, Input, LoopSettings, MadeFile, OpenRequest, Request, Response,
};
use crate::view::wire::row_columns::SLICE_ROWS;
use crate::view::worker::outlining::{outline, row_slice};
pub use checking::RunCheck;
use entries::Unpacking;
pub use exporting::RunMaker;
pub use files::FileMaker;
use source::Source;
use store::{Handle, Store};
pub use warm_up::WarmUp;

pub use searching::SearchStep;

/// What follows when a source has been read to its end.
#[derive(Debug, PartialEq, Eq)]
pub enum AfterSource {
    /// Go on with the next one.
    Next,
    /// It is an archive: [`Session::unpack_some`] unpacks it.
    Unpack,
    /// It is an archive of several traces: let the person choose (path, entries).
    Choose(String, Vec<EntryLine>),
}

/// So many rows fill a screen, and what is asked for beyond it.
const FIRST_PREVIEWS: usize = 120;

/// One opening of files, and the trace that came of it.
#[derive(Debug)]
pub struct Session<S> {
    store: S,
    request: OpenRequest,
    sources: Vec<Source>,
    builder: TraceBuilder,
    trace: Trace,
    bytes_read: u64,
    /// Archive entries that are still to be unpacked.
    unpacking: Unpacking,
    is_stopped: bool,
    /// Whether everything has been read.
    is_complete: bool,
    search: Option<searching::Search>,
}

impl<S: Store> Session<S> {
    /// A session that opens what the request says.
    pub fn new(store: S, request: OpenRequest) -> Self {
        Self {
            store,
            request,
            sources: Vec::new(),
            builder: TraceBuilder::new(),
            trace: Trace::default(),
            bytes_read: 0,
            unpacking: Unpacking::default(),
            is_stopped: false,
            is_complete: false,
            search: None,
        }
    }

    /// The store, to read from it what the session does not ask for.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// The store, to give it what is at hand.
    pub fn store_mut(&mut self) -> &mut S {
        &mut self.store
    }

    /// The trace; while reading goes on, what there is of it, ordered as of the last outline.
    pub fn trace(&self) -> &Trace {
        if self.is_complete { &self.trace } else { self.builder.trace() }
    }

    /// Whether the person has stopped the reading.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Bytes of the files read so far, and events found in them.
    pub fn progress(&self) -> (u64, u64) {
        (self.bytes_read, self.builder.trace().events().len() as u64)
    }

    /// Opens all files of the request, in [`reading_order`], by reading them whole from the store in slices: the simple
    /// road for tests and tools. The page's worker pushes slices itself, to read ahead.
    pub fn open_all(&mut self, handles: &[Handle], slice_len: usize) -> Vec<Response> {
        let mut asked = Vec::new();
        let inputs = self.request.inputs.clone();
        let order = reading_order(&inputs);
        for (input, handle) in order.iter().filter_map(|at| inputs.get(*at).zip(handles.get(*at))) {
            if self.is_stopped {
                break;
            }
            let source = self.begin(&input.path, *handle);
            let mut at = 0;
            while self.wants_more(source)
                && let Ok(bytes) = self.store.read(*handle, at, slice_len)
            {
                if bytes.is_empty() {
                    break;
                }
                at += bytes.len() as u64;
                self.push(source, &bytes);
            }
            match self.end(source) {
                AfterSource::Choose(path, entries) => asked.push(Response::Choose(path, entries)),
                AfterSource::Unpack => while self.unpack_some() {},
                AfterSource::Next => {}
            }
        }
        if !asked.is_empty() {
            return asked;
        }
        vec![self.complete()]
    }

    /// All bytes of a source that has grown, for who brought them piece by piece.
    #[must_use]
    pub fn whole(&self, id: SourceId) -> MadeFile {
        let Some(source) = self.sources.get(id.index()) else { return MadeFile::default() };
        MadeFile {
            name: source.path.clone(),
            handle: source.handle.0,
            len: self.store.len(source.handle),
            ..MadeFile::default()
        }
    }

    /// Everything has been read: the outline, or why there is none.
    pub fn complete(&mut self) -> Response {
        if self.is_stopped {
            self.builder.set_partial();
        }
        let mut used: Vec<&'static str> = Vec::new();
        for source in &self.sources {
            if let Some(format) = source.format
                && !used.contains(&format.id())
            {
                used.push(format.id());
                format.join(&mut self.builder);
            }
        }
        self.trace = std::mem::take(&mut self.builder).finish();
        self.is_complete = true;
        if let Some(search) = &mut self.search {
            search.follow(&self.trace);
        }
        if self.trace.runs().is_empty() {
            return Response::Failed(problems::nothing_to_show(&self.source_lines()));
        }
        Response::Outline(Box::new(self.outline(&self.trace)))
    }

    /// The outline of what has been read so far; reading goes on.
    pub fn snapshot(&mut self) -> Option<Response> {
        if self.builder.trace().runs().is_empty() {
            return None;
        }
        let mut builder = std::mem::take(&mut self.builder);
        let outline = builder.look(|trace| self.outline(trace));
        self.builder = builder;
        Some(Response::Outline(Box::new(outline)))
    }

    /// The summaries of the rows that are seen first, for an outline that is the first: so that they are
    /// drawn once, with all they show.
    pub fn first_previews(&self, outline: &Outline) -> Response {
        let order = self.trace().order(RunId::from_index(outline.run_to_read() as usize));
        let ids = order.iter().take(FIRST_PREVIEWS).map(|id| id.index());
        let ids: Vec<u32> = ids.filter_map(|id| u32::try_from(id).ok()).collect();
        Response::Previews(self.previews(&ids))
    }

    /// The rows that follow an outline, slice by slice, so that never all of them are encoded at once.
    pub fn rows(&self, outline: &Outline) -> impl Iterator<Item = Response> {
        let n_rows = if outline.keeps_rows { 0 } else { outline.n_rows };
        (0..n_rows)
            .step_by(SLICE_ROWS as usize)
            .map(|first| Response::Rows(Box::new(row_slice(self.trace(), outline, first))))
    }

    /// Answers a request about the opened trace.
    pub fn handle(&mut self, request: &Request) -> Vec<Response> {
        match request {
            Request::Previews(ids) => vec![Response::Previews(self.previews(ids))],
            Request::Detail(id) => vec![Response::Detail(Box::new(self.detail(*id)))],
            Request::More(cut, max_bytes, ticket) => {
                vec![Response::More(*ticket, self.more(cut, *max_bytes))]
            }
            Request::Rule(rule) => {
                self.request.rule = *rule;
                if !self.is_complete {
                    return self.snapshot().into_iter().collect();
                }
                let mut outline = self.outline(self.trace());
                // Other findings, the same rows.
                outline.keeps_rows = true;
                vec![Response::Outline(Box::new(outline))]
            }
            Request::Find(sel) => {
                let (id, note) = self.find(sel);
                vec![Response::Found(id, note)]
            }
            Request::Annotations(run, own) => {
                vec![Response::Annotations(Box::new(self.annotations(*run, own)))]
            }
            Request::Search(query, generation) => self.search(query, *generation),
            Request::StopSearch => {
                self.search = None;
                Vec::new()
            }
            Request::Stop => {
                self.is_stopped |= !self.is_complete;
                Vec::new()
            }
            Request::Memory => vec![Response::Memory(self.memory())],
            Request::Finish => vec![self.complete()],
            // A session is one opening: the worker makes a new one for the next. Bytes come by
            // `push_more`.
            Request::Open(_) | Request::WarmUp | Request::Push(_) | Request::End(_) => Vec::new(),
            request => self.handle_seldom(request),
        }
    }

    fn outline(&self, trace: &Trace) -> Outline {
        let LoopSettings { window, repetitions } = self.request.rule;
        let settings = Settings::new(window as usize, repetitions as usize);
        let found = crate::analysis::findings(trace, &settings);
        let mut outline = outline(trace, &found.list, found.dropped);
        outline.complete = self.is_complete;
        let all = self.request.inputs.iter().map(|input| input.len_bytes).sum();
        let all = self.request.grows.map_or(all, |growth| growth.total_bytes);
        outline.stopped = Some((self.bytes_read, all))
            .filter(|(bytes, all)| self.is_stopped && (*all == 0 || bytes < all));
        let is_live = self.request.grows.is_some_and(|growth| growth.is_live);
        outline.is_live = is_live && !self.is_complete;
        if outline.is_live
            && let Some(run) = outline.runs.last_mut()
            && run.status == RunStatus::Unknown.word()
        {
            run.status = RunStatus::Running.word().to_owned();
        }
        outline.sources = self.source_lines();
        // Plain records have no name of their own: their file's name says most.
        for run in &mut outline.runs {
            let index = run.key.strip_prefix("source ").and_then(|at| at.parse::<usize>().ok());
            if let Some(source) = index.and_then(|at| outline.sources.get(at))
                && run.title == run.key
            {
                run.title.clone_from(&source.path);
            }
        }
        outline
    }

    fn source_lines(&self) -> Vec<SourceLine> {
        self.sources
            .iter()
            .map(|source| SourceLine {
                path: source.path.clone(),
                len_bytes: source.len_bytes,
                format: source.format.map_or(String::new(), |format| format.id().to_owned()),
                why: source.why.clone(),
                others: source.others.clone(),
                problem: source.problem.clone(),
                is_container: source.is_container,
            })
            .collect()
    }
}

/// The order in which files are read, as indices into `inputs`: by path, so that the same files give
/// the same trace, in whatever order a browser lists them.
#[must_use]
pub fn reading_order(inputs: &[Input]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..inputs.len()).collect();
    crate::order::sort_by_key(&mut order, |at| inputs.get(*at).map(|input| input.path.as_str()));
    order
}

/// Says that a file could not be read from disk.
#[must_use]
pub fn unreadable(reason: &str) -> (String, String) {
    ("unreadable-file".to_owned(), format!("The browser could not read the file: {reason}"))
}
