//! The only way to make a trace. Formats push events; `finish` repairs what producers left open.

use crate::warning_code::WarningCode;
use rustc_hash::FxHashMap;

use super::cost::is_cost;
use super::event::NIL;
use super::keys::Keys;
use super::merge::Merges;
use super::place::RecordNode;
use super::usage::SmallUsage;
use super::{
    Anchor, Annotation, AnnotationKind, CallOutcome, ErrorId, ErrorLabel, Event, EventId,
    EventKind, Exhibits, Flags, Lane, LaneId, Mapping, MaybeNs, NameId, Place, Run, RunId,
    SourceId, Span, TimeBasis, Trace, Usage, WarningPlace, waiting,
};

/// The data of an event that a format has when it first reads about the event. Everything else can be set later with
/// [`TraceBuilder::event_mut`].
#[derive(Clone, Copy, Debug)]
pub struct NewEvent {
    /// The kind of event.
    pub kind: EventKind,
    /// The run.
    pub run: RunId,
    /// The lane within the run.
    pub lane: LaneId,
    /// The record that describes the event.
    pub place: Place,
}

/// An event that a format keeps for its join. Links are sorted by key, then by time, then in order of reading.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Link {
    /// The key that the event shares with other events ([`key_hash`](super::key_hash)).
    pub key: u64,
    /// The record's time in nanoseconds since 1970; `i64::MAX` if it is unknown.
    pub time_ns: i64,
    /// The event.
    pub event: EventId,
}

