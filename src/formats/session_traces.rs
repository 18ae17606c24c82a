//! Hugging Face session traces: the Session Trace Simple Format, in which programs of any kind write a session for the
//! viewer of the Hub.
//!
//! Read from its documentation (huggingface.co/docs/hub/session-traces-format) and from code that writes it. The first
//! line names the program (`harness`) and the session; each further line is a message. A message of the assistant is one
//! LLM call. The exports of llama.app also have the tree of messages (in file order here), an empty root, and the timings
//! of its server.

use traceloupe_engine::prelude::*;

/// The format.
pub static SESSION_TRACES: Described = Described {
    signs: &[Sign::record(
        "the header of a session names its harness",
        &[Test::Is("type", "session"), Test::Texts(&["harness", "id"])],
    )],
    quiet: &[
        "type|lastModified|currNode",
        "message.id|convId|type|role|timestamp|parent|children|model",
        "message.toolCalls.*.type",
    ],
    ..Described::new(&catalog::SESSION_TRACES, describe)
};

/// The timings of a llama.cpp server: what was read from its cache is counted apart.
static TIMINGS: Flavour = Flavour {
    input: &["prompt_n"],
    output: &["predicted_n"],
    cache_read: &["cache_n"],
    ..Flavour::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let message = record.get("message");
    out.at(message.get("timestamp").or(record.get("timestamp")));
    match record.get("type").label().as_ref() {
        "session" => {
            let run = out.run(record.get("id"));
            (run.titles.own, run.models.name) = (record.get("name"), record.get("model"));
            out.facts(
                record,
                &[
                    (FactKind::Other("Harness"), "harness"),
                    (FactKind::Folder, "cwd"),
                    (FactKind::Branch, "gitBranch"),
                    (FactKind::Model, "model"),
                ],
            );
            out.event(EventKind::RunStart, "session").summary(record.get("name"));
        }
        // The root of the tree says nothing.
        "message" if message.get("type").is("root") && !has_content(message.get("content")) => {
            out.nothing();
        }
        "message" => self::message(message, out),
        kind => drop(out.note(kind.to_owned())),
    }
}

fn message<'a>(message: Json<'a>, out: &mut Description<'a>) {
    content::said(message, Joins::Nothing, out);
    let (thinking, timings) = (message.get("reasoningContent"), message.get("timings"));
    let Some(item) = out.items.first_mut() else { return };
    match item.what() {
        What::Model => {
            if has_content(thinking) {
                item.parts.insert(0, Part::Thinking(thinking));
            }
            let [prompt, answer] =
                ["prompt_ms", "predicted_ms"].map(|key| timings.get(key).number());
            let took = prompt.zip(answer).map(|(prompt, answer)| (prompt + answer) / 1e3);
            item.name(message.get("model")).tokens(&TIMINGS, timings).took(seconds_ns(took));
        }
        What::Result => drop(item.failed(message.get("isError"))),
        _ => {}
    }
}
