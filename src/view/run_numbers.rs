//! The numbers of two runs beside each other: what they took, and how often each called its tools.

use crate::icon::Icon;
use crate::look::look;
use crate::outline::Outline;
use crate::prices::{Costs, given_dollars};
use traceloupe_core::model::EventKind;
use traceloupe_protocol::outline::{Counts, MAX_TOOLS, RunLine};
use traceloupe_words as words;

/// A row of the table of numbers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NumberRow {
    /// What is counted.
    pub label: String,
    /// Icon and style word of a tool.
    pub look: Option<(Icon, &'static str)>,
    /// The numbers of both runs.
    pub both: [String; 2],
    /// How the second one differs; empty if it does not, or if that is not known.
    pub change: String,
    /// Whether the second one is the better one, where less or more is better.
    pub is_better: Option<bool>,
}

/// What stands where a number is not known.
const UNKNOWN: &str = "–";

/// How many tools are listed.
const MAX_ROWS: usize = 10;

/// What is better.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Better {
    Less,
    More,
    Neither,
}

/// The numbers of two runs, as far as one of them is known.
#[must_use]
pub fn numbers_of_both(outline: &Outline, runs: [&RunLine; 2], costs: &Costs) -> Vec<NumberRow> {
    let [first, second] = runs;
    let both = |value: fn(&RunLine) -> Option<f64>| [value(first), value(second)];
    let (wall, active) = (both(|run| known(run.duration_ms)), both(|run| known(run.active_ms())));
    let mut rows = Vec::new();
    rows.extend(score_row([first, second]));
    // Without pauses all of the time is active.
    let (label, time) = if wall == active { ("Duration", wall) } else { ("Active time", active) };
    rows.push(share_row(label, time, words::duration));
    rows.push(cost_row([first, second], costs));
    rows.push(share_row("Tokens in", both(|run| number(run.usage.total_input())), words::tokens));
    rows.push(output_row([first, second]));
    let counted = both(|run| whole(counts(run).llm_calls));
    rows.push(counts_row("LLM calls", counted, Better::Neither));
    let counted = both(|run| whole(counts(run).tool_calls));
    rows.push(counts_row("Tool calls", counted, Better::Neither));
    let counted = both(|run| whole(counts(run).errors));
    rows.push(counts_row("Errors", counted, Better::Less));
    rows.extend(loops_row(outline, runs));
    let fullest = |run: &RunLine| run.context.and_then(|it| whole(it.tokens));
    rows.push(share_row("Fullest context", both(fullest), words::tokens));
    rows.retain(|row| row.both.iter().any(|it| it != UNKNOWN));
    rows
}

/// How often two runs called their tools, the most used ones first.
#[must_use]
pub fn calls_of_both(outline: &Outline, runs: [&RunLine; 2]) -> Vec<NumberRow> {
    let [first, second] = runs;
    let n_of = |run: &RunLine, name: u32| {
        let found = run.tools.iter().find(|it| it.0 == name);
        // Where only the most used ones are listed, others may have been called as well.
        let none = (run.tools.len() < MAX_TOOLS).then_some(0);
        found.map(|it| it.1).or(none).and_then(whole)
    };
    let mut names: Vec<u32> = Vec::new();
    for (name, _) in first.tools.iter().chain(&second.tools) {
        if !names.contains(name) {
            names.push(*name);
        }
    }
    let sum = |name: u32| {
        let n = |run: &RunLine| n_of(run, name).unwrap_or(0.0);
        u64::MAX - rounded(n(first) + n(second))
    };
    traceloupe_core::order::sort_by_key(&mut names, |name| sum(*name));
    names.truncate(MAX_ROWS);
    let mut rows = Vec::with_capacity(names.len());
    for name in names {
        let both = [n_of(first, name), n_of(second, name)];
        let name = outline.name(name);
        let (icon, look, _) = look(EventKind::ToolCall, name);
        let row = counts_row(&words::tool_name(name), both, Better::Neither);
        rows.push(NumberRow { look: Some((icon, look)), ..row });
    }
    rows
}

fn counts(run: &RunLine) -> Counts {
    run.given.unwrap_or(run.counts)
}

fn known(number: f64) -> Option<f64> {
    Some(number).filter(|it| !it.is_nan())
}

#[expect(clippy::cast_precision_loss)] // counts
fn whole(n: u64) -> Option<f64> {
    Some(n as f64)
}

