//! The state of the filter, besides the filter itself.

use crate::reactive::RwSignal;
use leptos::prelude::*;

use traceloupe_view::query::parse::Fault;

/// The text typed into the filter of a view.
#[derive(Clone, Copy, Default)]
pub struct FilterState {
    /// The typed text, while it contains filter terms that have not been entered yet.
    pub typed: RwSignal<String>,
    /// What is wrong with it.
    pub faults: RwSignal<Vec<Fault>>,
    /// Number of the last request for texts. Responses to earlier requests are dropped.
    pub generation: StoredValue<u32>,
}
