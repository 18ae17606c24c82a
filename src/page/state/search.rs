//! The state of the search.

use leptos::prelude::*;

use crate::reactive::RwSignal;
use crate::shared::Shared;
use traceloupe_search::{Pattern, Query};
use traceloupe_view::hits::Found;
use traceloupe_view::landing::{Place, Stand};

/// What a visit of a row looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Aim {
    /// The first place in it.
    #[default]
    First,
    /// The last place in it.
    Last,
    /// A place.
    At(Place),
    /// A hit by its index in the list of hits.
    Listed(usize),
}

/// A visit of a row for its hits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Visit {
    /// Makes every visit new.
    pub count: u32,
    /// The row, until it has been arrived at.
    pub row: Option<u32>,
    /// What to look for.
    pub aim: Aim,
}

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
    /// Where the search goes.
    pub visit: RwSignal<Visit>,
    /// Whether it is on its way there.
    pub is_landing: RwSignal<bool>,
    /// Where it is.
    pub stand: StoredValue<Option<Stand>>,
    /// The row whose current hit only its records have.
    pub beyond: RwSignal<Option<u32>>,
    /// Number of the current query. Answers to earlier ones are dropped.
    pub generation: StoredValue<u32>,
    /// Where to go as soon as there is a hit, if the person has asked for one before: `true` for the next one.
    pub awaited: StoredValue<Option<bool>>,
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
