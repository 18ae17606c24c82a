//! What a search has found, as it travels to the page.

use serde::{Deserialize, Serialize};

use crate::search::Fault;
use crate::view::wire::columns::Column;

/// So many hits are listed with the text around them; all are counted.
pub const MAX_LISTED: usize = 1_000;

/// A hit in the list of hits.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct HitLine {
    /// The event; `None` for bytes of which no event was made.
    pub id: Option<u32>,
    /// Index of the source.
    pub source: u32,
    /// Offset in it of the string that has the hit.
    pub byte: u64,
    /// Text before the hit, the hit, text behind it: on one line, cut.
    pub text: [String; 3],
}

/// What a search has found since the last time it told.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct HitBatch {
    /// The number of the query that it belongs to.
    pub generation: u32,
    /// Why the query cannot be searched for.
    pub fault: Option<Fault>,
    /// Events with new hits.
    pub ids: Column<u32>,
    /// How many new hits each of them has.
    pub counts: Column<u32>,
    /// Hits in all so far.
    pub total: u64,
    /// How many of them are in bytes of which no event was made.
    pub nowhere: u64,
    /// More hits for the list.
    pub lines: Vec<HitLine>,
    /// Listed hits whose event is known only now: index in the list, event.
    pub found_later: Vec<(u32, u32)>,
    /// Bytes searched so far.
    pub searched_bytes: u64,
    /// Bytes that are there to be searched so far.
    pub total_bytes: u64,
    /// Bytes that were not searched, since their file cannot be read any more.
    pub unread_bytes: u64,
    /// Whether everything has been read and searched.
    pub done: bool,
}
