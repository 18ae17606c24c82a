//! Splits the contents of the single input field into filter terms and text to search for.

use super::parse::words_of;

/// The contents of the field.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Split {
    /// The terms of the filter: words that begin with a known key.
    pub filter: String,
    /// The text to search for: everything else, as typed.
    pub search: String,
}

/// Splits the typed text. A key without a value is a term only at the end, where the value may still follow:
/// `error: no such file` is text.
#[must_use]
pub fn split(typed: &str) -> Split {
    let mut split = Split::default();
    let mut kept_to = 0;
    for word in words_of(typed) {
        let end = word.at + word.raw.len();
        let is_term = word.is_without_value().is_some_and(|is| !is || end == typed.len());
        if !is_term {
            continue;
        }
        split.keep(typed.get(kept_to..word.at).unwrap_or_default().trim_end());
        kept_to = end;
        if !split.filter.is_empty() {
            split.filter.push(' ');
        }
        split.filter.push_str(&word.raw);
    }
    split.keep(typed.get(kept_to..).unwrap_or_default());
    split
}

impl Split {
    fn keep(&mut self, text: &str) {
        let is_after_term = self.search.is_empty() && !self.filter.is_empty();
        self.search.push_str(if is_after_term { text.trim_start() } else { text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_known_keys_are_filters_and_all_else_is_searched_for() {
        for (typed, filter, search) in [
            ("", "", ""),
            ("rounding error", "", "rounding error"),
            ("  two ", "", "  two "),
            ("tool:bash", "tool:bash", ""),
            ("-tool:bash !status:ok dur:>5s", "-tool:bash !status:ok dur:>5s", ""),
            ("npm tool:bash test", "tool:bash", "npm test"),
            ("tool:bash npm", "tool:bash", "npm"),
            ("npm exit:1", "exit:1", "npm"),
            ("text:\"a b\" c", "text:\"a b\"", "c"),
            // The value may still follow.
            ("npm tool:", "tool:", "npm"),
            ("error: no such file", "", "error: no such file"),
            // No keys.
            ("https://example.org/a", "", "https://example.org/a"),
            ("std::fs::read", "", "std::fs::read"),
            ("\"tool\": \"x\"", "", "\"tool\": \"x\""),
            ("tol:bash", "", "tol:bash"),
        ] {
            let expected = Split { filter: filter.to_owned(), search: search.to_owned() };
            assert_eq!(split(typed), expected, "{typed:?}");
        }
    }
}
