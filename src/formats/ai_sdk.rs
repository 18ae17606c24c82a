//! AI SDK (Vercel): UI messages, streams of the UI and of models, steps of a generation.
//!
//! Read from the producer's code (github.com/vercel/ai of versions 4 to 7: `ui-messages.ts`, `ui-message-chunks.ts`,
//! `stream-text-result.ts`, `language-model-v3-stream-part.ts`) and from the streams and messages of its tests. A
//! `UIMessage` of the assistant has `parts`; `step-start` begins an LLM call, and a tool part holds call and result.
//! Messages of version 4 have `toolInvocations` instead. A stream has the same content in pieces, one object per event.
//! Mastra's memory (github.com/mastra-ai/mastra, `message-list/index.ts`) has either kind of message as `content`. The
//! DevTools (`packages/devtools/src/db.ts`) keep `runs` and `steps`, with input and output as JSON in strings. Messages
//! sent to the model (`ModelMessage`) have parts `tool-call` and `tool-result`. A step is an LLM call with its results
//! and token counts.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::content::Role;
use traceloupe_engine::shapes::stream;

/// The format.
pub static AI_SDK: Described = Described {
    signs: &[
        message(On::Any, &[Test::OneOf("role", ROLES), Test::OneOf("parts.0.type", PARTS)]),
        message(On::Any, &[Test::OneOf("role", ROLES), Test::Has("parts.0.toolCallId")]),
        message(On::Any, &[Test::OneOf("role", ROLES), Test::Starts("parts.0.type", "data-")]),
        // OpenTelemetry's parts have `content` instead.
        message(On::Any, &[Test::OneOf("role", ROLES), TEXT, Test::Text("parts.0.text")]),
        message(On::Any, &[Test::Text("role"), Test::Has("toolInvocations.0.toolCallId")]),
        // Mastra keeps the parts and everything else of a message under `content`.
        message(On::Any, &[Test::OneOf("role", ROLES), MASTRA, Test::List("content.parts")]),
        message(
            On::Items("messages"),
            &[Test::OneOf("role", ROLES), MASTRA, Test::List("content.parts")],
        ),
        // Crush has messages like these, with the time as `created`.
        message(
            On::Items("messages"),
            &[Test::OneOf("role", ROLES), TEXT, Test::Text("id"), Test::Lacks("created")],
        ),
        // OpenCode has the role in an `info` object beside the parts.
        message(
            On::Items("messages"),
            &[Test::OneOf("role", ROLES), Test::OneOf("parts.0.type", PARTS)],
        ),
        model_message(On::Any),
        model_message(On::Items("messages")),
        Sign::record(
            "events of a stream have a `type` of the AI SDK and the id of their part",
            &[Test::OneOf("type", CHUNKS), Test::HasOne(&["toolCallId", "delta"])],
        ),
        Sign::record(
            "events of a stream have a `type` of the AI SDK, and the id and name of their call",
            &[
                Test::OneOf("type", &["tool-call", "tool-result", "tool-error"]),
                Test::Texts(&["toolCallId", "toolName"]),
            ],
        ),
        Sign::likely(
            On::Any,
            "events of a stream have a `type` of the AI SDK and the id of their part",
            &[
                Test::OneOf("type", &["text-delta", "reasoning-delta"]),
                Test::Texts(&["id", "text"]),
            ],
        ),
        Sign::record(
            "steps have `toolCalls`, `toolResults` and `finishReason`, as those of the AI SDK",
            &[Test::List("toolCalls"), Test::List("toolResults"), Test::Text("finishReason")],
        ),
        Sign::record(
            "the document has `steps` of the AI SDK",
            &[Test::List("steps.0.toolCalls"), Test::Text("steps.0.finishReason")],
        ),
        // Since version 5 the lists of calls and results are computed, so they are not in JSON.
        Sign::record("steps have `content` as those of the AI SDK", STEP),
        Sign::certain(On::Items("steps"), "the document has `steps` of the AI SDK", STEP),
        Sign::certain(
            On::Items("steps"),
            "the document has `steps` that the AI SDK's DevTools keep",
            &[Test::Texts(&["run_id", "model_id", "input"]), Test::Has("step_number")],
        ),
    ],
    lists: &["messages", "runs|steps"],
    undivided: &["toolCalls.0"],
    has_messages: true,
    quiet: &[
        "type|role|createdAt|toolName|timestamp|content",
        "metadata.createdAt",
        "parts.*.type|state|toolName",
        "parts.*.toolInvocation.state|toolName|step",
        "content.format",
        "toolCalls.*.type|toolName",
        "toolResults.*.toolName|toolCallId|input|args",
        "response.timestamp|modelId",
        // The same messages again, as they are sent to the model next.
        "response.messages",
        "content.*.type|toolName|toolCallId|input",
    ],
    ..Described::new(&catalog::AI_SDK, describe)
};

