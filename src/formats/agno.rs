//! Agno: a session of an agent or a team, as `get_session().to_dict()` returns it, and a single run, as `to_dict()` of
//! a response returns it. [`super::databases`] writes the sessions of its SQLite database in this form.
//!
//! Read from its documentation (<https://docs.agno.com>) and from sessions, runs and a database that version 3.1 wrote.
//! Messages are almost those of OpenAI's Chat API, with counts and durations. A run repeats messages of earlier ones,
//! and marks them. The work of each member of a team is a run, inside the team's run or beside it. Durations of calls
//! are stored apart from the calls.

use traceloupe_engine::prelude::*;

/// The format.
pub static AGNO: Described = Described {
    signs: &[
        Sign::record(
            "a run has its session, its agent or team, and messages that say whether they are from the history",
            &[
                Test::HasAll(&["run_id", "session_id"]),
                Test::HasOne(&["agent_id", "team_id"]),
                Test::Has("messages.0.from_history"),
            ],
        ),
        Sign::record(
            "a session has its data, and runs of an agent or team",
            &[
                Test::Text("session_id"),
                Test::HasAll(&["session_data", "runs.0.run_id"]),
                Test::HasOne(&["agent_data", "team_data", "workflow_data"]),
            ],
        ),
    ],
    lists: &["runs.**", "messages|member_responses.**"],
    quiet: &[
        "id|created_at|role|from_history|stop_after_tool_call|tool_call_id|tool_name|tool_args",
        "tool_call_error|content_type|parent_run_id|run_id|agent_id|agent_name|team_id",
        "team_name|model|model_provider|updated_at|tools",
        "tool_calls.*.type",
        "metrics.duration",
    ],
    ..Described::new(&catalog::AGNO, describe)
};

/// The counts of a message.
static COUNTS: Flavour = Flavour {
    input: &["input_tokens"],
    output: &["output_tokens"],
    cache_read: &["cache_read_tokens"],
    cache_write: &["cache_write_tokens"],
    reasoning: &["reasoning_tokens"],
    input_has_cached: true,
    output_lacks_reasoning: false,
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.get("created_at"));
    if record.get("run_id").is_given() {
        return run(record, out);
    }
    if entry.is_document {
        return session(record, out);
    }
    if record.get("from_history").is_true() {
        return out.nothing();
    }
    content::said(record, Joins::Nothing, out);
    let metrics = record.get("metrics");
    for item in &mut out.items {
        match item.what() {
            What::Model => {
                item.begins(time_of(record.get("created_at")))
                    .took(seconds_ns(metrics.get("duration").number()))
                    .tokens(&COUNTS, metrics)
                    .field(FactKind::Cost, metrics.get("cost"));
            }
            What::Result => drop(item.failed(record.get("tool_call_error"))),
            What::User | What::System => {
                item.value("Images", record.get("images")).value("Files", record.get("files"));
            }
            _ => {}
        }
    }
}

fn session<'a>(session: Json<'a>, out: &mut Description<'a>) {
    let run = out.run(session.get("session_id"));
    run.titles.own = session.get("session_data.session_name");
    // Runs of members may precede the run of their team.
    let mut own = session.get("runs").items().filter(|run| !run.get("parent_run_id").is_given());
    run.titles.words = own.next().unwrap_or_default().get("input.input_content");
    (run.times.start, run.times.end) =
        (time_of(session.get("created_at")), time_of(session.get("updated_at")));
    let agent = session.any(&["team_data", "agent_data", "workflow_data"]);
    out.facts(
        agent,
        &[
            (FactKind::Other("Agent"), "name"),
            (FactKind::Model, "model.id"),
            (FactKind::Provider, "model.provider"),
        ],
    );
    out.facts(session, &[("User", "user_id")]);
    out.event(EventKind::RunStart, "session")
        .value(BlockRole::Summary, session.get("summary"))
        .value("Session", session.get("session_data"))
        .value("Metadata", session.get("metadata"));
}

/// A run of an agent, in the session or inside a team's run.
fn run<'a>(run: Json<'a>, out: &mut Description<'a>) {
    let name = run.any(&["team_name", "agent_name"]);
    out.run(run.get("session_id")).models.name = run.get("model");
    if run.get("parent_run_id").is_given() {
        out.run.agent.is(run.get("run_id"));
        out.run.agent.name = name;
    }
    let (status, content) = (run.get("status"), run.get("content"));
    let item = out.bookkeeping("run");
    item.summary(run.get("input.input_content"))
        .field("Agent", name)
        .field("Status", status)
        .field(FactKind::Provider, run.get("model_provider"))
        .value(BlockRole::Input, run.get("input"))
        .value(BlockRole::Answer, content)
        .value("Metrics", run.get("metrics"))
        .value("Events", run.get("events"));
    if status.is("ERROR") {
        item.error(content);
    } else if status.is("CANCELLED") {
        item.status(Status::Cancelled);
    }
    if !run.get("messages.0").is_given() {
        return without_messages(run, out);
    }
    out.after_list();
    for tool in run.get("tools").items() {
        let took = seconds_ns(tool.get("metrics.duration").number());
        out.update(tool.get("tool_call_id")).took(took);
    }
}

/// A run whose messages were not stored: its input, calls and answer are known.
fn without_messages<'a>(run: Json<'a>, out: &mut Description<'a>) {
    let input = run.get("input.input_content");
    out.user(input);
    for tool in run.get("tools").items() {
        let took = seconds_ns(tool.get("metrics.duration").number());
        out.call(tool.get("tool_call_id"), tool.get("tool_name"), tool.get("tool_args")).took(took);
        out.result(tool.get("tool_call_id"), tool.get("result"))
            .failed(tool.get("tool_call_error"));
    }
    out.item(What::Model)
        .joins(Joins::Nothing)
        .usage(COUNTS.read(run.get("metrics")))
        .text(run.get("content"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn a_session_of_a_team_is_named_by_what_the_team_was_asked() {
        const SESSION: &str = r#"{"session_id":"s","session_data":{},"team_data":{},"created_at":1772600000,"runs":[
            {"run_id":"2","session_id":"s","agent_id":"a","parent_run_id":"1","messages":[{"role":"user","content":"Sound","from_history":false}]},
            {"run_id":"1","session_id":"s","team_id":"t","input":{"input_content":"Ask the pilot"},"messages":[{"role":"user","content":"Ask the pilot","from_history":false}]}]}"#;
        let read = read(&AGNO, &[&[SESSION]]);
        assert_eq!(read.trace.runs()[0].title.as_deref(), Some("Ask the pilot"));
    }
}
