//! A session as the rules see it: the calls of each agent in order, and what Traceloupe found.

use std::collections::{HashMap, HashSet};

use crate::harness::{Outcome, open_one};
use traceloupe_analysis::{LoopRule, signatures, warnings};
use traceloupe_core::model::{CallOutcome, Event, EventId, EventKind, Flags, Trace};

/// A call, with what the rules of other tools compare.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Its number in the file, from 0.
    pub number: u32,
    /// Hash of the tool and the arguments.
    pub action: u64,
    /// Hash of the result.
    pub result: u64,
    /// Hash of the text with which it was requested; 0 if that is unknown.
    pub thought: u64,
    /// Whether it failed.
    pub has_failed: bool,
}

/// An event of an agent.
#[derive(Clone, Copy, Debug)]
pub enum Item {
    Call(Call),
    /// A message from the user.
    User,
}

/// What a rule found.
#[derive(Clone, Debug)]
pub struct Found {
    pub rule: String,
    pub is_loud: bool,
    pub is_critical: bool,
    /// The numbers of the calls, in order.
    pub calls: Vec<u32>,
    /// The rows, for findings without calls.
    pub rows: Vec<u32>,
}

/// A session that was opened.
#[derive(Debug)]
pub struct Session {
    /// The events of each agent.
    pub lanes: Vec<Vec<Item>>,
    /// The findings of Traceloupe about loops.
    pub ours: Vec<Found>,
    /// The outcomes of all calls that are no copies, in order.
    pub outcomes: Vec<CallOutcome>,
    /// How many of these are web searches that the provider ran.
    pub n_searches: u32,
    /// The warnings of AgentDbg's rule.
    pub agentdbg: Vec<Found>,
}

/// Opens a file. `None` if nothing can be shown.
pub fn open(name: &str, bytes: &[u8]) -> Option<Session> {
    let opened = open_one(name, bytes);
    let Outcome::Outline(outline) = &opened.outcome else { return None };
    let rows = &outline.rows;
    let is_call = |row: &u32| rows.kinds.get(*row) == EventKind::ToolCall as u8;
    let calls = (0..rows.ids.len()).filter(is_call).map(|row| rows.ids.get(row));
    let numbers: HashMap<u32, u32> = calls.zip(0..).collect();
    let ours = outline.findings.iter().filter(|it| it.rule.is_about_loops()).map(|finding| {
        let ids = finding.rows.as_slice().iter().map(|row| rows.ids.get(*row));
        Found {
            rule: finding.rule.id().to_owned(),
            is_loud: finding.may_be_loud(),
            is_critical: finding.may_be_loud() && finding.severity.id() == "critical",
            calls: ids.filter_map(|id| numbers.get(&id).copied()).collect(),
            rows: finding.rows.as_slice().to_vec(),
        }
    });
    let trace = opened.session.trace();
    let is_search = |it: &&Event| trace.name(it.name) == "web_search";
    let n_searches = own_calls(trace, &numbers).filter(is_search).count();
    Some(Session {
        lanes: lanes(trace, &numbers),
        ours: ours.collect(),
        outcomes: own_calls(trace, &numbers).map(|it| it.status).collect(),
        n_searches: n_searches as u32,
        agentdbg: agentdbg(trace, &numbers),
    })
}

/// The calls that have numbers and are no copies.
fn own_calls<'a>(trace: &'a Trace, numbers: &HashMap<u32, u32>) -> impl Iterator<Item = &'a Event> {
    trace.events().iter().enumerate().filter_map(|(at, event)| {
        let is_own = numbers.contains_key(&u32::try_from(at).unwrap());
        (is_own && !event.flags.has(Flags::COPY)).then_some(event)
    })
}

fn lanes(trace: &Trace, numbers: &HashMap<u32, u32>) -> Vec<Vec<Item>> {
    let mut lanes: Vec<Vec<Item>> = vec![Vec::new(); trace.lanes().len()];
    for (at, event) in trace.events().iter().enumerate() {
        let Some(lane) = lanes.get_mut(event.lane.index()) else { continue };
        match event.kind {
            EventKind::UserMessage if !event.flags.has(Flags::COPY) => lane.push(Item::User),
            EventKind::ToolCall => {
                let Some(number) = numbers.get(&u32::try_from(at).unwrap()) else { continue };
                let parent = event.parent().and_then(|id| trace.event(id));
                lane.push(Item::Call(Call {
                    number: *number,
                    action: event.args_hash ^ u64::from(event.name.number()).wrapping_mul(31),
                    result: event.result_hash,
                    thought: parent.map_or(0, |it| it.result_hash),
                    has_failed: event.is_error(),
                }));
            }
            _ => {}
        }
    }
    lanes
}

fn agentdbg(trace: &Trace, numbers: &HashMap<u32, u32>) -> Vec<Found> {
    let mut found = Vec::new();
    let runs: HashSet<_> = trace.events().iter().map(|it| it.run).collect();
    let mut runs: Vec<_> = runs.into_iter().filter(|it| trace.run(*it).is_some()).collect();
    runs.sort();
    for run in runs {
        let all = signatures(trace, run);
        for warning in warnings(&all.list, LoopRule::AGENTDBG) {
            let events = all.list[warning.evidence()].iter();
            let number = |id: EventId| numbers.get(&u32::try_from(id.index()).unwrap()).copied();
            let mut calls: Vec<u32> = events.filter_map(|it| number(it.event)).collect();
            calls.sort_unstable();
            if !calls.is_empty() {
                let rule = "AgentDbg".to_owned();
                let rows = Vec::new();
                found.push(Found { rule, is_loud: true, is_critical: false, calls, rows });
            }
        }
    }
    found
}
