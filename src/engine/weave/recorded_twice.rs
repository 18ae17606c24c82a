//! Which spans beside each other are one call.
//!
//! A framework and the library with which it sends its requests may both record an LLM call. If the framework keeps its
//! own tree of spans, the library's span has its parent somewhere above, or is in a trace of its own. The library's span
//! is then nested in that of the framework: it lies within it in time, has another name, and the model answers the
//! same, or one of them lacks the answer and the token counts are the same. Likewise for tool calls.
//!
//! Two traces are one run if each has the same LLM calls in this sense.

use rustc_hash::{FxHashMap, FxHashSet};

use super::spans::TWIN;
use crate::kit::{Item, Part, What};
use traceloupe_core::model::{Event, EventId, EventKind, Link, RunId, TraceBuilder, hash_of};

/// The spans of calls in one source.
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

/// A call with its times.
#[derive(Clone, Copy)]
struct Timed {
    event: EventId,
    run: RunId,
    name: u32,
    start_ns: i64,
    end_ns: i64,
    /// The hash of what the model answers, or of the arguments of a tool; 0 if not known.
    content: u64,
    /// A hash of the tool, or 0.
    tool: u64,
    /// A hash of the token counts of an LLM call, or 0.
    counts: u64,
    /// Whether another call is known to be nested in it, and whether it is nested in another one.
    has_inner: bool,
    is_inner: bool,
}

impl Timed {
    const fn contains(&self, inner: &Self) -> bool {
        self.start_ns <= inner.start_ns && inner.end_ns <= self.end_ns && self.name != inner.name
    }
}

/// How many calls or runs that look the same are compared with one another.
const MAX_ALIKE: usize = 64;

/// How many levels upwards to look for a call.
const MAX_LEVELS: usize = 100;

/// Runs, each with the run that records the same.
type Twins = FxHashMap<RunId, RunId>;

impl RecordedTwice {
    /// Registers the span of a call.
    pub(super) fn add(&mut self, event: EventId, item: &Item<'_>) {
        if !item.span.id.is_given() || item.span.name_hash == 0 {
            return;
        }
        let answer = match item.what() {
            What::Model => answer_of(item),
            What::Call => 0,
            _ => return,
        };
        self.calls.push(Call { event, answer, name: item.span.name_hash });
    }

    /// Ends the source, once its spans are nested.
    pub(super) fn finish(&mut self, out: &mut TraceBuilder) {
        let calls = self.calls.drain(..).filter_map(|call| timed(&call, out));
        let mut calls: Vec<Timed> = calls.collect();
        let twins = twins(&calls, out);
        let run_of = |run: RunId| twins.get(&run).copied().unwrap_or(run);
        let is_twin: FxHashSet<RunId> = twins.iter().flat_map(|(a, b)| [*a, *b]).collect();
        let is_tool = |it: &Timed| it.tool != 0;
        let answer = |it: &Timed| if is_tool(it) { 0 } else { it.content };
        nest_alike(&mut calls, |it| (run_of(it.run), answer(it)), out);
        nest_alike(&mut calls, |it| (run_of(it.run), it.counts), out);
        // Libraries write the arguments of a tool in their own ways.
        let tool = |it: &Timed| match is_twin.contains(&it.run) {
            _ if !is_tool(it) => 0,
            true => it.tool,
            false => hash_of((it.tool, it.content)),
        };
        nest_alike(&mut calls, |it| (run_of(it.run), tool(it)), out);
        for (run, into) in twins {
            let Some(format) = out.trace().run(run).map(|run| run.format) else { continue };
            let event = calls.iter().find(|call| call.run == run).map(|call| call.event);
            if let Some(event) = event {
                out.link(format, Link { key: into.index() as u64, time_ns: TWIN, event });
            }
        }
    }
}

/// A call with its times, if they are known.
fn timed(call: &Call, out: &TraceBuilder) -> Option<Timed> {
    let trace = out.trace();
    let event = trace.event(call.event)?;
    let start_ns = event.start.get()?;
    let end_ns = start_ns.checked_add(event.duration.get()?)?;
    let Call { event: id, answer, name } = *call;
    let (tool, content, counts) = match event.kind {
        EventKind::LlmCall => {
            let usage = trace.usage(event);
            let counts = usage.and_then(|it| Some((it.total_input()?, it.output?)));
            (0, answer, counts.filter(|it| it.0 > 0 && it.1 > 0).map_or(0, hash_of))
        }
        EventKind::ToolCall => (hash_of(trace.name(event.name)), event.args_hash, 0),
        _ => return None,
    };
    let (has_inner, is_inner) = (false, false);
    let run = event.run;
    Some(Timed {
        event: id,
        run,
        name,
        start_ns,
        end_ns,
        content,
        tool,
        counts,
        has_inner,
        is_inner,
    })
}

