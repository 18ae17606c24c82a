//! The records as they are in the file.

use std::borrow::Cow;

use super::blocks::Message;
use super::tolerant::{Raw, tolerant_object};
use traceloupe_core::json::Json;
use traceloupe_core::model::arguments::{COMMANDS, FILES, PATTERNS, PLACES};

tolerant_object! {
    /// A record of any type.
    Envelope {
        kind: Raw<'a> = "type",
        subtype: Raw<'a> = "subtype",
        uuid: Raw<'a> = "uuid",
        parent_uuid: Raw<'a> = "parentUuid",
        session_id: Raw<'a> = "sessionId",
        agent_id: Raw<'a> = "agentId",
        is_sidechain: Raw<'a> = "isSidechain",
        is_meta: Raw<'a> = "isMeta",
        is_compact_summary: Raw<'a> = "isCompactSummary",
        is_transcript_only: Raw<'a> = "isVisibleInTranscriptOnly",
        is_api_error: Raw<'a> = "isApiErrorMessage",
        /// The author of a message of the user, since 2.1.2xx.
        origin: Origin<'a> = "origin",
        timestamp: Raw<'a> = "timestamp",
        message: Message<'a> = "message",
        request_id: Raw<'a> = "requestId",
        /// The duration of an LLM call, written by 1.0.
        duration_ms: Raw<'a> = "durationMs",
        cost_usd: Raw<'a> = "costUSD",
        tool_use_result: Raw<'a> = "toolUseResult",
        cwd: Raw<'a> = "cwd",
        git_branch: Raw<'a> = "gitBranch",
        version: Raw<'a> = "version",
        data: Raw<'a> = "data",
        attachment: Raw<'a> = "attachment",
        parent_tool_use_id: Raw<'a> = "parentToolUseID",
        tool_use_id: Raw<'a> = "toolUseID",
        leaf_uuid: Raw<'a> = "leafUuid",
        summary: Raw<'a> = "summary",
        ai_title: Raw<'a> = "aiTitle",
        custom_title: Raw<'a> = "customTitle",
        last_prompt: Raw<'a> = "lastPrompt",
        content: Raw<'a> = "content",
        error: Raw<'a> = "error",
        /// The content of a record with few fields: mode, name, address.
        mode: Raw<'a> = "mode",
        permission_mode: Raw<'a> = "permissionMode",
        agent_name: Raw<'a> = "agentName",
        pr_url: Raw<'a> = "prUrl",
        /// The web export: all records in one document.
        loglines: Raw<'a> = "loglines",
    }
}

tolerant_object! {
    /// `origin` of a message of the user.
    Origin {
        kind: Raw<'a> = "kind",
    }
}

impl Origin<'_> {
    /// The name of a message that the user did not write.
    pub(super) fn name(&self) -> Option<&'static str> {
        match &*self.kind.text()? {
            "peer" => Some("peer-message"),
            "coordinator" => Some("coordinator-message"),
            "task-notification" => Some("task-notification"),
            _ => None,
        }
    }
}

tolerant_object! {
    /// `data` of a progress record.
    Progress {
        kind: Raw<'a> = "type",
        agent_id: Raw<'a> = "agentId",
        message: ProgressMessage<'a> = "message",
    }
}

tolerant_object! {
    /// The record of a sub-agent inside an `agent_progress` record (2.1.1x): a small envelope.
    ProgressMessage {
        kind: Raw<'a> = "type",
        uuid: Raw<'a> = "uuid",
        timestamp: Raw<'a> = "timestamp",
        message: Message<'a> = "message",
        request_id: Raw<'a> = "requestId",
        tool_use_result: Raw<'a> = "toolUseResult",
    }
}

tolerant_object! {
    /// `attachment` of an attachment record.
    Attachment {
        kind: Raw<'a> = "type",
        tool_use_id: Raw<'a> = "toolUseID",
        prompt: Raw<'a> = "prompt",
        command_mode: Raw<'a> = "commandMode",
        origin: Origin<'a> = "origin",
    }
}

