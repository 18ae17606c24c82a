//! Two aligned runs, as rows: differing steps, and how many between them are the same.

use super::prices::{Costs, given_dollars};
use super::statistics::{MEASURES, TOKENS};
use crate::case::lowercase;
use crate::model::EventKind;
use crate::view::page::list_form::has_words;
use crate::view::wire::outline::{Outline, RunLine};
use crate::view::wire::run_comparison::{Fate, PairLine};
use crate::view::words;

/// A row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PairRow {
    /// A line of the comparison, by its index.
    Line(u32),
    /// So many lines that are the same.
    Same(u32),
}

/// Which steps are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Part {
    /// All of them.
    All,
    /// Those that differ, with their neighbours.
    #[default]
    Differences,
    /// Those of the first run alone.
    OnlyFirst,
    /// Those of the second run alone.
    OnlySecond,
}

impl Part {
    /// All parts, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Differences, Self::All, Self::OnlyFirst, Self::OnlySecond];

    /// How many of the lines it has.
    #[must_use]
    pub fn count(self, lines: &[PairLine]) -> usize {
        lines.iter().filter(|line| self.has(line.fate)).count()
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

/// The lines without LLM calls of which only the calls that they asked for are known, since these follow.
#[must_use]
pub fn telling(outline: &Outline, lines: &[PairLine]) -> Vec<PairLine> {
    let is_silent = |id: &u32| {
        outline.row_of(*id).is_some_and(|row| {
            outline.rows.kinds.get(row) == EventKind::LlmCall as u8
                && outline.rows.nested.get(row) > 0
                && !has_words(outline, row)
        })
    };
    let is_told = |line: &&PairLine| !line.first.iter().chain(&line.second).all(is_silent);
    lines.iter().filter(is_told).cloned().collect()
}

/// Lines with the same fate that follow each other: the first one, and how many there are.
#[must_use]
pub fn stretches(lines: &[PairLine]) -> Vec<(Fate, usize, usize)> {
    let mut stretches: Vec<(Fate, usize, usize)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        match stretches.last_mut() {
            Some((fate, _, n)) if *fate == line.fate => *n += 1,
            _ => stretches.push((line.fate, at, 1)),
        }
    }
    stretches
}

/// So many steps around a difference are shown with it.
const AROUND: usize = 1;

/// The rows of a part of a comparison.
#[must_use]
pub fn pair_rows(lines: &[PairLine], part: Part) -> Vec<PairRow> {
    let differs = |line: &PairLine| line.fate != Fate::Same;
    if part != Part::Differences {
        let lines = (0..).zip(lines).filter(|(_, line)| part.has(line.fate));
        return lines.map(|(index, _)| PairRow::Line(index)).collect();
    }
    let is_near = |at: usize| {
        let from = at.saturating_sub(AROUND);
        lines.get(from..lines.len().min(at + AROUND + 1)).is_some_and(|it| it.iter().any(differs))
    };
    let mut rows = Vec::new();
    for (at, index) in (0..lines.len()).zip(0..) {
        match rows.last_mut() {
            _ if is_near(at) => rows.push(PairRow::Line(index)),
            Some(PairRow::Same(n)) => *n += 1,
            _ => rows.push(PairRow::Same(1)),
        }
    }
    rows
}

/// The other runs, those first whose titles, which are often their first messages, share most words with that of a run.
#[must_use]
pub fn by_likeness(runs: &[RunLine], first: u32) -> Vec<u32> {
    let words = |run: &RunLine| {
        let mut words: Vec<String> = run.title.split_whitespace().map(lowercase).collect();
        crate::order::sort(&mut words);
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
    // Of those that are alike the one that is named alike for longest, as tries of a task are, and then the next one.
    let others = (first + 1..n_runs).chain(0..first.min(n_runs));
    let others = (0_u32..).zip(others).filter_map(|(nth, at)| {
        let run = runs.get(at as usize)?;
        Some((MOST_ALIKE - likeness(run), n_differing(run), nth, at))
    });
    let mut others: Vec<(usize, usize, u32, u32)> = others.collect();
    crate::order::sort(&mut others);
    others.into_iter().map(|it| it.3).collect()
}

/// The likeness of titles with the same words.
const MOST_ALIKE: usize = 100;

/// A row of the table of numbers: label, both, and the difference.
pub type NumberRow = (&'static str, String, String, String);

/// What stands where a number is not known.
const UNKNOWN: &str = "–";

/// The numbers in which two runs differ.
#[must_use]
pub fn numbers_that_differ(first: &RunLine, second: &RunLine, costs: &Costs) -> Vec<NumberRow> {
    let scores = (first.score, second.score);
    let mut rows: Vec<NumberRow> = Vec::new();
    if scores.0.is_some() || scores.1.is_some() {
        let of = |run: &RunLine| words::score(run.score, &run.verdict);
        rows.push(("Score", of(first), of(second), String::new()));
    }
    let has_bound = first.usage.unfinished || second.usage.unfinished;
    for (label, measure) in MEASURES {
        let both = (measure(first), measure(second));
        match label.strip_suffix(" (ms)") {
            Some(label) => {
                rows.extend(number_row(label, both, words::duration));
                let active = (active_ms(first), active_ms(second));
                if active != both {
                    rows.extend(number_row("Active time", active, words::duration));
                }
            }
            None if label == TOKENS && has_bound => {
                rows.extend(tokens_row(first, second));
            }
            None => rows.extend(number_row(label, both, whole)),
        }
    }
    rows.extend(cost_row(first, second, costs));
    rows
}

fn number_row(
    label: &'static str,
    (one, other): (Option<f64>, Option<f64>),
    write: fn(f64) -> String,
) -> Option<NumberRow> {
    one.or(other)?;
    let change = one.zip(other).map(|(one, other)| other - one).filter(|it| *it != 0.0);
    let change = change.map(|change| {
        let sign = if change > 0.0 { "+" } else { "−" };
        let size = write(change.abs());
        match one.filter(|one| *one > 0.0) {
            Some(one) => format!("{sign}{size} ({sign}{:.0} %)", (change / one * 100.0).abs()),
            None => format!("{sign}{size}"),
        }
    });
    let said = |value: Option<f64>| value.map_or(UNKNOWN.to_owned(), write);
    Some((label, said(one), said(other), change.unwrap_or_default()))
}

/// The time that is not idle, if the duration is known.
fn active_ms(run: &RunLine) -> Option<f64> {
    Some(run.active_ms()).filter(|ms| !ms.is_nan())
}

/// The tokens of two runs of which at least one has a lower bound only: without a difference.
fn tokens_row(first: &RunLine, second: &RunLine) -> Option<NumberRow> {
    let said = |run: &RunLine| {
        let (input, output) = (run.usage.total_input(), run.usage.output);
        input.or(output)?;
        let n = words::count(input.unwrap_or(0).saturating_add(output.unwrap_or(0)));
        Some(words::at_least(n, run.usage.unfinished))
    };
    let (one, other) = (said(first), said(second));
    one.as_ref().or(other.as_ref())?;
    let known = |words: Option<String>| words.unwrap_or_else(|| UNKNOWN.to_owned());
    Some((TOKENS, known(one), known(other), String::new()))
}

/// What two runs cost, as their files state it or by the list of prices.
fn cost_row(first: &RunLine, second: &RunLine, costs: &Costs) -> Option<NumberRow> {
    let cost = |run: &RunLine| match given_dollars(run) {
        Some(dollars) => Some((words::dollars(dollars), Some(dollars))),
        None => {
            let sum = costs.of_run(run);
            let dollars = Some(sum.dollars).filter(|_| !sum.is_lower_bound());
            sum.is_known().then(|| (sum.words(), dollars))
        }
    };
    let (one, other) = (cost(first), cost(second));
    one.as_ref().or(other.as_ref())?;
    let dollars = |it: &Option<(String, Option<f64>)>| it.as_ref().and_then(|it| it.1);
    let change = match dollars(&one).zip(dollars(&other)) {
        Some(both) => number_row("", (Some(both.0), Some(both.1)), words::dollars)?.3,
        None => String::new(),
    };
    let said = |it: Option<(String, _)>| it.map_or(UNKNOWN.to_owned(), |it| it.0);
    Some(("Cost", said(one), said(other), change))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counts
fn whole(n: f64) -> String {
    words::count(n.max(0.0) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{COST_LABELS, Usage};

    #[test]
    fn what_is_the_same_is_counted() {
        let fates = [0, 0, 0, 1, 0, 0, 0, 0, 1, 1];
        let lines: Vec<PairLine> = fates
            .iter()
            .map(|fate| PairLine {
                fate: if *fate == 1 { Fate::Changed } else { Fate::Same },
                ..PairLine::default()
            })
            .collect();
        use PairRow::{Line, Same};
        assert_eq!(
            pair_rows(&lines, Part::Differences),
            [Same(2), Line(2), Line(3), Line(4), Same(2), Line(7), Line(8), Line(9)]
        );
        assert_eq!(pair_rows(&lines, Part::All).len(), 10);
        assert_eq!(pair_rows(&lines, Part::OnlyFirst), []);
        assert_eq!(pair_rows(&[], Part::Differences), []);
        assert_eq!(Part::ALL.map(|part| part.count(&lines)), [3, 10, 0, 0]);
        let stretches = stretches(&lines);
        assert_eq!(stretches[..2], [(Fate::Same, 0, 3), (Fate::Changed, 3, 1)]);
        assert_eq!(stretches.iter().map(|it| it.2).sum::<usize>(), lines.len());
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

    #[test]
    fn numbers_stand_with_their_difference() {
        let run = |ms: f64, calls: u64| {
            let mut run = RunLine { duration_ms: ms, ..RunLine::default() };
            run.counts.tool_calls = calls;
            run
        };
        let costs = Costs::default();
        let rows = numbers_that_differ(&run(2_000.0, 4), &run(3_000.0, 2), &costs);
        let row = |label: &str| rows.iter().find(|row| row.0 == label).unwrap();
        assert_eq!(row("Duration").3, "+1.0 s (+50 %)");
        assert_eq!(
            (row("Tool calls").1.as_str(), row("Tool calls").3.as_str()),
            ("4", "−2 (−50 %)")
        );
        assert_eq!(row("Errors").3, "");
        assert!(rows.iter().all(|row| !["Active time", "Cost"].contains(&row.0)));
    }

    #[test]
    fn tokens_that_are_a_lower_bound_are_shown_as_one() {
        let run = |input: Option<u64>, output: Option<u64>, unfinished: bool| RunLine {
            usage: Usage { input, output, unfinished, ..Usage::default() },
            ..RunLine::default()
        };
        let tokens = |first: &RunLine, second: &RunLine| {
            let rows = numbers_that_differ(first, second, &Costs::default());
            rows.into_iter()
                .find(|row| row.0.starts_with("Tokens"))
                .map(|row| (row.1, row.2, row.3))
        };
        let (known, bound) = (run(Some(1_000), Some(20), false), run(Some(1_000), Some(7), true));
        let said = |it: [&str; 3]| Some(it.map(str::to_owned).into());
        assert_eq!(tokens(&known, &bound), said(["1,020", "≥ 1,007", ""]));
        assert_eq!(tokens(&bound, &bound), said(["≥ 1,007", "≥ 1,007", ""]));
        assert_eq!(tokens(&known, &known), said(["1,020", "1,020", ""]));
        let none = run(None, None, false);
        assert_eq!(tokens(&none, &bound), said(["–", "≥ 1,007", ""]));
        assert_eq!(tokens(&none, &none), None);
    }

    #[test]
    fn active_time_and_cost_have_rows_where_they_are_known() {
        let run = |idle_ms: &[(f64, f64)], dollars: &str| RunLine {
            duration_ms: 10_000.0,
            idle_ms: idle_ms.to_vec(),
            facts: match dollars {
                "" => Vec::new(),
                dollars => vec![(COST_LABELS[0].to_owned(), dollars.to_owned())],
            },
            ..RunLine::default()
        };
        let rows = numbers_that_differ(
            &run(&[(0.0, 6_000.0)], "$0.50"),
            &run(&[], "$0.25"),
            &Costs::default(),
        );
        let row = |label: &str| rows.iter().find(|row| row.0 == label).cloned().unwrap();
        let said = |it: [&str; 3]| it.map(str::to_owned);
        let (_, one, other, change) = row("Active time");
        assert_eq!([one, other, change], said(["4.0 s", "10.0 s", "+6.0 s (+150 %)"]));
        let (_, one, other, change) = row("Cost");
        assert_eq!([one, other, change], said(["$0.500", "$0.250", "−$0.250 (−50 %)"]));
    }
}
