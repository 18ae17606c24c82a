//! GitHub Copilot Chat in VS Code: a chat session as VS Code stores it, or as *Chat: Export Chat…* writes it.
//!
//! Read from the producer's code (github.com/microsoft/vscode, `chatModel.ts`, `chatSessionOperationLog.ts`;
//! `toolCalling.ts` of the extension) and from a session of version 0.33 of the extension. A session is a document with
//! a list of `requests`, since 2026 the journal of such a document: its beginning, then values that are set or added at
//! a path (`kind`, `k`, `v`). Each request is a turn: the user message, the `response` as the page showed it, and in
//! `result.metadata` the rounds of the agent, each an LLM call: text, tool calls, and their results under the ids of
//! the calls. A result as the model got it is a tree of a rendered prompt, whose leaves are the text. The parts of the
//! response that stand for calls are in the order of the calls; calls of sub-agents are only there. Without rounds (an
//! *ask* turn of older versions, a turn that was stopped) there is only the response.

use traceloupe_core::json::{Items, quoted};
use traceloupe_core::model::Usage;
use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::AI_SDK;

/// The format.
pub static COPILOT_CHAT: Described = Described {
    signs: &[
        Sign::record(
            "a chat session of VS Code has `requests` with responses, and who responds",
            &[Test::List("requests"), Test::Text("responderUsername")],
        ),
        Sign::record(
            "requests have `variableData` and a response, as in chat sessions of VS Code",
            &[Test::Has("requests.0.variableData"), Test::List("requests.0.response")],
        ),
        Sign::certain(
            On::First,
            "the file is the journal of a chat session of VS Code: it begins with all of it",
            &[
                Test::Has("kind"),
                Test::List("v.requests"),
                Test::HasOne(&["v.creationDate", "v.sessionId"]),
            ],
        ),
    ],
    lists: &["requests", "v.requests", "v"],
    quiet: &[
        "creationDate|lastMessageDate|timestamp|version|kind|k|i",
        "v.creationDate|version",
        "message.parts",
        "result.timings.totalElapsed",
        "result.metadata.toolCallRounds.*.toolCalls.*.name",
        "v.metadata.toolCallRounds.*.toolCalls.*.name",
        "toolSpecificData.kind",
        "toolSpecificData.terminalCommandState.duration|timestamp",
    ],
    hooks: Hooks { tells_twice: true, ..Hooks::NONE },
    ..Described::new(&catalog::COPILOT_CHAT, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let (path, value) = (record.get("k"), record.get("v"));
    if entry.is_document && path.is_absent() {
        return session(value.or(record), out);
    }
    let key = path.items().last().and_then(Json::word).unwrap_or_default();
    match key.as_ref() {
        "" if record.get("message").is_given() || record.get("requestId").is_given() => {
            request(record, out);
        }
        // Members that follow the requests in a long document.
        "" if record.get("creationDate").is_given() || record.get("sessionId").is_given() => {
            session(record, out);
            out.run.key = Json::ABSENT;
            out.last().becomes(What::Event(EventKind::Note));
        }
        "" if record.get("percentageOfPrompt").is_given() => {
            out.bookkeeping("prompt").summary(record.get("label")).fields(record, &SHARE);
        }
        "" => {
            part(record, out);
            if let Some(call) = out.find(What::Call) {
                call.row.has_rest = true;
            }
        }
        // The items of these lists are requests, or parts of a response.
        _ if entry.is_document => out.nothing(),
        "customTitle" => {
            out.run.titles.own = value;
            out.nothing();
        }
        "responderUsername" => {
            out.facts(record, &[("Assistant", "v")]);
            out.nothing();
        }
        "result" => result(value, Json::ABSENT, path.item(1), out),
        // These are set again whenever they have grown.
        "promptTokens" | "completionTokens" if path.item(0).is("requests") => {
            let (count, is_prompt) = (value.count(), key == "promptTokens");
            let input = count.filter(|_| is_prompt);
            let output = count.filter(|_| !is_prompt);
            let label = if is_prompt { "Prompt tokens" } else { "Output tokens" };
            out.item(What::Model)
                .joins(Joins::Counts(path.item(1)))
                .usage(Usage { input, output, ..Usage::default() })
                .field(label, value);
        }
        // Text that is being typed.
        _ if path.item(0).is("inputState") => out.nothing(),
        "modelState" if value.get("value").count() == Some(STOPPED) => {
            out.note("response stopped").status(Status::Cancelled).value("Value", value);
        }
        "modelState" | "outputBuffer" | "elapsedMs" | "copilotCredits" => {
            out.bookkeeping(key.clone().into_owned()).value("Value", value);
        }
        key => drop(out.note(key.to_owned()).value("Value", value)),
    }
}

/// A share of the prompt.
const SHARE: [(&str, &str); 3] =
    [("Kind", "category"), ("Part", "label"), ("Percent", "percentageOfPrompt")];

/// The mark of a turn that the user stopped.
const STOPPED: u64 = 2;

fn session<'a>(session: Json<'a>, out: &mut Description<'a>) {
    out.at(session.get("creationDate"));
    let run = out.run_of_source(session.get("sessionId"));
    run.titles.own = session.any(&["customTitle", "computedTitle"]);
    out.facts(session, &[("Assistant", "responderUsername"), ("Place", "initialLocation")]);
    out.event(EventKind::RunStart, "session").summary(session.get("customTitle"));
}

