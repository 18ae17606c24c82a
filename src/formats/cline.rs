//! Cline, Roo Code and Kilo Code: the files that the extensions keep for a task, and sessions of the Cline SDK.
//!
//! | File | Content |
//! | --- | --- |
//! | `ui_messages.json` | everything that was shown: records of `type` `say` or `ask`, with JSON in their texts |
//! | `api_conversation_history.json` | everything that was sent: messages of Anthropic's API |
//! | `task_metadata.json` | the files that a task touched, and the models that it used |
//! | `<session>.messages.json` | a session of the SDK: a document with such messages |
//!
//! Read from the types of the extensions (`ClineMessage` in <https://github.com/RooCodeInc/Roo-Code>), both files of a
//! task of January 2026, and a session of the SDK of July 2026. No record names its task, so each file is a run.
//!
//! A request begins with `api_req_started`, which has its counts; all records until the next one belong to it. Until
//! 2025 models wrote their calls as XML into their text, and results came as text: `[read_file for 'a.txt'] Result:`,
//! in some versions even if the call is a block of its own.

use traceloupe_core::json::quoted;
use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::exit_code::told_after;

/// The format.
pub static CLINE: Described = Described {
    signs: &[
        Sign::record(
            "records are of `type` `say` or `ask`, with `ts`",
            &[Test::OneOf("type", &["say", "ask"]), Test::Has("ts"), Test::HasOne(&["say", "ask"])],
        ),
        Sign::record(
            "records are of `type` `say` or `ask`, as the program prints them",
            &[
                Test::OneOf("type", &["say", "ask"]),
                Test::HasOne(&["say", "ask"]),
                Test::Text("text"),
                Test::Lacks("ts"),
            ],
        ),
        Sign::record(
            "messages have `modelInfo` with provider and mode",
            &[ROLE, Test::Texts(&["modelInfo.modelId", "modelInfo.providerId"])],
        ),
        Sign::record(
            "a conversation begins with a `<task>`",
            &[ROLE, Test::Starts("content.0.text", "<task>")],
        ),
        Sign::record(
            "a conversation begins with a `<user_message>`",
            &[ROLE, Test::Has("ts"), Test::Starts("content.0.text", "<user_message>")],
        ),
        Sign::record(
            "a session has `sessionId`, `agent` and messages with `ts`",
            &[Test::Texts(&["sessionId", "agent"]), Test::Has("messages.0.ts")],
        ),
        Sign::record(
            "the document has the files and the models of a task",
            &[Test::List("files_in_context"), Test::List("model_usage")],
        ),
    ],
    lists: &["messages"],
    quiet: &[
        "type|say|ask|ts|role|partial|updated_at",
        "modelInfo.id|modelId",
        "content.*.type|is_error",
    ],
    ..Described::new(&catalog::CLINE, describe)
};

const ROLE: Test = Test::OneOf("role", &["user", "assistant"]);

/// For the SDK, and for requests that name the protocol: cached tokens are a part of the input.
static SDK: Flavour = Flavour { input_has_cached: true, ..COUNTS };
/// For the extensions: cached tokens are counted apart.
static EXTENSION: Flavour = COUNTS;

const COUNTS: Flavour = Flavour {
    input: &["inputTokens", "tokensIn", "tokens.prompt"],
    output: &["outputTokens", "tokensOut", "tokens.completion"],
    cache_read: &["cacheReadTokens", "cacheReads", "tokens.cached"],
    cache_write: &["cacheWriteTokens", "cacheWrites"],
    ..Flavour::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.get("ts"));
    if entry.is_document {
        out.run(record.get("sessionId"));
        out.facts(record, &[("Agent", "agent")]);
        out.event(EventKind::RunStart, "session")
            .value(BlockRole::Instructions, record.get("system_prompt"));
        return;
    }
    out.facts(
        record,
        &[(FactKind::Provider, "modelInfo.providerId"), (FactKind::Provider, "modelInfo.provider")],
    );
    out.run.models.name = record.any(&["modelInfo.id", "modelInfo.modelId"]);
    match record.get("role").label().as_ref() {
        "assistant" => assistant(record, out),
        "user" => user(record, out),
        _ if record.any(&["say", "ask"]).is_given() => shown(record, out),
        // A line that the program prints before the messages of a task.
        _ if record.get("taskId").is_given() => {
            out.note("task started").field(FactKind::Task, record.get("taskId"));
        }
        _ if record.get("files_in_context").is_given() => {
            let models = record.get("model_usage");
            out.facts(
                models.item(0),
                &[(FactKind::Provider, "model_provider_id"), (FactKind::Model, "model_id")],
            );
            out.at(models.get("0.ts"));
            out.event(EventKind::State, "task metadata")
                .summary(record.get("files_in_context.0.path"))
                .value("Files", record.get("files_in_context"))
                .value("Models", models);
        }
        _ => {}
    }
}

