//! The messages between the page and the worker. Both programs come from the same build, so the
//! protocol has no versions. All encoding happens in [`encode`] and [`decode`].

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use super::export_form::ExportForm;
pub use super::problem::Problem;
pub use super::report::{Assertion, CheckReport, Report, TestReport};
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
use crate::notes::ExportNote;
use crate::outline::OutlineHead;
use crate::preview::Preview;
use crate::problem::{LinkMiss, SourceFault};
use crate::row_columns::RowSlice;
use crate::run_comparison::RunComparison;
use crate::statistics::CallsLine;
use crate::touched::TouchBatch;
use crate::value::{Cut, Shown};
use traceloupe_search::Query;

/// A file that the page opens. Its Blob is sent with the message, in the same order.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Input {
    /// Its name with its folders, separated by `/`.
    pub path: String,
    /// Its length in bytes.
    pub len_bytes: u64,
}

/// The files to open, with options.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct OpenRequest {
    /// The files.
    pub inputs: Vec<Input>,
    /// Read every file as this format, overriding detection.
    pub format: Option<String>,
    /// The format to try first. If it is certain, no other format is tried; otherwise it has no advantage.
    pub likely: Option<String>,
    /// The mapping for files of no known format, in the text form of [`Mapping`](traceloupe_core::model::Mapping).
    pub mapping: Option<String>,
    /// Mappings for all files with certain keys: the fingerprint of their shape, and the mapping.
    pub mappings: Vec<(String, String)>,
    /// The entries chosen from archives (path of the archive, index of the entry); `None` to ask
    /// the user.
    pub entries: Option<Vec<(String, u32)>>,
    /// The settings of loop detection.
    pub rule: LoopSettings,
    /// Set if more bytes will arrive with [`Request::Push`]: for an address that is being fetched, or a file that
    /// grows.
    pub grows: Option<Growth>,
}

/// How the files will grow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Growth {
    /// Their final length in bytes; 0 if unknown.
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
    /// Whether to report calls that repeat only their names, with other arguments and results.
    pub with_names: bool,
}

impl Default for LoopSettings {
    fn default() -> Self {
        Self { window: 12, repetitions: 3, with_names: false }
    }
}

/// A run to export.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ExportRequest {
    /// Index of the run.
    pub run: u32,
    /// The format.
    pub form: ExportForm,
    /// Whether to write YAML instead of JSON.
    pub is_yaml: bool,
}

/// A message from the page to the worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Request {
    /// Runs the reader on a small trace until files are opened, so that its code is already compiled by then.
    WarmUp,
    /// Allocates memory in advance, so that reading does not wait for the system.
    MakeRoom,
    /// Opens files.
    Open(OpenRequest),
    /// Requests data from the beginnings of files, without opening them. The worker is used for nothing else.
    Heads(Vec<Input>),
    /// Requests data from the beginnings of entries of an archive, by their indices in it. The worker is used for
    /// nothing else.
    EntryHeads(Vec<u32>),
    /// Requests the list of formats. No files need to be open.
    Formats,
    /// Requests one-line summaries, by event id.
    Previews(Vec<u32>),
    /// Requests the contents of an opened row, by event id.
    Detail(u32),
    /// Compares an event with an earlier one.
    Compare(CompareRequest),
    /// Aligns two runs, by their indices.
    CompareRuns(u32, u32),
    /// Requests the contents of the context of an LLM call, by event id.
    ContextParts(u32),
    /// Requests the contents of the contexts of LLM calls of one agent, by event ids in the order of the run.
    ContextLayers(Vec<u32>),
    /// Requests more of a value: what was cut, how many bytes to add, ticket. A response has the ticket of its request.
    More(Cut, u32, u32),
    /// Requests the contents of a string in another form, with a ticket. The response is [`Response::More`].
    Decode(String, u32),
    /// Requests a whole value as a file, with a ticket.
    File(Cut, u32),
    /// Requests a run as a file in another program's format, with a ticket.
    ExportRun(ExportRequest, u32),
    /// Requests the beginning of such a file, with a ticket.
    ExportPreview(ExportRequest, u32),
    /// Requests the records of events, by event ids, as files that can be opened again, with a ticket: one
    /// [`Response::File`] per source, then [`Response::Excerpted`].
    Excerpt(Vec<u32>, u32),
    /// Checks a run (by index) against expectations in JSON or YAML, with a ticket.
    Check(u32, String, u32),
    /// Requests a report on the keys of a source of no known format, by its index, with a ticket: a file without any
    /// value of the source.
    ShapeReport(u32, u32),
    /// Requests the TraceSummary of a run.
    Summary(u32),
    /// Runs loop detection again with other settings.
    Rule(LoopSettings),
    /// The user chose nothing from an archive: shows the other files.
    Finish,
    /// The next bytes of a growing file, by its index. The bytes are sent with the message.
    Push(u32),
    /// A growing file has ended.
    End(u32),
    /// Stops reading after the current slice and keeps what has been read.
    Stop,
    /// Requests the memory use of the reader.
    Memory,
    /// Requests explanations for the findings and errors of a run (by index): the summaries of these events, and why
    /// events failed.
    Causes(u32, Vec<u32>),
    /// Requests call statistics of a run (by index), or of all runs.
    Statistics(Option<u32>),
    /// Requests the event to which a link (`sel=`) refers.
    Find(String),
    /// Starts a search and replaces any other. Its number is returned with the matches.
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
    /// Requests the files that the calls of a run (by index) name, and replaces any earlier request for files. The
    /// number is returned with them.
    Files(u32, u32),
    /// Requests the net change of all edits of a file: its path, and the ids of the calls that change it, in order.
    NetChange(String, Vec<u32>),
    /// Looks for texts in the summaries of all events, and replaces any earlier request for texts. Its number is
    /// returned with the results.
    Match(Vec<Needle>, u32),
}

