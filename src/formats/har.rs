//! HTTP traffic: requests to models as a browser, a proxy or a test suite recorded them.
//!
//! Read from the specification of HAR 1.2 (<http://www.softwareishard.com/blog/har-12-spec/>) and from recordings of
//! Polly.JS; from the code of VCR (vcrpy), nock, WireMock, claude-trace, Braintrust's tests and the replays of
//! google-genai, which write the same under other names. Every exchange whose bodies are those of a model's API is an LLM call, even if its response is a
//! stream; the conversation that its request repeats makes no rows. Any other exchange is a span. Headers and the query
//! of an address may hold keys and are never shown.

mod chatgpt;
mod frames;

use super::{a2a, bedrock_agents, chat, mcp};
use traceloupe_core::json::base64;
use traceloupe_core::model::{Event, RunId, TraceBuilder, Usage};
use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::{rpc, stream};
use traceloupe_input::{Container, Decoder, Gunzip, Unzstd, sniff};

/// The format.
pub static HAR: Described = Described {
    signs: &[
        Sign::record(
            "the document is a HAR: a `log` with `entries`",
            &[Test::List("log.entries"), Test::HasOne(&["log.version", "log.creator"])],
        ),
        Sign::record(
            "the document has `interactions` of HTTP, as VCR writes them",
            &[
                Test::Has("interactions.0.request.method"),
                Test::HasOne(&["interactions.0.request.uri", "interactions.0.request.url"]),
                Test::Object("interactions.0.response"),
            ],
        ),
        Sign::certain(
            On::Items("entries"),
            "`entries` have a `matchKey` and the kinds of their bodies, as Braintrust's tests record them",
            &[
                Test::Texts(&["matchKey", "request.url", "request.body.kind"]),
                Test::Object("response"),
            ],
        ),
        Sign::record(
            "records have a `request` with its address and a `response` with its status",
            &[
                Test::Texts(&["request.url", "request.method"]),
                Test::Object("request.headers"),
                Test::HasOne(&["response.status_code", "response.body_raw"]),
            ],
        ),
        Sign::record(
            "records are requests that nock recorded",
            &[Test::Texts(&["scope", "path", "method"]), Test::Has("response")],
        ),
        Sign::likely(
            On::Any,
            "the document is a response that a test suite recorded: status, headers and body",
            &[Test::Has("status"), Test::Object("headers"), Test::Text("body")],
        ),
        Sign::likely(
            On::Any,
            "the document maps a request to its response, as WireMock does",
            &[
                Test::HasOne(&["request.url", "request.urlPath"]),
                Test::Text("request.method"),
                Test::Has("response.status"),
                Test::HasOne(&["response.body", "response.jsonBody"]),
                Test::HasOne(&["request.bodyPatterns", "persistent", "insertionIndex"]),
            ],
        ),
    ],
    lists: &["log.entries", "interactions", "entries"],
    hooks: Hooks { tells_twice: true, join: Some(join), ..Hooks::NONE },
    quiet: &[
        "startedDateTime|recorded_at|recordedAt|time|headers|rawHeaders|reqheaders|path",
        "request.body.kind",
        "response.body.kind",
        "request.timestamp|url|uri|queryString|headers|cookies",
        "response.timestamp|headers|cookies",
        // What the SDK of Gemini makes of the body.
        "response.sdk_response_segments|byte_segments",
    ],
    ..Described::new(&catalog::HAR, describe)
};

/// Where bodies are.
const BODIES: &[&str] = &[
    // Serializers for VCR parse JSON bodies.
    "parsed_body",
    "postData.text",
    "content.text",
    "body.string",
    "body_raw",
    "body",
    "content",
    "jsonBody",
    "bodyPatterns.0.equalToJson",
];