/// A model's response.
fn assistant<'a>(record: Json<'a>, out: &mut Description<'a>) {
    content::message_of_role("assistant", record, Joins::Nothing, out);
    let counts = record.get("metrics");
    let flavour = if counts.get("tokens").is_given() { &EXTENSION } else { &SDK };
    let Some(model) = out.items.first_mut() else { return };
    model.tokens(flavour, counts);
    let words: Vec<Json<'a>> = model
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Text(words) => Some(*words),
            _ => None,
        })
        .collect();
    if out.items.len() > 1 {
        return;
    }
    for words in words {
        if let Some((name, arguments)) = written_call(out.text(words)) {
            let arguments = out.json(&arguments);
            out.call(Json::ABSENT, out.string(name), arguments).asked_by(0);
        }
    }
}

/// The call that a model wrote into its text as XML: its name, and its parameters as JSON.
fn written_call(text: &str) -> Option<(&str, String)> {
    let (name, inner) = text.match_indices('<').find_map(|(at, _)| {
        let (name, inner) = element(text.get(at..)?)?;
        // The names of all tools contain `_`; thoughts and HTML do not.
        name.contains('_').then_some((name, inner))
    })?;
    let mut parameters = String::new();
    let mut rest = inner;
    while let Some(at) = rest.find('<') {
        rest = rest.get(at..).unwrap_or_default();
        match element(rest) {
            Some((key, value)) => {
                let comma = if parameters.is_empty() { "" } else { "," };
                parameters.push_str(&format!(
                    "{comma}{}:{}",
                    quoted(key),
                    quoted(value.trim_matches('\n'))
                ));
                rest = rest.get(value.len() + 2 * key.len() + 5..).unwrap_or_default();
            }
            None => rest = rest.get(1..).unwrap_or_default(),
        }
    }
    Some((name, format!("{{{parameters}}}")))
}

/// The element at the beginning of a text: its name and its content.
fn element(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.strip_prefix('<')?.split_once('>')?;
    let is_name = !name.is_empty() && name.bytes().all(|it| it == b'_' || it.is_ascii_lowercase());
    let end = is_name.then(|| rest.find(&format!("</{name}>")))??;
    Some((name, rest.get(..end)?))
}

/// Content sent to the model: user messages, results of calls, files open in the editor.
fn user<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let content = record.get("content");
    let mut words = Vec::new();
    // The tool to which the next text belongs as its result.
    let mut next = None;
    let mut surroundings = Json::ABSENT;
    if content.kind() == Kind::String {
        words.push(Part::Text(content));
    }
    for part in content.items() {
        let text = out.text(part.get("text"));
        let header = text.strip_prefix('[').and_then(|it| it.split_once("] Result:"));
        let header = header.filter(|(tool, _)| !tool.contains('\n') && tool.len() < 400);
        if part.get("type").is("tool_result") {
            let result = part.any(&["content", "output"]);
            let name = part.get("name").label();
            let (told, words) = (told(result, out), failure_told(out.text(result), out));
            let exit = exit_told(out.text(result.get("0.text").or(result)), out);
            let item = out.result(part.get("tool_use_id"), result).name(name);
            item.failed_unless(told.get("success")).failed(part.get("is_error"));
            item.error(told.get("error")).error(words).exit(exit);
        } else if let Some((tool, result)) = header {
            let name = tool.split(' ').next().unwrap_or(tool);
            let name = if name == "subagents" { "use_subagents" } else { name };
            match result.trim().is_empty() {
                true => next = Some(name),
                false => old_result(name, part.get("text"), result, out),
            }
        } else if text.starts_with("<environment_details>") {
            surroundings = part.get("text");
        } else if let Some(name) = next.take() {
            old_result(name, part.get("text"), text, out);
        } else {
            words.extend(content::pieces(part));
        }
    }
    if let Some(Part::Text(first)) = words.first() {
        out.run.titles.words = task(*first, out);
    }
    if !words.is_empty() || out.items.is_empty() {
        out.item(What::User).parts = words;
    }
    out.last().value("Surroundings", surroundings);
}

