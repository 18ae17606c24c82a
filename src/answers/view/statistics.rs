//! Call statistics of a trace.

use traceloupe::analysis::{Calls, statistics};
use traceloupe::model::{RunId, Trace};
use traceloupe::view::wire::statistics::CallsLine;
use traceloupe::view::words::plural;

/// Statistics of the calls of one run, or of all runs.
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
        is_unfinished: it.usage.unfinished,
    };
    let run = run.map(|run| RunId::from_index(run as usize));
    statistics(trace, run).into_iter().map(line).collect()
}
