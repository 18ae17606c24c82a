//! The agents of a workflow: transcripts in a folder that its result names.

use rustc_hash::FxHashMap;

use super::reader::set_starter;
use crate::ID;
use traceloupe_core::model::{EventId, EventKind, Lane, LaneId, RunId, TraceBuilder};

/// The result of a workflow names the folder of its agents but none of the agents: an agent that no call started
/// belongs to the last workflow that began before it.
pub(super) fn start_agents(out: &mut TraceBuilder) {
    let trace = out.trace();
    let is_ours = |run: RunId| trace.run(run).is_some_and(|run| run.format == ID);
    let workflows: Vec<(RunId, i64, EventId)> = trace
        .events()
        .iter()
        .enumerate()
        .filter(|(_, event)| event.kind == EventKind::ToolCall && is_ours(event.run))
        .filter(|(_, event)| trace.name(event.name) == "Workflow")
        .filter_map(|(at, it)| Some((it.run, it.start.get()?, EventId::from_index(at))))
        .collect();
    if workflows.is_empty() {
        return;
    }
    let mut begun: FxHashMap<LaneId, i64> = FxHashMap::default();
    for event in trace.events() {
        let is_unknown = |lane: &Lane| lane.parent.is_none() && !lane.key.is_empty();
        if let Some(start) = event.start.get()
            && trace.lane(event.lane).is_some_and(is_unknown)
        {
            let first = begun.entry(event.lane).or_insert(start);
            *first = start.min(*first);
        }
    }
    let of_lane = |(lane, first): (LaneId, i64)| {
        let run = trace.lane(lane)?.run;
        let before = |it: &&(RunId, i64, EventId)| it.0 == run && it.1 <= first;
        let (.., call) = workflows.iter().filter(before).max_by_key(|it| it.1)?;
        Some((lane, *call))
    };
    let started: Vec<(LaneId, EventId)> = begun.into_iter().filter_map(of_lane).collect();
    for (lane, call) in started {
        set_starter(lane, call, out);
    }
}