/// A turn.
fn request<'a>(request: Json<'a>, out: &mut Description<'a>) {
    out.run.models.name = request.get("modelId");
    let words = request.any(&["message.text", "message"]);
    out.run.titles.words = words;
    let start = time_of(request.get("timestamp"));
    out.item(What::User)
        .starts(start)
        .text(words)
        .field("Command", request.get("slashCommand.name"))
        .value(BlockRole::Attachments, request.get("variableData.variables"))
        .field("To", request.get("agent.fullName"))
        .value("Agent", request.get("agent"));
    if request.get("result.metadata.toolCallRounds.0").is_absent() {
        request.get("response").items().for_each(|it| part(it, out));
    }
    result(request.get("result"), request, Json::ABSENT, out);
    let elapsed = request.get("result.timings.totalElapsed").integer();
    let end = start.get().zip(elapsed.and_then(|ms| ms.checked_mul(1_000_000)));
    let was_stopped = request.get("isCanceled").is_true()
        || request.get("modelState.value").count() == Some(STOPPED);
    if request.get("result").is_absent() && request.get("response.0").is_absent() && !was_stopped {
        return;
    }
    let item = out.note(if was_stopped { "response stopped" } else { "response" });
    item.starts(end.and_then(|(start, took)| start.checked_add(took)).into())
        .value(BlockRole::OtherOutput("Response as shown"), request.get("response"));
    ending(request.get("result"), item);
    if was_stopped {
        item.status(Status::Cancelled);
    }
}

/// The outcome of a turn. A journal has the number of the `turn`, and has already written the parts of the response.
fn result<'a>(result: Json<'a>, request: Json<'a>, turn: Json<'a>, out: &mut Description<'a>) {
    let is_again = turn.is_given();
    let metadata = result.get("metadata");
    let rounds = metadata.get("toolCallRounds");
    let response = request.get("response");
    let calls = rounds.items().flat_map(|round| round.get("toolCalls").items()).count();
    let (others, own): (Vec<_>, Vec<_>) = response
        .items()
        .filter(|it| it.get("kind").is(INVOCATION))
        .partition(|it| it.get("subAgentInvocationId").is_given());
    // Only their order assigns them to calls.
    let mut own = if own.len() == calls { own.into_iter() } else { Vec::new().into_iter() };
    for round in rounds.items() {
        self::round(round, metadata.get("toolCallResults"), &mut own, is_again, out);
    }
    if calls > 0 {
        others.into_iter().for_each(|it| part(it, out));
    }
    let counts = [result.get("usage"), metadata.get("usage"), metadata, request];
    let counts = counts.into_iter().find(|it| !AI_SDK.read(*it).is_empty());
    if let Some(counts) = counts {
        let item = if is_again { out.item(What::Model) } else { out.item(What::Usage) };
        item.joins(Joins::Counts(turn)).usage(AI_SDK.read(counts)).fields(counts, &COUNTS);
    }
    if let Some(error) = result.get("errorDetails").given() {
        out.event(EventKind::Error, "error").error(error);
    }
    if is_again {
        ending(result, out.note("result"));
    }
}

/// Other data about the outcome of a turn.
fn ending<'a>(result: Json<'a>, item: &mut Item<'a>) {
    let metadata = result.get("metadata");
    item.fields(
        result,
        &[
            (FactKind::Model, "details"),
            (FactKind::Other("First words (ms)"), "timings.firstProgress"),
        ],
    )
    .value(BlockRole::Prompt, metadata.get("renderedUserMessage"))
    .value(BlockRole::Context, metadata.get("renderedGlobalContext"))
    .value("Code blocks", metadata.get("codeBlocks"))
    .summary(result.get("details"));
}

