//! A finding without its events. Only findings that are kept need events, and a trace may have many that are not kept.

use super::equal_call_groups::Group;
use super::in_row::InRow;
use super::rule_input::RuleInput;
use super::stretches::Stretch;
use super::{Arguments, Evidence, Finding, Place, Results, Rule, Severity, Steps, Waste};
use traceloupe_core::model::{Event, EventId, LaneId, NameId, RunId, Trace};

/// The result of a rule.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) rule: Rule,
    pub(super) severity: Severity,
    pub(super) run: RunId,
    pub(super) lane: LaneId,
    pub(super) first: EventId,
    pub(super) last: EventId,
    pub(super) what: What,
}

/// The evidence of a draft.
#[derive(Debug)]
pub(super) enum What {
    /// A block of steps that is repeated in a row.
    InRow {
        stretch: Stretch,
        /// Whether it was found by equal arguments, not only by equal names.
        is_exact: bool,
        /// Whether some of its steps belong to a stronger finding.
        is_shadowed: bool,
        args: Arguments,
        results: Results,
        /// Warnings of the producer about it.
        reported: Vec<EventId>,
    },
    /// A call that is repeated with others between.
    Apart {
        /// Its index among the groups of calls.
        at: usize,
        /// How many of its calls must not be part of another finding.
        needed: usize,
        events: Vec<EventId>,
        args: Arguments,
        results: Results,
    },
    /// Warnings of the producer.
    Report { pattern: NameId, events: Vec<EventId> },
}

/// What rules ask of the passes that they share.
impl RuleInput<'_> {
    /// The stretches to which a rule gives a severity.
    pub(super) fn in_row(
        &self,
        rule: Rule,
        severity: impl Fn(&InRow) -> Option<Severity>,
    ) -> Vec<Draft> {
        let found = |it| Some(Draft::in_row(rule, severity(it)?, it));
        self.stretches.iter().filter_map(found).collect()
    }

    /// The groups of at least `needed` equal calls to which a rule gives a severity.
    pub(super) fn apart(
        &self,
        rule: Rule,
        results: Results,
        needed: usize,
        severity: impl Fn(&Group) -> Option<Severity>,
    ) -> Vec<Draft> {
        let found = |(at, group): (usize, &Group)| {
            let severity = severity(group).filter(|_| group.events.len() >= needed)?;
            let (first, last) = (*group.events.first()?, *group.events.last()?);
            let event = self.trace.event(first)?;
            let what = What::Apart {
                at,
                needed,
                events: group.events.clone(),
                args: arguments(self.trace, event, group),
                results,
            };
            Some(Draft { rule, severity, run: event.run, lane: group.lane, first, last, what })
        };
        self.groups.iter().enumerate().filter_map(found).collect()
    }
}

/// What the arguments of a group's calls have in common.
fn arguments(trace: &Trace, first: &Event, group: &Group) -> Arguments {
    let others = || group.events.iter().filter_map(|id| trace.event(*id));
    let is_same = |of: &dyn Fn(&Event) -> u64| others().all(|it| of(it) == of(first));
    if first.args_hash != 0 && is_same(&|it| it.args_hash) {
        Arguments::Same
    } else if first.args_hash != 0 && is_same(&|it| trace.alike_hash(it)) {
        Arguments::Alike
    } else {
        Arguments::Different
    }
}

impl Draft {
    /// A draft for a stretch, with the severity that a rule assigns to it, limited to the maximum severity of the
    /// stretch.
    pub(super) fn in_row(rule: Rule, severity: Severity, it: &InRow) -> Self {
        Self {
            rule,
            severity: severity.min(it.most),
            run: it.run,
            lane: it.lane,
            first: it.first,
            last: it.last,
            what: What::InRow {
                stretch: it.stretch,
                is_exact: it.is_exact,
                is_shadowed: it.is_shadowed,
                args: it.outcome.args,
                results: it.outcome.results,
                reported: it.reported.clone(),
            },
        }
    }

