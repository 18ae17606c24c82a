//! Compactions of an agent's context, and their effect.

use super::Rule;
use crate::{Evidence, Finding, Place, Severity, Waste};
use traceloupe_core::model::{EventId, LaneId, RunId};

/// A step that affects the context of an agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// Its event.
    pub event: EventId,
    /// Its lane.
    pub lane: LaneId,
    /// The agent whose context it is, by number from 0.
    pub agent: usize,
    /// The input tokens of an LLM call; `None` for a compaction.
    pub input: Option<f64>,
}

/// The compactions of a run with `n_agents` agents.
#[must_use]
pub fn find(run: RunId, n_agents: usize, steps: impl Iterator<Item = Step>) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    // For each agent: the tokens of its last call, and the compaction that no call has followed yet.
    let mut agents = vec![(None::<f64>, None::<usize>); n_agents];
    for step in steps {
        let Some((tokens, open)) = agents.get_mut(step.agent) else { continue };
        if let Some(input) = step.input {
            let before = open.take().and_then(|at| found.get_mut(at)).map(|it| &mut it.evidence);
            if let Some(Evidence::Context { after, .. }) = before {
                *after = Some(input);
            }
            *tokens = Some(input);
            continue;
        }
        let Some(place) = Place::of_events(run, step.lane, vec![step.event]) else { continue };
        // A program may write several records of one compaction.
        if let Some(finding) = open.and_then(|at| found.get_mut(at)) {
            finding.place = place;
            continue;
        }
        *open = Some(found.len());
        found.push(Finding {
            rule: Rule::Compaction,
            severity: Severity::Info,
            place,
            evidence: Evidence::Context { before: *tokens, after: None },
            waste: Waste::default(),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compaction_stands_between_the_calls_of_its_agent() {
        let call = |agent, tokens| (agent, Some(tokens));
        let steps = [
            call(0, 158e3),
            call(1, 9.0),
            (0, None),
            (0, None),
            call(1, 9.0),
            call(0, 31e3),
            (0, None),
        ];
        let step = |(at, (agent, input)): (usize, (usize, Option<f64>))| Step {
            event: EventId::from_index(at),
            lane: LaneId::from_index(agent),
            agent,
            input,
        };
        let found = find(RunId::from_index(0), 2, steps.into_iter().enumerate().map(step));
        let told: Vec<_> =
            found.iter().map(|it| (it.place.first.index(), it.evidence.clone())).collect();
        let context = |before, after| Evidence::Context { before: Some(before), after };
        assert_eq!(told, [(3, context(158e3, Some(31e3))), (6, context(31e3, None))]);
    }
}
