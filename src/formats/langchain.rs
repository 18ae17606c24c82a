//! LangChain and LangGraph: messages as they are dumped, streams of events, and states of graphs.
//!
//! Read from the producers' code and documentation (docs.langchain.com), from a dump of messages of Deep Agents, and
//! from a stream of the LangGraph API of 2025. Messages are constructors (`dumps`), `{type, data}` (`messages_to_dict`)
//! or plain members (`model_dump`), or the subset that other programs store: class name, content and calls. Chunks with
//! one id are one message. Each state repeats the whole conversation: only new messages make rows. The API streams a
//! message repeatedly as it grows; only the finished message counts. Events of `astream_events` are spans without
//! times. Streams of chains repeat the output of their steps.

use traceloupe_core::model::Usage;
use traceloupe_engine::kit::Sure;
use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::content::Role;
use traceloupe_engine::shapes::step::{Shape, SpanKind};
use traceloupe_engine::shapes::stream::{call_piece, piece};

/// The format.
pub static LANGCHAIN: Described = Described {
    signs: &[
        constructors(On::Within(&["messages", ""])),
        messages(On::Within(&["messages", "values.messages", ""])),
        Sign { sure: Sure::Likely, ..constructors(On::Items("{}.messages")) },
        Sign { sure: Sure::Likely, ..messages(On::Items("{}.messages")) },
        classes(On::Within(&["messages", ""]), TYPE),
        classes(On::Within(&["messages"]), ROLE),
        Sign { sure: Sure::Likely, ..classes(On::Items("trace"), TYPE) },
        Sign::record(
            "records are messages with `type` and `data`",
            &[
                Test::OneOf("type", TYPES),
                Test::Has("data.content"),
                Test::Object("data.additional_kwargs"),
            ],
        ),
        Sign::record(
            "records are events of `astream_events`",
            &[Test::Starts("event", "on_"), Test::Text("run_id"), Test::Object("data")],
        ),
        Sign::record(
            "records are events of a graph with `step` and `payload`",
            &[
                Test::OneOf("type", &["task", "task_result", "checkpoint"]),
                Test::Has("step"),
                Test::Object("payload"),
            ],
        ),
        Sign::record(
            "records are tasks of a graph with their `triggers`",
            &[Test::Texts(&["id", "name"]), Test::Has("input"), Test::List("triggers")],
        ),
        Sign::record(
            "records are lists of a mode of LangGraph's streams and what it streams",
            &[Test::OneOf("0", MODES), Test::HasOne(&["1.0.response_metadata", "1.0.lc"])],
        ),
        Sign::likely(
            On::Any,
            "records are lists of a mode of LangGraph's streams and what it streams",
            &[Test::OneOf("0", MODES), Test::Object("1"), Test::Lacks("2")],
        ),
        Sign::likely(
            On::Any,
            "records are lists of a path, a mode of LangGraph's streams and what it streams",
            &[Test::List("0"), Test::OneOf("1", MODES), Test::Has("2"), Test::Lacks("3")],
        ),
        Sign::record(
            "records are states of a graph",
            &[Test::Object("values"), Test::List("next"), Test::HasOne(&["config", "checkpoint"])],
        ),
        Sign::record(
            "records are checkpoints with `channel_values`",
            &[Test::Object("channel_values"), Test::Object("channel_versions")],
        ),
    ],
    quiet: &[
        "type|event|lc|id|name|run_id|parent_ids|timestamp|ts|created_at",
        "*.lc|type",
        "payload.name",
    ],
    // Some programs keep the messages of a question in this list.
    lists: &["trace"],
    ..Described::new(&catalog::LANGCHAIN, describe)
};

const fn constructors(on: On) -> Sign {
    let tests = &[
        Test::Has("lc"),
        Test::OneOf("type", &["constructor", "not_implemented"]),
        Test::List("id"),
    ];
    Sign::certain(on, "values are constructors of LangChain (`lc`, `id`, `kwargs`)", tests)
}

/// The modes of a graph's streams. Several modes at once are streamed as pairs of mode and chunk; subgraphs have their
/// path before the pair.
const MODES: &[&str] =
    &["values", "updates", "messages", "debug", "tasks", "checkpoints", "custom"];

