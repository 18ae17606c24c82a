//! Coding agents: the logs that they leave on disk.

use super::{Card, Entry, Evidence, Family};

/// Coding agents: the logs that they leave on disk.
pub static CODING: Family = Family {
    name: "Coding agents",
    cards: &[
        &CLAUDE_CODE,
        &CODEX,
        &CLAUDE_STREAM,
        &CLINE,
        &OPENCODE,
        &GEMINI_CLI,
        &CODEX_EXEC,
        &QWEN_CODE,
        &CLAUDE_EXPORT,
        &CHATGPT_EXPORT,
        &DEEPSEEK_EXPORT,
        &GROK_EXPORT,
        &OPEN_WEBUI,
        &LM_STUDIO,
        &LLM_CLI,
        &COPILOT_CHAT,
        &COPILOT_DEBUG,
        &COPILOT_CLI,
        &PI,
        &OPENCLAW,
        &DROID,
        &GOOSE,
        &AMP,
        &KIMI,
        &KIRO,
        &MISTRAL_VIBE,
        &AMAZON_Q,
        &ANTIGRAVITY,
        &GROK,
        &DEEPSEEK_HARNESS,
        &CRUSH,
        &CURSOR,
        &ZED,
        &FORGE,
        &CODEBUDDY,
        &CLAUDE_WORKFLOW,
        &AIDER,
        &SPECSTORY,
        &HERMES,
        &LETTA,
        &OPENHANDS,
        &OPENHANDS_V0,
        &SWE_AGENT,
        &MINI_SWE_AGENT,
        &ENTIRE,
        &TRAE_AGENT,
        &CONTINUE,
        &SESSION_TRACES,
    ],
};

