//! CrewAI: its output log, the output of crews, and events of its bus.
//!
//! Read from `utilities/file_handler.py`, `crews/crew_output.py`, `tasks/task_output.py` and `events/types` of
//! crewAIInc/crewAI, versions 0.80 to 1.x.
//!
//! | Container | A record |
//! | --- | --- |
//! | `output_log_file` | `timestamp`, `task_name`, `task`, `agent`, `status`, `output`: when a task begins and when it ends |
//! | output of a crew | `tasks_output` with the output of each task, `token_usage` of all |
//! | events | `type` (`llm_call_completed`, `tool_usage_started`…) with its subject |
//!
//! A file is a run; a task is an agent's work.

use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::OPENAI;

/// The format.
pub static CREWAI: Described = Described {
    signs: &[
        Sign::record(
            "records tell when tasks of agents began and ended",
            &[
                Test::Texts(&["task", "agent", "timestamp"]),
                Test::OneOf("status", &["started", "completed"]),
            ],
        ),
        Sign::record(
            "the document has the output of each task of a crew",
            &[Test::List("tasks_output"), Test::Has("raw")],
        ),
        Sign::record(
            "events are of a crew, its agents and tasks",
            &[
                Test::OneOf("type", EVENTS),
                Test::HasOne(&["timestamp", "source_fingerprint", "source_type", "event_id"]),
            ],
        ),
    ],
    lists: &["tasks_output", "events"],
    quiet: &["type|timestamp|status|agent_role|tool_name|event_id|emission_sequence"],
    ..Described::new(&catalog::CREWAI, describe)
};

/// Types of events by which files are recognised.
const EVENTS: &[&str] = &[
    "crew_kickoff_started",
    "crew_kickoff_completed",
    "crew_kickoff_failed",
    "task_started",
    "task_completed",
    "agent_execution_started",
    "agent_execution_completed",
    "tool_usage_started",
    "tool_usage_finished",
    "llm_call_started",
    "llm_call_completed",
    "flow_started",
];

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.get("timestamp"));
    if entry.is_document {
        if record.get("raw").is_given() {
            out.run.totals.usage = OPENAI.read(record.get("token_usage"));
            out.run.status = Some(RunStatus::Ok);
            out.event(EventKind::RunStart, "crew")
                .text(record.get("raw"))
                .value(BlockRole::Usage, record.get("token_usage"));
        }
    } else if record.get("type").is_given() {
        let data = record.get("event_data").or(record);
        out.at(data.get("timestamp"));
        let kind = record.get("type").label();
        event(&kind, record, data, out);
    } else if record.get("status").is_given() || record.get("task_name").is_given() {
        logged(record, out);
    } else if record.any(&["raw", "description"]).is_given() {
        let agent = record.get("agent").label();
        let item = out.event(EventKind::Agent, agent).summary(record.get("raw"));
        item.text(record.get("raw"));
        item.fields(record, &[("Task", "description"), ("Expected", "expected_output")]);
        // Newer versions keep the messages between agent and model.
        let messages = record.get("messages");
        if messages.item(0).is_given() {
            item.opens();
            messages.items().for_each(|it| content::message(it, Joins::Nothing, out));
            out.item(What::End).name(record.get("agent"));
        }
    }
}

/// A line of the log of outputs: a task that begins or has ended.
fn logged<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let task = record.get("task");
    let task = task.or(record.get("task_name"));
    out.run.titles.words = task;
    let agent = record.get("agent").label();
    if record.get("status").is("started") {
        let item = out.event(EventKind::Agent, agent).summary(task).opens();
        item.fields(record, &[("Task", "task"), ("Task name", "task_name")]);
        return;
    }
    out.run.status = Some(RunStatus::Ok);
    out.item(What::End).name(agent);
    out.note("output").text(record.get("output"));
    out.last().fields(record, &[("Task", "task"), ("Task name", "task_name"), ("Agent", "agent")]);
}

