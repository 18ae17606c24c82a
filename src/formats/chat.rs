//! Plain conversations and request logs of the large APIs: lists of messages, data sets of conversations,
//! requests with their responses, one per line, with or without a wrapper, and streamed responses.
//!
//! Sources: the API references of OpenAI, Anthropic, Google and Amazon (see `shapes::content`), LiteLLM's and
//! OpenHands' logs of completions, ShareGPT data sets, recordings of HTTP exchanges in test suites. Each
//! request carries the whole conversation again: only what earlier requests did not have makes new rows.

use super::kit::{
    Described, Description, Entry, Hooks, Item, Joins, On, Part, Sign, Sure, Test, What, seconds_ns,
};
use super::shapes::content::{self, Role};
use super::shapes::stream;
use super::shapes::tokens::Flavour;
use crate::catalog;
use crate::json::{Json, Kind};
use crate::model::{EventKind, MaybeNs};

/// The words for roles of messages.
const ROLES: &[&str] = &[
    "user",
    "assistant",
    "system",
    "tool",
    "developer",
    "function",
    "human",
    "ai",
    "model",
    "gpt",
    "function_call",
    "observation",
];

/// The format.
pub static CHAT: Described = Described {
    card: &catalog::CHAT,
    signs: &[
        likely(
            On::Any,
            "a request with messages has its response beside it",
            &[Test::HasOne(REQUESTS), Test::HasOne(RESPONSES)],
        ),
        likely(
            On::Any,
            "documents have `messages` with roles",
            &[Test::OneOf("messages.0.role", ROLES)],
        ),
        likely(
            On::Any,
            "documents have `contents` with `parts`, as Gemini's API",
            &[Test::List("contents.0.parts")],
        ),
        likely(
            On::Any,
            "documents have `conversations` with `from` and `value`",
            &[Test::Text("conversations.0.from"), Test::Has("conversations.0.value")],
        ),
        likely(
            On::Any,
            "records are responses with `choices`",
            &[Test::Object("choices.0.message")],
        ),
        likely(
            On::Any,
            "records are responses of the Messages API",
            &[
                Test::OneOf("type", &["message"]),
                Test::Text("role"),
                Test::List("content"),
                Test::Has("model"),
            ],
        ),
        likely(
            On::Any,
            "records are responses of Gemini's API",
            &[Test::List("candidates.0.content.parts")],
        ),
        likely(
            On::Any,
            "records are responses of the Responses API",
            &[Test::OneOf("object", &["response"]), Test::List("output")],
        ),
        likely(
            On::Any,
            "records are chunks of a streamed completion",
            &[Test::OneOf("object", &["chat.completion.chunk"]), Test::List("choices")],
        ),
        likely(
            On::Any,
            "records are events of a streamed message",
            &[Test::OneOf("type", &["message_start"]), Test::Text("message.role")],
        ),
        likely(
            On::Any,
            "records are events of a streamed response",
            &[
                Test::Starts("type", "response."),
                Test::HasOne(&["response.id", "item.id", "item_id"]),
            ],
        ),
        likely(
            On::Any,
            "a request of the Responses API has its response beside it",
            &[
                Test::HasOne(&["input.0.role", "input.0.type"]),
                Test::HasOne(&["response.output", "output.0.type"]),
            ],
        ),
        likely(
            On::Any,
            "records are requests with messages, as for batches",
            &[Test::OneOf("body.messages.0.role", ROLES)],
        ),
        likely(
            On::Any,
            "records are results of batches of messages",
            &[Test::Has("custom_id"), Test::OneOf("result.message.type", &["message"])],
        ),
        likely(
            On::Any,
            "documents have a `conversation` with roles",
            &[Test::HasOne(&["conversation.0.role", "conversation.0.from"])],
        ),
        likely(
            On::Any,
            "records are messages of LangChain",
            &[Test::OneOf("type", &["human", "ai"]), Test::HasOne(&["content", "data.content"])],
        ),
        // Many a producer writes such records with more to them.
        Sign {
            sure: Sure::Maybe,
            on: On::Any,
            why: "records are messages with roles",
            tests: &[Test::OneOf("role", ROLES), Test::HasOne(&["content", "parts", "tool_calls"])],
        },
        likely(
            On::First,
            "records are messages with `from` and `value`",
            &[Test::OneOf("from", ROLES), Test::Text("value")],
        ),
    ],
    lists: &[
        "messages",
        "contents",
        "conversations",
        "conversation",
        "body.messages",
        "request.messages",
    ],
    undivided: RESPONSES,
    has_messages: true,
    hooks: Hooks::NONE,
    quiet: &[
        "role",
        "from",
        "type",
        "object",
        "timestamp",
        "created",
        "created_at",
        "create_time",
        "model",
        "modelVersion",
        // Of the events of streams.
        "message.model",
        "response.model",
        "response.object",
        "response.created_at",
        "content_block.type",
        "sequence_number",
        "output_index",
        "content_index",
        "obfuscation",
        "delta.type",
    ],
    describe,
};

