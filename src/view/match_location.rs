//! Where to go for a hit: which mark of a row is the hit, which hits of the row have no mark, and which place comes
//! next.
//!
//! A mark and a hit are compared by the letters around them, because forms such as Markdown and JSON show the same text
//! with different punctuation.

use traceloupe_core::case::lower;
use traceloupe_protocol::hits::HitLine;

/// How many letters on each side are compared.
const NEAR_LETTERS: usize = 12;

/// The most text around a mark that is needed.
pub const NEAR_CHARS: usize = 80;

/// The letters around a mark or a hit, within the same displayed piece.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Near {
    /// The letters before it, nearest first.
    before: Vec<char>,
    /// The letters after it.
    after: Vec<char>,
}

impl Near {
    /// The letters in the text before and after.
    #[must_use]
    pub fn new(before: &str, after: &str) -> Self {
        let mut before = letters(before);
        before.reverse();
        let mut after = letters(after);
        before.truncate(NEAR_LETTERS);
        after.truncate(NEAR_LETTERS);
        Self { before, after }
    }

    fn of(line: &HitLine) -> Self {
        let [before, _, after] = &line.text;
        Self::new(before, after)
    }

    /// How many letters agree; `None` if any differ.
    fn fit(&self, other: &Self) -> Option<usize> {
        let before = agreeing(&self.before, &other.before)?;
        Some(before + agreeing(&self.after, &other.after)?)
    }
}

/// The letters and digits of a text, in lower case. JSON escapes do not count as letters.
fn letters(text: &str) -> Vec<char> {
    let mut letters = Vec::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        if char == '\\' {
            if chars.next() == Some('u') {
                chars.by_ref().take(4).for_each(drop);
            }
        } else if char.is_alphanumeric() {
            letters.push(lower(char));
        }
    }
    letters
}

/// The length of the shorter list if the longer one begins with it.
fn agreeing(a: &[char], b: &[char]) -> Option<usize> {
    let len = a.len().min(b.len());
    (a.get(..len) == b.get(..len)).then_some(len)
}

/// The hits of a row: their indices in the list of hits, and the letters around them.
#[derive(Clone, Debug, Default)]
pub struct Listed(Vec<(usize, u64, Near)>);

impl Listed {
    /// The hits of an event among all listed ones.
    #[must_use]
    pub fn of_event(lines: &[HitLine], id: u32) -> Self {
        let lines = lines.iter().enumerate().filter(|(_, line)| line.id == Some(id));
        Self(lines.map(|(at, line)| (at, line.byte, Near::of(line))).collect())
    }

    /// Whether none is listed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The hits that have no mark.
    #[must_use]
    pub fn unshown(&self, marks: &[Near]) -> Vec<usize> {
        let mut unshown = Vec::new();
        let mut last: Option<(&Near, bool)> = None;
        for (at, _, near) in &self.0 {
            let is_shown = match last {
                Some((same, is_shown)) if same == near => is_shown,
                _ => marks.iter().any(|mark| mark.fit(near).is_some()),
            };
            last = Some((near, is_shown));
            if !is_shown {
                unshown.push(*at);
            }
        }
        unshown
    }

    /// For each hit, its mark. If several marks fit, the one with the most letters in common is used. Hits with equal
    /// letters take the marks in order.
    #[must_use]
    pub fn mark_of(&self, marks: &[Near], wanted: usize) -> Option<usize> {
        let (_, _, near) = self.0.iter().find(|(at, ..)| *at == wanted)?;
        let n_before = self.0.iter().take_while(|(at, ..)| *at != wanted);
        let n_before = n_before.filter(|(_, _, other)| other == near).count();
        let fits: Vec<_> =
            marks.iter().enumerate().filter_map(|(at, mark)| Some((at, mark.fit(near)?))).collect();
        let most = fits.iter().map(|(_, letters)| *letters).max()?;
        let best: Vec<usize> =
            fits.into_iter().filter(|(_, letters)| *letters == most).map(|(at, _)| at).collect();
        best.get(n_before).or(best.last()).copied()
    }

    /// Where the strings that contain some hits begin in their source.
    #[must_use]
    pub fn bytes_of(&self, wanted: &[usize]) -> Vec<u64> {
        let of = |at: &usize| self.0.iter().find(|hit| hit.0 == *at).map(|hit| hit.1);
        wanted.iter().filter_map(of).collect()
    }
}

/// A place in a row that a search can go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A mark in the text that is shown.
    Shown(usize),
    /// A hit that only occurs in the records, by its index among those hits.
    Beyond(usize),
}

