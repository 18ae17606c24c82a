//! Writes a filter so that it parses back to the same filter.

use super::link::is_old_word;
use super::{RowFilter, Term, Test};

impl RowFilter {
    /// The filter as typed.
    #[must_use]
    pub fn print(&self) -> String {
        self.terms.iter().map(Term::print).collect::<Vec<_>>().join(" ")
    }
}

impl Term {
    /// The term as typed.
    #[must_use]
    pub fn print(&self) -> String {
        let test = match &self.test {
            Test::Text(text) if text.starts_with(['-', '!']) || text.contains(':') => quoted(text),
            Test::Text(text) => value(text),
            Test::Words(key, words) => {
                let words: Vec<String> = words
                    .iter()
                    .map(|word| match key {
                        // The values of these keys are known words.
                        super::Key::Kind | super::Key::Status | super::Key::Loop => word.clone(),
                        _ => value(word),
                    })
                    .collect();
                format!("{}:{}", key.word(), words.join(","))
            }
            Test::Numbers(measure, ranges) => {
                let ranges: Vec<String> = ranges.iter().map(|range| range.print()).collect();
                format!("{}:{}", measure.word(), ranges.join(","))
            }
        };
        if self.is_not { format!("-{test}") } else { test }
    }
}

/// A value, quoted where it could be parsed as something else.
fn value(text: &str) -> String {
    let is_plain = |it: char| it.is_alphanumeric() || "_-./*@+~#$&()[]{}=?;|'^<>:!".contains(it);
    if text.is_empty()
        || !text.chars().all(is_plain)
        || is_old_word(text)
        || text.starts_with("name:")
        // After a key and a colon, this would look like a URL.
        || text.starts_with("//")
    {
        quoted(text)
    } else {
        text.to_owned()
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        if matches!(letter, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(letter);
    }
    quoted.push('"');
    quoted
}
