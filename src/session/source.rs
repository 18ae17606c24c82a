//! A source: a file, an entry of an archive, or what was unpacked from one, and how far it is read.

use super::store::Handle;
use crate::formats::{Format, Reader, Record};
use crate::input::{Decoder, Framer};
use crate::json::Json;
use crate::model::SourceId;
use crate::notice::NoticeCode;

/// A source and its state.
pub(super) struct Source {
    /// Its name with its folders.
    pub(super) path: String,
    /// Where its bytes are.
    pub(super) handle: Handle,
    /// How many bytes it will have, where that is known.
    pub(super) expected_bytes: Option<u64>,
    /// How many of its bytes have been read.
    pub(super) len_bytes: u64,
    /// How often it was unpacked from something.
    pub(super) nesting: u8,
    /// Whether it came out of an archive, from which nothing more can be chosen.
    pub(super) in_archive: bool,
    /// The format it is read as.
    pub(super) format: Option<&'static dyn Format>,
    /// Why.
    pub(super) why: String,
    /// Other formats that could read it: id, name, reason.
    pub(super) others: Vec<(String, String, String)>,
    /// Why nothing of it can be shown: code, sentence.
    pub(super) problem: Option<(String, String)>,
    /// Whether it only holds other sources.
    pub(super) is_container: bool,
    /// Why it ends before its writer ended it, if it does.
    pub(super) cut: Option<Cut>,
    pub(super) stage: Stage,
}

/// Why a source ends before its writer ended it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cut {
    /// The person stopped the reading.
    Stopped,
    /// What it was unpacked from is damaged.
    Damaged(NoticeCode),
}

/// How far the reading of a source has come.
pub(super) enum Stage {
    /// Its first bytes are gathered, to see what it is.
    Head(Vec<u8>),
    /// It is unpacked into another source.
    Unpack(Box<dyn Decoder>, SourceId),
    /// It is cut into records.
    Frame(Box<Framer>, Records),
    /// It is an archive, read when all of it is there.
    Archive,
    /// It is read, or of no use.
    Done,
}

/// A record that waits for its format.
pub(super) struct Waiting {
    pub(super) text: String,
    /// Where its first byte stands, and the line of it.
    pub(super) start: u64,
    pub(super) line: u32,
    /// Whether it is a part of a split document.
    pub(super) is_part: bool,
}

impl Waiting {
    pub(super) fn record(&self, source: SourceId) -> Record<'_> {
        Record::new(Json::new(&self.text), source, self.start, self.line)
    }
}

/// Where the records go.
pub(super) enum Records {
    /// The format is not decided yet.
    Waiting(Vec<Waiting>),
    /// To a format.
    Reading(Box<dyn Reader>),
}

impl Source {
    pub(super) fn new(path: &str, handle: Handle, nesting: u8) -> Self {
        Self {
            path: path.to_owned(),
            handle,
            expected_bytes: None,
            len_bytes: 0,
            nesting,
            in_archive: false,
            format: None,
            why: String::new(),
            others: Vec::new(),
            problem: None,
            is_container: false,
            cut: None,
            stage: Stage::Head(Vec::new()),
        }
    }

    /// The name without its folders.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("path", &self.path).finish_non_exhaustive()
    }
}
