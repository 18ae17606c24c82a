//! The agents of a run, and the times when none of them did anything.

use rustc_hash::FxHashMap;

use traceloupe_core::model::{Event, EventKind, LEAST_WAIT_NS, LaneId, Trace, Wait};
use traceloupe_protocol::outline::{LaneLine, MAX_LANES, RunLine};

const SECOND_NS: i64 = 1_000_000_000;

/// A pause between two steps counts as idle time if it is longer than this.
const IDLE_NS: i64 = 5 * 60 * SECOND_NS;

/// A pause that ends with a user message counts as idle time if it is longer than this, because only the user was
/// waited for.
const WAIT_NS: i64 = 60 * SECOND_NS;

/// A program may record notes about a message up to this long before the message itself.
const NOTED_BEFORE_NS: i64 = 5 * SECOND_NS;

/// The most idle times that are listed.
const MAX_IDLE: usize = 500;

/// The name of an agent, otherwise its id; empty for a main agent without a name.
pub(super) fn name_of(trace: &Trace, lane: LaneId) -> String {
    let name = trace.lane(lane).map(|it| match trace.name(it.name) {
        "" => it.key.clone(),
        name => name.to_owned(),
    });
    name.unwrap_or_default()
}

/// The agents seen so far, and their indices in the run.
#[derive(Default)]
pub(super) struct Lanes {
    known: FxHashMap<u32, u16>,
    lines: Vec<LaneLine>,
}

impl Lanes {
    /// The agents of a run whose agents have already been collected.
    pub(super) fn of(run: &RunLine) -> Self {
        let known = run.lanes.iter().zip(0..).map(|(line, index)| (line.lane, index)).collect();
        Self { known, lines: run.lanes.clone() }
    }

    /// The index of an agent.
    pub(super) fn index(&self, lane: LaneId) -> u16 {
        let last = u16::try_from(self.lines.len().saturating_sub(1)).unwrap_or(0);
        self.known.get(&lane.number()).copied().unwrap_or(last)
    }

    /// Counts a row of an agent, adding the agent if it is new and there is room.
    pub(super) fn count(&mut self, trace: &Trace, lane: LaneId) {
        if !self.known.contains_key(&lane.number()) && self.lines.len() < MAX_LANES {
            let is_main = trace.lane(lane).is_some_and(|it| it.key.is_empty());
            let name = name_of(trace, lane);
            let index = u16::try_from(self.lines.len()).unwrap_or(0);
            self.known.insert(lane.number(), index);
            self.lines.push(LaneLine { lane: lane.number(), name, is_main, n_rows: 0 });
        }
        let index = usize::from(self.index(lane));
        if let Some(line) = self.lines.get_mut(index) {
            line.n_rows += 1;
        }
    }

    /// The agents, in order of first appearance. If none of them is the main agent, as in the file of a sub-agent, the
    /// first one becomes it.
    pub(super) fn lines(mut self, trace: &Trace) -> Vec<LaneLine> {
        let key = |line: &LaneLine| trace.lane(LaneId::from_index(line.lane as usize));
        let is_main = |line: &LaneLine| key(line).is_some_and(|lane| lane.key.is_empty());
        let has_main = self.lines.iter().any(is_main);
        for (at, line) in self.lines.iter_mut().enumerate() {
            line.is_main = if has_main { is_main(line) } else { at == 0 };
        }
        self.lines
    }
}

/// Collects the times of events.
#[derive(Default)]
pub(super) struct Busy {
    /// Start and end in nanoseconds.
    times: Vec<(i64, i64)>,
    /// When the user wrote, in nanoseconds.
    messages: Vec<i64>,
    /// When calls waited, in nanoseconds: start and end.
    waits: Vec<(i64, i64)>,
    /// When the first message, call or span began, in nanoseconds. Earlier records are only notes of the program.
    first_step: Option<i64>,
}

/// The times during which nothing happened in a run.
#[derive(Default, PartialEq, Debug)]
pub(super) struct Pauses {
    /// The idle times, in milliseconds since 1970.
    pub(super) idle_ms: Vec<(f64, f64)>,
    /// If only notes of the program precede a pause: when that pause ended, in nanoseconds. The run began at that time.
    pub(super) begins_ns: Option<i64>,
}

