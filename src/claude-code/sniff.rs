//! Whether records were written by Claude Code itself.

use traceloupe_engine::{Probe, ProbeRecord, Verdict};

/// Types of records beside the messages that carry a `sessionId`.
const SIDE_TYPES: [&str; 14] = [
    "agent-name",
    "ai-title",
    "attachment",
    "bridge-session",
    "custom-title",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "progress",
    "queue-operation",
    "system",
    "tag",
    "worktree-state",
];

/// How certain one record is; larger values are more certain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Sign {
    /// A record of another producer that copied the envelope.
    Foreign,
    /// Indicates nothing.
    Nothing,
    /// A record without a session: a summary, a snapshot.
    Sessionless,
    /// A record of a known type with its session.
    Side,
    /// A message without the chain of uuids.
    Message,
    /// A message in the full envelope.
    Envelope,
}

pub(super) fn sniff(probe: &Probe<'_>) -> Verdict {
    if let Some(document) = probe.document()
        && document.has("loglines")
    {
        let is_ours = document
            .list("loglines", Probe::MAX_RECORDS)
            .iter()
            .any(|record| is_anthropic_message(record) && record.has("type"));
        return if is_ours {
            Verdict::Certain("a document with `loglines` of messages".to_owned())
        } else {
            Verdict::No
        };
    }
    let signs = || probe.records.iter().map(sign_of);
    if signs().any(|sign| sign == Sign::Foreign) {
        return Verdict::No;
    }
    let is_iflow =
        probe.any(|record| record.str("sessionId").is_some_and(|id| id.starts_with("session-")));
    match signs().max().unwrap_or(Sign::Nothing) {
        Sign::Envelope if is_iflow => Verdict::Certain(
            "records have `sessionId`, `uuid` and `parentUuid`; the session id is iFlow's"
                .to_owned(),
        ),
        Sign::Envelope => Verdict::Certain(
            "records have `sessionId`, `uuid`, `parentUuid` and Anthropic messages".to_owned(),
        ),
        Sign::Message => {
            Verdict::Likely("records have `sessionId` and Anthropic messages".to_owned())
        }
        Sign::Side => {
            Verdict::Likely("records of known types with `sessionId`, no message yet".to_owned())
        }
        Sign::Sessionless => Verdict::Likely(
            "records are session summaries, file snapshots, or what is noted of agents".to_owned(),
        ),
        Sign::Foreign | Sign::Nothing => Verdict::No,
    }
}

fn sign_of(record: &ProbeRecord<'_>) -> Sign {
    let kind = record.str("type").unwrap_or_default();
    if record.has("session_id") && !record.has("sessionId") {
        // The stream of `claude -p --output-format stream-json`.
        return Sign::Nothing;
    }
    if record.str("sessionId").is_some() {
        // Qwen Code has Claude Code's envelope around Gemini's parts.
        let parts = record.object("message").is_some_and(|message| message.has("parts"));
        // CodeBuddy has the same titles and snapshots, beside items of the Responses API.
        let is_item = matches!(kind, "message" | "function_call");
        if parts || is_item || record.has("systemPayload") {
            return Sign::Foreign;
        }
        let is_chained = record.has_all(&["uuid", "parentUuid"]);
        if matches!(kind, "user" | "assistant") && is_anthropic_message(record) {
            return if is_chained { Sign::Envelope } else { Sign::Message };
        }
        if is_chained && SIDE_TYPES.contains(&kind) && record.has_all(&["isSidechain", "userType"])
        {
            return Sign::Envelope;
        }
        if SIDE_TYPES.contains(&kind) {
            return Sign::Side;
        }
    }
    let is_sessionless = kind == "summary" && record.has_all(&["summary", "leafUuid"])
        || kind == "file-history-snapshot" && record.has_all(&["messageId", "snapshot"])
        || matches!(kind, "started" | "result") && record.has_all(&["key", "agentId"])
        // `agent-<id>.meta.json`
        || kind.is_empty() && record.has_all(&["agentType", "description"]);
    if is_sessionless { Sign::Sessionless } else { Sign::Nothing }
}

fn is_anthropic_message(record: &ProbeRecord<'_>) -> bool {
    record.object("message").is_some_and(|message| message.has_all(&["role", "content"]))
}
