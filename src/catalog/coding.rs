//! Agents that write code: the logs that they leave on the disk.

use super::{Card, Evidence, Family};

/// Agents that write code: the logs that they leave on the disk.
pub static CODING: Family = Family { name: "Coding agents", cards: &[&CLAUDE_CODE, &CODEX, &PI] };

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
pub static PI: Card = Card {
    id: "pi",
    name: "pi",
    versions: "sessions of versions 1 to 3, also those of OpenClaw; logs of pi --mode json",
    found_at: "~/.pi/agent/sessions/<folder>/<session>.jsonl, ~/.openclaw/agents/<agent>/sessions/<session>.jsonl",
    docs: "https://github.com/badlogic/pi-mono/tree/main/packages/coding-agent",
    evidence: Evidence::RealFiles,
};
