//! Which result belongs to which call.
//!
//! Results are paired by id if there is one: the first result with an id goes to the first call with that id, and so
//! on; a result that comes first waits for its call. A result without an id goes to the oldest waiting call, with the
//! same name if the result has one; calls without an id are preferred. A result with an id is never paired with a call
//! that has another id or none.

use std::cmp::Reverse;
use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::calls::{answer, arguments_of, begin, enrich};
use super::item_context::{Taken, push};
use crate::kit::{Known, Wait};
use traceloupe_core::json::Json;
use traceloupe_core::model::{EventId, EventKind, LaneId, Link, NameId, Status, TraceBuilder};
use traceloupe_core::warning_code::WarningCode;

/// The calls and results of one source.
#[derive(Default)]
pub(super) struct Pairs {
    by_id: FxHashMap<u64, Slot>,
    /// Calls with an id that have neither a result nor a span yet, oldest first.
    unopened: FxHashMap<LaneId, VecDeque<EventId>>,
    /// Calls that have no result yet, oldest first, with the keys of those that have an id. Some of them may have
    /// received their result since.
    in_order: FxHashMap<LaneId, VecDeque<(EventId, Option<u64>)>>,
    /// Rows of results without an id, the newest last, because such a result may be repeated.
    nameless: FxHashMap<LaneId, VecDeque<EventId>>,
}

/// How many results without an id may be repeated.
const MAX_NAMELESS: usize = 64;

/// How many calls wait for results without an id.
const MAX_WAITING: usize = 1_024;

/// How many calls wait for their spans.
const MAX_UNOPENED: usize = 64;

/// The calls and results with one id.
#[derive(Default)]
struct Slot {
    calls: Vec<EventId>,
    /// How many of the calls have their result.
    n_answered: usize,
    /// Rows of results that came before their call.
    early: VecDeque<EventId>,
    /// Whether the last of these was a repetition: the same result may still come for the first time.
    is_retold: bool,
}

impl Pairs {
    /// Handles a call: it gets a new row, or the row of a result that came earlier. A call with its result is the one
    /// that waits for a result with its id, because the model requested it in an earlier record. Also returns whether
    /// the row is new, as opposed to that of an earlier call.
    pub(super) fn call(
        &mut self,
        taken: &Taken<'_, '_>,
        out: &mut TraceBuilder,
    ) -> (EventId, bool) {
        let Some(key) = taken.key("call", taken.item.id) else {
            let event = push(taken, EventKind::ToolCall, out);
            begin(event, taken, out);
            // A call that is carried out does not wait if its outcome is already recorded.
            let is_told = taken.item.repeats.known == Known::Maybe && !is_waiting(event, out);
            if !has_result(taken) && !is_told {
                self.wait(event, None, taken, out);
            }
            return (event, true);
        };
        let slot = self.by_id.entry(key).or_default();
        let waiting = slot.calls.get(slot.n_answered).copied();
        if let Some(asked) = waiting.filter(|_| has_result(taken)) {
            slot.n_answered += 1;
            super::add(asked, taken, out);
            begin(asked, taken, out);
            return (asked, false);
        }
        let event = match slot.early.pop_front() {
            Some(early) => {
                super::add(early, taken, out);
                slot.n_answered += 1;
                early
            }
            None => {
                let event = push(taken, EventKind::ToolCall, out);
                slot.n_answered += usize::from(has_result(taken));
                event
            }
        };
        slot.calls.push(event);
        begin(event, taken, out);
        if !has_result(taken) {
            let unopened = self.unopened.entry(taken.lane).or_default();
            unopened.push_back(event);
            if unopened.len() > MAX_UNOPENED {
                unopened.pop_front();
            }
            self.wait(event, Some(key), taken, out);
        }
        (event, true)
    }

