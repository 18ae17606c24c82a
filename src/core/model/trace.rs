//! A whole trace: flat tables, and queries on them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::anchors::{Anchor, Anchors};
use super::call_keys::CallKeys;
use super::event::NIL;
use super::outcome::ErrorLabels;
use super::place::RecordNode;
use super::usage::SmallUsage;
use super::waiting::waits;
use super::{
    Annotation, ChunkedVec, ErrorId, ErrorLabel, Event, EventId, EventKind, Exhibits, Flags, Lane,
    LaneId, Mapping, MaybeNs, NameId, Names, Place, Run, RunId, SourceId, Span, Usage, Wait,
    Warnings,
};

/// Everything that was opened together.
#[derive(Debug, Default)]
pub struct Trace {
    pub(super) names: Names,
    pub(super) errors: ErrorLabels,
    pub(super) runs: Vec<Run>,
    pub(super) lanes: Vec<Lane>,
    pub(super) events: ChunkedVec<Event>,
    pub(super) records: ChunkedVec<RecordNode>,
    /// How many times a record was replaced or moved to another event.
    pub(super) record_changes: u32,
    /// Events that another event absorbed, each with that event. Sorted.
    pub(super) absorbed: Vec<(EventId, EventId)>,
    pub(super) call_keys: ChunkedVec<CallKeys>,
    pub(super) usages: ChunkedVec<SmallUsage>,
    /// Usage whose counts are too large for the other table. Indices count down from [`NIL`].
    pub(super) large_usages: Vec<Usage>,
    /// Costs of calls in dollars, if the file states them.
    pub(super) costs: FxHashMap<EventId, f64>,
    /// For calls whose duration the producer states: the time until the result in nanoseconds, if it is much longer.
    pub(super) elapsed: FxHashMap<EventId, i64>,
    /// For calls that took longer than they may run: how long they may, in nanoseconds.
    pub(super) time_limits: FxHashMap<EventId, i64>,
    /// The calls that waited. Computed with the order.
    waits: FxHashMap<EventId, Wait>,
    pub(super) warnings: Warnings,
    pub(super) anchors: Anchors,
    /// The beginnings of JSON values that no file contains in this form: summaries of texts in pieces.
    pub(super) summaries: FxHashMap<EventId, Box<str>>,
    pub(super) exhibits: Exhibits,
    pub(super) annotations: ChunkedVec<Annotation>,
    /// The mappings of sources that have no known format.
    pub(super) mappings: FxHashMap<SourceId, Mapping>,
    order: Vec<EventId>,
    depths: Vec<u16>,
    run_starts: Vec<u32>,
}

/// Counts and sums of a run. The glossary defines the terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Events, copies included. The other counts are without copies.
    pub events: u64,
    /// LLM calls.
    pub llm_calls: u64,
    /// Tool calls.
    pub tool_calls: u64,
    /// Failed events: failed calls and error events.
    pub errors: u64,
    /// Loop warnings in the file.
    pub loop_warnings: u64,
    /// Sum of the usage of all calls that report it.
    pub usage: Usage,
    /// How many LLM calls report token counts.
    pub usage_known: u64,
}

impl Trace {
    /// Interned names.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The text of a name.
    #[must_use]
    pub fn name(&self, id: NameId) -> &str {
        self.names.get(id)
    }

    /// What the file states about an error.
    #[must_use]
    pub fn error(&self, id: ErrorId) -> ErrorLabel<&str> {
        self.errors.get(id).map(|name| self.name(name))
    }

    /// Everything that the file states about errors, in the order of their ids.
    #[must_use]
    pub fn errors(&self) -> &[ErrorLabel<NameId>] {
        self.errors.as_slice()
    }

    /// The runs, in the order of reading.
    #[must_use]
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// A run.
    #[must_use]
    pub fn run(&self, id: RunId) -> Option<&Run> {
        self.runs.get(id.index())
    }

