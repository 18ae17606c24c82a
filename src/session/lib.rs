//! The core of the worker: bytes are pushed in, and requests are answered. It does no input or output of its own and
//! reads bytes again through a [`Store`](store::Store), so that it can be tested natively.
//!
//! A [`Session`] is in one of two states: it is reading ([`Intake`]), or it has a complete trace ([`Done`]). In both
//! states it has the sources with their bytes ([`Files`]) and the [`Jobs`] that take several steps.
//!
//! **Invariant**: reading never fails as a whole. Anything that cannot be read becomes a warning or a problem of its
//! source, and does not affect other sources.

mod annotation_export;
mod annotation_targets;
mod answers;
mod call_texts;
mod causes;
mod choose;
mod compare;
mod compare_runs;
mod context_parts;
mod entry_heads;
mod excerpt;
pub mod expectations;
pub mod export;
mod format_lines;
mod head;
mod intake;
mod job;
mod matches;
mod outlines;
mod pace;
mod preview_references;
mod previews;
mod read_together;
pub mod render;
mod run_check;
mod run_export;
mod search;
mod search_copies;
mod shape_report;
mod state;
pub mod store;
mod thumbnails;
mod touched;
mod value_file;
mod warm_up;

use crate::render::encoded;
use crate::render::outline_builder::row_slice;
use annotation_export::AnnotationExport;
use answers::Answers;
use call_texts::ReadTexts;
pub use entry_heads::EntryHeads;
use excerpt::Excerpt;
pub use format_lines::format_lines;
pub use head::head;
pub use intake::AfterSource;
use intake::Intake;
use intake::files::Files;
use job::{Job, Jobs};
use matches::Matches;
pub use pace::{Pace, Progress};
use run_check::RunCheck;
use run_export::RunExport;
use search::Search;
use state::{Done, State};
use store::{Handle, Store};
use touched::Touched;
use traceloupe_analysis::NoTexts;
use traceloupe_core::model::{RunId, SourceId, Trace};
use traceloupe_protocol::hits::HitBatch;
use traceloupe_protocol::messages::{
    Input, MadeFile, Memory, OpenRequest, Problem, Request, Response, TraceSummary,
};
use traceloupe_protocol::outline::OutlineHead;
use traceloupe_protocol::row_columns::SLICE_ROWS;
use value_file::ValueFile;
pub use warm_up::WarmUp;

/// How many rows get their summaries along with the first outline: one screen, and some rows after it.
const FIRST_PREVIEWS: usize = 120;

/// A set of opened files, and the trace that they contain.
#[derive(Debug)]
pub struct Session<S> {
    request: OpenRequest,
    files: Files<S>,
    state: State,
    jobs: Jobs,
}

impl<S: Store> Session<S> {
    /// Creates a session for an open request.
    pub fn new(store: S, request: OpenRequest) -> Self {
        let state = State::Reading(Box::new(Intake::new(&request)));
        Self { request, files: Files::new(store), state, jobs: Jobs::default() }
    }

    /// The store.
    pub fn store(&self) -> &S {
        &self.files.store
    }

    /// The store, for adding to it.
    pub fn store_mut(&mut self) -> &mut S {
        &mut self.files.store
    }

    /// The trace as far as it has been read, in the display order of the last outline.
    pub fn trace(&self) -> &Trace {
        self.state.trace()
    }

    fn answers(&self) -> Answers<'_, S> {
        Answers::new(&self.files, self.state.trace())
    }
}

/// Reading: these calls do nothing once the trace is complete.
impl<S: Store> Session<S> {
    fn intake(&mut self) -> Option<(&mut Intake, &mut Files<S>)> {
        match &mut self.state {
            State::Reading(intake) => Some((intake, &mut self.files)),
            State::Done(_) => None,
        }
    }

    /// Whether the user has stopped the reading.
    pub fn is_stopped(&self) -> bool {
        match &self.state {
            State::Reading(intake) => intake.is_stopped,
            State::Done(done) => done.is_stopped,
        }
    }

