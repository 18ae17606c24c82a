//! Tables: the definition of a column, and what is derived from it: display, sorting, totals and export.
//!
//! A kind of table is a list of [`Column`]s. Each column is described once: its name, heading and class, where it is
//! shown, and how its cell is computed from the subject of a row. A [`Table`] is built from such a list and from rows.
//! The page draws the table, and its CSV and Markdown are generated from it.

mod value;

use std::cmp::Ordering;

use traceloupe_core::case::lowercase;
pub use value::{Bound, Cell, Fault, Unit, Value};

/// Where a table is drawn, which decides which columns it shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// In a view of its own.
    Full,
    /// A table where each row is a single thing, so that means and shares make no sense.
    Single,
    /// Beside other content, with little room.
    Narrow,
}

/// The description of a column, without its rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    /// Its name in CSV files and in styles.
    pub id: &'static str,
    /// Its heading.
    pub words: &'static str,
    /// Its heading where there is little room.
    pub short: &'static str,
    /// The class of its cells in styles.
    pub class: &'static str,
    /// Where it is shown; empty if it is only exported.
    pub layouts: &'static [Layout],
    /// Whether it is shown even if all of its cells are empty.
    pub is_always_shown: bool,
    /// Columns with a higher value are shown further to the right, because not all columns fit. CSV files keep the
    /// order of description.
    pub lateness: u8,
    /// Whether it contains texts, which are sorted in ascending order.
    pub is_text: bool,
    /// Whether a line below the table explains what its numbers mean.
    pub is_explained: bool,
}

/// The total below a column.
enum Total<R> {
    /// Nothing.
    None,
    /// The sum.
    Sum,
    /// Another summary of all rows.
    Of(fn(&[R]) -> Cell),
}

/// A column of a table whose rows describe an `R` each.
pub struct Column<R> {
    /// Its description, without its rows.
    pub head: Head,
    total: Total<R>,
    cell: fn(&R) -> Cell,
}

impl<R> Column<R> {
    /// A column of numbers or times.
    pub const fn number(id: &'static str, words: &'static str, cell: fn(&R) -> Cell) -> Self {
        let head = Head {
            id,
            words,
            short: words,
            class: "number",
            layouts: &[Layout::Full],
            is_always_shown: false,
            lateness: 0,
            is_text: false,
            is_explained: false,
        };
        Self { head, total: Total::None, cell }
    }

    /// A column of texts.
    pub const fn text(id: &'static str, words: &'static str, cell: fn(&R) -> Cell) -> Self {
        let mut column = Self::number(id, words, cell);
        (column.head.is_text, column.head.class) = (true, "");
        column
    }

    /// A column of texts that is only exported, because the page draws its content in another way.
    pub const fn exported(id: &'static str, cell: fn(&R) -> Cell) -> Self {
        Self::text(id, "", cell).in_layouts(&[])
    }

    /// The column with another class for its cells.
    pub const fn class(mut self, class: &'static str) -> Self {
        self.head.class = class;
        self
    }

    /// The column with another heading where there is little room.
    pub const fn short(mut self, words: &'static str) -> Self {
        self.head.short = words;
        self
    }

    /// The column, shown in these layouts instead of only the full one.
    pub const fn in_layouts(mut self, layouts: &'static [Layout]) -> Self {
        self.head.layouts = layouts;
        self
    }

    /// The column, shown even if all of its cells are empty.
    pub const fn always(mut self) -> Self {
        self.head.is_always_shown = true;
        self
    }

    /// The column, shown after columns with a lower lateness.
    pub const fn late(mut self, lateness: u8) -> Self {
        self.head.lateness = lateness;
        self
    }

    /// The column, explained below the table.
    pub const fn explained(mut self) -> Self {
        self.head.is_explained = true;
        self
    }

    /// The column with its sum below it.
    pub const fn summed(mut self) -> Self {
        self.total = Total::Sum;
        self
    }

    /// The column with a summary of all rows below it.
    pub const fn with_total(mut self, total: fn(&[R]) -> Cell) -> Self {
        self.total = Total::Of(total);
        self
    }

    /// Its cell for the subject of a row.
    pub fn cell(&self, of: &R) -> Cell {
        (self.cell)(of)
    }
}

