//! The evidence for a finding or a group of errors: its events with time, tokens and cost, and the total cost of the
//! repetitions.

use std::ops::Range;

use crate::causes::{call_of, reason_of};
use crate::findings_by_row::Took;
use crate::list::folds::apart::done_between;
use crate::list::line_view::tokens_in_out;
use crate::outline::Outline;
use crate::prices::Costs;
use crate::row_columns::NO_ROW;
use traceloupe_core::model::{CostSum, EventKind, hash_of};
use traceloupe_protocol::causes::Causes;
use traceloupe_protocol::outline::{FindingLine, RunLine};
use traceloupe_words as words;

/// A line of evidence.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Round {
    /// The row that it leads to.
    pub row: u32,
    /// The number of that event in its run, from 1.
    pub number: u32,
    /// When it began, relative to the start of the run; empty where unknown.
    pub at: String,
    /// What was called, or why it failed; empty where unknown.
    pub what: String,
    /// What was done since the line above: `2 edits`; empty where not shown.
    pub after: String,
    /// The duration of its calls.
    pub time: String,
    /// Tokens of the LLM calls that requested it.
    pub tokens: String,
    /// The cost of those LLM calls.
    pub cost: String,
}

/// The evidence.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Evidence {
    /// Its lines.
    pub rounds: Vec<Round>,
    /// The number of repetitions without a line.
    pub n_more: usize,
    /// Time, tokens and cost of the repetitions after the first, or of the failed calls, where known.
    pub figures: Vec<Figure>,
    /// The figure that represents them all: the cost, otherwise the first one that is known; empty if none is.
    pub main_figure: String,
    /// The place: the turns and the events.
    pub place: String,
}

/// A number with its label.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Figure {
    /// The number with its unit.
    pub value: String,
    /// What the number measures, with its share of the run if that is at least one percent.
    pub label: String,
}

impl Figure {
    fn new(value: String, part: f64, whole: f64, noun: &str) -> Option<Self> {
        let percent = (part / whole * 100.0).round();
        let label = match (1.0..=100.0).contains(&percent) {
            true => format!("{} of {noun}", words::percent(percent / 100.0)),
            false => noun.to_owned(),
        };
        (!value.is_empty()).then_some(Self { value, label })
    }
}

/// The most lines of evidence.
const MAX_ROUNDS: usize = 40;

/// The longest text of a line, in characters.
const MAX_CHARS: usize = 120;

/// How many enclosing rows are searched for the LLM call that requested a call.
const MAX_UP: usize = 8;

/// Sums over some rows.
#[derive(Default)]
struct Spent {
    ms: Option<f64>,
    tokens_in: Option<f64>,
    tokens_out: Option<f64>,
    cost: CostSum,
}

impl Spent {
    fn add(&mut self, other: &Self) {
        let pairs = [
            (&mut self.ms, other.ms),
            (&mut self.tokens_in, other.tokens_in),
            (&mut self.tokens_out, other.tokens_out),
        ];
        for (sum, more) in pairs {
            *sum = add(*sum, more.unwrap_or(f64::NAN));
        }
        self.cost.add(&other.cost);
    }

    fn time(&self) -> String {
        self.ms.map(words::duration).unwrap_or_default()
    }

    fn tokens(&self) -> String {
        let known = |n: Option<f64>| n.unwrap_or(f64::NAN);
        tokens_in_out(known(self.tokens_in), known(self.tokens_out), false)
    }
}

/// Adds a number that may be unknown to a sum.
fn add(sum: Option<f64>, more: f64) -> Option<f64> {
    if more.is_nan() { sum } else { Some(sum.unwrap_or(0.0) + more) }
}

/// Looks up the time, tokens and cost of rows.
struct Book<'a> {
    outline: &'a Outline,
    costs: &'a Costs,
    causes: &'a Causes,
    /// LLM calls that have already been counted.
    seen: Vec<u32>,
}

