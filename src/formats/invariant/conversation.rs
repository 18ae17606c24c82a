//! One trace: its messages and tool calls become events.

use crate::notice::NoticeCode;
use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::formats::LineCounter;
use crate::formats::Record;
use crate::formats::fields::{fields, given, is_json, items, text, time, word};
use crate::formats::shapes::exit_code::name_exit_code;
use crate::json::{Json, Kind, fingerprint};
use crate::model::{
    EventId, EventKind, Flags, LaneId, NewEvent, RunId, Status, TraceBuilder, key_hash,
};

/// Says what Explorer would refuse a file for.
pub(super) fn refuse(record: &Record<'_>, why: &str, out: &mut TraceBuilder) {
    out.warn(NoticeCode::ExplorerRefuses, &record.place(), why);
}

/// A trace while it is read.
#[derive(Debug)]
pub(super) struct Conversation {
    pub(super) run: RunId,
    lane: LaneId,
    /// Calls without an output so far, in order; those that have one by now are passed over.
    waiting: VecDeque<EventId>,
    by_id: FxHashMap<u64, VecDeque<EventId>>,
    answered: FxHashSet<EventId>,
}

/// What a role makes of a message.
fn kind_of(role: &str, has_calls: bool) -> EventKind {
    match role {
        "system" | "developer" => EventKind::SystemMessage,
        "assistant" | "ai" | "model" | "agent" => EventKind::LlmCall,
        _ if has_calls => EventKind::LlmCall,
        _ if role.starts_with("user") || role == "human" => EventKind::UserMessage,
        // Others may be agents or tools: the file does not say.
        _ => EventKind::Note,
    }
}

impl Conversation {
    pub(super) fn new(run: RunId, out: &mut TraceBuilder) -> Self {
        Self {
            run,
            lane: out.lane(run, ""),
            waiting: VecDeque::new(),
            by_id: FxHashMap::default(),
            answered: FxHashSet::default(),
        }
    }

    /// Takes the next message or tool call.
    pub(super) fn event(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        let keys = [
            "role",
            "content",
            "tool_calls",
            "function_call",
            "tool_call_id",
            "type",
            "function",
            "timestamp",
        ];
        let Some([role, content, calls, old_call, call_id, kind, function, at]) =
            fields(record.json, keys)
        else {
            refuse(record, "an event is no object", out);
            return self.unknown(record, out);
        };
        let Some(name) = text(role) else {
            let is_call = function.is_some() || text(kind).as_deref() == Some("function");
            if is_call {
                return self.call(record, None, out);
            }
            let why = match role {
                Some(_) => "the role of a message is no string",
                None => "an event has no role and is no tool call",
            };
            refuse(record, why, out);
            return self.unknown(record, out);
        };
        let is_content =
            content.is_none_or(|it| matches!(it.kind(), Kind::Null | Kind::String | Kind::Array));
        let are_calls = given(calls).is_none_or(|it| it.kind() == Kind::Array);
        if !is_content || !are_calls {
            let what = if is_content { "`tool_calls`" } else { "`content`" };
            refuse(record, &format!("{what} of a message has another type"), out);
        }
        if matches!(name.as_ref(), "tool" | "function")
            && self.output(record, content, call_id, out)
        {
            return;
        }
        let mut calls = given(calls).map(items).unwrap_or_default();
        // As OpenAI wrote it before there were several.
        calls.extend(given(old_call).filter(|it| it.kind() == Kind::Object));
        let kind = kind_of(&name, !calls.is_empty());
        let id = self.push(kind, record, out);
        let shown_name = match name.as_ref() {
            "user" | "system" | "assistant" => "",
            other => other,
        };
        let shown_name = out.name(shown_name);
        let words = given(content).filter(|it| !matches!(it.raw(), "\"\"" | "[]"));
        if let Some(event) = out.event_mut(id) {
            event.name = shown_name;
            event.start = time(at);
            if kind == EventKind::LlmCall && calls.is_empty() && words.is_some() {
                event.flags.set(Flags::ANSWER);
            }
        }
        summarise(id, record, words.unwrap_or(record.json).raw(), out);
        let mut line = LineCounter::new(record);
        for call in calls {
            let inner = line.place(record.inner(call));
            self.call(&inner, Some(id), out);
        }
    }

