//! The index pass over events, in the order of their stream.

use crate::formats::by_hand::{add_facts, set_summary};
use crate::formats::fields::{fields, given, text, time, word};
use crate::formats::{Reader, Record};
use crate::model::{
    EventId, EventKind, Flags, MaybeNs, NewEvent, RunStatus, SourceId, Status, TraceBuilder,
};
use crate::notice::NoticeCode;

use super::answer::{Answer, Sent, name, set_cancelled};

/// Reads the events of one source, and the documents that hold some.
pub(super) struct ArchiReader {
    pub(super) source: SourceId,
    n_runs: u32,
    pub(super) answer: Option<Answer>,
    /// The question before an answer: the message of a loaded conversation.
    pub(super) question: Option<super::stored::Question>,
}
impl Reader for ArchiReader {
    fn record(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        if !(self.event(record, out) || self.document(record, out)) {
            self.unknown(record, out);
        }
    }

    fn part(&mut self, part: &Record<'_>, out: &mut TraceBuilder) {
        // What it holds beside a trace is nobody's, in a whole document as well.
        self.document_part(part, out);
    }

    fn finish(&mut self, out: &mut TraceBuilder) {
        self.close(out);
        self.ask_in_vain(out);
    }
}

impl ArchiReader {
    pub(super) fn new(source: SourceId) -> Self {
        Self { source, n_runs: 0, answer: None, question: None }
    }

    /// Begins another run.
    pub(super) fn begin(&mut self, key: Option<&str>, is_stream: bool, out: &mut TraceBuilder) {
        self.close(out);
        self.answer = Some(Answer::begin(self.source, &mut self.n_runs, key, is_stream, out));
    }

    /// The run at hand is over: marks its answer, and what was never finished.
    pub(super) fn close(&mut self, out: &mut TraceBuilder) {
        let Some(answer) = self.answer.take() else { return };
        let was_cancelled = out.run_mut(answer.run).status == RunStatus::Cancelled;
        for arm in answer.arms.values() {
            if let Some(open) = arm.open
                && let Some(event) = out.event_mut(open.event)
                && event.status == Status::NoResult
                && open.has_text
            {
                event.status = Status::Unknown;
            }
            if let Some(event) = arm.last_words.and_then(|id| out.event_mut(id)) {
                event.flags.set(Flags::ANSWER);
            }
            let unfinished = arm.open.map(|open| open.event).filter(|_| was_cancelled);
            set_cancelled(unfinished, out);
        }
        if was_cancelled {
            answer.waiting.iter().for_each(|id| set_cancelled(Some(*id), out));
        }
        let run = out.run_mut(answer.run);
        if !answer.is_stream && answer.end.is_none() && run.key.starts_with("source ") {
            run.status = RunStatus::Unknown;
        }
    }

    /// The run at hand, opened if there is none.
    pub(super) fn current(&mut self, out: &mut TraceBuilder) -> &mut Answer {
        let Self { source, n_runs, answer, .. } = self;
        answer.get_or_insert_with(|| Answer::begin(*source, n_runs, None, true, out))
    }

    /// A record in a shape that this format does not have: kept as what it is.
    pub(super) fn unknown(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        let kind = fields(record.json, ["type"]).and_then(|[kind]| word(kind)).unwrap_or_default();
        out.warn(NoticeCode::UnknownRecord, &record.place(), "");
        let sent = Sent { record, kind: &kind, time: MaybeNs::UNKNOWN, arm: "" };
        let id = self.push(EventKind::Record, &sent, out);
        name(id, &kind, out);
        set_summary(id, record, Some(record.text), out);
    }

    /// Reads a record as an event of the stream. `false` if it is none.
    pub(super) fn event(&mut self, record: &Record<'_>, out: &mut TraceBuilder) -> bool {
        let keys = ["type", "timestamp", "arm", "conversation_id", "step_type"];
        let Some([kind, stamp, arm, conversation, step]) = fields(record.json, keys) else {
            return false;
        };
        let Some(kind) = text(kind) else { return false };
        let arm = text(arm).unwrap_or_default();
        let sent = Sent { record, kind: &kind, time: time(stamp), arm: &arm };
        if self.answer.as_ref().is_some_and(|answer| answer.ends_before(&kind, &arm)) {
            self.begin(None, true, out);
        }
        match (&*kind, text(step).as_deref()) {
            ("meta", _) => self.meta(&sent, out),
            ("thinking_start", _) => self.thinking_start(&sent, out),
            ("thinking_end" | "thinking", _) => self.thinking(&sent, out),
            ("chunk" | "text", _) => self.text(&sent, out),
            ("tool_start" | "tool_call" | "tool_use", _) | ("step", Some("tool_call")) => {
                self.tool_start(&sent, out);
            }
            ("tool_output" | "tool_result", _) | ("step", Some("tool_result")) => {
                self.tool_output(&sent, out);
            }
            ("step", _) => self.step(&sent, out),
            ("tool_end", _) => self.tool_end(&sent, out),
            ("usage", _) => self.usage_event(&sent, out),
            ("final", _) => self.final_event(&sent, out),
            ("done" | "cancelled", _) => self.end_event(&sent, out),
            ("error", _) => self.error(&sent, out),
            ("warning", _) => self.note(&sent, out),
            _ => return false,
        }
        if given(conversation).is_some() {
            let run = self.current(out).run;
            add_facts(run, &[("Conversation", conversation)], out);
        }
        true
    }

    pub(super) fn push(
        &mut self,
        kind: EventKind,
        sent: &Sent<'_, '_>,
        out: &mut TraceBuilder,
    ) -> EventId {
        let answer = self.current(out);
        answer.has_events = true;
        let run = answer.run;
        let lane = answer.arm(sent.arm, out).lane;
        let id = out.push(NewEvent { kind, run, lane, place: sent.record.place() });
        if let Some(event) = out.event_mut(id) {
            event.start = sent.time;
        }
        id
    }

    pub(super) fn meta(&mut self, sent: &Sent<'_, '_>, out: &mut TraceBuilder) {
        let id = self.push(EventKind::RunStart, sent, out);
        let [event] = fields(sent.record.json, ["event"]).unwrap_or_default();
        set_summary(id, sent.record, event, out);
    }

    pub(super) fn note(&mut self, sent: &Sent<'_, '_>, out: &mut TraceBuilder) {
        let id = self.push(EventKind::Note, sent, out);
        name(id, sent.kind, out);
        let [message, content] =
            fields(sent.record.json, ["message", "content"]).unwrap_or_default();
        set_summary(id, sent.record, message.or(content), out);
    }
}
