//! Continue: a session of its extension or its program, one document.
//!
//! Read from sessions of 2025 and 2026 and from the producer's types (github.com/continuedev/continue,
//! `core/index.d.ts`). An item of `history` has a message and the states of its calls (`toolCallStates`). Thinking is a
//! message of its own before its answer, and an answer without text may precede it: together they are one LLM call.
//! There are no times. The prompt logs have the prompt as it was sent, as text, and the model.

use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::OPENAI;

/// The format.
pub static CONTINUE: Described = Described {
    signs: &[Sign::record(
        "a session has `history`, its folder and a title",
        &[
            Test::Text("sessionId"),
            // The beginning of a long session has no items yet.
            Test::HasAll(&["title", "workspaceDirectory"]),
            Test::List("history"),
        ],
    )],
    lists: &["history"],
    // The usage follows the history.
    hooks: Hooks { is_whole: true, ..Hooks::NONE },
    quiet: &[
        "message.role",
        "message.toolCalls.*.type",
        "message.toolCalls.*.function.name",
        "editorState|isGatheringContext",
        "toolCallStates.*.status|toolCallId|toolCall|parsedArgs",
    ],
    ..Described::new(&catalog::CONTINUE, describe)
};

static TOKENS: Flavour = Flavour {
    input: &["promptTokens"],
    output: &["completionTokens"],
    cache_read: &["promptTokensDetails.cachedTokens"],
    cache_write: &["promptTokensDetails.cacheWriteTokens"],
    reasoning: &["completionTokensDetails.reasoningTokens"],
    input_has_cached: true,
    output_lacks_reasoning: false,
};

/// The counts of an answer: those of the API, or with the names that Continue's types have.
fn flavour(counts: Json<'_>) -> &'static Flavour {
    if counts.get("prompt_tokens").is_given() { &OPENAI } else { &TOKENS }
}

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        let run = out.run(record.get("sessionId"));
        (run.titles.own, run.models.name) = (record.get("title"), record.get("chatModelTitle"));
        // The usage of all answers; few answers state their own.
        run.totals.usage = TOKENS.read(record.get("usage"));
        let labels = [
            (FactKind::Folder, "workspaceDirectory"),
            (FactKind::Other("Mode"), "mode"),
            (FactKind::Model, "chatModelTitle"),
            (FactKind::Cost, "usage.totalCost"),
        ];
        out.facts(record, &labels);
        out.event(EventKind::RunStart, "session").summary(record.get("workspaceDirectory"));
        return;
    }
    let message = record.get("message");
    let words = message.get("content");
    match message.get("role").label().as_ref() {
        "thinking" => {
            let words = if has_content(words) { words } else { message.get("redactedThinking") };
            out.thinking(words);
        }
        "assistant" => answer(message, record, out),
        "user" => {
            out.run.titles.words = content::first_words(message);
            content::message(message, Joins::Nothing, out);
            let given = record.get("contextItems");
            if has_content(given.get("0")) {
                out.last().value(BlockRole::Context, given);
            }
        }
        _ => content::message(message, Joins::Nothing, out),
    }
}

/// A model's response, and the results of the calls that it requested.
fn answer<'a>(message: Json<'a>, record: Json<'a>, out: &mut Description<'a>) {
    let (calls, log) = (message.get("toolCalls"), record.get("promptLogs.0"));
    let (words, counts) = (message.get("content"), message.get("usage"));
    let mut parts = Vec::new();
    let thinking = record.get("reasoning.text");
    if has_content(thinking) {
        parts.push(Part::Thinking(thinking));
    }
    if has_content(words) {
        parts.extend(content::pieces(words));
    }
    if parts.is_empty() && !calls.get("0").is_given() && log.is_absent() && counts.is_absent() {
        return out.nothing();
    }
    let model = out.items.len();
    let item = out.model(parts, Joins::Neighbours);
    item.asks(calls);
    let name = log.any(&["completionOptions.model", "modelTitle"]).or(counts.get("model"));
    item.name(name)
        .tokens(flavour(counts), counts)
        .ends(counts.is_given())
        .value(BlockRole::OtherInput("Prompts as sent"), record.get("promptLogs"));
    for call in calls.items() {
        let arguments = out.unpack(call.get("function.arguments"));
        out.asked_by(model, call.get("id"), call.get("function.name"), arguments);
    }
    for state in record.get("toolCallStates").items() {
        let (id, output) = (state.get("toolCallId"), state.get("output"));
        let status = match state.get("status").label().as_ref() {
            "done" => Status::Ok,
            "errored" => Status::Failed,
            "canceled" => Status::Cancelled,
            _ => continue,
        };
        let item = out.result(id, output.get("0.content")).status(status);
        for more in output.items().skip(1) {
            item.part(Part::Result(more.get("content")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn thinking_and_the_answer_after_it_are_one_call() {
        let lines = [
            r#"{"sessionId":"s","title":"Nets","workspaceDirectory":"/quay","history":[]}"#,
            r#"{"message":{"role":"user","content":"Mend the nets"}}"#,
            r#"{"message":{"role":"assistant","content":""}}"#,
            r#"{"message":{"role":"thinking","content":"Which ones?"}}"#,
            r#"{"message":{"role":"assistant","content":"","toolCalls":[{"id":"c1","function":{"name":"ls","arguments":"{\"dirPath\":\"nets\"}"}}]},"toolCallStates":[{"toolCallId":"c1","status":"errored","output":[{"content":"no nets"}]}]}"#,
            r#"{"message":{"role":"assistant","content":"There are none."}}"#,
        ];
        let read = read(&CONTINUE, &[&lines]);
        let rows = &read.outline()[read.outline().len() - 4..];
        assert_eq!(rows, ["user ", "llm-call ", " tool-call ls", "llm-call "]);
    }
}