    /// How many bytes of the files have been read, and how many events were found in them.
    pub fn progress(&self) -> (u64, u64) {
        let bytes_read = match &self.state {
            State::Reading(intake) => intake.bytes_read,
            State::Done(done) => done.bytes_read,
        };
        (bytes_read, self.trace().events().len() as u64)
    }

    /// Begins a file.
    pub fn begin(&mut self, path: &str, handle: Handle) -> SourceId {
        let begun = self.intake().map(|(intake, files)| intake.begin(files, path, handle));
        begun.unwrap_or_else(|| SourceId::from_index(0))
    }

    /// Takes the next bytes of a file.
    pub fn push(&mut self, id: SourceId, bytes: &[u8]) {
        if let Some((intake, files)) = self.intake() {
            intake.bytes_read += bytes.len() as u64;
            intake.push(files, id, bytes);
        }
    }

    /// Takes the next bytes of a growing file, and keeps them in the store.
    pub fn push_more(&mut self, id: SourceId, bytes: &[u8]) {
        if let Some((intake, files)) = self.intake() {
            intake.bytes_read += bytes.len() as u64;
            intake.keep_and_push(files, id, bytes);
        }
    }

    /// Handles a pause in a growing file: what has arrived becomes events, if its format is known. With `is_patient`, a
    /// format that is not certain waits for more records.
    pub fn pause(&mut self, id: SourceId, is_patient: bool) {
        if let Some((intake, files)) = self.intake() {
            intake.pause(files, id, is_patient);
        }
    }

    /// Ends the reading of a file that cannot be read any further, with the reason in words. What has been read is
    /// kept. [`Session::end`] must follow.
    pub fn fail_read(&mut self, id: SourceId, reason: &str) {
        if let Some((intake, files)) = self.intake() {
            intake.fail_read(files, id, reason);
        }
    }

    /// Whether reading a file further is useful.
    pub fn wants_more(&self, id: SourceId) -> bool {
        match &self.state {
            State::Reading(intake) => intake.wants_more(id),
            State::Done(_) => false,
        }
    }

    /// Ends a file.
    pub fn end(&mut self, id: SourceId) -> AfterSource {
        let Some((intake, files)) = self.intake() else { return AfterSource::Next };
        let after = intake.end(files, id);
        if after == AfterSource::Unpack {
            self.jobs.add(Job::Unpack);
        }
        after
    }

    /// Whether an archive is being unpacked. The next file must not begin before that is done.
    pub fn is_unpacking(&self) -> bool {
        match &self.state {
            State::Reading(intake) => !intake.archives.is_empty(),
            State::Done(_) => false,
        }
    }

    /// Completes the trace after all files have been read. Returns the outline, or why nothing can be shown.
    pub fn complete(&mut self) -> Response {
        if let State::Reading(intake) = &mut self.state {
            let (bytes_read, is_stopped) = (intake.bytes_read, intake.is_stopped);
            let mut builder = std::mem::take(&mut intake.builder);
            if is_stopped {
                builder.set_partial();
            }
            let mut joined: Vec<&'static str> = Vec::new();
            for format in self.files.sources.iter().filter_map(|source| source.format) {
                if !joined.contains(&format.id()) {
                    joined.push(format.id());
                    format.join(&mut builder);
                }
            }
            let trace = builder.finish();
            self.jobs.follow(&mut self.files, &trace);
            self.state = State::Done(Box::new(Done { trace, bytes_read, is_stopped }));
        }
        if self.trace().runs().is_empty() {
            return Response::Failed(intake::problems::nothing_to_show(&self.files.sources));
        }
        Response::Outline(Box::new(self.outline()))
    }

