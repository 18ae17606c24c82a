//! What is nested in what: spans with the ids of their parents, in any order and over several files.

use super::Taken;
use rustc_hash::FxHashMap;

use crate::formats::fields::between;
use crate::model::{Event, EventId, EventKind, Flags, LaneId, Link, RunId, TraceBuilder};

/// The spans of one source whose parents have not been met.
#[derive(Default)]
pub(super) struct Spans {
    waiting: Vec<(EventId, u64)>,
    /// The events in which what follows is nested, the innermost last.
    open: FxHashMap<LaneId, Vec<EventId>>,
}

impl Spans {
    /// Puts an event where its span belongs. Events that are no spans stay where they are.
    pub(super) fn place(&mut self, event: EventId, taken: &Taken<'_, '_>, out: &mut TraceBuilder) {
        self.name(event, taken, out);
        let Some(parent) = taken.key("span", taken.item.parent) else {
            let around = self.open.get(&taken.lane).and_then(|open| open.last().copied());
            if let (Some(around), Some(event)) = (around, out.event_mut(event))
                && event.parent().is_none()
            {
                event.set_parent(Some(around));
            }
            return;
        };
        match out.bound(parent).filter(|parent| *parent != event) {
            Some(parent) => {
                if let Some(event) = out.event_mut(event) {
                    event.set_parent(Some(parent));
                }
            }
            None => self.waiting.push((event, parent)),
        }
    }

    /// Makes an event findable as a span.
    pub(super) fn name(&mut self, event: EventId, taken: &Taken<'_, '_>, out: &mut TraceBuilder) {
        if let Some(key) = taken.key("span", taken.item.span) {
            out.bind(key, event);
        }
    }

    /// What follows is nested in an event.
    pub(super) fn open(&mut self, lane: LaneId, event: EventId) {
        self.open.entry(lane).or_default().push(event);
    }

    /// What follows is no longer nested in an event, nor in what was opened in it.
    pub(super) fn close(&mut self, lane: LaneId, event: EventId) {
        if let Some(open) = self.open.get_mut(&lane)
            && let Some(at) = open.iter().rposition(|it| *it == event)
        {
            open.truncate(at);
        }
    }

    /// A span has ended. Gives its event, if it is known.
    pub(super) fn end(&mut self, taken: &Taken<'_, '_>, out: &mut TraceBuilder) -> Option<EventId> {
        let event = match taken.key("span", taken.item.span) {
            Some(key) => out.bound(key)?,
            None => {
                let name = out.name(&taken.item.name);
                let open = self.open.get(&taken.lane)?;
                let is_it =
                    |id: &&EventId| out.trace().event(**id).is_some_and(|event| event.name == name);
                let event = open.iter().rev().find(is_it).copied()?;
                self.close(taken.lane, event);
                event
            }
        };
        out.add_item(event, taken.record.place(), taken.number);
        if let Some(event) = out.event_mut(event)
            && !event.duration.is_known()
        {
            event.duration = between(event.start, taken.item.start);
        }
        Some(event)
    }

    /// The source has ended: parents that came later are found now. The others may be in another source.
    pub(super) fn finish(&mut self, out: &mut TraceBuilder) {
        for (event, key) in self.waiting.drain(..) {
            match out.bound(key).filter(|parent| *parent != event) {
                Some(parent) => {
                    if let Some(event) = out.event_mut(event) {
                        event.set_parent(Some(parent));
                    }
                }
                None => {
                    let format = out.trace().event(event).and_then(|it| out.trace().run(it.run));
                    if let Some(format) = format.map(|run| run.format) {
                        out.link(format, Link { key, time_ns: ORPHAN, event });
                    }
                }
            }
        }
    }
}

/// In a [`Link`], a span that waits for its parent.
const ORPHAN: i64 = 2;

/// Joins what stands in several sources, once all of them are read.
pub fn join(format: &'static str, out: &mut TraceBuilder) {
    let mut links = out.take_links(format);
    crate::order::sort(&mut links);
    let mut n_orphans: Vec<(RunId, u64)> = Vec::new();
    for link in links.iter().filter(|link| link.time_ns == ORPHAN) {
        let parent = out.bound(link.key).filter(|parent| *parent != link.event);
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
    for (run, n) in n_orphans {
        let spans = if n == 1 { "span has a parent" } else { "spans have parents" };
        out.run_mut(run).notes.push(format!("{n} {spans} that no opened file has"));
    }
    super::pair::join(&links, out);
    count_usage_once(format, out);
}

/// Frameworks write the usage of an LLM call on the span of the call and again on spans around it. Only the
/// innermost counts.
fn count_usage_once(format: &'static str, out: &mut TraceBuilder) {
    let trace = out.trace();
    let is_own = |event: &Event| trace.run(event.run).is_some_and(|run| run.format == format);
    let mut covered = Vec::new();
    for event in trace.events() {
        let has_usage = event.kind == EventKind::LlmCall && trace.usage(event).is_some();
        if !has_usage || !is_own(event) {
            continue;
        }
        let mut at = event.parent();
        // Hostile files nest without end; a hundred levels up nothing repeats a usage.
        for _ in 0..100 {
            let Some((id, around)) = at.and_then(|id| Some((id, trace.event(id)?))) else { break };
            // What a tool used is not in the usage of the call that asked for the tool.
            if around.kind == EventKind::ToolCall {
                break;
            }
            if trace.usage(around).is_some() {
                covered.push(id);
            }
            at = around.parent();
        }
    }
    for id in covered {
        if let Some(event) = out.event_mut(id) {
            event.flags.set(Flags::SUBTREE_USAGE);
        }
    }
}
