//! How full a context window is, in words.

use traceloupe_protocol::context_use::{ContextUse, WindowSource};

use crate::numbers::{count, percent, tokens};

/// The displayed number: `45%` of the window, or the tokens if the window is not known.
#[must_use]
pub fn number(used: ContextUse) -> String {
    used.percent().map_or_else(|| token_count(used.tokens), |share| percent(share / 100.0))
}

/// The label after the number: `of 200k context`, `tokens of context`.
#[must_use]
pub fn label(used: ContextUse) -> String {
    match used.window {
        Some((window, _)) => format!("of {} context", token_count(window)),
        None => "tokens of context".to_owned(),
    }
}

/// An explanation in full sentences.
#[must_use]
pub fn sentence(used: ContextUse) -> String {
    let n_tokens = count(used.tokens);
    let (Some((window, source)), Some(share)) = (used.window, used.percent()) else {
        return format!(
            "The fullest LLM call used {n_tokens} tokens. The context window of its model is not known."
        );
    };
    let source = match source {
        WindowSource::File => "",
        WindowSource::Documentation => {
            " The file does not state the window; this is the documented size for the model."
        }
    };
    let (window, share) = (count(window), percent(share / 100.0));
    format!(
        "The fullest LLM call used {n_tokens} tokens, {share} of a context window of {window}.{source} When it is full, models lose the beginning of the conversation or fail."
    )
}

#[expect(clippy::cast_precision_loss)] // counts of tokens
fn token_count(n: u64) -> String {
    tokens(n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_window_is_never_assumed() {
        let unknown = ContextUse::new(110_000, None, None);
        assert_eq!((unknown.percent(), unknown.tone()), (None, ""));
        assert_eq!((number(unknown), label(unknown)), ("110k".into(), "tokens of context".into()));
        assert!(sentence(unknown).contains("is not known"));
        let too_many = ContextUse::new(250_000, None, Some(200_000));
        assert_eq!(too_many.percent(), None, "the call was made with a longer window");
    }

    #[test]
    fn it_says_where_the_window_is_from() {
        let told = ContextUse::new(900, Some(2_000), Some(200_000));
        assert!(!sentence(told).contains("documented") && sentence(told).contains("45%"));
        assert_eq!((number(told), label(told)), ("45%".into(), "of 2.0k context".into()));
        let documented = ContextUse::new(50_000, None, Some(200_000));
        assert!(sentence(documented).contains("documented size for the model"));
        assert_eq!(label(documented), "of 200k context");
    }
}