/// The body of a request or a response. Braintrust's tests state its kind, and keep a stream as a list of texts. The
/// SDK of Gemini keeps a list of the values that a stream consists of.
fn body_of<'a>(message: Json<'a>, out: &mut Description<'a>) -> Json<'a> {
    let segments = message.get("body_segments");
    if segments.kind() == Kind::Array {
        return if segments.item(1).is_absent() { segments.item(0) } else { segments };
    }
    if message.get("body.kind").kind() != Kind::String {
        return message.any(BODIES);
    }
    let chunks = message.get("body.chunks");
    if chunks.kind() != Kind::Array {
        return message.get("body.value");
    }
    let mut text = String::new();
    for chunk in chunks.items() {
        text.push_str(chunk.text().unwrap_or_default().trim_end());
        text.push('\n');
    }
    out.string(&text)
}

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        out.run.titles.own = record.any(&["log._recordingName", "log.pages.0.title"]);
        out.facts(
            record,
            &[
                (FactKind::Other("Recorded by"), "log.creator.name"),
                (FactKind::Version, "log.creator.version"),
            ],
        );
        return out.nothing();
    }
    let time = record.any(&["startedDateTime", "request.timestamp", "recorded_at", "recordedAt"]);
    out.at(time);
    let (asked, answered) = (record.get("request"), record.get("response"));
    // A record of nock, which has the response body directly.
    let is_bare = asked.is_absent();
    // A response alone.
    let is_alone = is_bare && answered.is_absent();
    let body = if is_bare { record.get("body") } else { body_of(asked, out) };
    let request = if is_alone { Json::ABSENT } else { out.unpack(body) };
    let text = match (is_alone, is_bare) {
        (true, _) => body,
        (_, true) => answered,
        _ => body_of(answered, out),
    };
    let is_compressed = PACKED.iter().any(|start| text.raw().starts_with(start));
    let is_packed = is_compressed
        || answered.get("content.encoding").is("base64")
        || answered.get("body.kind").is("base64");
    let text = if is_packed { unpacked(text, out) } else { text };
    let response = out.unpack(text);
    let status = answered.any(&["status.code", "status", "status_code"]);
    let status = status.or(record.get("status"));
    let address = asked.any(&["url", "uri", "urlPath"]).or(record.get("path"));
    let address = address.text().unwrap_or_default();
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let before = out.items.len();
    let events = if response.kind() == Kind::String { out.text(response) } else { "" };
    // Only the first event of a stream identifies its kind.
    if chatgpt::describe(request, events_of(events), out) {
        out.facts(request, &[(FactKind::Other("Conversation"), "conversation_id")]);
    } else if chat::has_messages(request) {
        chat::request(request, out);
        let asked = out.items.len();
        for event in events_of(events) {
            stream::describe(event, out);
        }
        if out.items.len() == asked {
            out.items.truncate(before);
            chat::exchange(record, request, response, out);
        }
    } else if rpc::is_rpc(request) {
        let is_a2a = a2a::is_method(request.get("method"));
        let read = if is_a2a { a2a::message } else { mcp::message };
        read(request, out);
        [response].into_iter().chain(events_of(events)).for_each(|it| read(it, out));
        return;
    } else if is_agent_of_bedrock(path) && events.contains("Trace\":") {
        out.user(request.get("inputText"));
        events_of(events).for_each(|part| bedrock_agents::part(part, out));
        // The recording is one run, whatever sessions it has.
        out.run(Json::ABSENT);
        return;
    } else if chat::is_response(response) || is_bedrock(path) && chat::has_prompt(request) {
        chat::exchange(record, Json::ABSENT, response, out);
    } else {
        // A stream of Gemini's that was requested again has no request body. The page of Claude sends only the text
        // that the user has typed.
        let typed = request.get("prompt");
        if typed.kind() == Kind::String {
            out.item(What::User).text(typed).value(BlockRole::Request, request);
        }
        for event in events_of(events) {
            stream::describe(event, out);
        }
        let is_call = |item: &Item<'a>| item.what() == What::Model;
        match out.items.iter().skip(before).any(is_call) {
            true => out.run.titles.words = typed,
            false if is_alone => {}
            false => out.items.truncate(before),
        }
    }
    // Browsers record the messages of a WebSocket, which conversations with OpenAI's Realtime API use.
    const MAX_MESSAGES: usize = 20_000;
    for message in record.get("_webSocketMessages").items().take(MAX_MESSAGES) {
        let event = out.unpack(message.get("data"));
        stream::describe(event, out);
    }
    let is_llm_call = out.items.len() > before;
    if !is_llm_call {
        let method = asked.get("method").or(record.get("method"));
        let name = format!("{} {path}", method.label());
        let item = out.item(What::Span).name(name);
        item.summary(request)
            .value(BlockRole::Request, request)
            .value(BlockRole::Response, response);
    }
    let is_new =
        |item: &&mut Item<'a>| !is_llm_call || item.what() == What::Model && !item.is_history();
    let Some(item) = out.items.iter_mut().skip(before).find(is_new) else { return };
    if is_llm_call {
        item.prompt(request);
    }
    if item.name.is_empty() {
        item.name = model_of(path, request).into();
    }
    item.took(millis_ns(record.get("time"))).took(between(time, answered.get("timestamp")));
    if status.count().is_some_and(|status| status >= 400) {
        item.status(Status::Failed);
        if item.ending.error.is_none() {
            item.ending.error = status.raw().to_owned().into();
        }
    }
    let address = out.string(path);
    let is_streamed = is_llm_call && !events.is_empty();
    // The summary of a stream is made from its pieces.
    let at = out.items.iter().skip(before).position(|it| !it.is_history()).filter(|_| !is_streamed);
    let item = match at.and_then(|at| out.items.get_mut(before + at)) {
        Some(item) => item,
        None => out.usage(Usage::default()),
    };
    item.field("Status", status)
        .fields(answered, &[("Status", "statusText"), ("Status", "status.message")])
        .field("Address", address);
    item.fields(
        request,
        &[("Maximum of tokens", "max_tokens"), ("Version of the API", "anthropic_version")],
    );
    if is_streamed {
        chat::asked(request, item);
    }
}

