//! What a finding is.

use crate::model::{EventId, EventKind, LaneId, NameId, RunId};

/// How much a finding matters. Only warnings and critical findings are folded in the timeline.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing; most likely the agent's way of working.
    Info,
    /// A possible loop.
    Warning,
    /// A possible loop without any progress that the file would show.
    Critical,
}

impl Severity {
    /// The word for it, in answers and style sheets.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Critical => "critical",
        }
    }
}

/// How the results of the repetitions compare, call by call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Results {
    /// Every repetition brought the same.
    Same,
    /// At least one call brought something else at least once.
    Changing,
    /// At least one result is not in the file, and those that are do not differ.
    Missing,
    /// At least one call failed in every repetition, and no other brought changing results.
    Errors,
}

/// What the repetitions after the first took. An upper bound of what was wasted: they may have been
/// needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Waste {
    /// From the start of the second repetition to the end of the last, in nanoseconds.
    pub duration_ns: Option<i64>,
    /// Tokens that went into models, cached ones included.
    pub input_tokens: Option<u64>,
    /// Tokens that came out of models.
    pub output_tokens: Option<u64>,
}

/// A possible loop, or a loop warning that stands in the file.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// Which rule: `repeat`, `same-result`, `error-retry`, `polling`, `same-calls` are ours,
    /// `reported` is a warning of the producer that covers no stretch of ours.
    pub rule: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// The run.
    pub run: RunId,
    /// The lane.
    pub lane: LaneId,
    /// The first event of the first repetition.
    pub first: EventId,
    /// The last event of the last full repetition.
    pub last: EventId,
    /// The calls and states of the block, in order; calls made in one message stand one after the
    /// other. Of a `reported` finding: the warning itself, whose name is the producer's pattern.
    pub block: Vec<(EventKind, NameId)>,
    /// How many steps the block has; calls made in one message are one step.
    pub block_len: usize,
    /// How often the block stands there in full; 0 in a `reported` finding, which does not say it.
    pub repetitions: u32,
    /// How many steps of a further, unfinished repetition follow.
    pub extra: u32,
    /// The events of all full repetitions, in order; of a `reported` finding the warnings.
    pub events: Vec<EventId>,
    /// The events of the repetitions after the first.
    pub repeats: Vec<EventId>,
    /// Whether the arguments were the same in every repetition.
    pub same_args: bool,
    /// How the results compare.
    pub results: Results,
    /// Loop warnings in the file that are about this stretch.
    pub reported: Vec<EventId>,
    /// What the repetitions after the first took, at most.
    pub waste: Waste,
}

/// The findings of a trace, by run and first event.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Findings {
    /// The findings.
    pub list: Vec<Finding>,
    /// How many lesser ones were left out because there were too many.
    pub dropped: usize,
}

/// What counts as a repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    window: usize,
    repetitions: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { window: 12, repetitions: 3 }
    }
}

impl Settings {
    /// The bounds of the window, in steps.
    pub const WINDOW: std::ops::RangeInclusive<usize> = 4..=48;
    /// The bounds of the repetitions.
    pub const REPETITIONS: std::ops::RangeInclusive<usize> = 2..=20;

    /// Settings; what is out of bounds is moved to the nearest bound.
    #[must_use]
    pub fn new(window: usize, repetitions: usize) -> Self {
        Self {
            window: window.clamp(*Self::WINDOW.start(), *Self::WINDOW.end()),
            repetitions: repetitions.clamp(*Self::REPETITIONS.start(), *Self::REPETITIONS.end()),
        }
    }

    /// In how many steps the repetitions of the longest block must fit.
    #[must_use]
    pub fn window(self) -> usize {
        self.window
    }

    /// From how many repetitions on a block is a finding.
    #[must_use]
    pub fn repetitions(self) -> usize {
        self.repetitions
    }

    /// Steps of the longest block that is looked for.
    pub(super) fn max_block(self) -> usize {
        (self.window / self.repetitions).max(1)
    }
}
