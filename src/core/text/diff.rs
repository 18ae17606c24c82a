//! Diffs of lines, and of the words of two lines: Myers' greedy algorithm (1986), applied between the common prefix and
//! suffix.
//!
//! Implemented here because diff libraries include further algorithms, heuristics and hooks that are not needed and
//! would increase the size of the wasm file.

use std::ops::Range;

use rustc_hash::FxHashMap;

/// The maximum number of changed lines that are compared one by one. Time grows with lines times changes, memory with
/// the square of the changes (2 MB at this limit).
const MAX_CHANGES: usize = 1_000;

/// The diff as lines with a sign: `-` for lines only in the old text, `+` for lines only in the new one, a space for
/// lines in both. The diff is minimal up to [`MAX_CHANGES`]; beyond that, everything between the common prefix and
/// suffix counts as changed. At each place, removed lines come before added ones. Line ends are removed from the
/// result, but lines that differ only in their line end count as different.
#[must_use]
pub fn line_diff(old: &str, new: &str) -> Vec<(char, String)> {
    let mut numbers = FxHashMap::default();
    let old = numbered(old, &mut numbers);
    let new = numbered(new, &mut numbers);
    let head = old.iter().zip(&new).take_while(|(one, other)| one.0 == other.0).count();
    let (old_rest, new_rest) = (old.get(head..).unwrap_or(&[]), new.get(head..).unwrap_or(&[]));
    let tail =
        old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a.0 == b.0).count();
    let old_middle = old_rest.get(..old_rest.len() - tail).unwrap_or(&[]);
    let new_middle = new_rest.get(..new_rest.len() - tail).unwrap_or(&[]);

    let mut lines = Vec::with_capacity(old.len().max(new.len()));
    let mut push = |sign: char, some: &[Line<'_>]| {
        lines.extend(some.iter().map(|line| (sign, line.1.trim_end_matches('\n').to_owned())));
    };
    push(' ', old.get(..head).unwrap_or(&[]));
    let (mut old_at, mut new_at) = (0, 0);
    for (old_same, new_same) in common_lines(old_middle, new_middle) {
        push('-', old_middle.get(old_at..old_same).unwrap_or(&[]));
        push('+', new_middle.get(new_at..new_same).unwrap_or(&[]));
        push(' ', old_middle.get(old_same..=old_same).unwrap_or(&[]));
        (old_at, new_at) = (old_same + 1, new_same + 1);
    }
    push('-', old_middle.get(old_at..).unwrap_or(&[]));
    push('+', new_middle.get(new_at..).unwrap_or(&[]));
    push(' ', old_rest.get(old_rest.len() - tail..).unwrap_or(&[]));
    lines
}

/// Byte ranges of a line.
pub type Ranges = Vec<Range<usize>>;

/// The changes between two versions of a line: byte ranges of the old and of the new one, at word boundaries. `None` if
/// the lines have too little in common for the ranges to be useful.
#[must_use]
pub fn changed_words<'a>(old: &'a str, new: &'a str) -> Option<(Ranges, Ranges)> {
    let mut numbers = FxHashMap::default();
    let (old_words, new_words) = (words(old), words(new));
    if old_words.len().max(new_words.len()) > MAX_WORDS {
        return None;
    }
    let mut units = |line: &'a str, words: &[Range<usize>]| {
        let words = words.iter().filter_map(|word| line.get(word.clone()));
        numbered_units(words, &mut numbers)
    };
    let (old_units, new_units) = (units(old, &old_words), units(new, &new_words));
    let common = common_lines(&old_units, &new_units);
    let same: usize = common.iter().filter_map(|it| old_words.get(it.0)).map(Range::len).sum();
    let longest = old.trim().len().max(new.trim().len());
    // Below a third, the marks would cover most of both lines.
    if same * 3 < longest {
        return None;
    }
    let (old_marks, new_marks) = (Marks::new(old, &old_words), Marks::new(new, &new_words));
    Some(old_marks.without(&common, new_marks))
}

/// A line whose changed parts are marked.
struct Marks<'a> {
    line: &'a str,
    words: &'a [Range<usize>],
    /// For each word, whether it is only in this line, and whether the blanks before it differ.
    is_changed: Vec<(bool, bool)>,
}

impl<'a> Marks<'a> {
    fn new(line: &'a str, words: &'a [Range<usize>]) -> Self {
        Self { line, words, is_changed: vec![(true, false); words.len()] }
    }

    /// The end of the word before the one at an index.
    fn end_before(&self, at: usize) -> usize {
        at.checked_sub(1).and_then(|before| self.words.get(before)).map_or(0, |word| word.end)
    }