/// An event of the bus.
fn event<'a>(kind: &str, record: Json<'a>, event: Json<'a>, out: &mut Description<'a>) {
    let id = event.any(&["call_id", "started_event_id"]);
    let error = event.get("error");
    // A flow inside a crew is how an agent works, and a crew inside a flow is a part of it.
    let is_run = !event.get("parent_event_id").is_given();
    match kind {
        "crew_kickoff_started" | "flow_started" if is_run => {
            out.run.titles.own = event.any(&["crew_name", "flow_name"]);
            out.run.status = Some(RunStatus::Running);
            out.event(EventKind::RunStart, "kickoff")
                .value(BlockRole::OtherInput("Inputs"), event.get("inputs"));
        }
        "crew_kickoff_completed" | "crew_kickoff_failed" | "flow_finished" if is_run => {
            let has_failed = kind.ends_with("failed");
            out.run.status = Some(if has_failed { RunStatus::Error } else { RunStatus::Ok });
            let output = event.any(&["output.raw", "output", "result"]);
            let item = out.event(EventKind::RunEnd, "crew ended").summary(output);
            item.value(BlockRole::Output, output).error(error);
            item.fields(event, &[("Total tokens", "total_tokens")]);
        }
        "tool_usage_started" => {
            out.call(Json::ABSENT, event.get("tool_name"), event.get("tool_args"));
        }
        "tool_usage_finished" | "tool_usage_error" => {
            let name = event.get("tool_name").label();
            let item = out.result(Json::ABSENT, event.get("output")).name(name);
            item.fields(event, &[("From cache", "from_cache"), ("Attempts", "run_attempts")]);
            match has_content(error) {
                true => drop(item.error(error)),
                false => drop(item.status(Status::Ok)),
            }
        }
        "llm_call_started" => {
            let item = out.item(What::Model).joins(joins(id));
            item.name(event.get("model"));
            let messages = event.get("messages");
            if messages.kind() == Kind::Array {
                item.part(Part::Messages(BlockRole::Messages, content::messages(messages)));
            } else {
                item.value(BlockRole::Prompt, messages);
            }
        }
        "llm_call_completed" | "llm_call_failed" => {
            let counts = event.get("usage");
            let response = event.get("response");
            // A response without text has only the calls, and they have events of their own.
            let calls = response.items().map(content::call_of);
            let calls: Vec<_> = calls.filter(|(_, name, _)| name.is_given()).collect();
            let mut parts = if calls.is_empty() { content::pieces(response) } else { Vec::new() };
            for (_, name, arguments) in calls {
                let arguments = out.unpack(arguments);
                parts.push(Part::Call(name.label(), arguments));
            }
            let item = out.model(parts, joins(id));
            item.asks(response);
            item.tokens(Flavour::of(counts), counts).error(error);
            item.name(event.get("model")).ends(true);
        }
        "llm_stream_chunk" => out.nothing(),
        "agent_execution_started" | "agent_execution_completed" | "agent_execution_error" => {
            let agent = event.any(&["agent_role", "agent.role"]);
            let agent = agent.label();
            if kind.ends_with("started") {
                let item = out.event(EventKind::Agent, agent).opens();
                item.text(event.get("task_prompt"));
            } else {
                out.item(What::End)
                    .name(agent)
                    .error(error)
                    .value(BlockRole::Output, event.get("output"));
            }
        }
        kind => {
            let words = event.any(&["task_name", "output.raw", "output", "agent_role", "query"]);
            let item = out.note(kind.replace('_', " ")).summary(words);
            item.value("Event", if event == record { Json::ABSENT } else { event }).error(error);
        }
    }
}

/// The pieces of an LLM call share its id, in versions that have one.
fn joins(id: Json<'_>) -> Joins<'_> {
    if id.is_given() { Joins::Id(id) } else { Joins::Neighbours }
}