const fn likely(on: On, why: &'static str, tests: &'static [Test]) -> Sign {
    Sign { sure: Sure::Likely, on, why, tests }
}

/// Where a request is, in the record of an exchange.
const REQUESTS: &[&str] = &[
    "messages",
    "contents",
    "request.messages",
    "request.contents",
    "request.input",
    "request.body",
    "body.messages",
    "kwargs.messages",
    "input.inputBodyJson.messages",
];

/// Where its response is, or its error.
const RESPONSES: &[&str] = &[
    "response",
    "choices",
    "candidates",
    "raw_response.choices",
    "completion",
    "result.message",
    "output.outputBodyJson",
    "original_response",
];

/// What may be a request or a response, in the record of an exchange.
const SIDES: [&[&str]; 2] = [
    &["request", "kwargs", "body", "input.inputBodyJson"],
    &[
        "response",
        "raw_response",
        "result.message",
        "output.outputBodyJson",
        // LiteLLM keeps the response as a text.
        "original_response",
    ],
];

/// When it was.
const TIMES: &[&str] = &[
    "timestamp",
    "created_at",
    "createdAt",
    "created",
    "createTime",
    "create_time",
    "start_time",
    "time",
    "ts",
    "response.created",
    "response.created_at",
    "response.body.created",
];

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(TIMES));
    if entry.is_document {
        return conversation(record, out);
    }
    let [requests, responses] = SIDES.map(|paths| {
        let sides = paths.iter().map(|path| {
            let side = record.get(path);
            let side = side.get("body").given().unwrap_or(side);
            // Recorders of HTTP keep bodies as texts.
            out.unpack(side)
        });
        sides.chain([record]).collect::<Vec<_>>()
    });
    let request = requests.into_iter().find(|it| has_messages(*it));
    // A request beside it makes it an exchange.
    if request.is_none() && stream::describe(record, out) {
        return;
    }
    let response = responses.into_iter().find(|it| is_response(*it));
    let answer = out.unpack(record.any(&["response.body", "response", "completion"]));
    match (request, response) {
        (request, Some(response)) => exchange(record, request.unwrap_or_default(), response, out),
        (Some(request), None) if answer.is_given() || record.get("error").is_given() => {
            exchange(record, request, answer, out);
        }
        _ => message(record, out),
    }
}

/// The document around a list of messages: a run of its own.
fn conversation<'a>(document: Json<'a>, out: &mut Description<'a>) {
    let request = document.any(&["body", "request", "kwargs"]);
    let request = if has_messages(request) { request } else { document };
    out.run.is_own = true;
    out.run.model = request.get("model");
    out.run.title = document.any(&[
        "title",
        "name",
        "id",
        "instance_id",
        "conversation_id",
        "custom_id",
        "metadata.title",
    ]);
    out.facts(request, &[("Model", "model")]);
    out.event(EventKind::RunStart, "conversation")
        .summary(request.get("model"))
        .value("Instructions", request.any(SYSTEM))
        .value("Tools", request.any(TOOLS));
}

/// Where the instructions of a request are.
const SYSTEM: &[&str] = &[
    "system",
    "systemInstruction",
    "system_instruction",
    "config.systemInstruction",
    "system_prompt",
    "instructions",
];

/// Where the tools of a request are.
const TOOLS: &[&str] = &["tools", "toolConfig.tools", "config.tools", "functions"];

/// A message of a list.
fn message<'a>(message: Json<'a>, out: &mut Description<'a>) {
    // LangChain puts what it says into an object of its own.
    let inner = message.get("data");
    let role = message.any(&["role", "author.role", "from", "type"]).word().unwrap_or_default();
    let is_known = message.any(&["role", "author.role", "from"]).is_given()
        || content::is_item(message)
        || content::role(&role) != Role::Other;
    if !is_known {
        return;
    }
    if inner.get("content").is_given() {
        return content::message_of_role(&role, inner, Joins::Nothing, out);
    }
    if content::role(&role) == Role::User {
        out.run.first_words = content::first_words(message);
    }
    let counts = message.any(&["usage", "usageMetadata", "usage_metadata"]);
    // An item of the Responses API is a part of an LLM call.
    let is_item = message.get("type").is("message") && counts.is_absent();
    let joins = if is_item { Joins::Neighbours } else { Joins::Nothing };
    content::message(message, joins, out);
    let usage = Flavour::of(counts).read(counts);
    if let Some(item) = out.items.iter_mut().find(|item| item.what == What::Model) {
        item.usage(usage).value("Usage", counts);
        item.name = message.get("model").word().unwrap_or_default();
    }
}

