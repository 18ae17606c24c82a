//! The documented context windows of well-known models, for traces that do not state one.
//!
//! Sources, read in November 2026: <https://platform.claude.com/docs/en/about-claude/models/overview>,
//! <https://platform.openai.com/docs/models>, <https://ai.google.dev/gemini-api/docs/models>.
//! A model that is not listed has no known window. Guessing one would make the context meter wrong.

/// Model families with the windows of their models, in tokens. The longest matching name decides.
const WINDOWS: &[(&str, u64)] = &[
    // Anthropic. Since Claude 4, versions follow the family.
    ("claude-2.1", 200_000),
    ("claude-3", 200_000),
    ("claude-3-5", 200_000),
    ("claude-3-7", 200_000),
    ("claude-haiku-4-5", 200_000),
    ("claude-opus-4", 200_000),
    ("claude-opus-4-0", 200_000),
    ("claude-opus-4-1", 200_000),
    ("claude-opus-4-5", 200_000),
    ("claude-opus-4-6", 1_000_000),
    ("claude-sonnet-4", 200_000),
    ("claude-sonnet-4-0", 200_000),
    ("claude-sonnet-4-5", 200_000),
    ("claude-sonnet-4-6", 1_000_000),
    // OpenAI.
    ("gpt-4", 8_192),
    ("gpt-4-0125", 128_000),
    ("gpt-4-1106", 128_000),
    ("gpt-4-32k", 32_768),
    ("gpt-4-turbo", 128_000),
    ("gpt-4-vision", 128_000),
    ("gpt-4.1", 1_047_576),
    ("gpt-4.5", 128_000),
    ("gpt-4o", 128_000),
    ("gpt-5", 400_000),
    ("gpt-5-chat", 128_000),
    ("gpt-5.1", 400_000),
    ("gpt-5.1-chat", 128_000),
    ("gpt-5.2", 400_000),
    ("gpt-5.2-chat", 128_000),
    ("o1", 200_000),
    ("o1-mini", 128_000),
    ("o1-preview", 128_000),
    ("o3", 200_000),
    ("o4-mini", 200_000),
    // Google.
    ("gemini-1.5-flash", 1_048_576),
    ("gemini-1.5-pro", 2_097_152),
    ("gemini-2.0-flash", 1_048_576),
    ("gemini-2.5-flash", 1_048_576),
    ("gemini-2.5-pro", 1_048_576),
];

/// The suffix that Claude Code appends to the name of a model that runs with the long window.
const LONG_WINDOW_MARK: &str = "[1m]";
const LONG_WINDOW: u64 = 1_000_000;

/// The documented context window of a model in tokens. The name may be in any form that producers write: with or
/// without a provider (`anthropic/claude-sonnet-4.5`, `us.anthropic.claude-…-v1:0`), a date and a variant
/// (`gpt-4o-mini-2024-07-18`). `None` if the window is not known.
#[must_use]
pub fn context_window(model: &str) -> Option<u64> {
    let name = model.trim().to_ascii_lowercase();
    let name = name.rsplit('/').next().unwrap_or_default();
    let Some(at) = name.find("claude-") else { return longest_fit(name) };
    // Bedrock puts the region and the provider before the name; OpenRouter writes versions with a dot.
    let name =
        name.get(at..).unwrap_or_default().replace('.', "-").replace("claude-2-", "claude-2.");
    if name.ends_with(LONG_WINDOW_MARK) {
        return Some(LONG_WINDOW);
    }
    longest_fit(&name)
}

fn longest_fit(name: &str) -> Option<u64> {
    let fitting = WINDOWS.iter().filter(|(family, _)| is_of(family, name));
    fitting.max_by_key(|(family, _)| family.len()).map(|(_, window)| *window)
}

/// Whether a name is that of a family, alone or followed by a date or variant. A number of one or two digits is a
/// version: `claude-opus-4-9` does not belong to `claude-opus-4`.
fn is_of(family: &str, name: &str) -> bool {
    let Some(rest) = name.strip_prefix(family) else { return false };
    let Some(rest) = rest.strip_prefix(['-', '@', ':', '_']) else { return rest.is_empty() };
    let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let ends = !rest.as_bytes().get(n_digits).is_some_and(u8::is_ascii_alphanumeric);
    !(1..=2).contains(&n_digits) || !ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_producers_write_them() {
        let known = [
            ("claude-opus-4-5-20251101", 200_000),
            ("claude-sonnet-4-20250514", 200_000),
            ("claude-sonnet-4@20250514", 200_000),
            ("claude-3-5-sonnet-latest", 200_000),
            ("claude-3-haiku-20240307", 200_000),
            ("anthropic/claude-sonnet-4.5", 200_000),
            ("anthropic/claude-3.7-sonnet:thinking", 200_000),
            ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", 200_000),
            ("claude-2.1", 200_000),
            ("claude-sonnet-4-5-20250929[1m]", 1_000_000),
            ("claude-opus-4-6", 1_000_000),
            ("gpt-4o-mini-2024-07-18", 128_000),
            ("GPT-4", 8_192),
            ("gpt-4-0613", 8_192),
            ("gpt-4-1106-preview", 128_000),
            ("openai/gpt-4.1-mini", 1_047_576),
            ("gpt-5-codex", 400_000),
            ("o3-2025-04-16", 200_000),
            ("models/gemini-2.5-pro-preview-05-06", 1_048_576),
        ];
        for (name, window) in known {
            assert_eq!(context_window(name), Some(window), "{name}");
        }
    }

    #[test]
    fn other_models_have_no_window() {
        let unknown = [
            "",
            "m",
            "claude-x",
            "claude-opus-4-9",
            "claude-sonnet-4-12",
            "gpt-4.7",
            "gpt-5.9",
            "gpt-50",
            "o1x",
            "o5",
            "gemini-4-pro",
            "<synthetic>",
            "my-gpt-4o",
            "claude-2",
        ];
        for name in unknown {
            assert_eq!(context_window(name), None, "{name}");
        }
    }
}