/// The sort order of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sort {
    /// The name of the column.
    pub column: &'static str,
    /// Whether the order is reversed: smallest number first, or last text first.
    pub is_reversed: bool,
}

impl Sort {
    /// By a column: largest number first, or first text first.
    #[must_use]
    pub const fn by(column: &'static str) -> Self {
        Self { column, is_reversed: false }
    }

    /// By a column in reverse order.
    #[must_use]
    pub const fn reversed(column: &'static str) -> Self {
        Self { column, is_reversed: true }
    }

    /// The order after a click on a column heading: sorted by the column, then reversed, then unsorted.
    #[must_use]
    pub fn clicked(by: Option<Self>, column: &'static str) -> Option<Self> {
        match by.filter(|by| by.column == column) {
            None => Some(Self::by(column)),
            Some(by) if !by.is_reversed => Some(Self::reversed(column)),
            Some(_) => None,
        }
    }

    /// The sort direction of a column, as the value of `aria-sort`.
    #[must_use]
    pub fn direction(by: Option<Self>, head: &Head) -> &'static str {
        match by.filter(|by| by.column == head.id) {
            None => "none",
            Some(by) if by.is_reversed == head.is_text => "descending",
            Some(_) => "ascending",
        }
    }
}

/// Indices in the order of their values; unknown values come last.
fn order_of(values: &[&Value], is_reversed: bool) -> Vec<usize> {
    let texts: Vec<String> = values
        .iter()
        .map(|value| match value {
            Value::Text(text) => lowercase(text),
            Value::Number(..) | Value::Time(_) => String::new(),
        })
        .collect();
    let compare = |one: usize, other: usize| {
        let (Some(a), Some(b)) = (values.get(one), values.get(other)) else {
            return Ordering::Equal;
        };
        match (a.is_known(), b.is_known()) {
            (true, true) => {
                let by_text = texts.get(one).cmp(&texts.get(other));
                let order = by_text.then_with(|| b.number().total_cmp(&a.number()));
                if is_reversed { order.reverse() } else { order }
            }
            (a_is_known, b_is_known) => b_is_known.cmp(&a_is_known),
        }
    };
    let mut order: Vec<usize> = (0..values.len()).collect();
    traceloupe_core::sorting::sort_by(&mut order, |one, other| compare(*one, *other));
    order
}

/// The order of rows by one of the columns that describe them; unknown values come last.
#[must_use]
pub fn order_by<R>(columns: &[Column<R>], rows: &[R], by: Sort) -> Vec<usize> {
    let Some(column) = columns.iter().find(|column| column.head.id == by.column) else {
        return (0..rows.len()).collect();
    };
    let cells: Vec<Cell> = rows.iter().map(|row| column.cell(row)).collect();
    order_of(&cells.iter().map(|cell| &cell.value).collect::<Vec<_>>(), by.is_reversed)
}

/// A table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// Its columns.
    pub heads: Vec<Head>,
    /// For each row, the cells of all columns.
    pub rows: Vec<Vec<Cell>>,
    /// The total below each column; empty text where there is none.
    pub total: Vec<Cell>,
}

impl Table {
    /// The table of some rows.
    #[must_use]
    pub fn new<R>(columns: &[Column<R>], rows: &[R]) -> Self {
        let cells = |row: &R| columns.iter().map(|column| column.cell(row)).collect();
        let mut table = Self {
            heads: columns.iter().map(|column| column.head).collect(),
            rows: rows.iter().map(cells).collect(),
            total: Vec::new(),
        };
        for (at, column) in columns.iter().enumerate() {
            let total = match column.total {
                Total::None => Cell::text(""),
                Total::Sum => table.sum_of_cells(0..table.rows.len(), at),
                Total::Of(total) => total(rows),
            };
            table.total.push(total);
        }
        table
    }

    /// The index of a column.
    #[must_use]
    pub fn at(&self, column: &str) -> Option<usize> {
        self.heads.iter().position(|head| head.id == column)
    }