/// Token counts: those of the last LLM call of a turn.
const COUNTS: [(&str, &str); 3] = [
    ("Prompt tokens", "promptTokens"),
    ("Output tokens", "outputTokens"),
    ("Output tokens", "completionTokens"),
];

/// A round of the agent: an LLM call, and the tools that it called.
fn round<'a>(
    round: Json<'a>,
    results: Json<'a>,
    shown: &mut dyn Iterator<Item = Json<'a>>,
    is_again: bool,
    out: &mut Description<'a>,
) {
    let model = out.items.len();
    let mut parts = thoughts(round.get("thinking.text"));
    if has_content(round.get("response")) {
        parts.push(Part::Text(round.get("response")));
    }
    let time = time_of(round.get("timestamp"));
    // A journal writes the parts of an answer one by one.
    let is_answer = is_again && round.get("toolCalls.0").is_absent();
    let joins = if is_answer { Joins::Neighbours } else { Joins::Nothing };
    let item = out.model(parts, joins).starts(time);
    item.name(round.get("phaseModelId"));
    item.asks(round.get("toolCalls"));
    if is_again {
        item.again().or_known();
    }
    for call in round.get("toolCalls").items() {
        let (id, name) = (call.get("id"), call.get("name"));
        let arguments = out.unpack(call.get("arguments"));
        if let Some(item) = out.items.get_mut(model).filter(|_| !is_again) {
            item.part(Part::Call(name.label(), arguments));
        }
        let given = id.text().map(|id| results.field(&id)).unwrap_or_default();
        let text = text_of(given.get("content"), out);
        let short = own_id(id, out);
        // A journal has already written the command; the model's other arguments are shown beside it.
        let command = arguments.get("command").given().filter(|_| is_again);
        let given_arguments = match command {
            Some(command) => command_line(command, out),
            None => arguments,
        };
        let item = out.call(short, name, given_arguments);
        item.asked_by(model);
        if is_again {
            item.or_known();
        }
        if command.is_some() {
            let others = arguments.members().filter(|(key, _)| key != "command");
            for (key, value) in others {
                item.field(key, value);
            }
        }
        if given.is_given() {
            item.part(Part::Result(text)).value(BlockRole::OtherOutput("Result as written"), given);
        }
        item.field("Id", id);
        if let Some(part) = shown.next() {
            said(part, out);
        }
    }
}

/// The id of a call without the suffix that VS Code appends.
fn own_id<'a>(id: Json<'a>, out: &Description<'a>) -> Json<'a> {
    let short = id.text().unwrap_or_default();
    match short.split_once("__vscode-") {
        Some((short, _)) => out.string(short),
        None => id,
    }
}

/// The arguments of a terminal command.
fn command_line<'a>(command: Json<'a>, out: &Description<'a>) -> Json<'a> {
    let command = quoted(&command.text().unwrap_or_default());
    out.json(&format!("{{\"command\":{command}}}"))
}

/// The kind of the response part that stands for a tool call.
const INVOCATION: &str = "toolInvocationSerialized";

/// Adds the response's data about a call to the item of the call.
fn said<'a>(part: Json<'a>, out: &mut Description<'a>) {
    let data = part.get("toolSpecificData");
    let terminal = if data.get("kind").is("terminal") { data } else { Json::ABSENT };
    let output = match terminal.get("terminalCommandOutput.text").given() {
        None if terminal.is_given() => text_of(part.get("resultDetails.output"), out),
        printed => printed.unwrap_or_default(),
    };
    let command = terminal.get("commandLine.original");
    let item = out.last().span(part.get("toolCallId"), part.get("subAgentInvocationId"));
    if output.is_given() && !item.parts.iter().any(|part| matches!(part, Part::Result(_))) {
        item.part(Part::Result(output));
    }
    for path in ["commandLine.original", "commandLine.forDisplay", "confirmation.commandLine"] {
        let told = terminal.get(path);
        if told.is_given() && told.text() == command.text() {
            item.told(told);
        }
    }
    item.field("Did", part.any(&["pastTenseMessage.value", "pastTenseMessage"]))
        .field("Tool", part.get("toolId"))
        .value("Details", part.get("resultDetails"))
        .field(FactKind::Folder, terminal.get("cwd.path"))
        .took(millis_ns(data.get("terminalCommandState.duration")))
        .exit(data.get("terminalCommandState.exitCode"));
    if terminal.is_absent() {
        item.value("Data", data);
    }
    let confirmed = part.any(&["isConfirmed.type", "isConfirmed"]).count();
    // 0: the user refused; 5: skipped.
    if matches!(confirmed, Some(0 | 5)) {
        item.status(Status::Rejected);
    } else if part.get("resultDetails.isError").is_true() {
        item.status(Status::Failed);
    } else if part.get("isComplete").is_true() {
        item.ending.status.get_or_insert(Status::Ok);
    }
}

