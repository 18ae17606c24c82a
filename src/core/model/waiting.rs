//! Which calls waited, and for what, as opposed to running.
//!
//! A producer that states how long a call ran leaves the rest of the time until the result for waiting: for the user's
//! approval, as a rule. Without such a statement, only the time from the call to its result is known. That time is all
//! waiting if the tool asks the user, or if the user rejected the call. A tool that reads or writes a file needs no ten
//! seconds, so a longer time was spent waiting as well; and a command cannot run longer than its time limit. These are
//! estimates, and said to be ones.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{CallOutcome, Event, EventId, EventKind, NameId, TimeBasis, Trace};
use crate::tools::{Work, work_of};

/// What a call waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum WaitFor {
    /// The user: an answer to a question, a decision about a plan, an approval that was refused or is in the file.
    User,
    /// The user's approval, most likely. It is not in the file.
    ApprovalProbably,
    /// Other calls of the same message, whose results were recorded together with its own.
    OtherCalls,
}

/// The time for which a call waited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wait {
    /// What it waited for.
    pub what: WaitFor,
    /// When it began to wait, in nanoseconds since 1970.
    pub from_ns: i64,
    /// When it ended, in nanoseconds since 1970.
    pub to_ns: i64,
    /// Whether it did nothing but wait, as far as is known: how long it worked, if it did, is not.
    pub is_all: bool,
    /// Whether the duration of the call includes the wait, which is a span inside that of the call.
    pub is_inside: bool,
}

/// A shorter time is not told apart from running, in nanoseconds.
pub const LEAST_WAIT_NS: i64 = 10_000_000_000;

/// The tools of a trace, each looked at once.
#[derive(Default)]
struct Tools(Vec<Option<Option<Work>>>);

impl Tools {
    fn work_of(&mut self, trace: &Trace, tool: NameId) -> Option<Work> {
        if self.0.len() <= tool.index() {
            self.0.resize(tool.index() + 1, None);
        }
        let known = self.0.get_mut(tool.index());
        known.and_then(|it| *it.get_or_insert_with(|| work_of(trace.name(tool))))
    }
}

/// What is known about the calls that one message requested.
#[derive(Clone, Copy, Default)]
struct Mates {
    /// The durations that the producer states, in total, in nanoseconds.
    stated_ns: i64,
    /// The longest time from a call to its result among calls that may take any time, in nanoseconds.
    longest_ns: i64,
}

/// The calls of a trace that waited.
pub(super) fn waits(trace: &Trace) -> FxHashMap<EventId, Wait> {
    let mut tools = Tools::default();
    let mut found = FxHashMap::default();
    let mut is_estimated = false;
    let mut inside = FxHashMap::default();
    for (at, event) in trace.events.iter().enumerate() {
        let Some((start_ns, lasted_ns)) = event.start.get().zip(event.duration.get()) else {
            continue;
        };
        let basis = event.time_basis();
        let id = EventId::from_index(at);
        let whole = |what| Wait {
            what,
            from_ns: start_ns,
            to_ns: start_ns.saturating_add(lasted_ns),
            is_all: true,
            is_inside: false,
        };
        if basis == TimeBasis::WaitingForUser {
            let wait = whole(WaitFor::User);
            found.insert(id, wait);
            if event.kind == EventKind::Span
                && let Some(call) = event.parent()
            {
                add_to_call(trace, call, wait, &mut inside);
            }
        }
        if event.kind != EventKind::ToolCall || basis == TimeBasis::WaitingForUser || lasted_ns <= 0
        {
            continue;
        }
        match (basis, trace.elapsed.get(&id)) {
            (TimeBasis::Elapsed, _) if event.status == CallOutcome::Rejected => {
                found.insert(id, whole(WaitFor::User));
            }
            (TimeBasis::Stated, Some(elapsed_ns))
                if elapsed_ns.saturating_sub(lasted_ns) >= LEAST_WAIT_NS =>
            {
                is_estimated = true;
                let rest_ns = elapsed_ns.saturating_sub(lasted_ns);
                let to_ns = start_ns.saturating_add(rest_ns);
                let what = WaitFor::ApprovalProbably;
                let wait = Wait { what, from_ns: start_ns, to_ns, is_all: false, is_inside: false };
                found.insert(id, wait);
            }
            (TimeBasis::Elapsed, _) if let Some(limit_ns) = trace.time_limits.get(&id) => {
                is_estimated = true;
                let to_ns = start_ns.saturating_add(lasted_ns.saturating_sub(*limit_ns));
                found.insert(id, Wait { to_ns, ..whole(WaitFor::ApprovalProbably) });
            }
            _ => match tools.work_of(trace, event.name) {
                Some(Work::Asks) => {
                    found.insert(id, whole(WaitFor::User));
                }
                Some(Work::IsShort)
                    if basis == TimeBasis::Elapsed && lasted_ns >= LEAST_WAIT_NS =>
                {
                    is_estimated = true;
                    found.insert(id, whole(WaitFor::ApprovalProbably));
                }
                Some(Work::IsShort | Work::RunsCommand) | None => {}
            },
        }
    }
    if is_estimated {
        compare_with_mates(trace, &mut tools, &mut found);
    }
    found.extend(inside);
    found
}

