//! Joins data of different files: copies of sessions, and agents that are stored apart from their callers.

use rustc_hash::{FxHashMap, FxHashSet};
use traceloupe_core::sorting::sort;
use traceloupe_core::warning_code::WarningCode;

use super::reader::{agent_name, set_starter};
use super::results::EARLY_RESULT;
use super::{link_keys, workflows};
use crate::ID;
use traceloupe_core::model::{
    Event, EventId, EventKind, Flags, LaneId, Link, NameId, RunId, RunNote, TraceBuilder,
};

/// The place of each run among the runs of this format.
type Ranks = FxHashMap<RunId, usize>;

pub(crate) fn join(out: &mut TraceBuilder) {
    let links = out.take_links(ID);
    let ranks = run_ranks(out);
    let mut starters: FxHashSet<EventId> =
        out.trace().lanes().iter().filter_map(|lane| lane.parent).collect();
    for group in links.chunk_by(|a, b| a.key == b.key) {
        let Some(key) = group.first().map(|link| link.key) else { continue };
        if key == link_keys::forks() {
            note_forks(group, out);
        } else if key == link_keys::early_results() {
            warn_of_lost_calls(group, out);
        } else {
            own_usage(&of_kind(group, EventKind::LlmCall, out), &ranks, out);
            start_agents_by_prompt(group, &mut starters, out);
        }
    }
    if ranks.len() > 1 {
        mark_copies(&ranks, out);
    }
    workflows::start_agents(out);
    nest_agents(out);
    note_copies(out);
}

fn of_kind(links: &[Link], kind: EventKind, out: &TraceBuilder) -> Vec<Link> {
    let is_kind =
        |link: &&Link| out.trace().event(link.event).is_some_and(|event| event.kind == kind);
    links.iter().filter(is_kind).copied().collect()
}

/// The runs of this format by their start and then by key: if several runs have the same event, the first of them owns
/// it.
fn run_ranks(out: &TraceBuilder) -> Ranks {
    let trace = out.trace();
    let mut starts: FxHashMap<RunId, i64> = FxHashMap::default();
    for event in trace.events() {
        let Some(run) = trace.run(event.run).filter(|run| run.format == ID) else { continue };
        let start = starts.entry(event.run).or_insert(i64::MAX);
        let known = [run.start.get(), event.start.get()];
        *start = known.into_iter().flatten().fold(*start, i64::min);
    }
    let mut runs: Vec<(i64, &str, RunId)> = starts
        .into_iter()
        .map(|(run, start)| (start, trace.run(run).map_or("", |run| run.key.as_str()), run))
        .collect();
    sort(&mut runs);
    runs.into_iter().enumerate().map(|(rank, (_, _, run))| (run, rank)).collect()
}

/// One response that is in several runs is paid for once: the oldest copy has the usage.
fn own_usage(calls: &[Link], ranks: &Ranks, out: &mut TraceBuilder) {
    if calls.len() < 2 {
        return;
    }
    let age = |link: &Link| (link.time_ns, rank_of(link.event, ranks, out), link.event);
    let Some(owner) = calls.iter().min_by_key(|link| age(link)).map(|link| link.event) else {
        return;
    };
    let usage = calls
        .iter()
        .filter_map(|link| out.trace().event(link.event))
        .filter_map(|event| out.trace().usage(event))
        .reduce(|a, b| a.max(b))
        .unwrap_or_default();
    out.set_usage(owner, usage);
    for link in calls.iter().filter(|link| link.event != owner) {
        if let Some(event) = out.event_mut(link.event) {
            event.flags.set(Flags::COPY);
        }
    }
}

fn rank_of(id: EventId, ranks: &Ranks, out: &TraceBuilder) -> usize {
    let event = out.trace().event(id);
    event.and_then(|event| ranks.get(&event.run)).copied().unwrap_or(usize::MAX)
}

/// Marks the other events that are in several runs.
fn mark_copies(ranks: &Ranks, out: &mut TraceBuilder) {
    let is_candidate = |event: &Event| {
        event.id_hash != 0 && event.kind != EventKind::LlmCall && ranks.contains_key(&event.run)
    };
    let mut by_id: Vec<(u64, EventId)> = out
        .trace()
        .events()
        .iter()
        .enumerate()
        .filter(|(_, event)| is_candidate(event))
        .map(|(at, event)| (event.id_hash, EventId::from_index(at)))
        .collect();
    by_id.sort_unstable();
    for group in by_id.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
        let run_of = |id: EventId| out.trace().event(id).map(|event| event.run);
        let age = |id: &EventId| {
            let start = out.trace().event(*id).and_then(|event| event.start.get());
            (start.unwrap_or(i64::MAX), rank_of(*id, ranks, out), *id)
        };
        let Some(owner) = group.iter().map(|(_, id)| *id).min_by_key(age) else { continue };
        let home = run_of(owner);
        let copies: Vec<EventId> =
            group.iter().map(|(_, id)| *id).filter(|id| run_of(*id) != home).collect();
        for id in copies {
            if let Some(event) = out.event_mut(id) {
                event.flags.set(Flags::COPY);
            }
        }
    }
}

