//! What stands in tabs of its own beside the timeline: what was to be made, and how it came out.
//!
//! An exhibit is an event like any other. A format names those that answer "what was asked for"
//! (definitions), "what was written" (sources) and "how good is it" (evaluations); the numbers of an
//! evaluation are known when the file is indexed, so that a table of a thousand of them needs no record
//! to be read again.

use super::{EventId, NameId};

/// The exhibits of a trace, in the order of reading.
#[derive(Clone, Debug, Default)]
pub struct Exhibits {
    /// Events that say what is to be made: kernel definitions.
    pub definitions: Vec<EventId>,
    /// Events that hold source code, with the name by which evaluations of the same run call them.
    pub solutions: Vec<(EventId, NameId)>,
    /// How solutions came out.
    pub evaluations: Vec<Evaluation>,
}

impl Exhibits {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.definitions.is_empty() && self.solutions.is_empty() && self.evaluations.is_empty()
    }
}

/// How one solution came out in one evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evaluation {
    /// Its event.
    pub event: EventId,
    /// The solution, or the round of a generator.
    pub name: NameId,
    /// What it ran on, where solutions run on several inputs (`M=4`); may be empty.
    pub workload: NameId,
    /// The status as the producer writes it: `PASSED`, `INCORRECT_NUMERICAL`, `TIMEOUT`…
    pub status: NameId,
    /// Whether it passed; `None` where the file does not say.
    pub passed: Option<bool>,
    /// How long the solution ran, in milliseconds.
    pub latency_ms: Option<f64>,
    /// How many times as fast as the reference.
    pub speedup: Option<f64>,
    /// The largest difference from the reference; infinite and NaN as the file has them.
    pub max_diff: Option<f64>,
    /// Whether the event holds the source code itself.
    pub has_code: bool,
}