    /// Handles a call that may have been recorded before: the one with its id, or, if it is only a repetition, the one
    /// that the same LLM call requested.
    pub(super) fn called_again(
        &mut self,
        asked_by: Option<EventId>,
        taken: &Taken<'_, '_>,
        out: &mut TraceBuilder,
    ) -> Option<EventId> {
        let item = taken.item;
        let is_maybe_known = item.repeats.known == Known::Maybe;
        (item.repeats.is_again || is_maybe_known).then_some(())?;
        if is_maybe_known && !item.id.is_given() {
            return self.asked_for(taken, out);
        }
        let known = *self.by_id.get(&taken.key("call", item.id)?)?.calls.last()?;
        if !is_maybe_known && out.trace().event(known)?.parent() != asked_by {
            return None;
        }
        super::add(known, taken, out);
        begin(known, taken, out);
        Some(known)
    }

    /// The earlier LLM call that requested one of the calls that a piece repeats.
    pub(super) fn asked_before(
        &self,
        taken: &Taken<'_, '_>,
        out: &TraceBuilder,
    ) -> Option<EventId> {
        (taken.item.repeats.known == Known::Maybe).then_some(())?;
        let number = Some(usize::from(taken.number));
        let mut calls = taken.description.items.iter().filter(|item| item.asking_item() == number);
        calls.find_map(|item| {
            let known = self.by_id.get(&taken.key("call", item.id)?)?.calls.last()?;
            out.trace().event(*known)?.parent()
        })
    }

    /// The call that a model requested and that an item without an id carries out: one with the same name. Equal
    /// arguments are preferred, and then the later request; the calls of one request are used in order.
    fn asked_for(&mut self, taken: &Taken<'_, '_>, out: &mut TraceBuilder) -> Option<EventId> {
        let name = out.name(&taken.item.name);
        let arguments = arguments_of(taken.item).present().map(Json::fingerprint);
        let waiting = self.in_order.get_mut(&taken.queue)?;
        let fits = |(at, (call, _)): (usize, &(EventId, Option<u64>))| {
            let event = out.trace().event(*call)?;
            let is_it = event.name == name && event.status == Status::Missing;
            let is_same = arguments == Some(event.args_hash);
            is_it.then_some((is_same, event.parent()?, Reverse(at)))
        };
        let (_, _, Reverse(at)) = waiting.iter().enumerate().filter_map(fits).max()?;
        let (call, key) = waiting.remove(at)?;
        if let Some(slot) = key.and_then(|key| self.by_id.get_mut(&key)) {
            slot.n_answered += 1;
        }
        super::add(call, taken, out);
        begin(call, taken, out);
        Some(call)
    }

    /// Lets a call wait for a result without an id.
    fn wait(
        &mut self,
        event: EventId,
        key: Option<u64>,
        taken: &Taken<'_, '_>,
        out: &TraceBuilder,
    ) {
        let waiting = self.in_order.entry(taken.queue).or_default();
        while waiting.front().is_some_and(|(call, key)| key.is_some() && !is_waiting(*call, out)) {
            waiting.pop_front();
        }
        waiting.push_back((event, key));
        if waiting.len() > MAX_WAITING {
            waiting.pop_front();
        }
    }

    /// The call that a span belongs to: the first one with its name that has neither a result nor a span.
    pub(super) fn take_unopened(
        &mut self,
        taken: &Taken<'_, '_>,
        out: &mut TraceBuilder,
    ) -> Option<EventId> {
        let name = out.name(&taken.item.name);
        let unopened = self.unopened.get_mut(&taken.lane)?;
        let at = unopened.iter().position(|call| {
            let known = out.trace().event(*call);
            known.is_some_and(|known| known.name == name) && is_waiting(*call, out)
        })?;
        unopened.remove(at)
    }

