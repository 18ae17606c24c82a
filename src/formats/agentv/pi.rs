//! The events of the Pi CLI, as the raw log of a provider has them. A message is streamed: its start,
//! updates that each hold all of it so far, its end. All of them are one event, whose first record is
//! the end.

use super::events::{At, add_fact, event, fill, note, settle, summary, times, words};
use super::members::{Lines, Members};
use super::messages::kind_of;
use crate::formats::Record;
use crate::formats::agentdbg::add_facts;
use crate::formats::fields::{between, count, text, time, word};
use crate::formats::shapes::openai::gist;
use crate::json::{Json, number};
use crate::model::{
    EventId, EventKind, MaybeNs, NewEvent, Place, RunStatus, Status, TraceBuilder, Usage,
};
use crate::notice::NoticeCode;

/// The log of one source.
#[derive(Default)]
pub(super) struct PiLog {
    /// The records of the message that is being streamed, before its end.
    streamed: Vec<Place>,
    cost_usd: f64,
}

impl PiLog {
    /// Reads an event. `false` if it is none.
    pub fn read(&mut self, record: &Record<'_>, at: At, out: &mut TraceBuilder) -> bool {
        let Some(members) = Members::new(record.json) else { return false };
        let kind = text(members.get("type")).unwrap_or_default();
        match kind.as_ref() {
            "session" => {
                let start = time(members.get("timestamp"));
                let facts = [("Session", members.get("id")), ("Directory", members.get("cwd"))];
                add_facts(at.run, &facts, out);
                out.run_mut(at.run).start = start;
                let (id, _) = event(EventKind::RunStart, at, record, None, out);
                fill(id, "session", start, MaybeNs::UNKNOWN, out);
            }
            "message_start" | "message_update" | "message_end" => {
                self.message(record, &members, kind == "message_end", at, out);
            }
            "tool_execution_start" | "tool_execution_update" | "tool_execution_end" => {
                Self::execution(record, &members, kind == "tool_execution_end", at, out);
            }
            "agent_end" => {
                let id = note(record, "agent_end", None, at, out);
                out.run_mut(at.run).status = RunStatus::Ok;
                out.put_last(id);
            }
            "agent_start" | "turn_start" | "turn_end" => {
                let (id, _) = event(EventKind::Note, at, record, None, out);
                fill(id, &kind, MaybeNs::UNKNOWN, MaybeNs::UNKNOWN, out);
            }
            _ => return false,
        }
        true
    }

    fn message(
        &mut self,
        record: &Record<'_>,
        members: &Members<'_>,
        is_end: bool,
        at: At,
        out: &mut TraceBuilder,
    ) {
        let Some(message) = members.value("message").and_then(Members::new) else { return };
        let role = text(message.get("role")).unwrap_or_default();
        if !is_end {
            self.streamed.push(record.place());
            return;
        }
        let streamed = std::mem::take(&mut self.streamed);
        if role == "toolResult" {
            let id = result(record, &message, at, out);
            streamed.into_iter().for_each(|place| out.add_record(id, place));
            return;
        }
        let kind = kind_of(&role);
        let (id, _) = event(kind, at, record, None, out);
        let name = word(message.get("model")).filter(|_| kind == EventKind::LlmCall);
        fill(id, &name.unwrap_or_default(), times(&message).0, MaybeNs::UNKNOWN, out);
        let content = message.value("content");
        words(id, content, out);
        summary(id, record, content.map(gist), out);
        self.usage(id, &message, out);
        if kind == EventKind::LlmCall {
            let reason = text(message.get("stopReason"));
            let failed = matches!(reason.as_deref(), Some("error" | "aborted"));
            let status = if failed { Status::Error } else { Status::Ok };
            settle(id, None::<&str>, None, status, None, out);
        }
        let mut lines = Lines::new(record);
        for value in content.unwrap_or_default().items() {
            let Some(block) = Members::new(value) else { continue };
            if text(block.get("type")).as_deref() == Some("toolCall") {
                let inner = lines.inner(value);
                call(&inner, &block, at.below(id), out);
            }
        }
        streamed.into_iter().for_each(|place| out.add_record(id, place));
    }