/// Finds runs with the same LLM calls: as many, with the same token counts, each within the other in time.
fn twins(calls: &[Timed], out: &TraceBuilder) -> Twins {
    let mut runs: FxHashMap<RunId, Vec<&Timed>> = FxHashMap::default();
    for call in calls.iter().filter(|call| call.tool == 0) {
        runs.entry(call.run).or_default().push(call);
    }
    let mut alike: FxHashMap<u64, Vec<RunId>> = FxHashMap::default();
    for (run, calls) in &mut runs {
        traceloupe_core::sorting::sort_by_key(calls, |call| (call.start_ns, call.event));
        if calls.iter().all(|call| call.counts != 0) {
            let counts: Vec<u64> = calls.iter().map(|call| call.counts).collect();
            alike.entry(hash_of(counts)).or_default().push(*run);
        }
    }
    let mut twins = Twins::default();
    let mut used: FxHashSet<RunId> = FxHashSet::default();
    let format = |run: RunId| out.trace().run(run).map(|run| run.format);
    for mut list in alike.into_values().filter(|list| (2..=MAX_ALIKE).contains(&list.len())) {
        traceloupe_core::sorting::sort(&mut list);
        for (at, into) in list.iter().enumerate() {
            let others = list.iter().skip(at + 1);
            let is_twin = |run: &&RunId| {
                let pairs = || [**run, *into].map(|run| runs.get(&run).into_iter().flatten());
                let all = |is_pair: fn(&Timed, &Timed) -> bool| {
                    let [one, other] = pairs();
                    one.zip(other).all(|(one, other)| is_pair(one, other))
                };
                format(**run) == format(*into)
                    && (all(Timed::contains) || all(|one, other| other.contains(one)))
            };
            if !used.contains(into)
                && let Some(run) = others.filter(|run| !used.contains(run)).find(is_twin)
            {
                used.extend([*run, *into]);
                twins.insert(*run, *into);
            }
        }
    }
    twins
}

/// Nests calls that look the same in each other. A key with a hash of 0 stands for nothing.
fn nest_alike(calls: &mut [Timed], key: impl Fn(&Timed) -> (RunId, u64), out: &mut TraceBuilder) {
    let mut alike: FxHashMap<(RunId, u64), Vec<usize>> = FxHashMap::default();
    for (at, call) in calls.iter().enumerate() {
        let key = key(call);
        let list = if key.1 == 0 { continue } else { alike.entry(key).or_default() };
        if list.len() < MAX_ALIKE {
            list.push(at);
        }
    }
    for mut list in alike.into_values().filter(|list| list.len() > 1) {
        // A call is compared with shorter ones only, so that two calls with the same times are one pair.
        let length = |at: &usize| {
            calls.get(*at).map(|call| {
                (call.end_ns.saturating_sub(call.start_ns), std::cmp::Reverse(call.event))
            })
        };
        traceloupe_core::sorting::sort_by_key(&mut list, length);
        for (n_shorter, outer) in list.iter().enumerate() {
            let shorter = list.iter().take(n_shorter).rev();
            nest(calls, *outer, shorter.copied(), out);
        }
    }
}

/// Nests the longest shorter call that a call contains in it.
fn nest(
    calls: &mut [Timed],
    outer_at: usize,
    shorter: impl Iterator<Item = usize>,
    out: &mut TraceBuilder,
) {
    for inner_at in shorter {
        let Ok([outer, inner]) = calls.get_disjoint_mut([outer_at, inner_at]) else { return };
        let answers_differ =
            outer.content != inner.content && outer.content != 0 && inner.content != 0;
        if inner.is_inner
            || outer.has_inner
            || !outer.contains(inner)
            || outer.tool == 0 && answers_differ
        {
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

/// Makes runs that record the same one run: the root of the one is nested in that of the other.
pub(super) fn merge_runs(links: &[Link], out: &mut TraceBuilder) {
    for link in links.iter().filter(|link| link.time_ns == TWIN) {
        let into = usize::try_from(link.key).ok().map(RunId::from_index);
        let run = out.trace().event(link.event).map(|event| event.run);
        let Some((run, into)) = run.zip(into).filter(|(run, into)| run != into) else { continue };
        let roots = |run: RunId| {
            let events = out.trace().events().iter().enumerate();
            let roots =
                events.filter(move |(_, event)| event.run == run && event.parent().is_none());
            let timed = roots.filter(|(_, event)| event.duration.is_known());
            timed.map(|(at, _)| EventId::from_index(at)).collect::<Vec<_>>()
        };
        if let [root] = *roots(into) {
            for inner in roots(run) {
                if let Some(event) = out.event_mut(inner) {
                    event.set_parent(Some(root));
                }
            }
        }
        out.merge_runs(run, into);
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