    /// Handles a result that counts only if its call waits for one, and is something else otherwise.
    pub(super) fn awaited(
        &mut self,
        taken: &Taken<'_, '_>,
        out: &mut TraceBuilder,
    ) -> Option<EventId> {
        let slot = self.by_id.get_mut(&taken.key("call", taken.item.id)?)?;
        let call = slot.calls.get(slot.n_answered).copied()?;
        slot.n_answered += 1;
        super::add(call, taken, out);
        answer(call, taken, out);
        Some(call)
    }

    /// Handles a result that may be a repetition: it counts if its call waits for one, or if neither the call nor a
    /// result of it has been recorded.
    pub(super) fn told_again(
        &mut self,
        taken: &Taken<'_, '_>,
        out: &mut TraceBuilder,
    ) -> Option<EventId> {
        let Some(key) = taken.key("call", taken.item.id) else {
            if let Some(told) = self.take_nameless(taken, out) {
                super::add(told, taken, out);
                return Some(told);
            }
            return Some(self.result(taken, out));
        };
        let slot = self.by_id.entry(key).or_default();
        if slot.calls.is_empty() && slot.early.is_empty() {
            let event = self.result(taken, out);
            self.by_id.entry(key).or_default().is_retold = true;
            return Some(event);
        }
        self.awaited(taken, out)
    }

    /// The row of a result without an id that has the same value.
    fn take_nameless(&mut self, taken: &Taken<'_, '_>, out: &TraceBuilder) -> Option<EventId> {
        let value = super::calls::result_of(taken.item).present()?.fingerprint();
        let told = self.nameless.get_mut(&taken.lane)?;
        let has_value =
            |it: &EventId| out.trace().event(*it).is_some_and(|event| event.result_hash == value);
        told.remove(told.iter().position(has_value)?)
    }

    /// Handles a result: it belongs to the row of its call. Without a call, it gets a row of its own.
    pub(super) fn result(&mut self, taken: &Taken<'_, '_>, out: &mut TraceBuilder) -> EventId {
        let key = taken.key("call", taken.item.id);
        let call = match key {
            Some(key) => {
                let slot = self.by_id.entry(key).or_default();
                if std::mem::take(&mut slot.is_retold)
                    && let Some(told) = slot.early.back().copied()
                {
                    super::add(told, taken, out);
                    answer(told, taken, out);
                    return told;
                }
                let call = slot.calls.get(slot.n_answered).or_else(|| slot.calls.last()).copied();
                match call {
                    Some(_) => slot.n_answered += 1,
                    None => {
                        let event = push(taken, EventKind::ToolCall, out);
                        slot.early.push_back(event);
                        answer(event, taken, out);
                        return event;
                    }
                }
                call
            }
            None => self.next_in_order(taken, out),
        };
        let event = match call {
            Some(call) => {
                super::add(call, taken, out);
                call
            }
            None if taken.item.label_without_call().is_empty() => {
                push(taken, EventKind::ToolCall, out)
            }
            None => {
                let event = push(taken, EventKind::Note, out);
                let label = out.name(taken.item.label_without_call());
                if let Some(event) = out.event_mut(event) {
                    event.name = label;
                }
                return event;
            }
        };
        answer(event, taken, out);
        if key.is_none() && !taken.item.repeats.is_again {
            let told = self.nameless.entry(taken.lane).or_default();
            told.push_back(event);
            if told.len() > MAX_NAMELESS {
                told.pop_front();
            }
        }
        event
    }

    /// Handles further data about a call. Without a call, it gets a row of its own, unless it may be known.
    pub(super) fn update(
        &mut self,
        taken: &Taken<'_, '_>,
        out: &mut TraceBuilder,
    ) -> Option<EventId> {
        let item = taken.item;
        let slot = taken.key("call", item.id).and_then(|key| self.by_id.get(&key));
        let known = slot.and_then(|slot| slot.calls.last().or(slot.early.back())).copied();
        let Some(call) = known.or_else(|| self.approved(taken, out)) else {
            let is_row = item.repeats.known == Known::No;
            return is_row.then(|| push(taken, EventKind::Note, out));
        };
        super::add(call, taken, out);
        enrich(call, taken, out);
        if let Some(key) = taken.key("call", item.other_id()) {
            let slot = Slot { calls: vec![call], n_answered: 1, ..Slot::default() };
            self.by_id.entry(key).or_insert(slot);
        }
        Some(call)
    }

