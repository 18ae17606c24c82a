//! Calls that a model asked for, in files where spans carry calls out.
//!
//! A span that carries a call out is its row. It is found by the id of the call; else by name and arguments, and by
//! name alone, the first one that begins after the request. Names that libraries lengthen are still the same
//! (`functions.search`, `search.tool`). Only what no span carries out gets a row of its own, under its LLM call, with the
//! result that a later request carries.

use std::cmp::Reverse;
use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::{arguments_of, result_of};
use super::taken::{Summary, Taken, summary_of};
use crate::case::lower;
use crate::formats::fields::between;
use crate::formats::kit::What;
use crate::formats::shapes::exit_code;
use crate::json::Json;
use crate::model::{
    Event, EventId, EventKind, Flags, LaneId, MaybeNs, NameId, NewEvent, Place, RunId, Status,
    TraceBuilder,
};

/// The calls of one source that a model asked for.
#[derive(Default)]
pub(super) struct Asked {
    calls: Vec<Call>,
    /// Results in later requests, the first one of each id.
    results: FxHashMap<u64, Answer>,
    /// Results without an id, in the order of the file.
    nameless: Vec<Answer>,
    /// The spans that carry out calls.
    spans: Vec<EventId>,
    /// Those of calls with an id.
    carried_out: FxHashMap<u64, EventId>,
}

/// A call that a model asked for.
struct Call {
    key: Option<u64>,
    /// The span of the LLM call.
    asked_by: u64,
    place: Place,
    number: u16,
    run: RunId,
    lane: LaneId,
    name: NameId,
    arguments: u64,
    id_hash: u64,
    summary: Summary,
}

/// Where a call was told, by which record of which LLM call.
struct Told {
    key: Option<u64>,
    place: Place,
    model: EventId,
}

/// A result in a later request.
struct Answer {
    place: Place,
    number: u16,
    run: RunId,
    name: NameId,
    /// The span of the LLM call with the request.
    told_by: u64,
    result: u64,
    status: Option<Status>,
    error: NameId,
}

impl Asked {
    /// Takes a call that a model asked for, or a result that a request carries.
    pub(super) fn take(&mut self, taken: &Taken<'_, '_>, out: &mut TraceBuilder) {
        let item = taken.item;
        let key = taken.key("call", item.id);
        let Some(span) = taken.key("span", item.parent) else { return };
        let (place, number, run) = (taken.record.place(), taken.number, taken.run);
        let name = out.name(&item.name);
        if item.what == What::Call {
            self.calls.push(Call {
                key,
                asked_by: span,
                place,
                number,
                run,
                lane: taken.lane,
                name,
                arguments: arguments_of(item).present().map_or(0, Json::fingerprint),
                id_hash: super::taken::id_hash(item),
                summary: summary_of(taken),
            });
            return;
        }
        let result = result_of(item);
        let error = exit_code::name_of(result).map_or(NameId::NONE, |name| out.name(&name));
        let (result, status) = (result.fingerprint(), item.status);
        let answer = Answer { place, number, run, name, told_by: span, result, status, error };
        match key {
            Some(key) => drop(self.results.entry(key).or_insert(answer)),
            None => self.nameless.push(answer),
        }
    }

    /// Notes a span that carries out a call.
    pub(super) fn carry_out(&mut self, event: EventId, taken: &Taken<'_, '_>) {
        if !taken.item.span.is_given() {
            return;
        }
        self.spans.push(event);
        if let Some(key) = taken.key("call", taken.item.id) {
            self.carried_out.entry(key).or_insert(event);
        }
    }

    /// The source has ended, and its spans are nested: calls that no span carries out get rows.
    pub(super) fn finish(&mut self, out: &mut TraceBuilder) {
        let mut calls = std::mem::take(&mut self.calls);
        if calls.is_empty() {
            return;
        }
        Self::drop_repeated(&mut calls, out);
        let by_id = |call: &Call| self.carried_out.get(&call.key?).copied();
        let used: FxHashSet<EventId> = calls.iter().filter_map(by_id).collect();
        calls.retain(|call| by_id(call).is_none());
        Spans::of(&self.spans, used, out).drop_carried_out(&mut calls, out);
        for call in calls {
            let answer = match call.key {
                Some(key) => self.results.remove(&key),
                None => self.take_nameless(&call),
            };
            push(call, answer, out);
        }
    }

