//! The statistics and summaries of runs that have been requested.

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

/// Counts that the worker computes on request.
#[derive(Clone, Copy, Default)]
pub struct StatisticsState {
    /// The statistics that were requested last, once they have arrived.
    pub lines: RwSignal<Option<Vec<CallsLine>>>,
    /// The run whose statistics were requested last; `None` for all runs.
    pub asked_for: StoredValue<Option<u32>>,
    /// 1 if the calls of all runs are counted.
    pub of_all: RwSignal<u8>,
    /// The group that the calls are counted by, numbered as in `view::statistics::group`.
    pub by: RwSignal<u8>,
    /// The sort order of their table.
    pub sorted: RwSignal<Option<Sort>>,
    /// The files named in the calls of the run, as far as they have been requested and found.
    pub files: RwSignal<Shared<FilesTouched>>,
    /// The net change of a file, by its path.
    pub net_changes: RwSignal<HashMap<String, Shared<Vec<ShownBlock>>>>,
    /// The run that the chosen one is compared with; `None` for the next one.
    pub compared_with: RwSignal<Option<u32>>,
    /// Whether a comparison uses the numbers of the whole runs, even if one run continues after the other stops.
    pub compares_whole: RwSignal<bool>,
    /// Whether the user is marking runs in the table for comparison.
    pub is_marking: RwSignal<bool>,
    /// The first of two marked runs.
    pub marked: RwSignal<Option<u32>>,
    /// Keys of the findings that the user has muted.
    pub muted: StoredValue<HashSet<u64>>,
    /// What the findings and errors of the run are about, as far as it has been requested.
    pub causes: RwSignal<Shared<Causes>>,
    /// Two aligned runs.
    pub compared: RwSignal<Option<Shared<RunComparison>>>,
    /// The parts of the context of the call that was requested last.
    pub context_parts: RwSignal<Option<Shared<ContextParts>>>,
    /// The parts of the contexts of the calls that were requested last.
    pub context_layers: RwSignal<Shared<ContextLayers>>,
    /// TraceSummaries by run.
    pub summaries: RwSignal<HashMap<u32, Shared<TraceSummary>>>,
}

impl StatisticsState {
    /// No data yet. Calls that took longest come first.
    pub fn new() -> Self {
        Self { sorted: RwSignal::new(Some(Sort::by(TIME))), ..Self::default() }
    }
}
