//! Statistics and summaries of runs, as far as they were requested.

use std::collections::{HashMap, HashSet};

use leptos::prelude::*;

use crate::reactive::RwSignal;
use crate::shared::Shared;
use traceloupe_protocol::causes::Causes;
use traceloupe_protocol::context_parts::{ContextLayers, ContextParts};
use traceloupe_protocol::detail::ShownBlock;
use traceloupe_protocol::messages::TraceSummary;
use traceloupe_protocol::run_comparison::RunComparison;
use traceloupe_protocol::statistics::CallsLine;
use traceloupe_view::calls_table::TIME;
use traceloupe_view::files_touched::FilesTouched;
use traceloupe_view::table::Sort;

/// Counts that the worker makes on request.
#[derive(Clone, Copy, Default)]
pub struct StatisticsState {
    /// The statistics that were requested last, once they have arrived.
    pub lines: RwSignal<Option<Vec<CallsLine>>>,
    /// The run whose statistics were requested last; `None` for all runs.
    pub asked_for: StoredValue<Option<u32>>,
    /// 1 if the calls of all runs are counted.
    pub of_all: RwSignal<u8>,
    /// What the calls are counted by, as `view::statistics::group` numbers it.
    pub by: RwSignal<u8>,
    /// What their table is sorted by.
    pub sorted: RwSignal<Option<Sort>>,
    /// The files that the calls of the run name, as far as they were requested and found.
    pub files: RwSignal<Shared<FilesTouched>>,
    /// What the edits of a file come to, by its path.
    pub net_changes: RwSignal<HashMap<String, Shared<Vec<ShownBlock>>>>,
    /// The run that the chosen one is compared with; `None` for the next one.
    pub compared_with: RwSignal<Option<u32>>,
    /// Whether the numbers of a comparison are those of the whole runs, though one goes on where the other stops.
    pub compares_whole: RwSignal<bool>,
    /// Whether runs are marked in their table, to be compared.
    pub is_marking: RwSignal<bool>,
    /// The first of two runs that are marked.
    pub marked: RwSignal<Option<u32>>,
    /// Keys of the findings that the reader has set aside.
    pub set_aside: StoredValue<HashSet<u64>>,
    /// What the findings and errors of the run are about, as far as it was requested.
    pub causes: RwSignal<Shared<Causes>>,
    /// Two aligned runs.
    pub compared: RwSignal<Option<Shared<RunComparison>>>,
    /// What filled the context of the call that was asked about last.
    pub context_parts: RwSignal<Option<Shared<ContextParts>>>,
    /// What filled the contexts of the calls that were asked about last.
    pub context_layers: RwSignal<Shared<ContextLayers>>,
    /// TraceSummaries by run.
    pub summaries: RwSignal<HashMap<u32, Shared<TraceSummary>>>,
}

impl StatisticsState {
    /// Nothing is known yet. The calls that took longest come first.
    pub fn new() -> Self {
        Self { sorted: RwSignal::new(Some(Sort::by(TIME))), ..Self::default() }
    }
}