/// The current place of the search in a row, and the other places of that row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stand {
    /// The row.
    pub row: u32,
    /// The place in the row.
    pub place: Place,
    /// The number of marks.
    pub n_shown: usize,
    /// The hits that only occur in the records: their index in the list of hits, if listed.
    pub beyond: Vec<Option<usize>>,
}

impl Stand {
    /// The next or previous place in the row; `None` if that is in another row.
    #[must_use]
    pub fn step(&self, forward: bool) -> Option<Place> {
        let at = match self.place {
            Place::Shown(at) => at,
            Place::Beyond(at) => self.n_shown + at,
        };
        let next = if forward { at + 1 } else { at.checked_sub(1)? };
        self.place_at(next)
    }

    /// The first or the last place.
    #[must_use]
    pub fn end(&self, last: bool) -> Option<Place> {
        let at = if last { (self.n_shown + self.beyond.len()).checked_sub(1)? } else { 0 };
        self.place_at(at)
    }

    fn place_at(&self, at: usize) -> Option<Place> {
        match at.checked_sub(self.n_shown) {
            None => Some(Place::Shown(at)),
            Some(at) => (at < self.beyond.len()).then_some(Place::Beyond(at)),
        }
    }
}

/// Whether a value with this place, written as `source:start:end`, contains one of the bytes.
#[must_use]
pub fn holds(place: &str, bytes: &[u64]) -> bool {
    let mut numbers = place.split(':').skip(1).filter_map(|number| number.parse::<u64>().ok());
    match (numbers.next(), numbers.next()) {
        (Some(start), Some(end)) => bytes.iter().any(|byte| (start..=end).contains(byte)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: u32, before: &str, after: &str) -> HitLine {
        let text = [before, "hit", after].map(str::to_owned);
        HitLine { id: Some(id), byte: 10, text, ..HitLine::default() }
    }

    #[test]
    fn a_mark_is_found_by_the_letters_around_it() {
        let lines = [
            line(1, "…one two ", " three"),
            line(2, "", ""),
            line(1, "a\nb ", ""),
            line(1, "z", ""),
        ];
        let listed = Listed::of_event(&lines, 1);
        // In Markdown, in JSON, and in a piece of its own.
        let marks =
            [Near::new("a\\nb ", "\""), Near::new("**Two** ", "** three"), Near::new("q", "")];
        assert_eq!(listed.mark_of(&marks, 0), Some(1));
        assert_eq!(listed.mark_of(&marks, 2), Some(0));
        assert_eq!(listed.mark_of(&marks, 3), None);
        assert_eq!(listed.mark_of(&marks, 1), None, "of another event");
        assert_eq!(listed.unshown(&marks), [3]);
        assert_eq!(
            listed.unshown(&[Near::new("", "")]),
            [0; 0],
            "a piece without letters may be any"
        );
        assert_eq!(listed.bytes_of(&[3, 1]), [10]);
        assert!(!listed.is_empty() && Listed::of_event(&lines, 7).is_empty());
    }

    #[test]
    fn equal_hits_are_told_apart_by_their_order() {
        let lines = [line(1, "", ""), line(1, "", ""), line(1, "", "")];
        let listed = Listed::of_event(&lines, 1);
        let marks = [Near::new("", ""), Near::new("", "")];
        let found: Vec<_> = (0..3).map(|at| listed.mark_of(&marks, at)).collect();
        assert_eq!(found, [Some(0), Some(1), Some(1)]);
    }

    #[test]
    fn steps_go_through_marks_then_through_what_is_beyond() {
        let stand = |place| Stand { row: 1, place, n_shown: 2, beyond: vec![Some(7)] };
        assert_eq!(stand(Place::Shown(0)).step(true), Some(Place::Shown(1)));
        assert_eq!(stand(Place::Shown(1)).step(true), Some(Place::Beyond(0)));
        assert_eq!(stand(Place::Beyond(0)).step(true), None);
        assert_eq!(stand(Place::Beyond(0)).step(false), Some(Place::Shown(1)));
        assert_eq!(stand(Place::Shown(0)).step(false), None);
        assert_eq!(stand(Place::Shown(0)).end(true), Some(Place::Beyond(0)));
        assert_eq!(stand(Place::Shown(0)).end(false), Some(Place::Shown(0)));
        let none = Stand { n_shown: 0, beyond: Vec::new(), ..stand(Place::Shown(0)) };
        assert_eq!((none.end(false), none.end(true)), (None, None));
    }

    #[test]
    fn the_part_with_a_hit_is_loaded() {
        assert!(holds("0:10:20", &[5, 20]) && !holds("0:10:20", &[5, 21]) && !holds("", &[5]));
    }
}
