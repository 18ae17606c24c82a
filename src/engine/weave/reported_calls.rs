//! Which calls a log only reports again.
//!
//! Programs write a log record about each call, and may also write a span of the call, or another record that says
//! more. Only if there is nothing else does the report count.

use rustc_hash::{FxHashMap, FxHashSet};

use super::spans::REPORTED;
use traceloupe_core::model::{
    Event, EventId, EventKind, Link, NameId, RunId, Trace, TraceBuilder, Usage,
};

/// The counts of an LLM call: input with cached tokens, output.
type Counts = (u64, u64);

/// The calls of some runs that are recorded, not only reported.
#[derive(Default)]
struct Recorded {
    runs: FxHashSet<RunId>,
    llm_calls: FxHashSet<(RunId, Counts)>,
    /// Tool calls, by name.
    tool_calls: FxHashMap<(RunId, NameId), usize>,
}

/// Turns reports into notes if the run has the calls themselves.
pub(super) fn join(links: &[Link], out: &mut TraceBuilder) {
    let reports = links.iter().filter(|link| link.time_ns == REPORTED).map(|link| link.event);
    let reports: Vec<EventId> = reports.collect();
    if reports.is_empty() {
        return;
    }
    let mut recorded = recorded(&reports, out.trace());
    let mut reported: FxHashSet<(RunId, Counts, Option<i64>)> = FxHashSet::default();
    for id in reports {
        let Some(event) = out.trace().event(id) else { continue };
        let run = event.run;
        let is_again = match (event.kind, counts_of(event, out.trace())) {
            (EventKind::ToolCall, _) => match recorded.tool_calls.get_mut(&(run, event.name)) {
                Some(n) if *n > 0 => {
                    *n -= 1;
                    true
                }
                _ => false,
            },
            (_, Some(counts)) => {
                recorded.llm_calls.contains(&(run, counts))
                    || !reported.insert((run, counts, event.start.get()))
            }
            (_, None) => recorded.runs.contains(&run),
        };
        if is_again {
            out.set_usage(id, Usage::default());
            let name = out.name("reported call");
            if let Some(event) = out.event_mut(id) {
                (event.kind, event.name) = (EventKind::Note, name);
            }
        }
    }
}

/// The calls of the runs of some reports, without the reports.
fn recorded(reports: &[EventId], trace: &Trace) -> Recorded {
    let mut recorded = Recorded::default();
    let own: FxHashSet<EventId> = reports.iter().copied().collect();
    let runs: FxHashSet<RunId> = own.iter().filter_map(|id| Some(trace.event(*id)?.run)).collect();
    for (at, event) in trace.events().iter().enumerate() {
        if !runs.contains(&event.run) || own.contains(&EventId::from_index(at)) {
            continue;
        }
        match event.kind {
            EventKind::LlmCall => {
                recorded.runs.insert(event.run);
                let counts = counts_of(event, trace).map(|counts| (event.run, counts));
                recorded.llm_calls.extend(counts);
            }
            EventKind::ToolCall => {
                *recorded.tool_calls.entry((event.run, event.name)).or_default() += 1;
            }
            _ => {}
        }
    }
    recorded
}

fn counts_of(event: &Event, trace: &Trace) -> Option<Counts> {
    let usage = trace.usage(event).filter(|usage| !usage.is_empty())?;
    Some((usage.total_input().unwrap_or(0), usage.output.unwrap_or(0)))
}
