//! Invariant Explorer: traces that were uploaded to it or exported from it.
//!
//! Read from the producer (github.com/invariantlabs-ai/explorer) and its test data. A file is the messages of one
//! trace, one per line or in a list, or a data set with a trace per line: a list of messages, or an object with
//! `messages`, `metadata` and `annotations`. A line or an item with nothing but `metadata` comes first. Messages are
//! those of OpenAI; a tool call may be a message of its own between them. Addresses of annotations count the messages.
//! Files that the producer's importer would refuse are read, with a warning ([`checks`]).

mod checks;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::annotation;
use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::content::Role;

/// The format.
pub static INVARIANT: Described = Described {
    signs: &[
        Sign::certain(
            On::After(METADATA),
            "a line with `metadata` stands before traces of messages",
            &[Test::HasOne(FIRST_ROLE)],
        ),
        Sign::record(
            "lists of messages begin with their `metadata`",
            &[Test::Has("0.metadata"), Test::Lacks("0.role"), Test::Text("1.role")],
        ),
        Sign::record(
            "traces have `messages` with `annotations` or `hierarchy_path`",
            &[TRACE, Test::HasOne(&["annotations", "hierarchy_path"]), NO_VERSION],
        ),
        Sign::record(
            "traces have `messages` with `index` and `metadata` or `id`",
            &[
                TRACE,
                Test::Has("index"),
                Test::HasOne(&["metadata", "id"]),
                // A prediction of EvalScope.
                Test::Lacks("model_output"),
                NO_VERSION,
            ],
        ),
        Sign::likely(
            On::After(METADATA),
            "a list of messages begins with its `metadata`",
            &[Test::Text("role")],
        ),
        maybe(
            "each record is a list of messages with roles",
            &[Test::HasOne(FIRST_ROLE), Test::Lacks("role"), NO_VERSION],
        ),
        maybe(
            "the records are messages with roles",
            &[
                Test::Text("role"),
                // Other objects may also have a role, for example that of an agent.
                Test::HasOne(&["content", "tool_calls", "function_call", "reasoning_content"]),
                Test::Lacks("tool_calls.0.tool"),
                NO_VERSION,
            ],
        ),
        maybe(
            "the records are tool calls in the shape of OpenAI",
            &[
                Test::Is("type", "function"),
                Test::Has("function.name"),
                // A definition of a tool.
                Test::Lacks("function.parameters"),
                NO_VERSION,
            ],
        ),
    ],
    lists: &["messages.**", ".**", "tool_calls"],
    has_messages: true,
    hooks: Hooks { is_whole: true, watch: Some(checks::watch), ..Hooks::NONE },
    quiet: &["role|type|timestamp|name", "function.name", "function_call.name"],
    ..Described::new(&catalog::INVARIANT, describe)
};

/// A line or an item with metadata alone.
const METADATA: &[Test] = &[Test::Object("metadata"), Test::Only("metadata")];

/// Where the first message of a trace has its role.
const FIRST_ROLE: &[&str] = &["0.role", "messages.0.role"];

/// A trace with its messages.
const TRACE: Test = Test::Text("messages.0.role");

/// Rows that name their own schema belong to another format.
const NO_VERSION: Test = Test::Lacks("schema_version");

const fn maybe(why: &'static str, tests: &'static [Test]) -> Sign {
    Sign::maybe(On::Any, why, tests)
}

/// How many facts of a trace are shown.
const MAX_FACTS: usize = 200;

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let role = record.get("role");
    out.at(record.get("timestamp"));
    if role.kind() == Kind::String {
        return message(record, &role.text().unwrap_or_default(), out);
    }
    if entry.is_document && record.get("tool_calls").kind() != Kind::Array {
        return trace(record, out);
    }
    if role.is_absent() && (record.get("function").is_given() || record.get("type").is("function"))
    {
        let (id, name, arguments) = content::call_of(record);
        out.call(id, name, arguments);
    } else if role.is_absent() && record.get("metadata").is_given() {
        out.run.records = Records::Following;
        facts(record.get("metadata"), out);
    } else {
        out.event(EventKind::Record, "").value(BlockRole::Record, record);
    }
}

