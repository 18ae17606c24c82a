//! Amazon Q Developer CLI: a conversation that `/save` wrote, one JSON document, and conversations that its successor
//! Kiro CLI saves with `/chat save`.
//!
//! Read from its source (<https://github.com/aws/amazon-q-developer-cli>, `conversation.rs`, `message.rs`) and from
//! files that both programs saved. An entry of the history is the model's input (a user message or results) and its
//! response, one LLM call; old versions have the two in a list. Everything before a compaction is only in the
//! transcript, as text without the calls: it is shown as rows if the history is empty. There are no token counts.

use traceloupe_engine::prelude::*;

/// The format.
pub static AMAZON_Q: Described = Described {
    signs: &[Sign::record(
        "the document has a `conversation_id`, a `history`, and a `transcript`, its range or its summary",
        &[
            Test::Text("conversation_id"),
            Test::List("history"),
            Test::HasOne(&["transcript", "valid_history_range", "latest_summary"]),
        ],
    )],
    lists: &["history"],
    quiet: &[
        "valid_history_range",
        "user.timestamp",
        "user.env_context.env_state.operating_system|current_working_directory",
        "user.content.*.tool_use_results.*.status",
        "assistant.*.message_id",
        "assistant.*.thinking.signature|redacted_content|model_id",
        "assistant.*.tool_uses.*.name|orig_name|orig_args",
        "0.env_context.env_state.operating_system|current_working_directory",
        "0.content.*.tool_use_results.*.status",
        "1.*.message_id",
        "1.*.tool_uses.*.name|orig_name|orig_args",
        "request_metadata.message_id|model_id|request_start_timestamp_ms",
        "request_metadata.stream_end_timestamp_ms|time_between_chunks|tool_use_ids_and_names",
        "latest_summary.1.time_between_chunks",
    ],
    ..Described::new(&catalog::AMAZON_Q, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        return conversation(record, out);
    }
    let (user, assistant) = (record.any(&["user", "0"]), record.any(&["assistant", "1"]));
    let request = record.get("request_metadata");
    let (start, end) =
        (request.get("request_start_timestamp_ms"), request.get("stream_end_timestamp_ms"));
    out.at(user.get("timestamp").or(start));
    asked(user, out);
    out.at(start);
    let answer = assistant.any(&["ToolUse", "Response"]);
    let Some(answer) = answer.given() else { return };
    let model = out.items.len();
    let item = out.item(What::Model).joins(Joins::Nothing).id(answer.get("message_id"));
    item.name = request.get("model_id").label();
    item.asks(answer.get("tool_uses"));
    (item.time.has_begun, item.row.has_rest) = (item.time.start.is_known(), true);
    let thinking = answer.get("thinking");
    if thinking.is_given() {
        let words = Some(thinking.get("text")).filter(|words| has_content(*words));
        item.part(words.map_or(Part::HiddenThinking, Part::Thinking));
    }
    item.text(answer.get("content"));
    if let Some((start, end)) = start.number().zip(end.number()) {
        item.took(seconds_ns(Some((end - start) / 1000.0)));
    }
    for call in answer.get("tool_uses").items() {
        out.asked_by(model, call.get("id"), call.get("name"), call.get("args"));
    }
}

fn conversation<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let run = out.run(record.get("conversation_id"));
    run.models.name = record.any(&["model_info.model_id", "model"]);
    run.models.context_window = record.get("model_info.context_window_tokens").count();
    out.facts(record, &[(FactKind::Model, "model_info.model_id"), (FactKind::Model, "model")]);
    let surroundings = record.any(&["history.0.user.env_context", "history.0.0.env_context"]);
    out.facts(
        surroundings,
        &[
            (FactKind::Folder, "env_state.current_working_directory"),
            (FactKind::Other("System"), "env_state.operating_system"),
        ],
    );
    out.event(EventKind::RunStart, "conversation")
        .value(BlockRole::Tools, record.get("tools"))
        .value("Transcript", record.get("transcript"));
    let is_empty = record.get("history.0").is_absent();
    if is_empty {
        transcript(record.get("transcript"), out);
    }
    let summary = record.get("latest_summary");
    if summary.is_given() {
        out.event(EventKind::Compaction, "compaction").text(summary.item(0));
    }
    out.after_list();
    let next = record.get("next_message");
    if next.is_given() {
        out.at(next.get("timestamp"));
        asked(next, out);
        if !is_empty {
            out.run.titles.words = Json::ABSENT;
        }
    }
}

/// Lines of a transcript: those of the user begin with `> `, and those of a model end with the names of its calls.
fn transcript<'a>(lines: Json<'a>, out: &mut Description<'a>) {
    for line in lines.items() {
        let Some(words) = out.text(line).strip_prefix("> ") else {
            out.item(What::Model).joins(Joins::Nothing).text(line);
            continue;
        };
        let is_command = words.starts_with('/');
        let words = out.string(words);
        out.item(What::User).text(words);
        if out.run.titles.words.is_absent() && !is_command {
            out.run.titles.words = words;
        }
    }
}

/// The input of a model: a user message, results of calls.
fn asked<'a>(user: Json<'a>, out: &mut Description<'a>) {
    let content = user.get("content");
    let cancelled = content.get("CancelledToolUses");
    let results = [content.get("ToolUseResults"), cancelled];
    for result in results.into_iter().flat_map(|it| it.get("tool_use_results").items()) {
        self::result(result, cancelled.is_given(), out);
    }
    let prompt = content.any(&["Prompt.prompt", "CancelledToolUses.prompt"]);
    if prompt.is_given() {
        out.user(prompt)
            .value("Added to it", user.get("additional_context"))
            .value("Images", user.get("images"));
    } else if content.is_given() && out.items.is_empty() {
        out.item(What::User).value(BlockRole::Message, content);
    }
}

fn result<'a>(result: Json<'a>, is_cancelled: bool, out: &mut Description<'a>) {
    let content = result.get("content");
    let value = match content.item(1).is_absent() {
        true => content.any(&["0.Text", "0.Json"]),
        false => content,
    };
    // Servers of the Model Context Protocol return a list.
    let words = value.get("content.0.text").given();
    let words = words.filter(|_| value.get("content.1").is_absent());
    let exit = out.text(value.get("exit_status"));
    let item = out.result(result.get("tool_use_id"), words.or(value.given()).unwrap_or(content));
    item.exit(Json::new(exit.trim_start_matches("exit status: ")));
    item.failed(value.get("isError"));
    match result.get("status").label().as_ref() {
        _ if is_cancelled => item.status(Status::Cancelled),
        "Error" => item.status(Status::Failed),
        "Success" if item.ending.status.is_none() => item.status(Status::Ok),
        _ => item,
    };
}
