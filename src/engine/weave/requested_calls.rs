//! Calls that a model requested, in files where spans carry calls out.
//!
//! A span that carries a call out is the row of that call. It is found by the id of the call, or else by name and
//! arguments, or else by name alone: then it is the first one that begins after the request. Names that libraries
//! extend still count as the same (`functions.search`, `search.tool`). Only a call that no span carries out gets a row
//! of its own, under its LLM call, with the result from a later request.

use rustc_hash::FxHashMap;

use super::call_keys::{ArgumentKeys, argument_keys, failure_hash, set_keys};
use super::calls::{arguments_of, result_of};
use super::item_context::{Summary, Taken, summary_of};
use crate::fields::between;
use crate::kit::What;
use crate::shapes::exit_code;
use traceloupe_core::case::lower;
use traceloupe_core::model::{
    ErrorId, Event, EventId, EventKind, Flags, LaneId, MaybeNs, NameId, NewEvent, Place, RunId,
    Status, TimeBasis, TraceBuilder, hash_of,
};

/// Indices into lists, by a hash. Using one type of table for all lookups here keeps the program small.
type Index = FxHashMap<u64, Vec<u32>>;

/// The calls in one source that a model requested.
#[derive(Default)]
pub(super) struct Asked {
    calls: Vec<Call>,
    /// Results in later requests; the first one with an id counts.
    answers: Vec<Answer>,
    /// The spans that carry out calls.
    spans: Vec<EventId>,
    /// For calls and spans: the indices of those with an id in their list.
    carried_out: Index,
}

/// A call that a model requested.
struct Call {
    key: Option<u64>,
    /// The span of the LLM call.
    asked_by: u64,
    place: Place,
    number: u16,
    run: RunId,
    lane: LaneId,
    name: NameId,
    arguments: ArgumentKeys,
    id_hash: u64,
    summary: Summary,
    /// Whether it is recorded elsewhere: in a span, or in another record of the LLM call.
    is_told: bool,
}

/// A result in a later request.
struct Answer {
    key: Option<u64>,
    place: Place,
    number: u16,
    run: RunId,
    name: NameId,
    /// The span of the LLM call whose request contains it.
    told_by: u64,
    result: u64,
    status: Option<Status>,
    error: ErrorId,
    /// The failure ([`traceloupe_core::model::Trace::failure_hash`]).
    failure: u64,
}

impl Asked {
    /// Adds a call that a model requested, or a result in a request.
    #[inline(never)]
    pub(super) fn take(&mut self, taken: &Taken<'_, '_>, out: &mut TraceBuilder) {
        let item = taken.item;
        let key = taken.key("call", item.id);
        let Some(span) = taken.key("span", item.span.parent) else { return };
        let (place, number, run) = (taken.record.place(), taken.number, taken.run);
        let name = out.name(&item.name);
        if item.what() == What::Call {
            self.calls.push(Call {
                key,
                asked_by: span,
                place,
                number,
                run,
                lane: taken.lane,
                name,
                arguments: arguments_of(item).present().map(argument_keys).unwrap_or_default(),
                id_hash: super::item_context::id_hash(item),
                summary: summary_of(taken),
                is_told: false,
            });
            return;
        }
        let result = result_of(item);
        let code = exit_code::printed(result);
        let is_failed = item.ending.status.is_some_and(Status::is_error) || !code.is_none();
        let failure = if is_failed { failure_hash(code, result) } else { 0 };
        let (error, result, status) = (out.error(&code), result.fingerprint(), item.ending.status);
        self.answers.push(Answer {
            key,
            place,
            number,
            run,
            name,
            told_by: span,
            result,
            status,
            error,
            failure,
        });
    }

    /// Registers a span that carries out a call.
    #[inline(never)]
    pub(super) fn carry_out(&mut self, event: EventId, taken: &Taken<'_, '_>) {
        if !taken.item.span.id.is_given() {
            return;
        }
        if let Some(key) = taken.key("call", taken.item.id) {
            add(&mut self.carried_out, key, self.spans.len());
        }
        self.spans.push(event);
    }

