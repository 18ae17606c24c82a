//! Inspect AI: the logs of its evaluations, as `.json` or `.eval`.
//!
//! Read from the producer's types (github.com/UKGovernmentBEIS/inspect_ai, `src/inspect_ai/log/_log.py` and `event/`)
//! and from logs of 2024 to June 2026. A `.json` log is one document with all samples in it; an `.eval` log is a zip
//! with `header.json`, which is the same without samples, and one document per sample (deflate before 0.3.206, zstd
//! since then), or one document per sample in chunks ([`archive`]). A sample in one epoch is a run. The log itself, which
//! has the plan, the metrics, and the errors of the evaluation as a whole, is kept beside the runs. The facts of a sample say what
//! it asks, what is expected and what was answered, for the table of runs.
//!
//! If a sample has events (`events`; in logs of 2024 `transcript.events`), they are the rows; otherwise its messages
//! are. Long texts are written once, in `attachments`, and referred to as `attachment://<hash>`; newer logs have the
//! messages of all requests once, in `events_data.messages` (earlier in `message_pool`), and `input_refs` of a request
//! are ranges of it.

mod archive;
mod events;
mod log;
mod summaries;
#[cfg(test)]
mod tests;

pub use archive::documents_of_log;
pub use summaries::{outcomes, summaries_of_log};

use traceloupe_core::catalog;
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::{
    BlockRole, EventKind, EventNote, FactKind, RunStatus, RunVerdict, Usage,
};
use traceloupe_engine::described::{Described, Entry};
use traceloupe_engine::kit::{
    Description, Joins, On, Part, Reach, Sign, Test, What, has_content, seconds_ns,
};
use traceloupe_engine::shapes::content;
use traceloupe_engine::tokens;

