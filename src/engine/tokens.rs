//! Token counts of every API, in one table.
//!
//! APIs differ in their names, and in which count includes which. [`Usage`] has one meaning: `input` excludes tokens
//! read from or written to a cache, and `output` includes reasoning.

use traceloupe_core::json::Json;
use traceloupe_core::model::Usage;

/// The notation of an API for token counts. Paths that an API does not have are empty; if there are several, the first
/// one with a value counts.
#[derive(Debug)]
pub struct Flavour {
    /// Paths of the input tokens.
    pub input: &'static [&'static str],
    /// Paths of the output tokens.
    pub output: &'static [&'static str],
    /// Paths of the input tokens read from a cache.
    pub cache_read: &'static [&'static str],
    /// Paths of the input tokens written to a cache.
    pub cache_write: &'static [&'static str],
    /// Paths of the tokens of hidden reasoning.
    pub reasoning: &'static [&'static str],
    /// Whether `input` includes cached tokens.
    pub input_has_cached: bool,
    /// Whether `output` excludes reasoning.
    pub output_lacks_reasoning: bool,
}

/// OpenAI, Chat and Responses, and its imitators: cached tokens are part of the input, and reasoning is part of the
/// output. <https://platform.openai.com/docs/api-reference/responses/object> LiteLLM adds Anthropic's counts of cached
/// tokens, which its input also includes. <https://docs.litellm.ai/docs/completion/prompt_caching> Ollama has names of
/// its own, and so does DeepSeek for tokens read from its cache. LangChain and Braintrust have the same meaning under
/// names of their own.
/// <https://reference.langchain.com/python/langchain_core/messages/#langchain_core.messages.ai.UsageMetadata>
pub static OPENAI: Flavour = Flavour {
    input: &[
        "input_tokens",
        "prompt_tokens",
        "promptTokens",
        "prompt_eval_count",
        // Microsoft's libraries for .NET.
        "inputTokenCount",
        "InputTokenCount",
        // Titan.
        "inputTextTokenCount",
    ],
    output: &[
        "output_tokens",
        "completion_tokens",
        "completionTokens",
        "eval_count",
        "outputTokenCount",
        "OutputTokenCount",
        "results.0.tokenCount",
    ],
    cache_read: &[
        "cached_input_tokens",
        "prompt_cached_tokens",
        "input_tokens_details.cached_tokens",
        "prompt_tokens_details.cached_tokens",
        "cached_tokens",
        "cached_prompt_tokens",
        "cache_read_input_tokens",
        "input_token_details.cache_read",
        "input_token_details.cached_tokens",
        "prompt_cache_hit_tokens",
    ],
    cache_write: &[
        "prompt_tokens_details.cache_creation_tokens",
        "cache_creation_input_tokens",
        "input_token_details.cache_creation",
        "prompt_cache_creation_tokens",
        "cache_write_input_tokens",
        "input_tokens_details.cache_write_tokens",
        "prompt_tokens_details.cache_write_tokens",
    ],
    reasoning: &[
        "reasoning_output_tokens",
        "output_token_details.reasoning",
        "output_tokens_details.reasoning_tokens",
        // Anthropic's name, in responses without cached tokens.
        "output_tokens_details.thinking_tokens",
        "completion_tokens_details.reasoning_tokens",
        "reasoning_tokens",
        "completion_reasoning_tokens",
        "completion_thinking_tokens",
    ],
    input_has_cached: true,
    output_lacks_reasoning: false,
};

/// Anthropic: cached tokens are counted separately from the input.
/// <https://docs.claude.com/en/docs/build-with-claude/prompt-caching#tracking-cache-performance>
pub static ANTHROPIC: Flavour = Flavour {
    input: &["input_tokens"],
    output: &["output_tokens"],
    cache_read: &["cache_read_input_tokens"],
    cache_write: &["cache_creation_input_tokens"],
    reasoning: &["output_tokens_details.thinking_tokens"],
    ..Flavour::NONE
};

