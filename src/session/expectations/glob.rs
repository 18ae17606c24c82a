//! Name patterns: `*` matches anything, `?` one character; case is ignored.

use traceloupe_core::case::lower;

/// Whether a pattern matches the whole text.
pub(super) fn fits(text: &str, pattern: &str) -> bool {
    let fold = |text: &str| text.chars().map(lower).collect::<Vec<char>>();
    let (text, pattern) = (fold(text), fold(pattern));
    let (mut at, mut wanted) = (0, 0);
    // The last star, and how much of the text it has matched.
    let mut star: Option<(usize, usize)> = None;
    while at < text.len() {
        match pattern.get(wanted) {
            Some('*') => {
                star = Some((wanted, at));
                wanted += 1;
            }
            Some(letter) if *letter == '?' || text.get(at) == Some(letter) => {
                at += 1;
                wanted += 1;
            }
            _ => match star {
                Some((place, taken)) => {
                    star = Some((place, taken + 1));
                    at = taken + 1;
                    wanted = place + 1;
                }
                None => return false,
            },
        }
    }
    pattern.get(wanted..).unwrap_or_default().iter().all(|letter| *letter == '*')
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn stars_marks_and_letters() {
        for (text, pattern, expected) in [
            ("search", "search", true),
            ("Search", "sEARCH", true),
            ("web_search", "*search", true),
            ("web_search", "search*", false),
            ("web_search_v2", "*search*", true),
            ("ab", "a?", true),
            ("a", "a?", false),
            ("a.b", "a.b", true),
            ("axb", "a.b", false),
            ("", "*", true),
            ("", "", true),
            ("aaab", "*ab", true),
        ] {
            assert_eq!(fits(text, pattern), expected, "{text} {pattern}");
        }
        assert!(!fits(&"a".repeat(2_000), &format!("{}b", "*a".repeat(50))));
    }
}
