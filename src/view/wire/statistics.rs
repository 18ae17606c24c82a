//! The statistics of a trace as the page shows them.

use serde::{Deserialize, Serialize};

pub use crate::analysis::PERCENTILES;
use crate::analysis::Spread;

/// A spread, ready to be sent.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ShownSpread {
    /// How many values are known.
    pub n: u64,
    /// Their mean; NaN where none is known.
    pub mean: f64,
    /// The 50th, 90th, 95th and 99th percentile.
    pub percentiles: [f64; 4],
}

impl From<Spread> for ShownSpread {
    fn from(spread: Spread) -> Self {
        let mean = spread.mean().unwrap_or(f64::NAN);
        Self { n: spread.n, mean, percentiles: spread.percentiles }
    }
}

/// All calls of one model or tool.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CallsLine {
    /// What they are: LLM calls, tool calls, agents.
    pub kind: String,
    /// The model or tool; may be empty.
    pub name: String,
    /// How many calls.
    pub n: u64,
    /// How many of them failed.
    pub errors: u64,
    /// How many have no result in the file.
    pub without_result: u64,
    /// Durations in milliseconds.
    pub duration_ms: ShownSpread,
    /// Whether any of these durations was inferred.
    pub is_inferred: bool,
    /// Tokens in and out, where any call reports them.
    pub tokens: (Option<u64>, Option<u64>),
    /// Whether the tokens out are a lower bound, because some calls were counted before they ended.
    pub is_unfinished: bool,
}