    /// The lanes of all runs.
    #[must_use]
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// A lane.
    #[must_use]
    pub fn lane(&self, id: LaneId) -> Option<&Lane> {
        self.lanes.get(id.index())
    }

    /// The events in the order of reading. The slot of an absorbed event is empty
    /// ([`Event::is_absorbed`]), so that every other event keeps its id.
    #[must_use]
    pub fn events(&self) -> &ChunkedVec<Event> {
        &self.events
    }

    /// An event.
    #[must_use]
    pub fn event(&self, id: EventId) -> Option<&Event> {
        self.events.get(id.index())
    }

    /// The events that another event absorbed when the trace was finished, each with the event that now has its
    /// records. Sorted by the first.
    #[must_use]
    pub fn absorbed(&self) -> &[(EventId, EventId)] {
        &self.absorbed
    }

    /// The event that now has the records of an event: the one that absorbed it, or the event itself.
    #[must_use]
    pub fn present(&self, id: EventId) -> EventId {
        let at = self.absorbed.binary_search_by_key(&id, |(gone, _)| *gone).ok();
        at.and_then(|at| self.absorbed.get(at)).map_or(id, |(_, into)| *into)
    }

    /// Warnings: what could not be read.
    #[must_use]
    pub fn warnings(&self) -> &Warnings {
        &self.warnings
    }

    /// The value to which records refer by a name with this hash.
    #[must_use]
    #[inline(never)]
    pub fn anchor(&self, key: u64) -> Option<Anchor> {
        self.anchors.get(key)
    }

    /// The content of the tabs beside the timeline.
    #[must_use]
    pub fn exhibits(&self) -> &Exhibits {
        &self.exhibits
    }

    /// The annotations in the files, in order of reading.
    #[must_use]
    pub fn annotations(&self) -> &ChunkedVec<Annotation> {
        &self.annotations
    }

    /// The mapping of a source, if it has no known format.
    #[must_use]
    pub fn mapping(&self, source: SourceId) -> Option<&Mapping> {
        self.mappings.get(&source)
    }

    /// The cost of an event in dollars, if the file states it.
    #[must_use]
    pub fn cost(&self, id: EventId) -> Option<f64> {
        self.costs.get(&id).copied()
    }

    /// The time for which an event waited, if it did.
    #[must_use]
    pub fn wait(&self, id: EventId) -> Option<Wait> {
        if self.waits.is_empty() { None } else { self.waits.get(&id).copied() }
    }

    /// When an event began its work: after the wait that preceded it, if there was one.
    #[must_use]
    pub fn work_start(&self, id: EventId) -> MaybeNs {
        match (self.wait(id).filter(|wait| !wait.is_all), self.event(id)) {
            (Some(wait), _) => MaybeNs::new(wait.to_ns),
            (None, Some(event)) => event.start,
            (None, None) => MaybeNs::UNKNOWN,
        }
    }

    /// How long an event worked. Unknown for an event that only waited.
    #[must_use]
    pub fn work(&self, id: EventId) -> MaybeNs {
        match (self.wait(id), self.event(id)) {
            (Some(wait), _) if wait.is_all => MaybeNs::UNKNOWN,
            (Some(wait), Some(event)) if wait.is_inside => {
                let ends = event.start.get().zip(event.duration.get());
                let end_ns = ends.map(|(start_ns, ns)| start_ns.saturating_add(ns));
                end_ns.and_then(|end_ns| end_ns.checked_sub(wait.to_ns)).into()
            }
            (_, Some(event)) => event.duration,
            (_, None) => MaybeNs::UNKNOWN,
        }
    }

    /// The usage of an event, if it was reported.
    #[must_use]
    #[inline(never)]
    pub fn usage(&self, event: &Event) -> Option<Usage> {
        match self.usages.get(event.usage as usize) {
            Some(small) => Some(small.usage()),
            None => {
                let at = NIL.checked_sub(event.usage)?.checked_sub(1)?;
                self.large_usages.get(at as usize).copied()
            }
        }
    }