/// Gemini: cached tokens are part of the input, but thoughts are not part of the output. Its Interactions API has names
/// of its own. <https://ai.google.dev/api/generate-content#UsageMetadata> <https://ai.google.dev/api/interactions-api>
pub static GEMINI: Flavour = GEMINI_COUNTS;

/// Programs that write the counts of other APIs under Gemini's names: thoughts are part of the output. The total shows
/// which is the case.
static GEMINI_OF_OTHERS: Flavour = Flavour { output_lacks_reasoning: false, ..GEMINI_COUNTS };

const GEMINI_COUNTS: Flavour = Flavour {
    input: &["promptTokenCount", "prompt_token_count", "total_input_tokens"],
    output: &[
        "candidatesTokenCount",
        "candidates_token_count",
        // Llama, which Bedrock serves.
        "generation_token_count",
        "responseTokenCount",
        "total_output_tokens",
    ],
    cache_read: &["cachedContentTokenCount", "cached_content_token_count", "total_cached_tokens"],
    cache_write: &[],
    reasoning: &[
        "thoughtsTokenCount",
        "thoughts_token_count",
        "total_thought_tokens",
        "total_reasoning_tokens",
    ],
    input_has_cached: true,
    output_lacks_reasoning: true,
};

/// Bedrock, Converse and its log of invocations: cached tokens are counted separately from the input. The same holds
/// for the sums of Claude Code and Cursor, and for agents that also state how much of the output is reasoning.
/// <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html>
pub static CONVERSE: Flavour = CONVERSE_COUNTS;

/// Programs that write the counts of other APIs under the names of Converse: cached tokens are part of the input. The
/// total shows which is the case, because in Converse it counts them in addition to the input. Strands does so for
/// OpenAI and Gemini.
static CONVERSE_OF_OTHERS: Flavour = Flavour { input_has_cached: true, ..CONVERSE_COUNTS };

const CONVERSE_COUNTS: Flavour = Flavour {
    input: &["inputTokens", "input.inputTokenCount"],
    output: &["outputTokens", "output.outputTokenCount"],
    cache_read: &[
        "cacheReadInputTokens",
        "cacheReadInputTokenCount",
        "input.cacheReadInputTokenCount",
        "cachedReadTokens",
        "cacheReadTokens",
    ],
    cache_write: &[
        "cacheWriteInputTokens",
        "cacheWriteInputTokenCount",
        "input.cacheWriteInputTokenCount",
        "cacheCreationInputTokens",
        "cachedWriteTokens",
        "cacheWriteTokens",
    ],
    reasoning: &["reasoningTokens"],
    ..Flavour::NONE
};

/// OpenHands: totals of LiteLLM's counts under names of its own. Cached tokens are part of the input.
/// <https://github.com/OpenHands/software-agent-sdk>
pub static OPENHANDS_TOTALS: Flavour = Flavour {
    input: &["prompt_tokens"],
    output: &["completion_tokens"],
    cache_read: &["cache_read_tokens"],
    cache_write: &["cache_write_tokens"],
    reasoning: &["reasoning_tokens"],
    input_has_cached: true,
    output_lacks_reasoning: false,
};

/// ATIF: the metrics of a step, the totals of a trajectory, and the counts of its viewer. Tokens read from and written
/// to a cache are part of the input. <https://github.com/harbor-framework/harbor>
pub static ATIF_METRICS: Flavour = Flavour {
    input: &["prompt_tokens", "prompt", "total_prompt_tokens"],
    output: &["completion_tokens", "completion", "total_completion_tokens"],
    cache_read: &["cached_tokens", "total_cached_tokens"],
    cache_write: &[
        "extra.cache_creation_input_tokens",
        "extra.cache_write_tokens",
        "extra.total_cache_creation_input_tokens",
    ],
    reasoning: &["extra.reasoning_tokens"],
    input_has_cached: true,
    output_lacks_reasoning: false,
};

