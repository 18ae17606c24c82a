//! Settings for what counts as a repetition.

/// The maximum number of findings kept for a trace.
pub const MAX_FINDINGS: usize = 1_000;

/// Settings for what counts as a repetition.
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

    /// Also finds calls that repeat only their names, with other arguments and results. Agents that work well do that
    /// all the time, so it is off by default.
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