/// A result that came as a text: the whole text, and the text without its header.
fn old_result<'a>(name: &'a str, text: Json<'a>, words: &str, out: &mut Description<'a>) {
    let (failure, exit) = (failure_told(words, out), exit_told(words.trim_start(), out));
    out.result(Json::ABSENT, text).name(name).or_note("result").error(failure).exit(exit);
}

/// The exit code in the first lines of a command's output: Cline writes it if the command failed, Roo Code always.
fn exit_told<'a>(words: &str, out: &Description<'a>) -> Json<'a> {
    let head = words.split_once("\nOutput:").map_or(words, |(head, _)| head);
    let head = head.get(..head.floor_char_boundary(600)).unwrap_or(head);
    match head.split(' ').take(2).collect::<Vec<_>>()[..] {
        ["Command", "failed"] => told_after(head, "Command failed with exit code ", out),
        ["Command", "executed"] => told_after(head, "\nExit code: ", out),
        _ => Json::ABSENT,
    }
}

/// The SDK's report on a call: an object, or one for each query of the call, as JSON text. A failed query takes
/// precedence.
fn told<'a>(result: Json<'a>, out: &mut Description<'a>) -> Json<'a> {
    let result = out.unpack(result);
    let mut queries = result.items();
    match queries.find(|it| it.get("success").bool() == Some(false)) {
        Some(failed) => failed,
        None if result.kind() == Kind::Array => result.item(0),
        None => result,
    }
}

/// The extension's message about a failed call, as text.
fn failure_told<'a>(words: &str, out: &Description<'a>) -> Json<'a> {
    let words =
        words.trim_start().strip_prefix("The tool execution failed with the following error:");
    let inner = words.and_then(|it| element(it.trim())).map(|(_, inner)| inner.trim());
    inner.map_or(Json::ABSENT, |it| out.string(it))
}

/// The user's text without the element around it.
fn task<'a>(words: Json<'a>, out: &mut Description<'a>) -> Json<'a> {
    match element(out.text(words).trim()) {
        Some((_, inner)) => out.string(inner.trim()),
        None => words,
    }
}

/// A call as it was shown. For a read file, `content` is its path; for a listing and a search, it is the result.
fn tool<'a>(shown: Json<'a>, out: &mut Description<'a>) {
    let name = shown.get("tool");
    let label = name.label();
    let is_read = label == "readFile";
    let finds = ["list", "search", "codebaseSearch"].iter().any(|it| label.starts_with(it));
    let given = shown.members().filter(|(key, _)| key != "tool");
    let given = given.filter(|(key, _)| !(is_read || finds) || key != "content");
    let given: Vec<String> =
        given.map(|(key, value)| format!("{}:{}", quoted(&key), value.raw())).collect();
    let arguments = match is_read || finds {
        true => out.json(&format!("{{{}}}", given.join(","))),
        false => shown,
    };
    let content = shown.get("content");
    // Results of the other tools are only in the next request.
    let item = out.ask(Json::ABSENT, name, arguments).status(Status::Unknown);
    if finds && has_content(content) {
        item.part(Part::Result(content));
    } else if is_read {
        item.field("Reads", content);
    }
}