/// The format.
pub static INSPECT: Described = Described {
    signs: &[
        Sign::certain(
            On::First,
            "the document has `eval.run_id`, `eval.task` and `version`, as logs of Inspect",
            &[Test::Text("eval.run_id"), Test::Text("eval.task"), Test::Has("version")],
        ),
        Sign::certain(
            On::First,
            "the document has `epoch`, `input`, `target` and `messages`, as samples of Inspect",
            &[
                Test::Has("id"),
                Test::Has("epoch"),
                Test::Has("input"),
                Test::Has("target"),
                Test::List("messages"),
            ],
        ),
        Sign::certain(
            On::First,
            "the document has `epoch`, `input` and `message_refs`, as samples of Inspect in chunks",
            &[Test::Has("epoch"), Test::Has("input"), Test::List("message_refs")],
        ),
        Sign::certain(
            On::First,
            "records have `event`, `timestamp` and `working_start`, as events of Inspect",
            &[Test::Text("event"), Test::Text("timestamp"), Test::Has("working_start")],
        ),
        // Events of 2024 do not state the working time.
        Sign::certain(
            On::Any,
            "an event begins a sample, as those of Inspect",
            &[
                Test::OneOf("event", &["sample_init"]),
                Test::Text("timestamp"),
                Test::Has("sample.input"),
            ],
        ),
        Sign::certain(
            On::Any,
            "an event is a request with its settings and its response, as those of Inspect",
            &[
                Test::OneOf("event", &["model"]),
                Test::Text("timestamp"),
                Test::Object("config"),
                Test::List("output.choices"),
            ],
        ),
        Sign::certain(
            On::First,
            "the document has `events` of Inspect",
            &[
                Test::OneOf("events.0.event", &["sample_init", "span_begin", "step"]),
                Test::Text("events.0.timestamp"),
            ],
        ),
    ],
    lists: &["samples.**", "events.**", "transcript.events.**"],
    quiet: &[
        // Members of every event: its kind, its parent, its time.
        "event",
        "span_id",
        "parent_id",
        "uuid",
        "timestamp",
        "working_start",
        "working_time",
        "completed",
        "name",
        "function",
        "model",
        "scorer",
        // Repeated by the messages of a request and its response.
        "input_refs",
        "output.completion",
        "output.choices.*.message.id",
        "output.choices.*.message.role",
        "output.choices.*.message.source",
        "output.choices.*.message.model",
        "output.choices.*.message.tool_calls.*.function",
        "output.choices.*.message.tool_calls.*.type",
        "output.choices.*.message.tool_calls.*.view",
        // Shown where they are referred to.
        "attachments",
        "transcript.content",
        "events_data",
        "message_pool",
    ],
    ..Described::new(&catalog::INSPECT, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.references(&["attachment://", "tc://"]);
    if record.get("event").kind() == Kind::String {
        events::describe(record, out);
    } else if record.get("eval").kind() == Kind::Object {
        log::describe(record, out);
    } else if record.get("epoch").is_given() {
        sample(record, out);
    } else {
        // The members of a long sample after its events.
        end(record, out);
    }
}

/// A sample, or the part of a long one before its events.
fn sample<'a>(sample: Json<'a>, out: &mut Description<'a>) {
    let (id, epoch) = (sample.get("id"), sample.get("epoch"));
    let key = out.string(&format!("{}_epoch_{}", id.label(), epoch.label()));
    let uuid = sample.get("uuid").given();
    let run = out.run(uuid.unwrap_or(key));
    if uuid.is_none() {
        run.reach = Reach::File;
    }
    let scores = || sample.get("scores").members().map(|(_, score)| score.get("value"));
    run.grade.score = scores().find_map(grade);
    run.grade.verdict = scores().find_map(graded);
    let is_graded = run.grade.score.is_some() || run.grade.verdict.is_some();
    out.facts(
        sample,
        &[(FactKind::Sample, "id"), (FactKind::Epoch, "epoch"), (FactKind::Target, "target")],
    );
    let question = question_of(sample);
    let title = out.string(&format!("Sample {}, epoch {}", id.label(), epoch.label()));
    let titles = &mut out.run.titles;
    (titles.words, titles.request) = (question, title);
    let question = beginning(question, out);
    let answer = sample.get("scores").members().find_map(|(_, score)| score.get("answer").given());
    let answer = answer.unwrap_or_else(|| sample.get("output.completion"));
    let answer = beginning(resolved(sample, answer), out);
    out.run.about.facts.extend(
        [(FactKind::Question, question), (FactKind::Answer, answer)]
            .into_iter()
            .filter(|(_, value)| has_content(*value)),
    );
    let facts = &mut out.run.about.facts;
    facts.extend(scores().next().filter(|_| !is_graded).map(|value| (FactKind::Score, value)));
    // Which scorer said what matters if there are several.
    let by_scorer = sample
        .get("scores")
        .members()
        .map(|(name, score)| (FactKind::Other(name), score.get("value")));
    if scores().nth(1).is_some() {
        facts.extend(by_scorer);
    }
    out.at(sample.get("started_at"));
    out.event(EventKind::RunStart, "sample")
        .summary(sample.get("input"))
        .fields(
            sample,
            &[
                (FactKind::Target, "target"),
                (FactKind::Other("Choices"), "choices"),
                (FactKind::Other("Setup"), "setup"),
            ],
        )
        .value(BlockRole::Input, sample.get("input"))
        .value(BlockRole::Messages, sample.get("messages"))
        .value("Metadata", sample.get("metadata"));
    references(sample, out);
    let refs = sample.get("message_refs");
    let names = events::range_names(refs, out);
    if !names.is_empty() && sample.get("events").is_given() {
        out.last().part(Part::Referred(BlockRole::Messages, names));
    } else if refs.is_given() {
        out.note("events in chunks").part(Part::Note(EventNote::EventsInOtherFiles));
    }

    // Everything added from here on is placed after the items of the list.
    out.after_list();
    let events = sample.any(&["events", "transcript.events"]);
    if events.item(0).is_absent() {
        let messages = sample.get("messages");
        let messages = messages.given().unwrap_or_else(|| sample.get("events_data.messages"));
        messages.items().for_each(|it| message(it, out));
    }
    if events.items().all(|event| !event.get("event").is("score")) {
        for (name, score) in sample.get("scores").members() {
            let name = out.keep(&name);
            evaluation(name, score, out);
        }
    }
    end(sample, out);
}

/// What a sample asks: its text, or that of its last message from the user.
fn question_of<'a>(sample: Json<'a>) -> Json<'a> {
    let input = sample.get("input");
    let asked = input.items().filter(|message| message.get("role").is("user")).last();
    resolved(sample, asked.map_or(input, content::first_words))
}

/// The text to which a value refers, or the value itself.
fn resolved<'a>(sample: Json<'a>, value: Json<'a>) -> Json<'a> {
    let text = value.text().unwrap_or_default();
    match text.strip_prefix("attachment://") {
        Some(hash) => sample.get("attachments").field(hash),
        None => value,
    }
}

/// The beginning of a text: the table of runs shows no more.
fn beginning<'a>(text: Json<'a>, out: &mut Description<'a>) -> Json<'a> {
    const MAX_BYTES: usize = 300;
    let words = out.text(text).trim();
    match words.len() > MAX_BYTES {
        true => out.string(words.get(..words.floor_char_boundary(MAX_BYTES)).unwrap_or_default()),
        false if words.is_empty() => Json::ABSENT,
        false => text,
    }
}

