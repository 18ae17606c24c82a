//! Plain conversations and request logs of the large APIs: lists of messages, data sets of conversations, and
//! requests with their responses, one per line, with or without a wrapper.
//!
//! Sources: the API references of OpenAI, Anthropic, Google and Amazon (see `shapes::content`), LiteLLM's and
//! OpenHands' logs of completions, ShareGPT data sets, recordings of HTTP exchanges in test suites. Each
//! request carries the whole conversation again: only what earlier requests did not have makes new rows.

use super::kit::{
    Described, Description, Entry, Hooks, Joins, On, Part, Sign, Sure, Test, What, seconds_ns,
};
use super::shapes::content::{self, Role};
use super::shapes::tokens::Flavour;
use crate::catalog;
use crate::json::{Json, Kind};
use crate::model::EventKind;

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
    lists: &["messages", "contents", "conversations"],
    undivided: RESPONSES,
    has_messages: true,
    hooks: Hooks::NONE,
    quiet: &["role", "from", "type", "object", "timestamp", "created", "created_at"],
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
    "request.body",
    "body.messages",
    "kwargs.messages",
];

/// Where its response is.
const RESPONSES: &[&str] = &[
    "response.choices",
    "response.body",
    "response.content",
    "response.candidates",
    "response.output",
    "choices",
    "candidates",
    "raw_response.choices",
];

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(&["timestamp", "created_at", "created", "createTime", "response.created"]));
    if entry.is_document {
        return conversation(record, out);
    }
    let body = |path: &str| {
        let value = record.get(path);
        value.get("body").given().unwrap_or(value)
    };
    let response =
        [body("response"), body("raw_response"), record].into_iter().find(|it| is_response(*it));
    match response {
        Some(response) => {
            let request = [body("request"), body("kwargs"), record.get("body"), record]
                .into_iter()
                .find(|it| messages_of(*it).kind() == Kind::Array);
            exchange(record, request.unwrap_or_default(), response, out);
        }
        None => message(record, out),
    }
}

/// The document around a list of messages: a run of its own.
fn conversation<'a>(document: Json<'a>, out: &mut Description<'a>) {
    out.run.is_own = true;
    out.run.model = document.get("model");
    out.run.title = document.any(&["title", "name", "id", "instance_id", "conversation_id"]);
    out.facts(document, &[("Model", "model")]);
    let tools = document.get("tools");
    let system = document.any(&["system", "systemInstruction", "system_prompt"]);
    if tools.is_given() || system.is_given() {
        out.event(EventKind::RunStart, "conversation")
            .summary(document.get("model"))
            .value("Instructions", system)
            .value("Tools", tools);
    }
}

/// A message of a list.
fn message<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let role = message.any(&["role", "from"]).word().unwrap_or_default();
    match content::role(&role) {
        _ if role.is_empty() => {}
        Role::User => out.run.first_words = content::first_words(message),
        _ => {}
    }
    if role.is_empty() {
        return;
    }
    content::message(message, Joins::Nothing, out);
    let counts = message.any(&["usage", "usageMetadata"]);
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

fn is_response(value: Json<'_>) -> bool {
    value.get("choices.0.message").is_given()
        || value.get("candidates").kind() == Kind::Array
        || value.get("output").kind() == Kind::Array
        || value.get("output.message").is_given()
        || value.get("type").is("message") && value.get("content").kind() == Kind::Array
}

/// A request and its response.
fn exchange<'a>(
    record: Json<'a>,
    request: Json<'a>,
    response: Json<'a>,
    out: &mut Description<'a>,
) {
    let messages = messages_of(request);
    out.facts(request, &[("Model", "model")]);
    for (at, message) in (0..).zip(messages.items()) {
        let before = out.items.len();
        content::message(message, Joins::Nothing, out);
        if out.run.first_words.is_absent() && message.get("role").is("user") {
            out.run.first_words = content::first_words(message);
        }
        for (nth, item) in (0..).zip(out.items.iter_mut().skip(before)) {
            item.history(at, nth, message);
        }
    }
    answer(response, out);
    let counts = response.any(&["usage", "usageMetadata"]);
    let model = response.any(&["model", "modelVersion"]).given().unwrap_or(request.get("model"));
    let Some(item) =
        out.items.iter_mut().rfind(|item| item.what == What::Model && !item.is_history())
    else {
        return;
    };
    item.usage(Flavour::of(counts).read(counts)).value("Usage", counts);
    item.name = model.word().unwrap_or_default();
    item.took(seconds_ns(record.any(&["latency_sec", "latency", "duration"]).number()));
    item.error(response.get("error"));
    item.fields(
        response,
        &[
            ("Stop reason", "stop_reason"),
            ("Finish reason", "choices.0.finish_reason"),
            ("Id", "id"),
        ],
    );
    item.value("Instructions", request.any(&["system", "systemInstruction", "instructions"]));
    if !messages.is_absent() {
        item.parts.push(Part::Messages("Messages", content::messages(messages)));
    }
    item.value("Tools", request.get("tools"));
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
    content::answer(response, out);
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
        assert_eq!(read.outline(), ["run-start ", "user ", "llm-call "]);
        let addressed = CHAT.addressed(&read.trace, RunId::from_index(0)).unwrap();
        let texts: Vec<_> = addressed.messages.iter().map(|(it, _)| read.text(it.span)).collect();
        assert_eq!(
            texts,
            [r#"{"role":"user","content":"a"}"#, r#"{"role":"assistant","content":"b"}"#]
        );
    }
}
