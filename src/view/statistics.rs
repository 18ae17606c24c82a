//! The statistics of a trace as the page shows them.

use serde::{Deserialize, Serialize};

use super::look::plural;
use super::outline::RunLine;
pub use crate::analysis::PERCENTILES;
use crate::analysis::{Calls, Spread, statistics};
use crate::model::{RunId, Trace};

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
}

/// The calls of a run, or of all runs.
#[must_use]
pub fn calls(trace: &Trace, run: Option<u32>) -> Vec<CallsLine> {
    let line = |it: Calls| CallsLine {
        kind: plural(it.kind).to_owned(),
        name: trace.name(it.name).to_owned(),
        n: it.n,
        errors: it.errors,
        without_result: it.without_result,
        duration_ms: it.duration_ms.into(),
        is_inferred: it.is_inferred,
        tokens: (it.usage.total_input(), it.usage.output),
    };
    let run = run.map(|run| RunId::from_index(run as usize));
    statistics(trace, run).into_iter().map(line).collect()
}

/// A number that every run has, or may have.
pub type Measure = (&'static str, fn(&RunLine) -> Option<f64>);

#[expect(clippy::cast_precision_loss)] // counts
const fn whole(n: u64) -> Option<f64> {
    Some(n as f64)
}

/// What runs are compared by.
pub const MEASURES: [Measure; 5] = [
    ("Run time in ms", |run| Some(run.duration_ms).filter(|ms| !ms.is_nan())),
    ("LLM calls", |run| whole(run.given.unwrap_or(run.counts).llm_calls)),
    ("Tool calls", |run| whole(run.given.unwrap_or(run.counts).tool_calls)),
    ("Errors", |run| whole(run.given.unwrap_or(run.counts).errors)),
    ("Tokens in and out", |run| {
        let (input, output) = (run.usage.total_input(), run.usage.output);
        input.or(output)?;
        whole(input.unwrap_or(0) + output.unwrap_or(0))
    }),
];

/// How a measure is spread over runs.
#[must_use]
pub fn over_runs(runs: &[RunLine], measure: &Measure) -> ShownSpread {
    Spread::new(runs.iter().filter_map(measure.1).collect()).into()
}