    /// Opens all files of the request by reading slices of them from the store. For tests and tools: the worker reads
    /// the files itself, ahead of the session.
    pub fn open_all(&mut self, handles: &[Handle], slice_len: usize) -> Vec<Response> {
        let mut choices = Vec::new();
        let inputs = self.request.inputs.clone();
        let order = reading_order(&inputs);
        for (input, handle) in order.iter().filter_map(|at| inputs.get(*at).zip(handles.get(*at))) {
            if self.is_stopped() {
                break;
            }
            let source = self.begin(&input.path, *handle);
            let mut at = 0;
            while self.wants_more(source) {
                match self.files.store.read(*handle, at, slice_len) {
                    Ok(bytes) if bytes.is_empty() => break,
                    Ok(bytes) => {
                        at += bytes.len() as u64;
                        self.push(source, &bytes);
                    }
                    Err(reason) => {
                        self.fail_read(source, &reason);
                        break;
                    }
                }
            }
            if let AfterSource::Choose(path, entries) = self.end(source) {
                choices.push(Response::Choose(path, entries));
            }
            while self.is_unpacking() {
                self.step(Pace::default(), &mut Vec::new());
            }
        }
        if choices.is_empty() { vec![self.complete()] } else { choices }
    }

    /// A growing file, as a finished file.
    #[must_use]
    pub fn whole(&self, id: SourceId) -> MadeFile {
        let Some(source) = self.files.source(id) else { return MadeFile::default() };
        MadeFile {
            name: source.path.clone(),
            handle: source.handle.0,
            len: self.files.store.len(source.handle),
            ..MadeFile::default()
        }
    }
}

/// Outlines.
impl<S: Store> Session<S> {
    /// The outline of what has been read so far; `None` if there is no run yet, or the trace is complete.
    pub fn snapshot(&mut self) -> Option<Response> {
        let State::Reading(intake) = &mut self.state else { return None };
        if intake.builder.trace().runs().is_empty() {
            return None;
        }
        let status = outlines::Status {
            is_complete: false,
            is_stopped: intake.is_stopped,
            bytes_read: intake.bytes_read,
        };
        let (request, sources) = (&self.request, &self.files.sources);
        let outline = intake
            .builder
            .look(|trace| outlines::outline(trace, request, sources, status, &NoTexts));
        Some(Response::Outline(Box::new(outline)))
    }

    /// The outline of the trace in the display order of the last outline.
    fn outline(&self) -> OutlineHead {
        let status = outlines::Status {
            is_complete: matches!(self.state, State::Done(_)),
            is_stopped: self.is_stopped(),
            bytes_read: self.progress().0,
        };
        let texts = ReadTexts::new(self.answers());
        outlines::outline(self.trace(), &self.request, &self.files.sources, status, &texts)
    }

    /// The summaries of the rows that the user sees first. They are sent with the first outline, so that the page draws
    /// these rows only once.
    pub fn first_previews(&self, outline: &OutlineHead) -> Response {
        let order = self.trace().order(RunId::from_index(outline.run_to_read() as usize));
        let ids = order.iter().take(FIRST_PREVIEWS).map(|id| id.index());
        let ids: Vec<u32> = ids.filter_map(|id| u32::try_from(id).ok()).collect();
        self.previews(&ids)
    }

    /// The summaries of events, with their images.
    fn previews(&self, ids: &[u32]) -> Response {
        let answers = self.answers();
        let mut previews = previews::previews(&answers, ids);
        thumbnails::add_thumbnails(&answers, &mut previews);
        Response::Previews(previews)
    }

    /// The rows of an outline in slices, so that they are never all encoded at once.
    pub fn rows(&self, outline: &OutlineHead) -> impl Iterator<Item = Response> {
        let n_rows = if outline.keeps_rows { 0 } else { outline.n_rows };
        (0..n_rows)
            .step_by(SLICE_ROWS as usize)
            .map(|first| Response::Rows(Box::new(row_slice(self.trace(), outline, first))))
    }
}

/// Requests and jobs.
impl<S: Store> Session<S> {
    /// Handles a request. Returns the immediate responses; those of jobs come from [`Session::step`].
    pub fn handle(&mut self, request: &Request) -> Vec<Response> {
        match request {
            Request::Previews(ids) => vec![self.previews(ids)],
            request => self.handle_other(request),
        }
    }

