//! Nesting: spans with the ids of their parents, in any order and across several files.

use rustc_hash::{FxHashMap, FxHashSet};

use super::call_events::CallEvents;
use super::call_keys::{note_failure, set_arguments};
use super::calls;
use super::item_context::{Taken, summarize};
use super::recorded_twice::{self, RecordedTwice};
use super::reported_calls;
use crate::fields::between;
use crate::kit::{Known, Part, What};
use traceloupe_core::model::{
    ErrorId, Event, EventId, EventKind, Flags, LaneId, Link, RunId, RunNote, Status, TimeBasis,
    TraceBuilder,
};

/// The spans of one source whose parents have not been read yet.
#[derive(Default)]
pub(super) struct Spans {
    waiting: Vec<Waiting>,
    /// The events in which the following events are nested, the innermost last.
    open: FxHashMap<LaneId, Vec<EventId>>,
    /// Events that were closed together with the event around them, before their own end.
    closed: FxHashMap<LaneId, Vec<EventId>>,
    /// Spans that are the failed work of tool calls.
    failed: Vec<EventId>,
    /// Reports of calls.
    reported: Vec<EventId>,
    call_events: CallEvents,
    recorded_twice: RecordedTwice,
    /// An event of each run, and whether it is a span without data about agents.
    runs: FxHashMap<(RunId, bool), EventId>,
}

/// A span that waits for a parent. If it waits for several, the first one that is found counts.
struct Waiting {
    event: EventId,
    parent: u64,
    /// Whether the parent may be missing from this source without a warning.
    is_optional: bool,
}

impl Spans {
    /// Nests an event under the parent of its span. Events that are not spans stay where they are.
    pub(super) fn place(&mut self, event: EventId, taken: &Taken<'_, '_>, out: &mut TraceBuilder) {
        match taken.item.what() {
            What::Event(EventKind::RunStart | EventKind::Note | EventKind::Record) => {}
            what => drop(self.runs.entry((taken.run, what == What::Span)).or_insert(event)),
        }
        self.name(event, taken, out);
        self.call_events.add(event, taken.item);
        self.recorded_twice.add(event, taken.item);
        if taken.item.repeats.known == Known::Reported {
            self.reported.push(event);
        }
        if taken.item.span.is_work && taken.item.ending.status.is_some_and(Status::is_error) {
            self.failed.push(event);
        }
        let second = taken.item.span.second.as_deref();
        if let Some(parent) = second.and_then(|[_, parent]| taken.key("span", *parent)) {
            self.waiting.push(Waiting { event, parent, is_optional: true });
        }
        let Some(parent) = taken.key("span", taken.item.span.parent) else {
            let around = self.open.get(&taken.lane).and_then(|open| open.last().copied());
            if let (Some(around), Some(event)) = (around, out.event_mut(event))
                && event.parent().is_none()
            {
                event.set_parent(Some(around));
            }
            return;
        };
        match out.bound_late(parent).filter(|parent| *parent != event) {
            Some(parent) => {
                if let Some(event) = out.event_mut(event) {
                    event.set_parent(Some(parent));
                }
            }
            None => {
                let is_optional = taken.item.span.may_lack_parent;
                self.waiting.push(Waiting { event, parent, is_optional });
            }
        }
    }

    /// Registers an event so that it can be found as a span.
    pub(super) fn name(&mut self, event: EventId, taken: &Taken<'_, '_>, out: &mut TraceBuilder) {
        let second = taken.item.span.second.as_deref();
        for id in [taken.item.span.id].into_iter().chain(second.map(|[id, _]| *id)) {
            if let Some(key) = taken.key("span", id) {
                out.bind_late(key, event);
            }
        }
    }

    /// Nests the following events in an event.
    pub(super) fn open(&mut self, lane: LaneId, event: EventId) {
        self.open.entry(lane).or_default().push(event);
    }

    /// Ends the nesting in an event, and in everything opened inside it.
    pub(super) fn close(&mut self, lane: LaneId, event: EventId) {
        if let Some(open) = self.open.get_mut(&lane)
            && let Some(at) = open.iter().rposition(|it| *it == event)
        {
            let inner = open.drain(at..).skip(1);
            self.closed.entry(lane).or_default().extend(inner);
        }
    }

