//! Which records are archi's.

use std::borrow::Cow;

use crate::formats::{Probe, ProbeRecord, Verdict};
use crate::input::SplitAt;

/// How many events of a document are looked at.
const LOOK_EVENTS: usize = 20;

/// How sure the format is of the first records of a source: the strongest claim of any of them.
pub(super) fn verdict(probe: &Probe<'_>) -> Verdict {
    let claims = probe.records.iter().map(|record| match event_claim(record) {
        Verdict::No => document_claim(record),
        claim => claim,
    });
    claims.reduce(stronger).unwrap_or(Verdict::No)
}

/// The list at which a long document is split.
pub(super) fn split(beginning: &ProbeRecord<'_>) -> SplitAt {
    match document_claim(beginning) {
        Verdict::No | Verdict::Maybe(_) => SplitAt::NotYet,
        _ if beginning.has("trace") => SplitAt::Never,
        _ if beginning.has("events") => SplitAt::List(Cow::Borrowed("events")),
        _ if beginning.has("messages") => SplitAt::List(Cow::Borrowed("messages")),
        _ => SplitAt::NotYet,
    }
}

/// The first of two claims, unless the second is stronger.
fn stronger(first: Verdict, second: Verdict) -> Verdict {
    if second.rank() > first.rank() { second } else { first }
}

fn event_claim(record: &ProbeRecord<'_>) -> Verdict {
    let Some(kind) = record.str("type") else { return Verdict::No };
    let says = |keys: &str| format!("events have the type `{kind}` with {keys}");
    match kind {
        "meta" if record.str("event") == Some("stream_started") => {
            Verdict::Certain("the first event is `meta` with `stream_started`".to_owned())
        }
        "thinking_start" | "thinking_end" if record.has("step_id") => {
            Verdict::Certain(says("`step_id`"))
        }
        "tool_start" if record.has_all(&["tool_call_id", "tool_name", "tool_args"]) => {
            Verdict::Certain(says("`tool_call_id`, `tool_name` and `tool_args`"))
        }
        "tool_output" if record.has_all(&["tool_call_id", "output"]) => {
            Verdict::Certain(says("`tool_call_id` and `output`"))
        }
        "chunk" if record.has_all(&["content", "accumulated"]) => {
            Verdict::Certain(says("`content` and `accumulated`"))
        }
        "final" if record.has("archi_msg_id") => Verdict::Certain(says("`archi_msg_id`")),
        "final" if record.has_all(&["message_id", "user_message_id", "trace_id"]) => {
            Verdict::Likely(says("`message_id`, `user_message_id` and `trace_id`"))
        }
        "step" if record.has_all(&["step_type", "content"]) => {
            Verdict::Likely(says("`step_type` and `content`"))
        }
        "tool_end" if record.has_all(&["tool_call_id", "status"]) => {
            Verdict::Likely(says("`tool_call_id` and `status`"))
        }
        "text" | "chunk" | "thinking" | "cancelled" | "error" if record.has("conversation_id") => {
            Verdict::Likely(says("`conversation_id`"))
        }
        "text" if record.has_all(&["content", "delta"]) => {
            Verdict::Likely(says("`content` and `delta`"))
        }
        "tool_call" if record.has_all(&["name", "args"]) && !record.has("timestamp") => {
            Verdict::Maybe(says("`name` and `args`"))
        }
        _ => Verdict::No,
    }
}

fn document_claim(record: &ProbeRecord<'_>) -> Verdict {
    if let Some(trace) = record.object("trace").filter(|trace| trace.has("events")) {
        return trace_claim(&trace);
    }
    if record.has("events") {
        return trace_claim(record);
    }
    if record.has("messages") {
        return record
            .list("messages", LOOK_EVENTS)
            .iter()
            .map(message_claim)
            .reduce(stronger)
            .unwrap_or(Verdict::No);
    }
    message_claim(record)
}

fn trace_claim(trace: &ProbeRecord<'_>) -> Verdict {
    if trace.has_all(&["trace_id", "conversation_id", "pipeline_name"]) {
        let why = "the trace has `trace_id`, `conversation_id`, `pipeline_name` and `events`";
        return Verdict::Certain(why.to_owned());
    }
    let events = trace.list("events", LOOK_EVENTS);
    let by_events = events.iter().map(event_claim).reduce(stronger).unwrap_or(Verdict::No);
    if by_events == Verdict::No && trace.has_all(&["trace_id", "total_tool_calls", "status"]) {
        let why = "the trace has `trace_id`, `status`, `total_tool_calls` and `events`";
        return Verdict::Likely(why.to_owned());
    }
    by_events
}

/// A message of a loaded conversation.
fn message_claim(message: &ProbeRecord<'_>) -> Verdict {
    if !message.has_all(&["sender", "content"]) {
        return Verdict::No;
    }
    match message.object("trace").map_or(Verdict::No, |trace| trace_claim(&trace)) {
        Verdict::No if message.has_all(&["message_id", "trace"]) => {
            Verdict::Likely("messages have `sender`, `content`, `message_id` and `trace`".into())
        }
        Verdict::No if message.has("message_id") => {
            Verdict::Maybe("messages have `sender`, `content` and `message_id`".into())
        }
        claim => claim,
    }
}
