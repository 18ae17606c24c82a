//! Agents that write code: the logs that they leave on the disk.

use super::{Card, Evidence, Family};

/// Agents that write code: the logs that they leave on the disk.
pub static CODING: Family = Family {
    name: "Coding agents",
    cards: &[
        &CLAUDE_CODE,
        &CODEX,
        &PI,
        &OPENCLAW,
        &DROID,
        &GOOSE,
        &AMP,
        &KIMI,
        &KIRO,
        &CRUSH,
        &CURSOR,
        &AIDER,
        &HERMES,
        &LETTA,
    ],
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
pub static PI: Card = Card {
    id: "pi",
    name: "pi",
    versions: "sessions of versions 1 to 3, also those of OpenClaw; logs of pi --mode json",
    found_at: "~/.pi/agent/sessions/<folder>/<session>.jsonl, ~/.openclaw/agents/<agent>/sessions/<session>.jsonl",
    docs: "https://github.com/badlogic/pi-mono/tree/main/packages/coding-agent",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static OPENCLAW: Card = Card {
    id: "openclaw",
    name: "OpenClaw",
    versions: "trajectories of version 1, exported or as recorded; its sessions are read as those of pi",
    found_at: "/export-trajectory, ~/.openclaw/agents/<agent>/sessions/<session>.trajectory.jsonl",
    docs: "https://docs.openclaw.ai/tools/trajectory",
    evidence: Evidence::Documentation,
};

/// See [`Card`].
pub static DROID: Card = Card {
    id: "droid",
    name: "Factory Droid",
    versions: "sessions; streams of droid exec",
    found_at: "~/.factory/sessions/<folder>/<session>.jsonl, droid exec --output-format stream-json",
    docs: "https://docs.factory.ai/cli/droid-exec/overview",
    evidence: Evidence::Documentation,
};

/// See [`Card`].
pub static GOOSE: Card = Card {
    id: "goose",
    name: "Goose",
    versions: "exports (JSON, YAML); session files of 2025",
    found_at: "goose session export --format json, ~/.local/share/goose/sessions/<session>.jsonl",
    docs: "https://block.github.io/goose/docs/guides/sessions/session-management",
    evidence: Evidence::Documentation,
};

/// See [`Card`].
pub static AMP: Card = Card {
    id: "amp",
    name: "Amp",
    versions: "threads",
    found_at: "~/.local/share/amp/threads/T-<id>.json",
    docs: "https://ampcode.com/manual",
    evidence: Evidence::Documentation,
};

/// See [`Card`].
pub static KIMI: Card = Card {
    id: "kimi",
    name: "Kimi CLI",
    versions: "wire logs, of protocol 1.4 and of 2025",
    found_at: "~/.kimi/sessions/<folder>/<session>/wire.jsonl",
    docs: "https://github.com/MoonshotAI/kimi-cli",
    evidence: Evidence::Documentation,
};

/// See [`Card`].
pub static KIRO: Card = Card {
    id: "kiro",
    name: "Kiro CLI",
    versions: "sessions of version v1",
    found_at: "~/.kiro/sessions/cli/<session>.jsonl",
    docs: "https://kiro.dev/docs/cli/",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static CURSOR: Card = Card {
    id: "cursor",
    name: "Cursor",
    versions: "streams of cursor-agent, transcripts of agents (JSONL)",
    found_at: "cursor-agent --output-format stream-json, ~/.cursor/projects/<project>/agent-transcripts/",
    docs: "https://cursor.com/docs/cli/reference/output-format",
    evidence: Evidence::Documentation,
};

/// See [`Card`].
pub static HERMES: Card = Card {
    id: "hermes",
    name: "Hermes Agent",
    versions: "sessions, JSON and JSONL",
    found_at: "~/.hermes/sessions/",
    docs: "https://hermes-agent.nousresearch.com/docs/",
    evidence: Evidence::Documentation,
};

/// See [`Card`].
pub static LETTA: Card = Card {
    id: "letta",
    name: "Letta",
    versions: "agent files (.af) of 2025 and 2026",
    found_at: "exports of an agent (.af)",
    docs: "https://docs.letta.com/guides/agents/agent-file",
    evidence: Evidence::RealFiles,
};

/// See [`Card`].
pub static CRUSH: Card = Card {
    id: "crush",
    name: "Crush",
    versions: "sessions as crush session show prints them",
    found_at: "crush session show --json <session>",
    docs: "https://github.com/charmbracelet/crush",
    evidence: Evidence::Documentation,
};

/// See [`Card`].
pub static AIDER: Card = Card {
    id: "aider",
    name: "Aider",
    versions: "chat histories (Markdown) of 2024 and later",
    found_at: ".aider.chat.history.md in the folder of the project",
    docs: "https://aider.chat/docs/config/options.html",
    evidence: Evidence::RealFiles,
};
