//! Collects all findings of a trace.

use std::cmp::Reverse;
use std::ops::Range;

use super::keys::{Compare, UNIQUE, keys};
use super::results::{compare, judge};
use super::scattered;
use super::steps::{LaneSteps, lanes};
use super::stretches::{Limits, Stretch, stretches};
use super::{Arguments, Finding, Findings, Results, Settings, Severity, Waste, reported};
use traceloupe_core::model::{Event, EventId, EventKind, LaneId, RunId, Trace};

/// The most findings kept for a trace.
pub const MAX_FINDINGS: usize = 1_000;

/// A finding without its events. Only findings that are kept need those.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) lane: LaneId,
    pub(super) run: RunId,
    pub(super) stretch: Stretch,
    pub(super) first: EventId,
    pub(super) last: EventId,
    /// Found by equal arguments, not just equal names.
    pub(super) is_exact: bool,
    /// Whether some of its steps belong to a stronger finding.
    is_shadowed: bool,
    pub(super) reported: Vec<EventId>,
    rule: &'static str,
    pub(super) severity: Severity,
    args: Arguments,
    results: Results,
}

/// The findings of a trace, by run and first event. The same trace gives the same findings. Takes
/// time proportional to the number of events. At most [`MAX_FINDINGS`] are kept: the most serious
/// and, among these, the longest.
#[must_use]
pub fn findings(trace: &Trace, settings: &Settings) -> Findings {
    let lanes = lanes(trace);
    let mut drafts = Vec::new();
    for (at, lane) in lanes.iter().enumerate() {
        lane_drafts(trace, LaneId::from_index(at), lane, *settings, &mut drafts);
    }
    let Findings { mut list, dropped } = reported::attach(trace, *settings, &lanes, &mut drafts);
    drafts.retain(|it| {
        let says_more = it.is_exact || it.severity > Severity::Info || !it.reported.is_empty();
        says_more || settings.wants_names()
    });

    traceloupe_core::order::sort_by_key(&mut drafts, |it| {
        (Reverse((it.severity, it.stretch.len)), it.run, it.first, it.is_exact)
    });
    // Warnings of the producer count like our own and precede our information.
    let ours = drafts.iter().take_while(|it| it.severity > Severity::Info).count();
    let found = drafts.len() + list.len() + dropped;
    list.truncate(MAX_FINDINGS.saturating_sub(ours));
    drafts.truncate(MAX_FINDINGS - list.len());
    let mut apart = scattered::findings(trace, &lanes, &drafts);
    let found = found + apart.len();
    apart.truncate(MAX_FINDINGS - list.len() - drafts.len());
    list.extend(apart);
    list.extend(drafts.into_iter().filter_map(|draft| {
        let lane = lanes.get(draft.lane.index())?;
        Some(list_events(trace, lane, draft))
    }));
    traceloupe_core::order::sort_by(&mut list, |a, b| {
        let key = |it: &Finding| (it.run, it.first, it.last, it.lane, it.rule);
        key(a).cmp(&key(b))
    });
    let dropped = found - list.len();
    Findings { list, dropped }
}

/// The first failed event of a run, in display order.
#[must_use]
pub fn first_error(trace: &Trace, run: RunId) -> Option<EventId> {
    let failed = |id: &EventId| trace.event(*id).is_some_and(Event::is_error);
    trace.order(run).iter().copied().find(failed)
}

