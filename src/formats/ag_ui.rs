//! AG-UI: the events that an agent sends to the page of its user, one object per event.
//!
//! Read from the protocol (<https://docs.ag-ui.com/concepts/events>, of 2026) and from event lists of its SDKs' tests.
//! Text, thinking and arguments of calls come in pieces. User messages are in snapshots of the messages, and in the
//! input that the start event of a run may repeat. Events may contain the framework's own events (`rawEvent`), which
//! say the same. Python programs that do not use aliases write `message_id` for `messageId`.

use traceloupe_core::model::{RunStatus, Usage};
use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::stream;

/// The format.
pub static AG_UI: Described = Described {
    signs: &[
        certain(&[Test::Is("type", "RUN_STARTED"), Test::HasOne(&["threadId", "thread_id"])]),
        certain(&[
            Test::OneOf("type", &["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"]),
            Test::HasOne(&["messageId", "message_id"]),
        ]),
        certain(&[
            Test::Is("type", "TOOL_CALL_START"),
            Test::HasOne(&["toolCallName", "tool_call_name"]),
        ]),
        certain(&[Test::Is("type", "MESSAGES_SNAPSHOT"), Test::List("messages")]),
        Sign::certain(
            On::Items("{}"),
            "its lists begin with the `RUN_STARTED` of AG-UI",
            &[Test::Is("0.type", "RUN_STARTED"), Test::Text("0.threadId")],
        ),
    ],
    // A document with one list per run.
    lists: &["{}.**", ""],
    undivided: &["type"],
    quiet: &[
        "type|timestamp|messageId|parentMessageId|role|rawEvent|toolCallName|message_id",
        "parent_message_id|tool_call_name",
    ],
    ..Described::new(&catalog::AG_UI, describe)
};

const fn certain(tests: &'static [Test]) -> Sign {
    let why = "events have a `type` of AG-UI and its ids";
    Sign::record(why, tests)
}

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let event = entry.json;
    if entry.is_document {
        return out.nothing();
    }
    out.at(event.get("timestamp"));
    let id = event.any(&["toolCallId", "tool_call_id"]);
    let kind = event.get("type").label();
    // Events of a sub-agent name its run.
    let agent = event.any(&["subagentRunId", "subagent_run_id"]);
    out.run.agent.is(agent);
    match kind.as_ref() {
        "SUBAGENT_STARTED" => {
            out.run.agent.name = event.get("name");
            let name = event.get("name").label();
            let parent = event.any(&["parentSubagentRunId", "parent_subagent_run_id"]);
            out.event(EventKind::Agent, name).span(agent, parent).text(event.get("description"));
        }
        "SUBAGENT_FINISHED" | "SUBAGENT_ERROR" => {
            let message = event.get("message");
            let item = out.item(What::End).span(agent, Json::ABSENT);
            item.value(BlockRole::Result, event.get("result")).error(message);
            item.fields(event, &[("Outcome", "outcome.type"), ("Code", "code")]);
        }
        "RUN_STARTED" => {
            out.run(event.any(&["threadId", "thread_id"]));
            out.event(EventKind::RunStart, "run")
                .fields(
                    event,
                    &[("Run", "runId"), ("Run", "run_id"), ("Parent run", "parentRunId")],
                )
                .value(BlockRole::State, event.get("input.state"))
                .value(BlockRole::Tools, event.get("input.tools"))
                .value(BlockRole::Context, event.get("input.context"));
            messages(event.get("input.messages"), out);
        }
        "RUN_FINISHED" => {
            out.run.status = Some(RunStatus::Ok);
            let mut usage = Usage::default();
            event.get("usage").items().for_each(|it| usage.add(&Flavour::of(it).read(it)));
            // Whatever follows belongs to another LLM call.
            out.usage(Usage::default()).ends(true);
            out.event(EventKind::RunEnd, "run")
                .usage(usage)
                .field("Outcome", event.get("outcome.type"))
                .value(BlockRole::Result, event.get("result"))
                .value(BlockRole::Usage, event.get("usage"));
        }
        "RUN_ERROR" => {
            out.run.status = Some(RunStatus::Error);
            out.event(EventKind::Error, "run").error(event);
        }
        "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_CHUNK" => piece(PieceOf::Text, event, out),
        "THINKING_CONTENT"
        | "THINKING_TEXT_MESSAGE_CONTENT"
        | "REASONING_MESSAGE_CONTENT"
        | "REASONING_MESSAGE_CHUNK" => piece(PieceOf::Thinking, event, out),
        "REASONING_ENCRYPTED_VALUE" => {
            out.item(What::Model).joins(Joins::Open).part(Part::HiddenThinking);
        }
        "TOOL_CALL_START" | "TOOL_CALL_ARGS" | "TOOL_CALL_CHUNK" => {
            let name = event.any(&["toolCallName", "tool_call_name"]);
            let ids = if name.is_given() { (id, name) } else { (Json::ABSENT, Json::ABSENT) };
            out.item(What::Model).joins(Joins::Open);
            stream::call_piece(0, id, ids, event.get("delta"), out);
        }
        "TOOL_CALL_RESULT" => drop(out.result(id, event.get("content")).error(event.get("error"))),
        "MESSAGES_SNAPSHOT" => {
            out.event(EventKind::State, "messages").part(Part::Messages(
                BlockRole::Messages,
                content::messages(event.get("messages")),
            ));
            messages(event.get("messages"), out);
        }
        "STATE_SNAPSHOT" => {
            out.event(EventKind::State, "state").value(BlockRole::State, event.get("snapshot"));
        }
        "STATE_DELTA" => {
            out.event(EventKind::State, "state").value("Changes", event.get("delta"));
        }
        "STEP_STARTED" => {
            out.item(What::Span).name(event.any(&["stepName", "step_name"])).opens();
        }
        "STEP_FINISHED" => drop(out.item(What::End).name(event.any(&["stepName", "step_name"]))),
        "CUSTOM" => {
            let name = event.get("name").label();
            out.note(name).value("Value", event.get("value"));
        }
        "RAW" => {
            out.note("raw").value("Event", event.get("event")).field("Source", event.get("source"));
        }
        kind if kind.starts_with("ACTIVITY_") => {
            let name = event.any(&["activityType", "activity_type"]).label();
            out.note(name)
                .value(BlockRole::Content, event.get("content"))
                .value("Changes", event.get("patch"));
        }
        // The pieces between them have all the content.
        kind if kind.ends_with("_START") || kind.ends_with("_END") => out.nothing(),
        _ => {}
    }
}

fn piece<'a>(of: PieceOf, event: Json<'a>, out: &mut Description<'a>) {
    let item = out.item(What::Model).joins(Joins::Open);
    stream::piece(of, event.any(&["messageId", "message_id"]), event.get("delta"), item);
}

/// The messages of the conversation so far. The agent's own messages were already sent as events.
fn messages<'a>(messages: Json<'a>, out: &mut Description<'a>) {
    for (at, message) in (0..).zip(messages.items()) {
        let before = out.items.len();
        let role = message.get("role").label();
        if content::role(&role) == content::Role::Other {
            let words = message.get("content");
            out.note(role).value(BlockRole::Content, words);
        } else {
            content::message(message, Joins::Nothing, out);
        }
        if message.get("role").is("user") && out.run.titles.words.is_absent() {
            out.run.titles.words = content::first_words(message);
        }
        out.history(before, at, message);
    }
}
