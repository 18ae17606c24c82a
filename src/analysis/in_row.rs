//! Blocks of steps that are repeated in a row: by arguments, by prompts, by names.

use std::ops::Range;

use super::compare_repetitions::{Outcome, compare};
use super::keys::{Compare, UNIQUE, keys, result_key};
use super::known_calls::KnownCalls;
use super::steps::LaneSteps;
use super::stretches::{Limits, Stretch, stretches};
use super::{Settings, Severity};
use traceloupe_core::model::{EventId, EventKind, LaneId, RunId, Trace};

/// The number of repetitions of one call with equal results, or with failures, that is critical; fewer are a warning.
/// If the results are not in the file, this number is a warning; fewer are information. Several calls that alternate
/// are a loop from the third repetition on.
pub(super) const ONE_CALL: usize = 5;

/// A block of steps that is repeated in a row.
#[derive(Debug)]
pub(super) struct InRow {
    pub(super) lane: LaneId,
    pub(super) run: RunId,
    pub(super) stretch: Stretch,
    pub(super) first: EventId,
    pub(super) last: EventId,
    /// Whether it was found by equal arguments, not only by equal names.
    pub(super) is_exact: bool,
    /// Whether some of its steps belong to a stronger finding.
    pub(super) is_shadowed: bool,
    /// How the repetitions compare.
    pub(super) outcome: Outcome,
    /// The maximum severity.
    pub(super) most: Severity,
    /// Warnings of the producer about it.
    pub(super) reported: Vec<EventId>,
}

impl InRow {
    /// A stretch of a lane; `None` without events.
    pub(super) fn new(
        trace: &Trace,
        known: &KnownCalls,
        (id, lane): (LaneId, &LaneSteps),
        stretch: Stretch,
        is_exact: bool,
        most: Severity,
    ) -> Option<Self> {
        let outcome = compare(trace, known, lane, &stretch);
        let events = lane.events(stretch.full());
        let (first, last) = (*events.first()?, *events.last()?);
        Some(Self {
            lane: id,
            run: trace.event(first)?.run,
            stretch,
            first,
            last,
            is_exact,
            is_shadowed: false,
            outcome,
            // LLM calls to one model are not a loop unless their prompts or their answers are equal.
            most: match is_exact || outcome.has_calls || outcome.same_results {
                true => most,
                false => Severity::Info,
            },
            reported: Vec::new(),
        })
    }

    pub(super) fn repetitions(&self) -> usize {
        self.stretch.repetitions()
    }
}

/// The severity of repeated calls that change nothing.
pub(super) fn serious(it: &InRow) -> Severity {
    match it.outcome.is_one_call && it.repetitions() < ONE_CALL {
        true => Severity::Warning,
        false => Severity::Critical,
    }
}

/// The stretches of all lanes.
pub(super) fn in_row(
    trace: &Trace,
    known: &KnownCalls,
    lanes: &[LaneSteps],
    settings: Settings,
) -> Vec<InRow> {
    let mut found = Vec::new();
    for (at, lane) in lanes.iter().enumerate() {
        of_lane(trace, known, (LaneId::from_index(at), lane), settings, &mut found);
    }
    found
}

/// How many steps a block has. A message and the calls that it requests count as one, so that a cycle of three tools is
/// equally long in a conversation and in a plain list of calls.
pub(super) fn block_steps(lane: &LaneSteps, block: Range<usize>) -> usize {
    let steps = lane.list.get(block).unwrap_or_default().iter();
    steps.filter(|step| !step.carries_calls).count()
}

/// Whether a block has tool calls.
pub(super) fn has_calls(lane: &LaneSteps, block: Range<usize>) -> bool {
    let mut steps = lane.list.get(block).unwrap_or_default().iter();
    steps.any(|step| step.kind == EventKind::ToolCall)
}

/// The fewest repetitions with equal results that are a part of their own within a stretch with other results as well.
const FEWEST_EQUAL: usize = 4;