/// The messages of a request.
fn messages_of(request: Json<'_>) -> Json<'_> {
    let list = request.any(&["messages", "contents", "input"]);
    if list.kind() == Kind::Array { list } else { Json::ABSENT }
}

/// Whether a value is a request.
pub(super) fn has_messages(value: Json<'_>) -> bool {
    // The Responses API takes words as well.
    messages_of(value).kind() == Kind::Array
        || value.get("input").kind() == Kind::String && value.get("model").is_given()
        || value.get("contents").kind() == Kind::String
}

/// Whether a value is a response.
pub(super) fn is_response(value: Json<'_>) -> bool {
    value.get("choices.0.message").is_given()
        || value.get("candidates").kind() == Kind::Array
        || value.get("output").kind() == Kind::Array
        || value.get("output.message").is_given()
        || value.get("type").is("message") && value.get("content").kind() == Kind::Array
}

/// How long an exchange took.
fn took(record: Json<'_>, response: Json<'_>) -> MaybeNs {
    let seconds = record.any(&["latency_sec", "latency", "duration", "duration_s"]).number();
    let ms = record.any(&["latency_ms", "duration_ms", "response_time_ms"]).number();
    let ms = ms.or_else(|| response.get("metrics.latencyMs").number());
    seconds_ns(seconds.or_else(|| ms.map(|ms| ms / 1000.0)))
}

/// The conversation that a request carries.
pub(super) fn request<'a>(request: Json<'a>, out: &mut Description<'a>) {
    out.facts(request, &[("Model", "model")]);
    let words = request.any(&["input", "contents"]);
    if words.kind() == Kind::String {
        out.run.first_words = words;
        out.item(What::User).text(words).history(0, 0, words);
    }
    for (at, message) in (0..).zip(messages_of(request).items()) {
        let before = out.items.len();
        content::message(message, Joins::Nothing, out);
        if out.run.first_words.is_absent() && message.get("role").is("user") {
            out.run.first_words = content::first_words(message);
        }
        for (nth, item) in (0..).zip(out.items.iter_mut().skip(before)) {
            item.history(at, nth, message);
        }
    }
}

/// What the row of an LLM call shows of its request.
pub(super) fn asked<'a>(request: Json<'a>, item: &mut Item<'a>) {
    let messages = messages_of(request);
    item.prompt(messages).value("Instructions", request.any(SYSTEM));
    if !messages.is_absent() {
        item.parts.push(Part::Messages("Messages", content::messages(messages)));
    }
    item.value("Tools", request.any(TOOLS));
}

/// A request and its response.
pub(super) fn exchange<'a>(
    record: Json<'a>,
    request: Json<'a>,
    response: Json<'a>,
    out: &mut Description<'a>,
) {
    self::request(request, out);
    answer(response, out);
    let counts = response.any(&["usage", "usageMetadata", "usage_metadata"]);
    let models = ["model", "modelVersion", "model_version"];
    let model = response.any(&models).given().unwrap_or(request.get("model"));
    let model = model.given().unwrap_or(record.any(&["model", "modelId"]));
    let Some(item) =
        out.items.iter_mut().rfind(|item| item.what == What::Model && !item.is_history())
    else {
        return;
    };
    item.usage(Flavour::of(counts).read(counts)).value("Usage", counts);
    item.name = model.word().unwrap_or_default();
    item.took(took(record, response));
    item.error(response.get("error")).error(record.get("error"));
    if !is_response(response) {
        // Amazon's errors have a message only.
        item.error(
            response.get("message").text().map_or(Json::ABSENT, |_| response.get("message")),
        );
    }
    item.fields(
        response,
        &[
            ("Stop reason", "stop_reason"),
            ("Stop reason", "stopReason"),
            ("Finish reason", "choices.0.finish_reason"),
            ("Finish reason", "candidates.0.finishReason"),
            ("Id", "id"),
        ],
    );
    asked(request, item);
}

/// What a model answered.
fn answer<'a>(response: Json<'a>, out: &mut Description<'a>) {
    let one = response.any(&["choices.0.message", "candidates.0.content", "output.message"]);
    if one.is_given() {
        return content::answer(one, out);
    }
    if response.get("output").kind() == Kind::Array {
        return content::items(response.get("output"), out);
    }
    match response.kind() {
        Kind::String => drop(out.item(What::Model).joins(Joins::Nothing).text(response)),
        _ => content::answer(response, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Format;
    use crate::formats::testing::read;
    use crate::model::RunId;

    #[test]
    fn addresses_count_the_messages_and_not_the_document_around_them() {
        let document = r#"{"index":1,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}"#;
        let read = read(&CHAT, &[&[document]]);
        assert_eq!(read.outline(), ["run-start conversation", "user ", "llm-call "]);
        let addressed = CHAT.addressed(&read.trace, RunId::from_index(0)).unwrap();
        let texts: Vec<_> = addressed.messages.iter().map(|(it, _)| read.text(it.span)).collect();
        assert_eq!(
            texts,
            [r#"{"role":"user","content":"a"}"#, r#"{"role":"assistant","content":"b"}"#]
        );
    }
}
