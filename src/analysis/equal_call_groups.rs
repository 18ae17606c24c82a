//! Calls that are repeated with other calls between them: the same call with the same result, or one that fails with
//! the same error every time.

use super::compare_repetitions::changes_something;
use super::keys::hash;
use super::steps::LaneSteps;
use rustc_hash::FxHashMap;
use traceloupe_core::model::{CallOutcome, ErrorId, EventId, EventKind, LaneId, NameId, Trace};

/// No rule needs groups with fewer equal calls.
const FEWEST: usize = 3;

/// The groups of equal calls of all lanes, in order.
pub(super) fn groups(trace: &Trace, lanes: &[LaneSteps]) -> Vec<Group> {
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
            of_segment(LaneId::from_index(at), &mut calls, &mut found);
        }
    }
    found
}

/// A call that may be repeated.
struct Call {
    /// The same for equal calls with equal results, or for equal failures.
    key: u64,
    id: EventId,
    step: usize,
    fails: bool,
    /// How many earlier calls had changed something that may affect this call ([`Changes::before`]). 0 for failures,
    /// which are grouped regardless of changes.
    n_changes: u32,
}

/// The changes since the last message from the user.
#[derive(Default)]
struct Changes {
    /// Whether tools change something, by the index of their names.
    of_tools: Vec<Option<bool>>,
    all: u32,
    /// Changes to unknown files.
    anywhere: u32,
    /// Changes to files, by hash of the path.
    of_files: FxHashMap<u64, u32>,
}

impl Changes {
    /// Starts over after a message from the user.
    fn begin(&mut self) {
        (self.all, self.anywhere) = (0, 0);
        self.of_files.clear();
    }

    /// How many of the changes so far may affect a call: all of them, unless the call is about one file.
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
    /// The call of an event; `None` if the event is not a call, or if its result is unknown. Counts the call if it
    /// changes something.
    fn of(trace: &Trace, step: usize, id: EventId, changes: &mut Changes) -> Option<Self> {
        let event = trace.event(id).filter(|it| it.kind == EventKind::ToolCall)?;
        let has_error = event.error != ErrorId::NONE && event.status != CallOutcome::NoMatch;
        let fails = event.is_error() || has_error;
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

/// Equal calls between two messages from the user.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) lane: LaneId,
    /// Whether they failed.
    pub(super) fails: bool,
    pub(super) events: Vec<EventId>,
}

/// The groups that are large enough. After a change there is good reason to check for a different result, so a group
/// ends there, unless its calls failed.
fn of_segment(lane: LaneId, calls: &mut [Call], found: &mut Vec<Group>) {
    traceloupe_core::sorting::sort_by_key(calls, |call| (call.key, call.n_changes, call.id));
    let alike = calls.chunk_by(|a, b| (a.key, a.n_changes) == (b.key, b.n_changes));
    found.extend(alike.filter_map(|calls| {
        // Calls in one message are made at the same time.
        let events = calls.chunk_by(|a, b| a.step == b.step).filter_map(|calls| calls.first());
        let events: Vec<EventId> = events.map(|call| call.id).collect();
        (events.len() >= FEWEST).then_some(Group { lane, fails: calls.first()?.fails, events })
    }));
}
