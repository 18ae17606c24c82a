//! Case folding of characters, and search that ignores case.

use memchr::{memchr, memchr2, memchr3};
use traceloupe_core::case;

/// The form that stands for all cases of a character. An ASCII character and a character beyond ASCII never fold to the
/// same form.
pub(super) fn fold(char: char) -> char {
    if char.is_ascii() {
        return char.to_ascii_lowercase();
    }
    let small = case::lower(char);
    if small.is_ascii() { char } else { small }
}

/// All characters that fold to the same form.
pub(super) fn variants(char: char) -> Vec<char> {
    let small = fold(char);
    let mut all = vec![small, small.to_ascii_uppercase()];
    all.extend(case::capitals(small));
    all.retain(|it| fold(*it) == small);
    traceloupe_core::sorting::sort(&mut all);
    all.dedup();
    all
}

/// Whether no character of a text has case.
pub(super) fn is_caseless(text: &str) -> bool {
    text.chars().all(|char| variants(char).len() == 1)
}

/// Finds a text, ignoring case.
#[derive(Debug, Clone)]
pub(super) struct Folded {
    /// The text, folded.
    needle: Vec<char>,
    /// The bytes that a match can start with.
    first: Vec<u8>,
    /// The text, if it is ASCII.
    ascii: Option<FoldedAscii>,
}

impl Folded {
    pub fn new(text: &str) -> Self {
        let mut buffer = [0; 4];
        let starts = text.chars().next().map(variants).unwrap_or_default();
        let mut first: Vec<u8> = starts
            .into_iter()
            .filter_map(|char| char.encode_utf8(&mut buffer).bytes().next())
            .collect();
        traceloupe_core::sorting::sort(&mut first);
        first.dedup();
        Self {
            needle: text.chars().map(fold).collect(),
            first,
            ascii: text.is_ascii().then(|| FoldedAscii::new(text.as_bytes())),
        }
    }

    /// The first match that starts at or after `from`: its start and end.
    pub fn find_at(&self, text: &str, from: usize) -> Option<(usize, usize)> {
        if let Some(ascii) = &self.ascii {
            let at = ascii.find_at(text.as_bytes(), from)?;
            return Some((at, at + self.needle.len()));
        }
        let mut at = from;
        loop {
            let rest = text.as_bytes().get(at..)?;
            let hit = match self.first.as_slice() {
                [a] => memchr(*a, rest),
                [a, b] => memchr2(*a, *b, rest),
                [a, b, c] => memchr3(*a, *b, *c, rest),
                bytes => rest.iter().position(|byte| bytes.contains(byte)),
            };
            at += hit?;
            if let Some(len) = self.len_at(text.get(at..).unwrap_or_default()) {
                return Some((at, at + len));
            }
            at += 1;
        }
    }

    /// The length in bytes of the match at the start of `text`.
    fn len_at(&self, text: &str) -> Option<usize> {
        let mut chars = text.chars();
        for wanted in &self.needle {
            if fold(chars.next()?) != *wanted {
                return None;
            }
        }
        Some(text.len() - chars.as_str().len())
    }
}

/// Finds ASCII text, ignoring case, by its rarest byte.
#[derive(Debug, Clone)]
pub(super) struct FoldedAscii {
    needle: Vec<u8>,
    rare_at: usize,
    rare: [u8; 2],
}

impl FoldedAscii {
    pub fn new(needle: &[u8]) -> Self {
        let needle = needle.to_ascii_lowercase();
        let rarest = needle.iter().copied().enumerate().min_by_key(|(_, byte)| commonness(*byte));
        let (rare_at, rare) = rarest.unwrap_or((0, 0));
        Self { needle, rare_at, rare: [rare, rare.to_ascii_uppercase()] }
    }

    /// The first match that starts at or after `from`.
    pub fn find_at(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let [small, capital] = self.rare;
        let mut at = from + self.rare_at;
        loop {
            let rest = bytes.get(at..)?;
            at +=
                if small == capital { memchr(small, rest) } else { memchr2(small, capital, rest) }?;
            let start = at - self.rare_at;
            let found = bytes.get(start..start + self.needle.len());
            if found.is_some_and(|it| it.eq_ignore_ascii_case(&self.needle)) {
                return Some(start);
            }
            at += 1;
        }
    }
}

/// A rough ranking of how common a byte is in traces: white space and the most frequent letters of English are the most
/// common.
fn commonness(byte: u8) -> usize {
    const COMMON: &[u8] = b"zjqxkvwybgfpmuhcdl,:.-_0123456789srnioate \"";
    match byte {
        b'A'..=b'Z' => commonness(byte.to_ascii_lowercase()),
        _ => COMMON.iter().position(|it| *it == byte).map_or(0, |at| at + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_all_letters_that_fold_to_the_same() {
        let mut by_fold = std::collections::HashMap::<char, Vec<char>>::new();
        let all = (0..=0x10_ffff).filter_map(char::from_u32);
        for char in all {
            by_fold.entry(fold(char)).or_default().push(char);
        }
        for chars in by_fold.values() {
            for char in chars {
                assert_eq!(&variants(*char), chars, "{char}");
            }
        }
    }

    #[test]
    fn letters_are_found_in_any_case() {
        let find = |needle: &str, text: &str| Folded::new(needle).find_at(text, 0);
        assert_eq!(find("école", "une ÉCOLE"), Some((4, 10)));
        assert_eq!(find("ZÜRICH", "in zürich"), Some((3, 10)));
        assert_eq!(find("straße", "STRAẞE"), Some((0, 8)));
        assert_eq!(find("straße", "STRASSE"), None, "one letter stays one letter");
        assert_eq!(find("k", "\u{212a}"), None, "the Kelvin sign is not ASCII");
        assert_eq!(find("the", "Then THE"), Some((0, 3)));
        assert_eq!(Folded::new("the").find_at("Then THE", 1), Some((5, 8)));
        assert_eq!(find("привет", "ПРИВЕТ"), Some((0, 12)));
    }

    #[test]
    fn what_has_no_case() {
        assert!(is_caseless("東京 12_"));
        assert!(!is_caseless("東京 a"));
        assert!(!is_caseless("ß"));
    }
}
