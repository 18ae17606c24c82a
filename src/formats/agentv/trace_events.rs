//! Trace events, AgentV 0.25 to January 2026: `tool_call` and `tool_result` in pairs, `message`,
//! `model_step`, `error`.

use crate::notice::NoticeCode;
use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::events::{At, Call, error_type, event, fill, settle, summary, times, usage, words};
use super::members::Members;
use super::messages::kind_of;
use crate::formats::Record;
use crate::formats::fields::{between, millis, text, time, word};
use crate::json::Json;
use crate::model::{EventId, EventKind, MaybeNs, Status, TraceBuilder};

/// Pairs calls with their results: by id, then by name in the order of the calls.
#[derive(Default)]
pub(super) struct Pairs {
    by_id: FxHashMap<String, EventId>,
    by_name: FxHashMap<String, VecDeque<EventId>>,
}

impl Pairs {
    /// Pushes one event. `false` if it is none.
    pub fn push(&mut self, record: &Record<'_>, at: At, out: &mut TraceBuilder) -> bool {
        let Some(members) = Members::new(record.json) else { return false };
        let kind = text(members.get("type")).unwrap_or_default();
        let (start, took) = times(&members);
        match kind.as_ref() {
            "tool_call" => {
                let Some(call) = Call::new(record.json) else { return false };
                let id = call.push(at, record, None, out);
                if call.output.is_none() {
                    let name = call.name.into_owned();
                    match call.id {
                        Some(call_id) => drop(self.by_id.insert(call_id.into_owned(), id)),
                        None => self.by_name.entry(name).or_default().push_back(id),
                    }
                }
            }
            "tool_result" => self.result(record, &members, start, at, out),
            "error" => {
                let (id, _) = event(EventKind::Error, at, record, None, out);
                let told = members.any(&["text", "message", "error", "output"]);
                let name = word(members.get("name")).map(std::borrow::Cow::into_owned);
                let name = name.or_else(|| told.and_then(error_type)).unwrap_or_default();
                fill(id, &name, start, took, out);
                settle(id, None::<&str>, None, Status::Error, Some(&name), out);
                summary(id, record, told, out);
            }
            "message" | "model_step" => {
                let role = members.get("role").or(members.object("metadata").get("role"));
                let role = text(role).unwrap_or("assistant".into());
                let (id, _) = event(kind_of(&role), at, record, None, out);
                let model = members.object("metadata").get("model").or(members.get("name"));
                let metadata = members.object("metadata");
                let took = if took.is_known() { took } else { millis(metadata.get("duration_ms")) };
                fill(id, &word(model).unwrap_or_default(), start, took, out);
                let tokens = usage(members.value("token_usage").or(metadata.value("token_usage")));
                if !tokens.is_empty() {
                    out.set_usage(id, tokens);
                }
                let told = members.any_value(&["text", "output", "content", "input"]);
                words(id, told, out);
                summary(id, record, told.map(Json::raw), out);
            }
            _ => return false,
        }
        true
    }

    fn result(
        &mut self,
        record: &Record<'_>,
        members: &Members<'_>,
        end: MaybeNs,
        at: At,
        out: &mut TraceBuilder,
    ) {
        let name = word(members.any(&["name", "tool"])).unwrap_or_default();
        let by_id = word(members.any(&["id", "tool_call_id"]))
            .and_then(|id| self.by_id.remove(id.as_ref()));
        let call = by_id.or_else(|| self.by_name.get_mut(name.as_ref())?.pop_front());
        let Some(told) = Call::new(record.json) else { return };
        let Some(id) = call else {
            out.warn(NoticeCode::ResultWithoutCall, &record.place(), &name);
            let (id, _) = event(EventKind::ToolCall, at, record, None, out);
            fill(id, &name, MaybeNs::UNKNOWN, MaybeNs::UNKNOWN, out);
            settle(id, told.input, told.output, told.status, told.error.as_deref(), out);
            summary(id, record, told.output.map(Json::raw), out);
            return;
        };
        out.add_record(id, record.place());
        let status = if told.status == Status::NoResult { Status::Ok } else { told.status };
        settle(id, None, told.output, status, told.error.as_deref(), out);
        let start = out.trace().event(id).map_or(MaybeNs::UNKNOWN, |event| event.start);
        fill(id, &name, MaybeNs::UNKNOWN, between(start, end), out);
        // A duration of its own is better than the distance of two stamps.
        if told.duration.is_known()
            && let Some(event) = out.event_mut(id)
        {
            event.duration = told.duration;
        }
    }
}

/// Whether a list holds trace events, judging by the first object in it.
pub(super) fn is_events(list: Json<'_>) -> bool {
    list.items().take(8).filter_map(Members::new).any(|item| {
        text(item.get("type")).is_some() && !item.has("role")
            || time(item.any(&["timestamp", "start_time"])).is_known() && !item.has("role")
    })
}
