//! The table of calls by name: its numbers, sorted by any of them, their totals, and the table as CSV.

use crate::figures::{Cell, csv_text, filled, order, push_csv_numbers, sign_of_sum};
use crate::prices::Sum;
use traceloupe_protocol::statistics::CallsLine;
use traceloupe_words as words;

/// The number of columns after the name.
pub const N_COLUMNS: usize = 13;

/// The column of the time that the calls took together.
pub const TIME: usize = 3;

/// The column of the input tokens.
pub const TOKENS_IN: usize = 9;

/// The column of the share of these that came from a cache.
pub const CACHED: usize = 10;

/// The column of the output tokens.
pub const TOKENS_OUT: usize = 11;

/// The column of the cost.
pub const COST: usize = 12;

/// The columns of [`CallsTable`] after the name, as a CSV file names them.
pub const CSV_HEADS: [&str; N_COLUMNS] = [
    "calls",
    "failed",
    "no_result",
    "time_ms",
    "mean_ms",
    "p50_ms",
    "p90_ms",
    "p95_ms",
    "p99_ms",
    "tokens_in",
    "cached_share",
    "tokens_out",
    "cost_usd",
];

/// The columns whose sum over all rows means something.
const SUMMED: [usize; 7] = [0, 1, 2, TIME, TOKENS_IN, TOKENS_OUT, COST];

/// The table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CallsTable {
    /// The rows: the index of the line, and its cells.
    pub rows: Vec<Vec<Cell>>,
    /// The sums of all rows; no words in columns that have none.
    pub total: Vec<Cell>,
    /// Which columns have a number in any row.
    pub filled: Vec<bool>,
}

#[expect(clippy::cast_precision_loss)] // counts
fn number(n: u64) -> f64 {
    n as f64
}

fn counted(n: u64) -> Cell {
    let words = if n == 0 { String::new() } else { words::count(n) };
    Cell { value: number(n), words }
}

/// The share of the input tokens that came from a cache.
fn share(cached: Option<u64>, input: Option<u64>) -> Cell {
    let value = match (cached, input) {
        (Some(cached), Some(input)) if input > 0 => number(cached) / number(input),
        _ => f64::NAN,
    };
    let words = if value.is_nan() { String::new() } else { words::percent(value) };
    Cell { value, words }
}

fn cells(line: &CallsLine, cost: &Sum) -> Vec<Cell> {
    let mark = if line.is_inferred { "≈ " } else { "" };
    let duration = |ms: f64| match line.duration_ms.n {
        0 => Cell { value: f64::NAN, words: String::new() },
        _ => Cell { value: ms, words: format!("{mark}{}", words::duration(ms)) },
    };
    let tokens = |n: Option<u64>, is_bound: bool| {
        let value = n.map_or(f64::NAN, number);
        Cell { value, words: words::at_least(words::tokens(value), is_bound) }
    };
    let spread = &line.duration_ms;
    let mut cells = vec![counted(line.n), counted(line.errors), counted(line.without_result)];
    cells.extend([spread.mean * number(spread.n), spread.mean].map(duration));
    cells.extend(spread.percentiles.map(duration));
    cells.push(tokens(line.tokens.0, false));
    cells.push(share(line.cached, line.tokens.0));
    cells.push(tokens(line.tokens.1, line.is_unfinished));
    let dollars = if cost.is_known() { cost.dollars } else { f64::NAN };
    cells.push(Cell { value: dollars, words: cost.words() });
    cells
}

impl CallsTable {
    /// The table of some lines, with what the calls of each cost.
    #[must_use]
    pub fn new(lines: &[CallsLine], costs: &[Sum]) -> Self {
        let rows: Vec<Vec<Cell>> =
            lines.iter().zip(costs).map(|(line, cost)| cells(line, cost)).collect();
        let is_known = |cell: &Cell| !cell.words.is_empty();
        // Of those that say how much of their input was cached.
        let with_cache = || lines.iter().filter(|line| line.cached.is_some());
        let cached = with_cache().filter_map(|line| line.cached).reduce(u64::saturating_add);
        let cached = share(
            cached,
            with_cache().filter_map(|line| line.tokens.0).reduce(u64::saturating_add),
        );
        let column = |at: usize| rows.iter().filter_map(move |row| row.get(at));
        let mut filled = filled(&rows, N_COLUMNS);
        if let Some(first) = filled.first_mut() {
            *first = true;
        }
        let total = (0..N_COLUMNS).map(|at| {
            let value: f64 = column(at).map(|cell| cell.value).filter(|it| !it.is_nan()).sum();
            let words = match at {
                _ if !SUMMED.contains(&at) || !column(at).any(is_known) => String::new(),
                TIME => words::duration(value),
                TOKENS_IN | TOKENS_OUT => {
                    words::at_least(words::tokens(value), sign_of_sum(column(at)) == "≥ ")
                }
                COST => words::dollars(value),
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count
                _ => words::count(value as u64),
            };
            let words = match at {
                TIME | COST if !words.is_empty() => format!("{}{words}", sign_of_sum(column(at))),
                _ => words,
            };
            if at == CACHED { cached.clone() } else { Cell { value, words } }
        });
        Self { total: total.collect(), filled, rows }
    }

