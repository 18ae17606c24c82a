//! Matches of a search, as sent to the page.

use serde::{Deserialize, Serialize};

use crate::columns::Column;
use traceloupe_search::Fault;

/// The maximum number of matches that are listed with their context; all matches are counted.
pub const MAX_LISTED: usize = 1_000;

/// A match in the list of matches.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct HitLine {
    /// The event; `None` if the bytes do not belong to an event.
    pub id: Option<u32>,
    /// Index of the source.
    pub source: u32,
    /// Byte offset in the source of the string that contains the match.
    pub byte: u64,
    /// Text before the match, the match, text after it; on one line and shortened.
    pub text: [String; 3],
}

/// The matches found since the previous batch.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct HitBatch {
    /// The number of the query to which this batch belongs.
    pub generation: u32,
    /// Why the query is invalid, if it is.
    pub fault: Option<Fault>,
    /// Ids of events with new matches.
    pub ids: Column<u32>,
    /// The number of new matches of each event in `ids`.
    pub counts: Column<u32>,
    /// Total matches so far.
    pub total: u64,
    /// How many of them are in bytes that do not belong to an event.
    pub nowhere: u64,
    /// New entries for the list of matches.
    pub lines: Vec<HitLine>,
    /// Matches that were listed before their event was known: index in the list, event id.
    pub found_later: Vec<(u32, u32)>,
    /// Bytes searched so far.
    pub searched_bytes: u64,
    /// Bytes available to search so far.
    pub total_bytes: u64,
    /// Bytes that were not searched because their file can no longer be read.
    pub unread_bytes: u64,
    /// Whether everything has been read and searched.
    pub done: bool,
}
