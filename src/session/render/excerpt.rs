//! A search hit with its context.

use std::ops::Range;

/// The most characters shown before the hit, after it, and of the hit itself.
const AROUND_CHARS: usize = 44;
const HIT_CHARS: usize = 72;

/// The text before a hit, the hit, and the text after it; on one line and shortened.
#[must_use]
pub fn excerpt(text: &str, hit: Range<usize>) -> [String; 3] {
    let (before, rest) = text.split_at_checked(hit.start).unwrap_or((text, ""));
    let (found, after) = rest.split_at_checked(hit.len()).unwrap_or((rest, ""));
    let from = before.char_indices().rev().nth(AROUND_CHARS - 1).map_or(0, |(at, _)| at);
    let near = one_line(before.get(from..).unwrap_or_default(), AROUND_CHARS);
    let before = if from > 0 { format!("…{near}") } else { near };
    [before, one_line(found, HIT_CHARS), one_line(after, AROUND_CHARS)]
}

/// Replaces white space and control characters with single spaces. Unlike in a summary, spaces at the ends are kept,
/// because they separate the parts.
fn one_line(text: &str, max_chars: usize) -> String {
    let mut line = String::new();
    let mut chars = 0;
    for char in text.chars() {
        if chars >= max_chars {
            line.push('…');
            break;
        }
        let char = if char.is_whitespace() || char.is_control() { ' ' } else { char };
        if char != ' ' || !line.ends_with(' ') {
            line.push(char);
            chars += 1;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_short_and_on_one_line() {
        let text = format!("{}one\n\n two {}", "x".repeat(100), "y".repeat(100));
        let start = text.find("one").unwrap();
        let [before, found, after] = excerpt(&text, start..start + 9);
        assert_eq!(before, format!("…{}", "x".repeat(44)));
        assert_eq!(found, "one two");
        assert_eq!(after, format!(" {}…", "y".repeat(43)));
        assert_eq!(excerpt("ab", 0..1), ["", "a", "b"].map(str::to_owned));
    }
}