    /// Whether an item is the end of a span, or a span that is written again after it has ended.
    pub(super) fn has_begun(taken: &Taken<'_, '_>, out: &mut TraceBuilder) -> bool {
        let item = taken.item;
        let mut is_known = || {
            let key = taken.key("span", item.span.id);
            key.is_some_and(|key| out.bound_late(key).is_some())
        };
        item.what() == What::End || item.repeats.known != Known::No && is_known()
    }

    /// Ends a span. Returns its event, if known.
    pub(super) fn end(&mut self, taken: &Taken<'_, '_>, out: &mut TraceBuilder) -> Option<EventId> {
        let event = match taken.key("span", taken.item.span.id) {
            Some(key) => out.bound_late(key)?,
            None => {
                let name = out.name(&taken.item.name);
                let is_it =
                    |id: &EventId| out.trace().event(*id).is_some_and(|event| event.name == name);
                let open = self.open.get(&taken.lane)?;
                let Some(event) = open.iter().copied().rfind(is_it) else {
                    let closed = self.closed.get_mut(&taken.lane)?;
                    let event = closed.remove(closed.iter().rposition(is_it)?);
                    super::add(event, taken, out);
                    return Some(event);
                };
                self.close(taken.lane, event);
                event
            }
        };
        super::add(event, taken, out);
        tell_end(event, taken, out);
        Some(event)
    }

    /// Ends the source: resolves parents that came later. The others may be in another source.
    pub(super) fn finish(&mut self, out: &mut TraceBuilder) {
        for ((run, is_plain), event) in self.runs.drain() {
            if let Some(format) = out.trace().run(run).map(|run| run.format) {
                let time_ns = if is_plain { PLAIN } else { AGENTIC };
                out.link(format, Link { key: run.index() as u64, time_ns, event });
            }
        }
        for event in self.failed.drain(..) {
            let format = out.trace().event(event).and_then(|it| out.trace().run(it.run));
            if let Some(format) = format.map(|run| run.format) {
                out.link(format, Link { key: event.index() as u64, time_ns: FAILED, event });
            }
        }
        let mut placed: FxHashSet<EventId> = FxHashSet::default();
        for Waiting { event, parent: key, is_optional } in self.waiting.drain(..) {
            if placed.contains(&event) {
                continue;
            }
            match out.bound_late(key).filter(|parent| *parent != event) {
                Some(parent) => {
                    placed.insert(event);
                    if let Some(event) = out.event_mut(event) {
                        event.set_parent(Some(parent));
                    }
                }
                None if is_optional => {}
                None => {
                    let format = out.trace().event(event).and_then(|it| out.trace().run(it.run));
                    if let Some(format) = format.map(|run| run.format) {
                        out.link(format, Link { key, time_ns: ORPHAN, event });
                    }
                }
            }
        }
        for event in self.reported.drain(..) {
            let format = out.trace().event(event).and_then(|it| out.trace().run(it.run));
            if let Some(format) = format.map(|run| run.format) {
                out.link(format, Link { key: event.index() as u64, time_ns: REPORTED, event });
            }
        }
        self.call_events.finish(out);
        self.recorded_twice.finish(out);
    }
}

/// Adds the data at the end of a span: its duration, outcome and usage. The summary is taken from the end if the
/// beginning had none, or had no text from a model.
fn tell_end(id: EventId, taken: &Taken<'_, '_>, out: &mut TraceBuilder) {
    let item = taken.item;
    let error = out.error(&item.ending.error);
    let has_answer = item.parts.iter().any(|part| matches!(part, Part::Text(_)));
    // A processor that writes spans when they begin may receive the arguments only at their end.
    let is_missing = out.trace().event(id).is_some_and(|event| event.args_hash == 0);
    let arguments = calls::arguments_of(item).present().filter(|_| is_missing);
    if let Some(arguments) = arguments {
        set_arguments(id, arguments, out);
    }
    let Some(event) = out.event_mut(id) else { return };
    if !event.duration.is_known() && item.time.duration.is_known() {
        event.set_duration(item.time.duration, TimeBasis::Stated);
    }
    if !event.duration.is_known() {
        let basis = event.expected_basis().unwrap_or(TimeBasis::Running);
        event.set_duration(between(event.start, item.time.start), basis);
    }
    match item.ending.status {
        Some(status) => event.status = status,
        None if event.status == Status::Missing => event.status = Status::Unknown,
        None => {}
    }
    if error != ErrorId::NONE {
        event.error = error;
    }
    let is_silent = arguments.is_some()
        || (has_answer || item.row.asks.is_given()) && !event.flags.has(Flags::ANSWER);
    if has_answer {
        event.flags.set(Flags::ANSWER);
    }
    let result = item.parts.iter().find_map(|part| match part {
        Part::Result(value) => Some(*value),
        _ => None,
    });
    if let Some(result) = result {
        event.result_hash = result.fingerprint();
    }
    if is_silent {
        event.flags.clear(Flags::ESCAPED);
        summarize(id, taken, out);
    }
    if let Some(result) = result {
        note_failure(id, result, out);
    }
    if !item.usage.is_empty() {
        let known = out.trace().event(id).and_then(|event| out.trace().usage(event));
        out.set_usage(id, item.usage.or(known.unwrap_or_default()));
    }
}