/// The totals of a trial of Terminal-Bench or Harbor. Cached tokens are part of the input.
/// <https://github.com/harbor-framework/harbor>
pub static TRIAL: Flavour = Flavour {
    input: &["n_input_tokens", "total_input_tokens"],
    output: &["n_output_tokens", "total_output_tokens"],
    cache_read: &["n_cache_tokens"],
    input_has_cached: true,
    ..Flavour::NONE
};

/// Versions 4 to 6 of the AI SDK, and GitHub Copilot: cached tokens are part of the input.
/// <https://ai-sdk.dev/docs/reference/ai-sdk-core/generate-text#usage>
pub static AI_SDK: Flavour = Flavour {
    input: &["inputTokens.total", "inputTokens", "promptTokens"],
    output: &["outputTokens.total", "outputTokens", "completionTokens"],
    cache_read: &[
        "inputTokens.cacheRead",
        "inputTokenDetails.cacheReadTokens",
        "cachedInputTokens",
        "cacheReadTokens",
    ],
    cache_write: &[
        "inputTokens.cacheWrite",
        "inputTokenDetails.cacheWriteTokens",
        "cacheWriteTokens",
    ],
    reasoning: &["outputTokens.reasoning", "outputTokenDetails.reasoningTokens", "reasoningTokens"],
    input_has_cached: true,
    output_lacks_reasoning: false,
};

/// AgentV: cached tokens are part of the input and not counted separately; its own sums add only input and output.
/// <https://github.com/EntityProcess/agentv>
pub static AGENTV: Flavour = Flavour {
    input: &["input", "input_tokens", "inputTokens", "prompt_tokens"],
    output: &["output", "output_tokens", "outputTokens", "completion_tokens"],
    reasoning: &["reasoning", "reasoning_tokens", "reasoningTokens"],
    ..Flavour::NONE
};

/// Inspect: the counts of the provider under names of its own. Whether the input includes cached tokens depends on the
/// provider, and the total shows which is the case.
/// <https://inspect.aisi.org.uk/reference/inspect_ai.model.html#modelusage>
static INSPECT: Flavour = INSPECT_COUNTS;

const INSPECT_COUNTS: Flavour = Flavour {
    input: &["input_tokens"],
    output: &["output_tokens"],
    cache_read: &["input_tokens_cache_read"],
    cache_write: &["input_tokens_cache_write"],
    reasoning: &["reasoning_tokens"],
    ..Flavour::NONE
};

/// Inspect, if the total is the sum of input and output.
static INSPECT_CACHED: Flavour = Flavour { input_has_cached: true, ..INSPECT_COUNTS };

/// Reads the token counts of Inspect.
#[must_use]
pub fn inspect(counts: Json<'_>) -> Usage {
    let count = |key| counts.get(key).count().unwrap_or(0);
    let sum = count("input_tokens").saturating_add(count("output_tokens"));
    let flavour = if count("total_tokens") == sum { &INSPECT_CACHED } else { &INSPECT };
    flavour.read(counts)
}

impl Flavour {
    /// No counts, and none that includes another.
    pub const NONE: Self = Self {
        input: &[],
        output: &[],
        cache_read: &[],
        cache_write: &[],
        reasoning: &[],
        input_has_cached: false,
        output_lacks_reasoning: false,
    };

    /// Reads token counts. If every count is 0, nothing was reported, because every request uses tokens.
    #[must_use]
    pub fn read(&self, counts: Json<'_>) -> Usage {
        self.read_with(&|paths| counts.any(paths).count())
    }

    /// Like [`Flavour::read`], with a function that returns the first count at some paths.
    #[must_use]
    pub fn read_with(&self, count: &dyn Fn(&[&str]) -> Option<u64>) -> Usage {
        let cache_read = count(self.cache_read);
        let cache_write = count(self.cache_write);
        let reasoning = count(self.reasoning);
        let cached = cache_read.unwrap_or(0).saturating_add(cache_write.unwrap_or(0));
        // Some producers write an input without its cached part regardless of the convention.
        let input = count(self.input).map(|input| match self.input_has_cached && input >= cached {
            true => input - cached,
            false => input,
        });
        let output = count(self.output).map(|output| match self.output_lacks_reasoning {
            true => output.saturating_add(reasoning.unwrap_or(0)),
            false => output,
        });
        let all = [input, output, cache_read, cache_write, reasoning];
        if all.iter().all(|count| count.unwrap_or(0) == 0) {
            return Usage::default();
        }
        Usage { input, output, cache_read, cache_write, reasoning, ..Usage::default() }
    }

