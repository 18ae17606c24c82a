//! Distribution of a number over the runs of a trace.

use crate::analysis::Spread;
use crate::view::wire::outline::RunLine;
use crate::view::wire::statistics::ShownSpread;

/// A number that runs may have: its label, and how to read it.
pub type Measure = (&'static str, fn(&RunLine) -> Option<f64>);

#[expect(clippy::cast_precision_loss)] // counts
const fn whole(n: u64) -> Option<f64> {
    Some(n as f64)
}

/// The label of all tokens.
pub const TOKENS: &str = "Tokens (input + output)";

/// The numbers by which runs are compared.
pub const MEASURES: [Measure; 5] = [
    ("Duration (ms)", |run| Some(run.duration_ms).filter(|ms| !ms.is_nan())),
    ("LLM calls", |run| whole(run.given.unwrap_or(run.counts).llm_calls)),
    ("Tool calls", |run| whole(run.given.unwrap_or(run.counts).tool_calls)),
    ("Errors", |run| whole(run.given.unwrap_or(run.counts).errors)),
    (TOKENS, |run| {
        let (input, output) = (run.usage.total_input(), run.usage.output);
        input.or(output)?;
        // A lower bound is not comparable with the totals of other runs.
        if run.usage.unfinished {
            return None;
        }
        whole(input.unwrap_or(0) + output.unwrap_or(0))
    }),
];

/// The distribution of a measure over runs.
#[must_use]
pub fn over_runs(runs: &[RunLine], measure: &Measure) -> ShownSpread {
    Spread::new(runs.iter().filter_map(measure.1).collect()).into()
}