/// A message from the worker to the page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Response {
    /// The progress of reading: bytes read, bytes in total, events so far.
    Progress(u64, u64, u64),
    /// An archive contains several traces: path of the archive, entries.
    Choose(String, Vec<EntryLine>),
    /// Data from the beginnings of files or entries that were read since the previous batch.
    Heads(Vec<Head>),
    /// The list of formats.
    Formats(Vec<FormatLine>),
    /// An outline without its rows, complete or of what has been read so far.
    Outline(Box<OutlineHead>),
    /// The next rows of the latest outline.
    Rows(Box<RowSlice>),
    /// Summaries by event id.
    Previews(Vec<(u32, Preview)>),
    /// The contents of an opened row.
    Detail(Box<ShownDetail>),
    /// The differences between two events.
    Comparison(Box<Comparison>),
    /// Two runs, aligned.
    RunComparison(Box<RunComparison>),
    /// More of a value, with the request's ticket.
    More(u32, Shown),
    /// A file, with the request's ticket. Its Blob is sent with the message.
    File(u32, MadeFile),
    /// The request's ticket, and whether the records are lines of their files. If not, no file was made.
    Excerpted(u32, bool),
    /// The request's ticket, the beginning of an exported run, and whether that is all of it.
    ExportPreview(u32, String, bool),
    /// The result of a check, with the request's ticket.
    Checked(u32, Box<Report>),
    /// Why a file, report or preview could not be made, with the request's ticket.
    RequestFailed(u32, Problem),
    /// The TraceSummary of a run.
    Summary(u32, Box<TraceSummary>),
    /// A growing file has ended, by its index. Its Blob is sent with the message.
    Grown(u32, MadeFile),
    /// The event that a link refers to, and why if it is not an exact match.
    Found(Option<u32>, Option<LinkMiss>),
    /// The annotations of a run.
    Annotations(Box<AnnotationList>),
    /// The address for a new annotation, if there is one.
    Address(Option<String>),
    /// The memory use of the reader.
    Memory(Memory),
    /// Explanations for the findings and errors of a run.
    Causes(Box<Causes>),
    /// Call statistics of a run (by index), or of all runs, by kind and name.
    Statistics(Option<u32>, Vec<CallsLine>),
    /// The matches of the search since the previous batch.
    Hits(Box<HitBatch>),
    /// Events whose summaries contain the texts, since the previous batch.
    Matches(Box<MatchBatch>),
    /// Files that calls of a run name, since the previous batch.
    Files(Box<TouchBatch>),
    /// The net change of all edits of a file: its path, and blocks.
    NetChange(String, Vec<ShownBlock>),
    /// The contents of the context of an LLM call.
    ContextParts(Box<ContextParts>),
    /// The contents of the contexts of several LLM calls.
    ContextLayers(Box<ContextLayers>),
    /// Nothing can be shown.
    Failed(Problem),
}

impl PartialEq for OutlineHead {
    /// Compares only what tests need; the page never compares outlines.
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

/// A file in the session's store, for the page.
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
    /// Whether the bytes were made for this file, as opposed to being part of a source.
    pub is_made: bool,
    /// What was left out.
    pub notes: Vec<ExportNote>,
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
    pub problem: Option<SourceFault>,
}

/// Encodes a message.
#[must_use]
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    // Encoding into memory fails only for maps of unknown length, which these types do not contain.
    postcard::to_allocvec(message).unwrap_or_default()
}

/// Decodes a message. `None` if it comes from another build.
#[must_use]
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}