/// See [`Card`].
pub static CLAUDE_CODE: Card = Card::new(Entry {
    id: "claude-code",
    name: "Claude Code",
    versions: "1.0 – 2.1 sessions with sub-agents, web sessions, iFlow",
    found_at: "~/.claude/projects/<folder>/<session>.jsonl",
    docs: "https://code.claude.com/docs/en/how-claude-code-works",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static CODEX: Card = Card::new(Entry {
    id: "codex",
    name: "Codex CLI",
    versions: "rollouts of 2025 and 2026, to 0.155, prompts",
    found_at: "~/.codex/sessions/<year>/<month>/<day>/rollout-….jsonl",
    docs: "https://github.com/openai/codex",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static CLAUDE_STREAM: Card = Card::new(Entry {
    id: "claude-stream",
    name: "Claude Agent SDK",
    versions: "stream-json of Claude Code, Amp, Qwen Code and cursor-agent; messages of the Agent SDK, GitHub action",
    found_at: "claude -p --output-format stream-json --verbose > session.jsonl",
    docs: "https://code.claude.com/docs/en/agent-sdk/typescript#message-types",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static CLINE: Card = Card::new(Entry {
    id: "cline",
    name: "Cline, Roo Code, Kilo Code",
    versions: "tasks of 2024 to 2026, sessions of the Cline SDK, output of cline --json",
    found_at: "<VS Code>/User/globalStorage/<extension>/tasks/<task>/api_conversation_history.json, ui_messages.json, task_metadata.json",
    docs: "https://docs.cline.bot/features/tasks/task-management",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static OPENCODE: Card = Card::new(Entry {
    id: "opencode",
    name: "OpenCode",
    versions: "databases, exports, printed runs, events of the server and storage of 2025 and 2026, to 2.0",
    found_at: "~/.local/share/opencode/opencode.db, opencode export <session>, ~/.local/share/opencode/storage",
    docs: "https://opencode.ai/docs/cli/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static GEMINI_CLI: Card = Card::new(Entry {
    id: "gemini-cli",
    name: "Gemini CLI",
    versions: "chats of 2025 and 2026, stream-json, prompts, checkpoints",
    found_at: "~/.gemini/tmp/<project>/chats/session-….json or .jsonl",
    docs: "https://geminicli.com/docs/cli/session-management/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static CODEX_EXEC: Card = Card::new(Entry {
    id: "codex-exec",
    name: "Codex exec",
    versions: "events of 2025 and 2026, including those before September 2025",
    found_at: "codex exec --json > run.jsonl",
    docs: "https://developers.openai.com/codex/noninteractive",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static QWEN_CODE: Card = Card::new(Entry {
    id: "qwen-code",
    name: "Qwen Code",
    versions: "chats of 0.18",
    found_at: "~/.qwen/projects/<folder>/chats/<session>.jsonl",
    docs: "https://qwenlm.github.io/qwen-code-docs/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static CLAUDE_EXPORT: Card = Card::new(Entry {
    id: "claude-export",
    name: "Claude app exports",
    versions: "conversations of 2024 to 2026",
    found_at: "conversations.json in the archive of Settings, Privacy, Export data",
    docs: "https://support.claude.com/en/articles/9450526-how-can-i-export-my-claude-data",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static CHATGPT_EXPORT: Card = Card::new(Entry {
    id: "chatgpt-export",
    name: "ChatGPT exports",
    versions: "conversations of 2023 to 2026",
    found_at: "conversations.json in the archive of Settings, Data controls, Export data",
    docs: "https://help.openai.com/en/articles/7260999-how-do-i-export-my-chatgpt-history-and-data",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static OPEN_WEBUI: Card = Card::new(Entry {
    id: "open-webui",
    name: "Open WebUI",
    versions: "chats with a tree of messages",
    found_at: "chat-export-<time>.json of Settings, Data controls, Export chats",
    docs: "https://docs.openwebui.com/",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static LM_STUDIO: Card = Card::new(Entry {
    id: "lm-studio",
    name: "LM Studio",
    versions: "conversations of 0.3 and 0.4",
    found_at: "~/.lmstudio/conversations/<time>.conversation.json",
    docs: "https://lmstudio.ai/docs/app/basics/chat",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static COPILOT_CHAT: Card = Card::new(Entry {
    id: "copilot-chat",
    name: "GitHub Copilot Chat",
    versions: "chat sessions of VS Code of 2025 and 2026: documents, journals, exports",
    found_at: "<VS Code's data>/User/workspaceStorage/<id>/chatSessions/, Chat: Export Chat…",
    docs: "https://code.visualstudio.com/docs/copilot/chat/chat-sessions",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static COPILOT_DEBUG: Card = Card::new(Entry {
    id: "copilot-debug",
    name: "GitHub Copilot debug logs",
    versions: "debug logs of Copilot Chat of 2026",
    found_at: "<VS Code's data>/User/workspaceStorage/<id>/GitHub.copilot-chat/debug-logs/<session>/main.jsonl",
    docs: "https://code.visualstudio.com/docs/copilot/chat/chat-debug-view",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static COPILOT_CLI: Card = Card::new(Entry {
    id: "copilot-cli",
    name: "GitHub Copilot CLI",
    versions: "0.0.3xx to 1.0.76: sessions, JSON output, output of /share (Markdown), events of the Copilot SDK and its recorded conversations",
    found_at: "~/.copilot/session-state/<session>/events.jsonl, copilot --output-format json, /share in the interface",
    docs: "https://github.com/github/copilot-sdk/blob/main/nodejs/src/generated/session-events.ts",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static PI: Card = Card::new(Entry {
    id: "pi",
    name: "pi",
    versions: "sessions of versions 1 to 3, also those of OpenClaw; logs of pi --mode json",
    found_at: "~/.pi/agent/sessions/<folder>/<session>.jsonl, ~/.openclaw/agents/<agent>/sessions/<session>.jsonl",
    docs: "https://github.com/badlogic/pi-mono/tree/main/packages/coding-agent",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static OPENCLAW: Card = Card::new(Entry {
    id: "openclaw",
    name: "OpenClaw",
    versions: "trajectories of version 1, exported or as recorded; its sessions are read as pi sessions",
    found_at: "/export-trajectory, ~/.openclaw/agents/<agent>/sessions/<session>.trajectory.jsonl",
    docs: "https://docs.openclaw.ai/tools/trajectory",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static DROID: Card = Card::new(Entry {
    id: "droid",
    name: "Factory Droid",
    versions: "sessions and their settings; streams of droid exec",
    found_at: "~/.factory/sessions/<folder>/<session>.jsonl, droid exec --output-format stream-json or stream-jsonrpc",
    docs: "https://docs.factory.ai/cli/droid-exec/overview",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static GOOSE: Card = Card::new(Entry {
    id: "goose",
    name: "Goose",
    versions: "databases; exports (JSON, YAML); output of goose run; session files of 2025",
    found_at: "~/.local/share/goose/sessions/sessions.db, goose session export --format json, ~/.local/share/goose/sessions/<session>.jsonl",
    docs: "https://block.github.io/goose/docs/guides/sessions/session-management",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static AMP: Card = Card::new(Entry {
    id: "amp",
    name: "Amp",
    versions: "threads",
    found_at: "~/.local/share/amp/threads/T-<id>.json",
    docs: "https://ampcode.com/manual",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static KIMI: Card = Card::new(Entry {
    id: "kimi",
    name: "Kimi CLI",
    versions: "wire logs of protocol 1.1 to 1.9, output of wire mode, contexts",
    found_at: "~/.kimi/sessions/<folder>/<session>/wire.jsonl, context.jsonl",
    docs: "https://github.com/MoonshotAI/kimi-cli",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static KIRO: Card = Card::new(Entry {
    id: "kiro",
    name: "Kiro CLI",
    versions: "sessions of version v1, and of the third engine of 2026",
    found_at: "~/.kiro/sessions/cli/<session>.jsonl, ~/.kiro/sessions/<folder>/sess_<id>/messages.jsonl",
    docs: "https://kiro.dev/docs/cli/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static AMAZON_Q: Card = Card::new(Entry {
    id: "amazon-q",
    name: "Amazon Q Developer CLI",
    versions: "databases and saved conversations, also those of Kiro CLI",
    found_at: "~/.local/share/kiro-cli/data.sqlite3, ~/.local/share/amazon-q/data.sqlite3, the file named in `/save` of Q, or in `/chat save` of Kiro CLI",
    docs: "https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/command-line-chat.html",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static ANTIGRAVITY: Card = Card::new(Entry {
    id: "antigravity",
    name: "Antigravity CLI",
    versions: "transcripts of 2026, stream-json",
    found_at: "~/.gemini/antigravity-cli/brain/<id>/.system_generated/logs/transcript.jsonl, agy --print --output-format stream-json",
    docs: "https://antigravity.google/docs",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static GROK: Card = Card::new(Entry {
    id: "grok",
    name: "Grok Build",
    versions: "histories of sessions of 2026",
    found_at: "~/.grok/sessions/<folder>/<session>/chat_history.jsonl",
    docs: "https://docs.x.ai/build/overview",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static DEEPSEEK_HARNESS: Card = Card::new(Entry {
    id: "deepseek-harness",
    name: "DeepSeek Harness",
    versions: "sessions of versions 0 to 3 of 2026",
    found_at: "$DSH_HOME/sessions/<folder>/<session>/session.jsonl.zstd",
    docs: "https://github.com/deepseek-ai/deepseek-harness",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static CRUSH: Card = Card::new(Entry {
    id: "crush",
    name: "Crush",
    versions: "databases; output of crush session show",
    found_at: ".crush/crush.db in the project folder, crush session show --json <session>",
    docs: "https://github.com/charmbracelet/crush",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static CURSOR: Card = Card::new(Entry {
    id: "cursor",
    name: "Cursor",
    versions: "databases of 2025 and 2026, exported chats (Markdown), transcripts of agents (JSONL); streams of cursor-agent are read as Claude Agent SDK",
    found_at: "<Cursor's data>/User/globalStorage/state.vscdb, Export Chat, ~/.cursor/projects/<project>/agent-transcripts/",
    docs: "https://cursor.com/docs",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static AIDER: Card = Card::new(Entry {
    id: "aider",
    name: "Aider",
    versions: "chat histories (Markdown) of 2024 and later",
    found_at: ".aider.chat.history.md in the project folder",
    docs: "https://aider.chat/docs/config/options.html",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static SPECSTORY: Card = Card::new(Entry {
    id: "specstory",
    name: "SpecStory",
    versions: "histories (Markdown) of 2025 and 2026",
    found_at: ".specstory/history/<time>-<title>.md in the project folder",
    docs: "https://docs.specstory.com/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static HERMES: Card = Card::new(Entry {
    id: "hermes",
    name: "Hermes Agent",
    versions: "sessions, exports, request dumps, state.db",
    found_at: "~/.hermes/sessions/, ~/.hermes/state.db",
    docs: "https://hermes-agent.nousresearch.com/docs/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static LETTA: Card = Card::new(Entry {
    id: "letta",
    name: "Letta",
    versions: "agent files (.af) of 2025 and 2026, messages of the API",
    found_at: "exports of an agent (.af), GET /v1/agents/<id>/messages",
    docs: "https://docs.letta.com/guides/agents/agent-file",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static CODEBUDDY: Card = Card::new(Entry {
    id: "codebuddy",
    name: "CodeBuddy",
    versions: "sessions of CodeBuddy 2 and WorkBuddy of 2026",
    found_at: "~/.codebuddy/projects/<folder>/<session>.jsonl, ~/.workbuddy/projects/",
    docs: "https://www.codebuddy.ai/docs/cli/overview",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static CLAUDE_WORKFLOW: Card = Card::new(Entry {
    id: "claude-workflow",
    name: "Claude Code workflows",
    versions: "runs of the Workflow tool of 2026; their agents have their own transcripts",
    found_at: "~/.claude/projects/<folder>/<session>/workflows/wf_<id>.json",
    docs: "https://code.claude.com/docs/en/workflows",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static OPENHANDS: Card = Card::new(Entry {
    id: "openhands",
    name: "OpenHands",
    versions: "V1, the software agent SDK: events of a conversation",
    found_at: "~/.openhands/conversations/<id>/events/",
    docs: "https://docs.openhands.dev/sdk/arch/events",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static OPENHANDS_V0: Card = Card::new(Entry {
    id: "openhands-v0",
    name: "OpenHands V0",
    versions: "0.x: trajectories, event files, output.jsonl of evaluations",
    found_at: "trajectories saved from the interface, evaluation_outputs/**/output.jsonl",
    docs: "https://github.com/OpenHands/OpenHands/tree/main/evaluation",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static SWE_AGENT: Card = Card::new(Entry {
    id: "swe-agent",
    name: "SWE-agent",
    versions: "0.x to 1.1: text and function calls, several attempts",
    found_at: "trajectories/<user>/<run>/<instance>/<instance>.traj",
    docs: "https://swe-agent.com/latest/usage/trajectories/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static MINI_SWE_AGENT: Card = Card::new(Entry {
    id: "mini-swe-agent",
    name: "mini-swe-agent",
    versions: "1 and 2: code blocks, function calls, Responses API; bare lists of messages",
    found_at: "<instance>.traj.json of mini-extra swebench, ~/.config/mini-swe-agent/last_mini_run.traj.json",
    docs: "https://mini-swe-agent.com/latest/usage/output_files/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static ENTIRE: Card = Card::new(Entry {
    id: "entire",
    name: "Entire CLI",
    versions: "transcripts of v1, of any agent",
    found_at: "<checkpoint>/<session>/transcript.jsonl of the branch entire/checkpoints/v1",
    docs: "https://github.com/entireio/cli",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static TRAE_AGENT: Card = Card::new(Entry {
    id: "trae-agent",
    name: "trae-agent",
    versions: "trajectories of 2025 and 2026",
    found_at: "trajectories/trajectory_<time>.json, --trajectory-file",
    docs: "https://github.com/bytedance/trae-agent/blob/main/docs/TRAJECTORY_RECORDING.md",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static CONTINUE: Card = Card::new(Entry {
    id: "continue",
    name: "Continue",
    versions: "sessions of 2025 and 2026",
    found_at: "~/.continue/sessions/<session>.json",
    docs: "https://docs.continue.dev/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static DEEPSEEK_EXPORT: Card = Card::new(Entry {
    id: "deepseek-export",
    name: "DeepSeek app exports",
    versions: "exports of 2025 and 2026, conversations as loaded by the page, shared conversations",
    found_at: "conversations.json in the archive of Settings, Data, Export data",
    docs: "https://chat.deepseek.com",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static GROK_EXPORT: Card = Card::new(Entry {
    id: "grok-export",
    name: "Grok app exports",
    versions: "exports of 2025 and 2026",
    found_at: "prod-grok-backend.json in the archive of accounts.x.ai/data",
    docs: "https://grok.com",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static LLM_CLI: Card = Card::new(Entry {
    id: "llm",
    name: "LLM (llm logs)",
    versions: "logs of 0.20 to 0.36",
    found_at: "llm logs --json -n 0 > logs.json",
    docs: "https://llm.datasette.io/en/stable/logging.html",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static ZED: Card = Card::new(Entry {
    id: "zed",
    name: "Zed",
    versions: "threads of 2025 and 2026, of 0.3 and before",
    found_at: "~/.local/share/zed/threads/threads.db, on macOS ~/Library/Application Support/Zed/threads/threads.db",
    docs: "https://zed.dev/docs/ai/agent-panel",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static FORGE: Card = Card::new(Entry {
    id: "forge",
    name: "ForgeCode",
    versions: "databases, dumped conversations",
    found_at: "~/.forge/.forge.db, :dump in a conversation",
    docs: "https://forgecode.dev/docs",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static MISTRAL_VIBE: Card = Card::new(Entry {
    id: "mistral-vibe",
    name: "Mistral Vibe",
    versions: "sessions of 1.3 to 2.26",
    found_at: "~/.vibe/logs/session/<session>/messages.jsonl, meta.json",
    docs: "https://github.com/mistralai/mistral-vibe",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static SESSION_TRACES: Card = Card::new(Entry {
    id: "session-traces",
    name: "Hugging Face session traces",
    versions: "Session Trace Simple Format, exports of llama.app",
    found_at: "data sets and buckets of the Hugging Face Hub",
    docs: "https://huggingface.co/docs/hub/session-traces-format",
    evidence: Evidence::Documentation,
});