    /// The flavour of an API's response, determined from the names of its counts.
    #[must_use]
    pub fn of(counts: Json<'_>) -> &'static Self {
        let has = |paths: &[&str]| counts.any(paths).is_given();
        let count = |paths: &[&str]| counts.any(paths).count().unwrap_or(0);
        let is_total = |of: &Self, total: &[&str]| {
            count(total) == count(of.input).saturating_add(count(of.output))
        };
        // No other flavour has this name; it is by far the most common one.
        if has(&["prompt_tokens"]) {
            &OPENAI
        } else if has(&["cache_read_input_tokens", "cache_creation_input_tokens"]) {
            &ANTHROPIC
        } else if has(GEMINI.input) || has(GEMINI.output) {
            match is_total(&GEMINI, &["totalTokenCount", "total_token_count"]) {
                true => &GEMINI_OF_OTHERS,
                false => &GEMINI,
            }
        } else if has(AI_SDK.cache_read)
            || has(AI_SDK.reasoning)
            || has(&["promptTokens", "completionTokens", "inputTokens.total"])
        {
            &AI_SDK
        } else if has(CONVERSE.input) || has(CONVERSE.output) {
            match is_total(&CONVERSE, &["totalTokens"]) {
                true => &CONVERSE_OF_OTHERS,
                false => &CONVERSE,
            }
        } else {
            &OPENAI
        }
    }
}

/// The token counts of Langfuse, under the names of any framework or provider. Names may contain dots.
#[must_use]
pub fn langfuse(counts: Json<'_>) -> Usage {
    /// Langfuse subtracts cached tokens and reasoning from the input and output.
    const APART: Flavour = Flavour {
        input: &["input", "promptTokens", "inputUsage"],
        output: &["output", "completionTokens", "outputUsage"],
        cache_read: &[
            "input_cached_tokens",
            "input_cache_read",
            "cache_read_input_tokens",
            "prompt_details.cache_read",
        ],
        cache_write: &["input_cache_creation", "cache_creation_input_tokens"],
        reasoning: &[
            "output_reasoning_tokens",
            "output_reasoning",
            "completion_details.reasoning",
            "reasoning_tokens",
        ],
        input_has_cached: false,
        output_lacks_reasoning: true,
    };
    /// Counts from OpenInference are kept unchanged.
    const WITHIN: Flavour =
        Flavour { input_has_cached: true, output_lacks_reasoning: false, ..APART };
    let count = |keys: &[&str]| keys.iter().find_map(|key| counts.field(key).count());
    let sum = count(APART.input).unwrap_or(0).saturating_add(count(APART.output).unwrap_or(0));
    let is_within = count(&["total", "totalTokens"]) == Some(sum);
    let usage = if is_within { &WITHIN } else { &APART }.read_with(&count);
    // The SDKs keep OpenAI's counts under OpenAI's names.
    if usage.is_empty() { Flavour::of(counts).read(counts) } else { usage }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flavour_gives_the_same_meaning() {
        let cases = [
            (
                r#"{"prompt_tokens":100,"completion_tokens":30,"prompt_tokens_details":{"cached_tokens":40},"completion_tokens_details":{"reasoning_tokens":10}}"#,
                &OPENAI,
            ),
            (
                r#"{"input_tokens":100,"cached_input_tokens":40,"output_tokens":30,"reasoning_output_tokens":10,"total_tokens":130}"#,
                &OPENAI,
            ),
            (
                r#"{"prompt_tokens":100,"completion_tokens":30,"cache_read_input_tokens":40,"completion_tokens_details":{"reasoning_tokens":10}}"#,
                &OPENAI,
            ),
            (
                r#"{"promptTokenCount":100,"candidatesTokenCount":20,"thoughtsTokenCount":10,"cachedContentTokenCount":40}"#,
                &GEMINI,
            ),
            (
                r#"{"inputTokens":100,"outputTokens":30,"cachedInputTokens":40,"reasoningTokens":10}"#,
                &AI_SDK,
            ),
            (
                r#"{"inputTokens":{"total":100,"cacheRead":40},"outputTokens":{"total":30,"reasoning":10}}"#,
                &AI_SDK,
            ),
        ];
        for (counts, flavour) in cases {
            let usage = flavour.read(Json::new(counts));
            let read = (usage.input, usage.output, usage.cache_read, usage.reasoning);
            assert_eq!(read, (Some(60), Some(30), Some(40), Some(10)), "{counts}");
            assert_eq!(usage.total_input(), Some(100));
            assert!(std::ptr::eq(Flavour::of(Json::new(counts)), flavour), "{counts}");
        }
        let counts = r#"{"input_tokens":60,"output_tokens":30,"cache_read_input_tokens":40,"cache_creation_input_tokens":0}"#;
        let usage = Flavour::of(Json::new(counts)).read(Json::new(counts));
        assert_eq!((usage.input, usage.total_input()), (Some(60), Some(100)));
        for counts in [
            r#"{"input_tokens":6,"output_tokens":9,"output_tokens_details":{"thinking_tokens":7}}"#,
            r#"{"cache_read_input_tokens":0,"output_tokens":9,"output_tokens_details":{"thinking_tokens":7}}"#,
        ] {
            let usage = Flavour::of(Json::new(counts)).read(Json::new(counts));
            assert_eq!((usage.output, usage.reasoning), (Some(9), Some(7)), "{counts}");
        }
    }

    #[test]
    fn the_total_under_names_of_gemini_tells_whether_the_output_has_the_thoughts() {
        for (total, output) in [(130, 30), (140, 40)] {
            let counts = format!(
                r#"{{"promptTokenCount":100,"candidatesTokenCount":30,"thoughtsTokenCount":10,"totalTokenCount":{total}}}"#
            );
            let usage = Flavour::of(Json::new(&counts)).read(Json::new(&counts));
            assert_eq!((usage.output, usage.reasoning), (Some(output), Some(10)), "{total}");
        }
    }

    #[test]
    fn the_total_under_names_of_converse_tells_whether_the_input_has_the_cached_tokens() {
        for (total, input) in
            [(",\"totalTokens\":130", 60), (",\"totalTokens\":170", 100), ("", 100)]
        {
            let counts = format!(
                r#"{{"inputTokens":100,"outputTokens":30,"cacheReadInputTokens":40{total}}}"#
            );
            let usage = Flavour::of(Json::new(&counts)).read(Json::new(&counts));
            assert_eq!((usage.input, usage.cache_read), (Some(input), Some(40)), "{total}");
        }
    }

    #[test]
    fn the_total_of_inspect_tells_whether_the_input_has_the_cached_tokens() {
        let counts = |total| {
            format!(
                r#"{{"input_tokens":100,"output_tokens":30,"total_tokens":{total},"input_tokens_cache_read":40}}"#
            )
        };
        for (total, input) in [(130, 60), (170, 100)] {
            let usage = inspect(Json::new(&counts(total)));
            assert_eq!((usage.input, usage.cache_read), (Some(input), Some(40)), "{total}");
        }
    }

    #[test]
    fn nothing_but_zeros_is_no_report() {
        for counts in [
            r#"{"input_tokens":0,"output_tokens":0}"#,
            "{}",
            "null",
            "7",
            r#"{"input_tokens":null}"#,
        ] {
            assert!(OPENAI.read(Json::new(counts)).is_empty(), "{counts}");
        }
    }
}
