//! What the page and the worker say to each other. Both ends are the same build, so this has no
//! versions; it is encoded in one place ([`encode`], [`decode`]) and nowhere else.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use super::export_form::Form;
pub use super::report::{Assertion, CheckReport, LineKind, Report, ReportLine, TestReport};
pub use super::summary::{Spelling, TraceSummary};
use crate::search::Query;
use crate::view::wire::annotations::{AnnotationList, ExportForm, OwnAnnotation, Spot};
use crate::view::wire::detail::ShownDetail;
use crate::view::wire::hits::HitBatch;
use crate::view::wire::outline::Outline;
use crate::view::wire::row_columns::RowSlice;
use crate::view::wire::statistics::CallsLine;
use crate::view::wire::value::{Cut, Shown};

/// A file as the page hands it over; its handle travels beside the message, in the same order.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Input {
    /// Its name with the folders it was dropped in, `/` between them.
    pub path: String,
    /// Its length in bytes.
    pub len_bytes: u64,
}

/// What to open and how.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct OpenRequest {
    /// The files.
    pub inputs: Vec<Input>,
    /// Read everything as this format, whatever detection says.
    pub format: Option<String>,
    /// The entries chosen from archives (archive's path, index of the entry); `None` asks first.
    pub entries: Option<Vec<(String, u32)>>,
    /// How loops are looked for.
    pub rule: LoopSettings,
    /// Whether more of the files comes with [`Request::Push`]: an address that is being read, a file
    /// that grows.
    pub grows: Option<Growth>,
}

/// What is known of files that grow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Growth {
    /// How many bytes they will be in all; 0 where that is not known.
    pub total_bytes: u64,
    /// Whether they grow as something happens, in place of as fast as they can be read: what is here
    /// is shown at once, and what has no end yet is still running.
    pub is_live: bool,
}

/// The two numbers of the loop rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoopSettings {
    /// How many events back the rule looks.
    pub window: u32,
    /// How many repetitions make a loop.
    pub repetitions: u32,
}

impl Default for LoopSettings {
    fn default() -> Self {
        Self { window: 12, repetitions: 3 }
    }
}

/// A run to be written out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ConvertRequest {
    /// Index of the run.
    pub run: u32,
    /// The form.
    pub form: Form,
    /// Whether as YAML, not as JSON.
    pub is_yaml: bool,
}

/// From the page to the worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Request {
    /// Practises until the first file comes.
    WarmUp,
    /// Opens files.
    Open(OpenRequest),
    /// Asks for the one-line summaries of events.
    Previews(Vec<u32>),
    /// Asks what an opened row shows.
    Detail(u32),
    /// Asks for more of a value: what was cut, how many bytes to add, a ticket for the answer.
    More(Cut, u32, u32),
    /// Asks for a whole value as a file, with a ticket for the answer.
    File(Cut, u32),
    /// Asks for a run as a file in the form of another program, with a ticket for the answer.
    Convert(ConvertRequest, u32),
    /// Asks for the beginning of such a file, with a ticket for the answer.
    ConvertPreview(ConvertRequest, u32),
    /// Holds a run (its index) against expectations in JSON or YAML, with a ticket for the answer.
    Check(u32, String, u32),
    /// Asks for the TraceSummary of a run.
    Summary(u32),
    /// Looks for loops again with other numbers.
    Rule(LoopSettings),
    /// Nothing of an archive was chosen: show what was read beside it.
    Finish,
    /// Brings the next bytes of a file that grows, by its index; they travel beside the message.
    Push(u32),
    /// No more of a file that grows will come.
    End(u32),
    /// Stops reading after the slice under way and keeps what is there.
    Stop,
    /// Asks how much memory the reader uses.
    Memory,
    /// Asks for the statistics of the run with an index, or of all runs.
    Statistics(Option<u32>),
    /// Asks which event a link (`sel=`) means.
    Find(String),
    /// Searches for a query, in place of any other; its number comes back with what is found.
    Search(Query, u32),
    /// Asks for the annotations of a run, and what the own ones of it point at.
    Annotations(u32, Vec<OwnAnnotation>),
    /// Asks for the address of what a new annotation is to point at.
    Address(Spot),
    /// Asks for annotations as a file, with the own ones by the hash of their run, and a ticket for the
    /// answer.
    Export(Vec<(String, Vec<OwnAnnotation>)>, ExportForm, u32),
    /// Stops searching.
    StopSearch,
}