    /// Joins the output of a tool to its call. False if there is no call.
    fn output(
        &mut self,
        record: &Record<'_>,
        content: Option<Json<'_>>,
        call_id: Option<Json<'_>>,
        out: &mut TraceBuilder,
    ) -> bool {
        let call_id = word(call_id);
        let Some(call) = self.take(call_id.as_deref()) else {
            if call_id.is_some() {
                out.warn(NoticeCode::ResultWithoutCall, &record.place(), "");
            }
            return false;
        };
        out.add_record(call, record.place());
        let name = fields(record.json, ["name", "tool_name"]);
        let name = name.and_then(|[name, tool]| text(name).or_else(|| text(tool)));
        let name = name.filter(|_| {
            let known = out.trace().event(call).map(|event| out.trace().name(event.name));
            known.is_some_and(str::is_empty)
        });
        let name = name.map(|name| out.name(&name));
        if let Some(event) = out.event_mut(call) {
            event.result_hash = content.map_or(0, Json::fingerprint);
            event.status = Status::Unknown;
            event.name = name.unwrap_or(event.name);
        }
        name_exit_code(call, content, out);
        true
    }

    /// The call that an output belongs to: by its id, else the first one that waits.
    fn take(&mut self, id: Option<&str>) -> Option<EventId> {
        let of_id = id.and_then(|id| self.by_id.get_mut(&key_hash(&[id])));
        let of_id = of_id.and_then(|calls| {
            loop {
                match calls.pop_front() {
                    Some(call) if self.answered.contains(&call) => {}
                    call => break call,
                }
            }
        });
        let call = of_id.or_else(|| {
            loop {
                match self.waiting.pop_front() {
                    Some(call) if self.answered.contains(&call) => {}
                    call => break call,
                }
            }
        })?;
        self.answered.insert(call);
        Some(call)
    }

    fn call(&mut self, record: &Record<'_>, parent: Option<EventId>, out: &mut TraceBuilder) {
        let id = self.push(EventKind::ToolCall, record, out);
        let [call_id, function] = fields(record.json, ["id", "function"]).unwrap_or_default();
        let function = function.unwrap_or(record.json);
        let [name, arguments] = fields(function, ["name", "arguments"]).unwrap_or_default();
        if parent.is_none() && arguments.is_none_or(|it| it.kind() != Kind::Object) {
            refuse(record, "the arguments of a tool call are no object", out);
        }
        let name = out.name(&word(name).unwrap_or_default());
        if let Some(event) = out.event_mut(id) {
            event.name = name;
            event.args_hash = arguments.map_or(0, args_hash);
            event.status = Status::NoResult;
            event.set_parent(parent);
        }
        summarise(id, record, arguments.unwrap_or(record.json).raw(), out);
        self.waiting.push_back(id);
        if let Some(call_id) = word(call_id) {
            self.by_id.entry(key_hash(&[&call_id])).or_default().push_back(id);
        }
    }

    fn unknown(&self, record: &Record<'_>, out: &mut TraceBuilder) {
        let id = self.push(EventKind::Record, record, out);
        summarise(id, record, record.text, out);
    }

    fn push(&self, kind: EventKind, record: &Record<'_>, out: &mut TraceBuilder) -> EventId {
        let (run, lane, place) = (self.run, self.lane, record.place());
        out.push(NewEvent { kind, run, lane, place })
    }
}

/// Arguments are the same whether they are written as an object or as a string with that object.
fn args_hash(arguments: Json<'_>) -> u64 {
    match arguments.text() {
        Some(inner) if is_json(&inner) => fingerprint(&inner),
        _ => arguments.fingerprint(),
    }
}

fn summarise(id: EventId, record: &Record<'_>, value: &str, out: &mut TraceBuilder) {
    if let Some(span) = record.span_of(value) {
        out.set_summary(id, span.start, span.len);
    }
}
