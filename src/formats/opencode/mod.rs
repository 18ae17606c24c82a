//! OpenCode: the output of `opencode export` and of `opencode run --format json`, and the files of its storage before
//! it became a database. [`super::databases`] writes the sessions of the database as exports.
//!
//! | Record | Content |
//! | --- | --- |
//! | export | `info` of the session, and `messages` with `info` and `parts` each |
//! | line of a run | `type`, `timestamp`, `sessionID`, and one `part` |
//! | `storage/session/…` | the session: `directory`, `title`, `parentID` |
//! | `storage/message/…` | `role`, `modelID`, `tokens`; its parts are files of their own |
//! | `storage/part/…` | a part, with `messageID` and `sessionID` |
//! | event of the server | `type` and `properties`, bare or in a `payload`: a message or a part, each time it has changed |
//! | session, message or row of version 2 | see [`storage_v2`] |
//! | row of the table `event` of the database | `aggregate_id`, `type` with a version, and the same in `data` |
//!
//! Read from the program (`packages/opencode/src/session/message-v2.ts` in <https://github.com/sst/opencode>), a
//! printed run of March 2026, and the files of a test of storage. A message of the assistant had several steps in 2025
//! and has had one since then: each step is an LLM call. The session of a sub-agent names the one that started it, and
//! the call names that session. User text and model text are distinguished by the role of their message; parts in files
//! of their own are distinguished by `time`, which only the model's parts have.

mod storage_v2;

use traceloupe_engine::prelude::*;

/// The format.
pub static OPENCODE: Described = Described {
    signs: &[
        Sign::record(
            "there are parts with their session and message",
            &[Test::Texts(&["sessionID", "part.messageID", "part.type"])],
        ),
        Sign::record(
            "a session has `info` and messages with `info` and `parts`",
            &[Test::Texts(&["info.id", "messages.0.info.role"]), Test::List("messages.0.parts")],
        ),
        Sign::record(
            "a session of version 2 has `info`, and messages with a type and a time",
            &[
                Test::Text("info.id"),
                Test::HasAll(&["info.time.created", "messages.0.time.created"]),
                Test::OneOf("messages.0.type", storage_v2::TYPES),
            ],
        ),
        Sign::record(
            "there are rows of the tables of version 2",
            &[
                Test::OneOf("table", storage_v2::TABLES),
                Test::Text("row.id"),
                Test::Has("row.time_created"),
            ],
        ),
        Sign::record(
            "messages have `info` with their session, and `parts`",
            &[Test::Texts(&["info.sessionID", "info.role"]), Test::List("parts")],
        ),
        Sign::record(
            "a message names its session and has a `time`",
            &[
                Test::Text("sessionID"),
                Test::OneOf("role", &["user", "assistant"]),
                Test::Has("time.created"),
            ],
        ),
        Sign::record(
            "a part names its message and its session",
            &[Test::Texts(&["sessionID", "messageID", "type"])],
        ),
        Sign::record(EVENT_WHY, &[Test::OneOf("type", EVENTS), Test::Object("properties")]),
        Sign::record(
            EVENT_WHY,
            &[Test::OneOf("payload.type", EVENTS), Test::Object("payload.properties")],
        ),
        Sign::record(
            "there are rows of the table of events of OpenCode",
            &[Test::OneOf("type", STORED), Test::Text("aggregate_id"), Test::Has("data")],
        ),
        Sign::record(
            "a session has a directory and times",
            &[
                Test::Texts(&["directory", "version"]),
                Test::HasAll(&["time.created", "time.updated"]),
            ],
        ),
    ],
    lists: &["messages"],
    undivided: &["directory"],
    quiet: &[
        "type|timestamp|sessionID|messageID|callID|tool|time|role|modelID",
        "state.status|time",
        "part.type|sessionID|messageID|tool|time",
        "part.state.status|time",
        "info.role|sessionID|modelID|time",
        "parts.*.type|sessionID|messageID|callID|tool|time",
        "parts.*.state.status|time",
        "payload.type",
        "properties|data.sessionID|time|messageID|partID|field",
        "properties|data.info.id|sessionID|role|time|modelID",
        "properties|data.part.id|sessionID|messageID|type|callID|tool|time",
        "properties|data.part.state.status|time",
        "payload.properties.sessionID|time|messageID|partID|field",
        "payload.properties.info.id|sessionID|role|time|modelID",
        "payload.properties.part.id|sessionID|messageID|type|callID|tool|time",
        "payload.properties.part.state.status|time",
        "data.timestamp",
    ],
    hooks: Hooks { tells_twice: true, ..Hooks::NONE },
    ..Described::new(&catalog::OPENCODE, describe)
};