/// From the worker to the page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Response {
    /// How far reading has come: bytes read, bytes in all, events so far.
    Progress(u64, u64, u64),
    /// An archive holds several traces: path of the archive, entries.
    Choose(String, Vec<EntryLine>),
    /// The outline without its rows, complete or of what has been read so far.
    Outline(Box<Outline>),
    /// The next rows of the outline that was sent last.
    Rows(Box<RowSlice>),
    /// Summaries by event id.
    Previews(Vec<(u32, String)>),
    /// What an opened row shows.
    Detail(Box<ShownDetail>),
    /// More of a value, with the ticket of the request.
    More(u32, Shown),
    /// A value as a file, with the ticket of the request; its Blob travels beside the message.
    File(u32, MadeFile),
    /// The beginning of a run in another form, and whether that is all of it; with the ticket.
    ConvertPreview(u32, String, bool),
    /// What came of expectations, with the ticket of the request.
    Checked(u32, Box<Report>),
    /// Why expectations could not be read, with the ticket; the place stands in the details.
    Unchecked(u32, Problem),
    /// The TraceSummary of a run.
    Summary(u32, Box<TraceSummary>),
    /// A file that has grown is here whole, by its index; its Blob travels beside the message.
    Grown(u32, MadeFile),
    /// The event that a link means, and a sentence where it is not exactly that one.
    Found(Option<u32>, Option<String>),
    /// The annotations of a run.
    Annotations(Box<AnnotationList>),
    /// The address that was asked for, if there is one.
    Address(Option<String>),
    /// How much memory the reader uses.
    Memory(Memory),
    /// The calls of the run with an index, or of all runs, by kind and name.
    Statistics(Option<u32>, Vec<CallsLine>),
    /// What the search has found since the last time.
    Hits(Box<HitBatch>),
    /// Nothing can be shown.
    Failed(Problem),
}

impl PartialEq for Outline {
    /// Outlines are compared by what tests look at; the page never compares them.
    fn eq(&self, other: &Self) -> bool {
        self.runs == other.runs
            && self.findings == other.findings
            && self.warnings == other.warnings
    }
}

/// What the reader holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Memory {
    /// Bytes of its wasm memory, which never shrinks: so this is also its peak. 0 outside of wasm.
    pub wasm_bytes: u64,
    /// Bytes that were unpacked and are kept as Blobs, outside of that memory.
    pub blob_bytes: u64,
}

/// A file that was made of a value: where the store has it, and what it is.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MadeFile {
    /// Its name.
    pub name: String,
    /// Its media type.
    pub media: String,
    /// Where its bytes are in the store of the session.
    pub handle: u32,
    /// The first of them.
    pub start: u64,
    /// How many there are.
    pub len: u64,
    /// Whether the store holds them for this file alone.
    pub is_made: bool,
    /// What could not be taken along, in sentences.
    pub notes: Vec<String>,
}

/// An entry of an archive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EntryLine {
    /// Its index in the archive.
    pub index: u32,
    /// Its name.
    pub path: String,
    /// Its unpacked length in bytes, as the archive says.
    pub len_bytes: u64,
    /// Why it cannot be read, if it cannot.
    pub problem: Option<String>,
}

/// Why nothing can be shown: a stable code, what happened and where, and what to do next.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Problem {
    /// The code, for links, tests and bug reports.
    pub code: String,
    /// What happened, and where.
    pub what: String,
    /// What to do next.
    pub next: String,
    /// More about it, shown on request.
    pub details: String,
}

/// Encodes a message.
#[must_use]
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    // Encoding into memory fails only for maps of unknown length, and there are none.
    postcard::to_allocvec(message).unwrap_or_default()
}

/// Decodes a message. `None` would mean that two builds talk to each other.
#[must_use]
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}
