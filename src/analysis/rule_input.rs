//! The input of the rules: the steps of a trace, and the results of passes that several rules share.

use super::equal_call_groups::{Group, groups};
use super::in_row::{InRow, in_row};
use super::known_calls::KnownCalls;
use super::producer_warnings::{Reports, attach};
use super::steps::{LaneSteps, lanes};
use super::{CallTexts, Settings};
use traceloupe_core::model::{EventId, EventKind, NameId, Trace};

/// A trace with its steps and the results of the shared passes.
pub(super) struct RuleInput<'a> {
    pub(super) trace: &'a Trace,
    pub(super) settings: Settings,
    /// What is known of calls beyond the index.
    pub(super) known: KnownCalls,
    /// The steps of each lane.
    pub(super) lanes: Vec<LaneSteps>,
    /// Blocks of steps that are repeated in a row.
    pub(super) stretches: Vec<InRow>,
    /// Groups of equal calls between two messages from the user.
    pub(super) groups: Vec<Group>,
    /// Warnings of the producer that match none of the stretches.
    pub(super) reports: Reports,
}

impl<'a> RuleInput<'a> {
    pub(super) fn new(trace: &'a Trace, settings: Settings, texts: &dyn CallTexts) -> Self {
        let lanes = lanes(trace);
        let known = KnownCalls::new(trace, &lanes, texts);
        let mut stretches = in_row(trace, &known, &lanes, settings);
        let reports = attach(trace, settings, &lanes, &mut stretches);
        let groups = groups(trace, &known, &lanes);
        Self { trace, settings, known, lanes, stretches, groups, reports }
    }

    /// Kind and name of an event.
    pub(super) fn called(&self, id: EventId) -> Option<(EventKind, NameId)> {
        self.trace.event(id).map(|event| (event.kind, event.name))
    }
}
