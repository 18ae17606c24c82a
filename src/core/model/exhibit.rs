//! The content of the tabs beside the timeline: the task, the solutions and their evaluations.
//!
//! An exhibit is an ordinary event. A format lists the events that answer "what was the task" (definitions), "what was
//! written" (solutions) and "how good is it" (evaluations). The numbers of an evaluation are kept in the index, so a
//! table of a thousand evaluations can be shown without reading their records again.

use super::{EventId, NameId};

/// The exhibits of a trace, in the order of reading.
#[derive(Clone, Debug, Default)]
pub struct Exhibits {
    /// Events that define a task: kernel definitions.
    pub definitions: Vec<EventId>,
    /// Events with source code, each with the name that evaluations in the same run use for it.
    pub solutions: Vec<(EventId, NameId)>,
    /// The outcome of each solution.
    pub evaluations: Vec<Evaluation>,
}

impl Exhibits {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.definitions.is_empty() && self.solutions.is_empty() && self.evaluations.is_empty()
    }
}

/// The outcome of one solution in one evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evaluation {
    /// Its event.
    pub event: EventId,
    /// The name of the solution, or the round of the generator.
    pub name: NameId,
    /// The input on which the solution ran, if there are several (`M=4`); may be empty.
    pub workload: NameId,
    /// The status as written by the producer: `PASSED`, `INCORRECT_NUMERICAL`, `TIMEOUT`…
    pub status: NameId,
    /// Whether it passed; `None` if the file does not state it.
    pub passed: Option<bool>,
    /// How long the solution ran, in milliseconds.
    pub latency_ms: Option<f64>,
    /// Speed relative to the reference (2 is twice as fast).
    pub speedup: Option<f64>,
    /// The largest difference from the reference. May be infinite or NaN, as in the file.
    pub max_diff: Option<f64>,
    /// Whether the event itself contains the source code.
    pub has_code: bool,
}
