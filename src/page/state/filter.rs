//! The state of the filter, besides the filter itself.

use crate::reactive::RwSignal;
use leptos::prelude::*;

use traceloupe_view::query::parse::Fault;

/// What is typed into the filter of a view.
#[derive(Clone, Copy, Default)]
pub struct FilterState {
    /// What is typed, as long as it has terms of the filter that are not entered yet.
    pub typed: RwSignal<String>,
    /// What is wrong with it.
    pub faults: RwSignal<Vec<Fault>>,
    /// Number of the last request for texts. Answers to earlier ones are dropped.
    pub generation: StoredValue<u32>,
}
