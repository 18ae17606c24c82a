//! Reviewed results: files in `tests/snapshots/`.

use insta::Settings;

/// The real files in `../shared` that have a snapshot, each with the case that no fixture covers. For all others only
/// the format, the rows and the bytes are checked.
pub const OF_REAL_FILES: [(&str, &str); 38] = [
    (
        "agentdbg/agentdbg-0.2.4-loop-shapes/events.jsonl",
        "the same result to other arguments, reported by the producer as well",
    ),
    (
        "agentdbg/agentdbg-0.2.4-odd-values-nan/events.jsonl",
        "repeated calls that the producer reports",
    ),
    ("agentdbg/maida-0.5.3-export.json", "the end of a run in an export"),
    ("agentdbg/maida-0.5.3-loop-shapes/spans.jsonl", "every shape of a loop that Maida reports"),
    (
        "agentdbg/maida-0.5.3-upstream-demo-regression/spans.jsonl",
        "a critical repetition that Maida reports",
    ),
    ("agentdbg/maida-conformance-loop-vectors.json", "vectors of the loop rule, which are records"),
    ("agentv/execution-trace-nested-subagent.json", "an agent within an agent, with its duration"),
    ("agentv/npm-4.42.4-run/benchmark.json", "notes of a benchmark"),
    ("agentv/npm-4.42.4-run/crash/trace.json", "an error that ends a run without times"),
    ("agentv/npm-4.42.4-run/in-order-args/trace.json", "a system message in a trace"),
    ("agentv/npm-4.42.4-run/in-order-args/transcript.jsonl", "a system message in a transcript"),
    ("agentv/npm-4.42.4-run/looping-agent/transcript.jsonl", "a critical repetition"),
    ("agentv/results-rows-multi-agent.jsonl", "calls without results among the rows of results"),
    ("agentv/transcript-v1-copilot.jsonl", "facts of an imported transcript"),
    ("agentv/v5-metrics-pi-two-tools.json", "facts of metrics"),
    ("agentv/v5-normalized-transcript-codex.json", "modified files"),
    (
        "anthropic-messages/sdk_run-tools_snapshot_14k.json",
        "requests of the SDK with cached tokens and a call that was not answered",
    ),
    ("anthropic-messages/vercel_programmatic-tool-calling.json", "tokens written to the cache"),
    ("archi/cancelled-by-user.api-trace.json", "an LLM call that was cancelled"),
    ("archi/cancelled-by-user.stream.ndjson", "an LLM call that has no end in its stream"),
    ("archi/provider-error.api-trace.json", "an error of the provider"),
    ("claude-code/entire_13-tool-errors_repeat_318k.jsonl", "the same error again and again"),
    ("claude-code/entire_truncated-line_513k.jsonl", "two records in one line"),
    ("claude-stream-json/vercel_subagent-step-stream.json", "a stream without times"),
    ("cline/cline-sdk_session.messages_74k.json", "calls of the SDK's own list of messages"),
    (
        "codex-rollout/LARGE_entire-gitsync_polling-12x_3.4M.jsonl",
        "polling, and errors that come back",
    ),
    (
        "codex-rollout/entire-gitsync_compacted_1.3M.jsonl",
        "a compacted history with the copies of what was said before",
    ),
    (
        "flashinfer-bench/traces-all-statuses-produced.jsonl",
        "every status that the benchmark itself wrote",
    ),
    ("invariant-explorer/code.jsonl", "results without calls and calls without results"),
    ("invariant-explorer/line_numbers.jsonl", "a message of a role of its own"),
    ("invariant-explorer/trace_for_analysis.jsonl", "a system message"),
    (
        "jaeger/agentevals_k8s_genai_194k.json",
        "agents, spans and statuses of a whole system, with tokens on spans around calls",
    ),
    ("jaeger/jaeger-ui_genaiTestTrace_60k.json", "a critical repetition among spans"),
    (
        "otel-sdk-spans/codemie_claude-code-otel-events.jsonl",
        "events of Claude Code's own telemetry",
    ),
    (
        "otel-sdk-spans/openinference-vercel_ai-sdk-v6_all-spans_57k.json",
        "a run that knows its input tokens only",
    ),
    ("otlp-tempo/agentevals_tempo_batches_kagent_136k.json", "spans whose parents are in no file"),
    ("otlp/agent-prism_smol-deep-research_openinference_255k.json", "tool calls without results"),
    ("qwen-code/splitrail_qwen_code_4k.jsonl", "a snapshot of attributions"),
];

/// Compares a text with the reviewed one, `tests/snapshots/<name>.snap`.
pub fn assert_reviewed(name: &str, text: &str) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}
