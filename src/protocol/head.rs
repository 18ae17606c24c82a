//! What the beginning of a file says of its run, for the list of a folder.

use serde::{Deserialize, Serialize};

/// How much of each file of a folder is read for the list: enough for the first message of nearly all runs.
pub const HEAD_BYTES: u32 = 64 << 10;

/// How much is read of a file whose first record is longer than that.
pub const LONG_HEAD_BYTES: u32 = 2 << 20;

/// What the beginning of a file says.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Head {
    /// Place of the file or entry in the list.
    pub index: u32,
    /// Id of its format; empty if it is no trace that can be read.
    pub format: String,
    /// The producer's id of the run; empty if there is none. Files with the same format and id are one run.
    pub key: String,
    /// The name of the run, or its id where it has none.
    pub title: String,
    /// How the run came out, where its archive says it: scores, limits, errors.
    pub outcome: String,
    /// Start in milliseconds since 1970; NaN where unknown.
    pub start_ms: f64,
    /// How many runs the file has, if it was read to its end.
    pub n_runs: Option<u32>,
    /// How many events it has, if it was read to its end.
    pub n_events: Option<u64>,
    /// Whether it is an archive, whose entries are not looked at.
    pub is_archive: bool,
    /// Whether it ends within the first record, so that nothing is known of the file.
    pub is_cut: bool,
}
