//! The table of calls by name: how many there were, how long they took, and what they cost.

use crate::table::{Bound, Cell, Column, Layout, Table, Unit, Value};
use traceloupe_core::model::CostSum;
use traceloupe_protocol::statistics::CallsLine;
use traceloupe_words::{calls_of, column_headings};

/// The column of the total time of the calls.
pub const TIME: &str = "time_ms";

/// The column of the cost.
pub const COST: &str = "cost_usd";

/// The subject of a table row: calls that have something in common, and their cost.
pub struct CallsRow<'a> {
    line: &'a CallsLine,
    cost: &'a CostSum,
}

impl<'a> CallsRow<'a> {
    /// The columns, in export order. Kind and name are only exported; the page draws them in its own way.
    const COLUMNS: &'a [Column<Self>] = &[
        Column::<Self>::exported("kind", |it| Cell::text(calls_of(it.line.of))),
        Column::<Self>::exported("name", |it| Cell::text(&it.line.name)),
        Column::<Self>::number("calls", column_headings::CALLS, |it| Cell::count(it.line.n))
            .in_layouts(&[Layout::Full, Layout::Single, Layout::Narrow])
            .always()
            .summed(),
        Column::<Self>::number("failed", column_headings::FAILED, |it| Cell::count(it.line.errors))
            .in_layouts(&[Layout::Full, Layout::Single])
            .summed(),
        Column::<Self>::number("no_result", column_headings::NO_RESULT, |it| {
            Cell::count(it.line.without_result)
        })
        .summed(),
        Column::<Self>::number(TIME, column_headings::TIME, |it| {
            it.duration(it.line.duration_ms.mean * number(it.line.duration_ms.n))
        })
        .in_layouts(&[Layout::Full, Layout::Single])
        .summed(),
        Column::<Self>::number("mean_ms", column_headings::MEAN, |it| {
            it.duration(it.line.duration_ms.mean)
        })
        .explained()
        .late(2),
        Column::<Self>::number("p50_ms", column_headings::MEDIAN, |it| it.percentile(0))
            .explained(),
        Column::<Self>::number("p90_ms", column_headings::P90, |it| it.percentile(1))
            .explained()
            .late(1),
        Column::<Self>::number("p95_ms", column_headings::P95, |it| it.percentile(2))
            .explained()
            .late(1),
        Column::<Self>::number("p99_ms", column_headings::P99, |it| it.percentile(3))
            .explained()
            .late(1),
        Column::<Self>::number("tokens_in", column_headings::TOKENS_IN, |it| {
            Value::tokens(it.line.tokens.0, false).into()
        })
        .in_layouts(&[Layout::Full, Layout::Single, Layout::Narrow])
        .short(column_headings::IN)
        .summed(),
        Column::<Self>::number("cached_share", column_headings::CACHED, |it| {
            share(it.line.cached, it.line.tokens.0)
        })
        .in_layouts(&[Layout::Full, Layout::Narrow])
        .with_total(share_of_all),
        Column::<Self>::number("tokens_out", column_headings::TOKENS_OUT, |it| {
            Value::tokens(it.line.tokens.1, it.line.is_unfinished).into()
        })
        .in_layouts(&[Layout::Full, Layout::Single])
        .summed(),
        Column::<Self>::number(COST, column_headings::COST, |it| Value::cost(it.cost).into())
            .in_layouts(&[Layout::Full, Layout::Single, Layout::Narrow])
            .summed(),
    ];

    /// One of the times of these calls, if they have any.
    fn duration(&self, ms: f64) -> Cell {
        let ms = if self.line.duration_ms.n == 0 { f64::NAN } else { ms };
        let bound = if self.line.is_inferred { Bound::Estimate } else { Bound::Exact };
        Value::Number(ms, Unit::Milliseconds, bound).into()
    }

    /// A percentile of their durations, by its index among the computed percentiles.
    fn percentile(&self, at: usize) -> Cell {
        self.duration(self.line.duration_ms.percentiles.get(at).copied().unwrap_or(f64::NAN))
    }
}

#[expect(clippy::cast_precision_loss)] // counts
fn number(n: u64) -> f64 {
    n as f64
}

