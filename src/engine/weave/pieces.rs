//! Texts in pieces: the rows of streamed LLM calls, and the arguments of the calls that they request.

use rustc_hash::FxHashMap;

use super::call_keys::set_arguments;
use super::item_context::Taken;
use crate::kit::{Item, Part, Piece, PieceOf};
use traceloupe_core::json::{Json, decode_string, quoted};
use traceloupe_core::model::{Event, EventId, Flags, TraceBuilder};

/// The pieces of one source that have been joined so far.
#[derive(Default)]
pub(super) struct Pieces {
    answers: FxHashMap<EventId, Answer>,
    calls: FxHashMap<(Option<EventId>, u64), EventId>,
    arguments: FxHashMap<EventId, String>,
}

/// The beginning of the answer of an LLM call.
#[derive(Default)]
struct Answer {
    n_pieces: usize,
    text: String,
    thinking: String,
}

/// How much of an answer is kept for its row.
const MAX_TEXT_BYTES: usize = 400;

/// The longest arguments that are compared.
const MAX_ARGUMENT_BYTES: usize = 1 << 20;

pub(super) fn pieces<'i, 'a>(item: &'i Item<'a>) -> impl Iterator<Item = Piece<'a>> + 'i {
    item.parts.iter().filter_map(|part| match part {
        Part::Piece(piece) => Some(*piece),
        _ => None,
    })
}

impl Pieces {
    /// Adds the pieces of an LLM call.
    pub(super) fn answer(&mut self, event: EventId, item: &Item<'_>) {
        let is_counted = |it: &Piece<'_>| matches!(it.of, PieceOf::Text | PieceOf::Thinking);
        for piece in pieces(item).filter(is_counted) {
            let answer = self.answers.entry(event).or_default();
            answer.n_pieces += 1;
            let text = match piece.of {
                PieceOf::Thinking => &mut answer.thinking,
                _ => &mut answer.text,
            };
            if text.len() < MAX_TEXT_BYTES {
                text.push_str(&decode_string(piece.text.raw()));
            }
        }
    }

    /// The tool call that pieces belong to, if it has begun. `asked_by` is the LLM call.
    pub(super) fn call(&mut self, asked_by: Option<EventId>, item: &Item<'_>) -> Option<EventId> {
        let piece = pieces(item).next()?;
        // Only the first piece has a name.
        let call = self.calls.get(&(asked_by, piece.key)).copied();
        call.filter(|_| item.name.is_empty())
    }

    /// Adds the pieces of a tool call.
    pub(super) fn arguments(&mut self, event: EventId, asked_by: Option<EventId>, item: &Item<'_>) {
        for piece in pieces(item) {
            self.calls.insert((asked_by, piece.key), event);
            let text = self.arguments.entry(event).or_default();
            if text.len() < MAX_ARGUMENT_BYTES {
                text.push_str(&decode_string(piece.text.raw()));
            }
        }
    }

    /// Makes the rows of LLM calls without text name the tools that they request.
    fn summarize_calls(&self, out: &mut TraceBuilder) {
        let mut calls: Vec<_> = self.calls.iter().collect();
        traceloupe_core::sorting::sort_by_key(&mut calls, |(key, event)| (key.0, **event));
        for group in calls.chunk_by(|one, other| one.0.0 == other.0.0) {
            let Some(model) = group.first().and_then(|((model, _), _)| *model) else { continue };
            let says = |it: &Event| it.flags.has(Flags::ANSWER) || it.flags.has(Flags::THINKING);
            if out.trace().event(model).is_none_or(says) {
                continue;
            }
            let call = |event: &EventId| {
                let name = out.trace().event(*event).map_or("", |it| out.trace().name(it.name));
                let arguments = quoted(self.arguments.get(event).map_or("", String::as_str));
                let name = quoted(name);
                format!("{{\"type\":\"tool_call\",\"name\":{name},\"arguments\":{arguments}}}")
            };
            let calls: Vec<String> = group.iter().map(|(_, event)| call(event)).collect();
            out.set_own_summary(model, &format!("[{}]", calls.join(",")));
            if let Some(event) = out.event_mut(model) {
                event.flags.set(Flags::ONLY_CALLS);
            }
        }
    }

    /// Ends the source: sets the joined texts in the rows.
    pub(super) fn finish(&mut self, out: &mut TraceBuilder) {
        for (id, answer) in self.answers.drain() {
            // A single piece may already be the row's summary.
            let has_summary = |event| out.trace().summary_span(event).is_some();
            if answer.n_pieces == 1 && out.trace().event(id).is_some_and(has_summary) {
                continue;
            }
            let Some(event) = out.event_mut(id) else { continue };
            if event.flags.has(Flags::ANSWER) {
                continue;
            }
            let text = if answer.text.is_empty() { &answer.thinking } else { &answer.text };
            if answer.text.is_empty() {
                event.flags.set(Flags::THINKING);
            } else {
                event.flags.set(Flags::ANSWER);
                event.flags.clear(Flags::THINKING);
            }
            event.flags.clear(Flags::ESCAPED);
            event.flags.clear(Flags::ONLY_CALLS);
            out.set_own_summary(id, &quoted(text));
        }
        self.summarize_calls(out);
        for (id, text) in self.arguments.drain().filter(|(_, text)| !text.is_empty()) {
            let is_json = text.trim_start().starts_with(['{', '[']);
            let json = if is_json { text } else { quoted(&text) };
            out.set_own_summary(id, &json);
            set_arguments(id, Json::new(&json), out);
            if let Some(event) = out.event_mut(id) {
                event.flags.clear(Flags::ESCAPED);
            }
        }
    }
}

/// Whether an item is a piece of a tool call.
pub(super) fn is_piece(taken: &Taken<'_, '_>) -> bool {
    pieces(taken.item).next().is_some()
}
