//! The runs of a trace as a table: start, time, tokens, cost and outcome.

use crate::outline::Outline;
use crate::prices::Costs;
use crate::run_figures::RunFigures;
use crate::run_models::models_of;
use crate::table::{Cell, Column, Fault, Sort, Table, Value};
use traceloupe_core::model::{FactKind, RunStatus, RunVerdict, fact_text};
use traceloupe_protocol::outline::RunLine;
use traceloupe_words as words;
use traceloupe_words::column_headings;

/// The column of when runs began.
const STARTED: &str = "started_ms";
/// The column of the time that the agents were active.
const ACTIVE: &str = "active_ms";
/// The column of the cost.
const COST: &str = "cost_usd";
/// The column of errors.
const ERRORS: &str = "errors";
/// The column of possible loops.
const LOOPS: &str = "possible_loops";

/// The subject of a table row.
struct RunRow<'a> {
    figures: RunFigures<'a>,
    model: &'a str,
    /// Length of the prefix that the names of all models share, in bytes.
    vendor_len: usize,
    /// Whether dates include the year.
    has_year: bool,
}

impl<'a> RunRow<'a> {
    /// The columns, in display and export order. Title and format are only exported; the page draws them in its own
    /// way.
    const COLUMNS: &'a [Column<Self>] = &[
        Column::<Self>::exported("run", |it| Cell::text(&it.figures.run.title)),
        Column::<Self>::exported("format", |it| Cell::text(&it.figures.run.format)),
        Column::<Self>::text("model", column_headings::MODEL, |it| {
            let own = it.model.get(it.vendor_len..).unwrap_or_default();
            let value = Value::Text(it.model.to_owned());
            Cell::said(value, own.to_owned()).titled(it.model.to_owned())
        })
        .class("runs__model"),
        Column::<Self>::number(STARTED, column_headings::STARTED_UTC, |it| {
            let start_ms = it.figures.run.start_ms;
            let value = Value::Time(start_ms);
            Cell::said(value, words::day_and_minute(start_ms, it.has_year))
                .titled(words::stamp(start_ms))
        }),
        Column::<Self>::number(ACTIVE, column_headings::ACTIVE, |it| it.figures.active()),
        Column::<Self>::number("tokens", column_headings::TOKENS, |it| it.figures.tokens()),
        Column::<Self>::number(COST, column_headings::COST, |it| it.figures.cost()),
        Column::<Self>::number("events", column_headings::EVENTS, |it| {
            Cell::count(it.figures.counts().events)
        }),
        Column::<Self>::number(ERRORS, column_headings::ERRORS, |it| {
            let n = it.figures.counts().errors;
            Cell::count(n).fault_if(n > 0, Fault::Error)
        }),
        Column::<Self>::number(LOOPS, column_headings::LOOPS, |it| {
            let n = it.figures.n_loops;
            Cell::count(n).fault_if(n > 0, Fault::Loop)
        }),
        Column::<Self>::number("score", column_headings::SCORE, |it| {
            let (graded, told) = (it.figures.score(), it.fact(&FactKind::Score));
            if graded.words.is_empty() && !told.words.is_empty() { told } else { graded }
        }),
        Column::<Self>::text("sample", column_headings::SAMPLE, |it| it.fact(&FactKind::Sample))
            .class("runs__text"),
        Column::<Self>::text("epoch", column_headings::EPOCH, |it| it.fact(&FactKind::Epoch))
            .class("runs__text"),
        Column::<Self>::text("task", column_headings::TASK, |it| it.fact(&FactKind::Task))
            .class("runs__text"),
        Column::<Self>::text("trial", column_headings::TRIAL, |it| it.fact(&FactKind::Trial))
            .class("runs__text"),
        Column::<Self>::text("question", column_headings::SAMPLE_INPUT, |it| {
            it.fact(&FactKind::Question)
        })
        .class("runs__text"),
        Column::<Self>::text("target", column_headings::TARGET, |it| it.fact(&FactKind::Target))
            .class("runs__text"),
        Column::<Self>::text("answer", column_headings::SAMPLE_ANSWER, |it| {
            it.fact(&FactKind::Answer)
        })
        .class("runs__text"),
    ];

    /// The beginning of a fact about the run, which is text of any length.
    fn fact(&self, kind: &FactKind) -> Cell {
        const MAX_CHARS: usize = 60;
        // The evaluation around the runs has no line, and no column for itself.
        let run = Some(self.figures.run).filter(|run| !run.is_about_runs());
        let text = run.and_then(|run| fact_text(&run.facts, kind)).unwrap_or_default();
        let short = match text.char_indices().nth(MAX_CHARS) {
            Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
            None => text.to_owned(),
        };
        Cell::said(Value::Text(text.to_owned()), short).titled(text.to_owned())
    }
}