fn number(n: Option<u64>) -> Option<f64> {
    n.and_then(whole)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counts
fn rounded(n: f64) -> u64 {
    n.max(0.0) as u64
}

/// A row whose difference is `change` of the difference and the first number.
fn row(
    label: &str,
    both: [Option<f64>; 2],
    write: fn(f64) -> String,
    change: fn(f64, f64) -> String,
    better: Better,
) -> NumberRow {
    let [one, other] = both;
    let by = one.zip(other).map(|(one, other)| (other - one, one)).filter(|by| by.0 != 0.0);
    NumberRow {
        label: label.to_owned(),
        look: None,
        both: both.map(|it| it.map_or(UNKNOWN.to_owned(), write)),
        change: by.map_or_else(String::new, |(by, one)| change(by, one)),
        is_better: by.filter(|_| better != Better::Neither).map(|(by, _)| {
            let is_less = by < 0.0;
            is_less == (better == Better::Less)
        }),
    }
}

fn signed(by: f64, size: &str) -> String {
    format!("{}{size}", if by > 0.0 { "+" } else { "−" })
}

/// A row of counts, with the difference as a count.
fn counts_row(label: &str, both: [Option<f64>; 2], better: Better) -> NumberRow {
    let write: fn(f64) -> String = |n| words::count(rounded(n));
    row(label, both, write, |by, _| signed(by, &words::count(rounded(by.abs()))), better)
}

/// A row of numbers of which less is better, with the difference as a share of the first one.
fn share_row(label: &str, both: [Option<f64>; 2], write: fn(f64) -> String) -> NumberRow {
    let change = |by: f64, one: f64| match (by.abs() / one * 100.0).round() {
        share if one > 0.0 && share >= 1.0 => signed(by, &words::percent(share / 100.0)),
        _ if one > 0.0 => format!("{}1%", if by > 0.0 { "< +" } else { "> −" }),
        _ => String::new(),
    };
    row(label, both, write, change, Better::Less)
}

/// The output tokens of two runs. A lower bound has no difference.
fn output_row(runs: [&RunLine; 2]) -> NumberRow {
    let mut row = share_row("Tokens out", runs.map(|run| number(run.usage.output)), words::tokens);
    for (said, run) in row.both.iter_mut().zip(runs) {
        if run.usage.unfinished && said != UNKNOWN {
            *said = words::at_least(std::mem::take(said), true);
            (row.change, row.is_better) = (String::new(), None);
        }
    }
    row
}

fn loops_row(outline: &Outline, runs: [&RunLine; 2]) -> Option<NumberRow> {
    let is_in =
        |run: &RunLine, row: u32| (run.first_row..run.first_row + run.n_rows).contains(&row);
    let n = |run: &RunLine| {
        outline.findings.iter().filter(|it| is_in(run, it.first) && it.is_loud()).count()
    };
    let both = runs.map(n);
    let row = || counts_row("Possible loops", both.map(|n| whole(n as u64)), Better::Less);
    both.iter().any(|n| *n > 0).then(row)
}

fn score_row(runs: [&RunLine; 2]) -> Option<NumberRow> {
    let change = |by: f64, _| signed(by, &words::score(Some(by.abs()), None));
    let scores = runs.map(|run| run.score);
    let said = runs.map(|run| words::score(run.score, run.verdict));
    let has_any = said.iter().any(|it| !it.is_empty());
    let both = said.map(|it| if it.is_empty() { UNKNOWN.to_owned() } else { it });
    let row = || row("Score", scores, |_| String::new(), change, Better::More);
    has_any.then(|| NumberRow { both, ..row() })
}

/// What two runs cost, as their files state it or by the list of prices. A lower bound has no difference.
fn cost_row(runs: [&RunLine; 2], costs: &Costs) -> NumberRow {
    let cost = |run: &RunLine| match given_dollars(run) {
        Some(dollars) => (words::dollars(dollars), Some(dollars)),
        None => {
            let sum = costs.of_run(run);
            let dollars = Some(sum.dollars).filter(|_| sum.is_known() && !sum.is_lower_bound());
            (if sum.is_known() { sum.words() } else { UNKNOWN.to_owned() }, dollars)
        }
    };
    let found = runs.map(cost);
    let row = share_row("Cost", [found[0].1, found[1].1], words::dollars);
    NumberRow { both: found.map(|it| it.0), ..row }
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::{Fact, FactKind, Usage};
    use traceloupe_protocol::outline::OutlineHead;

    /// The row of two runs with this label: both numbers, the difference, and whether that is better.
    fn row(runs: [RunLine; 2], label: &str) -> Option<([String; 3], Option<bool>)> {
        let rows = numbers_of_both(&Outline::default(), runs.each_ref(), &Costs::default());
        let row = rows.into_iter().find(|row| row.label == label)?;
        let [one, other] = row.both;
        Some(([one, other, row.change], row.is_better))
    }

    fn said(it: [&str; 3], is_better: Option<bool>) -> Option<([String; 3], Option<bool>)> {
        Some((it.map(str::to_owned), is_better))
    }

    #[test]
    fn numbers_stand_with_their_difference() {
        let run = |ms: f64, calls: u64, errors: u64| {
            let mut run = RunLine { duration_ms: ms, ..RunLine::default() };
            (run.counts.tool_calls, run.counts.errors) = (calls, errors);
            run
        };
        let of = |label: &str| row([run(2_000.0, 4, 3), run(3_000.0, 2, 1)], label);
        assert_eq!(of("Duration"), said(["2.0 s", "3.0 s", "+50%"], Some(false)));
        assert_eq!(of("Tool calls"), said(["4", "2", "−2"], None), "more calls are not worse");
        assert_eq!(of("Errors"), said(["3", "1", "−2"], Some(true)));
        assert_eq!(of("LLM calls"), said(["0", "0", ""], None));
        assert_eq!(of("Active time"), None, "it is all of the time");
        assert_eq!(of("Cost"), None);
        let same = row([run(1_000.0, 1, 1), run(1_001.0, 1, 1)], "Duration");
        assert_eq!(same, said(["1.0 s", "1.0 s", "< +1%"], Some(false)));
    }

    #[test]
    fn tokens_that_are_a_lower_bound_are_shown_as_one() {
        let run = |output: Option<u64>, unfinished: bool| RunLine {
            usage: Usage { output, unfinished, ..Usage::default() },
            ..RunLine::default()
        };
        let tokens =
            |first: &RunLine, second: &RunLine| row([first.clone(), second.clone()], "Tokens out");
        let (known, bound) = (run(Some(20), false), run(Some(7), true));
        assert_eq!(tokens(&known, &bound), said(["20", "≥ 7", ""], None));
        assert_eq!(tokens(&known, &run(Some(10), false)), said(["20", "10", "−50%"], Some(true)));
        let none = run(None, true);
        assert_eq!(tokens(&none, &bound), said(["–", "≥ 7", ""], None));
        assert_eq!(tokens(&none, &none), None);
    }

    #[test]
    fn active_time_cost_and_score_have_rows_where_they_are_known() {
        let run = |idle_ms: &[(f64, f64)], dollars: &str, score: Option<f64>| RunLine {
            duration_ms: 10_000.0,
            idle_ms: idle_ms.to_vec(),
            facts: vec![Fact::new(FactKind::Cost, dollars.to_owned())],
            score,
            ..RunLine::default()
        };
        let of = |label: &str| {
            row([run(&[(0.0, 6_000.0)], "$0.50", Some(0.5)), run(&[], "$0.25", Some(1.0))], label)
        };
        assert_eq!(of("Active time"), said(["4.0 s", "10.0 s", "+150%"], Some(false)));
        assert_eq!(of("Cost"), said(["$0.50", "$0.25", "−50%"], Some(true)));
        assert_eq!(of("Score"), said(["0.50", "1", "+0.50"], Some(true)));
    }

    #[test]
    fn tools_of_either_run_are_counted() {
        let tools = |tools: &[(u32, u64)]| RunLine { tools: tools.to_vec(), ..RunLine::default() };
        let names = ["", "Bash", "Read", "Edit"].into_iter().collect();
        let runs = [tools(&[(1, 4), (2, 1)]), tools(&[(3, 9), (1, 2)])];
        let outline = Outline::from(OutlineHead { names, ..OutlineHead::default() });
        let rows = calls_of_both(&outline, [&runs[0], &runs[1]]);
        let rows: Vec<_> = rows.iter().map(|row| (row.label.as_str(), &row.both)).collect();
        let both = |one: &str, other: &str| [one.to_owned(), other.to_owned()];
        assert_eq!(
            rows,
            [("Edit", &both("0", "9")), ("Bash", &both("4", "2")), ("Read", &both("1", "0"))]
        );
    }
}
