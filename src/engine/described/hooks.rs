//! Special behaviour of a format beyond its descriptions.

use crate::{EventRecords, Probe, Record, Verdict};
use traceloupe_core::json::Json;
use traceloupe_core::model::{Detail, TraceBuilder};

/// Sees each record of a source.
pub type Watch = Box<dyn FnMut(&Record<'_>, &mut TraceBuilder)>;

/// Special behaviour of a format beyond its descriptions.
#[derive(Clone, Copy, Debug)]
pub struct Hooks {
    /// Recognises the format in place of its signs. Used where several formats share a family of files, so that only
    /// one of them may be certain.
    pub sniff: Option<fn(&Probe<'_>) -> Verdict>,
    /// Returns the list of a document in place of the format's lists. Used where this depends on the kind of document.
    pub list_of: Option<fn(Json<'_>) -> Option<&'static str>>,
    /// Whether documents are held as a whole, because a run is the whole document including the part after its list.
    /// Other long documents are split at their list.
    pub is_whole: bool,
    /// Whether a document may summarize the records before it: what they contain is not shown again, and the document
    /// belongs to their run.
    pub sums_up: bool,
    /// Whether the producer writes the same text in two records ([`Item::again`](super::Item::again)). If so, the texts
    /// of all items are compared, which takes time.
    pub tells_twice: bool,
    /// Creates a function that sees all records of a source, each before it is described. Used for rules about a file
    /// instead of a record.
    pub watch: Option<fn() -> Watch>,
    /// Called once all sources have been read and joined.
    pub join: Option<fn(&mut TraceBuilder)>,
    /// Changes the content of an opened row, where it depends on other rows.
    pub opened: Option<fn(&EventRecords<'_>, &mut Detail)>,
}

impl Hooks {
    /// No special behaviour.
    pub const NONE: Self = Self {
        sniff: None,
        list_of: None,
        is_whole: false,
        sums_up: false,
        tells_twice: false,
        watch: None,
        join: None,
        opened: None,
    };
}
