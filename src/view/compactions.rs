//! Where an agent's context was compacted: one of the findings of a run.

use crate::context_chart::{input_of, is_main};
use crate::outline::Outline;
use traceloupe_core::model::EventKind;
use traceloupe_protocol::outline::RunLine;

/// A compaction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Compacted {
    /// Its row.
    pub row: u32,
    /// The input tokens of the agent's LLM call before; NaN if they are not known.
    pub from: f64,
    /// The input tokens of its LLM call after; NaN if they are not known.
    pub to: f64,
}

/// The compactions of a run, of all its agents.
#[must_use]
pub fn compactions(outline: &Outline, run: &RunLine) -> Vec<Compacted> {
    let (rows, kind) = (&outline.rows, EventKind::Compaction as u8);
    // Most runs have none, and a run may have a million rows.
    if !run.kinds.iter().any(|it| it.0 == kind) {
        return Vec::new();
    }
    // Several lanes may be of the main agent, which has the first place.
    let agent = |row: u32| match rows.lanes.get(row) {
        lane if is_main(run, lane) => 0,
        lane => usize::from(lane) + 1,
    };
    let mut found: Vec<Compacted> = Vec::new();
    // Of each agent: the tokens of its last call, and the compaction that no call has followed yet.
    let mut agents = vec![(f64::NAN, None::<usize>); run.lanes.len() + 1];
    for row in run.first_row..run.first_row.saturating_add(run.n_rows) {
        let Some((tokens, open)) = agents.get_mut(agent(row)) else { continue };
        if let Some(input) = input_of(outline, row) {
            if let Some(compacted) = open.take().and_then(|at| found.get_mut(at)) {
                compacted.to = input;
            }
            *tokens = input;
        } else if rows.kinds.get(row) == kind {
            // A program may write several records of one compaction.
            match open.and_then(|at| found.get_mut(at)) {
                Some(compacted) => compacted.row = row,
                None => {
                    *open = Some(found.len());
                    found.push(Compacted { row, from: *tokens, to: f64::NAN });
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_agents;
    use std::sync::Arc;

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
        let found = compactions(&outline, &outline.runs[0]);
        assert_eq!(found[0], Compacted { row: 4, from: 158e3, to: 31e3 }, "two records of one");
        assert_eq!((found.len(), found[1].row, found[1].from), (2, 7, 31e3));
        assert!(found[1].to.is_nan(), "nothing came after");
    }
}
