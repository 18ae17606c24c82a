//! Two aligned runs as rows: differing steps, equal steps folded, and the step where the runs diverge.

pub mod folds;

use crate::list::form::has_words;
use crate::outline::Outline;
use traceloupe_core::case::lowercase;
use traceloupe_core::model::EventKind;
use traceloupe_protocol::outline::RunLine;
use traceloupe_protocol::run_comparison::{Fate, PairLine};

/// A row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PairRow {
    /// A line of the comparison, by index.
    Line(u32),
    /// Equal lines: the first one, and how many there are.
    Same(u32, u32),
    /// Folded lines of only one run: the first one, and how many there are.
    Only(u32, u32),
    /// Folded lines after the last turn that both runs have: the first one, and how many there are.
    Beyond(u32, u32),
    /// A description of how the runs diverge, before the first line that differs.
    Parting,
}

/// Which steps are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Part {
    /// All steps. Long stretches of equal steps are folded.
    #[default]
    All,
    /// Steps that differ.
    Differences,
    /// Steps of only the first run.
    OnlyFirst,
    /// Steps of only the second run.
    OnlySecond,
}

impl Part {
    /// All parts, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::All, Self::Differences, Self::OnlyFirst, Self::OnlySecond];

    /// How many lines belong to it.
    #[must_use]
    pub fn count(self, lines: &[PairLine]) -> usize {
        lines.iter().filter(|line| self.has(line.fate)).count()
    }

    /// Whether it also shows what the runs share: folded, or as the message of a turn.
    #[must_use]
    pub fn is_of_both(self) -> bool {
        matches!(self, Self::All | Self::Differences)
    }

    fn has(self, fate: Fate) -> bool {
        match self {
            Self::All => true,
            Self::Differences => fate != Fate::Same,
            Self::OnlyFirst => fate == Fate::OnlyFirst,
            Self::OnlySecond => fate == Fate::OnlySecond,
        }
    }
}

/// The lines without those LLM calls that only show the calls that they requested, because these calls follow anyway.
#[must_use]
pub fn telling(outline: &Outline, lines: &[PairLine]) -> Vec<PairLine> {
    let tells = |id: &u32| {
        outline.row_of(*id).is_none_or(|row| {
            outline.rows.kinds.get(row) != EventKind::LlmCall as u8
                || outline.rows.nested.get(row) == 0
                || has_words(outline, row)
        })
    };
    let told = |line: &PairLine| {
        let mut line = line.clone();
        (line.first, line.second) = (line.first.filter(tells), line.second.filter(tells));
        line.fate = match (line.first, line.second) {
            (None, None) => return None,
            (Some(_), None) => Fate::OnlyFirst,
            (None, Some(_)) => Fate::OnlySecond,
            _ => line.fate,
        };
        Some(line)
    };
    lines.iter().filter_map(told).collect()
}

/// Which lines are messages that begin a turn in each run that has the line.
#[must_use]
pub fn turn_heads(outline: &Outline, lines: &[PairLine]) -> Vec<bool> {
    let begins = |id: u32| outline.row_of(id).is_some_and(|row| outline.turns.at(row).is_some());
    let is_head = |line: &PairLine| line.first.into_iter().chain(line.second).all(begins);
    lines.iter().map(is_head).collect()
}

/// All lines as at most `max` blocks, each with the fate that most of its differing lines have.
#[must_use]
pub fn blocks(lines: &[PairLine], max: usize) -> Vec<Fate> {
    const FATES: [Fate; 4] = [Fate::Changed, Fate::OtherResult, Fate::OnlyFirst, Fate::OnlySecond];
    let n = lines.len().min(max);
    let block = |at: usize| {
        let of = at * lines.len() / n..(at + 1) * lines.len() / n;
        let of = lines.get(of).unwrap_or_default();
        let count = |fate: Fate| of.iter().filter(|line| line.fate == fate).count();
        FATES.into_iter().fold((Fate::Same, 0), |most, fate| match count(fate) {
            n if n > most.1 => (fate, n),
            _ => most,
        })
    };
    (0..n).map(|at| block(at).0).collect()
}

/// The stretches of lines that differ: the first line of each, and the one after its last. A turn starts a new stretch.
#[must_use]
pub fn differences(lines: &[PairLine], heads: &[bool]) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for ((at, line), is_head) in (0..).zip(lines).zip(heads) {
        match found.last_mut() {
            _ if line.fate == Fate::Same => {}
            Some((_, end)) if *end == at && !is_head => *end += 1,
            _ => found.push((at, at + 1)),
        }
    }
    found
}

