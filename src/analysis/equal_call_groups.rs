//! Calls that are repeated with other calls between them: the same call with the same result, or calls of one tool that
//! fail in the same way every time.

use super::doings::Doing;
use super::keys::hash;
use super::known_calls::{Known, KnownCalls};
use super::steps::LaneSteps;
use rustc_hash::FxHashMap;
use traceloupe_core::model::{CallOutcome, ErrorId, EventId, EventKind, LaneId, Trace};

/// No rule needs groups with fewer equal calls.
const FEWEST: usize = 3;

/// The groups of equal calls of all lanes, in order.
pub(super) fn groups(trace: &Trace, known: &KnownCalls, lanes: &[LaneSteps]) -> Vec<Group> {
    let mut found = Vec::new();
    let mut calls = Vec::new();
    let mut changes = Changes::default();
    for (at, lane) in lanes.iter().enumerate() {
        for segment in lane.segments() {
            calls.clear();
            changes.begin();
            for step in segment {
                for id in lane.events(step..step + 1) {
                    calls.extend(
                        Call::of(trace, known, step, *id, &mut changes)
                            .into_iter()
                            .flatten()
                            .flatten(),
                    );
                }
            }
            of_segment(trace, LaneId::from_index(at), &mut calls, &mut found);
        }
    }
    found
}

/// What the calls of a group have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    /// They worked, with the same arguments and the same result.
    Worked,
    /// They wrote the same text into the same file.
    Written,
    /// They typed different things into a program, which showed the same.
    SameScreen,
    /// They failed with the same arguments, and the line that tells most is the same.
    SameLine,
    /// They failed, and the whole text is the same.
    SameText,
}

/// A call that may be repeated.
struct Call {
    /// The same for equal calls with equal results, or for equal failures.
    key: u64,
    id: EventId,
    step: usize,
    sort: Sort,
    /// How many earlier calls had changed something that may affect this call ([`Changes::before`]).
    n_changes: u32,
}

/// The changes since the last message from the user.
#[derive(Default)]
struct Changes {
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

    /// Counts a change.
    fn add(&mut self, file: u64) {
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
    fn of(
        trace: &Trace,
        known: &KnownCalls,
        step: usize,
        id: EventId,
        changes: &mut Changes,
    ) -> Option<[Option<Self>; 2]> {
        let event = trace.event(id).filter(|it| it.kind == EventKind::ToolCall)?;
        let file = trace.file_hash(event);
        let n_before = changes.before(file);
        let Known { result, doing, says_failure, is_typed, finds_nothing, writes_file, .. } =
            known.of(trace, event);
        let has_error = event.error != ErrorId::NONE && event.status != CallOutcome::NoMatch;
        let is_stated = event.is_error() || has_error;
        // What a call looks up or waits for may be about failures of something else.
        let is_own = !matches!(doing, Doing::Looks | Doing::Waits);
        let is_said = event.status == CallOutcome::Unknown && says_failure && is_own;
        let fails = is_stated || is_said;
        if !fails && doing == Doing::Changes {
            changes.add(file);
        }
        let (failure, alike) = (trace.failure_hash(event), trace.alike_hash(event));
        let call = |key, sort, n_changes| Self { key, id, step, sort, n_changes };
        if fails {
            let line = if failure == 0 { result } else { failure };
            let text = if result == 0 { failure } else { result };
            // The telling line alone says little, so the calls must be the same.
            let by_line = hash((Sort::SameLine as u8, event.name, alike, line));
            // Different look-ups in vain are no loop.
            let looked_up = if doing == Doing::Looks { alike } else { 0 };
            let by_text = hash((Sort::SameText as u8, event.name, looked_up, text));
            (line != 0).then(|| {
                [(by_line, Sort::SameLine), (by_text, Sort::SameText)]
                    .map(|(key, sort)| Some(call(key, sort, n_before)))
            })
        } else if writes_file && doing == Doing::Changes {
            let key = hash((Sort::Written as u8, event.name, alike));
            Some([Some(call(key, Sort::Written, n_before)), None])
        } else {
            // It is no news that nothing has happened yet.
            let is_known = event.args_hash != 0 && result != 0 && doing != Doing::Waits;
            let key = hash((Sort::Worked as u8, event.name, alike, result));
            let by_screen = hash((Sort::SameScreen as u8, event.name, result));
            let is_screen = is_typed && !finds_nothing;
            is_known.then(|| {
                let screen = is_screen.then(|| call(by_screen, Sort::SameScreen, n_before));
                [Some(call(key, Sort::Worked, n_before)), screen]
            })
        }
    }
}

/// Equal calls between two messages from the user.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) lane: LaneId,
    pub(super) sort: Sort,
    /// Whether their arguments do the same.
    pub(super) same_args: bool,
    /// The largest number of them between which nothing was changed that may affect them.
    pub(super) most_unchanged: usize,
    pub(super) events: Vec<EventId>,
}

/// Leaves out calls whose key occurs too rarely, as nearly all do, because sorting them takes most of the time. Calls
/// are counted by a part of the key, so a few of them stay.
fn leave_repeated(calls: &mut Vec<Call>) {
    let n_slots = (calls.len() * 2).next_power_of_two();
    let slot = |call: &Call| usize::try_from(call.key & (n_slots as u64 - 1)).unwrap_or_default();
    let mut counts = vec![0_u8; n_slots];
    for call in calls.iter() {
        if let Some(count) = counts.get_mut(slot(call)) {
            *count = count.saturating_add(1);
        }
    }
    calls.retain(|call| counts.get(slot(call)).is_some_and(|n| usize::from(*n) >= FEWEST));
}

/// The groups that are large enough. After a change there is good reason to check for a different result, so a group
/// ends there, unless its calls failed.
fn of_segment(trace: &Trace, lane: LaneId, calls: &mut Vec<Call>, found: &mut Vec<Group>) {
    leave_repeated(calls);
    let changes = |call: &Call| if call.sort == Sort::Worked { call.n_changes } else { 0 };
    // Of a whole trace, so not by `sorting`, which is slower.
    calls.sort_unstable_by_key(|call| (call.key, changes(call), call.id));
    let alike = calls.chunk_by(|a, b| (a.key, changes(a)) == (b.key, changes(b)));
    found.extend(alike.filter_map(|calls| {
        // Calls in one message are made at the same time.
        let steps = calls.chunk_by(|a, b| a.step == b.step).filter_map(|calls| calls.first());
        let steps: Vec<&Call> = steps.collect();
        let unchanged = steps.chunk_by(|a, b| a.n_changes == b.n_changes).map(<[_]>::len);
        let most_unchanged = unchanged.max().unwrap_or_default();
        let events: Vec<EventId> = steps.iter().map(|call| call.id).collect();
        let sort = calls.first().filter(|_| events.len() >= FEWEST)?.sort;
        let mut arguments =
            events.iter().filter_map(|id| Some(trace.alike_hash(trace.event(*id)?)));
        let first = arguments.next()?;
        let same_args = arguments.all(|it| it == first);
        Some(Group { lane, sort, same_args, most_unchanged, events })
    }));
}
