//! Gemini CLI: chats as one document and, since 2026, as lines; its log of prompts; checkpoints; and the output of
//! `gemini -o stream-json`.
//!
//! | File | Content |
//! | --- | --- |
//! | `chats/session-….json` | a document with `messages` |
//! | `chats/session-….jsonl` | the other members of the document, then each message; `$set` changes the members,
//! `$rewindTo` removes messages. A message is written again when it has changed |
//! | `logs.json` | the text that the user typed, for all sessions of a project |
//! | a printed `response` | the answer of `gemini -o json`, with its statistics |
//! | `checkpoint-….json` | `history`, the contents of the API; a list of these is what `/chat save` and `/chat share` wrote |
//! | `gemini-client-error-….json` | the `error` of a request, and its `context`: contents as well |
//!
//! Read from the program (`packages/core/src/services/chatRecordingService.ts`, `core/logger.ts`, `output/types.ts` in
//! <https://github.com/google-gemini/gemini-cli>) and three chats of January 2026. A call has its result beside it, and
//! since autumn 2026 the next message repeats it; the times of calls are those at which they were written, so their
//! durations are unknown.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::exit_code;

/// The format.
pub static GEMINI_CLI: Described = Described {
    signs: &[
        Sign::record(
            "a session has `sessionId` and `projectHash`",
            &[Test::Texts(&["sessionId", "projectHash"])],
        ),
        Sign::record(
            "a session has `sessionId`, the times of its beginning and its end, and `messages`",
            &[Test::Texts(&["sessionId", "startTime", "lastUpdated"]), Test::List("messages")],
        ),
        Sign::record(
            "messages of `type` `gemini` have `tokens` or `thoughts`",
            &[Test::Is("type", "gemini"), Test::HasOne(&["tokens", "thoughts", "toolCalls"])],
        ),
        Sign::certain(
            On::Items("messages"),
            "there are messages of `type` `gemini`",
            &[Test::Is("type", "gemini"), Test::Has("content"), Test::Lacks("role")],
        ),
        Sign::record(
            "prompts have `sessionId` and a numbered `messageId`",
            &[
                Test::Texts(&["sessionId", "message"]),
                Test::Has("messageId"),
                Test::Is("type", "user"),
            ],
        ),
        Sign::record(
            "a checkpoint has its `history` and how the program signed in",
            &[
                Test::Text("history.0.role"),
                Test::List("history.0.parts"),
                Test::HasOne(&["authType", "clientHistory"]),
            ],
        ),
        Sign::record(
            "a checkpoint has the `clientHistory` and the call before which it was made",
            &[Test::List("clientHistory.0.parts"), Test::Text("toolCall.name")],
        ),
        Sign::certain(
            On::First,
            "the conversation begins with what the program tells the model about the session",
            &[Test::Starts("parts.0.text", "<session_context>")],
        ),
        Sign::certain(
            On::First,
            "the conversation begins with what the program tells the model about itself",
            &[Test::Starts("parts.0.text", "This is the Gemini CLI")],
        ),
        Sign::record(
            "a session begins with `init` and its model",
            &[Test::Is("type", "init"), Test::Texts(&["session_id", "model"])],
        ),
        Sign::record(
            "a document has a `response` with `stats` of its models",
            &[Test::Text("response"), Test::Object("stats.models")],
        ),
        Sign::certain(
            On::Document,
            "a document has the `error` with which a session ended",
            &[
                Test::Texts(&["session_id", "error.type", "error.message"]),
                // Hermes keeps the request that failed.
                Test::Lacks("request"),
            ],
        ),
        Sign::record(
            "a report of an error has the `context` of the request that failed",
            &[Test::Text("error.message"), Test::Has("error.stack"), Test::List("context.0.parts")],
        ),
        Sign::record(
            "calls have a `tool_name` and a `tool_id`",
            &[Test::Is("type", "tool_use"), Test::Texts(&["tool_name", "tool_id"])],
        ),
    ],
    lists: &["messages", "clientHistory", "history", "context"],
    quiet: &[
        "type|timestamp|role|model|lastUpdated|startTime|tool_name|status|delta|severity",
        "toolCalls.*.timestamp|status",
        "thoughts.*.timestamp",
        "$set.lastUpdated",
    ],
    hooks: Hooks { tells_twice: true, ..Hooks::NONE },
    ..Described::new(&catalog::GEMINI_CLI, describe)
};

/// For a message: cached tokens are part of the input, thoughts are not part of the output.
static TOKENS: Flavour = TOKENS_OF;

const TOKENS_OF: Flavour = Flavour {
    input: &["input"],
    output: &["output"],
    cache_read: &["cached"],
    cache_write: &[],
    reasoning: &["thoughts"],
    input_has_cached: true,
    output_lacks_reasoning: true,
};

/// For a whole run.
static STATS: Flavour = Flavour {
    input: &["input_tokens"],
    output: &["output_tokens"],
    cache_read: &["cached"],
    input_has_cached: true,
    ..Flavour::NONE
};

