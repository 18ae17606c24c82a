//! Agents that write code: the logs that they leave on the disk.

use super::{Card, Evidence, Family};

/// Agents that write code: the logs that they leave on the disk.
pub static CODING: Family =
    Family { name: "Coding agents", cards: &[&CLAUDE_CODE, &CODEX, &COPILOT_CHAT, &COPILOT_CLI] };

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
pub static COPILOT_CHAT: Card = Card {
    id: "copilot-chat",
    name: "GitHub Copilot Chat",
    versions: "chat sessions of VS Code of 2025 and 2026: documents, journals, exports",
    found_at: "<VS Code's data>/User/workspaceStorage/<id>/chatSessions/, Chat: Export Chat…",
    docs: "https://code.visualstudio.com/docs/copilot/chat/chat-sessions",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static COPILOT_CLI: Card = Card {
    id: "copilot-cli",
    name: "GitHub Copilot CLI",
    versions: "0.0.3xx to 1.0.76: sessions, JSON output, events of the Copilot SDK and its recorded conversations",
    found_at: "~/.copilot/session-state/<session>/events.jsonl, copilot --output-format json",
    docs: "https://github.com/github/copilot-sdk/blob/main/nodejs/src/generated/session-events.ts",
    evidence: Evidence::RealFiles,
};
