//! Statistics of a trace, as shown on the page.

use serde::{Deserialize, Serialize};

pub use traceloupe_analysis::PERCENTILES;
use traceloupe_analysis::Spread;

/// The distribution of a number, ready to display.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ShownSpread {
    /// Number of known values.
    pub n: u64,
    /// Their mean; NaN if there are none.
    pub mean: f64,
    /// The 50th, 90th, 95th and 99th percentiles.
    pub percentiles: [f64; 4],
}

impl From<Spread> for ShownSpread {
    fn from(spread: Spread) -> Self {
        let mean = spread.mean().unwrap_or(f64::NAN);
        Self { n: spread.n, mean, percentiles: spread.percentiles }
    }
}

/// The kind of a line that counts the calls of an agent.
pub const OF_AGENTS: &str = "Agent";

/// The kind of a line that counts the calls of a turn.
pub const OF_TURNS: &str = "Turn";

/// The kind of a line that counts the calls that name a file.
pub const OF_FILES: &str = "File";

/// The kind of a line that counts the calls that run a command.
pub const OF_COMMANDS: &str = "Command";

/// Statistics of all calls to one model or tool, of one agent, in one turn, of one file, or of one command.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CallsLine {
    /// The kind of calls: LLM calls, tool calls, agents.
    pub kind: String,
    /// The model, tool or agent, which may be empty; the number of the turn; the path of the file; the command.
    pub name: String,
    /// Number of calls.
    pub n: u64,
    /// Number of failed calls.
    pub errors: u64,
    /// Number of calls without a result in the file.
    pub without_result: u64,
    /// Durations in milliseconds.
    pub duration_ms: ShownSpread,
    /// Whether any of these durations was inferred.
    pub is_inferred: bool,
    /// Input and output tokens, if any call reports them.
    pub tokens: (Option<u64>, Option<u64>),
    /// How many of the input tokens came from a cache, if any call reports it.
    pub cached: Option<u64>,
    /// Whether the output tokens are a lower bound, because some calls were counted before they ended.
    pub is_unfinished: bool,
}
