//! The runs of a trace as a table: when each began, what it took, and how it went.

use crate::figures::{Cell, csv_text, filled, push_csv_numbers, sign_of_sum};
use crate::line_view::tokens_in_out;
use crate::outline::Outline;
use crate::prices::{Costs, given_dollars};
use crate::run_models::models_of;
use traceloupe_core::model::{RunStatus, RunVerdict};
use traceloupe_protocol::outline::RunLine;
use traceloupe_words as words;

/// The number of columns after the title.
pub const N_COLUMNS: usize = 9;

/// The columns after the title, as a CSV file names them.
const CSV_HEADS: [&str; N_COLUMNS] = [
    "model",
    "started_ms",
    "active_ms",
    "tokens",
    "cost_usd",
    "events",
    "errors",
    "possible_loops",
    "score",
];

/// The column of models, the only one of words.
pub const MODEL: usize = 0;
/// Where some of the columns are.
const ACTIVE: usize = 2;
const COST: usize = 4;
/// The column of when they began.
pub const STARTED: usize = 1;
/// The column of failed events.
pub const ERRORS: usize = 6;
/// The column of possible loops.
pub const LOOPS: usize = 7;
/// The column of scores.
pub const SCORE: usize = 8;

/// What graders said of some runs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Grades {
    /// How many passed.
    pub passed: u64,
    /// How many failed.
    pub failed: u64,
    /// The mean of the scores, where they say more than the verdicts.
    pub mean_score: Option<f64>,
}

impl Grades {
    /// The grades of some runs, taken together.
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
        // One score is in its row.
        grades.mean_score = (has_parts && n_scores > 1.0).then(|| sum / n_scores);
        grades
    }
}

/// A part of the runs, by how they came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pick {
    /// All of them.
    #[default]
    All,
    /// Those that graders passed.
    Passed,
    /// Those that graders failed, or that ended with an error.
    Failed,
    /// Those with failed events.
    WithErrors,
    /// Those with possible loops.
    WithLoops,
}

impl Pick {
    /// All parts, in the order in which they are offered.
    pub const ALL: [Self; 5] =
        [Self::All, Self::Passed, Self::Failed, Self::WithErrors, Self::WithLoops];

    /// Whether a run is in it, by the run and its cells in the table.
    #[must_use]
    pub fn has(self, run: &RunLine, cells: &[Cell]) -> bool {
        let is_some = |column: usize| cells.get(column).is_some_and(|cell| cell.value > 0.0);
        match self {
            Self::All => true,
            Self::Passed => run.verdict == Some(RunVerdict::Pass),
            Self::Failed => run.verdict == Some(RunVerdict::Fail) || run.status == RunStatus::Error,
            Self::WithErrors => is_some(ERRORS),
            Self::WithLoops => is_some(LOOPS),
        }
    }
}

/// The table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunsTable {
    /// For each run the cells of its columns.
    pub rows: Vec<Vec<Cell>>,
    /// Which columns say anything.
    pub filled: Vec<bool>,
    /// How long the beginning is, in bytes, that the names of all models share: `claude-`.
    pub vendor_len: usize,
}

impl RunsTable {
    /// The table of all runs, with what they cost.
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
        traceloupe_core::order::sort(&mut sorted);
        sorted.dedup();
        // The first by name is the first when the column is chosen.
        #[expect(clippy::cast_precision_loss)] // a place in a list
        let rank = |model: &String| {
            sorted.binary_search(&model).map_or(f64::NAN, |at| (sorted.len() - at) as f64)
        };
        let vendor_len = common_vendor(&sorted);
        // One that all of them have is not said in each line.
        let year = |run: &RunLine| words::stamp(run.start_ms).get(..4).map(str::to_owned);
        let mut years: Vec<String> = outline.runs.iter().filter_map(year).collect();
        years.dedup();
        let has_year = years.len() > 1;
        let runs = outline.runs.iter().zip(n_loops).zip(&models);
        let row = |((run, n_loops), model): ((&RunLine, u64), &String)| {
            let mut row = vec![Cell { value: rank(model), words: model.clone() }];
            row.extend(cells(run, n_loops, costs, has_year));
            row
        };
        let rows: Vec<Vec<Cell>> = runs.map(row).collect();
        Self { filled: filled(&rows, N_COLUMNS), vendor_len, rows }
    }

    /// Which parts of the runs are neither empty nor all of them, with how many there are in each. All runs come first,
    /// and nothing comes if there is no such part.
    #[must_use]
    pub fn parts(&self, runs: &[RunLine]) -> Vec<(Pick, usize)> {
        let count = |pick: Pick| {
            let runs = runs.iter().zip(&self.rows);
            (pick, runs.filter(|(run, cells)| pick.has(run, cells)).count())
        };
        let is_part = |(pick, n): &(Pick, usize)| *pick == Pick::All || (*n > 0 && *n < runs.len());
        let parts: Vec<_> = Pick::ALL.into_iter().map(count).filter(is_part).collect();
        if parts.len() > 1 { parts } else { Vec::new() }
    }

    /// How long the agents of some runs were active in all, and what that cost; empty where unknown.
    #[must_use]
    pub fn sums(&self, runs: &[usize]) -> [String; 2] {
        let sum = |column: usize, write: fn(f64) -> String| {
            let cells = runs.iter().filter_map(|at| self.rows.get(*at)?.get(column));
            let known = cells.filter(|cell| !cell.words.is_empty());
            let sum: f64 = known.clone().map(|cell| cell.value).sum();
            if sum > 0.0 { format!("{}{}", sign_of_sum(known), write(sum)) } else { String::new() }
        };
        [sum(ACTIVE, words::duration), sum(COST, words::dollars)]
    }

    /// The table as comma-separated values (RFC 4180), with plain numbers; times in milliseconds since 1970.
    #[must_use]
    pub fn csv(&self, outline: &Outline) -> String {
        let mut csv = format!("run,format,{}\r\n", CSV_HEADS.join(","));
        for (run, cells) in outline.runs.iter().zip(&self.rows) {
            csv.push_str(&format!("{},{}", csv_text(&run.title), csv_text(&run.format)));
            let (model, numbers) = cells.split_at(cells.len().min(MODEL + 1));
            for cell in model {
                csv.push(',');
                csv.push_str(&csv_text(&cell.words));
            }
            push_csv_numbers(&mut csv, numbers);
        }
        csv
    }
}

