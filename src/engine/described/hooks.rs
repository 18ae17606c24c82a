//! What is particular to a format beyond its descriptions.

use crate::{EventRecords, Probe, Record, Verdict};
use traceloupe_core::json::Json;
use traceloupe_core::model::{Detail, TraceBuilder};

/// Looks at a record of a source.
pub type Watch = Box<dyn FnMut(&Record<'_>, &mut TraceBuilder)>;

/// What is particular to a format beyond its descriptions.
#[derive(Clone, Copy, Debug)]
pub struct Hooks {
    /// Recognises the format instead of its signs: where several formats share a family of files, so that only one
    /// of them may be sure.
    pub sniff: Option<fn(&Probe<'_>) -> Verdict>,
    /// Names the list that a document has, instead of the format's lists: where that depends on what the document is.
    pub list_of: Option<fn(Json<'_>) -> Option<&'static str>>,
    /// Whether documents are held whole: a run is the whole document, with what follows its list. Other
    /// long documents are split at their list.
    pub is_whole: bool,
    /// Whether a document may sum up the records before it: what these have is not shown again, and the document is
    /// of their run.
    pub sums_up: bool,
    /// Whether the producer writes the same words in two records ([`Item::again`](crate::kit::Item::again)). The words of
    /// all items are compared then, which takes time.
    pub tells_twice: bool,
    /// Makes what looks at all records of a source, each before it is described: for rules that are about
    /// a file and not about a record.
    pub watch: Option<fn() -> Watch>,
    /// Called once all sources are read and joined.
    pub join: Option<fn(&mut TraceBuilder)>,
    /// Changes what an opened row shows: where that depends on other rows.
    pub opened: Option<fn(&EventRecords<'_>, &mut Detail)>,
}

impl Hooks {
    /// Nothing is particular.
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
