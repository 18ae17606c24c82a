//! Merges runs and events that turn out to be the same once all files have been read, and moves events that belong at
//! the end. A format's join requests merges, and [`TraceBuilder::finish`] carries them out in one pass over the events.
//! Events keep their ids, because the page already uses them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Annotation, ChunkedVec, EventId, LaneId, Run, RunId, RunStatus, TraceBuilder};

/// The merges requested so far.
#[derive(Debug, Default)]
pub(super) struct Merges {
    runs: FxHashMap<RunId, RunId>,
    events: FxHashMap<EventId, EventId>,
    pub(super) last: FxHashSet<EventId>,
    pub(super) positions: FxHashMap<EventId, u64>,
}

/// Follows a chain to its end. There are no cycles in [`Merges`].
fn end_of<T: Copy + Eq + std::hash::Hash>(map: &FxHashMap<T, T>, from: T) -> T {
    let mut at = from;
    while let Some(next) = map.get(&at) {
        at = *next;
    }
    at
}

impl TraceBuilder {
    /// Moves everything in the run `from` into the run `into`. If both have a value, that of `into` is kept. All lanes
    /// except the main one stay separate.
    pub fn merge_runs(&mut self, from: RunId, into: RunId) {
        let (from, into) = (end_of(&self.merges.runs, from), end_of(&self.merges.runs, into));
        if from == into || self.trace.runs.get(into.index()).is_none() {
            return;
        }
        let Some(taken) = self.trace.runs.get_mut(from.index()).map(std::mem::take) else { return };
        self.merges.runs.insert(from, into);
        if let Some(run) = self.trace.runs.get_mut(into.index()) {
            merge_run(run, taken);
        }
    }

    /// Makes an event part of another one: its records become further records of that event, and events nested in it
    /// become nested in that event.
    pub fn absorb(&mut self, event: EventId, into: EventId) {
        let (event, into) = (end_of(&self.merges.events, event), end_of(&self.merges.events, into));
        let n_events = self.trace.events.len();
        if event == into || event.index() >= n_events || into.index() >= n_events {
            return;
        }
        self.merges.events.insert(event, into);
        let Some((first, last)) =
            self.trace.events.get(event.index()).map(|it| (it.first_record, it.last_record))
        else {
            return;
        };
        self.trace.record_changes = self.trace.record_changes.wrapping_add(1);
        if let Some(cost) = self.trace.costs.get(&event).copied() {
            self.trace.costs.entry(into).or_insert(cost);
        }
        let Some(into) = self.trace.events.get_mut(into.index()) else { return };
        let tail = std::mem::replace(&mut into.last_record, last);
        if let Some(record) = self.trace.records.get_mut(tail as usize) {
            record.next = first;
        }
    }

    /// Shows an event after all its siblings. Used for statements about a whole run.
    pub fn put_last(&mut self, event: EventId) {
        self.merges.last.insert(event);
    }

    /// Sets the position of an event in its conversation. Among siblings that have one, the position decides the order,
    /// not the file.
    pub fn set_position(&mut self, event: EventId, position: u64) {
        self.merges.positions.insert(event, position);
    }

