//! What is nested in what: spans with the ids of their parents, in any order and over several files.

use super::Taken;
use crate::model::{Event, EventId, EventKind, Flags, Link, RunId, TraceBuilder};

/// The spans of one source whose parents have not been met.
#[derive(Default)]
pub(super) struct Spans {
    waiting: Vec<(EventId, u64)>,
}

impl Spans {
    /// Puts an event where its span belongs. Events that are no spans stay where they are.
    pub(super) fn place(&mut self, event: EventId, taken: &Taken<'_, '_>, out: &mut TraceBuilder) {
        if let Some(key) = taken.key("span", taken.item.span) {
            out.bind(key, event);
        }
        let Some(parent) = taken.key("span", taken.item.parent) else { return };
        match out.bound(parent).filter(|parent| *parent != event) {
            Some(parent) => {
                if let Some(event) = out.event_mut(event) {
                    event.set_parent(Some(parent));
                }
            }
            None => self.waiting.push((event, parent)),
        }
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