/// For a model in a whole run.
static MODEL: Flavour = Flavour { input: &["prompt"], output: &["candidates"], ..TOKENS_OF };

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(&["timestamp", "startTime"]));
    let kind = record.get("type").label();
    if entry.is_document || record.get("projectHash").is_given() {
        return session(record, out);
    }
    match kind.as_ref() {
        "" if record.any(&["stats.models", "error.type"]).is_given() => output(record, out),
        _ if record.get("$set").is_given() => changed(record.get("$set"), out),
        _ if record.get("$rewindTo").is_given() => {
            out.note("rewind").field("To message", record.get("$rewindTo"));
        }
        _ if record.get("messageId").is_given() => {
            // The session's chat has this message, too; this record is not a part of the chat.
            let id = record.get("sessionId").label();
            out.run(out.string(&format!("{id} (prompts)"))).titles.words = record.get("message");
            out.item(What::User)
                .text(record.get("message"))
                .value("Session", record.get("sessionId"));
        }
        _ if record.get("parts").kind() == Kind::Array => contents(record, out),
        "gemini" | "qwen" | "model" => answer(record, out),
        "user" if record.get("content.0.functionResponse").is_given() => {
            for part in record.get("content").items() {
                let response = part.get("functionResponse");
                let value = response.get("response").any(&["output", "error"]);
                let value = value.or(response.get("response"));
                result(response.get("id"), value, Json::ABSENT, out);
            }
        }
        "user" => user(record, out),
        "error" if record.get("severity").is("warning") => {
            out.note("warning").text(record.get("message"));
        }
        "error" => {
            let words = record.any(&["content", "message"]);
            out.event(EventKind::Error, "error")
                .error(words)
                .field("Severity", record.get("severity"));
        }
        "info" | "warning" => drop(out.note(kind.clone()).text(record.get("content"))),
        _ => event(&kind, record, out),
    }
}

/// A content of the API, in a checkpoint, in a report of an error, or in a list of them.
fn contents<'a>(record: Json<'a>, out: &mut Description<'a>) {
    match is_context(content::first_words(record), out) {
        true => content::message_of_role("system", record, Joins::Nothing, out),
        false => content::said(record, Joins::Nothing, out),
    }
    for at in 0..out.items.len() {
        let Some(item) = out.items.get(at).filter(|item| item.what() == What::Result) else {
            continue;
        };
        let Some(Part::Result(response)) = item.parts.first() else { continue };
        let value = response.any(&["output", "error"]).or(*response);
        let code = exit_code_of(value, out);
        let Some(item) = out.items.get_mut(at) else { continue };
        item.parts = vec![Part::Result(value)];
        // The program gives ids only to results: their calls are found by name and order.
        item.id = Json::ABSENT;
        exited(item, code);
    }
}

/// Whether a text describes the environment to the model.
fn is_context<'a>(words: Json<'a>, out: &mut Description<'a>) -> bool {
    let words = out.text(words);
    words.starts_with("<session_context>") || words.starts_with("This is the Gemini CLI")
}

/// The session that contains the messages.
fn session<'a>(record: Json<'a>, out: &mut Description<'a>) {
    if record.get("sessionId").is_given() {
        out.run(record.get("sessionId"));
    }
    out.run.titles.own = record.get("summary");
    out.run.times.end = time_of(record.get("lastUpdated"));
    if record.get("kind").is("subagent") {
        // Only the call states which session started this one.
        out.run.origin.started_by = record.get("kind");
    }
    out.facts(
        record,
        &[("Project", "projectHash"), ("Kind", "kind"), ("Signed in by", "authType")],
    );
    out.event(EventKind::RunStart, "session")
        .value("Before the call", record.get("toolCall"))
        .value("Directories", record.get("directories"));
    let error = record.get("error");
    if error.is_given() {
        out.run.status = Some(RunStatus::Error);
        out.event(EventKind::Error, "request failed").error(error).last();
    }
}

/// The output of `gemini -o json`: the answer, with the counts of every model.
fn output<'a>(record: Json<'a>, out: &mut Description<'a>) {
    for (_, model) in record.get("stats.models").members() {
        out.run.totals.usage.add(&MODEL.read(model.get("tokens")));
    }
    out.run(record.get("session_id"));
    if record.get("error").is_given() {
        out.run.status = Some(RunStatus::Error);
    }
    out.event(EventKind::RunEnd, "response")
        .text(record.get("response"))
        .error(record.get("error"))
        .value("Statistics", record.get("stats"));
}

/// A change of the session's data.
fn changed<'a>(set: Json<'a>, out: &mut Description<'a>) {
    out.run.titles.own = set.get("summary");
    out.run.times.end = time_of(set.get("lastUpdated"));
    if set.members().all(|(key, _)| key == "lastUpdated") {
        return out.nothing();
    }
    out.note("session changed").text(set.get("summary"));
    // A resumed or compressed session is written anew.
    for message in set.get("messages").items() {
        out.at(message.get("timestamp"));
        match message.get("type").label().as_ref() {
            "gemini" => answer(message, out),
            "user" => user(message, out),
            _ => {}
        }
    }
}

