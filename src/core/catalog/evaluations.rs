//! Evaluations, benchmarks and research: trajectories with scores.

use super::{Card, Entry, Evidence, Family};

/// Evaluations, benchmarks and research: trajectories with scores.
pub static EVALUATIONS: Family = Family {
    name: "Evaluations and research",
    cards: &[
        &ATIF,
        &TERMINAL_BENCH,
        &TAU_BENCH,
        &AGENT_INSPECTOR,
        &FLASHINFER,
        &INSPECT,
        &INVARIANT,
        &AGENTV,
        &TOOLBENCH,
        &EVALSCOPE,
        &LM_EVAL,
        &PROMPTFOO,
        &WEBARENA,
        &BROWSER_USE,
        &LOONGFLOW,
        &ADP,
        &AGENTDOJO,
        &OSWORLD,
    ],
};

/// See [`Card`].
pub static ATIF: Card = Card::new(Entry {
    id: "atif",
    name: "ATIF",
    versions: "1.0 to 1.8: trajectories of Harbor and its converters, embedded sub-agents; runs of the ATIF viewer",
    found_at: "jobs/<job>/<trial>/agent/trajectory.json",
    docs: "https://www.harborframework.com/docs/agents/trajectory-format",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static TERMINAL_BENCH: Card = Card::new(Entry {
    id: "terminal-bench",
    name: "Terminal-Bench",
    versions: "1 and 2 (Harbor): results of trials and jobs, answers of Terminus",
    found_at: "runs/<run>/**/results.json, jobs/<job>/**/result.json, agent-logs/episode-<n>/",
    docs: "https://www.tbench.ai/docs",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static TAU_BENCH: Card = Card::new(Entry {
    id: "tau-bench",
    name: "tau-bench",
    versions: "tau-bench and tau2-bench: lists of runs, documents of simulations",
    found_at: "results/ and historical_trajectories/ of tau-bench, data/simulations/ of tau2-bench",
    docs: "https://github.com/sierra-research/tau2-bench",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static TOOLBENCH: Card = Card::new(Entry {
    id: "toolbench",
    name: "ToolBench",
    versions: "results of ToolEval, answers with their conversations",
    found_at: "toolbench/tooleval/results/, data/answer/",
    docs: "https://github.com/OpenBMB/ToolBench",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static PROMPTFOO: Card = Card::new(Entry {
    id: "promptfoo",
    name: "promptfoo",
    versions: "results of version 3, one document or one per line",
    found_at: "promptfoo eval -o results.json",
    docs: "https://www.promptfoo.dev/docs/configuration/outputs/",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static EVALSCOPE: Card = Card::new(Entry {
    id: "evalscope",
    name: "EvalScope",
    versions: "predictions and reviews, of 1.0 to 1.14 and before, with the traces of agents",
    found_at: "outputs/<time>/predictions/ and reviews/",
    docs: "https://evalscope.readthedocs.io",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static WEBARENA: Card = Card::new(Entry {
    id: "webarena",
    name: "WebArena",
    versions: "JSON of rendered pages, trajectories of AgentOccam",
    found_at: "json_dump.json of scripts/html2json.py, logs of AgentOccam",
    docs: "https://github.com/web-arena-x/webarena",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static BROWSER_USE: Card = Card::new(Entry {
    id: "browser-use",
    name: "Browser Use",
    versions: "histories of agents of 2025: AgentHistoryList",
    found_at: "AgentHistory.json, files of save_to_file and of --save-history",
    docs: "https://docs.browser-use.com",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static LOONGFLOW: Card = Card::new(Entry {
    id: "loongflow",
    name: "LoongFlow",
    versions: "messages of agents, solutions and rounds of an evolution",
    found_at: "output/<task>/<iteration>/**/*.json, files of FileStorage",
    docs: "https://github.com/baidu-baige/LoongFlow",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static AGENT_INSPECTOR: Card = Card::new(Entry {
    id: "agent-inspector",
    name: "Agent Inspector",
    versions: "FlashInfer-Bench, June to August 2025: llm_request, tool_call, mcp; JSON or JSONL, also \
         wrapped in trace or elements",
    found_at: "traces that agents write for FlashInfer-Bench",
    docs: "https://github.com/flashinfer-ai/flashinfer-bench/blob/c1704059/schema/agent_inspector.md",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static FLASHINFER: Card = Card::new(Entry {
    id: "flashinfer-bench",
    name: "FlashInfer-Bench",
    versions: "June 2025 to 2026: Definition, Solution, Trace, KernelLLM results, kernel signatures",
    found_at: "definitions/, solutions/, workloads/ and traces/ of a FlashInfer-Trace data set",
    docs: "https://github.com/flashinfer-ai/flashinfer-bench",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static INSPECT: Card = Card::new(Entry {
    id: "inspect",
    name: "Inspect AI",
    versions: "logs of 2024 to 2026: JSON, and .eval with deflate or zstd; events, attachments, pooled messages",
    found_at: "./logs/<date>_<task>_<id>.eval or .json",
    docs: "https://inspect.aisi.org.uk/eval-logs.html",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static INVARIANT: Card = Card::new(Entry {
    id: "invariant",
    name: "Invariant Explorer",
    versions: "single traces, and data sets with metadata and annotations",
    found_at: "exports of Invariant Explorer, invariant SDK uploads",
    docs: "https://github.com/invariantlabs-ai/explorer",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static AGENTV: Card = Card::new(Entry {
    id: "agentv",
    name: "AgentV",
    versions: "v0.25 to 4.42 and v5: results (JSONL, YAML), traces, transcripts, fixtures, grading, metrics",
    found_at: ".agentv/results/, results of agentv eval, output of command targets",
    docs: "https://github.com/EntityProcess/agentv",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static ADP: Card = Card::new(Entry {
    id: "adp",
    name: "Agent Data Protocol",
    versions: "trajectories of schema 1.0 to 1.3",
    found_at: "full_std.jsonl and sample_std.json of its data sets",
    docs: "https://github.com/neulab/agent-data-protocol",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static AGENTDOJO: Card = Card::new(Entry {
    id: "agentdojo",
    name: "AgentDojo",
    versions: "runs of 0.1, with and without attacks",
    found_at: "runs/<pipeline>/<suite>/<user task>/<attack>/<injected task>.json",
    docs: "https://agentdojo.spylab.ai",
    evidence: Evidence::RealFiles,
});

/// See [`Card`].
pub static OSWORLD: Card = Card::new(Entry {
    id: "osworld",
    name: "OSWorld",
    versions: "lines of 2024 to 2026: with and without responses, code and objects",
    found_at: "results/<actions>/<observations>/<model>/<domain>/<task>/traj.jsonl",
    docs: "https://github.com/xlang-ai/OSWorld",
    evidence: Evidence::Documentation,
});

/// See [`Card`].
pub static LM_EVAL: Card = Card::new(Entry {
    id: "lm-eval",
    name: "LM Evaluation Harness",
    versions: "samples of 0.4, to 0.4.13, generated and by likelihood",
    found_at: "lm_eval run --log_samples --output_path <folder>: samples_<task>_<time>.jsonl",
    docs: "https://github.com/EleutherAI/lm-evaluation-harness",
    evidence: Evidence::RealFiles,
});