    /// Handles every request except the most frequent one. It is a function of its own because browsers optimise a
    /// function as a whole, and this one is long.
    #[inline(never)]
    fn handle_other(&mut self, request: &Request) -> Vec<Response> {
        match request {
            Request::Detail(id) => vec![Response::Detail(Box::new(self.answers().detail(*id)))],
            Request::Compare(wanted) => {
                vec![Response::Comparison(Box::new(compare::compare(&self.answers(), *wanted)))]
            }
            Request::NetChange(path, ids) => {
                let blocks = self.answers().net_change(path, ids);
                vec![Response::NetChange(path.clone(), blocks)]
            }
            Request::CompareRuns(first, second) => {
                let found = compare_runs::compare_runs(&self.answers(), (*first, *second));
                vec![Response::RunComparison(Box::new(found))]
            }
            Request::ContextLayers(calls) => {
                let layers = context_parts::context_layers(self.trace(), calls);
                vec![Response::ContextLayers(Box::new(layers))]
            }
            Request::ContextParts(call) => {
                let parts = context_parts::context_parts(&self.answers(), *call);
                vec![Response::ContextParts(Box::new(parts))]
            }
            Request::Decode(text, ticket) => vec![Response::More(*ticket, encoded::show(text))],
            Request::More(cut, max_bytes, ticket) => {
                vec![Response::More(*ticket, self.answers().more(cut, *max_bytes))]
            }
            Request::File(cut, ticket) => match ValueFile::new(&mut self.files, cut) {
                Ok(file) => self.begin_job(Job::ValueFile(*ticket, file)),
                Err(error) => vec![Response::RequestFailed(*ticket, Problem::NotMade(error))],
            },
            Request::ExportRun(wanted, ticket) => {
                let export = RunExport::new(&mut self.files, self.state.trace(), *wanted);
                self.begin_job(Job::RunExport(*ticket, Box::new(export)))
            }
            Request::Excerpt(ids, ticket) => {
                self.begin_job(Job::Excerpt(*ticket, Box::new(Excerpt::new(ids))))
            }
            Request::ExportPreview(wanted, ticket) => {
                vec![match run_export::preview(&self.answers(), *wanted) {
                    Ok((text, is_whole)) => Response::ExportPreview(*ticket, text, is_whole),
                    Err(error) => Response::RequestFailed(*ticket, Problem::NotMade(error)),
                }]
            }
            Request::Check(run, text, ticket) => match RunCheck::new(&self.answers(), *run, text) {
                Ok(check) => self.begin_job(Job::RunCheck(*ticket, Box::new(check))),
                Err(problem) => vec![Response::RequestFailed(*ticket, problem)],
            },
            Request::ShapeReport(source, ticket) => {
                let source = SourceId::from_index(*source as usize);
                let file = shape_report::report(&mut self.files, source);
                file.map(|file| Response::File(*ticket, file)).into_iter().collect()
            }
            Request::Summary(run) => {
                let summary = TraceSummary::of(self.trace(), RunId::from_index(*run as usize));
                vec![Response::Summary(*run, Box::new(summary))]
            }
            Request::Causes(run, ids) => {
                let causes = causes::causes(&self.answers(), *run, ids);
                vec![Response::Causes(Box::new(causes))]
            }
            Request::Statistics(run) => {
                let calls = crate::render::statistics::calls(self.trace(), *run);
                vec![Response::Statistics(*run, calls)]
            }
            Request::Rule(rule) => {
                self.request.rule = *rule;
                if matches!(self.state, State::Reading(_)) {
                    return self.snapshot().into_iter().collect();
                }
                let mut outline = self.outline();
                // The findings change, but the rows do not.
                outline.keeps_rows = true;
                vec![Response::Outline(Box::new(outline))]
            }
            Request::Find(sel) => {
                let (id, note) = answers::links::find(&self.answers(), sel);
                vec![Response::Found(id, note)]
            }
            Request::Annotations(run, own) => {
                let list = annotation_targets::annotations(&self.answers(), *run, own);
                vec![Response::Annotations(Box::new(list))]
            }
            Request::Address(spot) => {
                vec![Response::Address(annotation_targets::address_of(&self.answers(), spot))]
            }
            Request::ExportAnnotations(own, form, ticket) => {
                let export = AnnotationExport::new(&mut self.files, own.clone(), *form);
                self.begin_job(Job::AnnotationExport(*ticket, export))
            }
            Request::Search(query, generation) => {
                self.jobs.stop_search();
                match Search::new(query, *generation) {
                    Ok(search) => self.begin_job(Job::Search(Box::new(search))),
                    Err(fault) => {
                        let generation = *generation;
                        let fault = Some(fault);
                        let batch =
                            HitBatch { generation, fault, done: true, ..HitBatch::default() };
                        vec![Response::Hits(Box::new(batch))]
                    }
                }
            }
            Request::Match(needles, generation) => {
                self.jobs.stop_matching();
                if needles.is_empty() {
                    return Vec::new();
                }
                let matches = Matches::new(needles.clone(), *generation);
                self.begin_job(Job::Match(Box::new(matches)))
            }
            Request::Files(run, generation) => {
                self.jobs.stop_files();
                let run = RunId::from_index(*run as usize);
                self.begin_job(Job::Files(Box::new(Touched::new(run, *generation))))
            }
            Request::StopSearch => {
                self.jobs.stop_search();
                Vec::new()
            }
            Request::Stop => {
                if let State::Reading(intake) = &mut self.state {
                    intake.is_stopped = true;
                }
                Vec::new()
            }
            Request::Memory => vec![Response::Memory(self.memory())],
            Request::Finish => vec![self.complete()],
            // The first one is handled above. The others come with files or bytes, or need neither, so the worker
            // handles them.
            Request::Previews(_)
            | Request::Open(_)
            | Request::Heads(_)
            | Request::EntryHeads(_)
            | Request::Formats
            | Request::WarmUp
            | Request::MakeRoom
            | Request::Push(_)
            | Request::End(_) => Vec::new(),
        }
    }