impl Book<'_> {
    /// Time, tokens and cost of some rows and of the LLM calls that requested them. Each LLM call counts once.
    fn spent(&mut self, rows: &[u32]) -> Spent {
        let columns = &self.outline.rows;
        let is_llm = |row: u32| columns.kinds.get(row) == EventKind::LlmCall as u8;
        let parent_of = |row: &u32| Some(columns.parents.get(*row)).filter(|it| *it != NO_ROW);
        let mut spent = Spent::default();
        for row in rows {
            if !is_llm(*row) {
                spent.ms = add(spent.ms, columns.durations_ms.get(*row));
            }
            let mut up = std::iter::successors(Some(*row), parent_of).take(MAX_UP);
            let Some(asked) = up.find(|row| is_llm(*row)) else { continue };
            if self.seen.contains(&asked) {
                continue;
            }
            self.seen.push(asked);
            spent.tokens_in = add(spent.tokens_in, columns.tokens_in.get(asked));
            spent.tokens_out = add(spent.tokens_out, columns.tokens_out.get(asked));
            spent.cost.add(&self.costs.between(asked, asked + 1));
        }
        spent
    }

    /// Time, tokens and cost of a stretch of rows, of whatever kind.
    fn spent_between(&self, stretch: Range<u32>) -> Spent {
        let (rows, first) = (&self.outline.rows, stretch.start);
        let Took { tokens_in, tokens_out, end_ms, .. } = Took::of(rows, stretch.clone());
        let run = self.outline.run_of(first).map(|(_, run)| run);
        let ms = run.map(|run| run.active_between_ms(rows.starts_ms.get(first), end_ms));
        let known = |n: f64| (!n.is_nan()).then_some(n);
        Spent {
            ms: ms.and_then(known).filter(|ms| *ms > 0.0),
            tokens_in: known(tokens_in),
            tokens_out: known(tokens_out),
            cost: self.costs.between(stretch.start, stretch.end),
        }
    }

    /// Completes the evidence with its place and its sums.
    fn finish(&self, mut evidence: Evidence, spent: &Spent) -> Evidence {
        let rounds = &evidence.rounds;
        let run = rounds.first().and_then(|round| self.outline.run_of(round.row)).map(|it| it.1);
        evidence.place = place(self.outline, &evidence);
        without_repeats(&mut evidence.rounds);
        let active_ms = run.map_or(f64::NAN, RunLine::active_ms);
        let dollars = run.map_or(f64::NAN, |run| self.costs.of_run(run).dollars);
        let time = Figure::new(spent.time(), spent.ms.unwrap_or(0.0), active_ms, "active time");
        let tokens = Figure::new(spent.tokens(), 0.0, 0.0, "tokens");
        let cost = Figure::new(words::cost(&spent.cost), spent.cost.dollars, dollars, "cost");
        let main = cost.as_ref().or(time.as_ref()).or(tokens.as_ref());
        evidence.main_figure = main.map_or_else(String::new, |it| it.value.clone());
        evidence.figures = [time, cost, tokens].into_iter().flatten().collect();
        evidence
    }

    fn round(&self, row: u32, says_why: bool, spent: &Spent) -> Round {
        let run = self.outline.run_of(row).map(|(_, run)| run);
        let id = self.outline.rows.ids.get(row);
        let why = if says_why { reason_of(self.causes, id) } else { String::new() };
        let what = if why.is_empty() { call_of(self.causes, id).to_owned() } else { why };
        let started_ms = self.outline.rows.starts_ms.get(row);
        Round {
            row,
            number: row - run.map_or(0, |run| run.first_row) + 1,
            at: words::short_time(run.map_or(f64::NAN, |run| started_ms - run.start_ms)),
            what: words::one_line(&what, MAX_CHARS),
            after: String::new(),
            time: spent.time(),
            tokens: spent.tokens(),
            cost: words::cost_or_bound(&spent.cost),
        }
    }
}

/// The turns and events of some lines: `Turn 2 · 5 events from 31`.
fn place(outline: &Outline, evidence: &Evidence) -> String {
    let rounds = &evidence.rounds;
    let turn_of = |round: &Round| outline.turns.around(round.row).map(|turn| turn.number);
    let ends = (rounds.first().and_then(turn_of), rounds.last().and_then(turn_of));
    let turns = match ends {
        (Some(first), Some(last)) if first != last => format!("Turns {first}–{last} · "),
        (Some(first), _) => format!("Turn {first} · "),
        _ => String::new(),
    };
    let number = |round: &Round| words::count(u64::from(round.number));
    let events = match (rounds.as_slice(), evidence.n_more) {
        ([one], 0) => format!("event {}", number(one)),
        ([one, other], 0) => format!("events {}, {}", number(one), number(other)),
        ([first, ..], n_more) => {
            let n = words::count((rounds.len() + n_more) as u64);
            format!("{n} events from {}", number(first))
        }
        ([], _) => String::new(),
    };
    format!("{turns}{events}")
}

