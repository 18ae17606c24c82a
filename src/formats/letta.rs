//! Letta: agent files (`.af`), which hold agents with their memory, tools and messages.
//!
//! Read from its documentation (docs.letta.com, Agent File) and two files of 2026. Since 2025 a file has a list of
//! agents, each with its messages; before, it was one agent. A message of the assistant is one LLM call; results
//! are messages of their own, with how they came out under `tool_returns`.

use super::kit::{Described, Description, Entry, Joins, On, Sign, Test, What};
use super::shapes::content;
use crate::catalog;
use crate::json::Json;
use crate::model::{EventKind, Status};

/// The format.
pub static LETTA: Described = Described {
    signs: &[
        Sign::certain(
            On::Any,
            "the document has agents with a type, and memory blocks",
            &[Test::Has("agents.0.agent_type"), Test::List("blocks")],
        ),
        Sign::certain(
            On::Any,
            "the document is an agent with its memory and messages",
            &[Test::Text("agent_type"), Test::List("core_memory"), Test::List("messages")],
        ),
    ],
    lists: &["agents.**", "messages"],
    quiet: &[
        "type",
        "role",
        "created_at",
        "id",
        "model",
        "agent_id",
        "content.*.type",
        "tool_calls.*.type",
        "tool_calls.*.function.name",
        "tool_returns.*.tool_call_id",
        "tool_returns.*.status",
    ],
    ..Described::new(&catalog::LETTA, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let agent = record.any(&["agent_id", "id"]);
    if entry.is_document && record.get("agents").is_given() {
        out.at(record.get("created_at"));
        out.event(EventKind::RunStart, "agent file")
            .summary(record.get("agents.0.name"))
            .value("Memory blocks", record.get("blocks"))
            .value("Tools", record.get("tools"));
        return;
    }
    // Agents beyond the first one are lanes of their own.
    if agent.is_given()
        && !agent.is("agent-0")
        && record.any(&["agent_id", "agent_type"]).is_given()
    {
        out.run.agent = agent;
    }
    if entry.is_document {
        let name = record.get("name");
        match out.run.agent.is_given() {
            true => out.run.agent_name = name,
            false => {
                out.run.title = name;
                out.run.model = record.any(&["llm_config.model", "model"]);
                let facts = [("Agent type", "agent_type"), ("Description", "description")];
                out.facts(record, &facts);
            }
        }
        let label = name.word().unwrap_or_default();
        out.event(EventKind::Agent, label)
            .summary(record.get("description"))
            .value("Instructions", record.get("system"))
            .value("Memory", record.get("core_memory"))
            .value("Tools", record.get("tools"));
        return;
    }
    out.at(record.get("created_at"));
    if record.get("role").is("user") {
        out.run.first_words = content::first_words(record);
    }
    match record.get("role").is("approval") {
        true => approval(record, out),
        false => content::message(record, Joins::Nothing, out),
    }
    let returned = record.get("tool_returns.0");
    for item in &mut out.items {
        match item.what {
            What::Model => item.name = record.get("model").word().unwrap_or_default(),
            What::Result => {
                match returned.get("status").word().unwrap_or_default().as_ref() {
                    "success" => item.status = Some(Status::Ok),
                    "error" => item.status = Some(Status::Error),
                    _ => {}
                }
                item.log("Standard output", returned.get("stdout"));
                item.log("Standard error", returned.get("stderr"));
            }
            _ => {}
        }
    }
}

/// Calls that wait for a person, or what the person said: then results may be beside it.
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
            out.update(id).status(Status::Cancelled);
        }
    }
}
