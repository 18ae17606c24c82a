//! Letta: agent files (`.af`), which hold agents with their memory, tools and messages, and messages of its API.
//!
//! Read from its documentation (docs.letta.com, Agent File) and two files of 2026. Since 2025 a file has a list of
//! agents, each with its messages; earlier files are a single agent. A message of the assistant is one LLM call;
//! results are messages of their own, with their status under `tool_returns`.
//!
//! The API (docs.letta.com, List Messages and Send Message) has a message for each thought, text and call of a step,
//! which is one LLM call; lists begin with the newest message.

use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::OPENAI;

/// The format.
pub static LETTA: Described = Described {
    signs: &[
        Sign::record(
            "the document has agents with a type, and memory blocks",
            &[Test::Has("agents.0.agent_type"), Test::List("blocks")],
        ),
        Sign::record(
            "the document is an agent with its memory and messages",
            &[Test::Text("agent_type"), Test::List("core_memory"), Test::List("messages")],
        ),
        Sign::certain(On::Within(&["messages"]), "messages have a `message_type` of the API", API),
    ],
    lists: &["agents.**", "messages"],
    quiet: &[
        "type|role|created_at|date|message_type|step_id|id|model|agent_id",
        "content.*.type",
        "tool_calls.*.type",
        "tool_calls.*.function.name",
        "tool_returns.*.tool_call_id|status",
    ],
    ..Described::new(&catalog::LETTA, describe)
};

const API: &[Test] = &[
    Test::OneOf(
        "message_type",
        &[
            "system_message",
            "user_message",
            "reasoning_message",
            "hidden_reasoning_message",
            "tool_call_message",
            "tool_return_message",
            "assistant_message",
            "approval_request_message",
            "approval_response_message",
            "usage_statistics",
        ],
    ),
    Test::HasOne(&["id", "step_count"]),
];

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if let Some(kind) = record.get("message_type").word() {
        return told(&kind, record, out);
    }
    if entry.is_document && record.get("messages.0.message_type").is_given() {
        out.run.records = Records::Itself;
        out.event(EventKind::RunStart, "response");
        out.after_list();
        told("usage_statistics", record.get("usage"), out);
        return;
    }
    let agent = record.any(&["agent_id", "id"]);
    if entry.is_document && record.get("agents").is_given() {
        // The file was created after its messages: its time is not the start of the run.
        out.event(EventKind::RunStart, "agent file")
            .summary(record.get("agents.0.name"))
            .field("Exported", record.get("created_at"))
            .value("Memory blocks", record.get("blocks"))
            .value(BlockRole::Tools, record.get("tools"));
        return;
    }
    // Agents beyond the first one are lanes of their own.
    if agent.is_given()
        && !agent.is("agent-0")
        && record.any(&["agent_id", "agent_type"]).is_given()
    {
        out.run.agent.is(agent);
    }
    if entry.is_document {
        let name = record.get("name");
        match out.run.agent.id().is_given() {
            true => out.run.agent.name = name,
            false => {
                out.run.titles.agent = name;
                out.run.models.name = record.any(&["llm_config.model", "model"]);
                let facts = [("Agent type", "agent_type"), ("Description", "description")];
                out.facts(record, &facts);
            }
        }
        out.event(EventKind::Agent, name)
            .summary(record.get("description"))
            .value(BlockRole::Instructions, record.get("system"))
            .value("Memory", record.get("core_memory"))
            .value(BlockRole::Tools, record.get("tools"));
        return;
    }
    out.at(record.get("created_at"));
    match record.get("role").is("approval") {
        true => approval(record, out),
        false => content::said(record, Joins::Nothing, out),
    }
    let returned = record.get("tool_returns.0");
    for item in &mut out.items {
        match item.what() {
            What::Model => item.name = record.get("model").label(),
            What::Result => {
                item.outcome(returned.get("status"))
                    .log("Standard output", returned.get("stdout"))
                    .log("Standard error", returned.get("stderr"));
            }
            _ => {}
        }
    }
}

/// A message of the API.
fn told<'a>(kind: &str, record: Json<'a>, out: &mut Description<'a>) {
    let step = record.get("step_id");
    let joins = if step.is_given() { Joins::Id(step) } else { Joins::Neighbours };
    out.run.times.order_rows = true;
    out.at(record.get("date"));
    let role = match kind {
        "system_message" => "system",
        "user_message" => "user",
        "assistant_message" | "tool_call_message" | "approval_request_message" => "assistant",
        "reasoning_message" | "hidden_reasoning_message" => {
            out.thinking(record.any(&["reasoning", "hidden_reasoning"])).joins(joins);
            return;
        }
        "tool_return_message" => {
            let several = record.get("tool_returns");
            let only = if several.item(0).is_given() { Json::ABSENT } else { record };
            return several.items().chain(only.given()).for_each(|it| returned(it, out));
        }
        "approval_response_message" => return approval(record, out),
        "usage_statistics" => {
            out.run.totals.usage = OPENAI.read(record);
            out.event(EventKind::RunEnd, "usage").last().value(BlockRole::Usage, record);
            return;
        }
        kind => {
            let words = record.any(&["summary", "content", "stop_reason"]);
            out.note(kind.replace('_', " ")).text(words);
            return;
        }
    };
    if role == "user" {
        out.run.titles.words = content::first_words(record);
    }
    content::message_of_role(role, record, joins, out);
    let call = record.get("tool_call");
    if call.is_given() && out.items.len() < 2 {
        let id = call.get("tool_call_id");
        out.asked_by(0, id, call.get("name"), call.get("arguments"));
        out.items.iter_mut().take(1).for_each(|item| item.row.asks = call);
    }
}

/// The result of a call.
fn returned<'a>(it: Json<'a>, out: &mut Description<'a>) {
    out.result(it.get("tool_call_id"), it.any(&["tool_return", "func_response"]))
        .outcome(it.get("status"))
        .log("Standard output", it.get("stdout"))
        .log("Standard error", it.get("stderr"));
}

/// Calls that wait for the user's approval, or the user's decision; results may be beside the decision.
fn approval<'a>(record: Json<'a>, out: &mut Description<'a>) {
    if record.get("tool_calls.0").is_given() {
        return content::message_of_role("assistant", record, Joins::Nothing, out);
    }
    let reason = record.get("denial_reason");
    let item = out.note("approval").text(reason);
    item.field("Approved", record.get("approve")).value("Approvals", record.get("approvals"));
    for told in record.get("approvals").items() {
        let id = told.get("tool_call_id");
        if told.get("tool_return").is_given() {
            out.result(id, told.get("tool_return")).outcome(told.get("status"));
        } else if told.get("approve").bool() == Some(false) {
            out.update(id).status(Status::Rejected);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn a_run_does_not_begin_when_its_file_was_written() {
        let file = r#"{"agents":[{"id":"agent-0","name":"Pilot","agent_type":"letta_v1_agent","messages":[{"role":"user","content":"Steer","created_at":"2026-05-01T10:00:00Z","agent_id":"agent-0"},{"role":"assistant","content":"Yes","created_at":"2026-05-01T10:00:05Z","agent_id":"agent-0"}]}],"blocks":[],"tools":[],"created_at":"2026-05-02T23:00:00Z"}"#;
        let read = read(&LETTA, &[&[file]]);
        let times: Vec<_> =
            read.trace.events().iter().filter_map(|event| event.start.get()).collect();
        let took = times.iter().max().unwrap() - times.iter().min().unwrap();
        assert!(took <= 5_000_000_000, "{times:?}");
    }
}
