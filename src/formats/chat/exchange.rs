//! Requests with their responses, as logs of LLM calls keep them.
//!
//! Each request repeats the whole conversation: only messages that no earlier request had make new rows.

use super::{TOOLS, instructions};
use traceloupe_core::model::MaybeNs;
use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::content::Role;
use traceloupe_engine::shapes::{responses, stream};

/// The places of a request and of a response in the record of an exchange.
const SIDES: [&[&str]; 2] = [
    &[
        "request",
        "kwargs",
        "body",
        "params",
        "input.inputBodyJson",
        "modelInput",
        "input",
        "request_body",
        "requestBody",
        "sample",
    ],
    &[
        "response",
        "raw_response",
        "result.message",
        "output.outputBodyJson",
        "modelOutput",
        "response_body",
        "responseBody",
        // LiteLLM keeps the response as a text.
        "original_response",
        "output",
        "sample",
    ],
];

/// A request: its messages or its text.
#[derive(Clone, Copy, Default)]
struct Request<'a> {
    json: Json<'a>,
    messages: Json<'a>,
    words: Json<'a>,
}

impl<'a> Request<'a> {
    /// `is_alone` states that the value is the record itself, in which a text may be anything.
    fn of(json: Json<'a>, is_alone: bool, out: &mut Description<'a>) -> Option<Self> {
        // OpenHands keeps the messages as they were before it turned calls and results into text for the model.
        let messages = out.unpack(json.any(&["raw_messages", "messages", "contents", "input"]));
        if messages.kind() == Kind::Array {
            return Some(Self { json, messages, words: Json::ABSENT });
        }
        // The Responses API also takes a text, older APIs nothing else.
        let is_request = !is_alone || json.any(WITH_WORDS).is_given();
        let words = json.any(&["instruction", "input", "contents"]).or(json.any(PROMPTS));
        let is_words = is_request && words.kind() == Kind::String;
        is_words.then_some(Self { json, messages: Json::ABSENT, words })
    }
}

/// Keys beside a text that make the record a request.
const WITH_WORDS: &[&str] = &["model", "contents", "completion", "instruction", "response"];

/// Whether a value is a request with messages or text.
pub fn has_messages(value: Json<'_>) -> bool {
    let words = || value.any(&["input", "contents"]).kind() == Kind::String;
    value.any(&["messages", "contents", "input"]).kind() == Kind::Array
        || value.any(&["model", "contents", "agent"]).is_given() && words()
}

/// Whether a value is a request with a prompt in the form of one of the models that Bedrock serves.
pub fn has_prompt(value: Json<'_>) -> bool {
    value.any(PROMPTS).kind() == Kind::String
}

/// Where requests have a prompt: those of Llama and Mistral, and of Titan.
const PROMPTS: &[&str] = &["prompt", "inputText"];

/// Where Cohere's Chat API has its counts (<https://docs.cohere.com/reference/chat>): tokens used, and tokens billed.
const COHERE_COUNTS: &[&str] = &["usage.tokens", "usage.billed_units"];

/// Whether a value is a response.
pub fn is_response(value: Json<'_>) -> bool {
    value.get("choices").kind() == Kind::Array
        || value.get("candidates").kind() == Kind::Array
        || value.get("output").kind() == Kind::Array
        || value.get("object").is("interaction")
        || value.get("output.message").is_given()
        || value.get("type").is("message") && value.any(&["model", "usage"]).is_given()
        || value.get("message.role").is_given() && value.any(COHERE_COUNTS).is_given()
        || value.get("done").bool().is_some() && value.get("message.role").is_given()
}

/// The values of a record that may be one side of an exchange.
fn sides<'a>(record: Json<'a>, paths: &[&str], out: &mut Description<'a>) -> Vec<Json<'a>> {
    let sides = paths.iter().map(|path| {
        let side = record.get(path);
        let side = side.any(&["body", "body_raw"]).or(side);
        // Recorders of HTTP keep bodies as strings.
        out.unpack(side)
    });
    sides.filter(|side| side.is_given()).collect()
}

