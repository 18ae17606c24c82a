//! Helicone: requests to models with their responses, as its export and its API return them.
//!
//! Read from the producer's documentation (docs.helicone.ai, export of data and query of requests) and code; no real
//! file was at hand. Requests are one per line, in a list, or under `data`; bodies are included if they were requested.
//! A session, which requests name in their properties, is a run. Each request repeats the whole conversation: only new
//! messages make rows.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::step;

/// The format.
pub static HELICONE: Described = Described {
    signs: &[Sign::certain(
        On::Within(&["data"]),
        "records have `request_id` and `request_created_at`",
        &[
            Test::Texts(&["request_id", "request_created_at"]),
            Test::HasOne(&["request_body", "request_path", "request_model", "response_status"]),
        ],
    )],
    lists: &["data"],
    quiet: &["request_created_at|response_created_at|delay_ms|request_model|error"],
    ..Described::new(&catalog::HELICONE, describe)
};

/// Helicone subtracts the cached tokens from those of the prompt.
const COUNTS: Flavour = Flavour {
    input: &["prompt_tokens"],
    output: &["completion_tokens"],
    cache_read: &["prompt_cache_read_tokens"],
    cache_write: &["prompt_cache_write_tokens"],
    reasoning: &["reasoning_tokens"],
    ..Flavour::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if record.kind() != Kind::Object || entry.is_document {
        return out.nothing();
    }
    let properties = record.any(&["properties", "request_properties"]);
    let run = out.run(properties.field("Helicone-Session-Id"));
    run.titles.own = properties.field("Helicone-Session-Name");
    let user = [("User", "request_user_id"), ("User", "helicone_user")];
    out.facts(record, &user);
    out.at(record.get("request_created_at"));
    let request = out.unpack(record.get("request_body"));
    let response = out.unpack(record.get("response_body"));
    let messages = request.any(&["messages", "contents", "input"]);
    if messages.kind() == Kind::String {
        out.item(What::User).text(messages).history(0, 0, messages);
        out.run.titles.words = messages;
    }
    for (at, message) in (0..).zip(messages.items()) {
        let before = out.items.len();
        content::said(message, Joins::Nothing, out);
        out.history(before, at, message);
    }
    let first = out.items.len();
    let answer = response.any(&["choices.0.message", "candidates.0.content", "output.message"]);
    match response.get("output").kind() {
        Kind::Array => {
            for item in response.get("output").items() {
                content::message(item, Joins::Neighbours, out);
            }
        }
        _ => content::answer(answer.or(response), out),
    }
    let value = Part::Value(BlockRole::Response, response);
    let Some(item) = out.items.iter_mut().skip(first).find(|it| it.what() == What::Model) else {
        return;
    };
    if item.parts.is_empty() && response.is_given() {
        item.part(value);
    }
    let model = record.any(&["response_model", "model", "request_model", "model_override"]);
    let model = model.or(request.get("model"));
    item.name(model).usage(COUNTS.read(record)).prompt(messages);
    item.took(seconds_ns(record.get("delay_ms").number().map(|ms| ms / 1000.0)));
    let code = record.get("response_status").integer().unwrap_or(0);
    if code >= 400 {
        item.status(Status::Failed).ending.error = format!("status {code}").into();
    } else if code >= 200 {
        item.status(Status::Ok);
    }
    item.error(response.get("error"));
    if let Some(list) = messages.items().next().map(|_| content::messages(messages)) {
        item.part(Part::Messages(BlockRole::Messages, list));
    }
    item.value(BlockRole::Instructions, request.any(&["system", "instructions"]))
        .value(BlockRole::Tools, request.get("tools"))
        .fields(
            record,
            &[
                (FactKind::Other("Prompt tokens"), "prompt_tokens"),
                (FactKind::Other("Completion tokens"), "completion_tokens"),
                (FactKind::Cost, "cost"),
                (FactKind::Cost, "costUSD"),
                (FactKind::Provider, "provider"),
                (FactKind::Other("Path"), "request_path"),
                (FactKind::Other("Time to first token (ms)"), "time_to_first_token"),
                (FactKind::Other("Feedback"), "feedback_rating"),
            ],
        )
        .value("Properties", properties);
    for (name, score) in record.get("scores").members() {
        let value = score.get("value").or(score);
        let name = out.string(&name);
        step::score(name, value, Json::ABSENT, Json::ABSENT, out);
    }
}