    /// The rows in order of a column, the largest number first or last. Rows without a number come last.
    #[must_use]
    pub fn order(&self, by: Option<(usize, bool)>) -> Vec<usize> {
        order(&self.rows, by)
    }

    /// The largest number of a column.
    #[must_use]
    pub fn largest(&self, column: usize) -> f64 {
        let values = self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.value);
        values.fold(0.0, f64::max)
    }

    /// The table as Markdown: headings, the names of the lines, and the columns to write with their headings; in the order
    /// of a column, with the sums.
    #[must_use]
    pub fn markdown(
        &self,
        name: &str,
        total: &str,
        names: &[String],
        columns: &[(usize, String)],
        by: Option<(usize, bool)>,
    ) -> String {
        let mut text = String::new();
        let mut push = |name: &str, cell: &dyn Fn(usize, &str) -> String| {
            // A bar would end the cell.
            text.push_str(&format!("| {}", name.replace('|', "\\|").replace(['\n', '\r'], " ")));
            for (at, head) in columns {
                text.push_str(&format!(" | {}", cell(*at, head)));
            }
            text.push_str(" |\n");
        };
        let words = |cells: &[Cell], at: usize| {
            cells.get(at).map_or_else(String::new, |cell| cell.words.clone())
        };
        push(name, &|_, head| head.to_owned());
        push("---", &|_, _| "---:".to_owned());
        for row in self.order(by) {
            if let (Some(name), Some(cells)) = (names.get(row), self.rows.get(row)) {
                push(name, &|at, _| words(cells, at));
            }
        }
        push(total, &|at, _| words(&self.total, at));
        text
    }

    /// The table as comma-separated values (RFC 4180), with plain numbers.
    #[must_use]
    pub fn csv(&self, lines: &[CallsLine]) -> String {
        let mut csv = format!("kind,name,{}\r\n", CSV_HEADS.join(","));
        for (line, cells) in lines.iter().zip(&self.rows) {
            csv.push_str(&format!("{},{}", csv_text(&line.kind), csv_text(&line.name)));
            push_csv_numbers(&mut csv, cells);
        }
        csv
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_protocol::statistics::ShownSpread;

    fn line(name: &str, n: u64, mean: f64, tokens: Option<u64>) -> CallsLine {
        let n_timed = if mean.is_nan() { 0 } else { n };
        CallsLine {
            kind: "Tool calls".to_owned(),
            name: name.to_owned(),
            n,
            errors: 0,
            without_result: 0,
            duration_ms: ShownSpread { n: n_timed, mean, percentiles: [mean; 4] },
            is_inferred: false,
            tokens: (tokens, None),
            cached: tokens.map(|it| it / 4),
            is_unfinished: false,
        }
    }

    fn lines() -> [CallsLine; 3] {
        [
            line("a", 2, 100.0, None),
            line("=b \"c\"", 5, f64::NAN, Some(1_500)),
            line("d", 1, 900.0, Some(500)),
        ]
    }

    #[test]
    fn rows_are_sorted_and_unknown_numbers_come_last() {
        let table = CallsTable::new(&lines(), &[Sum::default(); 3]);
        assert_eq!(table.order(None), [0, 1, 2]);
        assert_eq!(table.order(Some((0, false))), [1, 0, 2]);
        assert_eq!(table.order(Some((3, false))), [2, 0, 1]);
        assert_eq!(table.order(Some((3, true))), [0, 2, 1]);
        assert_eq!(table.order(Some((9, false))), [1, 2, 0]);
        assert!((table.largest(0) - 5.0).abs() < 1e-9);
    }

    #[test]
    fn totals_are_of_counts_times_and_tokens() {
        let table = CallsTable::new(&lines(), &[Sum::default(); 3]);
        let words: Vec<&str> = table.total.iter().map(|cell| cell.words.as_str()).collect();
        assert_eq!(words, ["8", "", "", "1.1 s", "", "", "", "", "", "2.0k", "25%", "", ""]);
        assert!(table.filled[3] && table.filled[9] && !table.filled[1] && !table.filled[COST]);
    }

    #[test]
    fn markdown_has_the_order_and_the_words_of_the_page() {
        let table = CallsTable::new(&lines(), &[Sum::default(); 3]);
        let columns = [(0, "Calls".to_owned()), (TIME, "Time".to_owned())];
        let names = ["a", "b|c\nd", "d"].map(str::to_owned);
        let text = table.markdown("Tool", "Total", &names, &columns, Some((0, false)));
        let expected = "| Tool | Calls | Time |\n| --- | ---: | ---: |\n\
            | b\\|c d | 5 |  |\n| a | 2 | 200 ms |\n| d | 1 | 900 ms |\n| Total | 8 | 1.1 s |\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_csv_file_has_plain_numbers_and_no_formulas() {
        let csv = CallsTable::new(&lines(), &[Sum::default(); 3]).csv(&lines());
        let rows: Vec<&str> = csv.lines().collect();
        assert!(rows[0].starts_with("kind,name,calls,failed,no_result,time_ms"));
        assert_eq!(rows[1], "\"Tool calls\",\"a\",2,0,0,200,100,100,100,100,100,,,,");
        assert!(rows[2].starts_with("\"Tool calls\",\"'=b \"\"c\"\"\",5,0,0,,"), "{}", rows[2]);
    }
}