/// The ids of the steps where the runs diverge: for each run, the first one that the other run does not have there.
/// `None` for a run that merely continues later.
#[must_use]
pub fn parting(lines: &[PairLine]) -> Option<(Fate, [Option<u32>; 2])> {
    let from = lines.iter().position(|line| line.fate != Fate::Same)?;
    let lines = lines.get(from..)?;
    let stretch = || lines.iter().take_while(|line| line.fate != Fate::Same);
    let first = stretch().find_map(|line| line.first);
    let second = stretch().find_map(|line| line.second);
    Some((lines.first()?.fate, [first, second]))
}

/// How many equal steps are shown before and after a difference.
const AROUND: (usize, usize) = (2, 1);

/// Fewer equal steps are not folded in the list of all steps.
const MIN_FOLDED: u32 = 4;

/// The rows of a part of a comparison. `heads` marks the lines that begin a turn. They stay with the differences in it.
#[must_use]
pub fn pair_rows(lines: &[PairLine], heads: &[bool], part: Part) -> Vec<PairRow> {
    let lines_of = |from: u32, n: u32| (from..from + n).map(PairRow::Line);
    if !part.is_of_both() {
        let lines = (0..).zip(lines).filter(|(_, line)| part.has(line.fate));
        return lines.map(|(index, _)| PairRow::Line(index)).collect();
    }
    let ((before, after), min) = match part {
        Part::All => (AROUND, MIN_FOLDED),
        _ => ((0, 0), 1),
    };
    let mut shown = vec![false; lines.len()];
    let mut head = None;
    for (at, line) in lines.iter().enumerate() {
        if heads.get(at) == Some(&true) {
            head = Some(at);
        }
        if line.fate != Fate::Same {
            let near = at.saturating_sub(before)..lines.len().min(at + after + 1);
            shown.get_mut(near).unwrap_or_default().fill(true);
            if let Some(shown) = head.and_then(|at| shown.get_mut(at)) {
                *shown = true;
            }
        }
    }
    let mut rows = Vec::new();
    let mut parts = false;
    let mut same = 0;
    for (at, is_shown) in (0..).zip(shown.into_iter().chain([true])) {
        if !is_shown {
            same += 1;
            continue;
        }
        match same {
            n if n < min => rows.extend(lines_of(at - n, n)),
            n => rows.push(PairRow::Same(at - n, n)),
        }
        same = 0;
        if let Some(line) = lines.get(at as usize) {
            if line.fate != Fate::Same && !parts {
                parts = true;
                rows.push(PairRow::Parting);
            }
            rows.push(PairRow::Line(at));
        }
    }
    rows
}

/// The other runs. Those whose titles (often their first messages) share the most words with the title of a run come
/// first.
#[must_use]
pub fn by_likeness(runs: &[RunLine], first: u32) -> Vec<u32> {
    let words = |run: &RunLine| {
        let mut words: Vec<String> = run.title.split_whitespace().map(lowercase).collect();
        traceloupe_core::sorting::sort(&mut words);
        words.dedup();
        words
    };
    let wanted = runs.get(first as usize).map(words).unwrap_or_default();
    let likeness = |run: &RunLine| {
        let words = words(run);
        let shared = words.iter().filter(|word| wanted.contains(word)).count();
        shared * MOST_ALIKE / (words.len() + wanted.len() - shared).max(1)
    };
    let title = runs.get(first as usize).map(|run| run.title.as_str()).unwrap_or_default();
    let n_differing = |run: &RunLine| {
        let pairs = title.chars().zip(run.title.chars());
        title.len().saturating_sub(pairs.take_while(|(one, other)| one == other).count())
    };
    let n_runs = u32::try_from(runs.len()).unwrap_or(u32::MAX);
    // Ties are broken by the longest common beginning of the title, for attempts at the same task, and then by distance
    // in the list.
    let others = (first + 1..n_runs).chain(0..first.min(n_runs));
    let others = (0_u32..).zip(others).filter_map(|(nth, at)| {
        // What is about all runs is like none of them.
        let run = runs.get(at as usize).filter(|run| !run.is_about_runs())?;
        Some((MOST_ALIKE - likeness(run), n_differing(run), nth, at))
    });
    let mut others: Vec<(usize, usize, u32, u32)> = others.collect();
    traceloupe_core::sorting::sort(&mut others);
    others.into_iter().map(|it| it.3).collect()
}