/// Replaces a text that equals that of the line above.
const DITTO: &str = "the same";

/// Replaces texts that repeat the line above.
fn without_repeats(rounds: &mut [Round]) {
    let mut before = String::new();
    for round in rounds {
        if round.what != before || before.is_empty() {
            before.clone_from(&round.what);
            continue;
        }
        round.what = match round.after.as_str() {
            "" => DITTO.to_owned(),
            after => format!("{DITTO}, after {after}"),
        };
    }
}

/// The evidence for a group of similar findings.
#[must_use]
pub fn of_findings(
    outline: &Outline,
    lines: &[&FindingLine],
    costs: &Costs,
    causes: &Causes,
) -> Evidence {
    let mut book = Book { outline, costs, causes, seen: Vec::new() };
    let mut evidence = Evidence::default();
    let mut repeated = Spent::default();
    let mut lines = lines.to_vec();
    traceloupe_core::sorting::sort_by_key(&mut lines, |line| line.first);
    for line in &lines {
        // If other calls fold along with the repetitions, each line counts what was done since the one before it.
        let mut since = line.folded.first().filter(|_| line.folds_with_others());
        for (nth, (row, rows)) in rounds(line).into_iter().enumerate() {
            let own = book.spent(rows);
            let before = since;
            let spent = match since.filter(|_| nth > 0) {
                Some(from) => {
                    let end = row + outline.rows.nested.get(row) + 1;
                    since = Some(end);
                    book.spent_between(from..end.max(from))
                }
                None => own,
            };
            if evidence.rounds.len() < MAX_ROUNDS {
                let mut round = book.round(row, line.has_same_args(), &spent);
                if let Some(before) = before.filter(|_| nth > 0) {
                    round.after = done_between(outline, line, before..row);
                }
                evidence.rounds.push(round);
            }
            if nth > 0 && since.is_none() {
                repeated.add(&spent);
            }
        }
        // The fold line of these rows shows the same sums.
        let ends = line.folded.first().zip(line.folded.as_slice().last());
        if let Some((first, last)) = ends.filter(|_| since.is_some()) {
            let end = last + outline.rows.nested.get(*last) + 1;
            repeated.add(&book.spent_between(first..end));
        }
    }
    let n_rounds: usize = lines.iter().map(|line| line.repetitions() as usize).sum();
    evidence.n_more = n_rounds.saturating_sub(evidence.rounds.len());
    book.finish(evidence, &repeated)
}

/// The evidence for a group of similar findings of any kind.
#[must_use]
pub fn of(outline: &Outline, lines: &[&FindingLine], costs: &Costs, causes: &Causes) -> Evidence {
    if lines.iter().all(|line| line.rule.is_about_loops()) {
        return of_findings(outline, lines, costs, causes);
    }
    let rows: Vec<u32> = lines.iter().flat_map(|line| line.rows.as_slice()).copied().collect();
    of_rows(outline, &rows, costs, causes)
}

/// The evidence for rows that are not repetitions of each other, such as similar errors.
#[must_use]
pub fn of_rows(outline: &Outline, rows: &[u32], costs: &Costs, causes: &Causes) -> Evidence {
    let mut book = Book { outline, costs, causes, seen: Vec::new() };
    let mut failed = Spent::default();
    let line = |row: &u32| {
        let spent = book.spent(&[*row]);
        failed.add(&spent);
        book.round(*row, false, &spent)
    };
    let mut rounds: Vec<Round> = rows.iter().map(line).collect();
    rounds.truncate(MAX_ROUNDS);
    let n_more = rows.len() - rounds.len();
    book.finish(Evidence { rounds, n_more, ..Evidence::default() }, &failed)
}

/// The repetitions of a finding: for each one, its main row (the same call in every repetition) and all of its rows.
fn rounds(line: &FindingLine) -> Vec<(u32, &[u32])> {
    let evidence = line.rows.as_slice();
    // Findings that the producer reported have no repetitions: each report is a line of its own.
    let len = evidence.len().checked_div(line.repetitions() as usize).unwrap_or(1).max(1);
    let at = evidence.iter().position(|row| *row == line.mark).unwrap_or(0) % len;
    let rounds = evidence.chunks(len);
    rounds.filter_map(|rows| Some((*rows.get(at).or(rows.first())?, rows))).collect()
}

