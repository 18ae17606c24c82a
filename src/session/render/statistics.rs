//! Call statistics of a trace.

use super::lanes::name_of;
use traceloupe_analysis::{Calls, by_agent, statistics};
use traceloupe_core::model::{RunId, Trace};
use traceloupe_protocol::statistics::{CallsLine, OF_AGENTS};
use traceloupe_words::plural;

/// The calls of one run, or of all runs, by kind and name. For a single run with several agents, also by agent.
#[must_use]
pub fn calls(trace: &Trace, run: Option<u32>) -> Vec<CallsLine> {
    let run = run.map(|run| RunId::from_index(run as usize));
    let named = statistics(trace, run).into_iter();
    let named = named.map(|it| line(&it, plural(it.kind), trace.name(it.name).to_owned()));
    let agents = run.map(|run| by_agent(trace, run)).unwrap_or_default();
    let agents = agents.iter().filter(|_| agents.len() > 1);
    let agents = agents.map(|(lane, it)| {
        let name = name_of(trace, *lane);
        line(it, OF_AGENTS, if name.is_empty() { "main".to_owned() } else { name })
    });
    named.chain(agents).collect()
}

fn line(it: &Calls, kind: &str, name: String) -> CallsLine {
    CallsLine {
        kind: kind.to_owned(),
        name,
        n: it.n,
        errors: it.errors,
        without_result: it.without_result,
        duration_ms: it.duration_ms.into(),
        is_inferred: it.is_inferred,
        tokens: (it.usage.total_input(), it.usage.output),
        cached: it.usage.cache_read,
        is_unfinished: it.usage.unfinished,
    }
}
