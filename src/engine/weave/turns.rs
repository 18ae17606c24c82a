//! Which pieces are one LLM call.
//!
//! Producers write an LLM call as several records (thinking, text, calls) and its usage as another one. Consecutive
//! pieces are one call, until usage, a result or a message from the user ends it. If pieces have an id, the id decides.

use rustc_hash::FxHashMap;

use super::item_context::{Taken, push, summarize};
use crate::kit::{Joins, Part};
use crate::shapes::conversation;
use traceloupe_core::json::Json;
use traceloupe_core::model::{
    Event, EventId, EventKind, Flags, MaybeNs, NameId, TimeBasis, TraceBuilder, Usage,
};

/// The LLM calls of a lane.
#[derive(Default)]
pub(super) struct Turns {
    last: Option<Call>,
    /// The producer's running total of tokens.
    total: Option<u64>,
    by_id: FxHashMap<u64, EventId>,
    /// Calls without the name of a model.
    unnamed: Vec<EventId>,
}

/// The LLM call that was written last.
struct Call {
    event: EventId,
    /// Whether further pieces belong to another call.
    has_ended: bool,
    has_usage: bool,
    /// Whether it requested tool calls. Text after that belongs to another call.
    has_calls: bool,
    /// Whether its pieces have an id.
    is_named: bool,
    /// Whether only the next [`Joins::Begins`] ends it.
    is_step: bool,
}

impl Turns {
    /// The call that the next piece would join.
    pub(super) fn open(&self) -> Option<EventId> {
        self.last.as_ref().filter(|call| !call.has_ended || call.is_step).map(|call| call.event)
    }

    /// The call that was written last, even if it has ended.
    pub(super) fn last(&self) -> Option<EventId> {
        self.last.as_ref().map(|call| call.event)
    }

    /// Gives the calls without a model the model that is now known.
    pub(super) fn name_calls(&mut self, model: Json<'_>, out: &mut TraceBuilder) {
        let Some(model) = model.word() else { return };
        let model = out.name(&model);
        for call in self.unnamed.drain(..) {
            if let Some(event) = out.event_mut(call).filter(|it| it.name == NameId::NONE) {
                event.name = model;
            }
        }
    }

    /// Handles a message from the user: the following pieces and their usage belong to another call.
    pub(super) fn end(&mut self) {
        self.last = None;
    }

    /// Handles a result: the following pieces belong to another call. Usage may still come.
    pub(super) fn stop(&mut self) {
        if let Some(call) = &mut self.last {
            call.has_ended = true;
        }
    }

    /// Handles a piece of an LLM call, or a whole call. `before` is the time of the previous item.
    pub(super) fn piece(
        &mut self,
        taken: &Taken<'_, '_>,
        model: &str,
        before: MaybeNs,
        out: &mut TraceBuilder,
    ) -> EventId {
        let item = taken.item;
        let piece = item.piece();
        let key = match piece.joins {
            Joins::Id(id) | Joins::Named(id) | Joins::Begins(id) => taken.key("llm", id),
            Joins::Counts(id) => taken.key("counts", id),
            _ => None,
        };
        let is_named = key.is_some() && !matches!(piece.joins, Joins::Counts(_));
        let asks = item.parts.iter().any(|part| matches!(part, Part::Call(..)));
        let has_words = item.parts.iter().any(is_words);
        let known = match (piece.joins, key) {
            (Joins::Nothing, _) | (Joins::Begins(_), None) => None,
            (Joins::Counts(_), Some(key)) => self.by_id.get(&key).copied().or(self.last()),
            (Joins::Named(_), Some(key)) => {
                let unnamed = self.last.as_ref().filter(|call| !call.has_ended && !call.is_named);
                self.by_id.get(&key).copied().or(unnamed.map(|call| call.event))
            }
            // Its other pieces may be in another file.
            (_, Some(key)) => self.by_id.get(&key).copied().or_else(|| out.bound(key)),
            (Joins::Open | Joins::OrUser, _) => self.open(),
            // Without token counts, nothing else shows where a call ends.
            _ if has_words
                && self.total.is_none()
                && self.last.as_ref().is_some_and(|call| call.has_calls && !call.is_step) =>
            {
                None
            }
            _ => self.open(),
        };
        if let Some(event) = known {
            if let Some(call) = self.last.as_mut().filter(|call| call.event == event) {
                call.has_calls |= asks;
                call.has_ended |= piece.ends;
                call.has_usage |= !item.usage.is_empty();
                call.is_named |= is_named;
            }
            if let Some(key) = key {
                self.by_id.insert(key, event);
            }
            super::add(event, taken, out);
            extend(event, taken, out);
            return event;
        }
        let event = push(taken, EventKind::LlmCall, out);
        if let Some(key) = key {
            self.by_id.insert(key, event);
            out.bind(key, event);
        }
        let name = match item.name.is_empty() {
            true => out.name(model),
            false => out.name(&item.name),
        };
        if name == NameId::NONE {
            self.unnamed.push(event);
        }
        if let Some(event) = out.event_mut(event) {
            event.name = name;
            event.args_hash = piece.prompt.fingerprint();
            event.result_hash = piece.answer.fingerprint();
            if item.is_thinking() {
                event.flags.set(Flags::THINKING);
            }
            if has_answer(taken) {
                event.flags.set(Flags::ANSWER);
            }
            mark_only_calls(event, asks);
            // Spans state themselves when they began.
            if !item.span.id.is_given() && !item.time.has_begun {
                infer_time(event, before, item.time.start);
            }
        }
        self.last = Some(Call {
            event,
            has_ended: matches!(piece.joins, Joins::Nothing) || piece.ends,
            has_usage: !item.usage.is_empty(),
            has_calls: asks,
            is_named,
            is_step: matches!(piece.joins, Joins::Begins(_)),
        });
        event
    }

