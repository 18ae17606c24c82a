//! How full the context window of the model was at most, of all LLM calls of a run.

use serde::{Deserialize, Serialize};

use crate::view::words;

/// Where the size of a context window comes from.
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
    /// The context window in tokens and the source of that number; `None` if it is not known.
    pub window: Option<(u64, WindowSource)>,
}

impl ContextUse {
    /// `told` is the window stated in the file, `documented` the documented window of the model.
    #[must_use]
    pub fn new(tokens: u64, told: Option<u64>, documented: Option<u64>) -> Self {
        // More tokens than fit: the call used another window than the documented one.
        let documented = documented.filter(|window| tokens <= *window);
        let window = told.map(|window| (window, WindowSource::File));
        let window =
            window.or_else(|| documented.map(|window| (window, WindowSource::Documentation)));
        Self { tokens, window }
    }

    /// How much of the window is used, in percent; `None` if the window is not known.
    #[must_use]
    pub fn percent(self) -> Option<f64> {
        let (window, _) = self.window?;
        #[expect(clippy::cast_precision_loss)] // counts of tokens
        let share = self.tokens as f64 / window.max(1) as f64;
        Some(share * 100.0)
    }

    /// Severity of the share: `error` above 80%, `warn` above 50%, else `ok`; empty if the window is
    /// not known.
    #[must_use]
    pub fn tone(self) -> &'static str {
        match self.percent() {
            None => "",
            Some(percent) if percent > 80.0 => "error",
            Some(percent) if percent > 50.0 => "warn",
            Some(_) => "ok",
        }
    }

    /// The displayed number: `45%` of the window, or the tokens if the window is not known.
    #[must_use]
    pub fn number(self) -> String {
        self.percent()
            .map_or_else(|| tokens(self.tokens), |percent| words::percent(percent / 100.0))
    }

    /// The label after the number: `of 200k context`, `tokens of context`.
    #[must_use]
    pub fn label(self) -> String {
        match self.window {
            Some((window, _)) => format!("of {} context", tokens(window)),
            None => "tokens of context".to_owned(),
        }
    }

    /// An explanation in full sentences.
    #[must_use]
    pub fn sentence(self) -> String {
        let used = words::count(self.tokens);
        let (Some((window, source)), Some(percent)) = (self.window, self.percent()) else {
            return format!(
                "The fullest LLM call took {used} tokens. The context window of its model is not known."
            );
        };
        let source = match source {
            WindowSource::File => "",
            WindowSource::Documentation => {
                " The file does not state the window; this is the documented size for the model."
            }
        };
        let (window, percent) = (words::count(window), words::percent(percent / 100.0));
        format!(
            "The fullest LLM call took {used} tokens, {percent} of a context window of {window}.{source} When it is full, models lose the beginning of the conversation or fail."
        )
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

    #[test]
    fn an_unknown_window_is_never_assumed() {
        let unknown = ContextUse::new(110_000, None, None);
        assert_eq!((unknown.percent(), unknown.tone()), (None, ""));
        assert_eq!(
            (unknown.number(), unknown.label()),
            ("110k".into(), "tokens of context".into())
        );
        assert!(unknown.sentence().contains("is not known"));
        let too_many = ContextUse::new(250_000, None, Some(200_000));
        assert_eq!(too_many.percent(), None, "the call was made with a longer window");
    }

    #[test]
    fn it_says_where_the_window_is_from() {
        let told = ContextUse::new(900, Some(2_000), Some(200_000));
        assert!(!told.sentence().contains("documented") && told.sentence().contains("45%"));
        assert_eq!((told.number(), told.label()), ("45%".into(), "of 2.0k context".into()));
        let documented = ContextUse::new(50_000, None, Some(200_000));
        assert!(documented.sentence().contains("documented size for the model"));
        assert_eq!(documented.label(), "of 200k context");
    }
}
