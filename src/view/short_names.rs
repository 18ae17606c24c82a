//! Names in a list, shortened so that those that differ only at their end can be distinguished: the middle of the part
//! that a name shares with another one is left out.

use std::collections::HashMap;

/// In a narrow list, names that share fewer characters at their beginning are shown in full.
pub const NARROW: usize = 24;
/// The same for a list as wide as the page, which has room for full names.
pub const WIDE: usize = 60;

/// How much of the shared part is kept at the beginning, in characters.
const HEAD_CHARS: usize = 8;

/// How far before the first difference a word may begin and still be kept whole, in bytes.
const MAX_BACK_BYTES: usize = 16;

/// The shortened names, by full name: `Fix the…parser test 12` beside `Fix the…parser test 13`. Names that share fewer
/// characters than `min_shared` ([`NARROW`], [`WIDE`]) are not shortened.
#[must_use]
pub fn telling_names<'a>(
    names: impl Iterator<Item = &'a str>,
    min_shared: usize,
) -> HashMap<&'a str, String> {
    let mut sorted: Vec<&str> = names.filter(|name| name.len() > min_shared).collect();
    traceloupe_core::sorting::sort(&mut sorted);
    sorted.dedup();
    // In sorted order, each name is next to the one that it shares most with.
    let shared: Vec<usize> = sorted.windows(2).map(shared_bytes).collect();
    let of_pair = |at: Option<usize>| at.and_then(|at| shared.get(at)).copied().unwrap_or(0);
    let short = |(at, name): (usize, &&'a str)| {
        let n = of_pair(at.checked_sub(1)).max(of_pair(Some(at)));
        Some((*name, shortened(name, n, min_shared)?))
    };
    sorted.iter().enumerate().filter_map(short).collect()
}

/// How many bytes two names share at their beginning.
fn shared_bytes(pair: &[&str]) -> usize {
    let [one, other] = pair else { return 0 };
    let same = one.char_indices().zip(other.chars()).find(|((_, a), b)| a != b);
    same.map_or(one.len().min(other.len()), |((at, _), _)| at)
}

/// The name without the middle of its first `n` bytes, if that saves anything.
fn shortened(name: &str, n: usize, min_shared: usize) -> Option<String> {
    let start = name.get(..n)?;
    if start.chars().count() < min_shared {
        return None;
    }
    let head = name.char_indices().nth(HEAD_CHARS).map_or(0, |(at, _)| at);
    // Cut at a word boundary, if there is one.
    let head = name.get(..=head).and_then(|it| it.rfind(' ')).filter(|at| *at > 0).unwrap_or(head);
    let is_break = |char: char| !char.is_alphanumeric();
    // A name that is a prefix of the other one keeps its last word.
    let start = if n == name.len() { start.trim_end_matches(is_break) } else { start };
    let word = start.char_indices().rfind(|(_, char)| is_break(*char));
    let word = word.map(|(at, char)| at + char.len_utf8()).filter(|at| at + MAX_BACK_BYTES >= n);
    let from = word.unwrap_or(n);
    let (head, tail) = (name.get(..head)?.trim_end(), name.get(from..)?);
    (from > head.len() && !tail.is_empty()).then(|| format!("{head}…{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        let found = telling_names(names.iter().copied(), NARROW);
        names.iter().map(|it| found.get(it).cloned().unwrap_or_else(|| (*it).to_owned())).collect()
    }

    #[test]
    fn names_that_differ_at_their_end_show_it() {
        assert_eq!(
            names(&[
                "You are an agent that solves tasks: case-12 of set A",
                "Something else",
                "You are an agent that solves tasks: case-17 of set A",
            ]),
            ["You are…12 of set A", "Something else", "You are…17 of set A"]
        );
        assert_eq!(
            names(&[
                "runs/2026-01-01/gpt-large/terminal/one",
                "runs/2026-01-01/gpt-large/terminal/two"
            ]),
            ["runs/202…one", "runs/202…two"]
        );
    }

    #[test]
    fn names_that_share_little_stay_whole_in_a_wide_list() {
        let names = [
            "Hi, I would like to know what the weather is in Oslo",
            "Hi, I would like to know what the weather is in Bergen",
        ];
        assert_eq!(telling_names(names.into_iter(), WIDE).len(), 0);
        assert_eq!(telling_names(names.into_iter(), NARROW).get(names[0]).unwrap(), "Hi, I…Oslo");
    }

    #[test]
    fn other_names_stay() {
        for same in [
            ["short one", "short two"],
            ["exactly the same name in both", "exactly the same name in both"],
        ] {
            assert_eq!(names(&same), same);
        }
        assert_eq!(names(&[]), [""; 0]);
    }

    #[test]
    fn a_name_that_is_the_beginning_of_another_ends_with_its_last_word() {
        assert_eq!(
            names(&["Look into the failing tests now", "Look into the failing tests now again"]),
            ["Look…now", "Look…now again"]
        );
        let letters = "ü".repeat(40);
        let longer = format!("{letters}x");
        assert_eq!(names(&[&letters, &longer]), [letters.clone(), format!("{}…x", "ü".repeat(8))]);
    }
}
