//! The content of a table cell: a typed value, and how it is displayed.

use traceloupe_core::model::CostSum;
use traceloupe_core::number::shortest;
use traceloupe_words as words;

/// How exact a number is. A sum is only as exact as its least exact part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Bound {
    /// The number is exact.
    #[default]
    Exact,
    /// The number is an estimate.
    Estimate,
    /// The number is a lower bound.
    AtLeast,
}

/// What a number counts, which decides how it is formatted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// A count: `1,284`.
    Count,
    /// Milliseconds: `1 min 30 s`.
    Milliseconds,
    /// Tokens: `2.1k`.
    Tokens,
    /// Dollars: `$1.20`.
    Dollars,
    /// A share, from 0 to 1: `25%`.
    Share,
    /// A score, from 0 to 1: `0.67`.
    Score,
    /// Bytes: `12.4 MB`.
    Bytes,
}

impl Unit {
    /// A number of this unit in words; empty for NaN.
    #[must_use]
    pub fn words(self, n: f64, bound: Bound) -> String {
        if n.is_nan() {
            return String::new();
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count; saturates
        let whole = n as u64;
        let number = match self {
            Self::Count => words::count(whole),
            Self::Milliseconds => words::duration(n),
            // A tiny amount is already written as a bound (`< $0.001`), which another sign before it would contradict.
            Self::Dollars => {
                return words::dollars_about(n, bound == Bound::AtLeast, bound == Bound::Estimate);
            }
            Self::Tokens => words::tokens(n),
            Self::Share => words::percent(n),
            Self::Score => words::score(Some(n), None),
            Self::Bytes => words::bytes(whole),
        };
        match bound {
            Bound::Exact => number,
            Bound::Estimate => words::about(number),
            Bound::AtLeast => words::at_least(number, true),
        }
    }
}

/// The content of a cell.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A text from the file; empty where unknown.
    Text(String),
    /// A number, NaN where unknown, with its unit and how exact it is.
    Number(f64, Unit, Bound),
    /// A time in milliseconds since 1970; NaN where unknown.
    Time(f64),
}

impl Value {
    /// A count.
    #[must_use]
    #[expect(clippy::cast_precision_loss)] // a count
    pub fn count(n: u64) -> Self {
        Self::Number(n as f64, Unit::Count, Bound::Exact)
    }

    /// An exact number; NaN where unknown.
    #[must_use]
    pub fn exact(n: f64, unit: Unit) -> Self {
        Self::Number(n, unit, Bound::Exact)
    }

    /// Tokens, if they are known.
    #[must_use]
    #[expect(clippy::cast_precision_loss)] // a count
    pub fn tokens(n: Option<u64>, is_lower_bound: bool) -> Self {
        let bound = if is_lower_bound { Bound::AtLeast } else { Bound::Exact };
        Self::Number(n.map_or(f64::NAN, |n| n as f64), Unit::Tokens, bound)
    }

    /// The total cost of several calls, and how exact it is.
    #[must_use]
    pub fn cost(sum: &CostSum) -> Self {
        let dollars = if sum.is_known() { sum.dollars } else { f64::NAN };
        let bound = match (sum.is_lower_bound(), sum.is_estimate()) {
            (true, _) => Bound::AtLeast,
            (false, true) => Bound::Estimate,
            (false, false) => Bound::Exact,
        };
        Self::Number(dollars, Unit::Dollars, bound)
    }

    /// Its number; NaN where unknown and for texts.
    #[must_use]
    pub fn number(&self) -> f64 {
        match self {
            Self::Text(_) => f64::NAN,
            Self::Number(n, ..) | Self::Time(n) => *n,
        }
    }

    /// How exact it is.
    #[must_use]
    pub fn bound(&self) -> Bound {
        match self {
            Self::Number(_, _, bound) => *bound,
            Self::Text(_) | Self::Time(_) => Bound::Exact,
        }
    }

    /// Whether it is known.
    #[must_use]
    pub fn is_known(&self) -> bool {
        match self {
            Self::Text(text) => !text.is_empty(),
            Self::Number(n, ..) | Self::Time(n) => !n.is_nan(),
        }
    }

    /// The displayed text; empty where unknown.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(n, unit, bound) => unit.words(*n, *bound),
            Self::Time(ms) => words::stamp(*ms),
        }
    }

    /// The CSV form: plain numbers, and times in milliseconds since 1970.
    pub(super) fn csv(&self) -> String {
        match self {
            Self::Text(text) => csv_text(text),
            Self::Number(n, ..) | Self::Time(n) if n.is_nan() => String::new(),
            Self::Number(n, ..) | Self::Time(n) => shortest(*n),
        }
    }
}

/// A problem that a cell reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Something failed.
    Error,
    /// Something may have been repeated without effect.
    Loop,
}

impl Fault {
    /// Its name in styles.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Loop => "loop",
        }
    }
}

/// A cell.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// What is sorted and exported.
    pub value: Value,
    /// The displayed text; empty where there is nothing to show.
    pub words: String,
    /// The text below it.
    pub small: String,
    /// The tooltip, if it adds something.
    pub title: Option<String>,
    /// The problem that the cell reports, if any.
    pub fault: Option<Fault>,
}

impl Cell {
    /// A cell that shows other text than that of its value.
    #[must_use]
    pub fn said(value: Value, words: String) -> Self {
        Self { value, words, small: String::new(), title: None, fault: None }
    }

    /// A text from the file.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::from(Value::Text(text.to_owned()))
    }

    /// A count. 0 is shown as nothing.
    #[must_use]
    pub fn count(n: u64) -> Self {
        let value = Value::count(n);
        let words = if n == 0 { String::new() } else { value.words() };
        Self::said(value, words)
    }

    /// The cell with a tooltip.
    #[must_use]
    pub fn titled(self, title: String) -> Self {
        Self { title: Some(title), ..self }
    }

    /// The cell with a text below its main text.
    #[must_use]
    pub fn with_small(self, small: String) -> Self {
        Self { small, ..self }
    }

    /// The cell, marked with a problem if it has one.
    #[must_use]
    pub fn fault_if(self, is_wrong: bool, fault: Fault) -> Self {
        Self { fault: is_wrong.then_some(fault), ..self }
    }
}

impl From<Value> for Cell {
    fn from(value: Value) -> Self {
        let words = value.words();
        Self::said(value, words)
    }
}

/// A text in a CSV file. Spreadsheets evaluate text that looks like a formula, so an apostrophe is put in front of it.
fn csv_text(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}
