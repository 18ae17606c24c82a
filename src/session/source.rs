//! A source: a file, an entry of an archive, or the unpacked bytes of another source.

use std::cell::RefCell;
use std::rc::Rc;

use super::problems::Code;
use super::store::Handle;
use traceloupe_core::json::{Inspector, Json};
use traceloupe_core::model::{Reading, SourceId};
use traceloupe_engine::{Format, Reader, Record};
use traceloupe_input::{Container, Decoder, Framer};
use traceloupe_protocol::outline::SourceLine;

/// A source, during and after reading.
pub(super) struct Source {
    /// Its name, including folders.
    pub(super) path: String,
    /// Its bytes in the store.
    pub(super) handle: Handle,
    /// How many of its bytes have been read.
    pub(super) len_bytes: u64,
    /// The format it is read as.
    pub(super) format: Option<&'static dyn Format>,
    /// Why it is read as this format.
    pub(super) why: String,
    /// Other formats that could read it: id, name, reason.
    pub(super) others: Vec<(String, String, String)>,
    /// The interpretation of its keys, if its format is unknown.
    pub(super) reading: Option<Reading>,
    /// Why it cannot be shown, or not completely.
    pub(super) problem: Option<Fault>,
    /// Whether it only contains other sources.
    pub(super) is_container: bool,
}

/// A problem of a source: a code and a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    pub(super) code: Code,
    pub(super) words: String,
}

impl Source {
    pub(super) fn new(path: &str, handle: Handle) -> Self {
        Self {
            path: path.to_owned(),
            handle,
            len_bytes: 0,
            format: None,
            why: String::new(),
            others: Vec::new(),
            reading: None,
            problem: None,
            is_container: false,
        }
    }

    /// The name without its folders.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The source as the page lists it.
    pub(super) fn line(&self) -> SourceLine {
        let problem = self.problem.as_ref();
        SourceLine {
            path: self.path.clone(),
            len_bytes: self.len_bytes,
            format: self.format.map_or(String::new(), |format| format.id().to_owned()),
            why: self.why.clone(),
            others: self.others.clone(),
            reading: self.reading.clone(),
            problem: problem.map(|it| (it.code, it.words.clone())),
            is_container: self.is_container,
        }
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("path", &self.path).finish_non_exhaustive()
    }
}

/// How a split document of an unknown format is read. The framer requests the list of the document, and with it this
/// value, before it produces any record.
pub(super) type SplitReading = Rc<RefCell<Option<Reading>>>;

/// The reading state of a source. Dropped when the trace is complete.
pub(super) struct SourceState {
    /// Its length in bytes, if known before reading.
    pub(super) expected_bytes: Option<u64>,
    /// How many sources it was unpacked from, one inside the other.
    pub(super) nesting: u8,
    /// Whether it comes from an archive. Archives inside an archive are read without a choice by the user.
    pub(super) in_archive: bool,
    /// Why its bytes are incomplete.
    pub(super) cut: Option<Code>,
    /// How its document is read, if the document was split.
    pub(super) split: SplitReading,
    pub(super) stage: Stage,
}

impl SourceState {
    pub(super) fn new(nesting: u8) -> Self {
        let stage = Stage::Head(Vec::new());
        Self {
            expected_bytes: None,
            nesting,
            in_archive: false,
            cut: None,
            split: Rc::default(),
            stage,
        }
    }
}

/// What happens to the next bytes of a source.
pub(super) enum Stage {
    /// They are collected until there are enough to determine what the source is.
    Head(Vec<u8>),
    /// They are unpacked into another source.
    Unpack(Box<dyn Decoder>, SourceId),
    /// They are split into records.
    Frame(Box<Framer>, Records),
    /// Nothing yet. Archives and databases are read once all of their bytes have arrived.
    Archive(Container),
    /// Nothing. The source has been read, or cannot be read.
    Done,
}

/// Where the records of a source go.
pub(super) enum Records {
    /// Kept until the format is chosen.
    Pending(Vec<PendingRecord>),
    /// Passed to the reader of the format.
    Reading(Box<dyn Reader>),
}

/// A record that is kept until the format is chosen.
pub(super) struct PendingRecord {
    pub(super) text: String,
    /// The offset of its first byte, and the line of that byte.
    pub(super) start: u64,
    pub(super) line: u32,
    /// Whether it is a part of a split document.
    pub(super) is_part: bool,
}

impl PendingRecord {
    /// The record, with a newly built tape.
    pub(super) fn record<'a>(
        &'a self,
        source: SourceId,
        inspector: &'a mut Inspector,
    ) -> Record<'a> {
        let found = inspector.inspect(&self.text).map(|found| found.json);
        let json = found.unwrap_or_else(|| Json::new(&self.text));
        Record::new(json, source, self.start, self.line)
    }
}
