//! The database of Hermes Agent: `state.db` with the tables `sessions` and `messages`.
//!
//! Read from the program (github.com/NousResearch/hermes-agent, `hermes_state.py` and `hermes_state_common.py`). A
//! document has the form of `hermes sessions export`: the columns of the session, and its messages. Messages that the
//! user took back (`active` is 0) are left out, unless a compaction replaced them.

use super::producer::{Fields, Ids, Order, Producer, member};
use traceloupe_core::json::{is_strict, quoted};

/// See [`Producer`].
pub(super) static HERMES: Producer = Producer {
    name: "Hermes Agent",
    ids: Ids::Columns,
    sessions: ("sessions", &["id", "source", "model_config", "started_at", "end_reason"]),
    parent: "parent_session_id",
    outer: ("messages", &["id", "session_id", "role", "content", "tool_calls", "tool_name"]),
    order: Order::Columns("id", ""),
    inner: None,
    begin,
    message,
};

fn begin(row: Fields<'_>, out: &mut String) {
    /// The columns that are written under their own names.
    const COLUMNS: [&str; 20] = [
        "id",
        "source",
        "model",
        "system_prompt",
        "started_at",
        "ended_at",
        "end_reason",
        "title",
        "cwd",
        "git_branch",
        "billing_provider",
        "input_tokens",
        "output_tokens",
        "cache_read_tokens",
        "cache_write_tokens",
        "reasoning_tokens",
        "actual_cost_usd",
        "estimated_cost_usd",
        "cost_status",
        "parent_session_id",
    ];
    out.push('{');
    row.write(&COLUMNS.map(|name| (name, name)), out);
    out.push_str(",\"messages\":[");
}

fn message(row: Fields<'_>, out: &mut String) {
    /// What comes before content that is a list of parts.
    const PARTS: &str = "\u{0}json:";
    let is_zero = |column| row.get(column).integer() == Some(0);
    if is_zero("active") && row.get("compacted").integer().is_none_or(|it| it == 0) {
        return;
    }
    out.push('{');
    let columns = ["role", "timestamp", "tool_call_id", "tool_name", "finish_reason", "reasoning"];
    row.write(&columns.map(|name| (name, name)), out);
    if let Some(content) = row.get("content").text() {
        match content.strip_prefix(PARTS).filter(|parts| is_strict(parts)) {
            Some(parts) => member("content", parts, out),
            None => member("content", &quoted(&content), out),
        }
    }
    row.write_json(&[("tool_calls", "tool_calls")], out);
    out.push('}');
}