    fn blanks_before(&self, at: usize) -> &str {
        let start = self.words.get(at).map_or(0, |word| word.start);
        self.line.get(self.end_before(at)..start).unwrap_or_default()
    }

    /// The ranges of both lines without the words that they have in common.
    fn without(mut self, common: &[(usize, usize)], mut new: Self) -> (Ranges, Ranges) {
        // The words on both sides of these blanks are the same.
        let mut next = (0, 0);
        for (old_at, new_at) in common {
            let are_other = next == (*old_at, *new_at)
                && self.blanks_before(*old_at) != new.blanks_before(*new_at);
            for (marks, at) in [(&mut self, *old_at), (&mut new, *new_at)] {
                if let Some(flags) = marks.is_changed.get_mut(at) {
                    *flags = (false, are_other);
                }
            }
            next = (old_at + 1, new_at + 1);
        }
        (self.ranges(), new.ranges())
    }

    /// The marked ranges. Adjacent ones are joined, and so are changes whose gap is shorter than both.
    fn ranges(&self) -> Ranges {
        let mut ranges = Ranges::new();
        let mut was_changed = false;
        for (at, (word, (is_changed, are_other))) in
            self.words.iter().zip(&self.is_changed).enumerate()
        {
            let before = self.end_before(at);
            let from = if *are_other || was_changed && *is_changed { before } else { word.start };
            let end = if *is_changed { word.end } else { word.start };
            was_changed = *is_changed;
            if from == end || !(*is_changed || *are_other) {
                continue;
            }
            match ranges.last_mut() {
                // Unchanged text between two changes that is shorter than both is no help to the user.
                Some(last) if from - last.end < last.len().min(end - from) => last.end = end,
                _ => ranges.push(from..end),
            }
        }
        ranges
    }
}

/// The maximum number of words in a line whose words are compared.
const MAX_WORDS: usize = 400;

/// Words, and single characters that are neither part of a word nor blanks.
fn words(line: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut is_in_word = false;
    for (at, char) in line.char_indices() {
        let end = at + char.len_utf8();
        let is_word = char.is_alphanumeric() || char == '_';
        match words.last_mut() {
            Some(word) if is_word && is_in_word => word.end = end,
            _ if char.is_whitespace() => {}
            _ => words.push(at..end),
        }
        is_in_word = is_word;
    }
    words
}

/// A number shared by equal lines, and the line with its line end.
type Line<'a> = (u32, &'a str);

fn numbered<'a>(text: &'a str, numbers: &mut FxHashMap<&'a str, u32>) -> Vec<Line<'a>> {
    numbered_units(text.split_inclusive('\n'), numbers)
}

fn numbered_units<'a>(
    units: impl Iterator<Item = &'a str>,
    numbers: &mut FxHashMap<&'a str, u32>,
) -> Vec<Line<'a>> {
    let number = |unit| {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        (*numbers.entry(unit).or_insert(next), unit)
    };
    units.map(number).collect()
}

/// Positions of the lines common to both, in order; empty if more than [`MAX_CHANGES`] lines differ.
///
/// For each number of changes `d`, the algorithm finds how far it can get in the old text on each diagonal (position in
/// the old text minus position in the new one, from `-d` to `d`). The row for each `d` is kept for tracing the path
/// back.
fn common_lines(old: &[Line<'_>], new: &[Line<'_>]) -> Vec<(usize, usize)> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for changes in 0..=(old.len() + new.len()).min(MAX_CHANGES) {
        // A row has every second diagonal: -changes, -changes + 2, ..., changes.
        let mut row = Vec::with_capacity(changes + 1);
        for step in 0..=changes {
            let (mut old_at, _) = start(rows.last(), changes, step);
            let mut new_at = (old_at + changes).saturating_sub(2 * step);
            while let (Some(one), Some(other)) = (old.get(old_at), new.get(new_at))
                && one.0 == other.0
            {
                old_at += 1;
                new_at += 1;
            }
            row.push(old_at);
            if old_at >= old.len() && new_at >= new.len() {
                rows.push(row);
                return way_back(&rows, old.len(), step);
            }
        }
        rows.push(row);
    }
    Vec::new()
}

/// Where the path enters a diagonal in the row for `changes` from the row before, and by which step: an added line
/// (from the diagonal above) or a removed one (from the one below).
fn start(before: Option<&Vec<usize>>, changes: usize, step: usize) -> (usize, usize) {
    let at = |step: usize| before.and_then(|row| row.get(step)).copied();
    let added = at(step).filter(|_| step < changes);
    let removed = step.checked_sub(1).and_then(at).map(|old_at| old_at + 1);
    match (added, removed) {
        (Some(added), Some(removed)) if added >= removed => (added, step),
        (Some(added), None) => (added, step),
        (_, Some(removed)) => (removed, step - 1),
        (None, None) => (0, 0),
    }
}