/// The members about a sample's end, and those that its events refer to.
fn end<'a>(sample: Json<'a>, out: &mut Description<'a>) {
    references(sample, out);
    // Agents that are separate programs have their results only in their requests.
    let pool = sample.any(&["events_data.messages", "message_pool"]);
    pool.items().for_each(|message| result_again(message, out));
    let mut usage = Usage::default();
    for (_, counts) in sample.get("model_usage").members() {
        usage.add(&tokens::inspect(counts));
    }
    let error = sample.get("error");
    let events = sample.any(&["events", "transcript.events"]);
    let run = &mut out.run;
    run.totals.usage = usage;
    run.times.duration = seconds_ns(sample.get("total_time").number());
    run.status = error.is_given().then_some(RunStatus::Error);
    if run.status.is_none() && sample.any(&["model_usage", "output"]).is_given() {
        run.status = Some(RunStatus::Ok);
    }
    out.facts(sample, &[("Limit", "limit.type")]);
    let known = ["completed_at", "total_time", "working_time", "error", "limit", "model_usage"];
    if sample.any(&known).is_given() {
        out.at(sample.get("completed_at"));
        let answer = ["limit.type", "output.completion", "output.choices.0.message.content"];
        let answer = sample.any(&answer).or(sample.get("total_time"));
        let is_told = events.items().any(|event| event.get("event").is("error"));
        let item = out.event(EventKind::RunEnd, "sample end");
        // The events already have the error: it is one error, not two.
        match is_told {
            true => item.value("Error", error),
            false => item.error(error),
        };
        item.summary(error.get("message").or(answer))
            .fields(
                sample,
                &[
                    ("Seconds", "total_time"),
                    ("Seconds of work", "working_time"),
                    ("Limit", "limit.type"),
                    ("Limited to", "limit.limit"),
                ],
            )
            .value("Model usage", sample.get("model_usage"));
    }
}

/// Names the targets of references in events: attachments by hash, messages by number.
fn references<'a>(sample: Json<'a>, out: &mut Description<'a>) {
    for (path, prefix) in [("attachments", "attachment://"), ("transcript.content", "tc://")] {
        for (hash, text) in sample.get(path).members() {
            let name = out.keep(&format!("{prefix}{hash}"));
            out.anchor(name, text);
        }
    }
    // In chunked samples the numbers are the names.
    for (at, text) in sample.get("attachments").items().enumerate() {
        out.anchor(out.keep(&format!("attachment://{at}")), text);
    }
    let pool = sample.any(&["events_data.messages", "message_pool"]);
    for (at, message) in pool.items().enumerate() {
        let name = out.keep(&format!("message {at}"));
        out.anchor(name, message);
    }
}

/// A message of a sample without events.
fn message<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let before = out.items.len();
    content::message(message, Joins::Nothing, out);
    if let Some(item) = out.items.get_mut(before) {
        match item.what() {
            What::Result => drop(item.name(message.get("function").label())),
            What::Model => drop(item.name(message.get("model").label())),
            _ => {}
        }
    }
}

/// The result of a tool in a request, which counts if the log has no event of the tool.
fn result_again<'a>(message: Json<'a>, out: &mut Description<'a>) {
    if message.get("role").is("tool") {
        let name = message.get("function").label();
        let item = out.result(message.get("tool_call_id"), message.get("content")).name(name);
        item.again().error(message.get("error"));
    }
}

/// A score, as an event or among those of a sample.
fn evaluation<'a, 'd>(
    name: &'a str,
    score: Json<'a>,
    out: &'d mut Description<'a>,
) -> &'d mut traceloupe_engine::kit::Item<'a> {
    let value = score.get("value");
    let item = match verdict(value) {
        Some(verdict) => out
            .event(EventKind::Evaluation, format!("{name}: {verdict}"))
            .summary(score.get("answer").or(value)),
        None => out.event(EventKind::Evaluation, name).summary(value),
    };
    item.field("Value", value).field("Answer", score.get("answer"));
    // A low score is an outcome of the sample, not a failure of the scorer.
    item.value("Explanation", score.get("explanation"))
}

/// The meaning of Inspect's letters for a score (`inspect_ai/scorer/_metric.py`).
fn verdict(value: Json<'_>) -> Option<&'static str> {
    match value.text()?.as_ref() {
        "C" => Some("correct"),
        "P" => Some("partly correct"),
        "I" => Some("incorrect"),
        "N" => Some("no answer"),
        _ => None,
    }
}

/// The verdict for Inspect's letters. The meaning of a number depends on the scorer.
fn graded(value: Json<'_>) -> Option<RunVerdict> {
    match value.text()?.as_ref() {
        "C" => Some(RunVerdict::Pass),
        "I" | "N" => Some(RunVerdict::Fail),
        _ => None,
    }
}

/// A score from 0 to 1: a number, or one of Inspect's letters for correct, partial, incorrect, no answer.
fn grade(value: Json<'_>) -> Option<f64> {
    match value.kind() {
        Kind::Number => value.number().filter(|number| (0.0..=1.0).contains(number)),
        Kind::String => match value.text()?.as_ref() {
            "C" => Some(1.0),
            "P" => Some(0.5),
            "I" | "N" => Some(0.0),
            _ => None,
        },
        _ => value.bool().map(f64::from),
    }
}