    /// The call that an update without an id allows to run: the oldest waiting one with its name.
    fn approved(&self, taken: &Taken<'_, '_>, out: &mut TraceBuilder) -> Option<EventId> {
        let item = taken.item;
        (item.time.wait == Wait::Ends && !item.id.is_given()).then_some(())?;
        let at = self.place_in_order(taken, out)?;
        self.in_order.get(&taken.queue)?.get(at).map(|(call, _)| *call)
    }

    /// Handles a message from the user: earlier calls without an id can no longer get a result.
    pub(super) fn forget_order(&mut self, lane: LaneId) {
        self.in_order.remove(&lane);
    }

    /// Ends the source. Results without a call are kept, because their call may be in another source.
    pub(super) fn finish(&mut self, format: &'static str, out: &mut TraceBuilder) {
        for (key, slot) in self.by_id.drain() {
            for event in &slot.early {
                out.link(format, Link { key, time_ns: RESULT, event: *event });
            }
            for event in slot.calls.iter().skip(slot.n_answered) {
                out.link(format, Link { key, time_ns: CALL, event: *event });
            }
        }
    }

    fn next_in_order(&mut self, taken: &Taken<'_, '_>, out: &mut TraceBuilder) -> Option<EventId> {
        let at = self.place_in_order(taken, out)?;
        let (call, key) = self.in_order.get_mut(&taken.queue)?.remove(at)?;
        if let Some(slot) = key.and_then(|key| self.by_id.get_mut(&key)) {
            slot.n_answered += 1;
        }
        Some(call)
    }

    /// Where the oldest waiting call stands in the queue, with the name of an item if it has one.
    fn place_in_order(&self, taken: &Taken<'_, '_>, out: &mut TraceBuilder) -> Option<usize> {
        let waiting = self.in_order.get(&taken.queue)?;
        let name = out.name(&taken.item.name);
        let is_it = |call: EventId| {
            let called = out.trace().event(call).map_or(NameId::NONE, |event| event.name);
            name == NameId::NONE || called == NameId::NONE || name == called
        };
        let at = waiting.iter().position(|(call, key)| key.is_none() && is_it(*call));
        at.or_else(|| waiting.iter().position(|it| is_it(it.0) && is_waiting(it.0, out)))
    }
}

/// In a [`Link`]: distinguishes a call that waits for its result from a result that waits for its call.
const CALL: i64 = 0;
const RESULT: i64 = 1;

fn is_waiting(call: EventId, out: &TraceBuilder) -> bool {
    out.trace().event(call).is_some_and(|call| call.status == Status::Missing)
}

/// Joins results to calls of other sources, once all sources have been read. Results without a call raise a warning.
pub(super) fn join(links: &[Link], out: &mut TraceBuilder) {
    for group in links.chunk_by(|one, other| one.key == other.key) {
        let calls = group.iter().filter(|link| link.time_ns == CALL);
        let results = group.iter().filter(|link| link.time_ns == RESULT);
        let mut calls = calls;
        for result in results {
            match calls.next() {
                Some(call) => {
                    super::calls::take_over(call.event, result.event, out);
                    out.absorb(result.event, call.event);
                }
                None if out.is_partial() => {}
                None => {
                    let place = out.trace().place_of(result.event);
                    if let Some(place) = place {
                        out.warn(WarningCode::ResultWithoutCall, &place, "");
                    }
                }
            }
        }
    }
}

/// Whether the record of a call also has its result.
fn has_result(taken: &Taken<'_, '_>) -> bool {
    super::calls::result_of(taken.item) != Json::ABSENT
}