    /// Makes the finding. `None` if its lane does not exist.
    pub(super) fn finding(self, context: &RuleInput<'_>) -> Option<Finding> {
        match self.what {
            What::InRow { .. } => self.of_stretch(context),
            What::Apart { .. } => self.of_group(context),
            What::Report { pattern, events } => Some(Finding {
                rule: self.rule,
                severity: self.severity,
                place: Place {
                    run: self.run,
                    lane: self.lane,
                    first: self.first,
                    last: self.last,
                    reported: events.clone(),
                    events,
                    repeats: Vec::new(),
                },
                evidence: Evidence::Report { pattern },
                waste: Waste::default(),
            }),
        }
    }

    fn of_stretch(self, context: &RuleInput<'_>) -> Option<Finding> {
        let What::InRow { stretch, is_shadowed, args, results, reported, .. } = self.what else {
            return None;
        };
        let lane = context.lanes.get(self.lane.index())?;
        let all = stretch.full();
        let repeats = lane.events(all.start + stretch.period..all.end).to_vec();
        let block = lane.events(stretch.repetition(0)).iter();
        let steps = Steps {
            block: block.filter_map(|id| context.called(*id)).collect(),
            block_len: number(stretch.period),
            repetitions: number(stretch.repetitions()),
            extra: number(stretch.len % stretch.period.max(1)),
            args,
            results,
        };
        // If the producer also warned about a finding, it is more than information, unless its steps belong to a
        // stronger finding.
        let is_confirmed = !reported.is_empty() && !is_shadowed;
        let least = if is_confirmed { Severity::Warning } else { Severity::Info };
        Some(Finding {
            rule: self.rule,
            severity: self.severity.max(least),
            waste: waste_in_row(context.trace, &repeats),
            place: Place {
                run: self.run,
                lane: self.lane,
                first: self.first,
                last: self.last,
                events: lane.events(all).to_vec(),
                repeats,
                reported,
            },
            evidence: Evidence::Steps(steps),
        })
    }

    fn of_group(self, context: &RuleInput<'_>) -> Option<Finding> {
        let What::Apart { events, args, results, .. } = self.what else { return None };
        let repeats: Vec<EventId> = events.iter().skip(1).copied().collect();
        // Repetitions of one call, or of several in any order.
        let mut block = Vec::new();
        for called in events.iter().filter_map(|id| context.called(*id)) {
            if !block.contains(&called) && (block.is_empty() || self.rule == Rule::NoProgress) {
                block.push(called);
            }
        }
        let steps = Steps {
            block_len: number(block.len()),
            block,
            repetitions: number(events.len()),
            extra: 0,
            args,
            results,
        };
        Some(Finding {
            rule: self.rule,
            severity: self.severity,
            waste: waste_apart(context.trace, &repeats),
            place: Place {
                run: self.run,
                lane: self.lane,
                first: self.first,
                last: self.last,
                events,
                repeats,
                reported: Vec::new(),
            },
            evidence: Evidence::Steps(steps),
        })
    }
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The cost of repetitions in a row.
fn waste_in_row(trace: &Trace, repeats: &[EventId]) -> Waste {
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
    // If all timestamps are equal, the duration is unknown.
    let duration_ns = (end > start).then(|| end.saturating_sub(start));
    Waste {
        duration_ns,
        input_tokens: usage.total_input(),
        output_tokens: usage.output,
        is_unfinished: usage.unfinished,
    }
}

/// The duration of calls with others between them. The time of the other calls is not included.
fn waste_apart(trace: &Trace, repeats: &[EventId]) -> Waste {
    let known = repeats.iter().filter_map(|id| trace.work(*id).get());
    let duration_ns = known.reduce(i64::saturating_add).filter(|ns| *ns > 0);
    Waste { duration_ns, ..Waste::default() }
}