fn way_back(rows: &[Vec<usize>], old_len: usize, last_step: usize) -> Vec<(usize, usize)> {
    let mut kept = Vec::new();
    let (mut old_at, mut step) = (old_len, last_step);
    for changes in (0..rows.len()).rev() {
        let before = changes.checked_sub(1).and_then(|before| rows.get(before));
        let (entered, from) = start(before, changes, step);
        while old_at > entered {
            old_at -= 1;
            kept.push((old_at, (old_at + changes).saturating_sub(2 * step)));
        }
        // The previous step ended at the position stored in its row.
        old_at = before.and_then(|row| row.get(from)).copied().unwrap_or(0);
        step = from;
    }
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn signs(old: &str, new: &str) -> String {
        line_diff(old, new).iter().map(|(sign, line)| format!("{sign}{line};")).collect()
    }

    #[test]
    fn small_differences() {
        assert_eq!(signs("", ""), "");
        assert_eq!(signs("a\nb\n", "a\nb\n"), " a; b;");
        assert_eq!(signs("", "a\n"), "+a;");
        assert_eq!(signs("a\nb", ""), "-a;-b;");
        assert_eq!(signs("a\nb\nc\n", "a\nx\nc\n"), " a;-b;+x; c;");
        assert_eq!(signs("a\nb\nc\nd\ne", "b\nc\nx\ne"), "-a; b; c;-d;+x; e;");
        assert_eq!(signs("a\na\na\n", "a\na\n"), " a; a;-a;");
        assert_eq!(signs("a", "a\n"), "-a;+a;");
    }

    #[test]
    fn words_that_changed() {
        let marked = |old: &str, new: &str| {
            let (old_ranges, new_ranges) = changed_words(old, new)?;
            let text = |line: &str, ranges: &[Range<usize>]| -> Vec<String> {
                ranges
                    .iter()
                    .filter_map(|range| line.get(range.clone()))
                    .map(str::to_owned)
                    .collect()
            };
            Some((text(old, &old_ranges), text(new, &new_ranges)))
        };
        let some = |old: &[&str], new: &[&str]| {
            let own = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
            Some((own(old), own(new)))
        };
        assert_eq!(marked("let a = 1;", "let a = 22;"), some(&["1"], &["22"]));
        assert_eq!(marked("f(é, b)", "f(é)"), some(&[", b"], &[]));
        assert_eq!(marked("same", "same"), some(&[], &[]));
        assert_eq!(marked("a  b + c", "a b + d e"), some(&["  ", "c"], &[" ", "d e"]));
        assert_eq!(marked("  one two", "one two"), some(&["  "], &[]));
        assert_eq!(marked("nothing in common", "x"), None);
    }

    #[test]
    fn more_changes_than_are_compared() {
        let old: String = (0..2_000).map(|n| format!("old {n}\nsame {n}\n")).collect();
        let new: String = (0..2_000).map(|n| format!("new {n}\nsame {n}\n")).collect();
        let lines = line_diff(&format!("head\n{old}"), &format!("head\n{new}"));
        assert_eq!(lines.len(), 1 + 3_999 * 2 + 1);
        assert_eq!(lines.first(), Some(&(' ', "head".to_owned())));
        assert_eq!(lines.last(), Some(&(' ', "same 1999".to_owned())));
        assert_eq!(lines.iter().filter(|line| line.0 == '-').count(), 3_999);
    }

    /// The length of the longest common subsequence, computed with the full table.
    fn longest(old: &[&str], new: &[&str]) -> usize {
        let mut row = vec![0; new.len() + 1];
        for one in old {
            let mut diagonal = 0;
            for (at, other) in new.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if one == other { diagonal + 1 } else { above.max(row[at]) };
                diagonal = above;
            }
        }
        row[new.len()]
    }

    proptest! {
        #[test]
        fn the_diff_restores_both_texts_and_is_minimal(
            old in "([a-d]\n){0,40}", new in "([a-d]\n){0,40}",
        ) {
            let lines = line_diff(&old, &new);
            let side = |other: char| -> String {
                lines.iter().filter(|line| line.0 != other).map(|line| format!("{}\n", line.1)).collect()
            };
            prop_assert_eq!(side('+'), old.clone());
            prop_assert_eq!(side('-'), new.clone());
            let kept = lines.iter().filter(|line| line.0 == ' ').count();
            let split = |text| -> Vec<&str> { str::lines(text).collect() };
            prop_assert_eq!(kept, longest(&split(&old), &split(&new)));
        }
    }
}