    /// Ends the source, once its spans are nested: calls that no span carries out get rows.
    #[inline(never)]
    pub(super) fn finish(&mut self, out: &mut TraceBuilder) {
        if self.calls.is_empty() {
            return;
        }
        out.settle_keys();
        self.find_repeated(out);
        self.find_carried_out(out);
        let mut by_id = Index::default();
        for (at, answer) in self.answers.iter().enumerate() {
            add(&mut by_id, answer.key.unwrap_or(0), at);
        }
        for call in std::mem::take(&mut self.calls) {
            if call.is_told {
                continue;
            }
            let answers = by_id.get_mut(&call.key.unwrap_or(0));
            let fits = |at: &u32| {
                self.answers.get(*at as usize).is_some_and(|answer| {
                    answer.run == call.run
                        && answer.told_by != call.asked_by
                        && (call.key.is_some() || [call.name, NameId::NONE].contains(&answer.name))
                })
            };
            let at = answers.and_then(|list| Some(list.remove(list.iter().position(fits)?)));
            push(call, at.and_then(|at| self.answers.get(at as usize)), out);
        }
    }

    /// Two libraries may record one LLM call: in spans beside each other or around each other, or in a span and a log.
    /// The calls that it requests count once, in the innermost span.
    #[inline(never)]
    fn find_repeated(&mut self, out: &TraceBuilder) {
        let depth = |call: &Call| out.bound(call.asked_by).map_or(0, |id| around(id, out).count());
        let calls = self.calls.iter().enumerate();
        let inner_first = sorted(calls.map(|(at, call)| (-(depth(call) as i64), at)));
        let (mut by_id, mut alike) = (Index::default(), Index::default());
        for at in inner_first {
            let Some(call) = self.calls.get(at) else { continue };
            let is_known = call.key.is_some_and(|key| by_id.contains_key(&key));
            let hash = hash_of((
                call.run.index(),
                out.trace().name(call.name),
                call.arguments.hashes.exact,
            ));
            // A model may request the same call several times in one answer.
            let is_same = |told: &Call| {
                told.place != call.place
                    && (told.key.is_none() || call.key.is_none())
                    && are_one(told.asked_by, call.asked_by, out)
            };
            let told = alike.get(&hash).map(Vec::as_slice).unwrap_or_default();
            let told = told.iter().rev().take(MAX_ALIKE);
            let is_told =
                is_known || told.filter_map(|at| self.calls.get(*at as usize)).any(is_same);
            if !is_told {
                add(&mut alike, hash, at);
            }
            if let Some(key) = call.key {
                add(&mut by_id, key, at);
            }
            if let Some(call) = self.calls.get_mut(at) {
                call.is_told = is_told;
            }
        }
    }

    /// Finds the calls that spans carry out: first by id, then for all of them by arguments, by name, and by a part of
    /// the name.
    #[inline(never)]
    fn find_carried_out(&mut self, out: &TraceBuilder) {
        let trace = out.trace();
        let mut used = vec![false; self.spans.len()];
        for call in &mut self.calls {
            let found = call.key.and_then(|key| self.carried_out.get(&key)?.first());
            if let Some(used) = found.and_then(|at| used.get_mut(*at as usize)) {
                (*used, call.is_told) = (true, true);
            }
        }
        let span = |at: usize| self.spans.get(at).and_then(|id| trace.event(*id));
        let starts = (0..self.spans.len()).filter_map(|at| Some((span(at)?.start, at)));
        let by_start = sorted(starts.map(|(start, at)| (start.get().unwrap_or(i64::MIN), at)));
        for how in [How::Arguments, How::Name, How::PartOfName] {
            let mut index = Index::default();
            for at in by_start.iter().copied().filter(|at| used.get(*at) == Some(&false)) {
                if let Some(span) = span(at) {
                    let name = trace.name(span.name);
                    add(&mut index, how.hash(span.run, name, span.args_hash), at);
                }
            }
            for call in self.calls.iter_mut().filter(|call| !call.is_told) {
                let name = trace.name(call.name);
                let hash = how.hash(call.run, name, call.arguments.hashes.exact);
                let Some(list) = index.get_mut(&hash) else { continue };
                let model = out.bound(call.asked_by).and_then(|id| trace.event(id));
                let began = model.map_or(MaybeNs::UNKNOWN, |model| model.start);
                let fits = |at: &u32| {
                    span(*at as usize).is_some_and(|span| {
                        let times = span.start.get().zip(began.get());
                        times.is_none_or(|(span, call)| span >= call)
                            && (how != How::PartOfName || is_longer(name, trace.name(span.name)))
                    })
                };
                let Some(at) = list.iter().take(MAX_SPANS).position(fits) else { continue };
                let at = list.remove(at);
                if let Some(used) = used.get_mut(at as usize) {
                    (*used, call.is_told) = (true, true);
                }
            }
        }
    }
}