    fn usage(&mut self, id: EventId, message: &Members<'_>, out: &mut TraceBuilder) {
        let tokens = message.object("usage");
        let usage = Usage {
            input: count(tokens.get("input")),
            output: count(tokens.get("output")),
            cache_read: count(tokens.get("cacheRead")).filter(|n| *n > 0),
            cache_write: count(tokens.get("cacheWrite")).filter(|n| *n > 0),
            ..Usage::default()
        };
        if usage.input.unwrap_or(0) + usage.output.unwrap_or(0) > 0 {
            out.set_usage(id, usage);
        }
        self.cost_usd += tokens.object("cost").get("total").and_then(number).unwrap_or(0.0);
    }

    fn execution(
        record: &Record<'_>,
        members: &Members<'_>,
        is_end: bool,
        at: At,
        out: &mut TraceBuilder,
    ) {
        let Some(call_id) = word(members.get("toolCallId")) else { return };
        let known = out.bound(at.key("call", &call_id));
        let id = match known {
            Some(id) => {
                out.add_record(id, record.place());
                id
            }
            None => {
                let (id, _) = event(EventKind::ToolCall, at, record, None, out);
                out.bind(at.key("call", &call_id), id);
                summary(id, record, members.get("args"), out);
                id
            }
        };
        let name = word(members.get("toolName")).unwrap_or_default();
        fill(id, &name, MaybeNs::UNKNOWN, MaybeNs::UNKNOWN, out);
        let failed = members.get("isError") == Some("true");
        let status = match (is_end, failed) {
            (false, _) => Status::NoResult,
            (true, true) => Status::Error,
            (true, false) => Status::Ok,
        };
        let result = members.value("result").filter(|_| is_end);
        settle(id, members.value("args"), result, status, None, out);
    }

    /// The log has ended.
    pub fn finish(&mut self, at: At, out: &mut TraceBuilder) {
        let mut unfinished = self.streamed.drain(..);
        if let Some(place) = unfinished.next() {
            let kind = EventKind::LlmCall;
            let id = out.push(NewEvent { kind, run: at.run, lane: at.lane, place });
            unfinished.for_each(|place| out.add_record(id, place));
        }
        if self.cost_usd > 0.0 {
            add_fact(at.run, "Cost", format!("${:.6}", self.cost_usd), out);
        }
    }
}

fn call(record: &Record<'_>, block: &Members<'_>, at: At, out: &mut TraceBuilder) {
    let (id, _) = event(EventKind::ToolCall, at, record, None, out);
    fill(id, &word(block.get("name")).unwrap_or_default(), MaybeNs::UNKNOWN, MaybeNs::UNKNOWN, out);
    let arguments = block.value("arguments");
    settle(id, arguments, None, Status::NoResult, None, out);
    summary(id, record, arguments.map(Json::raw), out);
    if let Some(call_id) = word(block.get("id")) {
        out.bind(at.key("call", &call_id), id);
    }
}

fn result(record: &Record<'_>, message: &Members<'_>, at: At, out: &mut TraceBuilder) -> EventId {
    let call_id = word(message.get("toolCallId")).unwrap_or_default();
    let failed = message.get("isError") == Some("true");
    let status = if failed { Status::Error } else { Status::Ok };
    let content = message.value("content");
    let known = out.bound(at.key("call", &call_id));
    let id = known.unwrap_or_else(|| {
        out.warn(NoticeCode::ResultWithoutCall, &record.place(), &call_id);
        let (id, _) = event(EventKind::ToolCall, at, record, None, out);
        summary(id, record, content.map(Json::raw), out);
        id
    });
    if known.is_some() {
        out.add_record(id, record.place());
    }
    let start = out.trace().event(id).map_or(MaybeNs::UNKNOWN, |event| event.start);
    let name = word(message.get("toolName")).unwrap_or_default();
    fill(id, &name, MaybeNs::UNKNOWN, between(start, times(message).0), out);
    settle(id, None, content, status, None, out);
    id
}