/// Agents whose records do not state who started them (1.0, or the call's result is missing) are matched by their
/// prompt; if several have the same prompt, the first call started the first agent.
fn start_agents_by_prompt(
    links: &[Link],
    starters: &mut FxHashSet<EventId>,
    out: &mut TraceBuilder,
) {
    let mut calls = of_kind(links, EventKind::ToolCall, out);
    calls.retain(|call| !starters.contains(&call.event));
    let mut lanes: Vec<LaneId> = of_kind(links, EventKind::UserMessage, out)
        .into_iter()
        .filter_map(|prompt| out.trace().event(prompt.event).map(|event| event.lane))
        .filter(|lane| out.trace().lane(*lane).is_some_and(|lane| lane.parent.is_none()))
        .collect();
    lanes.dedup();
    for (call, lane) in calls.into_iter().zip(lanes) {
        set_starter(lane, call.event, out);
        starters.insert(call.event);
    }
}

/// Puts the first events of each agent under the call that started it.
fn nest_agents(out: &mut TraceBuilder) {
    let mut starters: FxHashMap<LaneId, EventId> = FxHashMap::default();
    for at in 0..out.trace().lanes().len() {
        let id = LaneId::from_index(at);
        let Some(lane) = out.trace().lane(id) else { continue };
        if out.trace().run(lane.run).is_none_or(|run| run.format != ID) {
            continue;
        }
        let Some(call) = lane.parent else { continue };
        starters.insert(id, call);
        if lane.name == NameId::NONE {
            // The call was found after its result.
            let name = agent_name(call, out);
            if let Some(lane) = out.lane_mut(id) {
                lane.name = name;
            }
        }
    }
    let mut seen = FxHashSet::default();
    for at in 0..out.trace().events().len() {
        let id = EventId::from_index(at);
        let Some(lane) = out.trace().event(id).map(|event| event.lane) else { continue };
        let Some(call) = starters.get(&lane).copied() else { continue };
        seen.insert(lane);
        if let Some(event) = out.event_mut(id)
            && event.parent().is_none()
            && id != call
        {
            event.set_parent(Some(call));
        }
    }
    let lanes = out.trace().lanes().iter().enumerate();
    let missing = count(
        lanes
            .map(|(at, lane)| (LaneId::from_index(at), lane.run))
            .filter(|(lane, _)| starters.contains_key(lane) && !seen.contains(lane))
            .map(|(_, run)| run),
    );
    note_counts(missing, out, RunNote::TranscriptsMissing);
}

/// An edited message or a rewound conversation: two user messages follow one record.
fn note_forks(forks: &[Link], out: &mut TraceBuilder) {
    let runs = forks.iter().filter_map(|it| out.trace().event(it.event)).map(|event| event.run);
    note_counts(count(runs), out, RunNote::Forks);
}

fn note_copies(out: &mut TraceBuilder) {
    let trace = out.trace();
    let is_ours = |run: &RunId| trace.run(*run).is_some_and(|run| run.format == ID);
    let copies = trace.events().iter().filter(|event| event.flags.has(Flags::COPY));
    let counts = count(copies.map(|event| event.run).filter(is_ours));
    note_counts(counts, out, RunNote::Copies);
}

fn count(runs: impl Iterator<Item = RunId>) -> FxHashMap<RunId, u64> {
    let mut counts = FxHashMap::default();
    for run in runs {
        *counts.entry(run).or_default() += 1;
    }
    counts
}

/// Adds a note to each run that has something to count.
fn note_counts(counts: FxHashMap<RunId, u64>, out: &mut TraceBuilder, note: fn(u64) -> RunNote) {
    for (run, n) in counts {
        out.run_mut(run).notes.push(note(n));
    }
}

/// Warns of results whose calls are in no file.
fn warn_of_lost_calls(results: &[Link], out: &mut TraceBuilder) {
    for Link { event: id, .. } in results {
        let is_alone = out.trace().event(*id).is_some_and(|event| {
            event.kind == EventKind::Note && out.trace().name(event.name) == EARLY_RESULT
        });
        if is_alone && let Some(place) = out.trace().place_of(*id) {
            out.warn(WarningCode::ResultWithoutCall, &place, "");
        }
    }
}