/// The criterion for finding the span of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Arguments,
    Name,
    PartOfName,
}

impl How {
    /// Equal for a call and for the spans that may carry it out.
    fn hash(self, run: RunId, name: &str, arguments: u64) -> u64 {
        let name = if self == Self::PartOfName { "" } else { name };
        hash_of((run.index(), name, if self == Self::Arguments { arguments } else { 0 }))
    }
}

/// How many calls with one name and the same arguments are compared with the next one.
const MAX_ALIKE: usize = 64;

/// How many spans are compared with a call.
const MAX_SPANS: usize = 1_000;

/// How many levels upwards to look for an LLM call.
const MAX_LEVELS: usize = 100;

fn add(index: &mut Index, hash: u64, at: usize) {
    index.entry(hash).or_default().push(u32::try_from(at).unwrap_or(u32::MAX));
}

/// Indices in the order of their numbers.
fn sorted(places: impl Iterator<Item = (i64, usize)>) -> Vec<usize> {
    let mut places: Vec<(i64, usize)> = places.collect();
    traceloupe_core::sorting::sort(&mut places);
    places.into_iter().map(|(_, at)| at).collect()
}

/// Whether two LLM calls that request the same may be one: they overlap in time, or one is around the other.
fn are_one(one: u64, other: u64, out: &TraceBuilder) -> bool {
    let (Some(one), Some(other)) = (out.bound(one), out.bound(other)) else { return false };
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

/// Whether one of two names is the other with a prefix or a suffix: `functions.search`, `search.tool`.
fn is_longer(one: &str, other: &str) -> bool {
    const MIN_BYTES: usize = 3;
    let letters = |name: &str| -> String {
        name.chars().filter(|it| it.is_alphanumeric()).map(lower).collect()
    };
    let (one, other) = (letters(one), letters(other));
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    short.len() >= MIN_BYTES && (long.starts_with(&short) || long.ends_with(&short))
}

/// Adds the row of a call that no span carries out.
fn push(call: Call, answer: Option<&Answer>, out: &mut TraceBuilder) {
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
    if let Some(answer) = answer {
        out.add_item(id, answer.place, answer.number);
    }
    let told = answer.map_or(MaybeNs::UNKNOWN, |answer| times(answer.told_by, out).0);
    set_keys(id, call.arguments, out);
    let Some(event) = out.event_mut(id) else { return };
    (event.name, event.id_hash) = (call.name, call.id_hash);
    event.start = start;
    event.set_parent(model);
    event.status = Status::Missing;
    let Some(answer) = answer else { return };
    event.result_hash = answer.result;
    event.status = answer.status.unwrap_or(Status::Unknown);
    event.error = answer.error;
    event.set_duration(between(start, told), TimeBasis::Elapsed);
    if event.duration.is_known() {
        event.flags.set(Flags::INFERRED_TIME);
    }
    if answer.failure != 0 {
        out.set_failure(id, answer.failure);
    }
}