const TYPES: &[&str] =
    &["human", "ai", "tool", "system", "function", "AIMessageChunk", "HumanMessageChunk"];

const fn messages(on: On) -> Sign {
    let tests = &[
        Test::OneOf("type", TYPES),
        Test::Has("content"),
        Test::Object("additional_kwargs"),
        Test::Object("response_metadata"),
    ];
    Sign::certain(on, "messages have `additional_kwargs` and `response_metadata`", tests)
}

/// Messages that a program stored with only their class, content and calls.
const fn classes(on: On, tests: &'static [Test]) -> Sign {
    Sign::certain(on, "messages name their class in LangChain", tests)
}

const TYPE: &[Test] = &[Test::OneOf("type", CLASSES), Test::Has("content")];
const ROLE: &[Test] = &[Test::OneOf("role", CLASSES), Test::Has("content")];

/// `SystemMessage` is missing because other producers use the same name.
const CLASSES: &[&str] = &["HumanMessage", "AIMessage", "ToolMessage"];

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    match entry.is_document {
        true => question(entry.json, out),
        false => record(entry.json, out),
    }
}

/// A document with the messages of one question.
fn question<'a>(document: Json<'a>, out: &mut Description<'a>) {
    out.run.records = Records::Itself;
    out.run.titles.own = document.any(&["title", "question", "name", "id"]);
    out.event(EventKind::RunStart, "conversation");
}

fn record<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let payload = record.get("payload");
    let state = record.any(&["values", "channel_values"]);
    let kind = record.get("type").label();
    let event = record.get("event").label();
    out.at(record.any(&["timestamp", "created_at", "ts"]));
    if let Some(event) = event.strip_prefix("on_") {
        return step(event, record, out);
    }
    if record.kind() == Kind::Array {
        return list(record, out);
    }
    if payload.kind() == Kind::Object {
        return graph_event(&kind, record, payload, out);
    }
    if state.kind() == Kind::Object {
        return checkpoint(record, state, out);
    }
    if is_message(record) {
        return message(record, out);
    }
    if record.get("triggers").kind() == Kind::Array {
        return graph_event("task", record, record, out);
    }
    if record.get("interrupts").kind() == Kind::Array && record.get("name").is_given() {
        history(record.get("result"), out);
        return graph_event("task_result", record, record, out);
    }
    if record.get("messages").kind() == Kind::Array {
        history(record, out);
        let keys = record.members().filter(|(key, _)| key != "messages");
        let others: Vec<_> = keys.collect();
        let item = out.note("state");
        for (key, value) in others {
            item.field(key, value);
        }
        return;
    }
    // Updates of nodes, or metadata of a run or a message.
    let mut members = record.members();
    let (first, is_only) = (members.next(), members.next().is_none());
    match first {
        Some((key, update)) if is_only && update.kind() == Kind::Object => {
            history(update, out);
            let is_metadata = update.get("metadata").is_given();
            let label = if is_metadata { "metadata".into() } else { key };
            out.note(label).value("Value", update);
        }
        _ => _ = out.note("metadata").fields(record, &[("Run", "run_id")]),
    }
}

fn is_message(value: Json<'_>) -> bool {
    let (word, inner) = content::unwrapped(value);
    content::role(&word) != Role::Other && inner.get("content").is_given()
}

/// A message, or a chunk of one.
fn message<'a>(value: Json<'a>, out: &mut Description<'a>) {
    let (word, inner) = content::unwrapped(value);
    let at = out.items.len();
    if word.ends_with("Chunk") && content::role(&word) == Role::Model {
        chunk(inner, out);
    } else {
        content::message(value, Joins::Nothing, out);
    }
    if content::role(&word) == Role::User && out.run.titles.words.is_absent() {
        out.run.titles.words = content::first_words(inner);
    }
    let about = inner.get("response_metadata");
    let counts = inner.get("usage_metadata").or(about.any(&["token_usage", "tokenUsage", "usage"]));
    let error = if inner.get("status").is("error") { inner.get("content") } else { Json::ABSENT };
    let Some(item) = out.items.get_mut(at) else { return };
    match item.what() {
        What::Model => {
            item.tokens(Flavour::of(counts), counts);
            item.name = about.any(&["model_name", "model"]).label();
            let reasons = [
                (FactKind::Other("Finish reason"), "finish_reason"),
                (FactKind::Other("Stop reason"), "stop_reason"),
                (FactKind::Provider, "model_provider"),
            ];
            item.fields(about, &reasons).value(BlockRole::Response, about);
            item.value("Invalid tool calls", inner.get("invalid_tool_calls"));
        }
        What::Result if error.is_given() => _ = item.status(traceloupe_core::model::Status::Failed),
        _ => {}
    }
}

