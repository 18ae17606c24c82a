//! Data about a run from the beginning of its file, for the list of a folder.

use serde::{Deserialize, Serialize};

/// How much of each file in a folder is read for the list: enough for the first message of nearly all runs.
pub const HEAD_BYTES: u32 = 64 << 10;

/// How much is read if the first record is longer than that.
pub const LONG_HEAD_BYTES: u32 = 2 << 20;

/// Data from the beginning of a file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Head {
    /// Index of the file or entry in the list.
    pub index: u32,
    /// Id of its format; empty if it is not a readable trace.
    pub format: String,
    /// The producer's id of the run; empty if there is none. Files with the same format and id are one run.
    pub key: String,
    /// The name of the run, or its id if it has none.
    pub title: String,
    /// The outcome of the run, if its archive states it: scores, limits, errors.
    pub outcome: String,
    /// Start in milliseconds since 1970; NaN if unknown.
    pub start_ms: f64,
    /// How many runs the file has, if it was read to the end.
    pub n_runs: Option<u32>,
    /// How many events it has, if it was read to the end.
    pub n_events: Option<u64>,
    /// Whether it is an archive, whose entries are not examined.
    pub is_archive: bool,
    /// Whether the read part ends within the first record, so that nothing is known about the file.
    pub is_cut: bool,
}