    /// Adds usage to the call that was written last. If there is none, or if it already has other usage, the usage
    /// belongs to a call without any other record.
    pub(super) fn usage(
        &mut self,
        taken: &Taken<'_, '_>,
        model: &str,
        out: &mut TraceBuilder,
    ) -> EventId {
        let total = taken.item.total();
        let is_repeated = total.is_some() && total == self.total;
        self.total = total.or(self.total);
        let usage = if is_repeated { Usage::default() } else { taken.item.usage };
        if let Some(call) = &mut self.last {
            let known = out.trace().event(call.event).and_then(|event| out.trace().usage(event));
            let is_same = total.is_none() && known == Some(usage);
            // A repetition counts if there was no usage before.
            if taken.item.repeats.is_again && call.has_usage {
                super::add(call.event, taken, out);
                return call.event;
            }
            if !call.has_usage || is_same || usage.is_empty() {
                call.has_ended |= !usage.is_empty() || taken.item.ends_call();
                call.has_usage |= !usage.is_empty();
                let event = call.event;
                super::add(event, taken, out);
                if !usage.is_empty() {
                    out.set_usage(event, usage);
                    extend(event, taken, out);
                }
                return event;
            }
        }
        let kind = if usage.is_empty() { EventKind::Note } else { EventKind::LlmCall };
        let event = push(taken, kind, out);
        let name = out.name(if usage.is_empty() { "token usage" } else { model });
        if let Some(event) = out.event_mut(event) {
            event.name = name;
            if kind == EventKind::Note {
                event.flags.set(Flags::BOOKKEEPING);
            }
        }
        if kind == EventKind::LlmCall {
            self.last = Some(Call {
                event,
                has_ended: true,
                has_usage: true,
                has_calls: false,
                is_named: false,
                is_step: false,
            });
        }
        event
    }
}

/// Adds the new part of a record that repeats a call which it requested: text that has not been recorded yet.
pub(super) fn tell_again(event: EventId, taken: &Taken<'_, '_>, out: &mut TraceBuilder) {
    super::add(event, taken, out);
    if taken.item.parts.iter().any(is_words) {
        extend(event, taken, out);
    }
}

fn is_words(part: &Part<'_>) -> bool {
    matches!(part, Part::Text(_) | Part::Answer(_) | Part::Thinking(_) | Part::HiddenThinking)
}

/// Whether an item answers with text.
fn has_answer(taken: &Taken<'_, '_>) -> bool {
    taken.item.parts.iter().any(|part| match part {
        Part::Text(_) => true,
        Part::Answer(answer) => conversation::says_words(*answer),
        _ => false,
    })
}