const EVENT_WHY: &str = "there are events of OpenCode's server with `properties`";
const EVENTS: &[&str] = &[
    "message.updated",
    "message.part.updated",
    "message.part.delta",
    "session.created",
    "session.updated",
    "session.idle",
    "session.error",
    "server.connected",
];

/// The types of events that the database keeps: with a version.
const STORED: &[&str] =
    &["message.updated.1", "message.part.updated.1", "session.created.1", "session.updated.1"];

/// All counts are separate.
pub(super) static TOKENS: Flavour = Flavour {
    input: &["input"],
    output: &["output"],
    cache_read: &["cache.read"],
    cache_write: &["cache.write"],
    reasoning: &["reasoning"],
    input_has_cached: false,
    output_lacks_reasoning: true,
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let told = record.any(&["properties", "payload.properties"]);
    if told.is_given() {
        return event(record.any(&["payload.type", "type"]), told, out);
    }
    if record.get("aggregate_id").is_given() && record.get("data").is_given() {
        let data = out.unpack(record.get("data"));
        event(record.get("type"), data, out);
        let told = ["id", "aggregate_id", "seq"].map(|key| record.get(key));
        out.last().row.told.extend(told);
        return;
    }
    if record.get("row").is_given() && record.get("table").is_given() {
        return storage_v2::row(record.get("table"), record.get("row"), out);
    }
    out.at(record.any(&["timestamp", "time.created", "info.time.created"]));
    let (part, info) = (record.get("part"), record.get("info"));
    let session = record.any(&["sessionID", "info.sessionID"]);
    if session.is_given() {
        out.run(session);
    }
    if entry.is_document || record.get("directory").is_given() {
        self::session(info.or(record), out);
    } else if part.is_given() {
        lone(part, out);
    } else if session.is_absent() && storage_v2::TYPES.iter().any(|it| record.get("type").is(it)) {
        storage_v2::message(record.get("type"), record.get("id"), record, out);
    } else if record.get("error").is_given() && record.get("role").is_absent() {
        failure(record.get("error"), out.event(EventKind::Error, "error"));
    } else if record.get("parts").kind() == Kind::Array && info.is_given() {
        message(info, record.get("parts"), out);
    } else if record.get("messageID").is_given() {
        lone(record, out);
    } else if record.get("role").is("assistant") {
        // The parts of a message are in files of their own.
        let item = out.item(What::Model).joins(Joins::Id(record.get("id")));
        finish(record, item);
    } else if record.get("role").is_given() {
        // So is the text of a user message.
        out.item(What::User).joins(Joins::Id(record.get("id")));
    }
}

/// An event of the server. Messages and parts are sent again whenever they change: the complete version counts, and the
/// added text.
fn event<'a>(kind: Json<'a>, told: Json<'a>, out: &mut Description<'a>) {
    let (part, info) = (told.get("part"), told.get("info"));
    let time = told.any(&["time", "info.time.created", "timestamp"]);
    out.at(time);
    let id = told.any(&["sessionID", "part.sessionID", "info.sessionID", "info.id"]);
    out.run(id).records = Records::EarlierToo;
    let joins = Joins::Id(info.get("id"));
    let kind = kind.label();
    // In the database types have a version: `message.updated.1`.
    match kind.trim_end_matches(|it: char| it == '.' || it.is_ascii_digit()) {
        "message.part.updated" | "message.part.delta" => {
            let (time, status) = (part.get("time"), part.get("state.status"));
            let is_over = status.is("completed") || status.is("error");
            let is_early = part.is_absent()
                || part.get("text").is("")
                || time.is_given() && !time.get("end").is_given()
                || status.is("pending");
            match told.get("delta").given() {
                Some(delta) if is_early => {
                    let is_thinking = part.get("type").is("reasoning");
                    let is_thinking = is_thinking || told.get("field").is("reasoning");
                    let of = if is_thinking { PieceOf::Thinking } else { PieceOf::Text };
                    let key = told.any(&["partID", "part.id"]).fingerprint();
                    let joins = Joins::Id(told.any(&["messageID", "part.messageID"]));
                    out.model(vec![Part::Piece(Piece { of, key, text: delta })], joins);
                }
                _ if is_early => out.nothing(),
                // The call was reported when it began.
                _ if is_over => tool(part, None, out),
                _ => lone(part, out),
            }
        }
        "message.updated" if info.get("role").is("assistant") => {
            out.facts(info, &[(FactKind::Provider, "providerID")]);
            let item = out.item(What::Model).joins(joins);
            match info.any(&["time.completed", "error"]).is_given() {
                true => finish(info, item),
                false => {
                    item.name = info.get("modelID").label();
                    item.told(info);
                }
            }
        }
        "message.updated" => {
            out.facts(info, &[("Agent", "agent")]);
            out.item(What::User).joins(joins);
        }
        "session.created" => session(info, out),
        "session.updated" => {
            session(info, out);
            out.items.clear();
            out.nothing();
        }
        "session.error" => failure(told.get("error"), out.event(EventKind::Error, "error").last()),
        kind => {
            let labels = [
                (FactKind::Other("Agent"), "agent"),
                (FactKind::Model, "model.id"),
                (FactKind::Provider, "model.providerID"),
            ];
            let item = out.bookkeeping(kind.replace('.', " ")).fields(told, &labels);
            // Events of the server have no time.
            if time.is_absent() {
                item.last();
            }
        }
    }
}