/// A record of `ui_messages.json`.
fn shown<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let text = record.get("text");
    let inner = out.unpack(text);
    let is_object = inner.kind() == Kind::Object;
    // The first text is the task; only this record names the images that came with it.
    let is_task = record.get("partial").is_absent()
        && (record.get("images").kind() == Kind::Array
            || record.get("conversationHistoryIndex").integer() == Some(-1));
    let kind = record.any(&["say", "ask"]).label();
    let kind = if kind == "text" && is_task { "task" } else { kind.as_ref() };
    match kind {
        "task" | "user_feedback" | "user_feedback_diff" => {
            let item = out.user(text);
            item.parts.extend(record.get("images").items().flat_map(content::pieces));
        }
        "api_req_started" => {
            let flavour = if inner.get("apiProtocol").is_given() { &SDK } else { &EXTENSION };
            let item = out.item(What::Model).joins(Joins::Begins(record.get("ts")));
            item.begins(item.time.start).usage(flavour.read(inner));
            item.value(BlockRole::Request, inner.get("request"))
                .field(FactKind::Cost, inner.get("cost"))
                .field("Cancelled", inner.get("cancelReason"))
                .error(inner.get("streamingFailedMessage"));
            let reason = inner.get("cancelReason");
            match reason.label().as_ref() {
                "" => {}
                "user_cancelled" => drop(item.status(Status::Cancelled)),
                // The message may be missing.
                _ if item.parts.iter().any(|it| matches!(it, Part::Error(..))) => {}
                _ => drop(item.error(reason)),
            }
        }
        // In 2024 the counts came at the end of a request.
        "api_req_finished" => {
            out.item(What::Model)
                .joins(Joins::Open)
                .usage(EXTENSION.read(inner))
                .field(FactKind::Cost, inner.get("cost"));
        }
        // While the model writes, the program prints the whole text so far.
        "text" if record.get("partial").is_true() => {
            let so_far = Part::piece(PieceOf::TextSoFar, text);
            out.item(What::Model).part(so_far).summary(Json::new("\"\""));
        }
        // Roo Code writes the task like a text of the model, before the first request.
        "text" if record.get("partial").is_absent() => {
            out.run.titles.words = text;
            out.item(What::Model).joins(Joins::OrUser).text(text);
        }
        "text" => drop(out.item(What::Model).text(text)),
        "plan_mode_respond" => drop(out.item(What::Model).text(inner.get("response").or(text))),
        "reasoning" => drop(out.thinking(text)),
        "tool" if is_object => tool(inner, out),
        "command" => drop(
            out.ask(Json::ABSENT, Json::new("\"execute_command\""), text).status(Status::Unknown),
        ),
        "use_mcp_server" | "use_subagents" | "browser_action" | "browser_action_launch" => {
            let name = match kind {
                "use_mcp_server" => "\"use_mcp_server\"",
                "use_subagents" => "\"use_subagents\"",
                _ => "\"browser_action\"",
            };
            out.ask(Json::ABSENT, Json::new(name), inner).status(Status::Unknown);
        }
        // The progress of the sub-agents.
        "subagent" if !inner.get("status").is("running") => {
            let item = out.result(Json::ABSENT, inner).name("use_subagents").or_note("sub-agents");
            item.outcome(inner.get("status"));
        }
        // The requests of sub-agents are in no file.
        "subagent_usage" => {
            let item = out.event(EventKind::Agent, "sub-agents").usage(EXTENSION.read(inner));
            item.summary(inner.get("source")).value(BlockRole::Usage, inner);
            item.field(FactKind::Cost, inner.get("cost"));
        }
        // Requests that went with a restored checkpoint: their tokens and their cost were spent.
        "deleted_api_reqs" => {
            let item = out.event(EventKind::Span, "deleted requests").usage(EXTENSION.read(inner));
            item.value(BlockRole::Usage, inner).field(FactKind::Cost, inner.get("cost"));
        }
        "mcp_server_request_started" => {
            out.note("approval").user_answered();
            out.update(Json::ABSENT).name("use_mcp_server").or_known().user_answered();
        }
        "codebase_search_result" => {
            let found = inner.get("content").or(inner);
            out.result(Json::ABSENT, found).name("codebaseSearch").or_note("search result");
        }
        "command_output" => {
            out.result(Json::ABSENT, text).name("execute_command").or_note("command output");
        }
        "mcp_server_response" => {
            out.result(Json::ABSENT, text).name("use_mcp_server").or_note("response");
        }
        "browser_action_result" => {
            out.result(Json::ABSENT, inner).name("browser_action").or_note("browser");
        }
        "completion_result" if record.get("type").is("say") => {
            out.run.status = Some(RunStatus::Ok);
            out.event(EventKind::RunEnd, "completion").text(text);
        }
        "condense_context" | "sliding_window_truncation" => {
            let details = record.any(&["contextCondense", "contextTruncation"]);
            out.event(EventKind::Compaction, "compaction")
                .text(details.get("summary"))
                .field(FactKind::Cost, details.get("cost"))
                .value("Details", details);
        }
        "error"
        | "diff_error"
        | "api_req_failed"
        | "clineignore_error"
        | "rooignore_error"
        | "condense_context_error" => {
            out.event(EventKind::Error, kind.replace('_', " ")).error(text);
            if record.get("type").is("ask") {
                out.last().waits_for_user();
            }
        }
        kind => {
            let words = if is_object { inner.any(&["question", "message"]) } else { text };
            let item = out.note(kind.replace('_', " ")).text(words);
            if record.get("type").is("ask") {
                item.waits_for_user();
            }
            if is_object {
                item.value("Details", inner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;
    use traceloupe_core::model::TimeBasis;

    /// The outline, and the opened row of the first call.
    fn opened(lines: &[&str]) -> (Vec<String>, String) {
        let read = read(&CLINE, &[lines]);
        let blocks = format!("{:?}", read.detail(&CLINE, 1).blocks);
        (read.outline(), blocks)
    }

    #[test]
    fn time_until_the_user_has_answered_is_no_time_of_a_call() {
        let log = include_str!("../../tests/fixtures/cline/approvals.json");
        let records: Vec<&str> = Json::new(log).items().map(Json::raw).collect();
        let read = read(&CLINE, &[&records]);
        let timed = read.trace.events().iter().filter_map(|event| {
            let seconds = event.duration.get()? / 1_000_000_000;
            let name = read.trace.name(event.name);
            (event.kind != EventKind::LlmCall).then_some((name, event.time_basis(), seconds))
        });
        let expected = [
            ("use_mcp_server", TimeBasis::Running, 0),
            ("approval", TimeBasis::WaitingForUser, 3_600),
            ("codebaseSearch", TimeBasis::Elapsed, 2),
            ("followup", TimeBasis::WaitingForUser, 100),
        ];
        assert_eq!(timed.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_command_tells_its_exit_code_in_words() {
        for told in [
            "Command failed with exit code 3.\\nOutput:\\nno water",
            "Command executed in terminal  within working directory '/quay'. \\nExit code: 3\\nOutput:\\nno",
        ] {
            let call = r#"{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"execute_command","input":{"command":"launch"}}]}"#;
            let result = format!(
                r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c","content":"{told}"}}]}}"#
            );
            let read = read(&CLINE, &[&[call, &result]]);
            let calls = read.trace.events();
            let call = calls.iter().find(|it| it.kind == EventKind::ToolCall).unwrap();
            assert_eq!(
                (call.status, read.trace.error(call.error)),
                (Status::Failed, traceloupe_core::model::ErrorLabel::ExitCode(3))
            );
        }
    }

    #[test]
    fn what_is_read_or_found_is_no_new_file() {
        let started =
            r#"{"ts":1,"type":"say","say":"api_req_started","text":"{\"request\":\"r\"}"}"#;
        let say =
            |text: &str| format!(r#"{{"ts":2,"type":"say","say":"tool","text":{}}}"#, quoted(text));
        let found = say(r#"{"tool":"searchFiles","path":"quay","content":"two ropes"}"#);
        let (outline, blocks) = opened(&[started, &found]);
        assert_eq!(outline, ["llm-call ", " tool-call searchFiles"]);
        assert!(blocks.contains("Result(") && !blocks.contains("\"content"), "{blocks}");
        let (_, blocks) =
            opened(&[started, &say(r#"{"tool":"readFile","path":"a.md","content":"/quay/a.md"}"#)]);
        assert!(blocks.contains("Reads") && !blocks.contains("\"content"), "{blocks}");
        let (_, blocks) =
            opened(&[started, &say(r#"{"tool":"newFileCreated","path":"a.md","content":"rope"}"#)]);
        assert!(!blocks.contains("Result(") && !blocks.contains("Reads"), "{blocks}");
    }
}