/// Describes a record if it is a request, a response or both.
pub(super) fn describe<'a>(record: Json<'a>, out: &mut Description<'a>) -> bool {
    if record.get("preferred_output").kind() == Kind::Array {
        preference(record, out);
        return true;
    }
    let [requests, responses] = SIDES.map(|paths| sides(record, paths, out));
    let request = requests.into_iter().find_map(|it| Request::of(it, false, out));
    let request = request.or_else(|| Request::of(record, true, out));
    // A request beside the stream makes it an exchange.
    if request.is_none() && stream::describe(record, out) {
        return true;
    }
    let response = responses.iter().copied().chain([record]).find(|it| is_response(*it));
    let answer = responses.first().copied().unwrap_or_else(|| record.get("completion"));
    // DSPy may write the response as Python prints it. Its outputs are beside it.
    let outputs = record.get("outputs.0");
    let is_shown = answer.kind() == Kind::String && record.get("uuid").is_given();
    let answer = if is_shown && outputs.is_given() { outputs } else { answer };
    let has_failed = has_content(error_of(record)) || record.get("status").is("failure");
    let batch_id = record.any(BATCH_IDS);
    let is_batch = record.any(&["custom_id", "recordId"]).is_given()
        || record.get("key").is_given() && request.is_none() && (response.is_some() || has_failed);
    // Lines of batches, and of data sets for training models.
    let is_pair = record.get("instruction").is_given();
    let is_graded = record.get("object").is("eval.run.output_item");
    let is_completion = record.get("completion").kind() == Kind::String;
    out.run.records = Records::itself_if(is_batch || is_graded || is_pair || is_completion);
    if is_graded {
        out.run.key = record.get("id");
        out.run.grade.score = match record.get("status").label().as_ref() {
            "pass" => Some(1.0),
            "fail" => Some(0.0),
            _ => None,
        };
    }
    if is_batch {
        (out.run.titles.own, out.run.key) = (batch_id, batch_id);
    }
    let response = match (request, response) {
        (_, Some(response)) => response,
        (Some(_), None) if answer.is_given() || has_failed => answer,
        (None, None) if is_batch => answer,
        // Before a batch has run, its lines have nothing but the messages.
        (Some(request), None) if request.words.is_given() || record.get("recordId").is_given() => {
            ask(request, ALL, out);
            return true;
        }
        (Some(request), None) if record.get("messages").kind() == Kind::String => {
            super::conversation(record, out);
            let messages = request.messages.items();
            messages.for_each(|message| super::message(message, out));
            return true;
        }
        _ => return false,
    };
    answered(record, request.unwrap_or_default(), response, out);
    true
}

/// A conversation with the preferred answer and the rejected one: data for training models.
fn preference<'a>(record: Json<'a>, out: &mut Description<'a>) {
    out.run.records = Records::Itself;
    let input = record.get("input");
    if let Some(request) = Request::of(input, false, out) {
        ask(request, ALL, out);
    }
    let first = out.items.len();
    for message in record.get("preferred_output").items() {
        content::message(message, Joins::Nothing, out);
    }
    if let Some(item) = out.items.get_mut(first) {
        item.value("Answer that is not preferred", record.get("non_preferred_output"));
        item.value(BlockRole::Tools, input.any(TOOLS));
    }
}

/// Keys by which lines of batches name their requests: OpenAI's and Anthropic's, Bedrock's, Gemini's.
const BATCH_IDS: &[&str] = &["custom_id", "recordId", "key"];

/// Where the error of an exchange is, beside its response.
const ERRORS: &[&str] = &["error", "result.error.error", "result.error", "error_str", "errorCode"];

