//! Agents that write code: the logs that they leave on the disk.

use super::{Card, Evidence, Family};

/// Agents that write code: the logs that they leave on the disk.
pub static CODING: Family =
    Family { name: "Coding agents", cards: &[&CLAUDE_CODE, &CODEX, &CLAUDE_STREAM, &CLINE] };

/// See [`Card`].
pub static CLAUDE_CODE: Card = Card {
    id: "claude-code",
    name: "Claude Code",
    versions: "1.0 – 2.1 sessions with sub-agents, web sessions, iFlow",
    found_at: "~/.claude/projects/<folder>/<session>.jsonl",
    docs: "https://code.claude.com/docs/en/how-claude-code-works",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static CODEX: Card = Card {
    id: "codex",
    name: "Codex CLI",
    versions: "rollouts of 2025 and 2026, 0.118 to 0.128",
    found_at: "~/.codex/sessions/<year>/<month>/<day>/rollout-….jsonl",
    docs: "https://github.com/openai/codex",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static CLAUDE_STREAM: Card = Card {
    id: "claude-stream",
    name: "Claude Agent SDK",
    versions: "stream-json of Claude Code, Cursor, Amp and Qwen Code; messages of the Agent SDK, GitHub action",
    found_at: "claude -p --output-format stream-json --verbose > session.jsonl",
    docs: "https://code.claude.com/docs/en/agent-sdk/typescript#message-types",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static CLINE: Card = Card {
    id: "cline",
    name: "Cline, Roo Code, Kilo Code",
    versions: "tasks of 2024 to 2026, sessions of the Cline SDK",
    found_at: "<VS Code>/User/globalStorage/<extension>/tasks/<task>/api_conversation_history.json, ui_messages.json",
    docs: "https://docs.cline.bot/features/tasks/task-management",
    evidence: Evidence::RealFiles,
};
