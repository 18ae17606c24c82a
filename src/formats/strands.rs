//! Strands Agents: the files of its session managers, results, metrics.
//!
//! Read from `types/session.py` and `session/file_session_manager.py` of strands-agents/sdk-python, versions 1.0 to
//! 1.x. A session is a folder: `session.json`, an `agent.json` for each agent, and a file for each message, which has
//! the content blocks of Bedrock's Converse API. Only `session.json` names the session, so all files opened together
//! are one run, in the order of their times. Test data of strands-agents/evals (2026) keeps named conversations:
//! each is a run. `AgentResult.to_dict` has only the last message; `EventLoopMetrics.get_summary` has all output of the
//! models, in spans: cycles with an LLM call and its tool calls, whose arguments only the LLM call has. Streams, as
//! `stream_async` and Bedrock's AgentCore return them, have the events of ConverseStream under `event`, and complete
//! messages.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::content::Role;
use traceloupe_engine::shapes::stream;

/// The format.
pub static STRANDS: Described = Described {
    signs: &[
        Sign::record(
            "records are messages with a number, as sessions keep them",
            &[
                Test::Has("message_id"),
                Test::OneOf("message.role", &["user", "assistant"]),
                Test::List("message.content"),
                Test::Text("created_at"),
            ],
        ),
        Sign::record(
            "the document is an agent with the state of its conversation",
            &[Test::Text("agent_id"), Test::Object("conversation_manager_state")],
        ),
        Sign::record(
            "the document is a session of agents",
            &[Test::Text("session_id"), Test::Is("session_type", "AGENT")],
        ),
        Sign::record(
            "the document is the result of an agent, with its last message",
            &[Test::Is("type", "agent_result"), Test::Object("message"), Test::Text("stop_reason")],
        ),
        Sign::record(
            "the document has metrics of cycles, and their traces",
            &[
                Test::List("traces"),
                Test::HasAll(&["total_cycles", "accumulated_usage.inputTokens"]),
            ],
        ),
        Sign::record(
            "records are events of a stream of Converse, each under `event`",
            &[Test::HasOne(&[
                "event.messageStart.role",
                "event.contentBlockDelta.delta",
                "event.contentBlockStart.start",
            ])],
        ),
        Sign::certain(
            On::Items("{}"),
            "there are conversations with the `system_prompt` of an agent and blocks of Converse",
            &[
                Test::List("system_prompt"),
                Test::OneOf("messages.0.role", &["user", "assistant"]),
                Test::Has("messages.0.content.0.text"),
            ],
        ),
    ],
    lists: &["messages", "traces.**", "children.**", "{}.**"],
    undivided: &[
        "message",
        "agent_id",
        "session_id",
        "role",
        "event",
        "result",
        "init_event_loop",
        "start_event_loop",
        "start",
        "event_loop_cycle_id",
        "event_loop_cycle_trace",
        "current_tool_use",
        "force_stop",
        "tool_stream_event",
    ],
    quiet: &[
        "created_at|updated_at|session_type|type|name|start_time|end_time|duration",
        "message.role",
    ],
    ..Described::new(&catalog::STRANDS, describe)
};

/// The key of the run of all files.
const RUN: &str = "\"session\"";

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if !entry.is_document && streamed(record, out) {
        return;
    }
    if record.get("duration").is_given() {
        return step(record, out);
    }
    if record.get("accumulated_usage").is_given() {
        return metrics(record, out);
    }
    if entry.is_document {
        return conversation(record, out);
    }
    if record.get("stop_reason").is_given() {
        out.run.records = Records::Itself;
        self::message(record, record.get("message"), out);
        out.event(EventKind::RunEnd, "result").field("Stop reason", record.get("stop_reason"));
        return;
    }
    if record.get("role").is_given() {
        return self::message(record, record, out);
    }
    out.run(Json::new(RUN)).times.order_rows = true;
    out.at(record.get("created_at"));
    let message = record.get("message");
    if message.is_given() {
        self::message(record, message, out);
    } else if record.get("session_id").is_given() {
        out.facts(record, &[("Session", "session_id")]);
        out.event(EventKind::RunStart, "session").summary(record.get("session_id"));
    } else {
        let item = out.event(EventKind::State, "agent");
        item.summary(record.get("agent_id"));
        item.value(BlockRole::State, record.get("state"));
    }
}

