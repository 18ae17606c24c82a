//! What to search for, as entered by the user.

use serde::{Deserialize, Serialize};

/// Longer queries are rejected.
pub const MAX_QUERY_CHARS: usize = 4_000;

/// A query.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Query {
    /// The text, or the regular expression.
    pub text: String,
    /// Whether case matters; `None` means "smart": only if the query has an upper-case character.
    pub case: Option<bool>,
    /// Whether only whole words match.
    pub word: bool,
    /// Whether the text is a regular expression.
    pub regex: bool,
}

/// Why a query cannot be searched for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// A description of the fault.
    pub what: String,
    /// The character of the query at fault, from 1, if known.
    pub at: Option<u32>,
}

impl Query {
    /// A query for a plain text with default options.
    #[must_use]
    pub fn literal(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    /// Whether there is nothing to search for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether case matters.
    #[must_use]
    pub fn is_case_sensitive(&self) -> bool {
        self.case.unwrap_or_else(|| self.has_capital())
    }

    fn has_capital(&self) -> bool {
        let mut escaped = false;
        self.text.chars().any(|char| {
            // Letters in escapes such as `\W` do not count.
            let is_escape = std::mem::take(&mut escaped);
            escaped = self.regex && char == '\\' && !is_escape;
            char.is_uppercase() && !is_escape
        })
    }

    /// The options as words for a link, separated by `,`; empty if all are at their defaults.
    #[must_use]
    pub fn options(&self) -> String {
        let case = match self.case {
            None => "",
            Some(true) => "case",
            Some(false) => "nocase",
        };
        let words =
            [case, if self.word { "word" } else { "" }, if self.regex { "regex" } else { "" }];
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(",")
    }

    /// Sets options as written by [`Query::options`]. Ignores unknown words.
    #[must_use]
    pub fn with_options(mut self, options: &str) -> Self {
        for word in options.split(',') {
            match word {
                "case" => self.case = Some(true),
                "nocase" => self.case = Some(false),
                "word" => self.word = true,
                "regex" => self.regex = true,
                _ => {}
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_make_a_query_case_sensitive() {
        assert!(!Query::literal("straße").is_case_sensitive());
        assert!(Query::literal("Éa").is_case_sensitive());
        let query = Query { case: Some(false), ..Query::literal("A") };
        assert!(!query.is_case_sensitive());
        let query = Query { regex: true, ..Query::literal(r"\W\Sx") };
        assert!(!query.is_case_sensitive(), "classes are no letters");
        assert!(Query { regex: true, ..Query::literal(r"\\W") }.is_case_sensitive());
    }

    #[test]
    fn options_come_back() {
        for (case, word, regex) in
            [(None, false, false), (Some(true), true, false), (Some(false), false, true)]
        {
            let query = Query { text: "x".to_owned(), case, word, regex };
            assert_eq!(Query::literal("x").with_options(&query.options()), query);
        }
        assert_eq!(Query::literal("x").with_options("wrod,,"), Query::literal("x"));
    }
}
