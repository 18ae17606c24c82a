//! What is known of calls beyond the index: what they do, and their results without what differs each time. Only calls
//! that may be part of a loop are read again, and only so many of them.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::call_texts::{CallText, CallTexts};
use super::doings::{Doing, VIEW, is_failure, is_nothing, of_command, of_tool, says_why};
use super::steps::LaneSteps;
use traceloupe_core::mask::masked_hash;
use traceloupe_core::model::{Event, EventId, EventKind, NameId, Trace, hash_of};
use traceloupe_core::text::command::writes_document;
use traceloupe_core::tools::shows_too;
use traceloupe_core::visible_text::visible_text;

/// How many calls are read again: enough for real sessions. Calls that are far from each other cost a read of the Blob
/// each, which takes half a millisecond.
const MAX_READ: usize = 300;
/// A call that occurs less often between two messages from the user is not read again.
const FEWEST: u32 = 3;
/// How many steps are examined at once for calls that occur so often: more than real sessions have between two messages
/// from the user. The numbers of their calls fit into the processor's cache.
const NEAR: usize = 8_192;

/// What is known of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// A hash of its result; 0 if the file has none.
    pub(super) result: u64,
    pub(super) doing: Doing,
    /// Whether its result says that there is nothing.
    pub(super) finds_nothing: bool,
    /// Whether it types something into a program that runs.
    pub(super) is_typed: bool,
    /// Whether its result says that it failed.
    pub(super) says_failure: bool,
    /// Whether its result ends with an exception or the diagnostics of a compiler, which say what is wrong.
    pub(super) says_why: bool,
    /// Whether it writes a whole file, whose text is in its arguments.
    pub(super) writes_file: bool,
}

/// What is known of the calls of a trace.
#[derive(Debug, Default)]
pub(super) struct KnownCalls {
    /// Of the calls that were read, by what makes calls equal.
    read: FxHashMap<CallKey, Known>,
    /// What tools do, by name.
    tools: RefCell<FxHashMap<NameId, Doing>>,
}

impl KnownCalls {
    pub(super) fn new(trace: &Trace, lanes: &[LaneSteps], texts: &dyn CallTexts) -> Self {
        let mut known = Self::default();
        let mut reader = Reader { trace, texts, left: MAX_READ };
        let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
        for lane in lanes {
            for segment in lane.segments() {
                for events in lane.events(segment).chunks(NEAR) {
                    if reader.left == 0 {
                        return known;
                    }
                    known.read_repeated(events, &mut reader, &mut counts);
                }
            }
        }
        known
    }

    /// Reads the calls that may be part of a loop. `counts` is memory for the numbers of equal calls.
    fn read_repeated(
        &mut self,
        events: &[EventId],
        reader: &mut Reader<'_>,
        counts: &mut FxHashMap<u64, u32>,
    ) {
        let trace = reader.trace;
        let calls = || {
            let all = events.iter().filter_map(|id| Some((*id, trace.event(*id)?)));
            all.filter(|(_, event)| event.kind == EventKind::ToolCall)
        };
        counts.clear();
        for key in calls().flat_map(|(_, event)| keys(trace, event)) {
            *counts.entry(key).or_default() += 1;
        }
        let times = |key: u64| counts.get(&key).copied().unwrap_or_default();
        if counts.values().all(|times| *times < FEWEST) {
            return;
        }
        for (id, event) in calls() {
            let is_repeated = keys(trace, event).any(|key| times(key) >= FEWEST);
            let doing = self.of_name(trace, event.name);
            // A command between repeated calls may change what they give, and an editor may only show a file.
            let is_open = match doing {
                Doing::Other => true,
                Doing::Changes => shows_too(trace.name(event.name)),
                Doing::Looks | Doing::Pages | Doing::Waits => false,
            };
            let key = call_key(trace, event);
            if (is_repeated || is_open)
                && !self.read.contains_key(&key)
                && let Some(known) = reader.read(id, event, doing)
            {
                self.read.insert(key, known);
            }
        }
    }

    /// What is known of a call.
    pub(super) fn of(&self, trace: &Trace, event: &Event) -> Known {
        let unread = || Known {
            result: event.result_hash,
            doing: self.of_name(trace, event.name),
            finds_nothing: false,
            is_typed: false,
            says_failure: false,
            says_why: false,
            writes_file: false,
        };
        self.read.get(&call_key(trace, event)).copied().unwrap_or_else(unread)
    }

    fn of_name(&self, trace: &Trace, name: NameId) -> Doing {
        *self.tools.borrow_mut().entry(name).or_insert_with(|| of_tool(trace.name(name)))
    }
}

/// The keys by which calls may be repeated: their arguments, their failure, their result.
fn keys(trace: &Trace, event: &Event) -> impl Iterator<Item = u64> {
    let of = [trace.failure_hash(event), event.result_hash];
    let name = event.name;
    let others = (1..).zip(of).filter(|(_, value)| *value != 0);
    [(0, trace.alike_hash(event))].into_iter().chain(others).map(move |it| hash_of((name, it)))
}

/// Name, arguments and result.
type CallKey = (NameId, u64, u64);

fn call_key(trace: &Trace, event: &Event) -> CallKey {
    (event.name, trace.alike_hash(event), event.result_hash)
}

/// Reads calls again, as many as it may.
struct Reader<'a> {
    trace: &'a Trace,
    texts: &'a dyn CallTexts,
    left: usize,
}

impl Reader<'_> {
    fn read(&mut self, id: EventId, event: &Event, of_tool: Doing) -> Option<Known> {
        self.left = self.left.checked_sub(1)?;
        let CallText { command, is_typed, writes_file, result } = self.texts.of_call(id)?;
        let doing = match (&command, of_tool) {
            (Some(command), Doing::Other) => of_command(Some(command)),
            (Some(command), Doing::Changes) if command == VIEW => Doing::Looks,
            (_, doing) => doing,
        };
        Some(Known {
            result: result
                .as_deref()
                .map_or(event.result_hash, |it| masked_hash(&visible_text(it)).max(1)),
            doing,
            is_typed: is_typed && doing != Doing::Waits,
            finds_nothing: result.as_deref().is_some_and(is_nothing),
            says_failure: result.as_deref().is_some_and(is_failure),
            says_why: result.as_deref().is_some_and(says_why),
            writes_file: writes_file || command.as_deref().is_some_and(writes_document),
        })
    }
}
