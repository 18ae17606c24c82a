//! The messages between the page and the worker. Both programs come from the same build, so the
//! protocol has no versions. All encoding happens in [`encode`] and [`decode`].

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use super::export_form::ExportForm;
pub use super::report::{Assertion, CheckReport, LineKind, Report, ReportLine, TestReport};
pub use super::summary::{Spelling, TraceSummary};
use crate::annotations::{AnnotationList, AnnotationsForm, OwnAnnotation, Spot};
use crate::causes::Causes;
use crate::comparison::{CompareRequest, Comparison};
use crate::context_parts::{ContextLayers, ContextParts};
use crate::detail::{ShownBlock, ShownDetail};
use crate::format_line::FormatLine;
use crate::head::Head;
use crate::hits::HitBatch;
use crate::matches::{MatchBatch, Needle};
use crate::outline::OutlineHead;
use crate::preview::Preview;
use crate::problem::ProblemCode;
use crate::row_columns::RowSlice;
use crate::run_comparison::RunComparison;
use crate::statistics::CallsLine;
use crate::touched::TouchBatch;
use crate::value::{Cut, Shown};
use traceloupe_search::Query;

/// A file that the page opens. Its Blob is sent beside the message, in the same order.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Input {
    /// Its name with its folders, separated by `/`.
    pub path: String,
    /// Its length in bytes.
    pub len_bytes: u64,
}

/// What to open, and how.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct OpenRequest {
    /// The files.
    pub inputs: Vec<Input>,
    /// Read every file as this format, overriding detection.
    pub format: Option<String>,
    /// The format to ask first. If it is certain, no other one is asked; otherwise it has no advantage.
    pub likely: Option<String>,
    /// Which key means what in files of no known format, as [`Mapping`](traceloupe_core::model::Mapping) is written.
    pub mapping: Option<String>,
    /// The same for all files with some keys: the fingerprint of their shape, and the mapping.
    pub mappings: Vec<(String, String)>,
    /// The entries chosen from archives (path of the archive, index of the entry); `None` to ask
    /// the user.
    pub entries: Option<Vec<(String, u32)>>,
    /// The settings of loop detection.
    pub rule: LoopSettings,
    /// Set if more bytes will arrive with [`Request::Push`]: an address that is being fetched, or a
    /// file that grows.
    pub grows: Option<Growth>,
}

/// How the files will grow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Growth {
    /// Their final length in bytes; 0 if it is not known.
    pub total_bytes: u64,
    /// Whether they grow while an agent runs: new rows are shown at once, and a run without an end
    /// counts as running.
    pub is_live: bool,
}

/// The settings of loop detection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoopSettings {
    /// How many events back the rule looks.
    pub window: u32,
    /// How many repetitions count as a loop.
    pub repetitions: u32,
    /// Whether calls count whose names alone are repeated, with other arguments and results.
    pub with_names: bool,
}

impl Default for LoopSettings {
    fn default() -> Self {
        Self { window: 12, repetitions: 3, with_names: false }
    }
}

/// A run to be exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ExportRequest {
    /// Index of the run.
    pub run: u32,
    /// The format.
    pub form: ExportForm,
    /// Whether to write YAML rather than JSON.
    pub is_yaml: bool,
}