/// A chunk of a model's output.
fn chunk<'a>(chunk: Json<'a>, out: &mut Description<'a>) {
    let at = out.items.len();
    let id = chunk.get("id");
    let joins = if id.word().is_some() { Joins::Id(id) } else { Joins::Open };
    let item = out.item(What::Model).joins(joins);
    let content = chunk.get("content");
    match content.kind() {
        Kind::Array => {
            for part in content.items() {
                piece(PieceOf::Text, part.get("index"), part.get("text"), item);
                let thinking = part.any(&["thinking", "reasoning"]);
                piece(PieceOf::Thinking, part.get("index"), thinking, item);
            }
        }
        _ => piece(PieceOf::Text, Json::ABSENT, content, item),
    }
    let reasoning = chunk.get("additional_kwargs.reasoning_content");
    piece(PieceOf::Thinking, Json::ABSENT, reasoning, item);
    for call in chunk.get("tool_call_chunks").items() {
        let ids = (call.get("id"), call.get("name"));
        call_piece(at, call.get("index"), ids, call.get("args"), out);
    }
}

/// The conversation in a state.
fn history<'a>(state: Json<'a>, out: &mut Description<'a>) {
    let messages = state.get("messages");
    let one = (messages.kind() == Kind::Object).then_some(messages);
    for (at, value) in (0..).zip(messages.items().chain(one)) {
        if !is_message(value) {
            continue;
        }
        let before = out.items.len();
        message(value, out);
        out.history(before, at, value);
    }
}

/// A list: a chunk with its metadata, messages that grow, or a dump of a whole conversation.
fn list<'a>(list: Json<'a>, out: &mut Description<'a>) {
    let at = usize::from(list.item(0).kind() == Kind::Array);
    if list.item(at).text().is_some_and(|mode| MODES.contains(&mode.as_ref())) {
        return record(list.item(at + 1), out);
    }
    let about = list.item(1);
    if is_message(list.item(0)) && about.kind() == Kind::Object && !is_message(about) {
        message(list.item(0), out);
        if let Some(item) = out.items.first_mut() {
            item.fields(about, &[("Node", "langgraph_node"), ("Step", "langgraph_step")]);
        }
        return;
    }
    for value in list.items().filter(|it| is_message(*it)) {
        let (word, inner) = content::unwrapped(value);
        let ends = ["finish_reason", "stop_reason", "done_reason"];
        let is_growing = content::role(&word) == Role::Model
            && inner.get("id").text().is_some_and(|id| id.starts_with("run-"))
            && !inner.get("response_metadata").any(&ends).is_given();
        if !is_growing {
            message(value, out);
        }
    }
    if out.items.is_empty() {
        out.nothing();
    }
}

/// A state of a graph.
fn checkpoint<'a>(record: Json<'a>, state: Json<'a>, out: &mut Description<'a>) {
    let thread = ["config.configurable.thread_id", "checkpoint.thread_id", "thread_id"];
    let facts = record.any(&thread);
    if facts.is_given() {
        out.run.about.facts.push(("Thread".into(), facts));
    }
    history(state, out);
    out.note("checkpoint")
        .fields(
            record,
            &[
                ("Step", "metadata.step"),
                ("Source", "metadata.source"),
                ("Next", "next"),
                ("Checkpoint", "checkpoint.checkpoint_id"),
            ],
        )
        .value(BlockRole::State, state)
        .value("Tasks", record.get("tasks"))
        .value("Interrupts", record.get("interrupts"))
        .value("Configuration", record.get("config"))
        .value("Metadata", record.get("metadata"));
}

