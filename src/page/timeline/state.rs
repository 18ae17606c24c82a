//! Summaries of rows, and which of them have been requested.

use std::collections::{HashMap, HashSet};

use leptos::prelude::*;
use traceloupe::view::wire::preview::Preview;

/// The one-line summaries.
#[derive(Clone, Copy, Default)]
pub struct PreviewState {
    /// Summaries by event id.
    pub lines: RwSignal<HashMap<u32, Preview>>,
    /// What is requested.
    pub asking: StoredValue<Asking>,
}

impl PreviewState {
    /// The summary of an event; empty until it is there.
    #[must_use]
    pub fn of(self, id: u32) -> Preview {
        self.lines.with(|known| known.get(&id).cloned().unwrap_or_default())
    }
}

/// Requests for summaries.
#[derive(Default)]
pub struct Asking {
    /// Events whose rows are near the window, those inside it first.
    pub wanted: Vec<u32>,
    /// Events that were requested since everything was last requested anew.
    pub asked: HashSet<u32>,
    /// Whether an answer is awaited.
    pub is_waiting: bool,
}
