//! Findings: one type for all rules, as values. The words are made where they are shown.

use serde::{Deserialize, Serialize};

use super::Rule;
use traceloupe_core::model::{EventId, EventKind, LaneId, NameId, RunId};
use traceloupe_core::reason::Reason;

/// How serious a finding is. Only warnings and critical findings are folded in the timeline.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub enum Severity {
    /// Worth knowing, but most likely normal for the agent.
    #[default]
    Info,
    /// A possible loop, or a failure.
    Warning,
    /// A possible loop with no progress visible in the file.
    Critical,
}

impl Severity {
    /// The id of the severity in exports and style sheets.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Critical => "critical",
        }
    }
}

/// How the arguments of the repetitions compare.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Arguments {
    /// The same in every repetition.
    Same,
    /// The same except for arguments that only give information about a call: a description, a time limit
    /// ([`traceloupe_core::model::arguments::ASIDES`]).
    Alike,
    /// Different in at least one repetition, or not in the file.
    #[default]
    Different,
}

impl Arguments {
    /// Whether the calls do the same thing in every repetition.
    #[must_use]
    pub fn do_the_same(self) -> bool {
        self != Self::Different
    }
}

/// How the results of the repetitions compare, call by call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Results {
    /// All repetitions gave the same results.
    Same,
    /// At least one call gave a different result at least once.
    Changing,
    /// At least one result is not in the file, and the others do not differ.
    #[default]
    Missing,
    /// At least one call failed in every repetition, and no other call's results changed.
    Errors,
}

/// The cost of the repetitions after the first: an upper bound of the waste, because they may have been needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Waste {
    /// From the start of the second repetition to the end of the last, in nanoseconds.
    pub duration_ns: Option<i64>,
    /// Input tokens, including cached ones.
    pub input_tokens: Option<u64>,
    /// Output tokens.
    pub output_tokens: Option<u64>,
    /// Whether `output_tokens` is a lower bound ([`traceloupe_core::model::Usage::unfinished`]).
    pub is_unfinished: bool,
}

/// A finding of a rule in a trace.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// The severity.
    pub severity: Severity,
    /// Its place.
    pub place: Place,
    /// What the rule saw there.
    pub evidence: Evidence,
    /// The cost of the repetitions after the first, as an upper bound of the waste.
    pub waste: Waste,
}

/// The place of a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The run.
    pub run: RunId,
    /// The lane of its first event.
    pub lane: LaneId,
    /// Its first event.
    pub first: EventId,
    /// Its last event; for repetitions, the last event of the last whole repetition.
    pub last: EventId,
    /// All its events, in order; for repetitions, the events of all whole repetitions.
    pub events: Vec<EventId>,
    /// The events of the repetitions after the first.
    pub repeats: Vec<EventId>,
    /// Loop warnings in the file about it.
    pub reported: Vec<EventId>,
}

impl Place {
    /// The place of events that are not repetitions of each other. `None` if there are no events.
    #[must_use]
    pub fn of_events(run: RunId, lane: LaneId, events: Vec<EventId>) -> Option<Self> {
        let (first, last) = (*events.first()?, *events.last()?);
        Some(Self { run, lane, first, last, events, repeats: Vec::new(), reported: Vec::new() })
    }
}

/// What a rule saw: the values that distinguish findings from each other, and from which the sentence of a finding is
/// made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Evidence {
    /// Repeated steps.
    Steps(Steps),
    /// The producer's own warning.
    Report {
        /// The pattern as the producer wrote it.
        pattern: NameId,
    },
    /// Similar failures.
    Failures(Failures),
    /// Edits of a file that restore what an earlier edit had replaced.
    Edits {
        /// The path of the file, as written in the calls.
        path: String,
    },
    /// A compaction of a context.
    Context {
        /// The input tokens of the agent's last LLM call before it, if known.
        before: Option<f64>,
        /// The input tokens of the agent's first LLM call after it, if known.
        after: Option<f64>,
    },
    /// A call with a long duration.
    Time {
        /// The duration without idle times, in milliseconds.
        active_ms: f64,
        /// The duration as a share of the active time of the run, from 0 to 1.
        share: f64,
    },
}

impl Default for Evidence {
    fn default() -> Self {
        Self::Steps(Steps::default())
    }
}

/// Repeated steps, in a row or with others between them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Steps {
    /// The calls and states of the block, in order. Calls made in one message are adjacent.
    pub block: Vec<(EventKind, NameId)>,
    /// How many steps the block has; calls made in one message are one step.
    pub block_len: u32,
    /// How many times the whole block occurs.
    pub repetitions: u32,
    /// How many steps of a further, unfinished repetition follow.
    pub extra: u32,
    /// How the arguments compare.
    pub args: Arguments,
    /// How the results compare.
    pub results: Results,
}

/// Similar failures.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Failures {
    /// How many there are.
    pub count: u64,
    /// The reason for the first one.
    pub reason: Reason,
    /// Whether they are retries of one call, and the last attempt worked.
    pub worked_in_the_end: bool,
    /// After how many of them a later call with the same target worked.
    pub n_fixed: u64,
    /// After how many of them no later call with the same target worked.
    pub n_never_fixed: u64,
}

impl Failures {
    /// Whether all of them were fixed.
    #[must_use]
    pub const fn are_fixed(&self) -> bool {
        self.worked_in_the_end || self.n_fixed == self.count && self.count > 0
    }
}

impl Evidence {
    /// The repeated steps, if the finding is about repetitions.
    #[must_use]
    pub fn steps(&self) -> Option<&Steps> {
        match self {
            Self::Steps(steps) => Some(steps),
            Self::Report { .. }
            | Self::Failures(_)
            | Self::Edits { .. }
            | Self::Context { .. }
            | Self::Time { .. } => None,
        }
    }

    /// How the arguments of the repetitions compare.
    #[must_use]
    pub fn args(&self) -> Arguments {
        self.steps().map_or(Arguments::Different, |it| it.args)
    }

    /// How the results of the repetitions compare.
    #[must_use]
    pub fn results(&self) -> Results {
        self.steps().map_or(Results::Missing, |it| it.results)
    }

    /// How many times the whole block occurs; 0 if the finding is not about repetitions.
    #[must_use]
    pub fn repetitions(&self) -> u32 {
        self.steps().map_or(0, |it| it.repetitions)
    }

    /// How many steps a repetition has; 1 if the finding is not about repetitions.
    #[must_use]
    pub fn block_len(&self) -> u32 {
        self.steps().map_or(1, |it| it.block_len)
    }
}

/// The findings of a trace, by run and first event.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Findings {
    /// The findings.
    pub list: Vec<Finding>,
    /// How many less severe findings were left out because there were too many.
    pub dropped: usize,
}