/// In a [`Link`]: a span that waits for its parent.
const ORPHAN: i64 = 2;
/// In a [`Link`] with a run as its key: a span without data about agents.
const PLAIN: i64 = 3;
/// In a [`Link`] with a run as its key: any other event.
const AGENTIC: i64 = 4;
/// In a [`Link`]: the failed work of a tool call.
const FAILED: i64 = 6;
/// In a [`Link`]: the report of a call.
pub(super) const REPORTED: i64 = 7;

/// In a [`Link`] with a run as its key: an event of another run that records the same.
pub(super) const TWIN: i64 = 8;

/// Joins events of several sources, once all of them have been read.
pub fn join(format: &'static str, out: &mut TraceBuilder) {
    let mut links = out.take_links(format);
    traceloupe_core::sorting::sort(&mut links);
    let mut n_orphans: Vec<(RunId, u64)> = Vec::new();
    for link in links.iter().filter(|link| link.time_ns == ORPHAN) {
        let parent = out.bound_late(link.key).filter(|parent| *parent != link.event);
        let run = out.trace().event(link.event).map(|event| event.run);
        match parent {
            Some(_) => {
                if let Some(event) = out.event_mut(link.event) {
                    event.set_parent(parent);
                }
            }
            None => {
                let Some(run) = run else { continue };
                match n_orphans.iter_mut().find(|(known, _)| *known == run) {
                    Some((_, n)) => *n += 1,
                    None => n_orphans.push((run, 1)),
                }
            }
        }
    }
    fail_calls(&links, out);
    name_by_orphans(&links, out);
    for (run, n) in n_orphans {
        out.run_mut(run).notes.push(RunNote::ParentsNotOpened(n));
    }
    let has = |kind: i64, run: u64| links.iter().any(|it| it.time_ns == kind && it.key == run);
    for link in links.iter().filter(|it| it.time_ns == PLAIN && !has(AGENTIC, it.key)) {
        let run = out.trace().event(link.event).map(|event| event.run);
        if let Some(run) = run.map(|run| out.run_mut(run))
            && !run.notes.contains(&RunNote::NoAgentData)
        {
            run.notes.push(RunNote::NoAgentData);
        }
    }
    super::pair::join(&links, out);
    super::agents::join(&links, out);
    reported_calls::join(&links, out);
    count_usage_once(format, out);
    count_sums_once(format, out);
    recorded_twice::merge_runs(&links, out);
}

/// Marks tool calls whose work failed as failed: it is one failure, that of the call. The work is nested in the call,
/// and often written before it.
fn fail_calls(links: &[Link], out: &mut TraceBuilder) {
    for link in links.iter().filter(|link| link.time_ns == FAILED) {
        let Some(work) = out.trace().event(link.event) else { continue };
        let (call, error) = (work.parent(), work.error);
        let Some(call) = call.and_then(|call| out.event_mut(call)) else { continue };
        if call.kind != EventKind::ToolCall {
            continue;
        }
        if !call.status.is_error() {
            (call.status, call.error) = (Status::Failed, error);
        }
        if let Some(work) = out.event_mut(link.event) {
            work.status = Status::Unknown;
        }
    }
}

/// Names a run with a missing root after the first span whose parent is missing.
fn name_by_orphans(links: &[Link], out: &mut TraceBuilder) {
    let orphans = links.iter().filter(|link| link.time_ns == ORPHAN);
    let mut orphans: Vec<&Event> = orphans
        .filter_map(|link| out.trace().event(link.event))
        .filter(|event| event.parent().is_none())
        .collect();
    traceloupe_core::sorting::sort_by_key(&mut orphans, |event| event.start.get());
    let named: Vec<_> = orphans
        .into_iter()
        .map(|event| (event.run, out.trace().name(event.name).to_owned()))
        .collect();
    for (run, name) in named {
        out.run_mut(run).title.get_or_insert(name);
    }
}

