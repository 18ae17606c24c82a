//! Mistral Vibe: the messages of a session, `messages.jsonl`, and its metadata, `meta.json` beside them. Until 1.3 both
//! were one document.
//!
//! Read from its code (`vibe/core/types.py`, `vibe/core/session/session_logger.py` of 2.10, `interaction_logger.py` of
//! 1.3); no real file was at hand. Messages are those of OpenAI's Chat API, with the reasoning beside the content. Text
//! that the program gives to the model in the user's name is `injected`. The text of a failed call is in error tags.
//! Messages have no times; token counts and prices are those of the session. Journals of 3.0 are not read.

use super::join_by_folder;
use traceloupe_core::model::TraceBuilder;
use traceloupe_engine::prelude::*;

/// The format.
pub static MISTRAL_VIBE: Described = Described {
    signs: &[
        Sign::record(
            "messages have a role, and say whether they are `injected`",
            &[
                Test::Text("role"),
                Test::Has("injected"),
                Test::HasOne(&["message_id", "tool_call_id"]),
            ],
        ),
        Sign::record(
            "the document has the id, the start, the user and the folder of a session",
            &[
                Test::HasAll(&["session_id", "start_time", "username"]),
                Test::Has("environment.working_directory"),
            ],
        ),
        Sign::record(
            "the document has the `metadata` of a session and its messages",
            &[
                Test::HasAll(&["metadata.session_id", "metadata.start_time"]),
                Test::Has("metadata.environment.working_directory"),
                Test::List("messages"),
            ],
        ),
    ],
    lists: &["messages"],
    has_messages: true,
    hooks: Hooks { join: Some(join), ..Hooks::NONE },
    quiet: &[
        "role|message_id|reasoning_message_id|injected|name|tool_call_id|start_time|end_time",
        "tool_result.duration|cancelled",
        "system_prompt.injected",
        "tool_calls.*.index|type",
        "metadata.start_time|end_time",
    ],
    ..Described::new(&catalog::MISTRAL_VIBE, describe)
};

/// The counts of a session.
static COUNTS: Flavour = Flavour {
    input: &["session_prompt_tokens"],
    output: &["session_completion_tokens"],
    input_has_cached: true,
    ..Flavour::NONE
};

/// A history belongs to the session whose `meta.json` is beside it.
fn join(out: &mut TraceBuilder) {
    join_by_folder::join(MISTRAL_VIBE.names.0, out);
}

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let about = record.get("metadata").or(record);
    if about.get("session_id").is_given() {
        return session(about, out);
    }
    if record.get("role").is("user") && record.get("injected").is_true() {
        out.item(What::System).parts = content::pieces(record.get("content"));
        return;
    }
    content::said(record, Joins::Nothing, out);
    let told = record.get("tool_result");
    for item in out.items.iter_mut().filter(|item| item.what() == What::Result) {
        let text = record.get("content").text().unwrap_or_default();
        item.took(seconds_ns(told.get("duration").number()))
            .value(BlockRole::Output, told.get("output"));
        if text.starts_with("<user_cancellation>") || told.get("cancelled").is_true() {
            item.status(Status::Cancelled);
        } else {
            let failed = text.starts_with("<tool_error>");
            item.status(if failed { Status::Failed } else { Status::Ok });
        }
    }
}

fn session<'a>(about: Json<'a>, out: &mut Description<'a>) {
    let (stats, config) = (about.get("stats"), about.any(&["config", "agent_config"]));
    let run = out.run(about.get("session_id"));
    run.titles.own = about.get("title");
    run.models.name = config.any(&["model_name", "active_model"]);
    (run.times.start, run.times.end) =
        (time_of(about.get("start_time")), time_of(about.get("end_time")));
    run.totals.usage = COUNTS.read(stats);
    out.facts(
        about,
        &[
            (FactKind::Folder, "environment.working_directory"),
            (FactKind::Branch, "git_branch"),
            (FactKind::Other("Commit"), "git_commit"),
            (FactKind::Other("Agent"), "agent_profile.name"),
            (FactKind::Cost, "stats.session_cost"),
            (FactKind::Other("Continues"), "parent_session_id"),
        ],
    );
    out.facts(config, &[(FactKind::Model, "active_model")]);
    out.at(about.get("start_time"));
    out.event(EventKind::RunStart, "session")
        .summary(about.get("title"))
        .members("Statistics", stats)
        .value(BlockRole::Instructions, about.get("system_prompt.content"))
        .value(BlockRole::Tools, about.get("tools_available"))
        .value("Configuration", config);
}
