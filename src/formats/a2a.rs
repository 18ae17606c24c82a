//! A2A (Agent2Agent): messages between agents as JSON-RPC 2.0, and saved tasks.
//!
//! Read from the protocol (<https://a2a-protocol.org/latest/specification/>, versions 0.1 to 1.0: the first one has
//! `tasks/send` and objects without a `kind`, the last one `TASK_STATE_COMPLETED` for `completed` and objects under
//! their kind) and from a recording of a client's tests. A message to an agent counts as a user message; the agent's
//! answer stands for the work of its model. Tasks repeat the content of earlier messages and updates.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::rpc;

/// The format.
pub static A2A: Described = Described {
    signs: &[
        certain(&[Test::OneOf("method", METHODS), rpc::VERSION_2]),
        certain(&[Test::OneOf("message.method", METHODS)]),
        certain(&[Test::OneOf("data.method", METHODS)]),
        certain(&[Test::OneOf("payload.method", METHODS)]),
        certain(&[rpc::VERSION_2, Test::OneOf("result.kind", KINDS)]),
        certain(&[rpc::VERSION_2, Test::Text("result.status.state")]),
        certain(&[Test::OneOf("kind", KINDS), Test::HasOne(IDS)]),
        certain(&[Test::Starts("status.state", "TASK_STATE_"), Test::HasOne(IDS)]),
        certain(&[Test::Starts("result.task.status.state", "TASK_STATE_"), rpc::VERSION_2]),
        certain(&[Test::HasOne(UPDATES)]),
        certain(&[Test::Starts("task.status.state", "TASK_STATE_"), Test::Has("task.contextId")]),
    ],
    quiet: &[
        "jsonrpc|id|method|kind|timestamp|ts|time|dir|direction",
        "params.message.kind|role|messageId",
        "result.kind",
        "status.timestamp",
        "result.status.timestamp",
    ],
    hooks: Hooks { tells_twice: true, ..Hooks::NONE },
    ..Described::new(&catalog::A2A, describe)
};

/// Methods that no other protocol on JSON-RPC 2.0 has.
const METHODS: &[&str] = &[
    "message/send",
    "message/stream",
    "tasks/send",
    "tasks/sendSubscribe",
    "tasks/get",
    "tasks/cancel",
    "tasks/resubscribe",
    "SendMessage",
    "SendStreamingMessage",
    "GetTask",
    "CancelTask",
    "SubscribeToTask",
];

/// The kinds of objects that agents answer with.
const KINDS: &[&str] = &["task", "status-update", "artifact-update", "message"];
const IDS: &[&str] = &["contextId", "taskId", "messageId"];

/// Updates of version 1.0, in answers to calls and in streams without JSON-RPC.
const UPDATES: &[&str] = &[
    "result.statusUpdate.taskId",
    "result.artifactUpdate.taskId",
    "statusUpdate.taskId",
    "artifactUpdate.taskId",
];

/// The members of objects in streams of version 1.0 without JSON-RPC.
const BARE: &[&str] =
    &["task.contextId", "statusUpdate.contextId", "artifactUpdate.contextId", "message.messageId"];

const fn certain(tests: &'static [Test]) -> Sign {
    let why = "records are messages or tasks of the Agent2Agent protocol";
    Sign::record(why, tests)
}

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(rpc::TIMES));
    let is_thing = record.any(IDS).is_given()
        || record.get("status").is_given()
        || BARE.iter().any(|it| record.get(it).is_given());
    match rpc::is_rpc(record) || !is_thing {
        true => message(record, out),
        false => drop(thing(record, out)),
    }
}

/// Whether a method is one of A2A.
#[must_use]
pub(super) fn is_method(method: Json<'_>) -> bool {
    METHODS.iter().any(|it| method.is(it))
}

/// A message of the protocol, bare or in the record of a log.
pub(super) fn message<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let Some(rpc) = rpc::read(record, out) else { return };
    if rpc.method.is_given() {
        rpc.request(out);
        let said = rpc.params.get("message");
        if said.is_given() {
            said_by(said, false, out);
        }
    } else if !thing(rpc.result, out) {
        rpc.response(out);
    } else {
        out.item(What::End).span(rpc.id, Json::ABSENT).status(Status::Ok);
    }
}

