//! Findings.

use traceloupe_core::model::{EventId, EventKind, LaneId, NameId, RunId};

/// How serious a finding is. Only warnings and critical findings are folded in the timeline.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing, but most likely the way the agent works.
    Info,
    /// A possible loop.
    Warning,
    /// A possible loop with no progress visible in the file.
    Critical,
}

impl Severity {
    /// The word for it in answers and style sheets.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Critical => "critical",
        }
    }
}

/// How the arguments of the repetitions compare.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arguments {
    /// The same in every repetition.
    Same,
    /// The same but for what only says something about a call: a description, a time limit
    /// ([`traceloupe_core::model::arguments::ASIDES`]).
    Alike,
    /// Different in at least one repetition, or not in the file.
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Results {
    /// All repetitions gave the same results.
    Same,
    /// At least one call gave a different result at least once.
    Changing,
    /// At least one result is not in the file, and the others do not differ.
    Missing,
    /// At least one call failed in every repetition, and no other call's results changed.
    Errors,
}

/// What the repetitions after the first used: an upper bound of what was wasted, because they may
/// have been needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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

/// A possible loop, or a loop warning found in the file.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// Which rule: `repeat`, `same-result`, `error-retry`, `polling`, `same-calls` are ours about calls in a row,
    /// `repeat-apart` and `same-error` about calls with others between them; `reported` is a warning of the producer
    /// that covers no stretch of ours.
    pub rule: &'static str,
    /// How serious it is.
    pub severity: Severity,
    /// The run.
    pub run: RunId,
    /// The lane.
    pub lane: LaneId,
    /// The first event of the first repetition.
    pub first: EventId,
    /// The last event of the last full repetition.
    pub last: EventId,
    /// The calls and states of the block, in order. Calls made in one message follow each other.
    /// For a `reported` finding: the warning itself, whose name is the producer's pattern.
    pub block: Vec<(EventKind, NameId)>,
    /// How many steps the block has; calls made in one message are one step.
    pub block_len: usize,
    /// How many times the whole block occurs; 0 for a `reported` finding, which does not say.
    pub repetitions: u32,
    /// How many steps of another, unfinished repetition follow.
    pub extra: u32,
    /// The events of all whole repetitions, in order; for a `reported` finding, the warnings.
    pub events: Vec<EventId>,
    /// The events of the repetitions after the first.
    pub repeats: Vec<EventId>,
    /// How the arguments compare.
    pub args: Arguments,
    /// How the results compare.
    pub results: Results,
    /// Loop warnings in the file about this stretch.
    pub reported: Vec<EventId>,
    /// What the repetitions after the first used, at most.
    pub waste: Waste,
}

impl Finding {
    /// Whether other calls were made between the repetitions.
    #[must_use]
    pub fn is_apart(&self) -> bool {
        matches!(self.rule, "repeat-apart" | "same-error")
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

/// What counts as a repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    window: usize,
    repetitions: usize,
    with_names: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { window: 12, repetitions: 3, with_names: false }
    }
}

impl Settings {
    /// The allowed window, in steps.
    pub const WINDOW: std::ops::RangeInclusive<usize> = 4..=48;
    /// The allowed number of repetitions.
    pub const REPETITIONS: std::ops::RangeInclusive<usize> = 2..=20;

    /// Settings with each value limited to its allowed range.
    #[must_use]
    pub fn new(window: usize, repetitions: usize) -> Self {
        Self {
            window: window.clamp(*Self::WINDOW.start(), *Self::WINDOW.end()),
            repetitions: repetitions.clamp(*Self::REPETITIONS.start(), *Self::REPETITIONS.end()),
            with_names: false,
        }
    }

    /// Also finds calls whose names alone are repeated, with other arguments and results. Agents that work
    /// well do that all the time, so it is off by default.
    #[must_use]
    pub fn with_names(self, with_names: bool) -> Self {
        Self { with_names, ..self }
    }

    /// See [`Settings::with_names`].
    pub(super) fn wants_names(self) -> bool {
        self.with_names
    }

    /// The number of steps into which the repetitions of the longest block must fit.
    #[must_use]
    pub fn window(self) -> usize {
        self.window
    }

    /// The number of repetitions that makes a block a finding.
    #[must_use]
    pub fn repetitions(self) -> usize {
        self.repetitions
    }

    /// Steps of the longest block considered.
    pub(super) fn max_block(self) -> usize {
        (self.window / self.repetitions).max(1)
    }
}