/// Frameworks write the usage of an LLM call on the span of the call and again on spans around it. Only the innermost
/// counts. An LLM call around another one is the same call, recorded by another library, so it becomes a step. Calls
/// inside a tool call are calls of their own. A tool call directly inside one of the same tool is the request that the
/// outer one makes.
fn count_usage_once(format: &'static str, out: &mut TraceBuilder) {
    let trace = out.trace();
    let is_own = |event: &Event| trace.run(event.run).is_some_and(|run| run.format == format);
    let (mut covered, mut outer) = (Vec::new(), Vec::new());
    for (at, event) in trace.events().iter().enumerate() {
        let around = event.parent().and_then(|id| trace.event(id));
        let is_same_tool = event.kind == EventKind::ToolCall
            && around.is_some_and(|it| it.kind == event.kind && it.name == event.name);
        if is_same_tool && is_own(event) {
            outer.push(EventId::from_index(at));
        }
        let is_call = event.kind == EventKind::LlmCall;
        let has_usage = trace.usage(event).is_some_and(|usage| !usage.is_empty());
        if !is_call && !has_usage || !is_own(event) {
            continue;
        }
        let mut at = event.parent();
        let mut is_in_tool = false;
        // Hostile files may nest without limit; no usage is repeated across a hundred levels.
        for _ in 0..100 {
            let Some((id, around)) = at.and_then(|id| Some((id, trace.event(id)?))) else { break };
            let is_around_call = around.kind == EventKind::LlmCall;
            if is_in_tool && is_around_call {
                break;
            }
            if has_usage && trace.usage(around).is_some() {
                covered.push(id);
            }
            if is_call && is_around_call {
                outer.push(id);
            }
            is_in_tool |= around.kind == EventKind::ToolCall;
            at = around.parent();
        }
    }
    for id in covered {
        if let Some(event) = out.event_mut(id) {
            event.flags.set(Flags::SUBTREE_USAGE);
        }
    }
    for id in outer {
        if let Some(event) = out.event_mut(id) {
            event.kind = EventKind::Span;
        }
    }
}

/// The tokens of an event's children.
#[derive(Default)]
struct Children {
    /// Input and output of its LLM calls.
    calls: (u64, u64),
    /// Input and output of its other children with usage, followed by their ids.
    others: (u64, u64),
    ids: Vec<EventId>,
}

/// Microsoft's Agent Framework writes the LLM calls of an agent beside the agent's span, which has their sum. If the
/// usage of agents and steps equals that of the LLM calls with the same parent, only the calls count.
fn count_sums_once(format: &'static str, out: &mut TraceBuilder) {
    let trace = out.trace();
    let is_own = |event: &Event| trace.run(event.run).is_some_and(|run| run.format == format);
    let counts = |event: &Event| {
        let usage = trace.usage(event)?;
        Some((usage.total_input().unwrap_or(0), usage.output.unwrap_or(0)))
    };
    let add = |sum: &mut (u64, u64), (input, output): (u64, u64)| {
        *sum = (sum.0.saturating_add(input), sum.1.saturating_add(output));
    };
    let mut parents: FxHashMap<EventId, Children> = FxHashMap::default();
    for (at, event) in trace.events().iter().enumerate() {
        let is_sum = event.kind != EventKind::LlmCall && !event.flags.has(Flags::SUBTREE_USAGE);
        if let Some((parent, counts)) = event.parent().zip(counts(event))
            && is_sum
            && is_own(event)
        {
            let children = parents.entry(parent).or_default();
            add(&mut children.others, counts);
            children.ids.push(EventId::from_index(at));
        }
    }
    if parents.is_empty() {
        return;
    }
    for event in trace.events().iter().filter(|event| event.kind == EventKind::LlmCall) {
        let children = event.parent().and_then(|parent| parents.get_mut(&parent));
        if let Some((children, counts)) = children.zip(counts(event)) {
            add(&mut children.calls, counts);
        }
    }
    let summed = parents.into_values().filter(|it| it.calls == it.others);
    for id in summed.flat_map(|it| it.ids).collect::<Vec<_>>() {
        if let Some(event) = out.event_mut(id) {
            event.flags.set(Flags::SUBTREE_USAGE);
        }
    }
}
