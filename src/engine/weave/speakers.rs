//! Agents that no record names: they are distinguished by the beginnings of their conversations; a new conversation is
//! assigned by model, instructions and name.

use rustc_hash::FxHashMap;

use crate::kit::Speaker;
use traceloupe_core::model::{Fact, LaneId, RunId, TraceBuilder};

/// The number of agents is not noted on the run if there are more than this, because the conversations are then
/// unlikely to be those of agents.
const MAX_COUNTED: usize = 1_000;

/// The agents of a run.
#[derive(Default)]
pub(super) struct Speakers {
    run: Option<RunId>,
    by_beginning: FxHashMap<u64, LaneId>,
    by_role: FxHashMap<u64, LaneId>,
    last: Option<LaneId>,
}

impl Speakers {
    /// The lane of an agent. The first agent of a run has the lane of the run.
    pub(super) fn lane(
        &mut self,
        speaker: &Speaker<'_>,
        run: RunId,
        out: &mut TraceBuilder,
    ) -> LaneId {
        if self.run != Some(run) {
            self.finish(out);
            *self = Self { run: Some(run), ..Self::default() };
        }
        let known = self.by_beginning.get(&speaker.beginning);
        let lane = match known.or_else(|| self.by_role.get(&speaker.role)).copied() {
            Some(lane) => lane,
            None => {
                let number = self.by_role.len();
                let key = if number == 0 { String::new() } else { number.to_string() };
                let lane = out.lane(run, &key);
                let name = out.name(&speaker.name);
                if let Some(lane) = out.lane_mut(lane) {
                    lane.name = name;
                }
                self.by_role.insert(speaker.role, lane);
                lane
            }
        };
        self.by_beginning.insert(speaker.beginning, lane);
        self.last = Some(lane);
        lane
    }

    /// The lane of the agent in a run that spoke last.
    pub(super) fn last(&self, run: RunId) -> Option<LaneId> {
        self.last.filter(|_| self.run == Some(run))
    }

    /// Ends the run: adds a note about the number of agents.
    pub(super) fn finish(&mut self, out: &mut TraceBuilder) {
        let number = self.by_role.len();
        if let Some(run) = self.run.take().filter(|_| (2..MAX_COUNTED).contains(&number)) {
            out.run_mut(run).facts.push(Fact::new("agents".into(), number.to_string()));
        }
    }
}
