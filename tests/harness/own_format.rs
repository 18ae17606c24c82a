//! The expected format of each shared trace, by the folder and the name of its file.

/// The id of the format, or `None` for a file that is not a trace of a known format.
pub fn own_format(name: &str) -> Option<&'static str> {
    match name.split('/').next().unwrap() {
        "aider" => Some("aider"),
        // Test vectors for the loop rule, not a trace.
        _ if name.contains("conformance") || name.ends_with(".md") => None,
        "agentdbg" if name.contains("/maida-") => Some("maida"),
        "agentdbg" => Some("agentdbg"),
        "archi" => Some("archi"),
        "agentv" if name.contains("pi-cli-stream-log") => Some("pi"),
        "agentv" => Some("agentv"),
        "claude-code" | "iflow" => Some("claude-code"),
        "flashinfer-bench" if name.contains("/agent-inspector") => Some("agent-inspector"),
        "inspect-eval" => Some("inspect"),
        "flashinfer-bench" => Some("flashinfer-bench"),
        // Bare lists of messages, which every producer writes.
        "invariant-explorer"
            if ["abc_with_trace_metadata", "json_parseable"].iter().any(|it| name.contains(it)) =>
        {
            Some("chat")
        }
        "otlp" | "otlp-tempo" | "otel-sdk-spans" => Some("otel"),
        "langchain-messages" | "langgraph-stream" => Some("langchain"),
        "langfuse" => Some("langfuse"),
        "langsmith" => Some("langsmith"),
        "openai-agents-trace" => Some("openai-agents"),
        "phoenix" => Some("phoenix"),
        "jaeger" => Some("jaeger"),
        "zipkin" => Some("zipkin"),
        "invariant-explorer" => Some("invariant"),
        "codex-rollout" => Some("codex"),
        "swe-agent" => Some("swe-agent"),
        "mini-swe-agent" => Some("mini-swe-agent"),
        "openhands" if name.contains("/v1") => Some("openhands"),
        "openhands" => Some("openhands-v0"),
        "atif" if name.ends_with("/config.json") => None,
        "atif" if name.ends_with("/result.json") => Some("terminal-bench"),
        "atif" | "atif-viewer-run" => Some("atif"),
        "terminal-bench" => Some("terminal-bench"),
        "tau-bench" | "tau2-bench" => Some("tau-bench"),
        "autogen-who-when" => Some("autogen"),
        "toolbench" => Some("toolbench"),
        "cline" => Some("cline"),
        "codex-exec" => Some("codex-exec"),
        "gemini-cli" => Some("gemini-cli"),
        "opencode" => Some("opencode"),
        "qwen-code" => Some("qwen-code"),
        "claude-stream-json" => Some("claude-stream"),
        "vscode-copilot-chat" => Some("copilot-chat"),
        "copilot-sdk" => Some("copilot-cli"),
        "openclaw" | "pi-agent" => Some("pi"),
        "factory-droid" => Some("droid"),
        "kimi-cli" => Some("kimi"),
        "amp" => Some("amp"),
        "kiro" => Some("kiro"),
        "letta" => Some("letta"),
        "har" => Some("har"),
        // Recordings of HTTP, and messages of an agent.
        "bedrock-converse" if name.contains("strands_") => Some("strands"),
        "bedrock-converse" => Some("har"),
        "google-adk" => Some("google-adk"),
        "google-adk-evalset" => Some("google-adk-eval"),
        "mastra" => Some("mastra"),
        // A recording of HTTP.
        "a2a" if name.ends_with(".yaml") => Some("har"),
        "a2a" => Some("a2a"),
        "mcp-log" => Some("mcp"),
        "ag-ui" => Some("ag-ui"),
        "sse" if name.contains("agui_") => Some("ag-ui"),
        // A recording of HTTP.
        "anthropic-messages" if name.contains("sdk_run-tools") => Some("har"),
        "openai-chat-log" | "anthropic-messages" | "sharegpt" => Some("chat"),
        _ => None,
    }
}