/// A part of a response.
fn part<'a>(part: Json<'a>, out: &mut Description<'a>) {
    let kind = part.get("kind").label();
    match kind.as_ref() {
        "thinking" => {
            let parts = thoughts(part.get("value"));
            if !parts.is_empty() {
                out.model(parts, Joins::Neighbours);
            }
        }
        "inlineReference" => {
            let paths = ["inlineReference.name", "inlineReference.path", "name"];
            out.item(What::Model).text(part.any(&paths));
        }
        INVOCATION => {
            let asked = ["invocationMessage.value", "invocationMessage"];
            let id = own_id(part.get("toolCallId"), out);
            let (name, asked) = (part.any(&["toolId", "toolName"]), part.any(&asked));
            let asked = match part.get("toolSpecificData.commandLine.original").given() {
                Some(command) => command_line(command, out),
                None => asked,
            };
            let told = out.items.len();
            match part.get("subAgentInvocationId").is_given() {
                true => out.call(id, name, asked),
                false => out.ask(id, name, asked),
            };
            // A journal writes it again after it has changed.
            for item in out.items.iter_mut().skip(told) {
                item.or_known().repeats.is_again = item.what() == What::Model;
            }
            said(part, out);
        }
        "" | "markdownContent" | "markdownVuln" => {
            let words = part.any(&["content.value", "value.value", "value"]);
            if words.kind() == Kind::String && has_content(words) {
                out.item(What::Model).text(words);
            } else if words.kind() != Kind::String {
                out.note("part").value("Part", part);
            }
        }
        "textEditGroup" | "notebookEditGroup" => {
            out.note("edit").field("File", part.get("uri.path")).value("Edits", part.get("edits"));
        }
        "mcpServersStarting" => drop(out.bookkeeping(kind.into_owned()).value("Part", part)),
        kind => drop(out.note(kind.to_owned()).value("Part", part)),
    }
    if out.items.is_empty() {
        out.nothing();
    }
}

/// Thinking: one text or several.
fn thoughts(text: Json<'_>) -> Vec<Part<'_>> {
    let texts = if text.kind() == Kind::Array { text.items().collect() } else { vec![text] };
    texts.into_iter().filter(|it| has_content(*it)).map(Part::Thinking).collect()
}

/// A tool result as the model got it: the only text as it is written, else all texts joined.
fn text_of<'a>(content: Json<'a>, out: &Description<'a>) -> Json<'a> {
    if content.item(1).is_absent() && content.get("0.value").kind() == Kind::String {
        return content.get("0.value");
    }
    let mut text = String::new();
    // Trees may be deep, so this does not recurse.
    let mut open: Vec<Items<'a>> = vec![content.items()];
    while let Some(items) = open.last_mut() {
        let Some(node) = items.next() else {
            open.pop();
            continue;
        };
        if let Some(words) = node.any(&["text", "value"]).text() {
            if node.get("lineBreakBefore").is_true() && !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&words);
        }
        open.push(node.any(&["children", "value.node.children"]).items());
    }
    match text.is_empty() {
        true => content,
        false => out.string(&text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn an_answer_in_parts_is_shown_once() {
        let lines = [
            r#"{"kind":2,"k":["requests"],"v":[]}"#,
            r#"{"kind":"markdownContent","content":{"value":"High "}}"#,
            r#"{"kind":"markdownContent","content":{"value":"tide."}}"#,
            r#"{"kind":1,"k":["requests",0,"result"],"v":{"metadata":{"toolCallRounds":[{"response":"High tide.","toolCalls":[]}]}}}"#,
        ];
        let read = read(&COPILOT_CHAT, &[&lines]);
        let shown = read.trace.events().iter().position(|it| it.kind == EventKind::LlmCall);
        let blocks = format!("{:?}", read.detail(&COPILOT_CHAT, shown.unwrap()).blocks);
        assert_eq!(blocks.matches("Text(Response").count(), 2, "{blocks}");
    }
}
