//! How an answer ends: usage, `final`, `cancelled`, errors; and the messages of a conversation.

use crate::formats::Record;
use crate::formats::by_hand::{add_facts, set_summary};
use crate::formats::fields::{fields, given, time, word};
use crate::json::{Json, Kind};
use crate::model::{EventId, EventKind, MaybeNs, RunStatus, Status, TraceBuilder};

use super::answer::{Sent, name, set_usage};
use super::reader::ArchiReader;

impl ArchiReader {
    pub(super) fn usage_event(&mut self, sent: &Sent<'_, '_>, out: &mut TraceBuilder) {
        let answer = self.current(out);
        // Only what is stored has it; a stream has its usage at the end.
        answer.is_stream = false;
        let id = match answer.arm(sent.arm, out).llm_calls.last().copied() {
            Some(id) => {
                out.add_record(id, sent.record.place());
                id
            }
            None => self.push(EventKind::Note, sent, out),
        };
        let run = self.current(out).run;
        set_usage(run, id, Some(sent.record.json), out);
    }

    pub(super) fn final_event(&mut self, sent: &Sent<'_, '_>, out: &mut TraceBuilder) {
        let keys = [
            "response",
            "usage",
            "model",
            "trace_id",
            "message_id",
            "archi_msg_id",
            "final_response_msg_ts",
        ];
        let [response, usage, model, trace_id, message_id, archi_id, at] =
            fields(sent.record.json, keys).unwrap_or_default();
        self.close_call(sent.arm, out);
        let sent = Sent { time: if sent.time.is_known() { sent.time } else { time(at) }, ..*sent };
        let arm = self.current(out).arm(sent.arm, out);
        let unsaid =
            given(response).filter(|it| it.kind() == Kind::String && !arm.text.says(it.raw()));
        if let Some(response) = unsaid {
            let id = self.open_call(&sent, out);
            self.close_call(sent.arm, out);
            set_summary(id, sent.record, Some(response), out);
            self.current(out).arm(sent.arm, out).last_words = Some(id);
        } else if let Some(id) = arm.last_words
            && out.trace().event(id).is_some_and(|it| out.trace().summary_span(it).is_none())
        {
            set_summary(id, sent.record, response, out);
        }
        let end = self.end(&sent, RunStatus::Ok, "completed", out);
        let answer = self.current(out);
        let run = answer.run;
        let arm = answer.arm(sent.arm, out);
        let last = arm.llm_calls.last().copied();
        if let Some(model) = word(given(model)) {
            let model = out.name(&model);
            // A hostile stream has many ends: each call is named once.
            for id in arm.llm_calls.iter().skip(arm.n_named) {
                if let Some(event) = out.event_mut(*id) {
                    event.name = model;
                }
            }
            arm.n_named = arm.llm_calls.len();
        }
        set_usage(run, last.unwrap_or(end), usage, out);
        let message = given(message_id).or(archi_id);
        let facts = [("Model", model), ("Trace", trace_id), ("Message", message)];
        add_facts(run, &facts, out);
    }

    pub(super) fn end_event(&mut self, sent: &Sent<'_, '_>, out: &mut TraceBuilder) {
        if sent.kind == "done"
            && let Some(end) = self.current(out).end
        {
            return out.add_record(end, sent.record.place());
        }
        let is_cancelled = sent.kind == "cancelled";
        let status = if is_cancelled { RunStatus::Cancelled } else { RunStatus::Ok };
        let id = self.end(sent, status, sent.kind, out);
        let [reason] = fields(sent.record.json, ["reason"]).unwrap_or_default();
        set_summary(id, sent.record, reason, out);
    }

    /// The run ends with an event.
    pub(super) fn end(
        &mut self,
        sent: &Sent<'_, '_>,
        status: RunStatus,
        word: &str,
        out: &mut TraceBuilder,
    ) -> EventId {
        let id = self.push(EventKind::RunEnd, sent, out);
        name(id, word, out);
        let answer = self.current(out);
        answer.end = Some(id);
        answer.arm(sent.arm, out).is_over = true;
        let run = out.run_mut(answer.run);
        if run.status != RunStatus::Error {
            run.status = status;
        }
        id
    }

    pub(super) fn error(&mut self, sent: &Sent<'_, '_>, out: &mut TraceBuilder) {
        let keys = ["error_code", "code", "status", "message", "error_message", "error"];
        let [error_code, code, status, message, error_message, error] =
            fields(sent.record.json, keys).unwrap_or_default();
        let id = self.push(EventKind::Error, sent, out);
        let code = word(given(error_code.or(code).or(status))).unwrap_or("error".into());
        let code = out.name(&code);
        if let Some(event) = out.event_mut(id) {
            (event.name, event.error, event.status) = (code, code, Status::Error);
        }
        set_summary(id, sent.record, given(message.or(error_message).or(error)), out);
        let answer = self.current(out);
        answer.end = Some(id);
        out.run_mut(answer.run).status = RunStatus::Error;
    }

    /// A message of a person that was answered.
    pub(super) fn user_message(
        &mut self,
        record: &Record<'_>,
        content: Option<Json<'_>>,
        stamp: MaybeNs,
        out: &mut TraceBuilder,
    ) {
        let sent = Sent { record, kind: "", time: stamp, arm: "" };
        let id = self.push(EventKind::UserMessage, &sent, out);
        set_summary(id, record, content, out);
    }

    /// An answer of a loaded conversation: said already by its trace, or all that there is of it.
    pub(super) fn said(
        &mut self,
        record: &Record<'_>,
        content: Option<&str>,
        out: &mut TraceBuilder,
    ) {
        let sent = Sent { record, kind: "", time: MaybeNs::UNKNOWN, arm: "" };
        self.close_call("", out);
        let arm = self.current(out).arm("", out);
        let Some(content) = content.filter(|it| it.starts_with('"') && !arm.text.says(it)) else {
            return;
        };
        let id = self.open_call(&sent, out);
        self.close_call("", out);
        set_summary(id, record, Some(content), out);
        self.current(out).arm("", out).last_words = Some(id);
    }
}
