//! The role of an item in the tabs beside the timeline.

use std::borrow::Cow;

/// The role of an item in the tabs beside the timeline.
#[derive(Clone, Debug)]
pub enum Exhibit<'a> {
    /// A definition of a task.
    Definition,
    /// A solution, with the name that evaluations use for it.
    Solution(Cow<'a, str>),
    /// An evaluation of a solution.
    Evaluation(Outcome<'a>),
}

/// The outcome of a solution: the row of an [`Evaluation`](traceloupe_core::model::Evaluation).
#[derive(Clone, Debug, Default)]
pub struct Outcome<'a> {
    /// The name of the solution, or the round of its generator.
    pub name: Cow<'a, str>,
    /// The input on which it ran.
    pub workload: Cow<'a, str>,
    /// The producer's word for the outcome.
    pub status: Cow<'a, str>,
    /// Whether it passed, if the file states it.
    pub passed: Option<bool>,
    /// How long it ran, in milliseconds.
    pub latency_ms: Option<f64>,
    /// Speed relative to the reference.
    pub speedup: Option<f64>,
    /// The largest difference from the reference.
    pub max_diff: Option<f64>,
    /// Whether the item contains the source code.
    pub has_code: bool,
}