/// From the page to the worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Request {
    /// Runs the reader on a small trace until files are opened, so that its code is compiled by
    /// then.
    WarmUp,
    /// Has the system give the worker memory, so that reading does not wait for it.
    MakeRoom,
    /// Opens files.
    Open(OpenRequest),
    /// Requests what the beginnings of files say, without opening them. The worker is used for nothing else.
    Heads(Vec<Input>),
    /// Requests what the beginnings of entries of an archive say, by their indices in it. The worker is used for nothing
    /// else.
    EntryHeads(Vec<u32>),
    /// Requests what is known of the formats. No files need to be open.
    Formats,
    /// Requests one-line summaries, by event id.
    Previews(Vec<u32>),
    /// Requests the contents of an opened row, by event id.
    Detail(u32),
    /// Compares an event with an earlier one.
    Compare(CompareRequest),
    /// Aligns two runs, by their indices.
    CompareRuns(u32, u32),
    /// Requests what filled the context of an LLM call, by event id.
    ContextParts(u32),
    /// Requests what filled the contexts of LLM calls of one agent, by event ids in the order of the run.
    ContextLayers(Vec<u32>),
    /// Requests more of a value: what was cut, how many bytes to add, ticket. The response to a
    /// request carries its ticket.
    More(Cut, u32, u32),
    /// Requests what a string holds in another form, with a ticket. It is answered with [`Response::More`].
    Decode(String, u32),
    /// Requests a whole value as a file, with a ticket.
    File(Cut, u32),
    /// Requests a run as a file in another program's format, with a ticket.
    ExportRun(ExportRequest, u32),
    /// Requests the beginning of such a file, with a ticket.
    ExportPreview(ExportRequest, u32),
    /// Checks a run (by index) against expectations in JSON or YAML, with a ticket.
    Check(u32, String, u32),
    /// Requests a report on the keys of a source that no format knows, by its index, with a ticket: a file
    /// without any value of the source.
    ShapeReport(u32, u32),
    /// Requests the TraceSummary of a run.
    Summary(u32),
    /// Runs loop detection again with other settings.
    Rule(LoopSettings),
    /// The user chose nothing from an archive: show the other files.
    Finish,
    /// The next bytes of a growing file, by its index. The bytes are sent beside the message.
    Push(u32),
    /// A growing file has ended.
    End(u32),
    /// Stops reading after the current slice and keeps what has been read.
    Stop,
    /// Requests the memory use of the reader.
    Memory,
    /// Requests what the findings and errors of a run (by index) are about: the summaries of these events, and why
    /// events failed.
    Causes(u32, Vec<u32>),
    /// Requests call statistics of a run (by index), or of all runs.
    Statistics(Option<u32>),
    /// Requests the event that a link (`sel=`) refers to.
    Find(String),
    /// Starts a search, replacing any other. Its number is returned with the hits.
    Search(Query, u32),
    /// Requests the annotations of a run: index of the run, the user's own annotations of it.
    Annotations(u32, Vec<OwnAnnotation>),
    /// Requests the address for a new annotation.
    Address(Spot),
    /// Requests annotations as a file: the user's own annotations by hash of their run, file
    /// format, ticket.
    ExportAnnotations(Vec<(String, Vec<OwnAnnotation>)>, AnnotationsForm, u32),
    /// Stops the search.
    StopSearch,
    /// Requests the files that the calls of a run (by index) name, instead of those of any request before. The
    /// number is returned with them.
    Files(u32, u32),
    /// Requests what the edits of a file come to: its path, and the ids of the calls that change it, in order.
    NetChange(String, Vec<u32>),
    /// Looks for texts in the summaries of all events, instead of those of any request before. Its number is
    /// returned with what is found.
    Match(Vec<Needle>, u32),
}