/// The order that lists runs from newest to oldest.
pub const NEWEST_FIRST: Sort = Sort::by(STARTED);

/// The grades of some runs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Grades {
    /// How many passed.
    pub passed: u64,
    /// How many failed.
    pub failed: u64,
    /// The mean of the scores, where scores are more precise than verdicts.
    pub mean_score: Option<f64>,
}

impl Grades {
    /// Summarises the grades of some runs.
    pub fn of<'a>(runs: impl Iterator<Item = &'a RunLine>) -> Self {
        let mut grades = Self::default();
        let (mut sum, mut n_scores, mut has_parts) = (0.0, 0.0, false);
        for run in runs {
            grades.passed += u64::from(run.verdict == Some(RunVerdict::Pass));
            grades.failed += u64::from(run.verdict == Some(RunVerdict::Fail));
            if let Some(score) = run.score {
                (sum, n_scores) = (sum + score, n_scores + 1.0);
                has_parts |= run.verdict.is_none() || (score > 0.0 && score < 1.0);
            }
        }
        // A single score is shown in its row.
        grades.mean_score = (has_parts && n_scores > 1.0).then(|| sum / n_scores);
        grades
    }
}

/// A subset of the runs, by outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pick {
    /// All of them.
    #[default]
    All,
    /// Those that were graded as passed.
    Passed,
    /// Those that were graded as failed, or that ended with an error.
    Failed,
    /// Those with failed events.
    WithErrors,
    /// Those with possible loops.
    WithLoops,
}

impl Pick {
    /// All subsets, in the order in which they are offered.
    pub const ALL: [Self; 5] =
        [Self::All, Self::Passed, Self::Failed, Self::WithErrors, Self::WithLoops];

    /// Whether a run belongs to the subset, given the run and its row in the table.
    #[must_use]
    pub fn has(self, run: &RunLine, table: &RunsTable, at: usize) -> bool {
        let is_some = |column: &str| table.0.number(at, column) > 0.0;
        match self {
            Self::All => true,
            Self::Passed => run.verdict == Some(RunVerdict::Pass),
            Self::Failed => run.verdict == Some(RunVerdict::Fail) || run.status == RunStatus::Error,
            Self::WithErrors => is_some(ERRORS),
            Self::WithLoops => is_some(LOOPS),
        }
    }
}

/// The table of runs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunsTable(pub Table);

impl RunsTable {
    /// The table of all runs, with their costs.
    #[must_use]
    pub fn new(outline: &Outline, costs: &Costs) -> Self {
        let mut n_loops = vec![0_u64; outline.runs.len()];
        for finding in outline.findings.iter().filter(|it| it.is_loud()) {
            if let Some(n) = n_loops.get_mut(finding.run as usize) {
                *n += 1;
            }
        }
        let models: Vec<String> = outline.runs.iter().map(|run| models_of(outline, run)).collect();
        let mut sorted: Vec<&String> = models.iter().filter(|model| !model.is_empty()).collect();
        traceloupe_core::sorting::sort(&mut sorted);
        sorted.dedup();
        let vendor_len = common_vendor(&sorted);
        // A year that all runs share is not repeated in each line.
        let year = |run: &RunLine| words::stamp(run.start_ms).get(..4).map(str::to_owned);
        let mut years: Vec<String> = outline.runs.iter().filter_map(year).collect();
        years.dedup();
        let has_year = years.len() > 1;
        let runs = outline.runs.iter().zip(n_loops).zip(&models);
        let rows: Vec<RunRow<'_>> = runs
            .map(|((run, n_loops), model)| RunRow {
                figures: RunFigures::new(run, n_loops, costs),
                model,
                vendor_len,
                has_year,
            })
            .collect();
        Self(Table::new(RunRow::COLUMNS, &rows))
    }

