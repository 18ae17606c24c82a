//! What is particular to a format beyond its descriptions.

use crate::formats::Record;
use crate::model::TraceBuilder;

/// Looks at a record of a source.
pub type Watch = Box<dyn FnMut(&Record<'_>, &mut TraceBuilder)>;

/// What is particular to a format beyond its descriptions.
#[derive(Clone, Copy, Debug)]
pub struct Hooks {
    /// Whether documents are held whole: a run is the whole document, with what follows its list. Other
    /// long documents are split at their list.
    pub is_whole: bool,
    /// Makes what looks at all records of a source, each before it is described: for rules that are about
    /// a file and not about a record.
    pub watch: Option<fn() -> Watch>,
    /// Called once all sources are read and joined.
    pub join: Option<fn(&mut TraceBuilder)>,
}

impl Hooks {
    /// Nothing is particular.
    pub const NONE: Self = Self { is_whole: false, watch: None, join: None };
}
