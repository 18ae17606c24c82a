//! A source: a file, an entry of an archive, or the unpacked bytes of another source.

use std::cell::RefCell;
use std::rc::Rc;

use crate::intake::problems::Code;
use crate::store::Handle;
use traceloupe_core::json::{Inspector, Json};
use traceloupe_core::model::{Reading, SourceId};
use traceloupe_engine::{Format, Reader, Record};
use traceloupe_input::{Container, Decoder, Framer};
use traceloupe_protocol::file_selection::LeftOut;
use traceloupe_protocol::outline::SourceLine;
use traceloupe_protocol::problem::SourceFault;

/// A source, during and after reading.
pub(crate) struct Source {
    /// Its name, including folders.
    pub(crate) path: String,
    /// Its bytes in the store.
    pub(crate) handle: Handle,
    /// How many of its bytes have been read.
    pub(crate) len_bytes: u64,
    /// The format it is read as.
    pub(crate) format: Option<&'static dyn Format>,
    /// Why it is read as this format.
    pub(crate) why: String,
    /// Other formats that could read it: id, name, reason.
    pub(crate) others: Vec<(String, String, String)>,
    /// The interpretation of its keys, if its format is unknown.
    pub(crate) reading: Option<Reading>,
    /// Why nothing of it, or not all of it, can be shown.
    pub(crate) problem: Option<SourceFault>,
    /// Whether it only contains other sources.
    pub(crate) is_container: bool,
    /// Its entries that were not read, if it is an archive.
    pub(crate) left_out: LeftOut,
}

impl Source {
    pub(crate) fn new(path: &str, handle: Handle) -> Self {
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
            left_out: LeftOut::new(),
        }
    }

    /// The name without its folders.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The source as the page lists it.
    pub(crate) fn line(&self) -> SourceLine {
        SourceLine {
            path: self.path.clone(),
            len_bytes: self.len_bytes,
            format: self.format.map_or(String::new(), |format| format.id().to_owned()),
            why: self.why.clone(),
            others: self.others.clone(),
            reading: self.reading.clone(),
            problem: self.problem.clone(),
            is_container: self.is_container,
            left_out: self.left_out.clone(),
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
pub(crate) type SplitReading = Rc<RefCell<Option<Reading>>>;

/// The reading state of a source. Dropped when the trace is complete.
pub(crate) struct SourceState {
    /// Its length in bytes, if known before reading.
    pub(crate) expected_bytes: Option<u64>,
    /// How many sources it was unpacked from, one inside the other.
    pub(crate) nesting: u8,
    /// Whether it comes from an archive. Archives inside an archive are read without a choice by the user.
    pub(crate) in_archive: bool,
    /// Why its bytes are incomplete.
    pub(crate) cut: Option<Code>,
    /// How its document is read, if the document was split.
    pub(crate) split: SplitReading,
    pub(crate) stage: Stage,
}

impl SourceState {
    pub(crate) fn new(nesting: u8) -> Self {
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
pub(crate) enum Stage {
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
pub(crate) enum Records {
    /// Kept until the format is chosen.
    Pending(Vec<PendingRecord>),
    /// Passed to the reader of the format.
    Reading(Box<dyn Reader>),
    /// Not read, because the file is of another kind.
    Ignored,
}

/// A record that is kept until the format is chosen.
pub(crate) struct PendingRecord {
    pub(crate) text: String,
    /// The offset of its first byte, and the line of that byte.
    pub(crate) start: u64,
    pub(crate) line: u32,
    /// Whether it is a part of a split document.
    pub(crate) is_part: bool,
}

impl PendingRecord {
    /// The record, with a newly built tape.
    pub(crate) fn record<'a>(
        &'a self,
        source: SourceId,
        inspector: &'a mut Inspector,
    ) -> Record<'a> {
        let found = inspector.inspect(&self.text).map(|found| found.json);
        let json = found.unwrap_or_else(|| Json::new(&self.text));
        Record::new(json, source, self.start, self.line)
    }
}