    /// The subsets that are neither empty nor everything, with their sizes. The subset of all runs comes first. Empty
    /// if there is no other subset.
    #[must_use]
    pub fn parts(&self, outline: &Outline) -> Vec<(Pick, usize)> {
        let count = |pick: Pick| {
            let runs = outline.runs.iter().enumerate();
            let listed = runs.filter(|(_, run)| outline.is_listed(run));
            (pick, listed.filter(|(at, run)| pick.has(run, self, *at)).count())
        };
        let n_all = outline.n_listed();
        let is_part = |(pick, n): &(Pick, usize)| *pick == Pick::All || (*n > 0 && *n < n_all);
        let parts: Vec<_> = Pick::ALL.into_iter().map(count).filter(is_part).collect();
        if parts.len() > 1 { parts } else { Vec::new() }
    }

    /// Total active time and total cost of some runs; empty where unknown.
    #[must_use]
    pub fn sums(&self, runs: &[usize]) -> [String; 2] {
        [ACTIVE, COST].map(|column| {
            let sum = self.0.sum(runs.iter().copied(), column);
            if sum.value.number() > 0.0 { sum.words } else { String::new() }
        })
    }

    /// Whether a run has possible loops.
    #[must_use]
    pub fn has_loops(&self, at: usize) -> bool {
        self.0.number(at, LOOPS) > 0.0
    }
}