/// Adds the time in which a span inside a call waited for approval to the wait of the call.
fn add_to_call(trace: &Trace, id: EventId, wait: Wait, inside: &mut FxHashMap<EventId, Wait>) {
    let Some(call) = trace.event(id).filter(|call| call.kind == EventKind::ToolCall) else {
        return;
    };
    let Some((start_ns, lasted_ns)) = call.start.get().zip(call.duration.get()) else { return };
    let end_ns = start_ns.saturating_add(lasted_ns);
    if call.time_basis() != TimeBasis::Running || wait.from_ns < start_ns || wait.to_ns > end_ns {
        return;
    }
    let known = inside.entry(id).or_insert(Wait { is_all: false, is_inside: true, ..wait });
    known.from_ns = known.from_ns.min(wait.from_ns);
    known.to_ns = known.to_ns.max(wait.to_ns);
}

/// Calls of one message may run one after another, and their results may be recorded together. So the time in which the
/// others ran is not a wait for the user.
fn compare_with_mates(trace: &Trace, tools: &mut Tools, found: &mut FxHashMap<EventId, Wait>) {
    let parent_of = |id: EventId| trace.event(id).and_then(Event::parent);
    let parents = found.keys().filter_map(|id| parent_of(*id));
    let mut mates: FxHashMap<EventId, Mates> = parents.map(|id| (id, Mates::default())).collect();
    for (at, event) in trace.events.iter().enumerate() {
        if event.kind != EventKind::ToolCall
            || found.contains_key(&EventId::from_index(at))
                && event.time_basis() == TimeBasis::Elapsed
        {
            continue;
        }
        let (Some(parent), Some(lasted_ns)) = (event.parent(), event.duration.get()) else {
            continue;
        };
        let Some(mates) = mates.get_mut(&parent) else { continue };
        match event.time_basis() {
            TimeBasis::Stated => mates.stated_ns = mates.stated_ns.saturating_add(lasted_ns),
            TimeBasis::Elapsed
                if matches!(tools.work_of(trace, event.name), None | Some(Work::RunsCommand)) =>
            {
                mates.longest_ns = mates.longest_ns.max(lasted_ns);
            }
            TimeBasis::Elapsed
            | TimeBasis::Unknown
            | TimeBasis::Running
            | TimeBasis::WaitingForUser => {}
        }
    }
    found.retain(|id, wait| {
        let Some(mates) = parent_of(*id).and_then(|parent| mates.get(&parent)) else { return true };
        if wait.what != WaitFor::ApprovalProbably {
            return true;
        }
        let waited_ns = wait.to_ns.saturating_sub(wait.from_ns);
        if wait.is_all {
            if mates.longest_ns.max(mates.stated_ns) >= waited_ns / 2 {
                wait.what = WaitFor::OtherCalls;
            }
            return true;
        }
        let lasted_ns = trace.event(*id).and_then(|event| event.duration.get()).unwrap_or(0);
        let others_ns = mates.stated_ns.saturating_sub(lasted_ns).max(mates.longest_ns);
        waited_ns.saturating_sub(others_ns) >= LEAST_WAIT_NS
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{MaybeNs, NewEvent, Place, SourceId, Span, TraceBuilder};

    const SECOND: i64 = 1_000_000_000;

    /// A tool, what its duration is based on, that duration in seconds, and the seconds until the result.
    type Call = (&'static str, TimeBasis, i64, i64);

    /// The waits of calls that one message requested, with their lengths in seconds.
    fn waits_of(calls: &[Call], status: CallOutcome) -> Vec<Option<(WaitFor, i64, bool)>> {
        let mut out = TraceBuilder::new();
        let (run, place) = (
            out.run("a", "1"),
            Place { span: Span { source: SourceId::from_index(0), start: 0, len: 1 }, line: 1 },
        );
        let lane = out.lane(run, "");
        let asked_by = out.push(NewEvent { kind: EventKind::LlmCall, run, lane, place });
        let mut ids = Vec::new();
        for (name, basis, seconds, until) in calls {
            let id = out.push(NewEvent { kind: EventKind::ToolCall, run, lane, place });
            let name = out.name(name);
            let event = out.event_mut(id).unwrap();
            (event.name, event.start, event.status) = (name, MaybeNs::new(SECOND), status);
            event.set_parent(Some(asked_by));
            event.set_duration(MaybeNs::new(seconds * SECOND), *basis);
            out.note_elapsed(id, MaybeNs::new(until * SECOND));
            ids.push(id);
        }
        let trace = out.finish();
        let wait = |id: EventId| {
            let wait = trace.wait(id)?;
            Some((wait.what, (wait.to_ns - wait.from_ns) / SECOND, wait.is_all))
        };
        ids.into_iter().map(wait).collect()
    }

    fn wait_of(name: &'static str, basis: TimeBasis, seconds: i64) -> Option<(WaitFor, i64, bool)> {
        waits_of(&[(name, basis, seconds, seconds)], CallOutcome::Ok)[0]
    }

    #[test]
    fn a_question_is_all_waiting() {
        for name in
            ["AskUserQuestion", "ask_followup_question", "ExitPlanMode", "request_user_input"]
        {
            let found = wait_of(name, TimeBasis::Elapsed, 3);
            assert_eq!(found, Some((WaitFor::User, 3, true)), "{name}");
        }
        let told = wait_of("search", TimeBasis::WaitingForUser, 3);
        assert_eq!(told, Some((WaitFor::User, 3, true)));
    }

    #[test]
    fn what_the_user_rejected_was_all_waiting() {
        let found = waits_of(&[("Bash", TimeBasis::Elapsed, 40, 40)], CallOutcome::Rejected);
        assert_eq!(found, [Some((WaitFor::User, 40, true))]);
    }

    #[test]
    fn a_short_tool_that_took_long_probably_waited_for_approval() {
        let probably = Some((WaitFor::ApprovalProbably, 60, true));
        assert_eq!(wait_of("Edit", TimeBasis::Elapsed, 60), probably);
        assert_eq!(wait_of("write_to_file", TimeBasis::Elapsed, 60), probably);
        assert_eq!(wait_of("Edit", TimeBasis::Elapsed, 9), None, "too short");
        assert_eq!(wait_of("Edit", TimeBasis::Stated, 60), None, "the producer states it");
        assert_eq!(wait_of("Bash", TimeBasis::Elapsed, 60), None, "may take any time");
        assert_eq!(wait_of("read_mail", TimeBasis::Elapsed, 60), None, "not local");
    }

    #[test]
    fn what_the_producer_does_not_count_is_a_wait() {
        let wait = |seconds, until| {
            waits_of(&[("exec_command", TimeBasis::Stated, seconds, until)], CallOutcome::Ok)[0]
        };
        assert_eq!(wait(2, 62), Some((WaitFor::ApprovalProbably, 60, false)));
        assert_eq!(wait(2, 11), None, "too short");
        assert_eq!(wait(90, 1), None, "the process went on after the result");
    }

    #[test]
    fn calls_that_wait_at_the_same_time_do_not_wait_for_each_other() {
        let calls = [("edit", TimeBasis::Elapsed, 60, 60), ("edit", TimeBasis::Elapsed, 70, 70)];
        let waits = waits_of(&calls, CallOutcome::Ok).into_iter();
        assert!(waits.flatten().all(|wait| wait.0 == WaitFor::ApprovalProbably));
    }

    #[test]
    fn a_call_works_after_the_approval_inside_it() {
        let mut out = TraceBuilder::new();
        let run = out.run("a", "1");
        let place =
            Place { span: Span { source: SourceId::from_index(0), start: 0, len: 1 }, line: 1 };
        let lane = out.lane(run, "");
        let mut push = |kind, parent, start: i64, seconds: i64, basis| {
            let id = out.push(NewEvent { kind, run, lane, place });
            let event = out.event_mut(id).unwrap();
            event.start = MaybeNs::new(start * SECOND);
            event.set_parent(parent);
            event.set_duration(MaybeNs::new(seconds * SECOND), basis);
            id
        };
        let call = push(EventKind::ToolCall, None, 10, 60, TimeBasis::Running);
        let approval = push(EventKind::Span, Some(call), 12, 50, TimeBasis::WaitingForUser);
        let other = push(EventKind::ToolCall, None, 10, 60, TimeBasis::Running);
        // The parts of a call that a clock puts outside it are not subtracted from it.
        push(EventKind::Span, Some(other), 65, 50, TimeBasis::WaitingForUser);
        let trace = out.finish();
        let wait = trace.wait(call).unwrap();
        assert_eq!(
            (wait.what, wait.from_ns, wait.to_ns),
            (WaitFor::User, 12 * SECOND, 62 * SECOND)
        );
        assert_eq!(trace.work_start(call), MaybeNs::new(62 * SECOND));
        assert_eq!(trace.work(call), MaybeNs::new(8 * SECOND));
        assert_eq!(trace.work(approval), MaybeNs::UNKNOWN);
        assert_eq!((trace.wait(other), trace.work(other)), (None, MaybeNs::new(60 * SECOND)));
    }

    #[test]
    fn calls_of_one_message_may_wait_for_each_other() {
        let calls = [("read", TimeBasis::Elapsed, 60, 60), ("bash", TimeBasis::Elapsed, 60, 60)];
        let found = waits_of(&calls, CallOutcome::Ok);
        assert_eq!(found, [Some((WaitFor::OtherCalls, 60, true)), None]);
        let one_after_another = [
            ("exec", TimeBasis::Stated, 30, 30),
            ("exec", TimeBasis::Stated, 30, 60),
            ("exec", TimeBasis::Stated, 30, 90),
        ];
        assert_eq!(waits_of(&one_after_another, CallOutcome::Ok), [None, None, None]);
    }
}