/// A task, an update of one, or a message. Returns whether the value is any of these.
fn thing<'a>(value: Json<'a>, out: &mut Description<'a>) -> bool {
    // Version 1.0 puts the object under its kind.
    let value = value.any(&["task", "statusUpdate", "artifactUpdate", "msg"]).or(value);
    let value = match value.get("message").kind() {
        Kind::Object if value.get("status").is_absent() => value.get("message"),
        _ => value,
    };
    let status = value.get("status");
    if value.get("messageId").is_given() {
        said_by(value, false, out);
        return true;
    }
    let artifact = value.get("artifact");
    if status.is_absent() && artifact.is_absent() {
        return false;
    }
    out.at(status.get("timestamp"));
    out.facts(value, &[("Context", "contextId")]);
    // A task repeats what its updates reported.
    let is_task = !value.get("taskId").is_given();
    let history = value.get("history");
    history.items().for_each(|it| said_by(it, true, out));
    for artifact in value.get("artifacts").items().chain(artifact.given()) {
        let name = artifact.any(&["name", "artifactId"]).label();
        let item = out.note(format!("artifact {name}").trim_end().to_owned());
        item.parts = content::pieces(artifact.get("parts"));
    }
    if status.is_given() {
        // The message of a status may also be among the messages of the task.
        let said = status.get("message");
        let id = said.get("messageId").word();
        let is_told = id.is_some() && history.items().any(|it| it.get("messageId").word() == id);
        if !is_told {
            said_by(said, is_task, out);
        }
        let word = status.get("state").label();
        let word =
            word.trim_start_matches("TASK_STATE_").to_ascii_lowercase().replace(['_', '-'], " ");
        let (run, own) = match word.as_str() {
            "completed" => (RunStatus::Ok, Status::Ok),
            "failed" | "rejected" => (RunStatus::Error, Status::Failed),
            "canceled" | "cancelled" => (RunStatus::Cancelled, Status::Cancelled),
            _ => (RunStatus::Running, Status::Unknown),
        };
        out.run.status = Some(run);
        out.event(EventKind::State, format!("task {word}"))
            .status(own)
            .fields(value, &[("Task", "taskId"), ("Task", "id")])
            .told(if is_told { said } else { Json::ABSENT })
            .value("Metadata", value.get("metadata"));
    }
    true
}

/// A message of a user or of an agent.
fn said_by<'a>(message: Json<'a>, is_again: bool, out: &mut Description<'a>) {
    let parts = content::pieces(message.get("parts"));
    if parts.is_empty() {
        return;
    }
    let is_agent = message.get("role").is("agent") || message.get("role").is("ROLE_AGENT");
    let item = match is_agent {
        true => out.model(parts, Joins::Nothing),
        false => {
            if out.run.titles.words.is_absent() {
                out.run.titles.words = message.get("parts.0.text");
            }
            let item = out.item(What::User);
            item.parts = parts;
            item
        }
    };
    item.repeats.is_again = is_again;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{read, sniff};
    use traceloupe_engine::Verdict;

    #[test]
    fn tasks_of_the_first_version_have_no_kind() {
        let lines = [
            r#"{"jsonrpc":"2.0","id":"1","method":"tasks/send","params":{"id":"t","sessionId":"s","message":{"role":"user","parts":[{"type":"text","text":"Berth?"}]}}}"#,
            r#"{"jsonrpc":"2.0","id":"1","result":{"id":"t","sessionId":"s","status":{"state":"completed"},"artifacts":[{"name":"answer","parts":[{"type":"text","text":"Number 4"}]}]}}"#,
        ];
        for line in lines {
            assert!(matches!(sniff(&A2A, "x", &[line]), Verdict::Certain(_)), "{line}");
        }
        let expected = ["span tasks/send", "user ", "note artifact answer", "state task completed"];
        assert_eq!(read(&A2A, &[&lines]).outline(), expected);
    }
}