/// Builds a trace.
#[derive(Debug, Default)]
pub struct TraceBuilder {
    pub(super) trace: Trace,
    pub(super) merges: Merges,
    paths: Vec<String>,
    /// By format, then by key. There are few formats, so a list is enough.
    runs: Vec<(&'static str, FxHashMap<String, RunId>)>,
    lanes: FxHashMap<(RunId, String), LaneId>,
    bound: Keys,
    links: Vec<(&'static str, Link)>,
    /// Events whose summary is a value that has not been read yet, with the hashed name of that value.
    summaries: Vec<(EventId, u64)>,
    is_partial: bool,
}

impl TraceBuilder {
    /// An empty builder.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Marks the trace as partial: the files were not read to the end, so formats must not warn about missing parts.
    pub fn set_partial(&mut self) {
        self.is_partial = true;
    }

    /// Whether the files were read only in part.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// The trace built so far.
    #[must_use]
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Sets the path with which a source was opened.
    pub fn set_path(&mut self, source: SourceId, path: &str) {
        let at = source.index();
        if self.paths.len() <= at {
            self.paths.resize(at + 1, String::new());
        }
        if let Some(known) = self.paths.get_mut(at) {
            path.clone_into(known);
        }
    }

    /// The path of a source; empty if it is unknown.
    #[must_use]
    pub fn path(&self, source: SourceId) -> &str {
        self.paths.get(source.index()).map_or("", String::as_str)
    }

    /// Sets the mapping of a source that has no known format.
    pub fn set_mapping(&mut self, source: SourceId, mapping: Mapping) {
        self.trace.mappings.insert(source, mapping);
    }

    /// Interns a name.
    pub fn name(&mut self, text: &str) -> NameId {
        self.trace.names.intern(text)
    }

    /// Interns what the file states about an error.
    pub fn error<T: AsRef<str>>(&mut self, label: &ErrorLabel<T>) -> ErrorId {
        let label = label.as_str().map(|name| self.name(name));
        self.trace.errors.intern(label)
    }

    /// The run with this format and producer's id; opens a new one if there is none. This joins files that name the
    /// same run.
    #[inline(never)]
    pub fn run(&mut self, format: &'static str, key: &str) -> RunId {
        let id = RunId::from_index(self.trace.runs.len());
        match self.runs.iter_mut().find(|(known, _)| *known == format) {
            Some((_, runs)) => match runs.get(key) {
                Some(known) => return *known,
                None => drop(runs.insert(key.to_owned(), id)),
            },
            None => self.runs.push((format, [(key.to_owned(), id)].into_iter().collect())),
        }
        self.trace.runs.push(Run { key: key.to_owned(), format, ..Run::default() });
        id
    }

    /// Whether there is a run with this format and producer's id.
    #[must_use]
    pub fn has_run(&self, format: &str, key: &str) -> bool {
        self.runs.iter().any(|(known, runs)| *known == format && runs.contains_key(key))
    }

    /// Changes the producer's id of a run, unless another run already has the new id. Returns whether it did.
    pub fn rename_run(&mut self, id: RunId, key: &str) -> bool {
        let Some(run) = self.trace.runs.get_mut(id.index()) else { return false };
        let known = self.runs.iter_mut().find(|(format, _)| *format == run.format);
        let Some((_, known)) = known.filter(|(_, known)| !known.contains_key(key)) else {
            return false;
        };
        known.remove(&run.key);
        known.insert(key.to_owned(), id);
        key.clone_into(&mut run.key);
        true
    }

    /// A run, for adding what the file states about it. Add to its facts; never replace them.
    #[inline(never)]
    pub fn run_mut(&mut self, id: RunId) -> &mut Run {
        let at = id.index().min(self.trace.runs.len().saturating_sub(1));
        if self.trace.runs.is_empty() {
            self.trace.runs.push(Run::default());
        }
        // The lines above ensure that `at` is in range.
        #[expect(clippy::indexing_slicing)]
        &mut self.trace.runs[at]
    }

    /// The lane of a run for the producer's id of an agent; opens a new one if there is none. The empty key is the main
    /// agent's.
    #[inline(never)]
    pub fn lane(&mut self, run: RunId, key: &str) -> LaneId {
        if let Some(id) = self.lanes.get(&(run, key.to_owned())) {
            return *id;
        }
        let id = LaneId::from_index(self.trace.lanes.len());
        self.trace.lanes.push(Lane { run, key: key.to_owned(), name: NameId::NONE, parent: None });
        self.lanes.insert((run, key.to_owned()), id);
        id
    }

    /// A lane; `None` if the id is not in this trace.
    pub fn lane_mut(&mut self, id: LaneId) -> Option<&mut Lane> {
        self.trace.lanes.get_mut(id.index())
    }

    /// Adds an event.
    pub fn push(&mut self, new: NewEvent) -> EventId {
        self.push_item(new, 0)
    }

    /// Adds an event for one of several items of a record. `item` is counted from 0.
    #[inline(never)]
    pub fn push_item(&mut self, new: NewEvent, item: u16) -> EventId {
        let id = EventId::from_index(self.trace.events.len());
        let record = self.push_record(new.place, item);
        self.trace.events.push(Event {
            kind: new.kind,
            status: CallOutcome::Unknown,
            flags: Flags::NONE,
            run: new.run,
            lane: new.lane,
            name: NameId::NONE,
            error: ErrorId::NONE,
            selector: 0,
            start: MaybeNs::UNKNOWN,
            duration: MaybeNs::UNKNOWN,
            args_hash: 0,
            result_hash: 0,
            id_hash: 0,
            call_keys: NIL,
            parent: NIL,
            usage: NIL,
            first_record: record,
            last_record: record,
            summary_start: 0,
            summary_len: 0,
        });
        id
    }

    /// An event, for adding details; `None` if the id is not in this trace.
    pub fn event_mut(&mut self, id: EventId) -> Option<&mut Event> {
        self.trace.events.get_mut(id.index())
    }

    /// Adds another record to an event, such as the result of a call or the next piece of a
    /// message. Adding the same place twice in a row has no effect.
    pub fn add_record(&mut self, id: EventId, place: Place) {
        self.add_item(id, place, 0);
    }

    /// Like [`TraceBuilder::add_record`], for one of several items of a record, counted from 0.
    #[inline(never)]
    pub fn add_item(&mut self, id: EventId, place: Place, item: u16) {
        let Some(last) = self.trace.events.get(id.index()).map(|event| event.last_record) else {
            return;
        };
        let known = self.trace.records.get(last as usize);
        if known.is_some_and(|record| record.place() == place && record.item() == item) {
            return;
        }
        let record = self.push_record(place, item);
        if let Some(last) = self.trace.records.get_mut(last as usize) {
            last.next = record;
        }
        if let Some(event) = self.trace.events.get_mut(id.index()) {
            event.last_record = record;
        }
    }

    /// Replaces the last record of an event by an item of a record that contains everything in the old one.
    pub fn replace_item(&mut self, id: EventId, place: Place, item: u16) {
        let last = self.trace.events.get(id.index()).map(|event| event.last_record);
        if let Some(record) = last.and_then(|last| self.trace.records.get_mut(last as usize)) {
            *record = RecordNode::new(place, item, NIL);
            self.trace.record_changes = self.trace.record_changes.wrapping_add(1);
        }
    }

    /// Sets the bytes for the one-line summary of an event: a JSON value in the source of the event's first record.
    pub fn set_summary(&mut self, id: EventId, start: u64, len: u32) {
        if let Some(event) = self.trace.events.get_mut(id.index()) {
            event.summary_start = start;
            event.summary_len = len;
        }
        if !self.trace.summaries.is_empty() {
            self.trace.summaries.remove(&id);
        }
    }

    /// Sets the summary of an event to a JSON value that no file contains in one piece. Only its beginning is kept.
    pub fn set_own_summary(&mut self, id: EventId, json: &str) {
        const MAX_BYTES: usize = 600;
        let head = json.get(..json.floor_char_boundary(MAX_BYTES)).unwrap_or(json);
        self.trace.summaries.insert(id, head.into());
    }

    /// Adds a value to which records refer by name. `key` is the hash of the name. The first value with a name counts.
    pub fn anchor(&mut self, key: u64, anchor: Anchor) {
        self.trace.anchors.add(key, anchor);
    }

    /// Sets the summary of an event to a value to which its record refers by name. `key` is the hash of the name. The
    /// value may be read later. It is used only if it is in the source of the event's first record.
    pub fn refer_summary(&mut self, id: EventId, key: u64) {
        let source = self.trace.place_of(id).map(|place| place.span.source);
        match self.trace.anchor(key) {
            Some(anchor) if Some(anchor.span.source) == source => {
                self.set_summary(id, anchor.span.start, anchor.span.len);
            }
            Some(_) => {}
            None => self.summaries.push((id, key)),
        }
    }

    /// Sets the summaries whose values have been read so far.
    pub fn resolve_summaries(&mut self) {
        for (id, key) in std::mem::take(&mut self.summaries) {
            if self.trace.anchor(key).is_some() {
                self.refer_summary(id, key);
            }
        }
    }

    /// Sets the usage of an event, replacing any earlier one.
    #[inline(never)]
    pub fn set_usage(&mut self, id: EventId, usage: Usage) {
        let Some(event) = self.trace.events.get_mut(id.index()) else { return };
        if event.usage == NIL && usage.is_empty() {
            return;
        }
        match (SmallUsage::new(&usage), self.trace.usages.get_mut(event.usage as usize)) {
            (Some(small), Some(known)) => *known = small,
            (Some(small), None) => {
                event.usage = u32::try_from(self.trace.usages.len()).unwrap_or(NIL);
                self.trace.usages.push(small);
            }
            (None, _) => {
                self.trace.large_usages.push(usage);
                let n_large = u32::try_from(self.trace.large_usages.len()).unwrap_or(NIL);
                event.usage = NIL - n_large;
            }
        }
    }

    /// Sets the cost of a call in dollars, as stated in the file, if the number is a cost.
    pub fn set_cost(&mut self, id: EventId, dollars: f64) {
        if is_cost(dollars) {
            self.trace.costs.insert(id, dollars);
        }
    }

    /// Sets the duration that the producer states for a call. If it states several, the longest one covers the whole call.
    /// The time until the result, if it is already known, is noted.
    pub fn state_duration(&mut self, id: EventId, stated: MaybeNs) {
        let Some(event) = self.trace.events.get_mut(id.index()) else { return };
        let known = event.duration;
        let elapsed = match event.time_basis() {
            TimeBasis::Elapsed => known,
            TimeBasis::Stated if known.get() > stated.get() => return,
            TimeBasis::Stated
            | TimeBasis::Unknown
            | TimeBasis::Running
            | TimeBasis::WaitingForUser => MaybeNs::UNKNOWN,
        };
        event.set_duration(stated, TimeBasis::Stated);
        event.flags.clear(Flags::INFERRED_TIME);
        self.note_elapsed(id, elapsed);
    }

    /// Notes the time from a call to its result, if it is much longer than the duration that the producer states: the
    /// call waited before it ran.
    pub fn note_elapsed(&mut self, id: EventId, elapsed: MaybeNs) {
        let Some(event) = self.trace.events.get(id.index()) else { return };
        if event.time_basis() == TimeBasis::Stated
            && let (Some(elapsed), Some(stated)) = (elapsed.get(), event.duration.get())
            && elapsed.saturating_sub(stated) >= waiting::LEAST_WAIT_NS
        {
            self.trace.elapsed.insert(id, elapsed);
        }
    }

    /// Notes how long a call may run, if the time from the call to its result is much longer: it waited as well.
    pub fn note_time_limit(&mut self, id: EventId, limit_ns: i64) {
        let Some(event) = self.trace.events.get(id.index()) else { return };
        if event.time_basis() == TimeBasis::Elapsed
            && let Some(elapsed_ns) = event.duration.get()
            && elapsed_ns.saturating_sub(limit_ns) >= waiting::LEAST_WAIT_NS
        {
            self.trace.time_limits.insert(id, limit_ns);
        }
    }

    /// Binds a key to an event, so that a later record, in any file, can find the event. If a key is bound twice, it
    /// stays bound to the first event.
    pub fn bind(&mut self, key: u64, event: EventId) {
        self.bound.add(key, event);
    }

    /// The event bound to a key.
    #[must_use]
    pub fn bound(&self, key: u64) -> Option<EventId> {
        self.bound.get(key)
    }

    /// Like [`TraceBuilder::bind`] at less cost, for keys that few files look up. Use [`TraceBuilder::bound_late`] to
    /// find them.
    pub fn bind_late(&mut self, key: u64, event: EventId) {
        self.bound.add_late(key, event);
    }

    /// The event that was bound to a key with [`TraceBuilder::bind_late`].
    pub fn bound_late(&mut self, key: u64) -> Option<EventId> {
        self.settle_keys();
        self.bound(key)
    }

    /// Makes the keys bound with [`TraceBuilder::bind_late`] so far visible to [`TraceBuilder::bound`].
    pub fn settle_keys(&mut self) {
        self.bound.settle();
    }

    /// Keeps an event for the format's join. Unlike [`TraceBuilder::bind`], this keeps every event with a key, so that
    /// the join can compare copies once everything has been read.
    pub fn link(&mut self, format: &'static str, link: Link) {
        self.links.push((format, link));
    }

    /// Removes and returns the links of a format, sorted.
    #[must_use]
    pub fn take_links(&mut self, format: &str) -> Vec<Link> {
        let (taken, kept): (Vec<_>, Vec<_>) =
            self.links.drain(..).partition(|(owner, _)| *owner == format);
        self.links = kept;
        let mut links: Vec<Link> = taken.into_iter().map(|(_, link)| link).collect();
        links.sort_unstable();
        links
    }

    /// The exhibits, for adding to: what is shown in tabs beside the timeline.
    pub fn exhibits_mut(&mut self) -> &mut Exhibits {
        &mut self.trace.exhibits
    }

    /// Adds an annotation that is an object in the file.
    pub fn annotate(&mut self, run: RunId, span: Span, kind: AnnotationKind) {
        self.trace.annotations.push(Annotation { run, span });
        self.run_mut(run).annotations.add(kind);
    }

    /// Adds a warning.
    #[inline(never)]
    pub fn warn(&mut self, code: WarningCode, place: &Place, detail: &str) {
        self.trace.warnings.add(
            code,
            WarningPlace {
                source: place.span.source,
                line: place.line,
                byte: place.span.start,
                detail: detail.to_owned(),
            },
        );
    }

    /// Adds a warning at a place that the input layer reported.
    pub fn warn_at(&mut self, code: WarningCode, place: WarningPlace) {
        self.trace.warnings.add(code, place);
    }

    /// Finishes the trace: carries out merges, breaks cycles of parents, fills in the start and end of runs from their
    /// events where the file does not state them, and computes the display order.
    #[must_use]
    pub fn finish(mut self) -> Trace {
        // Nothing is looked up from here on, so the memory can be freed for the next steps.
        self.bound = Keys::default();
        self.apply_merges();
        self.break_cycles();
        self.complete_runs();
        self.trace.lay_out(&self.merges.last, &self.merges.positions);
        self.trace
    }

    /// Calls `look` with the trace as if it were finished, while building continues. Everything that only the end can
    /// decide is undone afterwards, so the result does not depend on how often this is called.
    pub fn look<T>(&mut self, look: impl FnOnce(&Trace) -> T) -> T {
        let times: Vec<_> = self.trace.runs.iter().map(|run| (run.start, run.end)).collect();
        self.complete_runs();
        self.trace.lay_out(&self.merges.last, &self.merges.positions);
        let seen = look(&self.trace);
        for (run, (start, end)) in self.trace.runs.iter_mut().zip(times) {
            (run.start, run.end) = (start, end);
        }
        seen
    }

    fn push_record(&mut self, place: Place, item: u16) -> u32 {
        let at = u32::try_from(self.trace.records.len()).unwrap_or(NIL);
        self.trace.records.push(RecordNode::new(place, item, NIL));
        at
    }

    /// Parents may come from hostile files. Every event must be reachable from a root, so an event that is on a cycle,
    /// or has a parent in another run, loses its parent. Each event is visited once.
    fn break_cycles(&mut self) {
        const UNSEEN: u32 = 0;
        const DONE: u32 = u32::MAX;
        let mut mark = vec![UNSEEN; self.trace.events.len()];
        let mut path = Vec::new();
        for start in 0..self.trace.events.len() {
            let walk = u32::try_from(start + 1).unwrap_or(DONE - 1);
            let mut at = start;
            path.clear();
            while let (Some(seen), Some(event)) = (mark.get_mut(at), self.trace.events.get(at)) {
                if *seen == DONE {
                    break;
                }
                if *seen == walk {
                    // The previous event closes a cycle, so it becomes a root.
                    if let Some(from) = path.last().copied() {
                        self.drop_parent(from);
                    }
                    break;
                }
                *seen = walk;
                path.push(at);
                let (run, parent) = (event.run, event.parent);
                let Some(next) = self.trace.events.get(parent as usize) else {
                    if parent != NIL {
                        self.drop_parent(at);
                    }
                    break;
                };
                if next.run != run {
                    self.drop_parent(at);
                    break;
                }
                at = parent as usize;
            }
            for seen in &path {
                if let Some(mark) = mark.get_mut(*seen) {
                    *mark = DONE;
                }
            }
        }
    }

    fn drop_parent(&mut self, at: usize) {
        if let Some(event) = self.trace.events.get_mut(at) {
            event.parent = NIL;
        }
        if let Some(place) = self.trace.place_of(EventId::from_index(at)) {
            self.warn(WarningCode::ParentCycle, &place, "");
        }
    }

    /// Sets the start and end of runs to the bounds of their events where the file does not state them. Scores are
    /// often given hours later, so they count only if the run has no other events.
    fn complete_runs(&mut self) {
        let mut bounds = self.bounds(|kind| kind != EventKind::Evaluation);
        if bounds.iter().any(|(first, last)| first > last) {
            let of_all = self.bounds(|_| true);
            for (bound, of_all) in bounds.iter_mut().zip(of_all) {
                *bound = if bound.0 > bound.1 { of_all } else { *bound };
            }
        }
        for (run, (first, last)) in self.trace.runs.iter_mut().zip(bounds) {
            if first > last {
                continue;
            }
            if !run.start.is_known() {
                run.start = MaybeNs::new(first);
            }
            if !run.end.is_known() {
                run.end = MaybeNs::new(last);
            }
        }
    }

    /// For each run, when the first of its events of some kinds began and the last one ended, in ns. If no such event
    /// has a time, the first value is larger than the second.
    fn bounds(&self, counts: impl Fn(EventKind) -> bool) -> Vec<(i64, i64)> {
        let mut bounds = vec![(i64::MAX, i64::MIN); self.trace.runs.len()];
        for event in self.trace.events.iter().filter(|event| counts(event.kind)) {
            let Some(bound) = bounds.get_mut(event.run.index()) else { continue };
            if let Some(start) = event.start.get() {
                bound.0 = bound.0.min(start);
                bound.1 = bound.1.max(start.saturating_add(event.duration.get().unwrap_or(0)));
            }
        }
        bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_with_one_key_keep_their_own_runs() {
        let mut out = TraceBuilder::new();
        let (one, two) = (out.run("a", "1"), out.run("b", "1"));
        assert_ne!(one, two);
        assert_eq!((out.run("a", "1"), out.run("b", "1")), (one, two));
        assert_eq!(out.trace().runs().len(), 2);
    }

    #[test]
    fn scores_do_not_make_a_run_longer() {
        let mut out = TraceBuilder::new();
        let (worked, scored) = (out.run("a", "1"), out.run("a", "2"));
        let place =
            Place { span: Span { source: SourceId::from_index(0), start: 0, len: 1 }, line: 1 };
        let mut add = |run, kind, start_ns: i64| {
            let lane = out.lane(run, "");
            let id = out.push(NewEvent { kind, run, lane, place });
            out.event_mut(id).unwrap().start = MaybeNs::new(start_ns);
        };
        add(worked, EventKind::LlmCall, 5);
        add(worked, EventKind::ToolCall, 9);
        add(worked, EventKind::Evaluation, 90_000);
        add(scored, EventKind::Evaluation, 7);
        let ends: Vec<_> = out.finish().runs().iter().map(|run| run.end.get()).collect();
        assert_eq!(ends, [Some(9), Some(7)]);
    }
}
