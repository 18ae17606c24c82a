//! Summaries of rows, and which of them have been requested.

use std::collections::{HashMap, HashSet};

use leptos::prelude::*;

/// The one-line summaries.
#[derive(Clone, Copy, Default)]
pub struct PreviewState {
    /// Summaries by event id.
    pub lines: RwSignal<HashMap<u32, String>>,
    /// What is requested.
    pub asking: StoredValue<Asking>,
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