/// The error of an exchange, beside its response. Batches of Vertex AI have it as `status`, which is empty otherwise.
fn error_of(record: Json<'_>) -> Json<'_> {
    let status = || record.get("processed_time").given().map(|_| record.get("status"));
    record.any(ERRORS).given().or_else(status).unwrap_or_default()
}

/// Whether the last message of a log is the response that is beside it.
fn holds(messages: Json<'_>, response: Json<'_>) -> bool {
    let last = messages.items().last().unwrap_or_default();
    if content::role(&last.get("role").label()) != Role::Model {
        return false;
    }
    let replies = ["choices.0.message", "candidates.0.content", "output.message", "message"];
    let reply = response.any(&replies).or(response);
    let keys = ["content", "parts", "tool_calls"].map(|key| (last.get(key), reply.get(key)));
    let is_same = |(one, other): &(Json<'_>, Json<'_>)| match has_content(*one) {
        true => has_content(*other) && one.fingerprint() == other.fingerprint(),
        false => !has_content(*other),
    };
    keys.iter().all(is_same) && keys.iter().any(|(one, _)| has_content(*one))
}

/// For [`ask`]: all messages.
const ALL: usize = usize::MAX;

/// Adds a request with at most `n_messages` of its messages.
fn ask<'a>(request: Request<'a>, n_messages: usize, out: &mut Description<'a>) {
    let words = request.words;
    if words.is_given() {
        out.user(words).history(0, 0, words);
        let more = request.json.get("input");
        if more.raw() != words.raw() && more.kind() == Kind::String {
            out.last().text(more);
        }
    }
    for (at, message) in (0..).zip(request.messages.items().take(n_messages)) {
        let before = out.items.len();
        content::said(message, Joins::Nothing, out);
        out.history(before, at, message);
    }
}

/// Adds the conversation of a request.
pub fn request<'a>(request: Json<'a>, out: &mut Description<'a>) {
    out.facts(request, &[(FactKind::Model, "model")]);
    if let Some(request) = Request::of(request, false, out) {
        ask(request, ALL, out);
    }
}

/// Adds the request to the row of an LLM call.
pub fn asked<'a>(request: Json<'a>, item: &mut Item<'a>) {
    let messages = request.any(&["messages", "contents", "input"]);
    let messages = if messages.kind() == Kind::Array { messages } else { Json::ABSENT };
    of_request(Request { json: request, messages, words: Json::ABSENT }, item);
}

fn of_request<'a>(request: Request<'a>, item: &mut Item<'a>) {
    item.value(BlockRole::Instructions, instructions(request.json));
    if !request.messages.is_absent() {
        item.parts.push(Part::Messages(BlockRole::Messages, content::messages(request.messages)));
    }
    item.value(BlockRole::Tools, request.json.any(TOOLS));
}

/// Adds a request and its response.
pub fn exchange<'a>(
    record: Json<'a>,
    request: Json<'a>,
    response: Json<'a>,
    out: &mut Description<'a>,
) {
    let request =
        Request::of(request, false, out).unwrap_or(Request { json: request, ..Request::default() });
    answered(record, request, response, out);
}

fn answered<'a>(
    record: Json<'a>,
    request: Request<'a>,
    response: Json<'a>,
    out: &mut Description<'a>,
) {
    out.facts(request.json, &[(FactKind::Model, "model")]);
    let n_messages = match holds(request.messages, response) {
        // The model's messages are in its response, with their counts.
        true => request.messages.items().count().saturating_sub(1),
        false => ALL,
    };
    ask(request, n_messages, out);
    let first = out.items.len();
    let is_stream = stream::all(response, out);
    if !is_stream {
        answer(response, out);
    }
    let counts = response.any(COHERE_COUNTS);
    let counts = match counts.kind() {
        Kind::Object => counts,
        _ => response.any(&["usage", "usageMetadata", "usage_metadata"]),
    };
    // Ollama has its counts beside the message, LiteLLM and the logs of Bedrock have them beside the response.
    let beside = record.get("usage");
    let reported = [counts, response, beside, record].map(|it| Flavour::of(it).read(it));
    let usage = reported.into_iter().find(|usage| !usage.is_empty()).unwrap_or_default();
    let model = model_of(record, request.json, response, out);
    let error = error_of(record);
    let took = took(record, response);
    // The events of a stream have the counts.
    let is_reported = out.items.iter().skip(first).any(|item| !item.usage.is_empty());
    let Some(item) = out.items.iter_mut().skip(first).find(|item| item.what() == What::Model)
    else {
        return;
    };
    if !is_reported {
        item.usage(usage).value(BlockRole::Usage, counts);
    }
    if item.name.is_empty() {
        item.name = model.label();
    }
    item.took(took);
    item.error(response.get("error")).error(error);
    if response.get("status").is("failed") {
        item.status(Status::Failed);
    }
    let about = record.get("error_information");
    if record.get("status").is("failure") {
        item.status(Status::Failed);
        item.ending.error = about.get("error_class").label().into();
        item.log("Traceback", about.get("traceback"));
    }
    if !is_response(response) && response.get("message").kind() == Kind::String {
        // Amazon's errors have only a message.
        item.error(response.get("message"));
    }
    item.fields(
        response,
        &[
            (FactKind::Other("Stop reason"), "stop_reason"),
            (FactKind::Other("Stop reason"), "stopReason"),
            (FactKind::Other("Finish reason"), "finish_reason"),
            (FactKind::Other("Finish reason"), "choices.0.finish_reason"),
            (FactKind::Other("Finish reason"), "candidates.0.finishReason"),
            (FactKind::Other("Finish reason"), "done_reason"),
            (FactKind::Other("Finish reason"), "results.0.completionReason"),
            (FactKind::Amount("Latency in ms"), "metrics.latencyMs"),
            (FactKind::Other("Incomplete"), "incomplete_details.reason"),
            (FactKind::Own("Id"), "id"),
        ],
    );
    item.fields(
        record,
        &[(FactKind::Cost, "cost"), (FactKind::Cost, "response_cost"), (FactKind::Cost, "spend")],
    );
    if is_stream && response.kind() == Kind::String {
        item.log("Stream", response);
    }
    item.prompt(request.messages);
    of_request(request, item);
}