/// The model that an address or a request names.
fn model_of(path: &str, request: Json<'_>) -> String {
    let named = request.get("model").word().map(std::borrow::Cow::into_owned);
    let after = |start: &str, ends: &[char]| {
        let (_, rest) = path.split_once(start)?;
        Some(rest.split(ends).next()?.replace("%3A", ":"))
    };
    named
        .or_else(|| after("/models/", &['/', ':']))
        // Bedrock's models have a version: `nova-lite-v1:0`.
        .or_else(|| after("/model/", &['/']))
        .or_else(|| after("/deployments/", &['/', ':']))
        .unwrap_or_default()
}

/// The events of a stream: server-sent events, or a value on each line.
fn events_of(text: &str) -> impl Iterator<Item = Json<'_>> {
    text.lines()
        .map(|line| line.strip_prefix("data:").unwrap_or(line).trim())
        .filter(|line| line.starts_with('{'))
        .map(Json::new)
}

/// How strings of base64 begin whose bytes are compressed with gzip or Zstandard, or are frames of Amazon's streams. VCR
/// keeps a body as it was sent.
const PACKED: [&str; 3] = ["\"H4sI", "\"KLUv", "\"AAA"];

/// Whether an address is that of a model of Bedrock, with a request in the model's own form.
fn is_bedrock(path: &str) -> bool {
    path.contains("/model/") && path.ends_with("/invoke")
}

/// Whether an address is that of an agent of Bedrock, whose response has the parts of a trace.
fn is_agent_of_bedrock(path: &str) -> bool {
    path.contains("/agents/") && path.contains("/sessions/") && path.ends_with("/text")
}

/// The maximum size of a body that is decompressed.
const MAX_BODY_BYTES: usize = 16 << 20;

/// Decompresses bytes if they are compressed.
fn decompressed(bytes: Vec<u8>) -> Vec<u8> {
    const PUSH_BYTES: usize = 64 << 10;
    let mut decoder: Box<dyn Decoder> = match sniff(&bytes) {
        Container::Gzip => Box::new(Gunzip::new()),
        Container::Zstd => Box::new(Unzstd::new()),
        _ => return bytes,
    };
    let mut text = Vec::new();
    for chunk in bytes.chunks(PUSH_BYTES) {
        if text.len() < MAX_BODY_BYTES {
            decoder.push(chunk, &mut text);
        }
    }
    decoder.finish(&mut text);
    text
}

/// The text of a base64 string. A value that is not text stays as it is.
fn unpacked<'a>(value: Json<'a>, out: &mut Description<'a>) -> Json<'a> {
    let bytes = base64::decode(out.text(value).as_bytes(), &mut Vec::new(), true);
    let bytes = decompressed(bytes);
    if let Some(events) = frames::events(&bytes) {
        return out.string(&events);
    }
    match String::from_utf8(bytes) {
        // Text in base64 that only begins like frames.
        Ok(text) if text.contains('\0') => value,
        Ok(text) if has_content(value) => out.string(&text),
        _ => value,
    }
}

/// Adds a note to runs without LLM calls and tool calls.
fn join(out: &mut TraceBuilder) {
    for at in 0..out.trace().runs().len() {
        let id = RunId::from_index(at);
        let is_own = out.trace().run(id).is_some_and(|run| run.format == catalog::HAR.id);
        let is_call = |event: &Event| {
            event.run == id && matches!(event.kind, EventKind::LlmCall | EventKind::ToolCall)
        };
        if is_own && !out.trace().events().iter().any(is_call) {
            out.run_mut(id).notes.push(RunNote::NoLlmTraffic);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn keys_in_headers_and_addresses_are_not_shown() {
        let har = include_str!("../../tests/fixtures/har/session.har");
        let read = read(&HAR, &[&[har]]);
        for at in 0..read.trace.events().len() {
            let shown = format!("{:?}", read.detail(&HAR, at));
            assert!(!shown.contains("secret-"), "{at}: {shown}");
        }
        assert!(har.contains("secret-"));
    }
}