const ROLES: &[&str] = &["user", "assistant", "system"];
const MASTRA: Test = Test::Has("content.format");
const TEXT: Test = Test::OneOf("parts.0.type", &["text", "reasoning"]);
const PARTS: &[&str] = &["step-start", "dynamic-tool", "tool-invocation", "source-url"];
const CHUNKS: &[&str] = &[
    "text-delta",
    "reasoning-delta",
    "tool-input-start",
    "tool-input-available",
    "tool-output-available",
    "tool-output-error",
];

const STEP: &[Test] = &[
    Test::List("content"),
    Test::Text("finishReason"),
    Test::Object("usage"),
    Test::Object("response"),
];

const fn message(on: On, tests: &'static [Test]) -> Sign {
    Sign::certain(on, "messages have `parts` as those of the AI SDK", tests)
}

const fn model_message(on: On) -> Sign {
    let tests = &[
        Test::Text("role"),
        Test::HasOne(&["content.0.toolCallId", "content.1.toolCallId", "content.2.toolCallId"]),
        Test::HasOne(&["content.0.toolName", "content.1.toolName", "content.2.toolName"]),
    ];
    Sign::certain(on, "messages have parts with `toolCallId` and `toolName`", tests)
}

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(&["createdAt", "metadata.createdAt", "timestamp", "response.timestamp"]));
    if record.get("run_id").is_given() && record.get("step_number").is_given() {
        return kept_step(record, out);
    }
    if record.get("started_at").is_given() && record.get("type").is_absent() {
        // The DevTools list their runs before the steps.
        let run = out.run(record.get("id"));
        (run.titles.own, run.times.start) =
            (record.get("function_id"), time_of(record.get("started_at")));
        return out.nothing();
    }
    if entry.is_document && record.get("steps.0.run_id").is_given() {
        out.run(record.get("steps.0.run_id"));
        return out.nothing();
    }
    if entry.is_document {
        let run = out.run(record.any(&["chatId", "id", "messages.0.threadId"]));
        (run.records, run.titles.own) = (Records::Itself, record.any(&["title", "name"]));
        out.event(EventKind::RunStart, "chat").value(BlockRole::Instructions, record.get("system"));
        return;
    }
    let kept = record.get("content");
    let kept = if kept.get("format").is_given() { kept } else { record };
    out.run(record.get("threadId"));
    match record.get("role").word() {
        Some(role) if content::role(&role) == Role::Model => answer(kept, out),
        Some(_) => {
            content::said(record, Joins::Nothing, out);
            if out.items.is_empty() {
                out.nothing();
            }
        }
        None if record.get("finishReason").is_given() && record.get("type").is_absent() => {
            step(record, out);
        }
        None => chunk(record, out),
    }
}

/// A message of the assistant: the parts of one or more LLM calls.
fn answer<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let parts = message.get("parts");
    if parts.is_absent() && message.get("toolInvocations").is_absent() {
        content::message(message, Joins::Nothing, out);
    } else {
        let mut model = None;
        let words = message.any(&["reasoning"]);
        if parts.is_absent() && words.is_given() {
            let item = out.model(vec![Part::Thinking(words)], Joins::Nothing);
            item.text(message.get("content"));
            model = Some(out.items.len() - 1);
        } else if parts.is_absent() && message.get("content").raw().len() > 2 {
            out.model(vec![Part::Text(message.get("content"))], Joins::Nothing);
            model = Some(out.items.len() - 1);
        }
        let parts = if parts.is_absent() { message.get("toolInvocations") } else { parts };
        for part in parts.items() {
            if part.get("type").is("step-start") {
                model = None;
                continue;
            }
            let at = model.unwrap_or_else(|| {
                out.item(What::Model).joins(Joins::Nothing);
                out.items.iter().rposition(|item| item.what() == What::Model).unwrap_or_default()
            });
            model = Some(at);
            self::part(at, part, out);
        }
    }
    let counts = message.any(&["metadata.usage", "metadata.totalUsage", "usage"]);
    let name = message.any(&["metadata.model", "metadata.modelId", "model"]);
    if let Some(item) = out.items.iter_mut().rfind(|item| item.what() == What::Model) {
        item.tokens(Flavour::of(counts), counts);
        item.name(name);
    } else {
        out.nothing();
    }
}

