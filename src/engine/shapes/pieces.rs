//! Content parts of every API: what a part is, from its type or its only member.

use super::content::call_of;
use super::media::{beside, media};
use crate::kit::Part;
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::{BlockRole, Status};

/// A content part.
pub(super) enum Piece<'a> {
    Part(Part<'a>),
    /// A call: id, name, arguments.
    Call(Json<'a>, Json<'a>, Json<'a>),
    /// A result: the id of its call, the name of the tool, the value, and whether it failed.
    Result(Json<'a>, Json<'a>, Json<'a>, Option<Status>),
}

/// Reads a content: a text, a part, or a list of parts.
pub(super) fn read(content: Json<'_>) -> Vec<Piece<'_>> {
    match content.kind() {
        Kind::String if content.raw().len() > 2 => vec![Piece::Part(Part::Text(content))],
        Kind::Object => vec![read_part(content)],
        Kind::Array => content.items().filter(|it| it.is_given()).map(read_part).collect(),
        _ => Vec::new(),
    }
}

/// Reads a part of a content.
pub(super) fn read_part(part: Json<'_>) -> Piece<'_> {
    if part.kind() == Kind::String {
        return Piece::Part(Part::Text(part));
    }
    let word = part.get("type").label();
    by_type(&word, part)
        .or_else(|| by_member(part))
        .unwrap_or(Piece::Part(Part::Value(BlockRole::Content, part)))
}

fn by_type<'a>(word: &str, part: Json<'a>) -> Option<Piece<'a>> {
    // The Assistants API has the text as an object.
    let words = part.any(&["text.value", "text", "content", "value"]);
    let has_words = words.kind() == Kind::String;
    Some(match word {
        "text" | "TEXT" | "input_text" | "output_text" | "summary_text" if has_words => {
            Piece::Part(Part::Text(words))
        }
        "audio" | "output_audio" | "input_audio"
            if part.get("transcript").kind() == Kind::String =>
        {
            Piece::Part(Part::Text(part.get("transcript")))
        }
        "thinking" | "reasoning" | "reasoning_text" | "text_reasoning" | "summary_thinking" => {
            thinking(part.any(&["thinking", "reasoning", "text", "content", "summary", "value"]))
        }
        "redacted_thinking" | "redactedThinking" | "reasoning.encrypted" => {
            Piece::Part(Part::HiddenThinking)
        }
        "reasoning.text" | "reasoning.summary" => thinking(part.any(&["text", "summary"])),
        "refusal" => Piece::Part(Part::Text(part.get("refusal").given()?)),
        "compaction" if has_words => {
            Piece::Part(Part::Value(BlockRole::Named("Summary so far"), words))
        }
        "fallback" => Piece::Part(Part::Field("Fallback to".into(), part.get("to.model").given()?)),
        "tool_use" | "server_tool_use" | "mcp_tool_use" | "tool-call" | "tool_call"
        | "function_call" | "toolCall" | "dynamic-tool-call" => {
            let (id, name, arguments) = call_of(part);
            Piece::Call(id, name, arguments)
        }
        // PostHog's notation. The definition of a tool has no arguments.
        "function" if part.get("function.arguments").is_given() => {
            let (id, name, arguments) = call_of(part);
            Piece::Call(id, name, arguments)
        }
        "tool-result"
        | "tool_call_response"
        | "function_call_output"
        | "function_result"
        | "toolResult" => tool_result(part),
        "toolRequest" | "frontendToolRequest" => {
            let call = part.get("toolCall");
            let value = call.any(&["value.arguments", "error"]);
            Piece::Call(part.get("id"), call.get("value.name"), value)
        }
        "toolResponse" => tool_result(part),
        word if word.ends_with("tool_result") => tool_result(part),
        "image" | "image_url" | "input_image" | "blob" | "document" | "file" | "input_file"
        | "media" | "audio" | "input_audio" | "resource" | "video" | "video_url"
        | "input_video" => Piece::Part(media(part).or_else(|| beside(part))?),
        _ => return None,
    })
}

fn thinking(words: Json<'_>) -> Piece<'_> {
    let words = match words.kind() {
        Kind::Array => words.item(0).get("text"),
        _ => words,
    };
    match words.kind() == Kind::String && words.raw().len() > 2 {
        true => Piece::Part(Part::Thinking(words)),
        false => Piece::Part(Part::HiddenThinking),
    }
}

fn tool_result(part: Json<'_>) -> Piece<'_> {
    let id = part.any(&["tool_use_id", "tool_call_id", "toolCallId", "toolUseID", "call_id", "id"]);
    // Amp and Goose wrap results in the outcome of the tool call.
    let run = part.any(&["run", "toolResult"]);
    let value = part.any(&["content", "output", "result", "response"]).given();
    let value = value.unwrap_or_else(|| run.any(&RUNS));
    let failed = part.any(&["is_error", "isError", "toolResult.value.isError"]).bool();
    let status = match run.get("status").word().as_deref() {
        Some("error") => Some(Status::Failed),
        Some("cancelled") => Some(Status::Cancelled),
        Some("done" | "success") if failed != Some(true) => Some(Status::Ok),
        _ => failed.map(|failed| if failed { Status::Failed } else { Status::Ok }),
    };
    // The AI SDK states the type inside the output.
    let is_typed = value.get("type").is_given() && part.get("toolCallId").is_given();
    let (value, status) = match value.get("type").label().as_ref() {
        "error-text" | "error-json" if is_typed => (value.get("value"), Some(Status::Failed)),
        "execution-denied" if is_typed => (value.get("reason"), Some(Status::Rejected)),
        "text" | "json" if is_typed => (value.get("value"), status),
        _ => (value, status),
    };
    Piece::Result(id, part.any(&["name", "tool_name", "toolName"]), value, status)
}

/// Paths of a wrapped result, or of the reason why there is none.
const RUNS: [&str; 5] = ["result", "value.content", "value", "error.message", "error"];

/// The name of the tool with which Gemini runs code.
const CODE_EXECUTION: &str = "\"code_execution\"";

/// Parts of APIs that distinguish them by a member instead of a type.
fn by_member(part: Json<'_>) -> Option<Piece<'_>> {
    if let Some(call) = part.any(&["functionCall", "function_call"]).given() {
        let (id, name, arguments) = call_of(call);
        return Some(Piece::Call(id, name, arguments));
    }
    if let Some(call) = part.get("toolUse").given() {
        return Some(Piece::Call(call.get("toolUseId"), call.get("name"), call.get("input")));
    }
    if let Some(it) = part.any(&["functionResponse", "function_response"]).given() {
        let has_failed = it.get("response.error").is_given();
        let status = has_failed.then_some(Status::Failed);
        let id = if is_made_id(it) { Json::ABSENT } else { it.get("id") };
        return Some(Piece::Result(id, it.get("name"), it.get("response"), status));
    }
    if let Some(code) = part.any(&["executableCode", "executable_code"]).given() {
        return Some(Piece::Call(Json::ABSENT, Json::new(CODE_EXECUTION), code));
    }
    if let Some(it) = part.any(&["codeExecutionResult", "code_execution_result"]).given() {
        let has_failed = !it.get("outcome").is("OUTCOME_OK");
        let status = if has_failed { Status::Failed } else { Status::Ok };
        let name = Json::new(CODE_EXECUTION);
        return Some(Piece::Result(Json::ABSENT, name, it.get("output"), Some(status)));
    }
    if let Some(it) = part.get("toolResult").given() {
        let status = match it.get("status").text().as_deref() {
            Some("error") => Some(Status::Failed),
            Some("success") => Some(Status::Ok),
            _ => None,
        };
        return Some(Piece::Result(it.get("toolUseId"), Json::ABSENT, it.get("content"), status));
    }
    if let Some(it) = part.any(&["reasoningContent", "reasoning_content"]).given() {
        return Some(thinking(it.any(&["reasoningText.text", "text"])));
    }
    // Genkit also has thinking as a member.
    if let Some(call) = part.get("toolRequest").given() {
        return Some(Piece::Call(call.get("ref"), call.get("name"), call.get("input")));
    }
    if let Some(it) = part.get("toolResponse").given() {
        return Some(Piece::Result(it.get("ref"), it.get("name"), it.get("output"), None));
    }
    if part.get("reasoning").kind() == Kind::String {
        return Some(thinking(part.get("reasoning")));
    }
    let words = part.get("text");
    if words.kind() == Kind::String {
        let is_thought = part.get("thought").is_true() || part.get("$type").is("reasoning");
        return Some(match is_thought {
            true => thinking(words),
            false => Piece::Part(Part::Text(words)),
        });
    }
    if part.get("tool_call").kind() == Kind::Object {
        let (id, name, arguments) = call_of(part.get("tool_call"));
        return Some(Piece::Call(id, name, arguments));
    }
    if let Some(it) = part.get("tool_call_result").given() {
        let status = match it.get("error").bool() {
            Some(true) => Some(Status::Failed),
            Some(false) => Some(Status::Ok),
            None => None,
        };
        let origin = it.get("origin");
        let (id, name) = (origin.get("id"), origin.get("tool_name"));
        return Some(Piece::Result(id, name, it.get("result"), status));
    }
    if let Some(words) = part.get("reasoning.reasoning_text").given() {
        return Some(thinking(words));
    }
    of_kernel(part).or_else(|| Some(Piece::Part(media(part)?)))
}

/// Whether the id of a result of Gemini's API is one that Gemini CLI made, of the name and the time, because the model's
/// call has none.
fn is_made_id(result: Json<'_>) -> bool {
    let (id, name) = (result.get("id").text(), result.get("name").text());
    let time = id.as_deref().zip(name.as_deref()).and_then(|(id, name)| id.strip_prefix(name));
    time.and_then(|time| time.strip_prefix(['-', '_']))
        .is_some_and(|time| time.starts_with(|it: char| it.is_ascii_digit()))
}

/// Items of Semantic Kernel, in the notations of Python and .NET, and those of Microsoft.Extensions.AI.
fn of_kernel(part: Json<'_>) -> Option<Piece<'_>> {
    let word = part.any(&["content_type", "$type"]).word()?;
    let name = || part.any(&["function_name", "functionName", "FunctionName", "name"]);
    Some(match word.as_ref() {
        "TextContent" => Piece::Part(Part::Text(part.get("Text").given()?)),
        "ReasoningContent" => thinking(part.any(&["text", "Text"])),
        "function_call" | "functionCall" | "FunctionCallContent" => Piece::Call(
            part.any(&["callId", "id", "Id"]),
            name(),
            part.any(&["arguments", "Arguments"]),
        ),
        "function_result" | "functionResult" | "FunctionResultContent" => {
            let id = part.any(&["callId", "CallId", "id", "Id"]);
            Piece::Result(id, name(), part.any(&["result", "Result"]), None)
        }
        _ => return None,
    })
}