/// Describes a record of a stream: an event of the model, a message that is added to the conversation, or the next step
/// of the agent's loop. `false` if it is not such a record.
fn streamed<'a>(record: Json<'a>, out: &mut Description<'a>) -> bool {
    let event = record.get("event");
    if event.kind() == Kind::Object {
        if !stream::describe(event, out) {
            out.note("event").value("Event", event);
        }
        return true;
    }
    let is_message = record.get("message.role").is_given();
    if is_message
        && ["message_id", "stop_reason", "duration"].iter().all(|key| record.get(key).is_absent())
    {
        // A message of the model was already streamed.
        match record.get("message.role").is("assistant") {
            true => out.nothing(),
            false => self::message(record, record.get("message"), out),
        }
        return true;
    }
    let result = record.get("result");
    if result.is_given() && record.get("type").is_absent() {
        out.event(EventKind::RunEnd, "result").summary(result).value(BlockRole::Result, result);
        return true;
    }
    let is_again = LOOP.iter().any(|key| record.get(key).is_given());
    if is_again {
        out.nothing();
    }
    is_again
}

/// Members of stream records that add nothing to events and messages: the position of the agent's loop, and repeated
/// pieces.
const LOOP: &[&str] = &[
    "init_event_loop",
    "start_event_loop",
    "start",
    "event_loop_cycle_id",
    "event_loop_cycle_trace",
    "current_tool_use",
    "force_stop",
    "tool_stream_event",
];

/// A conversation among several, or the document around all of them.
fn conversation<'a>(document: Json<'a>, out: &mut Description<'a>) {
    if document.get("messages").is_absent() {
        return out.nothing();
    }
    out.run.records = Records::Itself;
    out.event(EventKind::RunStart, "conversation")
        .value(BlockRole::Instructions, document.get("system_prompt"));
}

/// The metrics of an agent, around the traces of its cycles.
fn metrics<'a>(metrics: Json<'a>, out: &mut Description<'a>) {
    let counts = metrics.get("accumulated_usage");
    out.run.records = Records::Itself;
    out.run.totals.usage = Flavour::of(counts).read(counts);
    out.run.times.duration = seconds_ns(metrics.get("total_duration").number());
    out.event(EventKind::RunStart, "metrics")
        .value(BlockRole::Tools, metrics.get("tool_usage"))
        .value(BlockRole::Usage, counts);
}

/// A trace of the metrics: a cycle, an LLM call, or the result of a tool call.
fn step<'a>(step: Json<'a>, out: &mut Description<'a>) {
    let took = seconds_ns(step.get("duration").number());
    let start = time_of(step.get("start_time"));
    if step.get("message").is_given() {
        message(step, step.get("message"), out);
        for item in &mut out.items {
            match item.what() {
                What::Model => drop(item.begins(start).took(took)),
                What::Result => drop(item.took(took)),
                _ => {}
            }
        }
        return;
    }
    let name = step.get("name").label();
    out.item(What::Span).name(name).starts(start).took(took);
    out.encloses_list();
}

fn message<'a>(record: Json<'a>, message: Json<'a>, out: &mut Description<'a>) {
    // A guardrail may have replaced the message.
    let redacted = record.get("redact_message");
    if content::role(&message.get("role").label()) == Role::User {
        out.run.titles.words = content::first_words(message);
    }
    content::message(message, Joins::Nothing, out);
    let counts = message.any(&["metadata.usage", "usage"]);
    let usage = Flavour::of(counts).read(counts);
    if let Some(item) = out.find(What::Model) {
        item.usage(usage).value(BlockRole::Usage, counts);
    }
    if let Some(item) = out.items.first_mut() {
        item.value("Redacted to", redacted);
    }
}
