//! Plain conversations and request logs of the large APIs: lists of messages, data sets of conversations,
//! requests with their responses, one per line, with or without a wrapper, and streamed responses.
//!
//! Sources: the API references of OpenAI (Chat, Responses, Batch), Anthropic, Google and Amazon (see
//! `shapes::content` and `shapes::stream`), Bedrock's log of model invocations, LiteLLM's log payload and
//! OpenHands' logs of completions, ShareGPT data sets, recordings of HTTP exchanges in test suites.
//!
//! A document with messages is a run; so is a line of a batch. Everything else in a file is one run.

mod datasets;
mod detection;
mod exchange;
#[cfg(test)]
mod tests;

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::content::Role;
use traceloupe_engine::shapes::responses;

pub(super) use exchange::{
    answer, asked, exchange, has_messages, has_prompt, is_response, request,
};

/// The format.
pub static CHAT: Described = Described {
    signs: detection::SIGNS,
    lists: &[
        "messages",
        "contents",
        "conversations.**",
        "conversation",
        "body.messages",
        "body.input",
        "params.messages",
        "request.messages",
        "request.contents",
        "input",
        "trajectory",
        "history",
        "chat_history",
        "message_history",
        "dialogue",
        "dialog",
        "turns",
        "transcript",
        "chat.messages",
        "storeState.messages",
        "chat_message_store_state.messages",
        "result.messages",
        "data.messages",
        "data.**",
        "samples.**",
        "results.**",
    ],
    undivided: detection::RESPONSES,
    has_messages: true,
    quiet: detection::QUIET,
    hooks: Hooks { tells_twice: true, ..Hooks::NONE },
    ..Described::new(&catalog::CHAT, describe)
};

/// Where a record has its time.
const TIMES: &[&str] = &[
    "timestamp",
    "created_at",
    "createdAt",
    "created",
    "createTime",
    "create_time",
    "startTime",
    "start_time",
    "time",
    "ts",
    "request.timestamp",
    "response.created",
    "response.created_at",
    "response.body.created",
    "response.body.created_at",
    "_metadata.timestamp",
];

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(TIMES));
    if entry.is_document {
        conversation(record, out);
        return;
    }
    let is_message = record.get("role").is_given();
    let is_of_data_set = (!is_message || record.get("message_tree_id").is_given())
        && datasets::describe(record, out);
    if !is_of_data_set && !exchange::describe(record, out) {
        message(record, out);
    }
}

/// Members of a document that lists conversations.
const OF_CONVERSATIONS: &[&str] = &[
    "data.0.messages",
    "samples.0.messages",
    "results.0.messages",
    "conversations.0.messages",
    "data.0.sample",
];

/// The document around a list of messages: a run of its own.
fn conversation<'a>(document: Json<'a>, out: &mut Description<'a>) {
    if document.any(OF_CONVERSATIONS).is_given() {
        return out.nothing();
    }
    let request = document.any(&["body", "request", "kwargs", "params"]);
    let request = if has_messages(request) { request } else { document };
    out.run.records = Records::Itself;
    // OpenAI's API lists the newest first.
    out.run.times.order_rows = document.get("object").is("list");
    // The results of a batch name their requests.
    out.run.key = document.get("custom_id");
    out.run.models.name = request.any(&["model", "modelId"]);
    out.run.titles.own = document.any(&["title", "name", "metadata.title"]);
    out.run.titles.request = telling_id(document);
    out.facts(request, &[(FactKind::Model, "model"), (FactKind::Model, "modelId")]);
    out.facts(
        document,
        &[
            (FactKind::Other("Instance"), "instance_id"),
            (FactKind::Other("Conversation"), "conversation_id"),
        ],
    );
    out.event(EventKind::RunStart, "conversation")
        .summary(request.any(&["model", "modelId"]))
        .value(BlockRole::Instructions, instructions(request))
        .value(BlockRole::Tools, request.any(TOOLS));
}

/// The id of a conversation, if it is a useful name where nothing was asked. Numbers and UUIDs are not.
fn telling_id(document: Json<'_>) -> Json<'_> {
    let id = document.any(&["id", "instance_id", "conversation_id", "custom_id"]);
    let is_drawn = |it: &str| {
        let is_uuid = it.bytes().all(|it| it.is_ascii_hexdigit() || it == b'-');
        it.len() >= 16 && is_uuid || it.bytes().all(|it| it.is_ascii_digit())
    };
    if id.text().is_some_and(|it| !is_drawn(&it)) { id } else { Json::ABSENT }
}

/// Where the instructions of a request are.
const SYSTEM: &[&str] = &[
    "system",
    "systemInstruction",
    "system_instruction",
    "config.systemInstruction",
    "config.system_instruction",
    "system_prompt",
    "instructions",
];

/// The instructions of a request. Gemini has them as a content, usually of a single text.
fn instructions(request: Json<'_>) -> Json<'_> {
    let given = request.any(SYSTEM);
    let parts = given.get("parts");
    let only = match parts.kind() {
        Kind::Array if parts.item(1).is_absent() => parts.item(0).get("text"),
        Kind::Object => parts.get("text"),
        _ => Json::ABSENT,
    };
    if only.kind() == Kind::String { only } else { given }
}

/// Where the tools of a request are.
const TOOLS: &[&str] =
    &["tools", "toolConfig.tools", "config.tools", "functions", "optional_params.tools"];

/// Types of items of the Responses API that are shown as notes with their content.
const NOTES: &[&str] = &[
    "mcp_list_tools",
    "mcp_approval_request",
    "mcp_approval_response",
    "item_reference",
    "compaction",
    "program",
    "program_output",
];

/// A message of a list.
fn message<'a>(message: Json<'a>, out: &mut Description<'a>) {
    // LangChain puts the content into an object of its own.
    let inner = message.get("data");
    let role = message.any(content::ROLE).word();
    let role = role.or_else(|| message.any(content::LABEL).word()).unwrap_or_default();
    let is_known = message.any(&["role", "author.role", "from", "_role", "Role"]).is_given()
        || responses::is_item(message)
        || content::role(&role) != Role::Other;
    if !is_known {
        if NOTES.contains(&role.as_ref()) {
            out.note(role.replace('_', " "));
        }
        return;
    }
    if inner.get("content").is_given() {
        return content::message_of_role(&role, inner, Joins::Nothing, out);
    }
    if content::role(&role) == Role::User {
        out.run.titles.words = content::first_words(message);
    }
    let counts = message.any(&["usage", "usageMetadata", "usage_metadata", "metadata.usage"]);
    // An item of the Responses API is a part of an LLM call.
    let is_item = message.get("type").is("message") && counts.is_absent();
    let joins = if is_item { Joins::Neighbours } else { Joins::Nothing };
    content::message(message, joins, out);
    let Some(item) = out.find(What::Model) else { return };
    // Haystack and Semantic Kernel keep the data of an LLM call in an object.
    let about = message.any(&["meta", "_meta", "metadata", "Metadata"]);
    let counts = counts.given().unwrap_or_else(|| about.any(&["usage", "Usage"]));
    let model = message.any(&["model", "ai_model_id", "modelId", "ModelId"]).given();
    item.tokens(Flavour::of(counts), counts);
    item.name = model.unwrap_or_else(|| about.get("model")).label();
    item.field("Finish reason", about.any(&["finish_reason", "FinishReason"]));
    item.field("Agent", message.any(&["author_name", "authorName"]));
}
