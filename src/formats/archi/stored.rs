//! Documents: stored traces, the API's answers, loaded conversations.

use crate::formats::LineCounter;
use crate::formats::Record;
use crate::formats::by_hand::add_facts;
use crate::formats::fields::{count, fields, given, items, millis, text, time, word};
use crate::json::{Json, Kind};
use crate::model::{MaybeNs, RunStatus, TraceBuilder};

use super::reader::ArchiReader;

/// A message of a person that waits for its answer, which is another run.
pub(super) struct Question {
    text: String,
    source: crate::model::SourceId,
    start: u64,
    line: u32,
}

impl ArchiReader {
    /// Reads a record as a document. `false` if it is none.
    pub(super) fn document(&mut self, record: &Record<'_>, out: &mut TraceBuilder) -> bool {
        let keys = ["trace", "traces", "events", "messages", "sender"];
        let Some([trace, traces, events, messages, sender]) = fields(record.json, keys) else {
            return false;
        };
        if sender.is_some() {
            return self.message(record, out);
        }
        if events.is_some() {
            self.trace(record, None, out);
            return true;
        }
        let list = traces.or(messages);
        if let Some(trace) = trace.filter(|trace| trace.kind() == Kind::Object) {
            let mut line = LineCounter::new(record);
            self.trace(&line.place(record.inner(trace)), None, out);
            return true;
        }
        let Some(list) = list.filter(|list| list.kind() == Kind::Array) else { return false };
        let mut line = LineCounter::new(record);
        for item in items(list) {
            let inner = line.place(record.inner(item));
            if !self.document(&inner, out) {
                self.unknown(&inner, out);
            }
        }
        true
    }

    /// Takes what stands around the events or messages of a split document.
    pub(super) fn document_part(&mut self, part: &Record<'_>, out: &mut TraceBuilder) {
        let [events, trace_id] = fields(part.json, ["events", "trace_id"]).unwrap_or_default();
        if events.is_some() && self.answer.is_none() {
            self.begin(word(given(trace_id)).as_deref(), false, out);
        }
        self.run_facts(part.json, out);
    }

    /// Reads a trace: what it says of the run, and its events.
    fn trace(&mut self, trace: &Record<'_>, id: Option<&str>, out: &mut TraceBuilder) {
        let [trace_id, events] = fields(trace.json, ["trace_id", "events"]).unwrap_or_default();
        let key = word(given(trace_id));
        self.begin(key.as_deref().or(id), false, out);
        if let Some(question) = self.question.take() {
            question.put(self, out);
        }
        let mut line = LineCounter::new(trace);
        for item in items(events.unwrap_or_default()) {
            let inner = line.place(trace.inner(item));
            if !self.event(&inner, out) {
                self.unknown(&inner, out);
            }
        }
        self.run_facts(trace.json, out);
    }

    /// What a trace says of its run.
    fn run_facts(&mut self, trace: Json<'_>, out: &mut TraceBuilder) {
        let Some(run_id) = self.answer.as_ref().map(|answer| answer.run) else { return };
        let keys = [
            "status",
            "started_at",
            "completed_at",
            "total_duration_ms",
            "total_tool_calls",
            "cancelled_by",
            "cancellation_reason",
            "pipeline_name",
            "conversation_id",
            "message_id",
            "config_id",
        ];
        let Some(values) = fields(trace, keys) else { return };
        let [status, started, ended, duration, calls, by, reason, rest @ ..] = values;
        let run = out.run_mut(run_id);
        for (slot, value) in [
            (&mut run.start, time(given(started))),
            (&mut run.end, time(given(ended))),
            (&mut run.duration, millis(given(duration))),
        ] {
            if value.is_known() {
                *slot = value;
            }
        }
        run.counts.tool_calls = count(calls).or(run.counts.tool_calls);
        match text(status).as_deref() {
            Some("completed") => run.status = RunStatus::Ok,
            Some("cancelled" | "canceled") => run.status = RunStatus::Cancelled,
            Some("error" | "failed") => run.status = RunStatus::Error,
            Some("running") => run.status = RunStatus::Running,
            _ => {}
        }
        if let Some(reason) = word(given(reason)) {
            let what = if run.status == RunStatus::Error { "Failed" } else { "Cancelled" };
            let by = word(given(by)).filter(|_| what == "Cancelled");
            let by = by.map(|by| format!(" by {by}")).unwrap_or_default();
            run.notes.push(format!("{what}{by}: {reason}"));
        }
        let [pipeline, conversation, message, config] = rest;
        let facts = [
            ("Pipeline", pipeline),
            ("Conversation", conversation),
            ("Message", message),
            ("Config", config),
        ];
        add_facts(run_id, &facts, out);
    }

    /// Reads a message of a loaded conversation. An answer is a run, with the question before it.
    fn message(&mut self, record: &Record<'_>, out: &mut TraceBuilder) -> bool {
        let keys = ["sender", "content", "message_id", "trace"];
        let Some([Some(sender), content, message_id, trace]) = fields(record.json, keys) else {
            return false;
        };
        if text(Some(sender)).is_some_and(|sender| sender.eq_ignore_ascii_case("user")) {
            self.ask_in_vain(out);
            self.question = Some(Question::new(record));
            return true;
        }
        let key = word(given(message_id)).map(|id| format!("message {id}"));
        match trace.filter(|trace| trace.kind() == Kind::Object) {
            Some(trace) => {
                let mut line = LineCounter::new(record);
                self.trace(&line.place(record.inner(trace)), key.as_deref(), out);
            }
            None => {
                self.begin(key.as_deref(), false, out);
                if let Some(question) = self.question.take() {
                    question.put(self, out);
                }
            }
        }
        self.said(record, content.map(Json::raw), out);
        true
    }

    /// A question without an answer is a run of its own.
    pub(super) fn ask_in_vain(&mut self, out: &mut TraceBuilder) {
        if let Some(question) = self.question.take() {
            self.begin(None, false, out);
            question.put(self, out);
            self.close(out);
        }
    }
}

impl Question {
    fn new(record: &Record<'_>) -> Self {
        let Record { text, source, start, line, .. } = *record;
        Self { text: text.to_owned(), source, start, line }
    }

    fn put(self, reader: &mut ArchiReader, out: &mut TraceBuilder) {
        let Self { text, source, start, line } = &self;
        let record = Record::new(Json::new(text), *source, *start, *line);
        let [content, stamp] = fields(record.json, ["content", "timestamp"]).unwrap_or_default();
        let stamp = given(stamp).map_or(MaybeNs::UNKNOWN, |stamp| time(Some(stamp)));
        reader.user_message(&record, content, stamp, out);
    }
}