/// The share of the input tokens that came from a cache.
fn share(cached: Option<u64>, input: Option<u64>) -> Cell {
    let value = match (cached, input) {
        (Some(cached), Some(input)) if input > 0 => number(cached) / number(input),
        _ => f64::NAN,
    };
    Value::exact(value, Unit::Share).into()
}

/// The cache share over all calls that report how much of their input was cached.
fn share_of_all(rows: &[CallsRow<'_>]) -> Cell {
    let with_cache = || rows.iter().map(|it| it.line).filter(|line| line.cached.is_some());
    let cached = with_cache().filter_map(|line| line.cached).reduce(u64::saturating_add);
    share(cached, with_cache().filter_map(|line| line.tokens.0).reduce(u64::saturating_add))
}

/// The table of some lines, with the cost of the calls of each line.
#[must_use]
pub fn calls_table(lines: &[CallsLine], costs: &[CostSum]) -> Table {
    let rows = lines.iter().zip(costs).map(|(line, cost)| CallsRow { line, cost });
    Table::new(CallsRow::COLUMNS, &rows.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Sort;
    use traceloupe_core::model::EventKind;
    use traceloupe_protocol::statistics::{CallsOf, ShownSpread};

    fn line(name: &str, n: u64, mean: f64, tokens: Option<u64>) -> CallsLine {
        let n_timed = if mean.is_nan() { 0 } else { n };
        CallsLine {
            of: CallsOf::Kind(EventKind::ToolCall),
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
        let table = calls_table(&lines(), &[CostSum::default(); 3]);
        assert_eq!(table.order(None), [0, 1, 2]);
        assert_eq!(table.order(Some(Sort::by("calls"))), [1, 0, 2]);
        assert_eq!(table.order(Some(Sort::by(TIME))), [2, 0, 1]);
        assert_eq!(table.order(Some(Sort::reversed(TIME))), [0, 2, 1]);
        assert_eq!(table.order(Some(Sort::by("tokens_in"))), [1, 2, 0]);
        assert!((table.largest(table.at("calls").unwrap()) - 5.0).abs() < 1e-9);
    }

    #[test]
    fn totals_are_of_counts_times_and_tokens() {
        let table = calls_table(&lines(), &[CostSum::default(); 3]);
        let words: Vec<&str> = table.total.iter().map(|cell| cell.words.as_str()).collect();
        assert_eq!(words[..2], ["", ""], "kind and name");
        let words = &words[2..];
        assert_eq!(words, ["8", "", "", "1.1 s", "", "", "", "", "", "2.0k", "25%", "", ""]);
        let shown = |layout| {
            let shown = table.shown(layout).into_iter();
            shown.map(|at| table.heads[at].id).collect::<Vec<_>>()
        };
        let all = shown(Layout::Full);
        assert_eq!(all[..4], ["calls", TIME, "p50_ms", "tokens_in"]);
        assert_eq!(all[4..], ["cached_share", "p90_ms", "p95_ms", "p99_ms", "mean_ms"]);
        assert_eq!(shown(Layout::Narrow), ["calls", "tokens_in", "cached_share"]);
    }

    #[test]
    fn markdown_has_the_order_and_the_words_of_the_page() {
        let table = calls_table(&lines(), &[CostSum::default(); 3]);
        let columns = ["calls", TIME].map(|id| table.at(id).unwrap());
        let names = ["a", "b|c\nd", "d"].map(str::to_owned);
        let text = table.markdown(("Tool", "Total"), &names, &columns, Some(Sort::by("calls")));
        let expected = "| Tool | Calls | Time |\n| --- | ---: | ---: |\n\
            | b\\|c d | 5 |  |\n| a | 2 | 200 ms |\n| d | 1 | 900 ms |\n| Total | 8 | 1.1 s |\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_csv_file_has_plain_numbers_and_no_formulas() {
        let csv = calls_table(&lines(), &[CostSum::default(); 3]).csv();
        let rows: Vec<&str> = csv.lines().collect();
        assert!(rows[0].starts_with("kind,name,calls,failed,no_result,time_ms"));
        assert_eq!(rows[1], "\"Tool calls\",\"a\",2,0,0,200,100,100,100,100,100,,,,");
        assert!(rows[2].starts_with("\"Tool calls\",\"'=b \"\"c\"\"\",5,0,0,,"), "{}", rows[2]);
    }
}
