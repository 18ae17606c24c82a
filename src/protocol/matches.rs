//! Texts to look for in the summaries of rows, and the events whose summaries contain them.

use serde::{Deserialize, Serialize};

use crate::columns::Column;

/// A text to look for in summaries.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Needle {
    /// The text, in lower case.
    pub text: String,
    /// Whether it must be part of a path.
    pub is_path: bool,
}

impl Needle {
    /// Whether a lower-case summary contains the text.
    #[must_use]
    pub fn is_in(&self, summary: &str) -> bool {
        if !self.is_path {
            return summary.contains(&self.text);
        }
        let is_part = |word: &str| is_path(word) && word.contains(&self.text);
        summary.contains(&self.text) && summary.split(ends_path).any(is_part)
    }
}

/// Whether a character ends a path.
fn ends_path(letter: char) -> bool {
    letter.is_whitespace() || "\"'`,;:()[]{}<>|=*".contains(letter)
}

/// Whether a word looks like a path or a file name.
fn is_path(word: &str) -> bool {
    let has_ending = word.rsplit_once('.').is_some_and(|(name, ending)| {
        let is_ending =
            (1..=8).contains(&ending.len()) && ending.bytes().all(|it| it.is_ascii_alphanumeric());
        is_ending && !name.is_empty() && ending.bytes().any(|it| it.is_ascii_alphabetic())
    });
    has_ending || word.contains(['/', '\\'])
}

/// The first path or file name in a text.
#[must_use]
pub fn first_path(text: &str) -> Option<&str> {
    text.split(ends_path).find(|word| word.len() > 1 && is_path(word))
}

/// The events found since the previous batch.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MatchBatch {
    /// The number of the request.
    pub generation: u32,
    /// For each text of the request, the ids of the events whose summaries contain it.
    pub ids: Vec<Column<u32>>,
    /// How many events have been examined.
    pub looked_at: u32,
    /// How many events there are so far.
    pub n_events: u32,
    /// Whether all events have been read and examined.
    pub done: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_by_any_part_of_it() {
        let has = |text: &str, summary: &str| {
            Needle { text: text.to_owned(), is_path: true }.is_in(summary)
        };
        assert!(has("src/", "src/cart/total.ts"));
        assert!(has("total", "cat src/cart/total.ts | head"));
        assert!(has("total.ts", "file_path: \"total.ts\""));
        assert!(!has("src/", "the source"));
        assert!(!has("total", "the total is 3.50"));
    }

    #[test]
    fn a_path_is_found_in_a_summary() {
        assert_eq!(first_path("sed -n 1,9p src/a.rs"), Some("src/a.rs"));
        assert_eq!(first_path("path: \"a.txt\""), Some("a.txt"));
        assert_eq!(first_path("echo 3.5"), None);
    }
}
