//! Agents that write code: the logs that they leave on the disk.

use super::{Card, Evidence, Family};

/// Agents that write code: the logs that they leave on the disk.
pub static CODING: Family = Family {
    name: "Coding agents",
    cards: &[&CLAUDE_CODE, &CODEX, &OPENHANDS, &OPENHANDS_V0, &SWE_AGENT, &MINI_SWE_AGENT],
};

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
pub static SWE_AGENT: Card = Card {
    id: "swe-agent",
    name: "SWE-agent",
    versions: "0.x to 1.1: text and function calls, several attempts",
    found_at: "trajectories/<user>/<run>/<instance>/<instance>.traj",
    docs: "https://swe-agent.com/latest/usage/trajectories/",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static MINI_SWE_AGENT: Card = Card {
    id: "mini-swe-agent",
    name: "mini-swe-agent",
    versions: "1 and 2: code blocks, function calls, Responses API; bare lists of messages",
    found_at: "<instance>.traj.json of mini-extra swebench, ~/.config/mini-swe-agent/last_mini_run.traj.json",
    docs: "https://mini-swe-agent.com/latest/usage/output_files/",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static OPENHANDS: Card = Card {
    id: "openhands",
    name: "OpenHands",
    versions: "V1, the software agent SDK: events of a conversation",
    found_at: "~/.openhands/conversations/<id>/events/",
    docs: "https://docs.openhands.dev/sdk/arch/events",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static OPENHANDS_V0: Card = Card {
    id: "openhands-v0",
    name: "OpenHands V0",
    versions: "0.x: trajectories, event files, output.jsonl of evaluations",
    found_at: "trajectories saved from the interface, evaluation_outputs/**/output.jsonl",
    docs: "https://github.com/OpenHands/OpenHands/tree/main/evaluation",
    evidence: Evidence::RealFiles,
};
