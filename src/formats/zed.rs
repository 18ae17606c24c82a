//! Zed: a thread of its agent, one JSON document. [`super::databases`] writes the threads of its database in this form.
//!
//! Read from its code (<https://github.com/zed-industries/zed>, `crates/agent/src/db.rs`, `thread.rs`,
//! `legacy_thread.rs`, `tools/spawn_agent_tool.rs`); no real file was at hand. Since 0.3 a message is an object whose
//! only member names its author, and its pieces are such objects as well; results are in the message that requested
//! them. In earlier versions, messages had a role, segments, calls and results. Only the thread has times, a model and
//! token counts.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::exit_code::told_after;
use traceloupe_engine::tokens::ANTHROPIC;

/// The format.
pub static ZED: Described = Described {
    signs: &[
        Sign::certain(
            On::Items("messages"),
            "messages are an object `User` or `Agent` with pieces",
            &[Test::HasOne(&["User.content", "Agent.content"])],
        ),
        Sign::certain(
            On::Items("messages"),
            "messages have a role and segments",
            &[Test::HasAll(&["role", "tool_uses"]), Test::List("segments")],
        ),
    ],
    lists: &["messages"],
    quiet: &[
        "id|role|version|updated_at|created_at",
        "User.id",
        "Agent.content.*.ToolUse.id|name|raw_input|is_input_complete",
        "Agent.content.*.Thinking.signature",
        "Agent.content.*.RedactedThinking",
        "Agent.tool_results.*.tool_use_id|tool_name|is_error",
        "segments.*.type|signature|data",
        "tool_uses.*.id|name",
        "tool_results.*.tool_use_id|is_error",
    ],
    ..Described::new(&catalog::ZED, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        return thread(record, out);
    }
    let (user, agent) = (record.get("User"), record.get("Agent"));
    match () {
        () if user.is_given() => said(user.get("content"), out),
        () if agent.is_given() => {
            let results = agent.get("tool_results").members().map(|(_, result)| result);
            answer(agent.get("content"), results.collect(), out);
        }
        () if record.get("role").is("assistant") => {
            answer(record.get("segments"), record.get("tool_results").items().collect(), out);
            for call in record.get("tool_uses").items() {
                out.asked_by(0, call.get("id"), call.get("name"), call.get("input"));
            }
        }
        () if record.get("role").is("system") => {
            out.item(What::System).parts = pieces(record.get("segments"));
        }
        () if record.get("role").is_given() => {
            said(record.get("segments"), out);
            out.last().value(BlockRole::Context, record.get("context"));
        }
        // The agent continued after it had reached its limit of tool calls.
        () => drop(out.bookkeeping("resumed").summary(record)),
    }
}

fn thread<'a>(thread: Json<'a>, out: &mut Description<'a>) {
    let run = out.run(thread.get("id"));
    run.titles.own = thread.any(&["title", "summary"]);
    run.models.name = thread.get("model.model");
    run.totals.usage = ANTHROPIC.read(thread.get("cumulative_token_usage"));
    run.origin.started_by = thread.any(&["parent_id", "subagent_context.parent_thread_id"]);
    (run.times.start, run.times.end) =
        (time_of(thread.get("created_at")), time_of(thread.get("updated_at")));
    out.facts(
        thread,
        &[
            (FactKind::Model, "model.model"),
            (FactKind::Provider, "model.provider"),
            (FactKind::Other("Profile"), "profile"),
            (FactKind::Other("Folders"), "folder_paths"),
        ],
    );
    out.at(thread.get("created_at"));
    out.event(EventKind::RunStart, "thread")
        .summary(thread.any(&["title", "summary"]))
        .value(BlockRole::Summary, thread.get("detailed_summary"))
        .value("Token usage", thread.get("cumulative_token_usage"))
        .value("Token usage of requests", thread.get("request_token_usage"));
}

fn said<'a>(content: Json<'a>, out: &mut Description<'a>) {
    let parts = pieces(content);
    out.user_parts(parts);
}

/// The text, images and mentions of a message: objects with one member, or with a type.
fn pieces(content: Json<'_>) -> Vec<Part<'_>> {
    content.items().filter(|piece| !piece.get("ToolUse").is_given()).map(piece).collect()
}

fn piece(piece: Json<'_>) -> Part<'_> {
    if piece.get("type").is_given() {
        return match piece.get("type").is("thinking") {
            true => Part::Thinking(piece.get("text")),
            false if piece.get("text").is_given() => Part::Text(piece.get("text")),
            false => Part::HiddenThinking,
        };
    }
    let Some((kind, value)) = piece.members().next() else {
        return Part::Value(BlockRole::Content, piece);
    };
    match kind.as_ref() {
        "Text" => Part::Text(value),
        "Thinking" => Part::Thinking(value.get("text").or(value)),
        "RedactedThinking" => Part::HiddenThinking,
        "Image" => Part::Media("image/png".into(), value.get("source")),
        "Mention" => Part::Value(BlockRole::Named("Mention"), value),
        _ => Part::Value(BlockRole::Content, piece),
    }
}

/// The model's response, with its calls and their results.
fn answer<'a>(content: Json<'a>, results: Vec<Json<'a>>, out: &mut Description<'a>) {
    let item = out.model(pieces(content), Joins::Nothing);
    item.asks(content);
    for call in content.items().map(|piece| piece.get("ToolUse")).filter(|it| it.is_given()) {
        let input = call.any(&["input", "raw_input"]);
        out.asked_by(0, call.get("id"), call.get("name"), input);
    }
    for result in results {
        let (content, output) = (result.get("content"), result.get("output"));
        let name = result.get("tool_name").label();
        // The terminal states as text how a command ended, and that the tool did not fail.
        let words = out.text(content.any(&["Text", "0.Text"]));
        let line =
            words.lines().next().filter(|it| name == "terminal" && it.starts_with("Command "));
        let exit = told_after(line.unwrap_or_default(), " failed with exit code ", out);
        let item = out.result(result.get("tool_use_id"), Json::ABSENT);
        item.name(name).failed(result.get("is_error")).exit(exit);
        match content.kind() {
            Kind::String => drop(item.part(Part::Result(content))),
            Kind::Array => item.parts.extend(content.items().map(of_result)),
            _ if has_content(content) => drop(item.part(of_result(content))),
            _ => {}
        }
        if has_content(output) {
            item.value(BlockRole::Output, output).starts_run(output.get("session_id"));
        }
    }
}

fn of_result(content: Json<'_>) -> Part<'_> {
    match content.get("Image.source").given() {
        Some(image) => Part::Media("image/png".into(), image),
        None => Part::Result(content.any(&["Text", "text"]).or(content)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn the_terminal_says_in_words_how_a_command_ended() {
        let agent = r#"{"Agent":{"content":[{"ToolUse":{"id":"c","name":"terminal","input":{"command":"launch"}}}],"tool_results":{"c":{"tool_use_id":"c","tool_name":"terminal","is_error":false,"content":{"Text":"Command \"launch\" failed with exit code 3.\n\n```\nno water\n```"}}}}}"#;
        let read = read(&ZED, &[&[agent]]);
        let call = read.trace.events().iter().find(|it| it.kind == EventKind::ToolCall).unwrap();
        assert_eq!(
            (call.status, read.trace.error(call.error)),
            (Status::Failed, traceloupe_core::model::ErrorLabel::ExitCode(3))
        );
    }
}
