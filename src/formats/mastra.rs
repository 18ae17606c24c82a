//! Mastra: traces of its observability, as its API, its storage and its exporters write them.
//!
//! Read from the documentation of its tracing (<https://mastra.ai/docs/observability/tracing/overview>) and an export of
//! February 2026. Before 1.0 models were `llm_generation` and `llm_chunk`, and times `startTime` and `endTime`.
//!
//! Exporters have `type` for `spanType`. The files of the test exporters have `parentId` for `parentSpanId`, and nest
//! spans as `{span, children}`.
//!
//! A trace is a run of spans. A `model_generation` has `model_step`s, which are the LLM calls; without any it is one
//! itself. Attributes, input and output may be JSON in a string.

use traceloupe_engine::prelude::*;

/// The format.
pub static MASTRA: Described = Described {
    signs: &[
        Sign::certain(
            On::Within(&["trace.spans", "spans"]),
            "spans have a `spanType` of Mastra",
            &[
                Test::HasOne(&["spanId", "id"]),
                Test::Has("traceId"),
                Test::OneOf("spanType", KINDS),
            ],
        ),
        Sign::certain(
            On::Within(&["spans"]),
            "spans have a `type` of Mastra and `isRootSpan`",
            &[Test::HasAll(&["id", "traceId", "isRootSpan"]), Test::OneOf("type", KINDS)],
        ),
        Sign::certain(
            On::Within(&["spans"]),
            "trees of spans have a `type` of Mastra",
            &[Test::HasAll(&["span.id", "span.traceId"]), Test::OneOf("span.type", KINDS)],
        ),
    ],
    lists: &["trace.spans", "spans.**", "children.**"],
    quiet: &[
        "traceId|name|spanType|type|entityType|entityName|isEvent|isRootSpan|completed",
        "startedAt|endedAt|startTime|endTime|createdAt|updatedAt",
    ],
    ..Described::new(&catalog::MASTRA, describe)
};

/// The kinds of spans.
const KINDS: &[&str] = &[
    "agent_run",
    "generic",
    "model_generation",
    "model_step",
    "model_chunk",
    "llm_generation",
    "llm_chunk",
    "tool_call",
    "mcp_tool_call",
    "processor_run",
    "workflow_run",
    "workflow_step",
    "workflow_conditional",
    "workflow_conditional_eval",
    "workflow_parallel",
    "workflow_loop",
    "workflow_sleep",
    "workflow_wait_event",
    "scorer_run",
    "memory_operation",
];

/// Where a list of spans has its trace id.
const OF_FIRST: &[&str] = &["traceId", "trace.traceId", "spans.0.traceId", "spans.0.span.traceId"];

/// Where the kind of a span is.
const KIND: &[&str] = &["spanType", "type"];

/// Where the parent of a span is.
const PARENT: &[&str] = &["parentSpanId", "parentId"];

/// Inputs include cached tokens. Older versions have the names of the AI SDK.
static USAGE: Flavour = Flavour {
    input: &["inputTokens", "promptTokens"],
    output: &["outputTokens", "completionTokens"],
    cache_read: &["inputDetails.cacheRead", "cachedInputTokens", "promptCacheHitTokens"],
    cache_write: &["inputDetails.cacheWrite"],
    reasoning: &["outputDetails.reasoning", "reasoningTokens"],
    input_has_cached: true,
    output_lacks_reasoning: false,
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let tree = entry.json.get("span");
    let record = tree.or(entry.json);
    if record.any(KIND).is_given() && record.get("traceId").is_given() {
        span(record, out);
    } else if entry.is_document {
        out.run(record.any(OF_FIRST));
        out.run.times.order_rows = true;
        out.facts(record, &[("Exported", "exportedAt"), ("Server", "baseUrl")]);
        out.event(EventKind::RunStart, "trace").summary(record.get("baseUrl"));
        out.last().value("Structure", record.get("__structure__"));
    } else {
        out.nothing();
    }
}