impl Busy {
    /// Adds an event. An event that only contains others counts as an instant, because nothing else may happen during
    /// it, and one that waits is an instant at each end. A score does not count, because it may be given long after the
    /// run.
    pub(super) fn add(&mut self, event: &Event, wait: Option<Wait>, is_main: bool) {
        let Some(start) = event.start.get().filter(|_| event.kind != EventKind::Evaluation) else {
            return;
        };
        if event.kind == EventKind::UserMessage && is_main {
            self.messages.push(start);
        }
        let is_noted = matches!(
            event.kind,
            EventKind::RunStart | EventKind::SystemMessage | EventKind::Note | EventKind::State
        );
        if !is_noted && event.kind != EventKind::Record {
            self.first_step = Some(self.first_step.map_or(start, |first| first.min(start)));
        }
        let is_frame =
            matches!(event.kind, EventKind::Agent | EventKind::Span | EventKind::RunStart);
        let length = event.duration.get().filter(|_| !is_frame).unwrap_or(0).max(0);
        let Some(wait) = wait else {
            self.times.push((start, start.saturating_add(length)));
            return;
        };
        let works = match (wait.is_all, wait.is_inside) {
            (true, _) => 0,
            (false, true) => start.saturating_add(length).saturating_sub(wait.to_ns).max(0),
            (false, false) => length,
        };
        self.times.push((start, start));
        self.times.push((wait.to_ns, wait.to_ns.saturating_add(works)));
        self.waits.push((wait.from_ns, wait.to_ns));
    }

    /// The pauses between steps that are longer than five minutes, those longer than one minute that end with a user
    /// message, and the times in which calls waited while nothing else was done. Pauses before the first step do not
    /// belong to the run.
    pub(super) fn pauses(mut self) -> Pauses {
        if !self.times.is_sorted() {
            traceloupe_core::sorting::sort(&mut self.times);
        }
        if !self.messages.is_sorted() {
            traceloupe_core::sorting::sort(&mut self.messages);
        }
        let waits = joined(self.waits);
        let messages = self.messages;
        // After a user message, the run waits for the answer, not for the user.
        let is_for_person = |from: i64, to: i64| {
            let next = messages.get(messages.partition_point(|at| *at < to));
            messages.binary_search(&from).is_err()
                && next.is_some_and(|at| at.saturating_sub(to) <= NOTED_BEFORE_NS)
        };
        let mut pauses = Pauses::default();
        let mut until = self.times.first().map_or(0, |it| it.0);
        for (start, end) in self.times {
            let pause = start.saturating_sub(until);
            let is_idle = pause > IDLE_NS || pause > WAIT_NS && is_for_person(until, start);
            if is_idle && self.first_step.is_some_and(|first| start <= first) {
                pauses.begins_ns = Some(start);
            } else if is_idle && pauses.idle_ms.len() < MAX_IDLE {
                #[expect(clippy::cast_precision_loss)]
                // microseconds of current dates fit a double
                pauses.idle_ms.push((until as f64 / 1e6, start as f64 / 1e6));
            } else if pause >= LEAST_WAIT_NS {
                let first = waits.partition_point(|(_, to)| *to <= until);
                let within = waits.get(first..).unwrap_or_default().iter();
                for (from, to) in within.take_while(|(from, _)| *from < start) {
                    let (from, to) = ((*from).max(until), (*to).min(start));
                    if to - from >= LEAST_WAIT_NS && pauses.idle_ms.len() < MAX_IDLE {
                        #[expect(clippy::cast_precision_loss)]
                        pauses.idle_ms.push((from as f64 / 1e6, to as f64 / 1e6));
                    }
                }
            }
            until = until.max(end);
        }
        pauses
    }
}