    /// Carries out the merges. Runs are renumbered; lanes and events keep their ids.
    pub(super) fn apply_merges(&mut self) {
        let runs = std::mem::take(&mut self.merges.runs);
        let events = std::mem::take(&mut self.merges.events);
        if runs.is_empty() && events.is_empty() {
            return;
        }
        let n_runs = self.trace.runs.len();
        let mut new_run: Vec<RunId> = Vec::with_capacity(n_runs);
        let mut n_kept = 0;
        for at in 0..n_runs {
            new_run.push(RunId::from_index(n_kept));
            n_kept += usize::from(!runs.contains_key(&RunId::from_index(at)));
        }
        let run_of = |run: RunId| new_run.get(end_of(&runs, run).index()).copied().unwrap_or(run);
        // The main lane of a merged run becomes the main lane of the other run.
        let mut main_lanes: FxHashMap<RunId, LaneId> = FxHashMap::default();
        for (at, lane) in self.trace.lanes.iter().enumerate() {
            if lane.key.is_empty() && !runs.contains_key(&lane.run) {
                main_lanes.insert(run_of(lane.run), LaneId::from_index(at));
            }
        }
        let mut new_lane: Vec<LaneId> = Vec::with_capacity(self.trace.lanes.len());
        for (at, lane) in self.trace.lanes.iter_mut().enumerate() {
            lane.run = run_of(lane.run);
            let own = LaneId::from_index(at);
            let main = lane.key.is_empty().then(|| *main_lanes.entry(lane.run).or_insert(own));
            new_lane.push(main.unwrap_or(own));
        }
        let mut index = 0..;
        let runs_now = std::mem::take(&mut self.trace.runs);
        let is_kept = |at: usize| !runs.contains_key(&RunId::from_index(at));
        self.trace.runs =
            runs_now.into_iter().filter(|_| index.next().is_some_and(is_kept)).collect();
        let mut annotations = ChunkedVec::default();
        for annotation in &self.trace.annotations {
            annotations.push(Annotation { run: run_of(annotation.run), ..*annotation });
        }
        self.trace.annotations = annotations;
        for at in 0..self.trace.events.len() {
            let Some(event) = self.trace.events.get_mut(at) else { continue };
            let id = EventId::from_index(at);
            if events.contains_key(&id) {
                event.clear();
                continue;
            }
            event.run = run_of(event.run);
            event.lane = new_lane.get(event.lane.index()).copied().unwrap_or(event.lane);
            let parent = event.parent().map(|parent| end_of(&events, parent));
            // An event that was nested in an event it absorbed no longer has a parent.
            event.set_parent(parent.filter(|parent| *parent != id));
        }
        let move_on = |id: &mut EventId| *id = end_of(&events, *id);
        let exhibits = &mut self.trace.exhibits;
        exhibits.definitions.iter_mut().for_each(move_on);
        exhibits.solutions.iter_mut().for_each(|(id, _)| move_on(id));
        exhibits.evaluations.iter_mut().for_each(|it| move_on(&mut it.event));
        self.trace.lanes.iter_mut().filter_map(|lane| lane.parent.as_mut()).for_each(move_on);
        let ids = (0..self.trace.events.len()).map(EventId::from_index);
        let gone = ids.filter(|id| events.contains_key(id));
        self.trace.absorbed = gone.map(|id| (id, end_of(&events, id))).collect();
    }
}