/// A user message, or a text in which the program describes the environment to the model.
fn user<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let words = record.any(&["displayContent", "content", "text"]);
    let words = if words.kind() == Kind::String { words } else { content::first_words(record) };
    let is_injected = is_context(words, out);
    if !is_injected {
        out.run.titles.words = words;
    }
    let item = out.item(if is_injected { What::System } else { What::User });
    item.parts = content::pieces(record.any(&["content", "text"]));
    if let Some(id) = record.get("id").given() {
        item.history(0, 0, id);
    }
}

/// The model's response, with its calls and their results.
fn answer<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let thoughts = record.get("thoughts").items();
    let thoughts =
        thoughts.flat_map(|it| ["subject", "description", "text"].map(|key| it.get(key)));
    let mut parts: Vec<Part<'a>> =
        thoughts.filter(|words| words.is_given()).map(Part::Thinking).collect();
    parts.extend(content::pieces(record.get("content")));
    let calls = record.get("toolCalls");
    for call in calls.items() {
        parts.push(Part::Call(call.get("name").label(), call.get("args")));
    }
    let joins = record.get("id").given().map_or(Joins::Nothing, Joins::Id);
    let counts = record.get("tokens");
    let model = out.items.len();
    let item = out.model(parts, joins).again().tokens(&TOKENS, counts);
    (item.name, item.row.asks) = (record.get("model").label(), calls);
    for call in calls.items() {
        out.at(call.get("timestamp"));
        let id = call.get("id");
        let item = out.call(id, call.get("name"), call.get("args")).or_known();
        item.asked_by(model);
        item.fields(
            call,
            &[
                (FactKind::Other("Description"), "description"),
                (FactKind::Own("Agent id"), "agentId"),
            ],
        );
        item.starts_run(call.get("agentId"));
        let (response, status) =
            (call.get("result.0.functionResponse.response"), call.get("status"));
        let has_one = call.get("result").items().nth(1).is_none();
        let value = response.any(&["output", "error"]).given().filter(|_| has_one);
        let value = value.unwrap_or(call.get("result"));
        if value.is_given() || status.is_given() {
            result(id, value, status, out).value("Shown", call.get("resultDisplay"));
        }
    }
}

/// A result, which is in the call and in the next message of the session. The result of a command has the exit code.
fn result<'a, 'd>(
    id: Json<'a>,
    value: Json<'a>,
    status: Json<'a>,
    out: &'d mut Description<'a>,
) -> &'d mut Item<'a> {
    let code = exit_code_of(value, out);
    exited(out.result(id, value).again().outcome(status), code)
}

/// The exit code in the result of a command.
fn exit_code_of<'a>(value: Json<'a>, out: &mut Description<'a>) -> Json<'a> {
    let text = if value.kind() == Kind::String { out.text(value) } else { "" };
    exit_code::of_gemini(text, out)
}

/// Sets the exit code of a command that failed.
fn exited<'a, 'd>(item: &'d mut Item<'a>, code: Json<'a>) -> &'d mut Item<'a> {
    if code.integer().is_some_and(|code| code != 0) { item.exit(code) } else { item }
}

/// An event of the printed stream.
fn event<'a>(kind: &str, record: Json<'a>, out: &mut Description<'a>) {
    let id = record.get("tool_id");
    match kind {
        "init" => {
            out.run(record.get("session_id")).models.name = record.get("model");
            out.facts(record, &[(FactKind::Model, "model")]);
            out.event(EventKind::RunStart, "session").summary(record.get("model"));
        }
        "message" if record.get("role").is("user") => drop(out.user(record.get("content"))),
        "message" => {
            let text = record.get("content");
            let item = out.item(What::Model);
            match record.get("delta").is_true() {
                true => item.part(Part::piece(PieceOf::Text, text)),
                false => item.text(text),
            };
        }
        "tool_use" => drop(out.ask(id, record.get("tool_name"), record.get("parameters"))),
        "tool_result" => {
            let item = out.result(id, record.get("output")).error(record.get("error"));
            item.ending.status =
                Some(if record.get("status").is("error") { Status::Failed } else { Status::Ok });
        }
        "result" => {
            let stats = record.get("stats");
            out.run.totals.usage = STATS.read(stats);
            out.run.times.duration = millis_ns(stats.get("duration_ms"));
            let has_failed = record.get("status").is("error");
            out.run.status = Some(if has_failed { RunStatus::Error } else { RunStatus::Ok });
            out.event(EventKind::RunEnd, "result")
                .error(record.get("error"))
                .value(BlockRole::Usage, stats);
        }
        _ => {}
    }
}