    /// The number in a cell; NaN where it is unknown.
    #[must_use]
    pub fn number(&self, row: usize, column: &str) -> f64 {
        let cell = self.at(column).and_then(|at| self.rows.get(row)?.get(at));
        cell.map_or(f64::NAN, |cell| cell.value.number())
    }

    /// The columns that are shown in a layout, in display order. Empty columns are left out.
    #[must_use]
    pub fn shown(&self, layout: Layout) -> Vec<usize> {
        let says_something = |at: usize| {
            self.rows.iter().filter_map(|row| row.get(at)).any(|it| !it.words.is_empty())
        };
        let is_shown = |(at, head): &(usize, &Head)| {
            head.layouts.contains(&layout) && (head.is_always_shown || says_something(*at))
        };
        let shown = self.heads.iter().enumerate().filter(is_shown);
        let mut shown: Vec<(u8, usize)> = shown.map(|(at, head)| (head.lateness, at)).collect();
        traceloupe_core::sorting::sort(&mut shown);
        shown.into_iter().map(|it| it.1).collect()
    }

    /// The rows in the order of a column, or in their original order.
    #[must_use]
    pub fn order(&self, by: Option<Sort>) -> Vec<usize> {
        let found = by.and_then(|by| Some((self.at(by.column)?, by.is_reversed)));
        let Some((at, is_reversed)) = found else { return (0..self.rows.len()).collect() };
        let values = self.rows.iter().filter_map(|row| row.get(at)).map(|cell| &cell.value);
        order_of(&values.collect::<Vec<_>>(), is_reversed)
    }

    /// The largest number of a column.
    #[must_use]
    pub fn largest(&self, at: usize) -> f64 {
        let cells = self.rows.iter().filter_map(|row| row.get(at));
        cells.map(|cell| cell.value.number()).fold(0.0, f64::max)
    }

    /// The totals of the columns over some rows, where they have values.
    #[must_use]
    pub fn sum(&self, rows: impl Iterator<Item = usize>, column: &str) -> Cell {
        self.at(column).map_or_else(|| Cell::text(""), |at| self.sum_of_cells(rows, at))
    }

    fn sum_of_cells(&self, rows: impl Iterator<Item = usize>, at: usize) -> Cell {
        let mut sum: Option<(f64, Unit, Bound)> = None;
        for cell in rows.filter_map(|row| self.rows.get(row)?.get(at)) {
            let Value::Number(n, unit, bound) = &cell.value else { continue };
            if !n.is_nan() && !cell.words.is_empty() {
                let (before, most) = sum.map_or((0.0, Bound::Exact), |it| (it.0, it.2));
                sum = Some((before + n, *unit, most.max(*bound)));
            }
        }
        sum.map_or_else(|| Cell::text(""), |it| Cell::from(Value::Number(it.0, it.1, it.2)))
    }