fn session<'a>(info: Json<'a>, out: &mut Description<'a>) {
    out.run.times.order_rows = true;
    out.run.titles.own = info.get("title");
    out.run.origin.started_by = info.get("parentID");
    (out.run.times.start, out.run.times.end) =
        (time_of(info.get("time.created")), time_of(info.get("time.updated")));
    out.run.key = info.get("id");
    out.facts(
        info,
        &[
            (FactKind::Folder, "directory"),
            (FactKind::Folder, "location.directory"),
            (FactKind::Version, "version"),
            (FactKind::Other("Project"), "projectID"),
        ],
    );
    let directory = info.any(&["directory", "location.directory"]);
    out.event(EventKind::RunStart, "session").summary(directory);
}

/// A message with its parts.
fn message<'a>(info: Json<'a>, parts: Json<'a>, out: &mut Description<'a>) {
    if !info.get("role").is("assistant") {
        let (given, words): (Vec<_>, Vec<_>) =
            parts.items().partition(|it| it.get("synthetic").is_true());
        for part in given {
            out.item(What::System).text(part.get("text"));
        }
        let mut shown = Vec::new();
        for part in words {
            match part.get("type").is("text") || part.get("type").is("file") {
                true => shown.extend(content::pieces(part)),
                false => other(part, out),
            }
        }
        if let Some(Part::Text(first)) = shown.first() {
            out.run.titles.words = *first;
        }
        if !shown.is_empty() || out.items.is_empty() {
            out.item(What::User).parts = shown;
        }
        return;
    }
    let mut model = begin(info, out);
    let mut n_steps = 0;
    for part in parts.items() {
        match part.get("type").label().as_ref() {
            "step-start" if n_steps > 0 => model = begin(info, out),
            "step-start" => {}
            "step-finish" => {
                n_steps += 1;
                finish(part, out.nth(model));
            }
            "text" | "reasoning" => out.nth(model).parts.extend(content::pieces(part)),
            "tool" => tool(part, Some(model), out),
            _ => other(part, out),
        }
    }
    let took = between(info.get("time.created"), info.get("time.completed"));
    if let Some(item) = out.items.get_mut(model) {
        if n_steps == 0 {
            finish(info, item);
        } else if info.get("error").is_given() {
            failure(info.get("error"), item);
        }
        if n_steps < 2 {
            item.took(took);
        }
    }
}

/// A step of a message.
fn begin<'a>(info: Json<'a>, out: &mut Description<'a>) -> usize {
    let item = out.item(What::Model).joins(Joins::Nothing).id(info.get("id"));
    item.name = info.get("modelID").label();
    out.items.len() - 1
}

/// The end data of a step or a message.
fn finish<'a>(of: Json<'a>, item: &mut Item<'a>) {
    let counts = of.get("tokens");
    item.tokens(&TOKENS, counts).fields(
        of,
        &[
            (FactKind::Other("Finish reason"), "reason"),
            (FactKind::Other("Finish reason"), "finish"),
            (FactKind::Cost, "cost"),
        ],
    );
    if item.name.is_empty() {
        item.name = of.get("modelID").label();
    }
    failure(of.get("error"), item);
}