fn span<'a>(span: Json<'a>, out: &mut Description<'a>) {
    out.run(span.get("traceId")).times.order_rows = true;
    out.at(span.any(&["startedAt", "startTime"]));
    let [attributes, input, output, metadata] =
        ["attributes", "input", "output", "metadata"].map(|key| {
            let value = span.get(key);
            out.unpack(value)
        });
    let label = span.any(&["entityName", "name"]).label();
    // Exporters have only the id, and a sentence around it as the name.
    let entity = span.any(&["entityName", "entityId", "name"]).label();
    let error = span.any(&["errorInfo", "error"]);
    let error = out.unpack(error);
    let is_root = !span.any(PARENT).is_given();
    match span.any(KIND).label().as_ref() {
        "model_generation" | "llm_generation" | "model_step" => {
            let model = attributes.get("model").or(metadata.get("modelMetadata.modelId"));
            let counts = attributes.get("usage");
            let mut parts = answer(output, out);
            if parts.is_empty() && has_content(output) {
                parts.push(Part::Value(BlockRole::Output, output));
            }
            let item = out.model(parts, Joins::Nothing).usage(USAGE.read(counts));
            item.name(model).asks(output.get("toolCalls"));
            let messages = input.get("messages");
            if messages.kind() == Kind::Array {
                item.part(Part::Messages(BlockRole::Messages, content::messages(messages)));
            } else {
                item.value(BlockRole::Input, input);
            }
            item.fields(
                attributes,
                &[
                    (FactKind::Provider, "provider"),
                    (FactKind::Other("Finish reason"), "finishReason"),
                    (FactKind::Cost, "costContext.estimatedCost"),
                ],
            );
            item.value(BlockRole::Usage, counts);
        }
        "tool_call" | "mcp_tool_call" => {
            out.call(Json::ABSENT, span.any(&["entityName", "entityId", "name"]), input);
            let item = out.last().failed_unless(attributes.get("success"));
            item.part(Part::Result(output));
            item.fields(attributes, &[("MCP server", "mcpServer"), ("Tool type", "toolType")]);
        }
        "agent_run" => {
            let words = if input.kind() == Kind::String { input } else { first_words(input) };
            out.run.titles.words = words;
            if is_root {
                out.run.status = ended(span, error);
                out.run.titles.own = span.any(&["threadTitle"]);
                let labels = [
                    ("Agent", "entityName"),
                    ("Thread", "threadId"),
                    ("User", "resourceId"),
                    ("Environment", "environment"),
                    ("Service", "serviceName"),
                ];
                out.facts(span, &labels);
            }
            let item = out.event(EventKind::Agent, entity).summary(words);
            item.value(BlockRole::Input, input).text(output.get("text"));
            if output.get("text").is_absent() {
                item.value(BlockRole::Output, output);
            }
            item.value(BlockRole::Instructions, attributes.get("instructions"));
        }
        kind => {
            if is_root {
                out.run.status = ended(span, error);
            }
            let chunk = attributes.get("chunkType").word();
            let label = match (kind, &chunk) {
                ("workflow_run" | "workflow_step", _) => entity,
                ("generic", _) => label,
                (_, Some(chunk)) => format!("chunk: {chunk}").into(),
                (kind, None) => kind.replace('_', " ").into(),
            };
            let item = match chunk {
                // A piece of an answer; the enclosing step has the whole answer.
                Some(_) => out.event(EventKind::Note, label).summary(output),
                None => out.item(What::Span).name(label),
            };
            item.value(BlockRole::Input, input).value(BlockRole::Output, output);
        }
    }
    let (start, end) = (span.any(&["startedAt", "startTime"]), span.any(&["endedAt", "endTime"]));
    let id = span.any(&["spanId", "id"]);
    let item = out.last().span(id, span.any(PARENT));
    item.starts(time_of(start)).took(between(start, end)).error(error);
    // The parts of them that are not shown yet.
    item.value("Attributes", attributes).value("Metadata", metadata);
    let is_over = time_of(end).is_known() || span.get("completed").is("true");
    if !error.is_given() && is_over && item.what() == What::Span {
        item.status(Status::Ok);
    }
}

/// The outcome of a run, from its root.
fn ended(span: Json<'_>, error: Json<'_>) -> Option<RunStatus> {
    let is_over = span.any(&["endedAt", "endTime"]).is_given() || span.get("completed").is("true");
    match (error.is_given(), is_over) {
        (true, _) => Some(RunStatus::Error),
        (false, true) => Some(RunStatus::Ok),
        (false, false) => Some(RunStatus::Running),
    }
}

/// The text of the first user message.
fn first_words(input: Json<'_>) -> Json<'_> {
    let list = input.get("messages").or(input);
    let first = list.items().find(|it| it.get("role").is("user")).unwrap_or_default();
    content::first_words(first)
}

/// A model's response: text, thinking, and the calls that it requests. These calls have spans of their own.
fn answer<'a>(output: Json<'a>, out: &mut Description<'a>) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    let thinking = output.any(&["reasoningText", "reasoning"]);
    if thinking.kind() == Kind::String && has_content(thinking) {
        parts.push(Part::Thinking(thinking));
    }
    let words = if output.kind() == Kind::String { output } else { output.get("text") };
    if has_content(words) && words.kind() == Kind::String {
        parts.push(Part::Text(words));
    }
    for call in output.get("toolCalls").items() {
        let call = call.get("payload").or(call);
        let (_, name, arguments) = content::call_of(call);
        let arguments = out.unpack(arguments);
        parts.push(Part::Call(name.label(), arguments));
    }
    if output.get("object").is_given() {
        parts.push(Part::Value(BlockRole::Named("Object"), output.get("object")));
    }
    parts
}
