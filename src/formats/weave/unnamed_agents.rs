//! Agents that the file does not name: a conversation that goes on is of the same agent, and so is a new one with
//! the same model and instructions.

use rustc_hash::FxHashMap;

use crate::formats::kit::AgentHint;
use crate::model::{LaneId, RunId, TraceBuilder};

/// More agents than this are not counted.
const MAX_COUNTED: u32 = 1_000;

/// The agents of the runs of one source.
#[derive(Default)]
pub(super) struct UnnamedAgents {
    by_beginning: FxHashMap<(RunId, u64), LaneId>,
    by_role: FxHashMap<(RunId, u64), LaneId>,
    /// The run that was written last, its number of agents, and the lane of the last one.
    last: Option<(RunId, u32, LaneId)>,
}

impl UnnamedAgents {
    /// The lane of a request.
    pub(super) fn lane(
        &mut self,
        run: RunId,
        hint: &AgentHint<'_>,
        out: &mut TraceBuilder,
    ) -> LaneId {
        let n_agents = self.last.filter(|last| last.0 == run).map_or(0, |last| last.1);
        let known = self.by_beginning.get(&(run, hint.beginning));
        let known = known.or_else(|| self.by_role.get(&(run, hint.role))).copied();
        let lane = known.unwrap_or_else(|| {
            let key = if n_agents == 0 { String::new() } else { n_agents.to_string() };
            let lane = out.lane(run, &key);
            super::name_lane(lane, hint.name, out);
            lane
        });
        self.by_beginning.entry((run, hint.beginning)).or_insert(lane);
        self.by_role.entry((run, hint.role)).or_insert(lane);
        self.last = Some((run, n_agents + u32::from(known.is_none()), lane));
        lane
    }

    /// The lane of a record that does not say whose it is: that of the request before it.
    pub(super) fn last(&self, run: RunId) -> Option<LaneId> {
        self.last.filter(|last| last.0 == run).map(|last| last.2)
    }

    /// The source has ended: says how many agents there are.
    pub(super) fn finish(&self, out: &mut TraceBuilder) {
        if let Some((run, n_agents, _)) = self.last
            && (2..MAX_COUNTED).contains(&n_agents)
        {
            out.run_mut(run).facts.push(("agents".to_owned(), n_agents.to_string()));
        }
    }
}