/// Marks a call that has so far only requested tool calls, without any text.
fn mark_only_calls(event: &mut Event, asks: bool) {
    if event.flags.has(Flags::ANSWER) || event.flags.has(Flags::THINKING) {
        event.flags.clear(Flags::ONLY_CALLS);
    } else if asks {
        event.flags.set(Flags::ONLY_CALLS);
    }
}

/// The minimum duration of an LLM call. Some producers write the time at which a call began, or write all its records
/// at once; the time between two records is then not its duration.
const LEAST_CALL_NS: i64 = 10_000_000;

/// If a call has no time of its own, it began when the previous item was written.
fn infer_time(event: &mut Event, before: MaybeNs, written: MaybeNs) {
    if event.duration.is_known() {
        return;
    }
    if let (Some(before), Some(written)) = (before.get(), written.get())
        && written.saturating_sub(before) >= LEAST_CALL_NS
    {
        event.start = MaybeNs::new(before);
        event.set_duration(written.checked_sub(before).into(), TimeBasis::Elapsed);
        event.flags.set(Flags::INFERRED_TIME);
    }
}

/// Adds a further piece to a call: the time until then, its text as the summary, its model.
fn extend(event_id: EventId, taken: &Taken<'_, '_>, out: &mut TraceBuilder) {
    let item = taken.item;
    let name = out.name(&item.name);
    let has_answer = has_answer(taken);
    let Some(event) = out.event_mut(event_id) else { return };
    let is_inferred = !event.duration.is_known() || event.flags.has(Flags::INFERRED_TIME);
    if item.span.id.is_given() && item.time.start.is_known() {
        // Log records of a span may be written before the span.
        event.start = item.time.start;
        event.set_duration(item.time.duration, TimeBasis::Running);
        event.flags.clear(Flags::INFERRED_TIME);
    } else if item.time.duration.is_known() {
        // Its start may still be inferred.
        event.set_duration(item.time.duration, TimeBasis::Stated);
    } else if is_inferred
        && !item.repeats.is_again
        && !item.time.has_begun
        && let (Some(start), Some(now)) = (event.start.get(), item.time.start.get())
        && now.saturating_sub(start) >= LEAST_CALL_NS
    {
        event.set_duration(now.checked_sub(start).into(), TimeBasis::Elapsed);
        event.flags.set(Flags::INFERRED_TIME);
    }
    if name != NameId::NONE && event.name == NameId::NONE {
        event.name = name;
    }
    event.flags.set(item.flags);
    if let Some(status) = item.ending.status {
        event.status = status;
    }
    let asks = item.parts.iter().any(|part| matches!(part, Part::Call(..)));
    let says = [Flags::ANSWER, Flags::THINKING, Flags::ONLY_CALLS];
    let is_silent = !says.iter().any(|it| event.flags.has(*it));
    // Pieces are joined at the end.
    let thinks = item.parts.iter().any(|part| matches!(part, Part::Thinking(_)));
    let thinks = thinks && item.is_thinking();
    // Counts have no content.
    let is_silent_item = item.parts.is_empty() || matches!(item.piece().joins, Joins::Counts(_));
    // Text is more informative than thinking and calls, and these are more informative than the input.
    let tells_more = is_silent && (thinks || asks && item.row.asks.is_given())
        || has_answer && !event.flags.has(Flags::ANSWER)
        || event.flags.has(Flags::THINKING) && !item.is_thinking() && !is_silent_item;
    if has_answer {
        event.flags.set(Flags::ANSWER);
    }
    mark_only_calls(event, asks);
    if tells_more {
        event.flags.clear(Flags::THINKING);
        event.flags.clear(Flags::ESCAPED);
        event.flags.clear(Flags::MID_STRING);
        if thinks {
            event.flags.set(Flags::THINKING);
        }
        mark_only_calls(event, asks);
        let source = out.trace().place_of(event_id).map(|place| place.span.source);
        match source == Some(taken.record.place().span.source) {
            true => summarize(event_id, taken, out),
            // A row's summary must be in the file of its first record.
            false => out.set_own_summary(event_id, item.summary_value().raw()),
        }
    }
    if !item.usage.is_empty() {
        // Streams report input and output in different records.
        let event = out.trace().event(event_id);
        let mut known = event.and_then(|event| out.trace().usage(event)).unwrap_or_default();
        match item.piece().adds_usage {
            true => known.add(&item.usage),
            false => known = item.usage.or(known),
        }
        out.set_usage(event_id, known);
    }
}
