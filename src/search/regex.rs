//! Regular expressions, compiled by `regex-lite`, which is small and always linear. Features for interactive search
//! that it lacks are first added to the pattern.

use regex_lite::{Regex, RegexBuilder};

use super::fold::variants;
use super::query::Fault;

/// The largest compiled program, in bytes. Time is its size times the length of the text, so this
/// keeps `(\w{99}){99}` from hanging.
const MAX_PROGRAM_BYTES: usize = 48 << 10;

/// In longer patterns, the position of a fault is not determined.
const MAX_PLACED_CHARS: usize = 300;

/// Compiles a regular expression. `^` and `$` match at line ends; `word` adds word boundaries around it.
///
/// # Errors
/// A description and the position of the fault.
pub(super) fn compile(pattern: &str, sensitive: bool, word: bool) -> Result<Regex, Fault> {
    build(pattern, sensitive).map_err(|what| Fault { at: place(pattern, &what), what })?;
    let mut full = if sensitive { pattern.to_owned() } else { in_all_cases(pattern) };
    if word {
        full = format!(r"\b(?:{full})\b");
    }
    build(&full, sensitive).map_err(|what| Fault { what, at: None })
}

fn build(pattern: &str, sensitive: bool) -> Result<Regex, String> {
    RegexBuilder::new(pattern)
        .case_insensitive(!sensitive)
        .multi_line(true)
        .size_limit(MAX_PROGRAM_BYTES)
        .build()
        .map_err(|error| error.to_string())
}

/// The character, from 1, where a pattern first has this fault.
fn place(pattern: &str, what: &str) -> Option<u32> {
    if pattern.chars().nth(MAX_PLACED_CHARS).is_some() {
        return None;
    }
    // A fault appears at some length of the pattern and stays in all longer beginnings. The shortest beginning with the
    // fault therefore ends with the character at fault.
    let ends: Vec<usize> = pattern.char_indices().map(|(at, char)| at + char.len_utf8()).collect();
    let is_wrong = |end: &&usize| {
        pattern.get(..**end).is_some_and(|begin| build(begin, true).err().as_deref() == Some(what))
    };
    let n_wrong = ends.iter().rev().take_while(is_wrong).count();
    u32::try_from(ends.len() - n_wrong + 1).ok().filter(|_| n_wrong > 0)
}

/// Replaces characters beyond ASCII with a class of all their cases, because `regex-lite` folds only ASCII characters.
/// The ends of ranges in a class stay as they are.
fn in_all_cases(pattern: &str) -> String {
    if pattern.is_ascii() {
        return pattern.to_owned();
    }
    let mut all = String::with_capacity(pattern.len() * 2);
    let mut chars = pattern.chars().peekable();
    let (mut in_class, mut escaped, mut after_dash) = (false, false, false);
    while let Some(char) = chars.next() {
        let is_escaped = escaped;
        escaped = char == '\\' && !is_escaped;
        let is_range = std::mem::replace(&mut after_dash, in_class && char == '-')
            || in_class && chars.peek() == Some(&'-');
        match char {
            '[' if !is_escaped => in_class = true,
            ']' if !is_escaped => in_class = false,
            _ => {}
        }
        let cases = variants(char);
        if char.is_ascii() || cases.len() < 2 || is_escaped || is_range {
            all.push(char);
        } else if in_class {
            all.extend(cases);
        } else {
            all.push('[');
            all.extend(cases);
            all.push(']');
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_says_what_and_where() {
        let at = |pattern: &str| compile(pattern, true, false).unwrap_err().at;
        assert_eq!(at("ab)c"), Some(3));
        assert_eq!(at("*a"), Some(1));
        assert_eq!(at("(a)(b"), Some(4));
        assert_eq!(at("é[a"), Some(3));
        assert_eq!(at(r"a\"), Some(2));
        assert_eq!(at(r"a\pL"), Some(3));
        let what = compile("(a", true, false).unwrap_err().what;
        assert!(what.contains("without closing"), "{what}");
    }

    #[test]
    fn a_pattern_that_grows_too_large_is_refused() {
        for pattern in [r"((a{99}){99}){99}", r"(\w{500}\d{500}){9}"] {
            assert!(compile(pattern, true, false).is_err(), "{pattern}");
        }
        assert!(compile(&"(".repeat(3000), true, false).is_err());
    }

    #[test]
    fn letters_beyond_ascii_get_their_cases() {
        assert_eq!(in_all_cases(r"é[àx]\[ä-ü"), r"[Éé][Ààx]\[[Ää]-[Üü]");
        assert_eq!(in_all_cases("[ä-ü]"), "[ä-ü]");
        assert_eq!(in_all_cases("東"), "東");
    }
}
