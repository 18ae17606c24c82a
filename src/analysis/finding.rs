//! What a rule has found: one type for all rules, as values. The words are made where they are shown.

use serde::{Deserialize, Serialize};

use super::Rule;
use traceloupe_core::model::{EventId, EventKind, LaneId, NameId, RunId};
use traceloupe_core::reason::Reason;

/// How serious a finding is. Only warnings and critical findings are folded in the timeline.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub enum Severity {
    /// Worth knowing, but most likely the way the agent works.
    #[default]
    Info,
    /// A possible loop, or a failure.
    Warning,
    /// A possible loop with no progress visible in the file.
    Critical,
}

impl Severity {
    /// Its id in exports and style sheets.
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
    /// The same but for what only says something about a call: a description, a time limit
    /// ([`traceloupe_core::model::arguments::ASIDES`]).
    Alike,
    /// Different in at least one repetition, or not in the file.
    #[default]
    Different,
}

impl Arguments {
    /// Whether the calls do the same in every repetition.
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

/// What the repetitions after the first used: an upper bound of what was wasted, because they may
/// have been needed.
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

/// What a rule has found in a trace.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// How serious it is.
    pub severity: Severity,
    /// Where it is.
    pub place: Place,
    /// What the rule has seen there.
    pub evidence: Evidence,
    /// What the repetitions after the first used, at most.
    pub waste: Waste,
}

/// Where a finding is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The run.
    pub run: RunId,
    /// The lane of its first event.
    pub lane: LaneId,
    /// Its first event.
    pub first: EventId,
    /// Its last event; of a repetition, that of the last full one.
    pub last: EventId,
    /// All its events, in order; of a repetition, those of all full ones.
    pub events: Vec<EventId>,
    /// The events of the repetitions after the first.
    pub repeats: Vec<EventId>,
    /// Loop warnings in the file about it.
    pub reported: Vec<EventId>,
}

impl Place {
    /// The place of events that are no repetitions of each other. `None` without events.
    #[must_use]
    pub fn of_events(run: RunId, lane: LaneId, events: Vec<EventId>) -> Option<Self> {
        let (first, last) = (*events.first()?, *events.last()?);
        Some(Self { run, lane, first, last, events, repeats: Vec::new(), reported: Vec::new() })
    }
}

/// What a rule has seen: the values that tell one finding from another, and of which its sentence is made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Evidence {
    /// Steps that are repeated.
    Steps(Steps),
    /// The producer's own warning.
    Report {
        /// The pattern as the producer wrote it.
        pattern: NameId,
    },
    /// Failures that are alike.
    Failures(Failures),
    /// Edits of a file that put back what an earlier one had replaced.
    Edits {
        /// The path of the file, as the calls have it.
        path: String,
    },
    /// A context that was made smaller.
    Context {
        /// The input tokens of the agent's LLM call before, if they are known.
        before: Option<f64>,
        /// The input tokens of its LLM call after, if they are known.
        after: Option<f64>,
    },
    /// A call that took long.
    Time {
        /// How long it took, without idle times, in milliseconds.
        active_ms: f64,
        /// That as a share of the active time of the run, from 0 to 1.
        share: f64,
    },
}

impl Default for Evidence {
    fn default() -> Self {
        Self::Steps(Steps::default())
    }
}

/// Steps that are repeated, in a row or with others between them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Steps {
    /// The calls and states of the block, in order. Calls made in one message follow each other.
    pub block: Vec<(EventKind, NameId)>,
    /// How many steps the block has; calls made in one message are one step.
    pub block_len: u32,
    /// How many times the whole block occurs.
    pub repetitions: u32,
    /// How many steps of another, unfinished repetition follow.
    pub extra: u32,
    /// How the arguments compare.
    pub args: Arguments,
    /// How the results compare.
    pub results: Results,
}

/// Failures that are alike.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Failures {
    /// How many there are.
    pub count: u64,
    /// Why the first one failed.
    pub reason: Reason,
    /// Whether they are tries of one call of which the last one worked.
    pub worked_in_the_end: bool,
}

impl Evidence {
    /// The steps that are repeated, if it is a repetition.
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

    /// How many times the whole block occurs; 0 for what is no repetition.
    #[must_use]
    pub fn repetitions(&self) -> u32 {
        self.steps().map_or(0, |it| it.repetitions)
    }

    /// How many steps a repetition has; 1 for what is no repetition.
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
    /// How many less serious ones were left out because there were too many.
    pub dropped: usize,
}
