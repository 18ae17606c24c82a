//! The places where an agent's context was compacted, as findings of a run.

use crate::context_chart::{input_of, is_main};
use crate::outline::Outline;
use traceloupe_analysis::rules::compaction::{self, Step};
use traceloupe_core::model::{EventId, EventKind, LaneId, RunId};
use traceloupe_protocol::outline::FindingLine;

/// The compactions of a run, of all its agents.
#[must_use]
pub fn compactions(outline: &Outline, index: u32) -> Vec<FindingLine> {
    let Some(run) = outline.runs.get(index as usize) else { return Vec::new() };
    let (rows, kind) = (&outline.rows, EventKind::Compaction as u8);
    // Most runs have none, and a run may have a million rows.
    if !run.kinds.iter().any(|it| it.0 == kind) {
        return Vec::new();
    }
    let step = |row: u32| {
        let input = input_of(outline, row);
        let lane = rows.lanes.get(row);
        (input.is_some() || rows.kinds.get(row) == kind).then(|| Step {
            event: EventId::from_index(rows.ids.get(row) as usize),
            lane: LaneId::from_index(usize::from(lane)),
            // Several lanes may belong to the main agent, which has the first place.
            agent: if is_main(run, lane) { 0 } else { usize::from(lane) + 1 },
            input,
        })
    };
    let steps = (run.first_row..run.first_row.saturating_add(run.n_rows)).filter_map(step);
    let found = compaction::find(RunId::from_index(index as usize), run.lanes.len() + 1, steps);
    found.iter().map(|it| outline.line_of(it)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_agents;
    use std::sync::Arc;
    use traceloupe_protocol::finding::Evidence;

    #[test]
    fn a_compaction_stands_between_the_calls_of_its_agent() {
        use EventKind::{Compaction, LlmCall, ToolCall};
        let mut outline = with_agents(&[
            (0, LlmCall, 0),
            (0, LlmCall, 1),
            (0, ToolCall, 0),
            (0, Compaction, 0),
            (0, Compaction, 0),
            (0, LlmCall, 1),
            (0, LlmCall, 0),
            (0, Compaction, 0),
        ]);
        let no = f64::NAN;
        let tokens = [158e3, 9.0, no, no, no, 9.0, 31e3, no];
        Arc::get_mut(&mut outline.rows).unwrap().sent.tokens_in = tokens.into_iter().collect();
        let found = compactions(&outline, 0);
        let told: Vec<_> = found.iter().map(|it| (it.mark, it.evidence.clone())).collect();
        let context = |before, after| Evidence::Context { before: Some(before), after };
        let two_records_of_one = (4, context(158e3, Some(31e3)));
        assert_eq!(told, [two_records_of_one, (7, context(31e3, None))]);
    }
}