/// The main rows of the first and the last repetition of a finding.
#[must_use]
pub fn first_and_last(line: &FindingLine) -> Option<(u32, u32)> {
    let rounds = rounds(line);
    let ends = rounds.first()?.0..rounds.last()?.0;
    (ends.start != ends.end).then_some((ends.start, ends.end))
}

/// The main row of each repetition of a finding.
pub fn rows_of(line: &FindingLine) -> impl Iterator<Item = u32> {
    rounds(line).into_iter().map(|it| it.0)
}

/// The rows of the repetitions of some findings, whose calls have to be requested from the worker.
pub fn rows_to_ask<'a>(lines: impl Iterator<Item = &'a FindingLine>) -> impl Iterator<Item = u32> {
    lines.flat_map(|line| rows_of(line).take(MAX_ROUNDS))
}

/// Groups similar findings: the same rule, the same call and the same outcome. Findings are given and returned as
/// indices into a list.
#[must_use]
pub fn alike(outline: &Outline, found: &[(u32, &FindingLine)], causes: &Causes) -> Vec<Vec<u32>> {
    let mut groups: Vec<(u64, Vec<u32>)> = Vec::new();
    for (at, line) in found {
        let call = call_of(causes, outline.rows.ids.get(line.mark));
        // Two unknown calls cannot be considered equal. Findings that are not loops have already been grouped.
        let alone = (call.is_empty() || !line.rule.is_about_loops()).then_some(*at);
        let same_args = line.has_same_args();
        let kind = (line.rule, line.is_loud(), same_args, line.fails(), line.block_len());
        let key = hash_of((kind, outline.rows.names.get(line.mark), call, alone));
        match groups.iter_mut().find(|it| it.0 == key) {
            Some((_, group)) => group.push(*at),
            None => groups.push((key, vec![*at])),
        }
    }
    groups.into_iter().map(|it| it.1).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing::{finding, outline, repeated, with_findings, with_kinds};
    use traceloupe_core::model::ErrorLabel;
    use traceloupe_core::reason::Reason;
    use traceloupe_protocol::causes::Failure;
    use traceloupe_protocol::finding::{Arguments, Rule};

    fn three_rounds() -> FindingLine {
        let mut line = finding(&[]);
        (line.mark, line.evidence) = (1, repeated(3, Arguments::Same));
        line.rows = [0, 1, 2, 3, 4, 5].into_iter().collect();
        line
    }

    #[test]
    fn each_repetition_is_a_line_and_what_was_repeated_is_summed_up() {
        let mut outline = outline(&[0, 1, 0, 1, 0, 1]);
        let rows = Arc::make_mut(&mut outline.rows);
        rows.sent.durations_ms =
            [9_000.0, 1_000.0, 9_000.0, 2_000.0, 9_000.0, 4_000.0].into_iter().collect();
        rows.sent.tokens_in = [100.0; 6].into_iter().collect();
        let calls = vec![(1, "npm test".to_owned()), (3, "npm test".to_owned())];
        let reason = Reason::of(ErrorLabel::None, "AssertionError: 1 is not 2");
        let failures = vec![Failure { id: 3, reason, ..Failure::default() }];
        let causes = Causes { calls, failures, ..Causes::default() };
        let found = of_findings(&outline, &[&three_rounds()], &Costs::default(), &causes);
        let lines: Vec<_> = found.rounds.iter().map(|it| (it.row, it.what.as_str())).collect();
        assert_eq!(lines, [(1, "npm test"), (3, "AssertionError: 1 is not 2"), (5, "")]);
        assert_eq!(found.rounds[1].time, "2.0 s");
        assert_eq!(found.rounds[1].tokens, "100 → 0");
        let figures: Vec<_> =
            found.figures.iter().map(|it| (it.value.as_str(), it.label.as_str())).collect();
        assert_eq!(figures, [("6.0 s", "active time"), ("200 → 0", "tokens")]);
        assert_eq!(found.main_figure, "6.0 s");
        assert_eq!(found.place, "3 events from 2");
        assert_eq!(found.n_more, 0);
        assert_eq!(first_and_last(&three_rounds()), Some((1, 5)));
    }

    #[test]
    fn where_others_fold_with_them_repetitions_count_from_the_one_before_and_add_up() {
        use EventKind::{LlmCall, ToolCall};
        let kinds = [ToolCall, LlmCall, ToolCall, LlmCall, ToolCall];
        let mut outline = with_kinds(&[0; 5], kinds.into_iter());
        let tokens = [f64::NAN, 100.0, f64::NAN, 200.0, f64::NAN];
        Arc::make_mut(&mut outline.rows).sent.tokens_in = tokens.into_iter().collect();
        let mut line = finding(&[1, 2, 3, 4]);
        line.rule = Rule::RepeatApart;
        line.rows = [0, 2, 4].into_iter().collect();
        let found = of_findings(&outline, &[&line], &Costs::default(), &Causes::default());
        let tokens: Vec<&str> = found.rounds.iter().map(|it| it.tokens.as_str()).collect();
        assert_eq!(tokens, ["", "100 → 0", "200 → 0"]);
        assert_eq!(found.figures[0].value, "300 → 0");
    }

    #[test]
    fn what_was_done_since_the_line_above_is_said_where_the_call_is_the_same() {
        use EventKind::{LlmCall, ToolCall};
        let kinds = [ToolCall, LlmCall, ToolCall, ToolCall, LlmCall, ToolCall];
        let outline = with_kinds(&[0; 6], kinds.into_iter());
        let mut line = finding(&[1, 2, 3, 4, 5]);
        line.rule = Rule::RepeatApart;
        line.rows = [0, 3, 5].into_iter().collect();
        let calls = [0, 3, 5].map(|id| (id, "npm test".to_owned())).to_vec();
        let causes = Causes { calls, ..Causes::default() };
        let found = of_findings(&outline, &[&line], &Costs::default(), &causes);
        let whats: Vec<&str> = found.rounds.iter().map(|it| it.what.as_str()).collect();
        assert_eq!(whats, ["npm test", "the same, after 1 other call", "the same"]);
    }

    #[test]
    fn shares_of_the_run_are_said_if_they_are_a_percent_or_more() {
        let label =
            |part, whole| Figure::new("1".to_owned(), part, whole, "cost").map(|it| it.label);
        assert_eq!(label(33.0, 100.0).as_deref(), Some("33% of cost"));
        assert_eq!(label(0.1, 100.0).as_deref(), Some("cost"));
        assert_eq!(label(1.0, f64::NAN).as_deref(), Some("cost"));
        assert_eq!(Figure::new(String::new(), 1.0, 1.0, "cost"), None);
    }

    #[test]
    fn of_many_events_the_first_one_is_named() {
        let outline = outline(&[0; 6]);
        let found =
            |rows: &[u32]| of_rows(&outline, rows, &Costs::default(), &Causes::default()).place;
        assert_eq!(found(&[3]), "event 4");
        assert_eq!(found(&[3, 5]), "events 4, 6");
        assert_eq!(found(&[0, 1, 2, 3, 4]), "5 events from 1");
    }

    #[test]
    fn an_llm_call_that_asked_for_all_counts_once() {
        let mut outline = outline(&[0, 1, 1, 1]);
        Arc::make_mut(&mut outline.rows).sent.tokens_in =
            [50.0, f64::NAN, f64::NAN, f64::NAN].into_iter().collect();
        let mut line = three_rounds();
        line.rows = [1, 2, 3].into_iter().collect();
        let found = of_findings(&outline, &[&line], &Costs::default(), &Causes::default());
        assert_eq!(found.rounds[0].tokens, "50 → 0");
        assert_eq!(found.rounds[1].tokens, "");
    }

    #[test]
    fn findings_about_the_same_call_are_joined() {
        let evidence = repeated(3, Arguments::Same);
        let one = FindingLine { mark: 0, evidence, ..finding(&[]) };
        let other = FindingLine { mark: 1, ..one.clone() };
        let third = FindingLine { mark: 2, ..one.clone() };
        let outline = with_findings(&[0, 0, 0], &[one, other, third]);
        let calls = vec![(0, "ls".to_owned()), (1, "ls".to_owned()), (2, "pwd".to_owned())];
        let causes = Causes { calls, ..Causes::default() };
        let all: Vec<_> = (0..).zip(&outline.findings).collect();
        assert_eq!(alike(&outline, &all, &causes), [vec![0, 1], vec![2]]);
        let unknown = Causes::default();
        assert_eq!(alike(&outline, &all[..2], &unknown), [vec![0], vec![1]]);
    }
}