/// The model of an exchange. Some requests name it only in their address.
fn model_of<'a>(
    record: Json<'a>,
    request: Json<'a>,
    response: Json<'a>,
    out: &Description<'a>,
) -> Json<'a> {
    let models = ["model", "modelVersion", "model_version", "modelId"];
    let named = [response, request, record].into_iter().find_map(|it| it.any(&models).given());
    named.unwrap_or_else(|| {
        let address = record.any(&["path", "url", "request.path", "request.url"]);
        let address = address.text().unwrap_or_default();
        let after = ["/model/", "/models/"].iter().find_map(|it| address.split_once(it));
        let Some((_, model)) = after else { return Json::ABSENT };
        let model = model.split(['/', ':', '?']).next().unwrap_or_default();
        out.string(&model.replace("%3A", ":"))
    })
}

/// The duration of an exchange.
fn took(record: Json<'_>, response: Json<'_>) -> MaybeNs {
    let seconds = record.any(&["latency_sec", "latency", "duration", "duration_s"]).number();
    let ms = record.any(&["latency_ms", "duration_ms", "response_time_ms", "latencyMs"]).number();
    let ms = ms.or_else(|| response.get("metrics.latencyMs").number());
    let ns = response.get("total_duration").number();
    let seconds = seconds.or(ms.map(|ms| ms / 1e3)).or(ns.map(|ns| ns / 1e9));
    if seconds.is_some() {
        return seconds_ns(seconds);
    }
    let start = record.any(&["startTime", "start_time", "request.timestamp"]);
    between(start, record.any(&["endTime", "end_time", "response.timestamp"]))
}

/// A model's response. If it has several answers, all but the first are notes beside the LLM call.
pub fn answer<'a>(response: Json<'a>, out: &mut Description<'a>) {
    let list = match response.get("object").is("interaction") {
        true => response.any(&["steps", "outputs"]),
        false => response.get("output"),
    };
    if list.kind() == Kind::Array {
        return responses::items(list, out);
    }
    let answers = response.any(&["choices", "candidates"]);
    for (nth, choice) in answers.items().enumerate() {
        let at = out.items.len();
        match choice.get("text").given() {
            Some(text) => drop(out.item(What::Model).joins(Joins::Nothing).text(text)),
            None => content::answer(choice.any(&["message", "content", "delta"]), out),
        }
        if let Some(item) = out.items.get_mut(at).filter(|_| nth > 0) {
            item.becomes(What::Event(EventKind::Note));
            item.name = format!("choice {}", nth + 1).into();
            item.field("Finish reason", choice.any(&["finish_reason", "finishReason"]));
        }
    }
    if answers.item(0).is_given() {
        return;
    }
    let words = ["generation", "completion", "results.0.outputText", "outputs.0.text"];
    let words = if response.kind() == Kind::String { response } else { response.any(&words) };
    match words.kind() {
        Kind::String => drop(out.item(What::Model).joins(Joins::Nothing).text(words)),
        _ => {
            let message = response.any(&["output.message", "message"]);
            let is_message = message.kind() == Kind::Object;
            content::answer(if is_message { message } else { response }, out);
        }
    }
}