/// The parts of a stretch of single calls in which all results are equal, if that is not the whole stretch.
fn with_equal_results(
    trace: &Trace,
    known: &KnownCalls,
    lane: &LaneSteps,
    stretch: &Stretch,
    limits: Limits,
) -> Vec<Stretch> {
    let fewest = limits.min_repetitions.max(FEWEST_EQUAL);
    let is_call = |at: &usize| {
        lane.list.get(stretch.start + at).is_some_and(|it| it.kind == EventKind::ToolCall)
    };
    let mut calls = (0..stretch.period).filter(is_call);
    let (Some(at), None) = (calls.next(), calls.next()) else { return Vec::new() };
    let key = |nth: &usize| {
        result_key(trace, known, lane, stretch.repetition(*nth).start + at, Compare::Names)
    };
    let all: Vec<usize> = (0..stretch.repetitions()).collect();
    let parts = all.chunk_by(|a, b| key(a) != UNIQUE && key(a) == key(b));
    let parts = parts.filter(|part| (fewest..all.len()).contains(&part.len()));
    let part = |part: &[usize]| {
        let start = stretch.repetition(*part.first()?).start;
        Some(Stretch { start, len: part.len() * stretch.period, period: stretch.period })
    };
    parts.filter_map(part).collect()
}

/// Joins loops that go on as before after a message from the user.
fn joined(keys: &[u64], lane: &LaneSteps, found: Vec<Stretch>) -> Vec<Stretch> {
    let starts: Vec<usize> = lane.segments().map(|it| it.start).collect();
    let mut joined: Vec<Stretch> = Vec::new();
    for it in found {
        let goes_on = |last: &&mut Stretch| {
            let is_repeated = |at: usize| keys.get(at) == keys.get(at.saturating_sub(it.period));
            last.period == it.period
                && last.steps().end == it.start
                && starts.binary_search(&it.start).is_ok()
                && it.steps().all(is_repeated)
        };
        match joined.last_mut().filter(goes_on) {
            Some(last) => last.len += it.len,
            None => joined.push(it),
        }
    }
    joined
}

/// First by names and arguments; then by prompts, if there are only LLM calls; then by names.
fn of_lane(
    trace: &Trace,
    known: &KnownCalls,
    (id, lane): (LaneId, &LaneSteps),
    settings: Settings,
    found: &mut Vec<InRow>,
) {
    let max_block = settings.max_block();
    let limits = Limits { max_period: max_block * 2, min_repetitions: settings.repetitions() };
    let fits = |block| block_steps(lane, block) <= max_block;
    let find = |keys: &[u64], wanted: &dyn Fn(Range<usize>) -> bool| {
        stretches(keys, lane.segments(), limits, wanted)
    };

    let of_calls = keys(trace, lane, Compare::Calls);
    let by_calls = find(&of_calls, &|block| fits(block.clone()) && has_calls(lane, block));
    let by_calls = joined(&of_calls, lane, by_calls);
    let mut prompts = keys(trace, lane, Compare::Prompts);
    for stretch in &by_calls {
        if let Some(covered) = prompts.get_mut(stretch.steps()) {
            covered.fill(UNIQUE);
        }
    }
    let mut exact = by_calls;
    exact.extend(find(&prompts, &fits));
    traceloupe_core::sorting::sort_by_key(&mut exact, |it| it.start);
    let by_names = find(&keys(trace, lane, Compare::Names), &fits);

    let mut add = |stretch: Stretch, is_exact, most: Severity, is_shadowed: bool| {
        let it = InRow::new(trace, known, (id, lane), stretch, is_exact, most);
        found.extend(it.map(|it| InRow { is_shadowed, ..it }));
    };
    let mut rest = exact.as_slice();
    for stretch in by_names {
        // Both lists are sorted and free of overlaps, so one pass over both is enough.
        let passed = rest.iter().take_while(|it| it.steps().end <= stretch.start).count();
        rest = rest.get(passed..).unwrap_or_default();
        let mut parts = with_equal_results(trace, known, lane, &stretch, limits);
        let mut near = rest;
        parts.retain(|part| {
            let passed = near.iter().take_while(|it| it.steps().end <= part.start).count();
            near = near.get(passed..).unwrap_or_default();
            near.first().is_none_or(|it| it.start >= part.steps().end)
        });
        if !parts.is_empty() {
            // They say more than the whole stretch, whose results differ.
            parts.into_iter().for_each(|part| add(part, false, Severity::Critical, false));
            continue;
        }
        match rest.first().filter(|it| it.start < stretch.steps().end) {
            Some(it) if it.start <= stretch.start && it.steps().end >= stretch.steps().end => {}
            // It is longer only by part of a repetition, so it adds nothing.
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
