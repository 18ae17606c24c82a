//! The state of the search.

use leptos::prelude::*;

use crate::shared::Shared;
use traceloupe::search::{Pattern, Query};
use traceloupe::view::page::hits::Found;

/// The search in a view of a trace.
#[derive(Clone, Copy)]
pub struct SearchState {
    /// The query.
    pub query: RwSignal<Query>,
    /// The query, ready to mark text with; `None` if there is nothing to mark.
    pub pattern: RwSignal<Option<Shared<Pattern>>>,
    /// What has been found.
    pub found: RwSignal<Found>,
    /// Whether the list of hits is shown.
    pub list_is_open: RwSignal<bool>,
    /// The row that was visited for its hits, with a count that makes every visit new.
    pub shown_hit: RwSignal<(u32, Option<u32>)>,
    /// Number of the current query. Answers to earlier ones are dropped.
    pub generation: StoredValue<u32>,
    /// The row whose body was opened to show a hit.
    pub opened_for_hit: StoredValue<Option<u32>>,
}

impl SearchState {
    /// A search that has not begun.
    pub fn new(query: Query, list_is_open: bool) -> Self {
        Self {
            query: RwSignal::new(query),
            pattern: RwSignal::new(None),
            found: RwSignal::default(),
            list_is_open: RwSignal::new(list_is_open),
            shown_hit: RwSignal::new((0, None)),
            generation: StoredValue::new(0),
            opened_for_hit: StoredValue::new(None),
        }
    }
}