    /// Two libraries may see one LLM call: in spans beside each other or around each other, or in a span and a log. The
    /// calls that it asks for count once, in the innermost span.
    fn drop_repeated(calls: &mut Vec<Call>, out: &TraceBuilder) {
        let mut by_id: FxHashSet<u64> = FxHashSet::default();
        let mut alike: FxHashMap<(RunId, NameId, u64), Vec<Told>> = FxHashMap::default();
        let depth = |call: &Call| out.bound(call.asked_by).map_or(0, |id| around(id, out).count());
        let mut inner_first: Vec<(Reverse<usize>, usize)> =
            calls.iter().enumerate().map(|(at, call)| (Reverse(depth(call)), at)).collect();
        crate::order::sort(&mut inner_first);
        let mut is_repeated = vec![false; calls.len()];
        for (_, at) in inner_first {
            let (Some(call), Some(is_repeated)) = (calls.get(at), is_repeated.get_mut(at)) else {
                continue;
            };
            if call.key.is_some_and(|key| !by_id.insert(key)) {
                *is_repeated = true;
                continue;
            }
            let Some(model) = out.bound(call.asked_by) else { continue };
            let alike = alike.entry((call.run, call.name, call.arguments)).or_default();
            // A model may ask for the same several times in one answer.
            let is_same = |told: &Told| {
                told.place != call.place
                    && (told.key.is_none() || call.key.is_none())
                    && are_one(told.model, model, out)
            };
            *is_repeated = alike.iter().rev().take(MAX_ALIKE).any(is_same);
            if !*is_repeated {
                alike.push(Told { key: call.key, place: call.place, model });
            }
        }
        let mut is_repeated = is_repeated.into_iter();
        calls.retain(|_| is_repeated.next() != Some(true));
    }

    fn take_nameless(&mut self, call: &Call) -> Option<Answer> {
        let is_it = |answer: &Answer| {
            answer.run == call.run
                && answer.told_by != call.asked_by
                && (answer.name == call.name || answer.name == NameId::NONE)
        };
        self.nameless.iter().position(is_it).map(|at| self.nameless.remove(at))
    }
}

/// How many calls of one name and the same arguments are compared with the next one.
const MAX_ALIKE: usize = 64;

/// How many levels up an LLM call is looked for.
const MAX_LEVELS: usize = 100;

/// Whether two LLM calls that ask for the same may be one: they overlap in time, or one is around the other.
fn are_one(one: EventId, other: EventId, out: &TraceBuilder) -> bool {
    let range = |id: EventId| {
        let event = out.trace().event(id)?;
        let start = event.start.get()?;
        Some((start, start.checked_add(event.duration.get()?)?))
    };
    let overlap = range(one).zip(range(other)).is_some_and(|(a, b)| a.0 < b.1 && b.0 < a.1);
    let is_nested =
        around(one, out).any(|id| id == other) || around(other, out).any(|id| id == one);
    one == other || overlap || is_nested
}

/// The events around an event, the innermost first.
fn around(id: EventId, out: &TraceBuilder) -> impl Iterator<Item = EventId> {
    let parent = |id: &EventId| out.trace().event(*id).and_then(Event::parent);
    std::iter::successors(parent(&id), parent).take(MAX_LEVELS)
}

/// The spans of one source that may carry out calls, in the order of their beginnings.
struct Spans {
    by_arguments: FxHashMap<(RunId, NameId, u64), VecDeque<EventId>>,
    by_name: FxHashMap<(RunId, NameId), VecDeque<EventId>>,
    by_part: FxHashMap<RunId, Vec<(String, EventId)>>,
    used: FxHashSet<EventId>,
}

impl Spans {
    /// Some spans, without those that are known to carry out calls.
    fn of(spans: &[EventId], used: FxHashSet<EventId>, out: &TraceBuilder) -> Self {
        let trace = out.trace();
        let unused = spans.iter().filter(|id| !used.contains(id));
        let mut spans: Vec<_> = unused.filter_map(|id| Some((trace.event(*id)?, *id))).collect();
        crate::order::sort_by_key(&mut spans, |(event, _)| event.start.get());
        let mut found = Self {
            by_arguments: FxHashMap::default(),
            by_name: FxHashMap::default(),
            by_part: FxHashMap::default(),
            used,
        };
        for (event, id) in spans {
            let (run, name) = (event.run, event.name);
            found.by_arguments.entry((run, name, event.args_hash)).or_default().push_back(id);
            found.by_name.entry((run, name)).or_default().push_back(id);
            found.by_part.entry(run).or_default().push((letters(trace.name(name)), id));
        }
        found
    }