fn merge_run(run: &mut Run, from: Run) {
    if run.title.is_none() {
        (run.title, run.title_rank) = (from.title, from.title_rank);
    }
    if run.status == RunStatus::Unknown {
        run.status = from.status;
    }
    for (slot, value) in
        [(&mut run.start, from.start), (&mut run.end, from.end), (&mut run.duration, from.duration)]
    {
        if !slot.is_known() {
            *slot = value;
        }
    }
    let (counts, others) = (&mut run.counts, from.counts);
    counts.llm_calls = counts.llm_calls.or(others.llm_calls);
    counts.tool_calls = counts.tool_calls.or(others.tool_calls);
    counts.errors = counts.errors.or(others.errors);
    counts.loop_warnings = counts.loop_warnings.or(others.loop_warnings);
    if run.usage.is_empty() {
        run.usage = from.usage;
    }
    run.score = run.score.or(from.score);
    run.verdict = run.verdict.or(from.verdict);
    run.context_window = run.context_window.or(from.context_window);
    run.no_end = run.no_end.or(from.no_end);
    run.record = run.record.or(from.record);
    if run.annotations.all == 0 {
        run.annotations = from.annotations;
    }
    if run.groups.is_empty() {
        run.groups = from.groups;
    }
    for fact in from.facts {
        if !run.facts.iter().any(|known| known.kind == fact.kind) {
            run.facts.push(fact);
        }
    }
    for note in from.notes {
        if !run.notes.contains(&note) {
            run.notes.push(note);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{
        AnnotationKind, EventKind, Fact, NewEvent, Place, RunId, SourceId, Span, TraceBuilder,
    };

    fn place(start: u64) -> Place {
        Place { span: Span { source: SourceId::from_index(0), start, len: 1 }, line: 1 }
    }

    #[test]
    fn two_runs_and_two_events_become_one() {
        let mut out = TraceBuilder::new();
        let (one, two, three) = (out.run("f", "1"), out.run("f", "2"), out.run("f", "3"));
        let mut ids = Vec::new();
        for (at, run) in [(0, one), (1, two), (2, three), (3, two)] {
            let lane = out.lane(run, "");
            let kind = EventKind::Note;
            ids.push(out.push(NewEvent { kind, run, lane, place: place(at) }));
        }
        out.run_mut(two).facts.push(Fact::new("a".into(), "2".to_owned()));
        out.run_mut(two).score = Some(0.5);
        out.annotate(three, place(9).span, AnnotationKind::Comment);
        out.exhibits_mut().definitions.extend([ids[1], ids[2]]);
        out.event_mut(ids[3]).unwrap().set_parent(Some(ids[1]));
        out.merge_runs(two, one);
        out.merge_runs(one, two);
        out.absorb(ids[1], ids[0]);
        out.absorb(ids[0], ids[1]);
        out.put_last(ids[0]);
        let trace = out.finish();
        let keys: Vec<_> = trace.runs().iter().map(|run| run.key.as_str()).collect();
        assert_eq!(keys, ["1", "3"]);
        assert_eq!((trace.runs()[0].score, trace.runs()[0].facts.len()), (Some(0.5), 1));
        let order = trace.order(RunId::from_index(0));
        assert_eq!(order.len(), 2);
        let whole = trace.event(order[0]).unwrap();
        let places: Vec<_> = trace.places(whole).map(|place| place.span.start).collect();
        assert_eq!(places, [0, 1]);
        let nested = trace.event(order[1]).unwrap();
        assert_eq!(nested.parent(), Some(order[0]));
        assert_eq!((nested.run, nested.lane), (whole.run, whole.lane));
        let other = trace.order(RunId::from_index(1));
        assert_eq!(other.len(), 1);
        assert_eq!(trace.annotations().get(0).unwrap().run, RunId::from_index(1));
        assert_eq!(trace.exhibits().definitions, [order[0], other[0]]);
    }

    #[test]
    fn positions_decide_the_order_of_those_that_have_one() {
        let mut out = TraceBuilder::new();
        let run = out.run("f", "1");
        let lane = out.lane(run, "");
        let mut push =
            |at| out.push(NewEvent { kind: EventKind::Note, run, lane, place: place(at) });
        let [user, later, other, answer] = [push(0), push(1), push(2), push(3)];
        for (event, position) in [(user, 0), (later, 2), (answer, 1)] {
            out.set_position(event, position);
        }
        let looked = out.look(|trace| trace.order(run).to_vec());
        assert_eq!(looked, [user, answer, other, later]);
        assert_eq!(out.finish().order(run), [user, answer, other, later]);
    }

    #[test]
    fn events_keep_their_ids_when_others_are_absorbed_or_put_last() {
        let mut out = TraceBuilder::new();
        let run = out.run("f", "1");
        let lane = out.lane(run, "");
        let kind = EventKind::Note;
        let ids: Vec<_> =
            (0..5).map(|at| out.push(NewEvent { kind, run, lane, place: place(at) })).collect();
        out.absorb(ids[1], ids[3]);
        out.put_last(ids[0]);
        // Before and after the end of reading.
        assert_eq!(out.look(|trace| trace.order(run).last().copied()), Some(ids[0]));
        let trace = out.finish();
        assert_eq!(trace.order(run), [ids[2], ids[3], ids[4], ids[0]]);
        for at in [0, 2, 3, 4] {
            assert_eq!(trace.place_of(ids[at]).unwrap().span.start, at as u64);
        }
    }
}