/// An error: its name, and its message among its data.
pub(super) fn failure<'a>(error: Json<'a>, item: &mut Item<'a>) {
    if !error.is_given() {
        return;
    }
    let (name, message) = (error.any(&["name", "type"]), error.any(&["data.message", "message"]));
    let message = if name.is_given() || message.is_given() { message } else { error };
    item.ending.error = name.label().into();
    let is_stopped = name.is("MessageAbortedError");
    item.status(if is_stopped { Status::Cancelled } else { Status::Failed });
    item.part(Part::Error(name, message, Json::ABSENT));
}

/// A part in a record of its own.
fn lone<'a>(part: Json<'a>, out: &mut Description<'a>) {
    out.at(part.any(&["time.start", "state.time.start"]));
    let kind = part.get("type").label();
    let joins = Joins::Id(part.get("messageID"));
    match kind.as_ref() {
        "text" if part.get("synthetic").is_true() => {
            out.item(What::System).text(part.get("text"));
        }
        "text" if !part.get("time").is_given() => drop(out.user(part.get("text")).joins(joins)),
        "text" | "reasoning" => drop(out.model(content::pieces(part), joins)),
        "step-start" => out.nothing(),
        "step-finish" => finish(part, out.item(What::Model).joins(joins)),
        "tool" => {
            let arguments = part.get("state.input");
            let name = part.get("tool").label();
            let item = out.item(What::Model).joins(joins).again().part(Part::Call(name, arguments));
            item.asks(part);
            tool(part, Some(0), out);
        }
        _ => other(part, out),
    }
}

/// A call, with its result where it has one.
fn tool<'a>(part: Json<'a>, asked_by: Option<usize>, out: &mut Description<'a>) {
    let (state, id) = (part.get("state"), part.any(&["callID", "id"]));
    let (name, input) = (part.get("tool"), state.get("input"));
    // A message that is sent again already has the call.
    let item = match asked_by {
        Some(model) if !out.nth(model).repeats.is_again => out.asked_by(model, id, name, input),
        _ => out.call(id, name, input),
    };
    item.or_known().asked_by(asked_by);
    item.starts_run(state.any(&["metadata.sessionId", "metadata.sessionID"]))
        .field("Title", state.get("title"));
    let (start, end) = (state.get("time.start"), state.get("time.end"));
    let value = state.get("output").or(state.get("error"));
    if let Some(item) = result(id, state, value, (start, end), out) {
        item.again().parts.extend(state.get("attachments").items().flat_map(content::pieces));
    }
}

/// The times of the call that was added last, and its result if it is over.
pub(super) fn result<'a, 'd>(
    id: Json<'a>,
    state: Json<'a>,
    value: Json<'a>,
    (start, end): (Json<'a>, Json<'a>),
    out: &'d mut Description<'a>,
) -> Option<&'d mut Item<'a>> {
    let began = time_of(start);
    if began.is_known() {
        out.last().starts(began);
    }
    let status = state.get("status");
    if !status.is("completed") && !status.is("error") {
        return None;
    }
    let item = out.result(id, value).exit(state.get("metadata.exit"));
    item.took(between(start, end));
    // A program may fail in a call that completed.
    if item.ending.status.is_none() || status.is("error") {
        item.outcome(status);
    }
    Some(item)
}

/// Parts that are neither text nor calls.
fn other<'a>(part: Json<'a>, out: &mut Description<'a>) {
    let kind = part.get("type").label();
    match kind.as_ref() {
        "compaction" => drop(out.event(EventKind::Compaction, "compaction")),
        "retry" => failure(part.get("error"), out.event(EventKind::Error, "retry")),
        _ => {
            let words = part.any(&["prompt", "name", "filename", "hash", "snapshot"]);
            out.note(kind.replace('-', " ")).text(words).value("Files", part.get("files"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    const STORED: &str = include_str!("../../../tests/fixtures/opencode/stored-events.jsonl");

    #[test]
    fn rows_of_the_table_of_events_are_a_session() {
        let lines: Vec<&str> = STORED.lines().collect();
        let read = read(&OPENCODE, &[&lines]);
        let expected = [
            "run-start session",
            "note session next agent switched",
            "note session next model switched",
            "user ",
            "llm-call sonnet-6",
            " tool-call bash",
        ];
        assert_eq!(read.outline(), expected);
        assert_eq!(read.trace.runs()[0].title.as_deref(), Some("Boats at the quay"));
    }
}
