//! What an item is in the tabs beside the timeline.

use std::borrow::Cow;

/// What an item is in the tabs beside the timeline.
#[derive(Clone, Debug)]
pub enum Exhibit<'a> {
    /// What is to be made.
    Definition,
    /// What was made, and the name that evaluations have for it.
    Solution(Cow<'a, str>),
    /// How it came out.
    Evaluation(Outcome<'a>),
}

/// How a solution came out: the line of an [`Evaluation`](traceloupe_core::model::Evaluation).
#[derive(Clone, Debug, Default)]
pub struct Outcome<'a> {
    /// The solution, or the round of its generator.
    pub name: Cow<'a, str>,
    /// The input that it ran on.
    pub workload: Cow<'a, str>,
    /// The producer's word for how it came out.
    pub status: Cow<'a, str>,
    /// Whether it passed, where the file says so.
    pub passed: Option<bool>,
    /// How long it ran, in milliseconds.
    pub latency_ms: Option<f64>,
    /// Speed relative to the reference.
    pub speedup: Option<f64>,
    /// The largest difference from the reference.
    pub max_diff: Option<f64>,
    /// Whether the item has the source code.
    pub has_code: bool,
}
