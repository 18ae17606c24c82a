//! LlamaIndex: events of workflows, as contexts and servers write them, and stored chats.
//!
//! Read from `workflow_events.py`, `llms/types.py` and `storage/chat_store` of run-llama/llama_index and from
//! `workflows.context.serializers`, versions 0.11 to 0.14.
//!
//! A file is a run. Serialized events have a `qualified_name` and a `value`. The model's text comes in pieces
//! (`AgentStream`) and again as a whole (`AgentOutput`), with the calls; tool calls and results are events of their
//! own.

use traceloupe_core::model::MaybeNs;
use traceloupe_engine::prelude::*;

/// The format.
pub static LLAMA_INDEX: Described = Described {
    signs: &[
        Sign::record(
            "events have the name of a class of LlamaIndex",
            &[Test::Starts("qualified_name", "llama_index."), Test::Object("value")],
        ),
        Sign::record(
            "events have the name of a class of workflows",
            &[Test::Starts("qualified_name", "workflows."), Test::Object("value")],
        ),
        Sign::certain(
            On::Within(&["messages"]),
            "messages have blocks with a `block_type`",
            &[Test::Texts(&["role", "blocks.0.block_type"])],
        ),
        Sign::record(
            "events are of an agent by its name, or of its tools",
            &[Test::HasOne(&["current_agent_name", "tool_kwargs"]), Test::HasOne(EVENT)],
        ),
        Sign::record(
            "the document is a response with its `source_nodes`",
            &[Test::Has("response"), Test::List("source_nodes")],
        ),
        Sign::record(
            "the document is the context of a workflow",
            &[Test::Has("is_running"), Test::HasOne(&["workers", "broker_log"])],
        ),
        Sign::record(
            "the document is a store of chats",
            &[Test::Object("store"), Test::Is("class_name", "SimpleChatStore")],
        ),
        Sign::record(
            "the document is a memory with its store of chats",
            &[Test::Object("chat_store.store"), Test::Has("chat_store_key")],
        ),
    ],
    lists: &["events", "messages", "chat_history"],
    undivided: &["store", "chat_store", "source_nodes"],
    quiet: &["__is_pydantic|__is_component|qualified_name|types|type|role|timestamp"],
    ..Described::new(&catalog::LLAMA_INDEX, describe)
};

/// Members of events that are written without the names of their classes.
const EVENT: &[&str] = &["delta", "input.0.role", "response.role", "tool_id"];

/// The class of an event that is written without its name.
fn class_of(event: Json<'_>) -> &'static str {
    let has = |path| event.get(path).is_given();
    match event.get("response").kind() {
        _ if has("tool_output") => "ToolCallResult",
        _ if has("tool_kwargs") => "ToolCall",
        _ if has("delta") => "AgentStream",
        _ if has("source_nodes") => "Response",
        Kind::Object => "AgentOutput",
        _ if has("input.0.role") => "AgentInput",
        _ if has("result") => "StopEvent",
        _ if has("is_running") => "Context",
        _ => "",
    }
}

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(&["timestamp", "value.timestamp"]));
    if entry.is_document {
        return;
    }
    let store = record.any(&["store", "chat_store.store"]);
    if store.is_given() {
        // Chats under their keys.
        for (_, chat) in store.members() {
            chat.items().for_each(|it| message(it, Joins::Nothing, out));
        }
        if out.items.is_empty() {
            out.note("no chats");
        }
        return;
    }
    let name = record.get("qualified_name").label();
    match name.rsplit('.').next().unwrap_or_default() {
        "" if record.get("role").is_given() => message(record, Joins::Nothing, out),
        "" => event(class_of(record), record, out),
        name => event(name, record.get("value"), out),
    }
}

/// A message: text in `content`, or blocks.
fn message<'a>(message: Json<'a>, joins: Joins<'a>, out: &mut Description<'a>) {
    let role = message.get("role").label();
    let about = message.get("additional_kwargs");
    let blocks = message.get("blocks");
    let parts = match blocks.kind() {
        Kind::Array => blocks.items().map(block).collect(),
        _ => content::pieces(message.get("content")),
    };
    match content::role(&role) {
        content::Role::Model => {
            let at = out.items.len();
            let counts = message.any(&["additional_kwargs.usage", "raw.usage"]);
            out.model(parts, joins).tokens(Flavour::of(counts), counts).row.asks =
                about.get("tool_calls");
            let calls = about.get("tool_calls").items();
            let blocks = blocks.items().filter(|it| it.get("block_type").is("tool_call"));
            for call in calls.chain(blocks) {
                if let Some(arguments) = call.get("tool_kwargs").given() {
                    let (id, name) = (call.get("tool_call_id"), call.get("tool_name"));
                    // Its block is shown with the message.
                    out.call(id, name, arguments).asked_by(at);
                } else {
                    let (id, name, arguments) = content::call_of(call);
                    out.asked_by(at, id, name, arguments);
                }
            }
        }
        content::Role::Tool => {
            let words = blocks.get("0.text").or(message.get("content"));
            out.result(about.get("tool_call_id"), words).name(about.get("name"));
        }
        content::Role::System => out.item(What::System).parts = parts,
        _ => {
            out.run.titles.words = blocks.get("0.text").or(message.get("content"));
            out.item(What::User).parts = parts;
        }
    }
}

