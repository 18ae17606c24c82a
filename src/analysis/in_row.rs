//! Blocks of steps that are repeated in a row: by arguments, by prompts, by names.

use std::ops::Range;

use super::compare_repetitions::{Outcome, compare};
use super::keys::{Compare, UNIQUE, keys};
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
        (id, lane): (LaneId, &LaneSteps),
        stretch: Stretch,
        is_exact: bool,
        most: Severity,
    ) -> Option<Self> {
        let outcome = compare(trace, lane, &stretch);
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
            // LLM calls to one model are not a loop unless their prompts are equal.
            most: if is_exact || outcome.has_calls { most } else { Severity::Info },
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
pub(super) fn in_row(trace: &Trace, lanes: &[LaneSteps], settings: Settings) -> Vec<InRow> {
    let mut found = Vec::new();
    for (at, lane) in lanes.iter().enumerate() {
        of_lane(trace, (LaneId::from_index(at), lane), settings, &mut found);
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

/// First by names and arguments; then by prompts, if there are only LLM calls; then by names.
fn of_lane(
    trace: &Trace,
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

    let by_calls = find(&keys(trace, lane, Compare::Calls), &|block| {
        fits(block.clone()) && has_calls(lane, block)
    });
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
        let it = InRow::new(trace, (id, lane), stretch, is_exact, most);
        found.extend(it.map(|it| InRow { is_shadowed, ..it }));
    };
    let mut rest = exact.as_slice();
    for stretch in by_names {
        // Both lists are sorted and free of overlaps, so one pass over both is enough.
        let passed = rest.iter().take_while(|it| it.steps().end <= stretch.start).count();
        rest = rest.get(passed..).unwrap_or_default();
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
