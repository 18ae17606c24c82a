//! The content of the tabs beside the timeline.

use crate::kit::{Exhibit, Outcome};
use traceloupe_core::model::{Evaluation, EventId, TraceBuilder};

/// Lists the event of an item in the tabs.
pub(super) fn add(event: EventId, exhibit: &Exhibit<'_>, out: &mut TraceBuilder) {
    match exhibit {
        Exhibit::Definition => out.exhibits_mut().definitions.push(event),
        Exhibit::Solution(name) => {
            let name = out.name(name);
            out.exhibits_mut().solutions.push((event, name));
        }
        Exhibit::Evaluation(outcome) => {
            let Outcome { passed, latency_ms, speedup, max_diff, has_code, .. } = *outcome;
            let name = out.name(&outcome.name);
            let (workload, status) = (out.name(&outcome.workload), out.name(&outcome.status));
            out.exhibits_mut().evaluations.push(Evaluation {
                event,
                name,
                workload,
                status,
                passed,
                latency_ms,
                speedup,
                max_diff,
                has_code,
            });
        }
    }
}
