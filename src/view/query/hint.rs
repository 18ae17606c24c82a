//! Suggests what an unknown word was probably meant to be.

use traceloupe_core::case::lowercase;

/// The known word most similar to a given one, if any is: it has the same beginning, or differs in few letters.
#[must_use]
pub fn closest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let lower = lowercase(word);
    let far = 1 + lower.chars().count() / 3;
    let near = known.filter_map(|it| {
        let other = lowercase(it);
        let begins = lower.len() > 1 && (other.starts_with(&lower) || lower.starts_with(&other));
        let apart = if begins { 1 } else { distance(&lower, &other) };
        (apart <= far).then_some((apart, it))
    });
    near.min_by_key(|(apart, _)| *apart).map(|(_, it)| it)
}

/// The longest word that is compared; names may be arbitrarily long.
const MAX_CHARS: usize = 64;

/// How many letters must be changed, added or removed to turn one word into the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().take(MAX_CHARS).collect();
    let mut line: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().take(MAX_CHARS).enumerate() {
        let mut before = at;
        let mut left = at + 1;
        let mut next = vec![left];
        for (above, wanted) in line.iter().skip(1).zip(&other) {
            left = (left + 1).min(above + 1).min(before + usize::from(letter != *wanted));
            before = *above;
            next.push(left);
        }
        line = next;
    }
    line.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_differ_are_counted() {
        for (one, other, apart) in
            [("", "", 0), ("a", "", 1), ("", "ab", 2), ("bash", "bsh", 1), ("kitten", "sitting", 3)]
        {
            assert_eq!(distance(one, other), apart, "{one} {other}");
        }
    }

    #[test]
    fn what_is_near_is_offered_and_what_is_far_is_not() {
        let known = || ["tool", "model", "status"].into_iter();
        assert_eq!(closest("tol", known()), Some("tool"));
        assert_eq!(closest("stat", known()), Some("status"));
        assert_eq!(closest("tools", known()), Some("tool"));
        assert_eq!(closest("purple", known()), None);
    }
}