/// An event of a graph about its nodes.
fn graph_event<'a>(kind: &str, record: Json<'a>, payload: Json<'a>, out: &mut Description<'a>) {
    let name = payload.get("name").label();
    match kind {
        "task" => {
            let item = out.event(EventKind::Agent, name).span(payload.get("id"), Json::ABSENT);
            item.value(BlockRole::Input, payload.get("input")).field("Step", record.get("step"));
        }
        "task_result" => {
            let item = out.item(What::End).span(payload.get("id"), Json::ABSENT).name(name);
            item.value(BlockRole::Result, payload.get("result"))
                .value("Interrupts", payload.get("interrupts"))
                .error(payload.get("error"));
        }
        "checkpoint" => {
            let state = payload.any(&["values", "channel_values"]);
            checkpoint(payload, state, out);
        }
        kind => _ = out.note(kind.to_owned()).value("Payload", payload),
    }
}

static EVENT: Shape = Shape {
    run: &["parent_ids.0", "run_id"],
    id: &["run_id"],
    name: &["name"],
    model: &["metadata.ls_model_name"],
    error: &["data.error"],
    counts: &[
        "data.output.usage_metadata",
        "data.output.kwargs.usage_metadata",
        "data.output.llm_output.token_usage",
        "data.output.generations.0.0.message.usage_metadata",
        "data.output.generations.0.0.message.kwargs.usage_metadata",
    ],
    input: &["data.input"],
    output: &["data.output"],
    fields: &[
        (FactKind::Other("Tags"), "tags"),
        (FactKind::Other("Node"), "metadata.langgraph_node"),
    ],
    values: &[(BlockRole::Named("Metadata"), "metadata")],
    ..Shape::NONE
};

/// Whether an event is tagged as a step of a sequence or a graph.
fn is_tagged(record: Json<'_>) -> bool {
    let tags = record.get("tags").items().filter_map(Json::text);
    let mut tags =
        tags.filter(|tag| ["seq:", "graph:", "map:"].iter().any(|it| tag.starts_with(it)));
    tags.next().is_some()
}

/// An event of `astream_events`.
fn step<'a>(event: &str, record: Json<'a>, out: &mut Description<'a>) {
    let Some((what, when)) = event.rsplit_once('_') else {
        out.note(event.to_owned());
        return;
    };
    let mut step = EVENT.step(record);
    let parents = record.get("parent_ids");
    step.parent = parents.items().last().unwrap_or_default();
    step.kind = match what {
        "chat_model" | "llm" => SpanKind::Llm,
        "tool" => SpanKind::Tool,
        _ => SpanKind::Step,
    };
    if step.kind != SpanKind::Llm {
        // A chain repeats the message of the LLM call inside it.
        (step.counts, step.usage) = (Json::ABSENT, Usage::default());
    }
    let mut hidden = Json::ABSENT;
    let is_of_node = record.get("metadata.langgraph_node").is_given();
    if parents.item(0).is_absent() {
        // Version 1 does not state the nesting: the whole file is one run.
        if parents.is_absent() || step.kind == SpanKind::Tool || is_of_node || is_tagged(record) {
            step.run = Json::ABSENT;
        }
    } else if step.kind == SpanKind::Tool && is_of_node && parents.item(1).is_absent() {
        // The events of some middleware around a tool are hidden, and so is the parent of the tool.
        hidden = step.parent;
        (step.run, step.parent) = (Json::ABSENT, Json::ABSENT);
    }
    match when {
        "start" => _ = step.tell(out).field("Inside", hidden),
        "end" | "error" => _ = step.tell_end(out),
        "stream" if step.kind == SpanKind::Llm => {
            let (_, inner) = content::unwrapped(record.get("data.chunk"));
            out.run(step.run);
            chunk(inner, out);
            // The calls that it requests are spans of their own.
            out.items.truncate(1);
            if let Some(item) = out.items.first_mut() {
                item.joins(Joins::Id(step.id));
            }
        }
        "stream" => {
            out.run(step.run);
            out.nothing();
        }
        _ => {
            out.run(step.run);
            out.note(record.get("name")).value("Data", record.get("data"));
        }
    }
    if parents.is_absent() {
        // Steps of a sequence or a graph are tagged.
        let is_inside = step.kind != SpanKind::Step || record.get("tags.0").is_given();
        out.run.titles.own = if is_inside { Json::ABSENT } else { record.get("name") };
    }
}