    /// The records of an event, in order of reading.
    pub fn places(&self, event: &Event) -> impl Iterator<Item = Place> + use<'_> {
        self.items(event).map(|(place, _)| place)
    }

    /// The records of an event, each with the number of the record's item that the event is.
    pub fn items(&self, event: &Event) -> impl Iterator<Item = (Place, u16)> + use<'_> {
        let mut next = event.first_record;
        std::iter::from_fn(move || {
            let record = self.records.get(next as usize)?;
            next = record.next;
            Some((record.place(), record.item()))
        })
    }

    /// The first record of an event.
    #[must_use]
    pub fn place_of(&self, id: EventId) -> Option<Place> {
        let event = self.events.get(id.index())?;
        self.records.get(event.first_record as usize).map(|record| record.place())
    }

    /// The record that was read last.
    #[must_use]
    pub fn last_place(&self) -> Option<Place> {
        self.records.get(self.records.len().checked_sub(1)?).map(|record| record.place())
    }

    /// The bytes from which the one-line summary of an event is made.
    #[must_use]
    pub fn summary_span(&self, event: &Event) -> Option<Span> {
        if event.summary_len == 0 {
            return None;
        }
        let record = self.records.get(event.first_record as usize)?;
        let source = record.place().span.source;
        Some(Span { source, start: event.summary_start, len: event.summary_len })
    }

    /// The beginning of the JSON value for the summary, if no file contains the value in one piece.
    #[must_use]
    pub fn own_summary(&self, id: EventId) -> Option<&str> {
        self.summaries.get(&id).map(|text| &**text)
    }

    /// The events of a run in display order: file order, with nested events after their parent.
    #[must_use]
    pub fn order(&self, run: RunId) -> &[EventId] {
        self.order.get(self.run_range(run)).unwrap_or_default()
    }

    /// The depth of each event in [`Trace::sorting`], at most `u16::MAX`.
    #[must_use]
    pub fn depths(&self, run: RunId) -> &[u16] {
        self.depths.get(self.run_range(run)).unwrap_or_default()
    }

    fn run_range(&self, run: RunId) -> std::ops::Range<usize> {
        let at = |index: usize| self.run_starts.get(index).copied().unwrap_or(0) as usize;
        at(run.index())..at(run.index() + 1)
    }

    /// Counts and sums of a run.
    #[must_use]
    pub fn totals(&self, run: RunId) -> Totals {
        let mut totals = Totals::default();
        for id in self.order(run) {
            let Some(event) = self.event(*id) else { continue };
            totals.events += 1;
            // Copies already count in the run that they come from.
            if event.flags.has(Flags::COPY) {
                continue;
            }
            match event.kind {
                EventKind::LlmCall => totals.llm_calls += 1,
                EventKind::ToolCall => totals.tool_calls += 1,
                EventKind::LoopWarning => totals.loop_warnings += 1,
                _ => {}
            }
            if event.is_error() {
                totals.errors += 1;
            }
            if let Some(usage) = self.usage(event)
                && !event.flags.has(Flags::SUBTREE_USAGE)
            {
                totals.usage.add(&usage);
                // A redaction marker is not a number.
                let is_known = usage.total_input().or(usage.output).or(usage.reasoning).is_some();
                totals.usage_known += u64::from(is_known);
            }
        }
        totals
    }

    /// Which event takes the slot of which sibling: the slots of siblings that have positions, each with the event that
    /// belongs there.
    fn moved(&self, positions: &FxHashMap<EventId, u64>) -> FxHashMap<usize, usize> {
        let beside = |event: &Event| (event.run, event.parent);
        let known = positions.iter().filter_map(|(id, position)| {
            Some((beside(self.events.get(id.index())?), *position, id.index()))
        });
        let mut known: Vec<_> = known.collect();
        crate::sorting::sort(&mut known);
        let mut moved = FxHashMap::default();
        for group in known.chunk_by(|one, other| one.0 == other.0) {
            let mut places: Vec<usize> = group.iter().map(|(.., at)| *at).collect();
            crate::sorting::sort(&mut places);
            moved.extend(places.into_iter().zip(group.iter().map(|(.., at)| *at)));
        }
        moved
    }

    /// Computes the display order of every run, without recursion: roots and children in order of reading, or of their
    /// start ([`super::Run::is_by_start`]); events in `last` after their siblings. Absorbed events and events on a
    /// cycle of parents are left out.
    pub(super) fn lay_out(
        &mut self,
        last: &FxHashSet<EventId>,
        positions: &FxHashMap<EventId, u64>,
    ) {
        self.waits = waits(self);
        let n = self.events.len();
        let moved = self.moved(positions);
        let (mut first, mut next) = (vec![NIL; n], vec![NIL; n]);
        let mut roots = vec![NIL; self.runs.len()];
        let mut late: Vec<usize> = last.iter().map(|id| id.index()).collect();
        late.sort_unstable();
        let late = late.iter().rev().filter_map(|at| Some((*at, self.events.get(*at)?)));
        let is_last = |at: usize| !last.is_empty() && last.contains(&EventId::from_index(at));
        let is_by_start =
            |event: &Event| self.runs.get(event.run.index()).is_some_and(|run| run.is_by_start);
        let is_any_by_start = self.runs.iter().any(|run| run.is_by_start);
        let mut by_start: Vec<(usize, &Event)> = match is_any_by_start {
            true => self.events.iter_back_from(n).filter(|(_, event)| is_by_start(event)).collect(),
            false => Vec::new(),
        };
        crate::sorting::sort_by_key(&mut by_start, |(at, event)| {
            // Events at the start of the run come after the event of the start itself, and a producer's note about a
            // whole run may have a later time than the run's first span.
            let is_within = event.kind != EventKind::RunStart;
            let is_inside = is_within || event.parent != NIL;
            std::cmp::Reverse((is_inside, event.start.get().unwrap_or(i64::MIN), is_within, *at))
        });
        let others = self
            .events
            .iter_back_from(n)
            .filter(|(_, event)| !is_any_by_start || !is_by_start(event))
            .chain(by_start)
            .filter(|(at, _)| !is_last(*at));
        // Last to first, because each event is put at the head of its parent's list.
        for (at, event) in late.chain(others) {
            let at = moved.get(&at).copied().unwrap_or(at);
            // While reading continues, a parent may still be in another run.
            let parent = self.events.get(event.parent as usize);
            let parent =
                parent.filter(|parent| parent.run == event.run).map_or(NIL, |_| event.parent);
            let head = match first.get_mut(parent as usize) {
                Some(head) => head,
                None => match roots.get_mut(event.run.index()) {
                    Some(head) => head,
                    None => continue,
                },
            };
            if let Some(link) = next.get_mut(at) {
                *link = *head;
            }
            *head = u32::try_from(at).unwrap_or(NIL);
        }
        self.order = Vec::with_capacity(n);
        self.depths = Vec::with_capacity(n);
        self.run_starts = Vec::with_capacity(roots.len() + 1);
        let get = |table: &[u32], at: u32| table.get(at as usize).copied().unwrap_or(NIL);
        for root in roots {
            self.run_starts.push(u32::try_from(self.order.len()).unwrap_or(NIL));
            let mut open = vec![root];
            while let Some(at) = open.last().copied() {
                if at == NIL {
                    open.pop();
                    continue;
                }
                self.depths.push(u16::try_from(open.len() - 1).unwrap_or(u16::MAX));
                self.order.push(EventId(at));
                if let Some(top) = open.last_mut() {
                    *top = get(&next, at);
                }
                open.push(get(&first, at));
            }
        }
        self.run_starts.push(u32::try_from(self.order.len()).unwrap_or(NIL));
    }
}