/// A part of a message: text, or a call with its outcome.
fn part<'a>(model: usize, part: Json<'a>, out: &mut Description<'a>) {
    // Version 4 has the call inside a part, or in a list of its own.
    let call = part.get("toolInvocation").or(part);
    let kind = part.get("type").label();
    if call.get("toolCallId").is_absent() {
        if let ([one], Some(item)) = (content::pieces(part).as_slice(), out.items.get_mut(model)) {
            item.part(one.clone());
        }
        return;
    }
    let name = out.string(kind.strip_prefix("tool-").unwrap_or_default());
    let name = call.get("toolName").or(name);
    let written = call.any(&["input", "args", "rawInput"]);
    let input = out.unpack(written);
    // JSON in a string cannot be read where the call is summarised.
    let asked = match written.kind() == Kind::String && input.kind() != Kind::String {
        true => out.json(&format!(
            r#"{{"type":"tool-call","toolName":{},"input":{}}}"#,
            name.raw(),
            input.raw()
        )),
        false => part,
    };
    let item = out.nth(model);
    item.asks(item.row.asks.or(asked));
    let item = out.asked_by(model, call.get("toolCallId"), name, input);
    let output = call.any(&["output", "result"]);
    if output.is_given() {
        item.part(Part::Result(output));
    }
    item.error(call.get("errorText"))
        .fields(call, &[("Approval", "approval.id"), ("Approved", "approval.approved")]);
    match call.get("state").label().as_ref() {
        "output-available" | "result" => drop(item.status(Status::Ok)),
        "output-denied" => drop(item.status(Status::Rejected)),
        "output-error" => drop(item.status(Status::Failed)),
        state if !state.is_empty() => drop(item.field("State", call.get("state"))),
        _ => {}
    }
}

/// A step of a generation: an LLM call and the results of its tools.
fn step<'a>(step: Json<'a>, out: &mut Description<'a>) {
    let counts = step.get("usage");
    let item = out.item(What::Model).joins(Joins::Nothing);
    let thinking = step.any(&["reasoningText", "reasoning"]);
    if thinking.text().is_some_and(|it| !it.is_empty()) {
        item.part(Part::Thinking(thinking));
    }
    item.text(step.get("text")).tokens(Flavour::of(counts), counts);
    item.field("Finish reason", step.get("finishReason")).asks(step.get("toolCalls"));
    item.name(step.any(&["response.modelId", "model.modelId"]));
    let has_lists = step.get("toolCalls").is_given();
    step.get("toolCalls").items().for_each(|call| part(0, call, out));
    for result in step.get("toolResults").items() {
        out.result(result.get("toolCallId"), result.any(&["output", "result"]));
    }
    for it in step.get("content").items() {
        let id = it.get("toolCallId");
        match it.get("type").label().as_ref() {
            "tool-error" => {
                // The error itself is usually an object that JSON shows as `{}`.
                out.result(id, Json::ABSENT).error(it.get("error")).status(Status::Failed);
            }
            "tool-result" if !has_lists => drop(out.result(id, it.get("output"))),
            _ if !has_lists => part(0, it, out),
            _ => {}
        }
    }
    let Some(item) = out.items.first_mut() else { return };
    if !has_lists {
        item.asks(step.get("content"));
    }
    if !has_content(step.get("text")) && !has_content(thinking) {
        item.row.summary = item.row.asks;
    }
}

/// A step as the DevTools keep it: an LLM call with everything that the model was given, as JSON in strings.
fn kept_step<'a>(step: Json<'a>, out: &mut Description<'a>) {
    out.run(step.get("run_id"));
    out.at(step.get("started_at"));
    let [input, output, counts] = ["input", "output", "usage"].map(|key| out.unpack(step.get(key)));
    for (at, message) in (0..).zip(input.get("prompt").items()) {
        let before = out.items.len();
        content::said(message, Joins::Nothing, out);
        out.history(before, at, message);
    }
    let model = out.items.len();
    let item = out.item(What::Model).joins(Joins::Nothing).name(step.get("model_id").label());
    item.tokens(Flavour::of(counts), counts).error(step.get("error"));
    item.took(millis_ns(step.get("duration_ms"))).value(BlockRole::Tools, input.get("tools"));
    item.fields(step, &[(FactKind::Provider, "provider")])
        .field("Finish reason", output.any(&["finishReason.unified", "finishReason"]));
    item.parts
        .extend(output.get("reasoningParts").items().map(|it| Part::Thinking(it.get("text"))));
    item.parts.extend(output.get("textParts").items().map(|it| Part::Text(it.get("text"))));
    for it in output.get("content").items().chain(output.get("toolCalls").items()) {
        part(model, it, out);
    }
}