/// Length of the prefix that several model names share, up to a hyphen; 0 if the models have different vendors.
fn common_vendor(models: &[&String]) -> usize {
    let [first, rest @ ..] = models else { return 0 };
    let len = first.find('-').map_or(0, |at| at + 1);
    let vendor = first.get(..len).unwrap_or_default();
    if !rest.is_empty() && rest.iter().all(|model| model.starts_with(vendor)) { len } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Bound, Layout, Unit};
    use traceloupe_core::model::{Fact, FactKind};
    use traceloupe_protocol::outline::OutlineHead;

    fn table() -> (Outline, RunsTable) {
        let run = |title: &str, start_ms: f64, duration_ms: f64, errors: u64| {
            let title = title.to_owned();
            let mut run = RunLine { title, start_ms, duration_ms, ..RunLine::default() };
            run.counts.errors = errors;
            run
        };
        let runs = vec![
            run("b", 2_000.0, 60_000.0, 0),
            run("=c", f64::NAN, f64::NAN, 7),
            run("a", 1_000.0, 30_000.0, 2),
        ];
        let outline = Outline::from(OutlineHead { runs, ..OutlineHead::default() });
        let table = RunsTable::new(&outline, &Costs::default());
        (outline, table)
    }

    fn shown(table: &RunsTable) -> Vec<&'static str> {
        let shown = table.0.shown(Layout::Full).into_iter();
        shown.map(|at| table.0.heads[at].id).collect()
    }

    #[test]
    fn runs_are_sorted_by_any_column_and_unknown_values_come_last() {
        let (_, table) = table();
        assert_eq!(table.0.order(Some(Sort::by(STARTED))), [0, 2, 1]);
        assert_eq!(table.0.order(Some(Sort::reversed(STARTED))), [2, 0, 1]);
        assert_eq!(table.0.order(Some(Sort::by(ERRORS))), [1, 2, 0]);
        let errors = table.0.at(ERRORS).unwrap();
        assert_eq!(table.0.rows[0][errors].words, "", "nothing is said of no errors");
        assert_eq!(shown(&table), [STARTED, ACTIVE, ERRORS]);
    }

    #[test]
    fn a_year_that_all_runs_share_is_not_said() {
        let run = |start_ms| RunLine { start_ms, ..RunLine::default() };
        let started = |starts: &[f64]| -> Vec<String> {
            let runs = starts.iter().map(|start_ms| run(*start_ms)).collect();
            let outline = Outline::from(OutlineHead { runs, ..OutlineHead::default() });
            let RunsTable(table) = RunsTable::new(&outline, &Costs::default());
            let at = table.at(STARTED).unwrap();
            table.rows.iter().map(|cells| cells[at].words.clone()).collect()
        };
        let (march, next_year) = (1_772_375_580_000.0, 1_798_761_600_000.0);
        assert_eq!(started(&[march, f64::NAN, march + 6e4]), ["1 Mar, 14:33", "", "1 Mar, 14:34"]);
        assert_eq!(started(&[march, next_year]), ["1 Mar 2026, 14:33", "1 Jan 2027, 00:00"]);
    }

    #[test]
    fn models_are_sorted_by_name() {
        let run = |model: &str| {
            let facts = vec![Fact::new(FactKind::Model, model.to_owned())];
            RunLine { facts, ..RunLine::default() }
        };
        let runs = vec![run("gpt-5"), run(""), run("gemini"), run("gpt-5")];
        let outline = Outline::from(OutlineHead { runs, ..OutlineHead::default() });
        let table = RunsTable::new(&outline, &Costs::default());
        assert_eq!(table.0.order(Some(Sort::by("model"))), [2, 0, 3, 1]);
        assert!(shown(&table).contains(&"model"));
        assert!(table.0.csv().contains(",\"gemini\","));
    }

    #[test]
    fn what_all_models_begin_with_is_their_vendor() {
        let len = |models: &[&str]| {
            let models: Vec<String> = models.iter().map(|&model| model.to_owned()).collect();
            common_vendor(&models.iter().collect::<Vec<_>>())
        };
        assert_eq!(len(&["claude-haiku-4-5", "claude-opus-4-5"]), "claude-".len());
        assert_eq!(len(&["claude-haiku-4-5", "gpt-5"]), 0);
        assert_eq!(len(&["gpt-5"]), 0, "one model is named whole");
        assert_eq!(len(&["o3", "o3 + 1"]), 0);
        assert_eq!(len(&[]), 0);
    }

    #[test]
    fn sums_are_of_the_runs_that_are_shown() {
        let (_, table) = table();
        assert_eq!(table.sums(&[0, 1, 2]), ["1 min 30 s".to_owned(), String::new()]);
        assert_eq!(table.sums(&[1]), [String::new(), String::new()]);
    }

    #[test]
    fn parts_are_offered_that_leave_something_out() {
        let (outline, table) = table();
        let parts = table.parts(&outline);
        assert_eq!(parts.first(), Some(&(Pick::All, outline.runs.len())));
        assert!(parts.contains(&(Pick::WithErrors, 2)), "{parts:?}");
        assert!(parts.iter().all(|(pick, _)| *pick != Pick::Passed), "nobody graded them");
        assert_eq!(table.parts(&Outline::default()), [], "no runs have no parts");
    }

    #[test]
    fn verdicts_are_counted_and_scores_that_say_more_are_averaged() {
        let run = |verdict: &str, score: f64| RunLine {
            verdict: RunVerdict::from_word(verdict),
            score: Some(score),
            ..RunLine::default()
        };
        let solved = [run("pass", 1.0), run("fail", 0.0), run("fail", 0.0)];
        let grades = Grades::of(solved.iter());
        assert_eq!(grades, Grades { passed: 1, failed: 2, mean_score: None });
        let scored = [run("pass", 0.75), run("", 0.25)];
        let grades = Grades::of(scored.iter());
        assert_eq!(grades, Grades { passed: 1, failed: 0, mean_score: Some(0.5) });
        assert_eq!(Grades::of(scored[..1].iter()).mean_score, None);
    }

    #[test]
    fn a_sum_with_a_lower_bound_is_one() {
        let row = |bound| vec![Cell::from(Value::Number(1.0, Unit::Dollars, bound))];
        let rows = [Bound::AtLeast, Bound::Estimate, Bound::Exact].map(row).to_vec();
        let heads = RunRow::COLUMNS.iter().map(|column| column.head);
        let heads = heads.filter(|head| head.id == COST).collect();
        let table = RunsTable(Table { rows, heads, ..Table::default() });
        assert_eq!(table.sums(&[0, 1, 2])[1], "≥ $3.00");
        assert_eq!(table.sums(&[1, 2])[1], "≈ $2.00");
        assert_eq!(table.sums(&[2])[1], "$1.00");
    }

    #[test]
    fn a_csv_file_has_plain_numbers_and_no_formulas() {
        let csv = table().1.0.csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(
            lines[0],
            "run,format,model,started_ms,active_ms,tokens,cost_usd,events,errors,possible_loops,score,\
             sample,epoch,task,trial,question,target,answer"
        );
        assert_eq!(
            lines[1],
            "\"b\",\"\",\"\",2000,60000,,,0,0,0,,\"\",\"\",\"\",\"\",\"\",\"\",\"\""
        );
        assert_eq!(lines[2], "\"'=c\",\"\",\"\",,,,,0,7,0,,\"\",\"\",\"\",\"\",\"\",\"\",\"\"");
    }
}