    /// Keeps the calls that no span carries out: for all of them first by arguments, then by name, then by a part of the
    /// name.
    fn drop_carried_out(mut self, calls: &mut Vec<Call>, out: &TraceBuilder) {
        let began = |call: &Call| {
            let model = out.bound(call.asked_by).and_then(|id| out.trace().event(id));
            model.map_or(MaybeNs::UNKNOWN, |model| model.start)
        };
        let is_after = |id: EventId, call: &Call| {
            let span = out.trace().event(id).and_then(|span| span.start.get());
            span.zip(began(call).get()).is_none_or(|(span, call)| span >= call)
        };
        let Self { by_arguments, by_name, by_part, used } = &mut self;
        calls.retain(|call| {
            let spans = by_arguments.get_mut(&(call.run, call.name, call.arguments));
            !take_first(spans, used, |id| is_after(id, call))
        });
        calls.retain(|call| {
            let spans = by_name.get_mut(&(call.run, call.name));
            !take_first(spans, used, |id| is_after(id, call))
        });
        calls.retain(|call| {
            let Some(spans) = by_part.get_mut(&call.run) else { return true };
            spans.retain(|(_, id)| !used.contains(id));
            let name = letters(out.trace().name(call.name));
            let is_it =
                |(other, id): &(String, EventId)| is_longer(&name, other) && is_after(*id, call);
            let found = spans.iter().position(is_it).map(|at| spans.remove(at).1);
            found.is_none_or(|id| !used.insert(id))
        });
    }
}

/// Takes the first span that is not in use and fits. Whether there is one.
fn take_first(
    spans: Option<&mut VecDeque<EventId>>,
    used: &mut FxHashSet<EventId>,
    fits: impl Fn(EventId) -> bool,
) -> bool {
    let Some(spans) = spans else { return false };
    while spans.front().is_some_and(|id| used.contains(id)) {
        spans.pop_front();
    }
    let found = spans.iter().position(|id| !used.contains(id) && fits(*id));
    found.and_then(|at| spans.remove(at)).is_some_and(|id| used.insert(id))
}

/// A name in small letters and digits.
fn letters(name: &str) -> String {
    name.chars().filter(|it| it.is_alphanumeric()).map(lower).collect()
}

/// Whether one of two names is the other with something before or behind it.
fn is_longer(one: &str, other: &str) -> bool {
    const MIN_BYTES: usize = 3;
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    short.len() >= MIN_BYTES && (long.starts_with(short) || long.ends_with(short))
}

/// Adds the row of a call that no span carries out.
fn push(call: Call, answer: Option<Answer>, out: &mut TraceBuilder) {
    let kind = EventKind::ToolCall;
    let new = NewEvent { kind, run: call.run, lane: call.lane, place: call.place };
    let id = out.push_item(new, call.number);
    let model = out.bound(call.asked_by);
    let times = |key: u64, out: &TraceBuilder| {
        let event = out.bound(key).and_then(|id| out.trace().event(id));
        event.map_or((MaybeNs::UNKNOWN, MaybeNs::UNKNOWN), |it| (it.start, it.duration))
    };
    let (began, took) = times(call.asked_by, out);
    let ended = began.get().zip(took.get()).and_then(|(began, took)| began.checked_add(took));
    let start = ended.map_or(began, MaybeNs::new);
    call.summary.set(id, out);
    if let Some(answer) = &answer {
        out.add_item(id, answer.place, answer.number);
    }
    let told = answer.as_ref().map_or(MaybeNs::UNKNOWN, |answer| times(answer.told_by, out).0);
    let Some(event) = out.event_mut(id) else { return };
    (event.name, event.args_hash, event.id_hash) = (call.name, call.arguments, call.id_hash);
    event.start = start;
    event.set_parent(model);
    event.status = Status::NoResult;
    let Some(answer) = answer else { return };
    event.result_hash = answer.result;
    event.status = answer.status.unwrap_or(Status::Unknown);
    event.error = answer.error;
    event.duration = between(start, told);
    if event.duration.is_known() {
        event.flags.set(Flags::INFERRED_TIME);
    }
}
