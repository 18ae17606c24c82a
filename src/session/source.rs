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
use traceloupe_protocol::problem::SourceFault;

/// What is known of a source, during reading and after it.
pub(super) struct Source {
    /// Its name with its folders.
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
    /// What its keys are taken for, if no format knows it.
    pub(super) reading: Option<Reading>,
    /// Why nothing of it, or not all of it, can be shown.
    pub(super) problem: Option<SourceFault>,
    /// Whether it only contains other sources.
    pub(super) is_container: bool,
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
        SourceLine {
            path: self.path.clone(),
            len_bytes: self.len_bytes,
            format: self.format.map_or(String::new(), |format| format.id().to_owned()),
            why: self.why.clone(),
            others: self.others.clone(),
            reading: self.reading.clone(),
            problem: self.problem.clone(),
            is_container: self.is_container,
        }
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("path", &self.path).finish_non_exhaustive()
    }
}

/// How a split document of no known format is read. The framer asks for its list, and so for this, before it
/// gives any record of it.
pub(super) type SplitReading = Rc<RefCell<Option<Reading>>>;

/// How far a source has been read. Dropped when the trace is complete.
pub(super) struct SourceState {
    /// Its length in bytes, if that is known before it is read.
    pub(super) expected_bytes: Option<u64>,
    /// How many sources it was unpacked from, one inside the other.
    pub(super) nesting: u8,
    /// Whether it is from an archive. Archives in an archive are read without asking for a choice.
    pub(super) in_archive: bool,
    /// Why the bytes end before the end of the source.
    pub(super) cut: Option<Code>,
    /// How its document is read if it was split.
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

/// What is done with the next bytes of a source.
pub(super) enum Stage {
    /// They are collected until there are enough to say what the source is.
    Head(Vec<u8>),
    /// They are unpacked into another source.
    Unpack(Box<dyn Decoder>, SourceId),
    /// They are cut into records.
    Frame(Box<Framer>, Records),
    /// Nothing yet: archives and databases are read once all their bytes are there.
    Archive(Container),
    /// Nothing: the source has been read, or cannot be.
    Done,
}

/// Where the records of a source go.
pub(super) enum Records {
    /// They wait until the format is chosen.
    Pending(Vec<PendingRecord>),
    /// To the reader of the format.
    Reading(Box<dyn Reader>),
}

/// A record that waits until the format is chosen.
pub(super) struct PendingRecord {
    pub(super) text: String,
    /// The offset of its first byte, and the line of that byte.
    pub(super) start: u64,
    pub(super) line: u32,
    /// Whether it is a part of a split document.
    pub(super) is_part: bool,
}

impl PendingRecord {
    /// The record, with a tape again.
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