    /// The table as comma-separated values (RFC 4180).
    #[must_use]
    pub fn csv(&self) -> String {
        let ids: Vec<&str> = self.heads.iter().map(|head| head.id).collect();
        let mut csv = ids.join(",");
        csv.push_str("\r\n");
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| cell.value.csv()).collect();
            csv.push_str(&cells.join(","));
            csv.push_str("\r\n");
        }
        csv
    }

    /// The table as Markdown, in the words of the page: the name of each row and the heading of that column, the chosen
    /// columns in the given order, and the totals with their heading.
    #[must_use]
    pub fn markdown(
        &self,
        (name, total): (&str, &str),
        names: &[String],
        columns: &[usize],
        by: Option<Sort>,
    ) -> String {
        let mut text = String::new();
        let mut push = |name: &str, cell: &dyn Fn(usize) -> Option<String>| {
            // A vertical bar would end the cell.
            text.push_str(&format!("| {}", name.replace('|', "\\|").replace(['\n', '\r'], " ")));
            for at in columns {
                text.push_str(&format!(" | {}", cell(*at).unwrap_or_default()));
            }
            text.push_str(" |\n");
        };
        let words = |cells: &[Cell], at: usize| cells.get(at).map(|cell| cell.words.clone());
        push(name, &|at| self.heads.get(at).map(|head| head.words.to_owned()));
        push("---", &|_| Some("---:".to_owned()));
        for row in self.order(by) {
            if let (Some(name), Some(cells)) = (names.get(row), self.rows.get(row)) {
                push(name, &|at| words(cells, at));
            }
        }
        push(total, &|at| words(&self.total, at));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[Column<(&str, f64)>] = &[
        Column::<(&str, f64)>::exported("hidden", |it| Cell::text(it.0)),
        Column::<(&str, f64)>::text("name", "Name", |it| Cell::text(it.0)),
        Column::<(&str, f64)>::number("ms", "Time", |it| {
            Value::Number(it.1, Unit::Milliseconds, Bound::Estimate).into()
        })
        .summed()
        .late(1),
        Column::<(&str, f64)>::number("n", "Calls", |_| Cell::count(0)).always(),
        Column::<(&str, f64)>::number("none", "None", |_| Cell::count(0)),
    ];

    fn table() -> Table {
        Table::new(COLUMNS, &[("b", 2_000.0), ("", f64::NAN), ("C", 1_000.0), ("a", 3_000.0)])
    }

    #[test]
    fn texts_are_sorted_from_the_first_and_numbers_from_the_largest() {
        let table = table();
        assert_eq!(table.order(None), [0, 1, 2, 3]);
        assert_eq!(table.order(Some(Sort::by("name"))), [3, 0, 2, 1], "unknown names come last");
        assert_eq!(table.order(Some(Sort::reversed("name"))), [2, 0, 3, 1]);
        assert_eq!(table.order(Some(Sort::by("ms"))), [3, 0, 2, 1]);
        assert_eq!(table.order(Some(Sort::reversed("ms"))), [2, 0, 3, 1]);
        let rows = [("b", 2.0), ("a", 1.0)];
        assert_eq!(order_by(COLUMNS, &rows, Sort::by("name")), [1, 0]);
    }

    #[test]
    fn clicks_on_a_heading_sort_reverse_and_end_the_order() {
        let head = |id: &str| table().heads.into_iter().find(|head| head.id == id).unwrap();
        let mut by = None;
        let mut directions = Vec::new();
        for _ in 0..3 {
            by = Sort::clicked(by, "ms");
            directions.push(Sort::direction(by, &head("ms")));
        }
        assert_eq!(directions, ["descending", "ascending", "none"]);
        assert_eq!(Sort::direction(Some(Sort::by("name")), &head("name")), "ascending");
        assert_eq!(Sort::direction(Some(Sort::by("name")), &head("ms")), "none");
        assert_eq!(Sort::clicked(Some(Sort::reversed("name")), "ms"), Some(Sort::by("ms")));
    }

    #[test]
    fn columns_that_say_nothing_are_not_shown() {
        let (table, ids) = (table(), |at: Vec<usize>| at.into_iter().map(|at| COLUMNS[at].head.id));
        assert_eq!(ids(table.shown(Layout::Full)).collect::<Vec<_>>(), ["name", "n", "ms"]);
        assert_eq!(table.shown(Layout::Narrow), [0; 0]);
    }

    #[test]
    fn a_sum_is_as_exact_as_its_parts() {
        let table = table();
        assert_eq!(table.total[2].words, "≈ 6.0 s");
        assert_eq!(table.sum([0, 2].into_iter(), "ms").words, "≈ 3.0 s");
        assert_eq!(table.sum([1].into_iter(), "ms").words, "");
        assert!((table.largest(2) - 3_000.0).abs() < 1e-9);
        assert_eq!(Unit::Dollars.words(0.000_1, Bound::AtLeast), "> $0");
        assert_eq!(Unit::Tokens.words(7.0, Bound::AtLeast), "≥ 7");
        assert_eq!(Value::count(1_284).words(), "1,284");
    }

    #[test]
    fn csv_files_have_all_columns_as_they_are_described() {
        let csv = Table::new(COLUMNS, &[("=1+1", 2_000.5), ("a \"b\"", f64::NAN)]).csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[0], "hidden,name,ms,n,none");
        assert_eq!(lines[1], "\"'=1+1\",\"'=1+1\",2000.5,0,0", "no formula");
        assert_eq!(lines[2], "\"a \"\"b\"\"\",\"a \"\"b\"\"\",,0,0");
    }
}
