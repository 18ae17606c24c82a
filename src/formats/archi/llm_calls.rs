//! LLM calls: thinking, and text that grows.

use crate::formats::by_hand::set_summary;
use crate::formats::fields::{JsonValue, fields, given, millis, text, word};
use crate::json::{Json, Kind};
use crate::model::{EventId, EventKind, Flags, Status, TraceBuilder, key_hash};

use super::answer::{Open, Sent, set_id, set_words};
use super::reader::ArchiReader;

/// An LLM call is made of so many pieces at most, for an opened row reads them all; what follows is
/// another row.
const MAX_PIECES: u32 = 4_096;

impl ArchiReader {
    /// The LLM call at hand is over.
    pub(super) fn close_call(&mut self, arm: &str, out: &mut TraceBuilder) {
        let arm = self.current(out).arm(arm, out);
        arm.text.close();
        if let Some(open) = arm.open.take()
            && let Some(event) = out.event_mut(open.event)
            && event.status == Status::NoResult
        {
            event.status = Status::Ok;
        }
    }

    pub(super) fn open_call(&mut self, sent: &Sent<'_, '_>, out: &mut TraceBuilder) -> EventId {
        let event = self.push(EventKind::LlmCall, sent, out);
        if let Some(event) = out.event_mut(event) {
            event.status = Status::NoResult;
        }
        let arm = self.current(out).arm(sent.arm, out);
        arm.llm_calls.push(event);
        arm.open = Some(Open {
            event,
            has_text: false,
            has_thinking: false,
            is_growing: false,
            n_pieces: 0,
        });
        event
    }

    pub(super) fn thinking_start(&mut self, sent: &Sent<'_, '_>, out: &mut TraceBuilder) {
        self.close_call(sent.arm, out);
        let event = self.open_call(sent, out);
        let [step] = fields(sent.record.json, ["step_id"]).unwrap_or_default();
        set_id(event, word(step).as_deref(), out);
    }

    pub(super) fn thinking(&mut self, sent: &Sent<'_, '_>, out: &mut TraceBuilder) {
        let keys = ["step_id", "duration_ms", "thinking_content", "content"];
        let [step, duration, thinking, content] =
            fields(sent.record.json, keys).unwrap_or_default();
        let thinking = given(thinking.or(content));
        let hash = word(step).map_or(0, |step| key_hash(&[&step]));
        let arm = self.current(out).arm(sent.arm, out);
        let is_end = sent.kind == "thinking_end";
        let open = arm.open.filter(|open| {
            is_end
                && !open.has_thinking
                && (hash == 0 || out.event_mut(open.event).is_some_and(|it| it.id_hash == hash))
        });
        let (id, has_text) = match open {
            Some(open) => {
                out.add_record(open.event, sent.record.place());
                (open.event, open.has_text)
            }
            None => {
                self.close_call(sent.arm, out);
                let id = self.open_call(sent, out);
                set_id(id, word(step).as_deref(), out);
                (id, false)
            }
        };
        let says = text(thinking).is_some_and(|thinking| !thinking.trim().is_empty());
        if says && !has_text {
            set_summary(id, sent.record, thinking, out);
        }
        if let Some(event) = out.event_mut(id) {
            event.status = Status::Ok;
            event.duration = millis(duration);
            if says && !has_text {
                event.flags.set(Flags::THINKING);
            }
        }
        if let Some(open) = &mut self.current(out).arm(sent.arm, out).open {
            open.has_thinking = true;
            open.is_growing = false;
        }
    }

    pub(super) fn text(&mut self, sent: &Sent<'_, '_>, out: &mut TraceBuilder) {
        let keys = ["content", "accumulated", "delta"];
        let [content, accumulated, delta] = fields(sent.record.json, keys).unwrap_or_default();
        let is_delta = is_delta(sent.kind, accumulated, delta);
        let answer = self.current(out);
        answer.is_stream &=
            sent.kind == "chunk" || delta.is_some() || sent.record.text.contains("conversation_id");
        let content = content.filter(|value| value.kind() == Kind::String);
        let Some(content) = content.map(Json::raw) else {
            return self.note(sent, out);
        };
        let arm = answer.arm(sent.arm, out);
        if is_delta && arm.open.is_some_and(|open| open.n_pieces >= MAX_PIECES) {
            self.close_call(sent.arm, out);
        }
        let arm = self.current(out).arm(sent.arm, out);
        let from = if is_delta {
            arm.text.add(content);
            Some(0)
        } else {
            arm.text.grow(content)
        };
        let Some(from) = from else { return self.attach(sent, out) };
        let (id, open) = match arm.open {
            Some(open) => {
                if open.is_growing && !is_delta {
                    out.replace_record(open.event, sent.record.place());
                } else {
                    out.add_record(open.event, sent.record.place());
                }
                (open.event, Some(open))
            }
            None => (self.open_call(sent, out), None),
        };
        let is_blank = text(Some(content)).is_none_or(|text| text.trim().is_empty());
        let had_text = open.is_some_and(|open| open.has_text);
        let arm = self.current(out).arm(sent.arm, out);
        arm.last_words = Some(id);
        if let Some(open) = &mut arm.open {
            open.has_text |= !is_blank;
            open.is_growing = !is_delta;
            open.n_pieces += u32::from(is_delta);
        }
        if is_delta && (had_text || is_blank) {
            return;
        }
        set_words(id, sent.record, content, from, out);
    }

    /// A record that says nothing new belongs to the LLM call that said it.
    pub(super) fn attach(&mut self, sent: &Sent<'_, '_>, out: &mut TraceBuilder) {
        let arm = self.current(out).arm(sent.arm, out);
        match arm.open.map(|open| open.event).or(arm.llm_calls.last().copied()) {
            Some(id) => out.add_record(id, sent.record.place()),
            None => self.note(sent, out),
        }
    }

    /// What the agent wrote, as older versions send it: each step is a message of its own.
    pub(super) fn step(&mut self, sent: &Sent<'_, '_>, out: &mut TraceBuilder) {
        self.close_call(sent.arm, out);
        let id = self.open_call(sent, out);
        let [content] = fields(sent.record.json, ["content"]).unwrap_or_default();
        set_summary(id, sent.record, content, out);
        self.current(out).arm(sent.arm, out).last_words = Some(id);
        self.close_call(sent.arm, out);
    }
}

/// Whether a piece of text adds to what came before, in place of holding all of it.
pub(super) fn is_delta<'a, V: JsonValue<'a>>(
    kind: &str,
    accumulated: Option<V>,
    delta: Option<V>,
) -> bool {
    let is_true = |value: Option<V>| value.is_some_and(|value| value.json().is_true());
    is_true(delta) || kind == "chunk" && !is_true(accumulated)
}
