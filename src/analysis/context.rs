//! The input of the rules: the steps of a trace, and the results of passes that several rules share.

use super::draft::{Draft, What};
use super::in_row::{InRow, in_row};
use super::reports::{Reports, attach};
use super::scattered::{Group, groups};
use super::steps::{LaneSteps, lanes};
use super::{Arguments, Results, Rule, Settings, Severity};
use traceloupe_core::model::{Event, EventKind, NameId, Trace};

/// A trace with its steps and the results of the shared passes.
pub(super) struct Context<'a> {
    pub(super) trace: &'a Trace,
    pub(super) settings: Settings,
    /// The steps of each lane.
    pub(super) lanes: Vec<LaneSteps>,
    /// Blocks of steps that are repeated in a row.
    pub(super) stretches: Vec<InRow>,
    /// Groups of equal calls between two messages from the user.
    pub(super) groups: Vec<Group>,
    /// Warnings of the producer that match none of the stretches.
    pub(super) reports: Reports,
}

impl<'a> Context<'a> {
    pub(super) fn new(trace: &'a Trace, settings: Settings) -> Self {
        let lanes = lanes(trace);
        let mut stretches = in_row(trace, &lanes, settings);
        let reports = attach(trace, settings, &lanes, &mut stretches);
        let groups = groups(trace, &lanes);
        Self { trace, settings, lanes, stretches, groups, reports }
    }

    /// The stretches to which a rule assigns a severity.
    pub(super) fn in_row(
        &self,
        rule: Rule,
        severity: impl Fn(&InRow) -> Option<Severity>,
    ) -> Vec<Draft> {
        let found = |it| Some(Draft::in_row(rule, severity(it)?, it));
        self.stretches.iter().filter_map(found).collect()
    }

    /// The groups of at least `needed` equal calls to which a rule assigns a severity.
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
                args: self.arguments(event, group),
                results,
            };
            Some(Draft { rule, severity, run: event.run, lane: group.lane, first, last, what })
        };
        self.groups.iter().enumerate().filter_map(found).collect()
    }

    fn arguments(&self, first: &Event, group: &Group) -> Arguments {
        let others = || group.events.iter().filter_map(|id| self.trace.event(*id));
        let is_same = |of: &dyn Fn(&Event) -> u64| others().all(|it| of(it) == of(first));
        if first.args_hash != 0 && is_same(&|it| it.args_hash) {
            Arguments::Same
        } else if first.args_hash != 0 && is_same(&|it| self.trace.alike_hash(it)) {
            Arguments::Alike
        } else {
            Arguments::Different
        }
    }

    /// Kind and name of an event.
    pub(super) fn called(
        &self,
        id: traceloupe_core::model::EventId,
    ) -> Option<(EventKind, NameId)> {
        self.trace.event(id).map(|event| (event.kind, event.name))
    }
}
