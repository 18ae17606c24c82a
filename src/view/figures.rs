//! Tables of figures, which are sorted by any column.

use traceloupe_core::number::shortest;

/// A cell: a number to sort by, NaN where unknown, and its words.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// The number.
    pub value: f64,
    /// What is shown; empty where unknown.
    pub words: String,
}

/// The rows in order of a column, the largest number first or last. Rows without a number come last.
#[must_use]
pub fn order(rows: &[Vec<Cell>], by: Option<(usize, bool)>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let Some((column, is_rising)) = by else { return order };
    let value = |row: &usize| {
        rows.get(*row).and_then(|row| row.get(column)).map_or(f64::NAN, |cell| cell.value)
    };
    traceloupe_core::order::sort_by(&mut order, |a, b| {
        let (a, b) = (value(a), value(b));
        let order = if is_rising { a.total_cmp(&b) } else { b.total_cmp(&a) };
        a.is_nan().cmp(&b.is_nan()).then(order)
    });
    order
}

/// Which of the columns say anything in any row.
#[must_use]
pub fn filled(rows: &[Vec<Cell>], n_columns: usize) -> Vec<bool> {
    let is_known =
        |at: usize| rows.iter().filter_map(|row| row.get(at)).any(|it| !it.words.is_empty());
    (0..n_columns).map(is_known).collect()
}

/// The sign before the sum of some cells: one lower bound makes it a lower bound, and one estimate an estimate.
#[must_use]
pub fn sign_of_sum<'a>(cells: impl Iterator<Item = &'a Cell> + Clone) -> &'static str {
    let begins = |signs: &[char]| cells.clone().any(|cell| cell.words.starts_with(signs));
    if begins(&['≥', '>']) {
        "≥ "
    } else if begins(&['≈']) {
        "≈ "
    } else {
        ""
    }
}

/// A text in a CSV file. Spreadsheets run what begins like a formula, so that is written after an apostrophe.
#[must_use]
pub fn csv_text(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

/// Adds the numbers of a row to a CSV file, and ends its line.
pub fn push_csv_numbers(csv: &mut String, cells: &[Cell]) {
    for cell in cells {
        csv.push(',');
        if !cell.value.is_nan() {
            csv.push_str(&shortest(cell.value));
        }
    }
    csv.push_str("\r\n");
}