/// An event of a stream.
fn chunk<'a>(chunk: Json<'a>, out: &mut Description<'a>) {
    let id = chunk.get("toolCallId");
    let kind = chunk.get("type").label();
    match kind.as_ref() {
        "text-delta" => piece(PieceOf::Text, chunk, out),
        "reasoning-delta" => piece(PieceOf::Thinking, chunk, out),
        "tool-input-available" | "tool-call" | "tool-input-error" => {
            out.ask(id, chunk.get("toolName"), chunk.any(&["input", "args"]))
                .error(chunk.get("errorText"));
            if let Some(item) = out.items.first_mut() {
                item.asks(chunk);
            }
        }
        "tool-output-available" | "tool-result" => {
            // A preliminary result of a tool is replaced by the next one.
            let is_preliminary = chunk.get("preliminary").is_true();
            let output = chunk.any(&["output", "result"]);
            if is_preliminary {
                out.update(id).value(BlockRole::OtherOutput("Output so far"), output);
            } else {
                // A tool that the API runs itself does not end the LLM call.
                let asked_by = chunk.get("providerExecuted").is_true().then_some(0);
                out.result(id, output).failed(chunk.get("isError")).asked_by(asked_by);
            }
        }
        "tool-output-error" | "tool-error" => {
            let error = chunk.any(&["errorText", "error"]);
            out.result(id, Json::ABSENT).error(error).status(Status::Failed);
        }
        "tool-output-denied" => drop(out.result(id, Json::ABSENT).status(Status::Rejected)),
        "tool-approval-request" => drop(out.update(id).field("Approval", chunk.get("approvalId"))),
        "response-metadata" => {
            out.run.models.name = chunk.get("modelId");
            out.note("response")
                .fields(chunk, &[(FactKind::Model, "modelId"), (FactKind::Other("Id"), "id")]);
        }
        "finish-step" | "finish" | "message-metadata" => {
            let metadata = chunk.get("messageMetadata");
            // The end of a stream of several steps has the counts of all of them.
            let counts =
                chunk.any(&["usage", "totalUsage"]).or(metadata.any(&["usage", "totalUsage"]));
            out.run.models.name = chunk.get("response.modelId");
            if !chunk.get("totalUsage").is_given() {
                let model = out.run.models.name.label();
                out.usage(Flavour::of(counts).read(counts)).name(model);
            } else {
                out.note("finish");
            }
            out.last()
                .value(BlockRole::Usage, counts)
                .value("Metadata", metadata)
                .field("Finish reason", chunk.any(&["finishReason", "finishReason.unified"]));
        }
        "error" => {
            let error = chunk.any(&["errorText", "error"]);
            out.event(EventKind::Error, "error").error(error);
        }
        "abort" => drop(out.note("aborted").status(Status::Cancelled)),
        // The whole call follows its pieces.
        "start-step" | "text-start" | "text-end" | "reasoning-start" | "reasoning-end"
        | "tool-input-start" | "tool-input-delta" | "tool-input-end" | "stream-start" => {
            out.nothing()
        }
        "start" => {
            let run = out.event(EventKind::RunStart, "message");
            run.value("Metadata", chunk.get("messageMetadata"));
        }
        "" => {}
        kind => drop(out.note(kind.to_owned()).value("Data", chunk.get("data"))),
    }
}

fn piece<'a>(of: PieceOf, chunk: Json<'a>, out: &mut Description<'a>) {
    let item = out.item(What::Model).joins(Joins::Open);
    stream::piece(of, chunk.get("id"), chunk.any(&["delta", "text", "textDelta"]), item);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn a_step_of_a_stream_names_its_model_when_it_ends() {
        let lines = [
            r#"{"type":"tool-call","toolCallId":"a","toolName":"dig","input":{}}"#,
            r#"{"type":"tool-result","toolCallId":"a","toolName":"dig","output":1}"#,
            r#"{"type":"finish-step","usage":{"inputTokens":3,"outputTokens":1},"response":{"id":"r","modelId":"m-1"}}"#,
        ];
        let read = read(&AI_SDK, &[&lines]);
        assert_eq!(read.outline()[0], "llm-call m-1");
    }

    #[test]
    fn a_step_without_words_says_what_it_asks_for() {
        let step = r#"{"content":[{"type":"tool-call","toolCallId":"a","toolName":"dig","input":{"deep":2}}],"finishReason":"tool-calls","text":"","usage":{"inputTokens":3,"outputTokens":1}}"#;
        assert!(read(&AI_SDK, &[&[step]]).summary(0).contains("tool-call"));
        assert!(read(&AI_SDK, &[&[step]]).summary(0).contains("deep"));
    }
}