/// How long the beginning is that the names of several models share, up to a hyphen; 0 if they are of several vendors.
fn common_vendor(models: &[&String]) -> usize {
    let [first, rest @ ..] = models else { return 0 };
    let len = first.find('-').map_or(0, |at| at + 1);
    let vendor = first.get(..len).unwrap_or_default();
    if !rest.is_empty() && rest.iter().all(|model| model.starts_with(vendor)) { len } else { 0 }
}

#[expect(clippy::cast_precision_loss)] // counts
fn cells(run: &RunLine, n_loops: u64, costs: &Costs, has_year: bool) -> Vec<Cell> {
    let cell = |value: f64, words: String| Cell { value, words };
    let counted = |n: u64| cell(n as f64, if n == 0 { String::new() } else { words::count(n) });
    let number = |n: Option<u64>| n.map_or(f64::NAN, |n| n as f64);
    let (input, output) = (number(run.usage.total_input()), number(run.usage.output));
    let tokens = if input.is_nan() { output } else { input + output.max(0.0) };
    let sum = costs.of_run(run);
    let cost = match given_dollars(run) {
        Some(dollars) => cell(dollars, words::dollars(dollars)),
        None if sum.is_known() => cell(sum.dollars, sum.words()),
        None => cell(f64::NAN, String::new()),
    };
    let active_ms = run.active_ms();
    let counts = run.given.unwrap_or(run.counts);
    vec![
        cell(run.start_ms, words::day_and_minute(run.start_ms, has_year)),
        cell(active_ms, words::duration(active_ms)),
        cell(tokens, tokens_in_out(input, output, run.usage.unfinished)),
        cost,
        counted(counts.events),
        counted(counts.errors),
        counted(n_loops),
        cell(run.score.unwrap_or(f64::NAN), words::score(run.score, run.verdict)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::order;
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

    #[test]
    fn runs_are_sorted_by_any_column_and_unknown_values_come_last() {
        let (_, table) = table();
        assert_eq!(order(&table.rows, Some((1, false))), [0, 2, 1]);
        assert_eq!(order(&table.rows, Some((1, true))), [2, 0, 1]);
        assert_eq!(order(&table.rows, Some((ERRORS, false))), [1, 2, 0]);
        assert_eq!(table.rows[0][ERRORS].words, "", "nothing is said of no errors");
        assert_eq!(table.filled, [false, true, true, false, false, false, true, false, false]);
    }

    #[test]
    fn a_year_that_all_runs_share_is_not_said() {
        let run = |start_ms| RunLine { start_ms, ..RunLine::default() };
        let started = |starts: &[f64]| -> Vec<String> {
            let runs = starts.iter().map(|start_ms| run(*start_ms)).collect();
            let outline = Outline::from(OutlineHead { runs, ..OutlineHead::default() });
            let rows = RunsTable::new(&outline, &Costs::default()).rows;
            rows.iter().map(|cells| cells[STARTED].words.clone()).collect()
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
        assert_eq!(order(&table.rows, Some((MODEL, false))), [2, 0, 3, 1]);
        assert!(table.filled[MODEL]);
        assert!(table.csv(&outline).contains(",\"gemini\","));
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
        let parts = table.parts(&outline.runs);
        assert_eq!(parts.first(), Some(&(Pick::All, outline.runs.len())));
        assert!(parts.contains(&(Pick::WithErrors, 2)), "{parts:?}");
        assert!(parts.iter().all(|(pick, _)| *pick != Pick::Passed), "nobody graded them");
        assert_eq!(table.parts(&[]), [], "no runs have no parts");
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
        let cell = |words: &str| Cell { value: 1.0, words: words.to_owned() };
        let row = |cost: &str| vec![cell(""), cell(""), cell(""), cell(""), cell(cost)];
        let rows = ["≥ $1.00", "≈ $1.00", "$1.00"].map(row).to_vec();
        let table = RunsTable { rows, ..RunsTable::default() };
        assert_eq!(table.sums(&[0, 1, 2])[1], "≥ $3.00");
        assert_eq!(table.sums(&[1, 2])[1], "≈ $2.00");
        assert_eq!(table.sums(&[2])[1], "$1.00");
    }

    #[test]
    fn a_csv_file_has_plain_numbers_and_no_formulas() {
        let (outline, table) = table();
        let csv = table.csv(&outline);
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(
            lines[0],
            "run,format,model,started_ms,active_ms,tokens,cost_usd,events,errors,possible_loops,score"
        );
        assert_eq!(lines[1], "\"b\",\"\",\"\",2000,60000,,,0,0,0,");
        assert_eq!(lines[2], "\"'=c\",\"\",\"\",,,,,0,7,0,");
    }
}