fn block(block: Json<'_>) -> Part<'_> {
    match block.get("block_type").label().as_ref() {
        "text" => Part::Text(block.get("text")),
        "thinking" if has_content(block.get("content")) => Part::Thinking(block.get("content")),
        "thinking" => Part::HiddenThinking,
        "image" if block.get("image").kind() == Kind::String => {
            let media = block.get("image_mimetype").word().unwrap_or("image/png".into());
            Part::Media(media, block.get("image"))
        }
        "tool_call" => Part::Call(block.get("tool_name").label(), block.get("tool_kwargs")),
        _ => Part::Value(BlockRole::Named("Block"), block),
    }
}

/// An event of a workflow.
fn event<'a>(name: &str, value: Json<'a>, out: &mut Description<'a>) {
    let agent = value.get("current_agent_name");
    match name {
        "AgentInput" | "AgentSetup" => {
            let input = content::messages(value.get("input"));
            let label = if name == "AgentInput" { "agent input" } else { "agent setup" };
            out.note(label).part(Part::Messages(BlockRole::Messages, input)).summary(agent);
        }
        "AgentStream" => {
            let words = value.get("delta");
            let thinking = value.get("thinking_delta");
            let mut parts = Vec::new();
            if has_content(thinking) {
                parts.push(Part::piece(PieceOf::Thinking, thinking));
            }
            if words.kind() == Kind::String {
                parts.push(Part::piece(PieceOf::Text, words));
            }
            out.model(parts, Joins::Neighbours);
        }
        "AgentOutput" => {
            let response = value.get("response");
            message(response, Joins::Neighbours, out);
            let asks = out.items.len() > 1;
            // The calls have events of their own.
            out.items.retain(|item| item.what() == What::Model);
            let Some(item) = out.items.first_mut() else { return };
            item.field("Agent", agent);
            item.ends(true);
            let calls = if asks { Json::ABSENT } else { value.get("tool_calls") };
            for call in calls.items() {
                // The calls before a final answer, which may be written without the events.
                let (id, name) = (call.get("tool_id"), call.get("tool_name"));
                let call = out.call(id, name, call.get("tool_kwargs")).or_known();
                call.starts(MaybeNs::UNKNOWN);
            }
        }
        "Response" => {
            let words = value.get("response");
            out.model(content::pieces(words), Joins::Nothing)
                .value("Sources", value.get("source_nodes"))
                .value(BlockRole::Tools, value.get("sources"));
        }
        "Context" => {
            let state = value.any(&["state.state_data._data", "state", "globals"]);
            out.event(EventKind::State, "context").value(BlockRole::State, state);
        }
        "" => {}
        "ToolCall" => {
            let (id, tool) = (value.get("tool_id"), value.get("tool_name"));
            out.call(id, tool, value.get("tool_kwargs")).or_known();
        }
        "ToolCallResult" => {
            let output = value.get("tool_output");
            let words = output.any(&["blocks.0.text", "content"]).or(output);
            let item = out.result(value.get("tool_id"), words);
            item.name(value.get("tool_name"));
            item.failed(output.get("is_error"));
        }
        "StopEvent" | "AgentWorkflowStopEvent" => {
            let result = value.get("result").or(value);
            out.event(EventKind::RunEnd, "stop").value(BlockRole::Result, result);
        }
        "StartEvent" | "AgentWorkflowStartEvent" => {
            let words = value.any(&["user_msg", "_data.user_msg", "_data.input", "input"]);
            out.run.titles.words = words;
            match words.kind() {
                Kind::String => drop(out.item(What::User).text(words)),
                _ => drop(out.event(EventKind::RunStart, "start").value(BlockRole::Input, value)),
            }
        }
        name => drop(out.note(name.to_owned()).value("Event", value)),
    }
}
