//! Sub-agents: their events are nested in the call that started them. Sub-agents in files of their own become lanes of
//! the run that started them.

use rustc_hash::FxHashMap;

use super::item_context::Taken;
use crate::kit::AgentLink;
use traceloupe_core::json::{Json, quoted};
use traceloupe_core::model::{EventId, LaneId, Link, TraceBuilder, key_hash};

/// In a [`Link`] with a key from [`key`]: an event of the agent.
const AGENT: i64 = 5;

/// The agents that calls in one source started.
#[derive(Default)]
pub(super) struct Agents {
    /// Agents whose records belong to the same run, by that run and their ids.
    started: FxHashMap<u64, (EventId, Option<String>)>,
    /// The names of agents that have runs of their own, by the ids of these runs.
    names: FxHashMap<String, String>,
}

impl Agents {
    /// Registers a call that started an agent.
    pub(super) fn start(&mut self, taken: &Taken<'_, '_>, call: EventId) {
        if let Some(AgentLink::StartsAgent { agent, name }) = taken.item.agent()
            && let Some(key) = taken.key("agent", agent)
        {
            self.started.insert(key, (call, name.word().map(|it| it.into_owned())));
        }
    }

    /// Registers the name of an agent, and names events about an agent after that agent and their label.
    pub(super) fn tell(&mut self, taken: &Taken<'_, '_>, event: EventId, out: &mut TraceBuilder) {
        let told = match taken.item.agent() {
            Some(AgentLink::StartsRun { run, name }) => {
                if let (Some(run), Some(name)) = (run.word(), name.word()) {
                    self.names.insert(run.into_owned(), name.into_owned());
                }
                None
            }
            Some(AgentLink::TellsOf { run }) => run.word(),
            Some(AgentLink::StartsAgent { .. }) | None => None,
        };
        let Some(run) = told else { return };
        let who = self.names.get(&*run).map_or("agent", String::as_str);
        let name = out.name(&format!("{who} {}", taken.item.name));
        if let Some(event) = out.event_mut(event) {
            event.name = name;
        }
    }

    /// Handles the first record of an agent: returns the call that started it.
    pub(super) fn begin(
        &self,
        run: &str,
        agent: &str,
        lane: LaneId,
        out: &mut TraceBuilder,
    ) -> Option<EventId> {
        let (call, name) = self.started.get(&key_hash(&[run, "agent", agent]))?;
        if let Some(lane) = out.lane_mut(lane) {
            lane.parent = Some(*call);
        }
        let name = name.as_deref().map(quoted).unwrap_or_default();
        name_lane(lane, Json::new(&name), out);
        Some(*call)
    }
}

/// The key to which the call that starts an agent is bound, and which the agent's events look up.
pub(super) fn key(format: &str, run: &str) -> u64 {
    key_hash(&[format, "starts", run])
}

/// Keeps an event of an agent for [`join`].
pub(super) fn wait(format: &'static str, run: &str, event: EventId, out: &mut TraceBuilder) {
    out.link(format, Link { key: key(format, run), time_ns: AGENT, event });
}

/// Joins agents with the calls that started them, once all sources have been read.
pub(super) fn join(links: &[Link], out: &mut TraceBuilder) {
    let mut starters: FxHashMap<LaneId, EventId> = FxHashMap::default();
    for link in links.iter().filter(|link| link.time_ns == AGENT) {
        let Some(call) = out.bound(link.key) else { continue };
        let (trace, agent) = (out.trace(), link.event);
        let (Some(agent), Some(around)) = (trace.event(agent), trace.event(call)) else { continue };
        let (lane, run, into) = (agent.lane, agent.run, around.run);
        if around.lane == lane || run == into {
            continue;
        }
        out.merge_runs(run, into);
        if let Some(lane) = out.lane_mut(lane) {
            lane.parent = Some(call);
        }
        starters.insert(lane, call);
    }
    if starters.is_empty() {
        return;
    }
    for at in 0..out.trace().events().len() {
        if let Some(event) = out.event_mut(EventId::from_index(at))
            && event.parent().is_none()
            && let Some(call) = starters.get(&event.lane)
        {
            event.set_parent(Some(*call));
        }
    }
}

/// Names the lane of an agent, if the name is known.
pub(super) fn name_lane(lane: LaneId, name: Json<'_>, out: &mut TraceBuilder) {
    let Some(name) = name.word() else { return };
    let name = out.name(&name);
    if let Some(lane) = out.lane_mut(lane) {
        lane.name = name;
    }
}
