//! The keys that link events within a run and across runs and files.

use crate::ID;
use crate::blocks::Message;
use crate::tolerant::Raw;
use traceloupe_core::model::key_hash;

/// A record of a run.
pub(super) fn record(run_key: &str, uuid: &str) -> u64 {
    key_hash(&[ID, "record", run_key, uuid])
}

/// A record, in any run.
pub(super) fn any_record(uuid: &str) -> u64 {
    key_hash(&[ID, "any-record", uuid])
}

/// A tool call of a run.
pub(super) fn tool_call(run_key: &str, tool_use_id: &str) -> u64 {
    key_hash(&[ID, "tool-call", run_key, tool_use_id])
}

/// An LLM call of a run, if the message has an id, or at least the request.
pub(super) fn llm_call(run_key: &str, message: &Message<'_>, request: Raw<'_>) -> Option<u64> {
    let id = message.id.filled().or_else(|| request.filled())?;
    Some(key_hash(&[ID, "llm-call", run_key, &id, &request.text().unwrap_or_default()]))
}

/// One model response, in any run: the unit that is paid for once.
pub(super) fn response(message: &Message<'_>, request: Raw<'_>) -> Option<u64> {
    let id = message.id.filled().or_else(|| request.filled())?;
    Some(key_hash(&[ID, "response", &id, &request.text().unwrap_or_default()]))
}

/// A prompt given to a sub-agent of a run: it is in the call, and again in the agent's first message.
pub(super) fn prompt(run_key: &str, text: &str) -> u64 {
    key_hash(&[ID, "prompt", run_key, text.trim()])
}

/// A user's record below some parent; a second one there is a fork.
pub(super) fn user_child(run_key: &str, parent_uuid: &str) -> u64 {
    key_hash(&[ID, "user-child", run_key, parent_uuid])
}

/// A title of a rank, of a run.
pub(super) fn title(run_key: &str, rank: &str) -> u64 {
    key_hash(&[ID, "title", run_key, rank])
}

/// The link of all forks.
pub(super) fn forks() -> u64 {
    key_hash(&[ID, "forks"])
}

/// The link of all results that came before their calls.
pub(super) fn early_results() -> u64 {
    key_hash(&[ID, "early-results"])
}
