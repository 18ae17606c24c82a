//! The numbers of two runs side by side: time, tokens and cost, and how often each called its tools.

use crate::icon::Icon;
use crate::look::look;
use crate::outline::Outline;
use crate::prices::Costs;
use crate::run_figures::RunFigures;
use crate::table::{Bound, Cell, Unit, Value};
use traceloupe_core::model::EventKind;
use traceloupe_protocol::outline::{MAX_TOOLS, RunLine};
use traceloupe_words as words;
use traceloupe_words::column_headings;

/// A row of the table of numbers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NumberRow {
    /// What is counted.
    pub label: String,
    /// Icon and style word of a tool.
    pub look: Option<(Icon, &'static str)>,
    /// The numbers of both runs.
    pub both: [String; 2],
    /// How the second one differs; empty if it does not, or if that is unknown.
    pub change: String,
    /// Whether the second one is better; `None` where neither more nor less is better.
    pub is_better: Option<bool>,
}

/// Shown where a number is unknown.
const UNKNOWN: &str = "–";

/// How many tools are listed.
const MAX_ROWS: usize = 10;

/// Which direction is better.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Better {
    Less,
    More,
    Neither,
}

/// A figure by which two runs are compared.
struct Figure {
    label: &'static str,
    cell: fn(&RunFigures<'_>) -> Cell,
    better: Better,
    /// Whether the figure is shown for two runs.
    is_shown: fn(&[RunFigures<'_>; 2]) -> bool,
}

impl Figure {
    /// A figure that is shown wherever it is known.
    const fn new(label: &'static str, better: Better, cell: fn(&RunFigures<'_>) -> Cell) -> Self {
        Self { label, cell, better, is_shown: |_| true }
    }

    /// The figure, limited to some runs.
    const fn only_if(self, is_shown: fn(&[RunFigures<'_>; 2]) -> bool) -> Self {
        Self { is_shown, ..self }
    }
}

fn have_pauses(runs: &[RunFigures<'_>; 2]) -> bool {
    runs.iter().any(RunFigures::has_pauses)
}

/// The figures, in the order in which they are listed.
const FIGURES: &[Figure] = &[
    Figure::new(column_headings::SCORE, Better::More, |it| it.score()),
    // Without pauses, all of the time is active.
    Figure::new(column_headings::DURATION, Better::Less, |it| it.active())
        .only_if(|it| !have_pauses(it)),
    Figure::new(column_headings::ACTIVE_TIME, Better::Less, |it| it.active()).only_if(have_pauses),
    Figure::new(column_headings::COST, Better::Less, |it| it.cost()),
    Figure::new(column_headings::TOKENS_IN, Better::Less, |it| it.tokens_in()),
    Figure::new(column_headings::TOKENS_OUT, Better::Less, |it| it.tokens_out()),
    Figure::new(column_headings::LLM_CALLS, Better::Neither, |it| counted(it.counts().llm_calls)),
    Figure::new(column_headings::TOOL_CALLS, Better::Neither, |it| counted(it.counts().tool_calls)),
    Figure::new(column_headings::ERRORS, Better::Less, |it| counted(it.counts().errors)),
    Figure::new(column_headings::POSSIBLE_LOOPS, Better::Less, |it| counted(it.n_loops))
        .only_if(|runs| runs.iter().any(|it| it.n_loops > 0)),
    Figure::new(column_headings::FULLEST_CONTEXT, Better::Less, |it| it.fullest_context()),
];

/// A count that is shown even if it is 0.
fn counted(n: u64) -> Cell {
    Value::count(n).into()
}

/// The numbers of two runs that are known for at least one of them.
#[must_use]
pub fn numbers_of_both(outline: &Outline, runs: [&RunLine; 2], costs: &Costs) -> Vec<NumberRow> {
    let runs = runs.map(|run| RunFigures::new(run, n_loops(outline, run), costs));
    let shown = FIGURES.iter().filter(|figure| (figure.is_shown)(&runs));
    let rows = shown.map(|it| row(it.label, runs.each_ref().map(it.cell), it.better));
    rows.filter(|row| row.both.iter().any(|it| it != UNKNOWN)).collect()
}

fn n_loops(outline: &Outline, run: &RunLine) -> u64 {
    let is_in = |row: u32| (run.first_row..run.first_row + run.n_rows).contains(&row);
    outline.findings.iter().filter(|it| is_in(it.first) && it.is_loud()).count() as u64
}

/// How often two runs called their tools, most used first.
#[must_use]
pub fn calls_of_both(outline: &Outline, runs: [&RunLine; 2]) -> Vec<NumberRow> {
    let [first, second] = runs;
    let n_of = |run: &RunLine, name: u32| {
        let found = run.tools.iter().find(|it| it.0 == name);
        // If a run lists only its most used tools, it may have called others as well.
        let none = (run.tools.len() < MAX_TOOLS).then_some(0);
        found.map(|it| it.1).or(none)
    };
    let mut names: Vec<u32> = Vec::new();
    for (name, _) in first.tools.iter().chain(&second.tools) {
        if !names.contains(name) {
            names.push(*name);
        }
    }
    let sum = |name: u32| {
        let n = |run: &RunLine| n_of(run, name).unwrap_or(0);
        std::cmp::Reverse(n(first).saturating_add(n(second)))
    };
    traceloupe_core::sorting::sort_by_key(&mut names, |name| sum(*name));
    names.truncate(MAX_ROWS);
    let mut rows = Vec::with_capacity(names.len());
    for name in names {
        let unknown = || Value::exact(f64::NAN, Unit::Count).into();
        let both = [n_of(first, name), n_of(second, name)].map(|n| n.map_or_else(unknown, counted));
        let name = outline.name(name);
        let (icon, look) = look(EventKind::ToolCall, name);
        let row = row(&words::tool_name(name), both, Better::Neither);
        rows.push(NumberRow { look: Some((icon, look)), ..row });
    }
    rows
}

/// A row from two cells. Lower bounds are not subtracted.
fn row(label: &str, both: [Cell; 2], better: Better) -> NumberRow {
    let known = |cell: &Cell| {
        Some(cell.value.number()).filter(|n| !n.is_nan() && cell.value.bound() != Bound::AtLeast)
    };
    let by = known(&both[0]).zip(known(&both[1])).map(|(one, other)| (other - one, one));
    let by = by.filter(|by| by.0 != 0.0);
    let change = by.map_or_else(String::new, |(by, one)| match &both[0].value {
        Value::Number(_, unit @ (Unit::Count | Unit::Score), _) => {
            signed(by, &unit.words(by.abs(), Bound::Exact))
        }
        Value::Number(..) | Value::Text(_) | Value::Time(_) => share(by, one),
    });
    NumberRow {
        label: label.to_owned(),
        look: None,
        both: both.map(|it| if it.words.is_empty() { UNKNOWN.to_owned() } else { it.words }),
        change,
        is_better: by.filter(|_| better != Better::Neither).map(|(by, _)| {
            let is_less = by < 0.0;
            is_less == (better == Better::Less)
        }),
    }
}

fn signed(by: f64, size: &str) -> String {
    format!("{}{size}", if by > 0.0 { "+" } else { "−" })
}

/// A difference as a share of the first number.
fn share(by: f64, one: f64) -> String {
    match (by.abs() / one * 100.0).round() {
        share if one > 0.0 && share >= 1.0 => signed(by, &words::percent(share / 100.0)),
        _ if one > 0.0 => format!("{}1%", if by > 0.0 { "< +" } else { "> −" }),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::{Fact, FactKind, Usage};
    use traceloupe_protocol::outline::OutlineHead;

    /// The row of two runs with this label: both numbers, the difference, and whether it is better.
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