/// First by names and arguments; then by prompts, for LLM calls alone; then by names.
fn lane_drafts(
    trace: &Trace,
    id: LaneId,
    lane: &LaneSteps,
    settings: Settings,
    drafts: &mut Vec<Draft>,
) {
    let max_block = settings.max_block();
    // A message and the calls it asks for count as one, so that a cycle of three tools is as long
    // in a conversation as in a plain list of calls.
    let limits = Limits { max_period: max_block * 2, min_repetitions: settings.repetitions() };
    let steps = |block: Range<usize>| lane.list.get(block).unwrap_or_default().iter();
    let fits = |block| steps(block).filter(|step| !step.carries_calls).count() <= max_block;
    let has_calls = |block| steps(block).any(|step| step.kind == EventKind::ToolCall);
    let find = |keys: &[u64], wanted: &dyn Fn(Range<usize>) -> bool| {
        stretches(keys, lane.segments(), limits, wanted)
    };

    let by_calls =
        find(&keys(trace, lane, Compare::Calls), &|block| fits(block.clone()) && has_calls(block));
    let mut prompts = keys(trace, lane, Compare::Prompts);
    for stretch in &by_calls {
        if let Some(covered) = prompts.get_mut(stretch.steps()) {
            covered.fill(UNIQUE);
        }
    }
    let mut exact = by_calls;
    exact.extend(find(&prompts, &fits));
    traceloupe_core::order::sort_by_key(&mut exact, |it| it.start);
    let by_names = find(&keys(trace, lane, Compare::Names), &fits);

    let mut add = |stretch: Stretch, is_exact, most: Severity, is_shadowed: bool| {
        let outcome = compare(trace, lane, &stretch);
        let (rule, severity) = judge(outcome, stretch.repetitions());
        // LLM calls to one model are not a loop unless their prompts are equal.
        let most = if is_exact || outcome.has_calls { most } else { Severity::Info };
        let full = stretch.start..stretch.start + stretch.repetitions() * stretch.period;
        let events = lane.events(full);
        let (Some(first), Some(last)) = (events.first(), events.last()) else { return };
        let Some(run) = trace.event(*first).map(|event| event.run) else { return };
        drafts.push(Draft {
            lane: id,
            run,
            stretch,
            first: *first,
            last: *last,
            is_exact,
            is_shadowed,
            reported: Vec::new(),
            rule,
            severity: severity.min(most),
            args: outcome.args,
            results: outcome.results,
        });
    };
    let mut rest = exact.as_slice();
    for stretch in by_names {
        // Both lists are sorted and free of overlaps, so one pass over both is enough.
        let passed = rest.iter().take_while(|it| it.steps().end <= stretch.start).count();
        rest = rest.get(passed..).unwrap_or_default();
        match rest.first().filter(|it| it.start < stretch.steps().end) {
            Some(it) if it.start <= stretch.start && it.steps().end >= stretch.steps().end => {}
            // Longer by part of a repetition only: nothing new.
            Some(it)
                if it.period == stretch.period && it.repetitions() >= stretch.repetitions() => {}
            // Some of its steps belong to a stronger finding.
            Some(_) => add(stretch, false, Severity::Info, true),
            None => add(stretch, false, Severity::Critical, false),
        }
    }
    for stretch in exact {
        add(stretch, true, Severity::Critical, false);
    }
}

fn list_events(trace: &Trace, lane: &LaneSteps, draft: Draft) -> Finding {
    let stretch = draft.stretch;
    let repetitions = stretch.repetitions();
    let all = stretch.start..stretch.start + repetitions * stretch.period;
    // A finding that the producer warned about too is more than information, unless a stronger
    // finding has its steps.
    let is_confirmed = !draft.reported.is_empty() && !draft.is_shadowed;
    let repeats = lane.events(all.start + stretch.period..all.end);
    let block = lane.events(stretch.repetition(0)).iter().filter_map(|id| trace.event(*id));
    Finding {
        rule: draft.rule,
        severity: if is_confirmed { draft.severity.max(Severity::Warning) } else { draft.severity },
        run: draft.run,
        lane: draft.lane,
        first: draft.first,
        last: draft.last,
        block: block.map(|event| (event.kind, event.name)).collect(),
        block_len: stretch.period,
        repetitions: u32::try_from(repetitions).unwrap_or(u32::MAX),
        extra: u32::try_from(stretch.len % stretch.period.max(1)).unwrap_or(u32::MAX),
        events: lane.events(all).to_vec(),
        repeats: repeats.to_vec(),
        args: draft.args,
        results: draft.results,
        reported: draft.reported,
        waste: waste(trace, repeats),
    }
}

fn waste(trace: &Trace, repeats: &[EventId]) -> Waste {
    let mut usage = traceloupe_core::model::Usage::default();
    let (mut start, mut end) = (i64::MAX, i64::MIN);
    for event in repeats.iter().filter_map(|id| trace.event(*id)) {
        if let Some(of_event) = trace.usage(event) {
            usage.add(&of_event);
        }
        if let Some(at) = event.start.get() {
            start = start.min(at);
            end = end.max(at.saturating_add(event.duration.get().unwrap_or(0)));
        }
    }
    // Timestamps that are all equal say nothing about how long it took.
    let duration_ns = (end > start).then(|| end.saturating_sub(start));
    Waste {
        duration_ns,
        input_tokens: usage.total_input(),
        output_tokens: usage.output,
        is_unfinished: usage.unfinished,
    }
}
