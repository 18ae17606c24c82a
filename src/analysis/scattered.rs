//! Calls that return with other calls between them: the same one with the same result, or one that fails with the
//! same error each time, such as a test that stays red whatever is edited.

use super::findings::Draft;
use super::keys::hash;
use super::results::changes_something;
use super::steps::LaneSteps;
use super::{Arguments, Finding, Results, Severity, Waste};
use rustc_hash::FxHashMap;
use traceloupe_core::model::{ErrorId, Event, EventId, EventKind, LaneId, NameId, Trace};

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
    traceloupe_core::order::sort(&mut covered);
    let is_new = |group: &Group| {
        let n_new = group.events.iter().filter(|id| covered.binary_search(id).is_err()).count();
        // What is mostly found in a row already says nothing new.
        n_new >= group.needed() && n_new * 2 > group.events.len()
    };
    let mut found = Vec::new();
    let mut calls = Vec::new();
    let mut changes = Changes::default();
    for (at, lane) in lanes.iter().enumerate() {
        for segment in lane.segments() {
            calls.clear();
            changes.begin();
            for step in segment {
                for id in lane.events(step..step + 1) {
                    calls.extend(Call::of(trace, step, *id, &mut changes));
                }
            }
            let groups = groups(&mut calls).into_iter().filter(is_new);
            found.extend(groups.filter_map(|group| group.finding(trace, LaneId::from_index(at))));
        }
    }
    found
}

/// A call that may return.
struct Call {
    /// The same for equal calls with equal results, or for equal failures.
    key: u64,
    id: EventId,
    step: usize,
    fails: bool,
    /// How many calls had changed something before it that may matter to it ([`Changes::before`]). Of failures this
    /// does not matter.
    n_changes: u32,
}

/// What has been changed since the last message of the user.
#[derive(Default)]
struct Changes {
    /// Whether tools change something, by the index of their names.
    of_tools: Vec<Option<bool>>,
    all: u32,
    /// Those of which it is not known what was changed.
    anywhere: u32,
    /// By hash of the path.
    of_files: FxHashMap<u64, u32>,
}

impl Changes {
    /// Begins anew after a message of the user.
    fn begin(&mut self) {
        (self.all, self.anywhere) = (0, 0);
        self.of_files.clear();
    }

    /// How many changes so far may matter to a call: all of them, unless the call is about one file.
    fn before(&self, file: u64) -> u32 {
        match file {
            0 => self.all,
            file => self.anywhere + self.of_files.get(&file).copied().unwrap_or_default(),
        }
    }

    /// Counts a call, if its tool changes something.
    fn add(&mut self, trace: &Trace, tool: NameId, file: u64) {
        let at = tool.index();
        if at >= self.of_tools.len() {
            self.of_tools.resize(at + 1, None);
        }
        let is_change = self
            .of_tools
            .get_mut(at)
            .map(|known| *known.get_or_insert_with(|| changes_something(trace.name(tool))));
        if is_change != Some(true) {
            return;
        }
        self.all += 1;
        match file {
            0 => self.anywhere += 1,
            file => *self.of_files.entry(file).or_default() += 1,
        }
    }
}

impl Call {
    /// The call that an event is; `None` if it is none, or if it is not known what came out. Counts it if it changes
    /// something.
    fn of(trace: &Trace, step: usize, id: EventId, changes: &mut Changes) -> Option<Self> {
        let event = trace.event(id).filter(|it| it.kind == EventKind::ToolCall)?;
        let fails = event.is_error() || event.error != ErrorId::NONE;
        let file = trace.file_hash(event);
        let n_before = changes.before(file);
        if !fails {
            changes.add(trace, event.name, file);
        }
        let key = match (fails, trace.failure_hash(event)) {
            (true, 0) => return None,
            (true, failure) => hash((event.name, failure)),
            (false, _) if event.args_hash == 0 || event.result_hash == 0 => return None,
            (false, _) => hash((event.name, trace.alike_hash(event), event.result_hash)),
        };
        Some(Self { key, id, step, fails, n_changes: if fails { 0 } else { n_before } })
    }
}

/// Equal calls between two messages of the user.
struct Group {
    fails: bool,
    events: Vec<EventId>,
}

/// The groups that are large enough. After a change it is asked for good reasons whether something else comes out, so a
/// group ends there, but for failures.
fn groups(calls: &mut [Call]) -> Vec<Group> {
    traceloupe_core::order::sort_by_key(calls, |call| (call.key, call.n_changes, call.id));
    let alike = calls.chunk_by(|a, b| (a.key, a.n_changes) == (b.key, b.n_changes));
    let groups = alike.filter_map(|calls| {
        // Calls of one message are made at once.
        let events = calls.chunk_by(|a, b| a.step == b.step).filter_map(|calls| calls.first());
        let group =
            Group { fails: calls.first()?.fails, events: events.map(|call| call.id).collect() };
        (group.events.len() >= group.needed()).then_some(group)
    });
    groups.collect()
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