    fn begin_job(&mut self, job: Job) -> Vec<Response> {
        self.jobs.add(job);
        Vec::new()
    }

    /// Whether there are jobs, even if all of them wait for more bytes.
    #[must_use]
    pub fn has_jobs(&self) -> bool {
        !self.jobs.is_empty()
    }

    /// Does one step of the next job, and adds its responses to `answers`.
    pub fn step(&mut self, pace: Pace, answers: &mut Vec<Response>) -> Progress {
        self.jobs.step(&mut self.files, &mut self.state, pace, answers)
    }

    /// Handles a request and runs all jobs as far as possible. For tests and tools: the worker handles other requests
    /// between the steps.
    pub fn answer(&mut self, request: &Request) -> Vec<Response> {
        let mut answers = self.handle(request);
        while self.step(Pace::default(), &mut answers) == Progress::Working {}
        answers
    }

    /// The page has received the file, so its bytes are dropped if they were made for it.
    pub fn drop_file(&mut self, file: &MadeFile) {
        if file.is_made {
            self.files.store.remove(Handle(file.handle));
        }
    }

    /// How much memory the reader uses.
    pub fn memory(&self) -> Memory {
        Memory { wasm_bytes: wasm_bytes(), blob_bytes: self.files.store.kept_bytes() }
    }
}

#[cfg(target_arch = "wasm32")]
fn wasm_bytes() -> u64 {
    const PAGE_BYTES: u64 = 65_536;
    core::arch::wasm32::memory_size(0) as u64 * PAGE_BYTES
}

#[cfg(not(target_arch = "wasm32"))]
fn wasm_bytes() -> u64 {
    0
}

/// The order in which files are read, as indices into `inputs`. They are sorted by path, so that the same files give
/// the same trace regardless of the order in which the browser lists them.
#[must_use]
pub fn reading_order(inputs: &[Input]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..inputs.len()).collect();
    traceloupe_core::sorting::sort_by_key(&mut order, |at| {
        inputs.get(*at).map(|input| input.path.as_str())
    });
    order
}
