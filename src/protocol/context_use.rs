//! The maximum use of the model's context window among all LLM calls of a run.

use serde::{Deserialize, Serialize};

/// The source of the size of a context window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum WindowSource {
    /// The file states it.
    File,
    /// It is the documented window of the model.
    Documentation,
}

/// Input tokens of the fullest LLM call, compared with the model's context window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ContextUse {
    /// Input tokens of the fullest LLM call, including cached ones.
    pub tokens: u64,
    /// The context window in tokens and the source of that number; `None` if it is unknown.
    pub window: Option<(u64, WindowSource)>,
}

impl ContextUse {
    /// `told` is the window stated in the file, `documented` the documented window of the model.
    #[must_use]
    pub fn new(tokens: u64, told: Option<u64>, documented: Option<u64>) -> Self {
        // If there are more tokens than fit, the call used another window than the documented one.
        let documented = documented.filter(|window| tokens <= *window);
        let window = told.map(|window| (window, WindowSource::File));
        let window =
            window.or_else(|| documented.map(|window| (window, WindowSource::Documentation)));
        Self { tokens, window }
    }

    /// The used share of the window, in percent; `None` if the window is unknown.
    #[must_use]
    pub fn percent(self) -> Option<f64> {
        let (window, _) = self.window?;
        #[expect(clippy::cast_precision_loss)] // counts of tokens
        let share = self.tokens as f64 / window.max(1) as f64;
        Some(share * 100.0)
    }

    /// Severity of the share: `error` above 80%, `warn` above 50%, otherwise `ok`; empty if the window is unknown.
    #[must_use]
    pub fn tone(self) -> &'static str {
        match self.percent() {
            None => "",
            Some(percent) if percent > 80.0 => "error",
            Some(percent) if percent > 50.0 => "warn",
            Some(_) => "ok",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn above_50_percent_is_a_warning_and_above_80_an_error() {
        let tone = |tokens, told, documented| ContextUse::new(tokens, told, documented).tone();
        assert_eq!(tone(100_000, None, Some(200_000)), "ok");
        assert_eq!(tone(100_001, None, Some(200_000)), "warn");
        assert_eq!(tone(160_000, None, Some(200_000)), "warn");
        assert_eq!(tone(160_001, None, Some(200_000)), "error");
        assert_eq!(tone(900, Some(1_000), Some(200_000)), "error", "the file is right");
        assert_eq!(tone(900, Some(2_000), None), "ok");
        assert_eq!(tone(5, Some(0), None), "error", "no division by zero");
    }
}
