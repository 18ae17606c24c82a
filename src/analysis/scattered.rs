//! Calls that return with other calls between them: the same one with the same result, or one that fails with the
//! same error each time, such as a test that stays red whatever is edited.

use rustc_hash::FxHashMap;

use super::findings::Draft;
use super::keys::hash;
use super::results::changes_something;
use super::steps::LaneSteps;
use super::{Arguments, Finding, Results, Severity, Waste};
use crate::model::{Event, EventId, EventKind, LaneId, NameId, Trace};

/// The number of equal calls with equal results between two messages of the user, with nothing changed between them,
/// that is a warning.
const REPEATS: usize = 6;
/// The number of equal failures between two messages of the user that is a warning.
const FAILURES: usize = 3;
/// The number of equal failures that is critical.
const CRITICAL_FAILURES: usize = 5;

/// The findings of all lanes, without those whose calls are in one of the `drafts`.
pub(super) fn findings(trace: &Trace, lanes: &[LaneSteps], drafts: &[Draft]) -> Vec<Finding> {
    let mut covered: Vec<EventId> = Vec::new();
    for draft in drafts.iter().filter(|draft| draft.severity > Severity::Info) {
        let lane = lanes.get(draft.lane.index());
        covered.extend(lane.map(|lane| lane.events(draft.stretch.steps())).unwrap_or_default());
    }
    crate::order::sort(&mut covered);
    let mut found = Vec::new();
    let mut changes = FxHashMap::default();
    for (at, lane) in lanes.iter().enumerate() {
        for segment in lane.segments() {
            let mut groups = Groups {
                trace,
                changes: &mut changes,
                n_changes: 0,
                known: FxHashMap::default(),
                ended: Vec::new(),
            };
            for step in segment {
                for id in lane.events(step..step + 1) {
                    groups.add(step, *id);
                }
            }
            let is_new = |group: &Group| {
                let n_new =
                    group.events.iter().filter(|id| covered.binary_search(id).is_err()).count();
                // What is mostly found in a row already says nothing new.
                n_new >= group.needed() && n_new * 2 > group.events.len()
            };
            let groups = groups.finish().into_iter().filter(is_new);
            found.extend(groups.filter_map(|group| group.finding(trace, LaneId::from_index(at))));
        }
    }
    found
}

/// Equal calls between two messages of the user.
struct Group {
    fails: bool,
    /// How many calls had changed something before the last one.
    n_changes: usize,
    last_step: usize,
    events: Vec<EventId>,
}

/// The groups of one stretch between two messages of the user.
struct Groups<'a> {
    trace: &'a Trace,
    /// Whether tools change something, by their names.
    changes: &'a mut FxHashMap<NameId, bool>,
    n_changes: usize,
    known: FxHashMap<u64, Group>,
    ended: Vec<Group>,
}

impl Groups<'_> {
    fn add(&mut self, step: usize, id: EventId) {
        let Some(event) = self.trace.event(id).filter(|it| it.kind == EventKind::ToolCall) else {
            return;
        };
        let name = self.trace.name(event.name);
        let is_change = *self.changes.entry(event.name).or_insert_with(|| changes_something(name));
        let fails = event.is_error() || event.error != NameId::NONE;
        let key = match (fails, self.trace.failure_hash(event)) {
            (true, 0) => None,
            (true, failure) => Some(hash((event.name, failure))),
            (false, _) if event.args_hash == 0 || event.result_hash == 0 => None,
            (false, _) => Some(hash((event.name, self.trace.alike_hash(event), event.result_hash))),
        };
        if let Some(key) = key {
            let new = || Group { fails, n_changes: 0, last_step: usize::MAX, events: Vec::new() };
            let group = self.known.entry(key).or_insert_with(new);
            // After a change it is asked for good reasons whether something else comes out.
            if !fails && group.n_changes != self.n_changes {
                self.ended.push(std::mem::replace(group, new()));
            }
            group.n_changes = self.n_changes;
            // Calls of one message are made at once.
            if group.last_step != step {
                group.last_step = step;
                group.events.push(id);
            }
        }
        self.n_changes += usize::from(is_change && !fails);
    }

    fn finish(mut self) -> Vec<Group> {
        self.ended.extend(self.known.into_values());
        self.ended.retain(|group| group.events.len() >= group.needed());
        self.ended
    }
}

impl Group {
    /// How many calls make a finding.
    fn needed(&self) -> usize {
        if self.fails { FAILURES } else { REPEATS }
    }

    fn finding(self, trace: &Trace, lane: LaneId) -> Option<Finding> {
        let (first, last) = (*self.events.first()?, *self.events.last()?);
        let event = trace.event(first)?;
        let others = || self.events.iter().filter_map(|id| trace.event(*id));
        let is_same = |of: &dyn Fn(&Event) -> u64| others().all(|it| of(it) == of(event));
        let args = if event.args_hash != 0 && is_same(&|it| it.args_hash) {
            Arguments::Same
        } else if event.args_hash != 0 && is_same(&|it| trace.alike_hash(it)) {
            Arguments::Alike
        } else {
            Arguments::Different
        };
        let repeats: Vec<EventId> = self.events.iter().skip(1).copied().collect();
        let is_critical = self.fails && self.events.len() >= CRITICAL_FAILURES;
        Some(Finding {
            rule: if self.fails { "same-error" } else { "repeat-apart" },
            severity: if is_critical { Severity::Critical } else { Severity::Warning },
            run: event.run,
            lane,
            first,
            last,
            block: vec![(event.kind, event.name)],
            block_len: 1,
            repetitions: u32::try_from(self.events.len()).unwrap_or(u32::MAX),
            extra: 0,
            args,
            results: if self.fails { Results::Errors } else { Results::Same },
            reported: Vec::new(),
            waste: waste(trace, &repeats),
            repeats,
            events: self.events,
        })
    }
}

/// How long the calls took. What was between them is no part of it.
fn waste(trace: &Trace, repeats: &[EventId]) -> Waste {
    let known = repeats.iter().filter_map(|id| trace.event(*id)?.duration.get());
    let duration_ns = known.reduce(i64::saturating_add).filter(|ns| *ns > 0);
    Waste { duration_ns, ..Waste::default() }
}
