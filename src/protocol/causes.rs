//! Explanations for the findings and errors of a run, as sent to the page: the calls that were repeated, and why calls
//! failed.

use serde::{Deserialize, Serialize};

use traceloupe_core::reason::Reason;

/// Explanations for the findings and errors of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Causes {
    /// Index of the run.
    pub run: u32,
    /// The summaries of the requested events and of the failed ones, by event id.
    pub calls: Vec<(u32, String)>,
    /// The failed events, in the order of the run.
    pub failures: Vec<Failure>,
    /// How many failed events were not examined because there are too many.
    pub n_left_out: u64,
}

/// Why an event failed.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Failure {
    /// Its id.
    pub id: u32,
    /// The reason.
    pub reason: Reason,
    /// Equal for reasons that differ only in what differs each time, such as numbers of lines.
    pub alike: u64,
    /// Whether it was fixed.
    pub repair: Repair,
}

/// Whether a failed call was fixed later in the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Repair {
    /// Not known: it is no call, or nothing states what the call acted on.
    #[default]
    Unknown,
    /// A later call with the same target worked: the id of the next one.
    By(u32),
    /// No later call with the same target worked.
    Never,
}
