//! Which spans beside each other are one LLM call.
//!
//! A framework and the library with which it sends its requests may both record an LLM call. If the framework keeps its
//! own tree of spans, the library's span has its parent somewhere above. The library's span is then nested in that of
//! the framework: it lies within it in time, has another name, and the model answers the same.

use rustc_hash::FxHashMap;

use crate::kit::{Item, Part, What};
use traceloupe_core::model::{Event, EventId, EventKind, RunId, TraceBuilder, hash_of};

/// The spans of LLM calls in one source.
#[derive(Default)]
pub(super) struct RecordedTwice {
    calls: Vec<Call>,
}

struct Call {
    event: EventId,
    /// The hash of what the model answers.
    answer: u64,
    /// The hash of the name of the span.
    name: u32,
}

/// An LLM call with its times.
#[derive(Clone, Copy)]
struct Timed {
    event: EventId,
    name: u32,
    start_ns: i64,
    end_ns: i64,
    /// Whether another call is known to be nested in it, and whether it is nested in another one.
    has_inner: bool,
    is_inner: bool,
}

/// How many calls with the same answer are compared with one another.
const MAX_ALIKE: usize = 64;

/// How many levels upwards to look for a call.
const MAX_LEVELS: usize = 100;

impl RecordedTwice {
    /// Registers the span of an LLM call.
    pub(super) fn add(&mut self, event: EventId, item: &Item<'_>) {
        if item.what() != What::Model || !item.span.id.is_given() {
            return;
        }
        let (answer, name) = (answer_of(item), item.span.name_hash);
        if answer != 0 && name != 0 {
            self.calls.push(Call { event, answer, name });
        }
    }

    /// Ends the source, once its spans are nested.
    pub(super) fn finish(&mut self, out: &mut TraceBuilder) {
        let mut alike: FxHashMap<(RunId, u64), Vec<Timed>> = FxHashMap::default();
        for call in self.calls.drain(..) {
            let Some(event) = out.trace().event(call.event) else { continue };
            let times = event.start.get().zip(event.duration.get());
            let Some((start_ns, Some(end_ns))) =
                times.map(|(start, ns)| (start, start.checked_add(ns)))
            else {
                continue;
            };
            let (event_id, name, run) = (call.event, call.name, event.run);
            let list = alike.entry((run, call.answer)).or_default();
            if list.len() < MAX_ALIKE && event.kind == EventKind::LlmCall {
                let (has_inner, is_inner) = (false, false);
                list.push(Timed { event: event_id, name, start_ns, end_ns, has_inner, is_inner });
            }
        }
        for mut list in alike.into_values().filter(|list| list.len() > 1) {
            // A call is compared with shorter ones only, so that two calls with the same times are one pair.
            traceloupe_core::sorting::sort_by_key(&mut list, |call| {
                (call.end_ns.saturating_sub(call.start_ns), std::cmp::Reverse(call.event))
            });
            for at in 1..list.len() {
                nest(&mut list, at, out);
            }
        }
    }
}

/// Nests the longest shorter call that a call contains in it.
fn nest(list: &mut [Timed], at: usize, out: &mut TraceBuilder) {
    let Some((shorter, [outer, ..])) = list.split_at_mut_checked(at) else { return };
    for inner in shorter.iter_mut().rev().filter(|inner| !inner.is_inner) {
        let is_within = outer.start_ns <= inner.start_ns && inner.end_ns <= outer.end_ns;
        if !is_within || inner.name == outer.name || outer.has_inner {
            continue;
        }
        (inner.is_inner, outer.has_inner) = (true, true);
        let is_nested = around(inner.event, out).any(|id| id == outer.event);
        let is_around = around(outer.event, out).any(|id| id == inner.event);
        if !is_nested
            && !is_around
            && let Some(event) = out.event_mut(inner.event)
        {
            event.set_parent(Some(outer.event));
        }
    }
}

/// The hash of what a model answers: its texts, and the names and arguments of the calls that it requests. 0 if it
/// answers nothing.
fn answer_of(item: &Item<'_>) -> u64 {
    item.parts.iter().fold(0, |hash, part| match part {
        Part::Text(words) => hash_of((hash, words.fingerprint())),
        Part::Call(name, arguments) => hash_of((hash, &**name, arguments.fingerprint())),
        _ => hash,
    })
}

/// The events around an event, the innermost first.
fn around(id: EventId, out: &TraceBuilder) -> impl Iterator<Item = EventId> {
    let parent = |id: &EventId| out.trace().event(*id).and_then(Event::parent);
    std::iter::successors(parent(&id), parent).take(MAX_LEVELS)
}