/// The same times in order, where those that overlap are one.
fn joined(mut times: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
    traceloupe_core::sorting::sort(&mut times);
    let mut joined: Vec<(i64, i64)> = Vec::with_capacity(times.len());
    for (from, to) in times {
        match joined.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_idle_unless_something_else_is_done() {
        let second = 1_000_000_000;
        let idle = |times: &[(i64, i64)], waits: &[(i64, i64)]| {
            let all =
                |of: &[(i64, i64)]| of.iter().map(|it| (it.0 * second, it.1 * second)).collect();
            let busy = Busy { times: all(times), waits: all(waits), ..Busy::default() };
            let idle = busy.pauses().idle_ms.into_iter();
            idle.map(|it| (it.0 / 1e3, it.1 / 1e3)).collect::<Vec<_>>()
        };
        let wait = [(10, 70), (20, 60)];
        assert_eq!(idle(&[(0, 10), (10, 10), (70, 72)], &wait), [(10.0, 70.0)]);
        assert_eq!(idle(&[(0, 10), (70, 72)], &[]), [], "no wait");
        // Another agent works for most of the time.
        assert_eq!(idle(&[(0, 10), (10, 10), (12, 50), (70, 72)], &wait), [(50.0, 70.0)]);
        assert_eq!(idle(&[(0, 10), (10, 10), (12, 65), (70, 72)], &wait), [], "too short");
    }

    #[test]
    fn only_long_pauses_are_idle() {
        let minute = 60_000_000_000;
        let idle = |times: &[(i64, i64)]| {
            let times = times.iter().map(|it| (it.0 * minute, it.1 * minute)).collect();
            let idle = Busy { times, ..Busy::default() }.pauses().idle_ms.into_iter();
            idle.map(|it| (it.0 / 60e3, it.1 / 60e3)).collect::<Vec<_>>()
        };
        assert_eq!(idle(&[]), []);
        assert_eq!(idle(&[(0, 1), (6, 7), (13, 13)]), [(7.0, 13.0)]);
        // Another agent works while the first one waits, and is written later.
        assert_eq!(idle(&[(0, 1), (20, 21), (1, 12)]), [(12.0, 20.0)]);
        assert_eq!(idle(&[(0, 60), (10, 11), (61, 62)]), []);
    }

    #[test]
    fn what_waits_for_the_person_is_idle_sooner() {
        let second = 1_000_000_000;
        let idle = |times: &[(i64, i64)], messages: &[i64]| {
            let times = times.iter().map(|it| (it.0 * second, it.1 * second)).collect();
            let messages = messages.iter().map(|at| at * second).collect();
            let busy = Busy { times, messages, ..Busy::default() };
            let idle = busy.pauses().idle_ms.into_iter();
            idle.map(|it| (it.0 / 1e3, it.1 / 1e3)).collect::<Vec<_>>()
        };
        // An answer until 20, and the next message at 100, preceded by a note of the program.
        assert_eq!(idle(&[(0, 0), (0, 20), (98, 98), (100, 100)], &[0, 100]), [(20.0, 98.0)]);
        // An answer of 80 seconds with an unknown start is not idle time.
        assert_eq!(idle(&[(0, 0), (80, 80), (100, 100)], &[0, 100]), []);
        // Neither is a slow tool, nor the time between two user messages.
        assert_eq!(idle(&[(0, 10), (200, 210), (211, 211), (300, 300)], &[211, 300]), []);
    }

    #[test]
    fn a_run_begins_after_a_pause_that_only_notes_stand_before() {
        let hour = 3_600_000_000_000;
        let pauses = |first_step: i64| {
            let times = [0, 0, 23, 24, 25].map(|at| (at * hour, at * hour)).to_vec();
            Busy { times, first_step: Some(first_step * hour), ..Busy::default() }.pauses()
        };
        let from_to = |from: i64, to: i64| ((from * 3_600_000) as f64, (to * 3_600_000) as f64);
        let found = pauses(23);
        assert_eq!(found.begins_ns, Some(23 * hour));
        assert_eq!(found.idle_ms, [from_to(23, 24), from_to(24, 25)]);
        let found = pauses(0);
        assert_eq!(found.begins_ns, None);
        assert_eq!(found.idle_ms, [from_to(0, 23), from_to(23, 24), from_to(24, 25)]);
    }
}