/// From the worker to the page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Response {
    /// The progress of reading: bytes read, bytes in total, events so far.
    Progress(u64, u64, u64),
    /// An archive contains several traces: path of the archive, entries.
    Choose(String, Vec<EntryLine>),
    /// What the beginnings of files or entries say, of those read since the previous batch.
    Heads(Vec<Head>),
    /// What is known of the formats.
    Formats(Vec<FormatLine>),
    /// An outline without its rows, complete or of what has been read so far.
    Outline(Box<OutlineHead>),
    /// The next rows of the latest outline.
    Rows(Box<RowSlice>),
    /// Summaries by event id.
    Previews(Vec<(u32, Preview)>),
    /// The contents of an opened row.
    Detail(Box<ShownDetail>),
    /// What differs between two events.
    Comparison(Box<Comparison>),
    /// Two runs, aligned.
    RunComparison(Box<RunComparison>),
    /// More of a value, with the request's ticket.
    More(u32, Shown),
    /// A file, with the request's ticket. Its Blob is sent beside the message.
    File(u32, MadeFile),
    /// The beginning of an exported run and whether that is all of it, with the request's ticket
    /// first.
    ExportPreview(u32, String, bool),
    /// The result of a check, with the request's ticket.
    Checked(u32, Box<Report>),
    /// Why there is no file, report or preview, with the request's ticket.
    RequestFailed(u32, Problem),
    /// The TraceSummary of a run.
    Summary(u32, Box<TraceSummary>),
    /// A growing file has ended, by its index. Its Blob is sent beside the message.
    Grown(u32, MadeFile),
    /// The event that a link refers to, and a sentence if it is not an exact match.
    Found(Option<u32>, Option<String>),
    /// The annotations of a run.
    Annotations(Box<AnnotationList>),
    /// The address for a new annotation, if there is one.
    Address(Option<String>),
    /// The memory use of the reader.
    Memory(Memory),
    /// What the findings and errors of a run are about.
    Causes(Box<Causes>),
    /// Call statistics of a run (by index), or of all runs, by kind and name.
    Statistics(Option<u32>, Vec<CallsLine>),
    /// The hits since the previous batch.
    Hits(Box<HitBatch>),
    /// Events whose summaries have texts, since the previous batch.
    Matches(Box<MatchBatch>),
    /// Files that calls of a run name, since the previous batch.
    Files(Box<TouchBatch>),
    /// What the edits of a file come to: its path, and blocks.
    NetChange(String, Vec<ShownBlock>),
    /// What filled the context of an LLM call.
    ContextParts(Box<ContextParts>),
    /// What filled the contexts of several LLM calls.
    ContextLayers(Box<ContextLayers>),
    /// Nothing can be shown.
    Failed(Problem),
}

impl PartialEq for OutlineHead {
    /// Compares what tests look at; the page never compares outlines.
    fn eq(&self, other: &Self) -> bool {
        self.runs == other.runs
            && self.findings == other.findings
            && self.warnings == other.warnings
    }
}

/// Memory used by the reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Memory {
    /// Size of its wasm memory in bytes. That memory never shrinks, so this is also the peak. 0
    /// outside wasm.
    pub wasm_bytes: u64,
    /// Bytes of unpacked files, which are kept as Blobs outside wasm memory.
    pub blob_bytes: u64,
}

/// A file in the store of the session, for the page.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MadeFile {
    /// Its file name.
    pub name: String,
    /// Its media type.
    pub media: String,
    /// The handle of its bytes.
    pub handle: u32,
    /// Offset of its first byte.
    pub start: u64,
    /// Its length in bytes.
    pub len: u64,
    /// Whether the bytes were made for this file, rather than being part of a source.
    pub is_made: bool,
    /// What was left out, in sentences.
    pub notes: Vec<String>,
}

/// An entry of an archive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EntryLine {
    /// Its index in the archive.
    pub index: u32,
    /// Its name.
    pub path: String,
    /// Its uncompressed length in bytes, according to the archive.
    pub len_bytes: u64,
    /// Why it cannot be read, if it cannot.
    pub problem: Option<String>,
}

/// Why something cannot be shown or done: a stable code, what happened and where, and what to do next.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Problem {
    /// The code, for links, tests and bug reports.
    pub code: ProblemCode,
    /// What happened, and where.
    pub what: String,
    /// What to do next.
    pub next: String,
    /// Details, shown on request.
    pub details: String,
}

/// Encodes a message.
#[must_use]
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    // Encoding into memory fails only for maps of unknown length, which these types do not contain.
    postcard::to_allocvec(message).unwrap_or_default()
}

/// Decodes a message. `None` if it is of another build.
#[must_use]
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}