/// The most informative argument for one line.
pub(super) fn main_argument(arguments: Json<'_>) -> Option<&str> {
    let others = ["skill", "description", "prompt"];
    let keys = COMMANDS.iter().chain(&PATTERNS).chain(&FILES).chain(&PLACES).chain(&others);
    let mut raw = keys.map(|key| arguments.field(key).raw());
    raw.find(|raw| raw.starts_with('"') && raw.len() > 2)
}

tolerant_object! {
    /// The fields that are read from the arguments of a call: those of one that may start a sub-agent, and the time limit of
    /// a command in milliseconds.
    ToolInput {
        description: Raw<'a> = "description",
        prompt: Raw<'a> = "prompt",
        subagent_type: Raw<'a> = "subagent_type",
        timeout: Raw<'a> = "timeout",
    }
}

impl ToolInput<'_> {
    /// Type and task of the sub-agent that the call starts, or empty.
    pub(super) fn agent_name(&self) -> String {
        match (self.subagent_type.filled(), self.description.filled()) {
            (Some(kind), Some(task)) => format!("{kind}: {task}"),
            (Some(name), None) | (None, Some(name)) => name.into_owned(),
            (None, None) => String::new(),
        }
    }
}

tolerant_object! {
    /// The fields that are read from `toolUseResult`.
    ToolUseResult {
        agent_id: Raw<'a> = "agentId",
        duration_ms: Raw<'a> = "durationMs",
        total_duration_ms: Raw<'a> = "totalDurationMs",
        duration_s: Raw<'a> = "durationSeconds",
        interrupted: Raw<'a> = "interrupted",
        return_code: Raw<'a> = "returnCodeInterpretation",
        is_async: Raw<'a> = "isAsync",
        status: Raw<'a> = "status",
        total_tokens: Raw<'a> = "totalTokens",
        total_tool_use_count: Raw<'a> = "totalToolUseCount",
        stdout: Raw<'a> = "stdout",
        stderr: Raw<'a> = "stderr",
        structured_patch: Raw<'a> = "structuredPatch",
        return_code_interpretation: Raw<'a> = "returnCodeInterpretation",
    }
}

tolerant_object! {
    /// An API error, at any depth of its nesting.
    ApiError {
        kind: Raw<'a> = "type",
        code: Raw<'a> = "code",
        status: Raw<'a> = "status",
        formatted: Raw<'a> = "formatted",
        message: Raw<'a> = "message",
        error: Raw<'a> = "error",
        connection: Raw<'a> = "connection",
    }
}

impl<'a> ApiError<'a> {
    /// Reads the `error` of a `system/api_error` record, outermost first. Real errors are nested three deep: the
    /// client's error, the response's body, the error inside it.
    fn layers(error: Raw<'a>) -> Vec<Self> {
        let mut layers = Vec::new();
        let mut next = error;
        while next.json().is_some_and(|raw| raw.starts_with('{')) && layers.len() < 4 {
            let layer: Self = next.object();
            next = if layer.error.is_some() { layer.error } else { layer.connection };
            layers.push(layer);
        }
        layers
    }

    /// The most specific class of the error: `overloaded_error`, `ECONNRESET`, `529`.
    pub(super) fn class(error: Raw<'a>) -> Option<Cow<'a, str>> {
        if let Some(text) = error.filled() {
            return Some(text);
        }
        let layers = Self::layers(error);
        let name = |layer: &Self| {
            layer.kind.filled().filter(|kind| kind != "error").or_else(|| layer.code.filled())
        };
        let status = |layer: &Self| layer.status.count().map(|code| Cow::Owned(code.to_string()));
        layers.iter().rev().find_map(name).or_else(|| layers.iter().find_map(status))
    }

    /// The error's message, as JSON in the record.
    pub(super) fn message(error: Raw<'a>) -> Raw<'a> {
        let layers = Self::layers(error);
        layers
            .iter()
            .map(|layer| layer.formatted)
            .chain(layers.iter().rev().map(|layer| layer.message))
            .find(|text| text.filled().is_some())
            .unwrap_or(error)
    }
}