/// A trace: a list of its messages, or an object with that list.
fn trace<'a>(trace: Json<'a>, out: &mut Description<'a>) {
    let first = trace.item(0);
    let metadata = match trace.kind() {
        Kind::Array if first.get("role").is_absent() => first.get("metadata"),
        Kind::Array => Json::ABSENT,
        _ => trace.any(&["metadata", "extra_metadata"]),
    };
    let number = trace.get("index").word().map(|index| out.string(&format!("Run {index}")));
    let name = [trace.get("name"), metadata.get("name")].into_iter().find(|it| it.word().is_some());
    // A number or an id says nothing of what was asked.
    let is_id = name.is_none_or(|name| {
        let name = name.label();
        !name.trim().contains(' ') && name.bytes().any(|byte| byte.is_ascii_digit())
    });
    let run = &mut out.run;
    (run.records, run.titles.series) = (Records::Itself, Series::All("Run"));
    let name = name.or(number).unwrap_or_default();
    match is_id {
        true => run.titles.request = name,
        false => run.titles.own = name,
    }
    run.about.groups = trace.get("hierarchy_path").or(metadata.get("hierarchy_path"));
    let error = metadata.get("error");
    run.status = match metadata.get("success").is_true() {
        true => Some(RunStatus::Ok),
        false if has_content(error) && error.raw() != "false" => Some(RunStatus::Error),
        false => None,
    };
    out.facts(trace, &[("index", "index"), ("id", "id")]);
    facts(metadata, out);
    let known = ["messages", "metadata", "extra_metadata", "index", "id", "annotations"];
    let others = trace.members().filter(|(key, _)| !known.contains(&key.as_ref()));
    out.run
        .about
        .facts
        .extend(others.take(MAX_FACTS).map(|(key, value)| (FactKind::of_metadata(key), value)));
    for it in trace.get("annotations").items() {
        if let Some(kind) = annotation::kind_of(it.raw()) {
            out.annotate(kind, it);
        }
    }
    // Everything is shown as facts of the run.
    out.nothing();
}

/// The members of metadata as facts.
fn facts<'a>(metadata: Json<'a>, out: &mut Description<'a>) {
    let mut add = |label: Cow<'a, str>, value| {
        if out.run.about.facts.len() < MAX_FACTS {
            out.run.about.facts.push((FactKind::of_metadata(label), value));
        }
    };
    for (key, value) in metadata.members() {
        match value.kind() {
            // Counts from the tests and the analysis of Explorer.
            Kind::Object if key == "invariant" => {
                value
                    .members()
                    .for_each(|(it, value)| add(format!("invariant.{it}").into(), value));
            }
            _ => add(key, value),
        }
    }
    out.nothing();
}

