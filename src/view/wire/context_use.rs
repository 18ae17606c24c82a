//! How full the context window of the model was at the last LLM call of a run.

use serde::{Deserialize, Serialize};

use crate::view::words;

/// The context window assumed when the file does not state one.
pub const DEFAULT_WINDOW: u64 = 128_000;

/// Input tokens of the last LLM call, compared with the model's context window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ContextUse {
    /// Input tokens of the last LLM call, including cached ones.
    pub tokens: u64,
    /// The context window, if the file states it.
    pub window: Option<u64>,
}

impl ContextUse {
    /// Share of the window in use, in percent. It exceeds 100 if the assumed window is too small.
    #[must_use]
    pub fn percent(self) -> f64 {
        #[expect(clippy::cast_precision_loss)] // counts of tokens
        let share = self.tokens as f64 / self.window().max(1) as f64;
        share * 100.0
    }

    /// Severity of the share: `error` above 80%, `warn` above 50%.
    #[must_use]
    pub fn tone(self) -> &'static str {
        match self.percent() {
            percent if percent > 80.0 => "error",
            percent if percent > 50.0 => "warn",
            _ => "ok",
        }
    }

    /// Label after the percentage: `of 128k context`, with a question mark if the window is
    /// assumed.
    #[must_use]
    pub fn label(self) -> String {
        let mark = if self.window.is_none() { "?" } else { "" };
        format!("of {}{mark} context", tokens(self.window()))
    }

    /// An explanation in full sentences.
    #[must_use]
    pub fn sentence(self) -> String {
        let (used, window) = (words::count(self.tokens), words::count(self.window()));
        let mut said = format!(
            "The last LLM call took {used} tokens, {:.0}% of a context window of {window}.",
            self.percent()
        );
        if self.window.is_none() {
            said.push_str(" The file does not state the context window, so 128k is assumed.");
        }
        said.push_str(" When it is full, models lose the beginning of the conversation or fail.");
        said
    }

    fn window(self) -> u64 {
        self.window.unwrap_or(DEFAULT_WINDOW)
    }
}

#[expect(clippy::cast_precision_loss)] // counts of tokens
fn tokens(n: u64) -> String {
    words::tokens(n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_is_a_warning_and_four_fifths_are_an_error() {
        let tone = |tokens, window| ContextUse { tokens, window }.tone();
        assert_eq!(tone(64_000, None), "ok");
        assert_eq!(tone(64_001, None), "warn");
        assert_eq!(tone(102_400, None), "warn");
        assert_eq!(tone(102_401, None), "error");
        assert_eq!(tone(900, Some(1_000)), "error");
        assert_eq!(tone(900, Some(2_000)), "ok");
        assert_eq!(tone(5, Some(0)), "error", "no division by zero");
    }

    #[test]
    fn an_assumed_window_is_said_to_be_one() {
        let known = ContextUse { tokens: 900, window: Some(2_000) };
        assert!(!known.sentence().contains("assumed") && known.sentence().contains("45%"));
        assert_eq!(known.label(), "of 2.0k context");
        let assumed = ContextUse { tokens: 900, window: None };
        assert!(assumed.sentence().contains("128k is assumed"));
        assert_eq!(assumed.label(), "of 128k? context");
    }
}
