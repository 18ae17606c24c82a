//! Tool calls: their start, output and end.

use std::borrow::Cow;

use crate::formats::by_hand::set_summary;
use crate::formats::fields::{JsonValue, between, fields, given, millis, text, word};
use crate::formats::shapes::exit_code::name_exit_code;
use crate::json::Json;
use crate::model::{EventId, EventKind, Flags, Status, TraceBuilder, key_hash};

use super::answer::{Sent, is_waiting, name, set_id};
use super::reader::ArchiReader;

impl ArchiReader {
    pub(super) fn tool_start(&mut self, sent: &Sent<'_, '_>, out: &mut TraceBuilder) {
        let call = Call::read(sent.record.json);
        self.close_call(sent.arm, out);
        let hash = key_hash(&[sent.arm, call.id.as_deref().unwrap_or_default()]);
        let answer = self.current(out);
        // A second start of a call that still runs tells more of it.
        let known = call.id.as_ref().and_then(|_| answer.calls.get(&hash).copied());
        let known = known.filter(|id| is_waiting(*id, out));
        let id = match known {
            Some(id) => {
                out.add_record(id, sent.record.place());
                id
            }
            None => {
                let id = self.push(EventKind::ToolCall, sent, out);
                let answer = self.current(out);
                let parent = answer.arm(sent.arm, out).llm_calls.last().copied();
                answer.calls.insert(hash, id);
                answer.waiting.push_back(id);
                set_id(id, call.id.as_deref(), out);
                if let Some(event) = out.event_mut(id) {
                    event.set_parent(parent);
                    event.status = Status::NoResult;
                }
                id
            }
        };
        if let Some(tool) = &call.tool {
            name(id, tool, out);
        }
        if let Some(args) = call.args {
            if let Some(event) = out.event_mut(id) {
                event.args_hash = args.fingerprint();
            }
            set_summary(id, sent.record, Some(call.raw_args().unwrap_or(args)), out);
        }
    }

    /// The call that an output belongs to: by id, or the oldest that waits for one.
    pub(super) fn call_of(&mut self, sent: &Sent<'_, '_>, out: &mut TraceBuilder) -> EventId {
        let call = Call::read(sent.record.json);
        let answer = self.current(out);
        let by_id = call.id.as_ref().and_then(|id| answer.calls.get(&key_hash(&[sent.arm, id])));
        let mut found = by_id.copied();
        while call.id.is_none() && found.is_none() {
            match answer.waiting.pop_front() {
                Some(id) => found = Some(id).filter(|id| is_waiting(*id, out)),
                None => break,
            }
        }
        if let Some(id) = found {
            out.add_record(id, sent.record.place());
            return id;
        }
        let id = self.push(EventKind::ToolCall, sent, out);
        let hash = key_hash(&[sent.arm, call.id.as_deref().unwrap_or_default()]);
        self.current(out).calls.insert(hash, id);
        set_id(id, call.id.as_deref(), out);
        name(id, call.tool.as_deref().unwrap_or_default(), out);
        id
    }

    pub(super) fn tool_output(&mut self, sent: &Sent<'_, '_>, out: &mut TraceBuilder) {
        let id = self.call_of(sent, out);
        let keys = ["output", "content", "result", "truncated"];
        let [output, content, result, truncated] =
            fields(sent.record.json, keys).unwrap_or_default();
        let output = output.or(content).or(result);
        if let Some(event) = out.event_mut(id) {
            if event.status == Status::NoResult || event.status == Status::Unknown {
                event.status = Status::Ok;
            }
            event.result_hash = output.map_or(0, Json::fingerprint);
            if truncated.is_some_and(Json::is_true) {
                event.flags.set(Flags::TRUNCATED);
            }
            let took = between(event.start, sent.time);
            if !event.duration.is_known() && took.get().is_some_and(|ns| ns > 0) {
                event.duration = took;
                event.flags.set(Flags::INFERRED_TIME);
            }
        }
        name_exit_code(id, output, out);
        if out.trace().event(id).is_some_and(|event| event.args_hash == 0) {
            set_summary(id, sent.record, output, out);
        }
    }

    pub(super) fn tool_end(&mut self, sent: &Sent<'_, '_>, out: &mut TraceBuilder) {
        let id = self.call_of(sent, out);
        let [status, duration] =
            fields(sent.record.json, ["status", "duration_ms"]).unwrap_or_default();
        let duration = millis(duration);
        let status = match text(status).as_deref() {
            Some("success" | "ok" | "completed" | "complete") => Status::Ok,
            Some("error" | "failed" | "failure" | "timeout") => Status::Error,
            Some("cancelled" | "canceled") => Status::Cancelled,
            _ => Status::Unknown,
        };
        if let Some(event) = out.event_mut(id) {
            if status != Status::Unknown || event.status == Status::NoResult {
                event.status = status;
            }
            if duration.is_known() {
                event.duration = duration;
                event.flags.clear(Flags::INFERRED_TIME);
            }
        }
    }
}

/// What events about a tool call say of it, under the names that any version uses.
pub(super) struct Call<'a> {
    pub(super) id: Option<Cow<'a, str>>,
    pub(super) tool: Option<Cow<'a, str>>,
    pub(super) args: Option<Json<'a>>,
}

impl<'a> Call<'a> {
    pub(super) fn read(record: impl JsonValue<'a>) -> Self {
        let keys = ["tool_call_id", "id", "tool_name", "name", "tool_args", "args", "input"];
        let [call_id, id, tool_name, name, tool_args, args, input] =
            fields(record.json(), keys).unwrap_or_default();
        Self {
            id: word(call_id).or_else(|| word(id)),
            tool: word(tool_name).or_else(|| word(name)),
            args: given(tool_args.or(args).or(input)),
        }
    }

    /// Arguments that were no JSON, as the model wrote them.
    pub(super) fn raw_args(&self) -> Option<Json<'a>> {
        fields(self.args?, ["_raw_arguments"])?[0]
    }
}
