//! A query compiled for searching text.

use std::ops::Range;

use memchr::memmem::Finder;

use super::fold::{Folded, is_caseless};
use super::query::{Fault, MAX_QUERY_CHARS, Query};
use super::regex;

/// A compiled query.
#[derive(Debug, Clone)]
pub struct Pattern {
    find: Find,
    is_word: bool,
}

#[derive(Debug, Clone)]
enum Find {
    Exact(Box<Finder<'static>>),
    Folded(Folded),
    Regex(Box<regex_lite::Regex>),
}

impl Pattern {
    /// Compiles a query.
    ///
    /// # Errors
    /// If it is too long, or is not a valid regular expression.
    pub fn new(query: &Query) -> Result<Self, Fault> {
        if query.text.chars().nth(MAX_QUERY_CHARS).is_some() {
            let what = format!("longer than {MAX_QUERY_CHARS} characters");
            return Err(Fault { what, at: None });
        }
        let sensitive = query.is_case_sensitive();
        let find = if query.regex {
            Find::Regex(Box::new(regex::compile(&query.text, sensitive, query.word)?))
        } else if sensitive || is_caseless(&query.text) {
            Find::Exact(Box::new(Finder::new(query.text.as_bytes()).into_owned()))
        } else {
            Find::Folded(Folded::new(&query.text))
        };
        Ok(Self { find, is_word: query.word })
    }

    /// The first match that starts at or after byte `from`. A match is never empty.
    #[must_use]
    pub fn find_at(&self, text: &str, from: usize) -> Option<Range<usize>> {
        let mut from = text.ceil_char_boundary(from);
        loop {
            let (start, end) = self.find_any(text, from)?;
            let step =
                text.get(start..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
            if start < end && (!self.is_word || is_whole_word(text, start, end)) {
                return Some(start..end);
            }
            // A regular expression defines word boundaries itself. Continuing after its match keeps the whole search
            // linear.
            let is_regex = matches!(self.find, Find::Regex(_));
            from = if is_regex { end.max(start + step) } else { start + step };
        }
    }

    fn find_any(&self, text: &str, from: usize) -> Option<(usize, usize)> {
        match &self.find {
            Find::Exact(finder) => {
                let at = from + finder.find(text.as_bytes().get(from..)?)?;
                // An empty text also matches at the end, which would never advance.
                (at < text.len()).then_some((at, at + finder.needle().len()))
            }
            Find::Folded(folded) => folded.find_at(text, from),
            Find::Regex(regex) => {
                let found = (from <= text.len()).then(|| regex.find_at(text, from)).flatten()?;
                Some((found.start(), found.end()))
            }
        }
    }

    /// All matches, in order and without overlaps.
    pub fn matches(&self, text: &str) -> impl Iterator<Item = Range<usize>> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let found = self.find_at(text, from)?;
            from = found.end;
            Some(found)
        })
    }
}

fn is_word_char(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// Whether a match is not part of a longer word at either end.
fn is_whole_word(text: &str, start: usize, end: usize) -> bool {
    let (before, rest) = text.split_at_checked(start).unwrap_or((text, ""));
    let (found, after) = rest.split_at_checked(end - start).unwrap_or((rest, ""));
    let goes_on = |a: Option<char>, b: Option<char>| {
        a.is_some_and(is_word_char) && b.is_some_and(is_word_char)
    };
    !goes_on(before.chars().next_back(), found.chars().next())
        && !goes_on(found.chars().next_back(), after.chars().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(query: &Query, text: &str) -> Vec<String> {
        let pattern = Pattern::new(query).unwrap();
        pattern.matches(text).map(|range| text.get(range).unwrap().to_owned()).collect()
    }

    fn regex(text: &str) -> Query {
        Query { regex: true, ..Query::literal(text) }
    }

    #[test]
    fn plain_text_in_any_case_or_in_this_one() {
        assert_eq!(
            found(&Query::literal("error"), "Error: ERROR error"),
            ["Error", "ERROR", "error"]
        );
        assert_eq!(found(&Query::literal("Error"), "Error: ERROR error"), ["Error"]);
        let any = Query { case: Some(false), ..Query::literal("Error") };
        assert_eq!(found(&any, "Error: ERROR error").len(), 3);
        assert_eq!(found(&Query::literal("aa"), "aaaaa"), ["aa", "aa"]);
        assert!(found(&Query::literal(""), "abc").is_empty());
    }

    #[test]
    fn whole_words() {
        let word = |text: &str| Query { word: true, ..Query::literal(text) };
        assert_eq!(found(&word("art"), "art part arts art_ art.").len(), 2);
        assert_eq!(found(&word("ber"), "über").len(), 0, "ü is a letter");
        assert_eq!(found(&word("\"x\""), "a\"x\"b").len(), 1, "a quote is no part of a word");
        assert_eq!(found(&word("a a"), "a a a").len(), 1);
    }

    #[test]
    fn regular_expressions() {
        assert_eq!(found(&regex(r"\d+ms"), "12ms, 7 ms, 900ms"), ["12ms", "900ms"]);
        assert_eq!(found(&regex(r"^b"), "a\nb\nB"), ["b", "B"], "every line begins");
        assert_eq!(found(&regex("x*"), "axxb"), ["xx"], "nothing is no match");
        assert_eq!(found(&regex("école"), "ÉCOLE école"), ["ÉCOLE", "école"]);
        assert_eq!(found(&regex("[éà]"), "É À"), ["É", "À"]);
        let word = Query { word: true, ..regex("a|ab") };
        assert_eq!(found(&word, "ab a abc"), ["ab", "a"]);
    }

    #[test]
    fn a_long_query_is_refused() {
        let query = Query::literal(&"x".repeat(MAX_QUERY_CHARS + 1));
        assert!(Pattern::new(&query).unwrap_err().what.contains("longer"));
    }
}