fn message<'a>(message: Json<'a>, role: &str, out: &mut Description<'a>) {
    let content = message.get("content");
    let old_call = message.get("function_call");
    let calls = message.get("tool_calls");
    let has_calls = calls.item(0).is_given() || old_call.kind() == Kind::Object;
    let what = match content::role(role) {
        Role::Tool => return output(message, content, out),
        Role::System => What::System,
        Role::Model => What::Model,
        _ if role == "agent" || has_calls => What::Model,
        Role::User => What::User,
        _ if role.starts_with("user") => What::User,
        // Other roles may be agents or tools: the file does not say which.
        _ => What::Event(EventKind::Note),
    };
    if what == What::User {
        let words = content::first_words(message);
        let is_image =
            [LOCAL_BASE64, STORED[0], STORED[1]].iter().any(|it| out.text(words).starts_with(it));
        out.run.titles.words = if is_image { Json::ABSENT } else { words };
    }
    let item = out.items.len();
    out.item(what).joins(traceloupe_engine::kit::Joins::Nothing);
    let mut parts = Vec::new();
    for thought in ["reasoning_content", "reasoning"].map(|path| message.get(path)) {
        if thought.kind() == Kind::String {
            parts.push(Part::Thinking(thought));
        }
    }
    for part in content::pieces(content) {
        image(part, &mut parts);
    }
    let asked = calls.items().chain(old_call.given());
    for (_, name, arguments) in asked.filter(|it| it.kind() == Kind::Object).map(content::call_of) {
        parts.push(Part::Call(name.label(), out.unpack(arguments)));
    }
    // OpenAI's form before a message could have several calls.
    if old_call.kind() == Kind::Object {
        let (id, name, arguments) = content::call_of(old_call);
        out.call(id, name, arguments).asked_by(item);
    }
    if let Some(item) = out.items.get_mut(item) {
        item.parts = parts;
        named(item, role);
    }
    if calls.kind() == Kind::Array {
        out.encloses = Some(item);
    }
}

/// The output of a tool. Its call may have no id, and then the output has none.
fn output<'a>(message: Json<'a>, content: Json<'a>, out: &mut Description<'a>) {
    let name = message.any(&["name", "tool_name"]).label();
    let mut parts = Vec::new();
    content::pieces(content).into_iter().for_each(|part| image(part, &mut parts));
    let has_image = content.kind() == Kind::String
        && parts.iter().any(|part| matches!(part, Part::Media(..) | Part::Note(_)));
    let item = out
        .result(message.get("tool_call_id"), content.given().unwrap_or_default())
        .name(name)
        .or_note("tool");
    if has_image {
        item.parts = parts;
    }
}

/// The usual roles are visible as the kind of the row.
fn named(item: &mut Item<'_>, role: &str) {
    if !matches!(role, "user" | "system" | "assistant") {
        item.name = Cow::Owned(role.to_owned());
    }
}

/// The prefixes of texts that are images: this one precedes base64, the others precede a link into Explorer's own
/// storage.
const LOCAL_BASE64: &str = "local_base64_img:";
const STORED: [&str; 2] = ["local_img_link:", "s3_img_link:"];

/// Adds a part of a message. A text may be an image, or a link to where an image was.
fn image<'a>(part: Part<'a>, parts: &mut Vec<Part<'a>>) {
    let address = match &part {
        Part::Value(_, value) => value.any(&["image_url.url", "image_url"]),
        Part::Text(words) => *words,
        _ => Json::ABSENT,
    };
    // The rest of a long text need not be decoded.
    let raw = address.raw();
    let beginning = raw.get(1..raw.floor_char_boundary(64)).unwrap_or_default().trim_start();
    if let Some(base64) = beginning.strip_prefix(LOCAL_BASE64) {
        return parts.push(Part::Media(image_type(base64.trim_start()).into(), address));
    }
    if STORED.iter().any(|link| beginning.starts_with(link)) {
        parts.push(Part::Note(EventNote::ImageOnServer));
    }
    if beginning.starts_with("http") && matches!(part, Part::Value(..)) {
        parts.push(Part::Note(EventNote::ImageNotLoaded));
        return parts.push(Part::Text(address));
    }
    if beginning.starts_with("data:image/") {
        return parts.push(Part::Media("".into(), address));
    }
    parts.push(part);
}

/// The type of an image, by the first characters of its base64.
fn image_type(base64: &str) -> &'static str {
    const TYPES: [(&str, &str); 4] = [
        ("iVBORw0", "image/png"),
        ("/9j/", "image/jpeg"),
        ("R0lGOD", "image/gif"),
        ("UklGR", "image/webp"),
    ];
    TYPES.iter().find(|(head, _)| base64.starts_with(head)).map_or("image/unknown", |it| it.1)
}
