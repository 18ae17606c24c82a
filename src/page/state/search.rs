//! The state of the search.

use leptos::prelude::*;

use crate::reactive::RwSignal;
use crate::shared::Shared;
use traceloupe_search::{Pattern, Query};
use traceloupe_view::hits::Found;
use traceloupe_view::match_location::{Place, Stand};

/// The target of a visit to a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Aim {
    /// The first place in the row.
    #[default]
    First,
    /// The last place in the row.
    Last,
    /// This place.
    At(Place),
    /// A hit, by its index in the list of hits.
    Listed(usize),
}

/// A visit to a row because of its hits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Visit {
    /// Distinguishes each visit from the one before it.
    pub count: u32,
    /// The row; `None` after arriving there.
    pub row: Option<u32>,
    /// The target.
    pub aim: Aim,
}

/// The search in a view of a trace.
#[derive(Clone, Copy)]
pub struct SearchState {
    /// The query.
    pub query: RwSignal<Query>,
    /// The query in a form for marking text; `None` if there is nothing to mark.
    pub pattern: RwSignal<Option<Shared<Pattern>>>,
    /// The results.
    pub found: RwSignal<Found>,
    /// Whether the list of hits is shown.
    pub list_is_open: RwSignal<bool>,
    /// The place that the search is going to.
    pub visit: RwSignal<Visit>,
    /// Whether it is still on its way there.
    pub is_landing: RwSignal<bool>,
    /// The place where the search is.
    pub stand: StoredValue<Option<Stand>>,
    /// The row whose current hit only occurs in its records.
    pub beyond: RwSignal<Option<u32>>,
    /// Number of the current query. Responses to earlier queries are dropped.
    pub generation: StoredValue<u32>,
    /// Where to go as soon as there is a hit, if the user asked for one before any arrived: `true` for the next one.
    pub awaited: StoredValue<Option<bool>>,
    /// The row whose body was opened to show a hit.
    pub opened_for_hit: StoredValue<Option<u32>>,
}

impl SearchState {
    /// A search that has not started.
    pub fn new(query: Query, list_is_open: bool) -> Self {
        Self {
            query: RwSignal::new(query),
            pattern: RwSignal::new(None),
            found: RwSignal::default(),
            list_is_open: RwSignal::new(list_is_open),
            visit: RwSignal::default(),
            is_landing: RwSignal::new(false),
            stand: StoredValue::new(None),
            beyond: RwSignal::new(None),
            generation: StoredValue::new(0),
            awaited: StoredValue::new(None),
            opened_for_hit: StoredValue::new(None),
        }
    }
}