/// The similarity of titles with the same words.
const MOST_ALIKE: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::talk;

    fn lines(fates: &[Fate]) -> Vec<PairLine> {
        let line = |(at, fate): (u32, &Fate)| PairLine {
            first: (*fate != Fate::OnlySecond).then_some(at),
            second: (*fate != Fate::OnlyFirst).then_some(100 + at),
            fate: *fate,
            ..PairLine::default()
        };
        (0..).zip(fates).map(line).collect()
    }

    #[test]
    fn what_is_the_same_for_long_is_folded() {
        use Fate::{Changed, Same as Equal};
        use PairRow::{Line, Parting, Same};
        let mut fates = [Equal; 16];
        (fates[6], fates[14]) = (Changed, Changed);
        let lines = lines(&fates);
        let no_heads = [false; 16];
        assert_eq!(
            pair_rows(&lines, &no_heads, Part::All),
            [
                Same(0, 4),
                Line(4),
                Line(5),
                Parting,
                Line(6),
                Line(7),
                Same(8, 4),
                Line(12),
                Line(13),
                Line(14),
                Line(15)
            ]
        );
        assert_eq!(
            pair_rows(&lines, &no_heads, Part::Differences),
            [Same(0, 6), Parting, Line(6), Same(7, 7), Line(14), Same(15, 1)]
        );
        let heads = std::array::from_fn::<bool, 16, _>(|at| at == 0 || at == 8 || at == 15);
        let rows = pair_rows(&lines, &heads, Part::Differences);
        assert_eq!(rows[..2], [Line(0), Same(1, 5)], "the message of the turn stays");
        assert!(rows.contains(&Line(8)) && !rows.contains(&Line(15)));
        assert_eq!(pair_rows(&lines, &no_heads, Part::OnlyFirst), []);
        assert_eq!(pair_rows(&[], &[], Part::All), []);
        assert_eq!(pair_rows(&lines[..6], &no_heads, Part::All), [Same(0, 6)]);
        assert_eq!(Part::ALL.map(|part| part.count(&lines)), [16, 2, 0, 0]);
    }

    #[test]
    fn runs_part_where_each_does_something_of_its_own() {
        use Fate::{Changed, OnlyFirst, OnlySecond, Same};
        let all = lines(&[Same, OnlyFirst, OnlyFirst, Changed, OnlySecond, Same, OnlySecond]);
        assert_eq!(parting(&all), Some((OnlyFirst, [Some(1), Some(103)])));
        assert_eq!(parting(&all[5..]), Some((OnlySecond, [None, Some(106)])));
        assert_eq!(parting(&all[..1]), None);
        assert_eq!(differences(&all, &[false; 7]), [(1, 5), (6, 7)]);
        let heads = [false, false, false, true, false, false, false];
        assert_eq!(differences(&all, &heads), [(1, 3), (3, 5), (6, 7)], "a turn begins one");
        assert_eq!(blocks(&all, 9).len(), 7);
        assert_eq!(blocks(&all, 3), [OnlyFirst, Changed, OnlySecond]);
        assert_eq!(blocks(&[], 3), []);
    }

    #[test]
    fn calls_without_words_are_left_out() {
        let tree = talk();
        let line = |first: Option<u32>, second: Option<u32>| PairLine {
            first,
            second,
            fate: Fate::Changed,
            ..PairLine::default()
        };
        // The call at row 3 has no text, the one at row 1 has some.
        let all = [line(Some(0), Some(0)), line(Some(3), Some(1)), line(Some(3), Some(3))];
        let told = telling(&tree, &all);
        let has = told.iter().map(|it| (it.first, it.second, it.fate)).collect::<Vec<_>>();
        let only = (None, Some(1), Fate::OnlySecond);
        assert_eq!(has, [(Some(0), Some(0), Fate::Changed), only]);
        assert_eq!(turn_heads(&tree, &told), [true, false]);
    }

    #[test]
    fn runs_of_the_same_task_are_offered_first() {
        let run = |title: &str| RunLine { title: title.to_owned(), ..RunLine::default() };
        let runs = ["Fix the parser", "Write docs", "fix the lexer", "Fix the Parser", ""].map(run);
        assert_eq!(by_likeness(&runs, 0), [3, 2, 1, 4]);
        assert_eq!(by_likeness(&runs, 1), [2, 3, 4, 0], "in their order if none is alike");
        let tries = ["Task 1, trial 0", "Task 2, trial 0", "Task 1, trial 1"].map(run);
        assert_eq!(by_likeness(&tries, 0), [2, 1], "another try of the same task");
        assert!(by_likeness(&runs[..1], 0).is_empty());
    }
}
