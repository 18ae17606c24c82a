//! What a cell of a table holds: a value with its type, and what is shown of it.

use traceloupe_core::model::CostSum;
use traceloupe_core::number::shortest;
use traceloupe_words as words;

/// How exactly a number is known. A sum is known as exactly as the least exact of its parts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Bound {
    /// It is the number.
    #[default]
    Exact,
    /// It is an estimate.
    Estimate,
    /// It is a lower bound.
    AtLeast,
}

/// What a number counts, which decides how it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Things: `1,284`.
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
            // Their words say that they are hardly anything, which a sign before them would contradict.
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

/// What a cell holds.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A text of the file; empty where unknown.
    Text(String),
    /// A number, NaN where unknown, and how exactly it is known.
    Number(f64, Unit, Bound),
    /// A time in milliseconds since 1970; NaN where unknown.
    Time(f64),
}

impl Value {
    /// A number of things.
    #[must_use]
    #[expect(clippy::cast_precision_loss)] // a count
    pub fn count(n: u64) -> Self {
        Self::Number(n as f64, Unit::Count, Bound::Exact)
    }

    /// A number that is known exactly; NaN where unknown.
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

    /// What several calls cost, and how exactly that is known.
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

    /// Its number; NaN where it is unknown, and for texts.
    #[must_use]
    pub fn number(&self) -> f64 {
        match self {
            Self::Text(_) => f64::NAN,
            Self::Number(n, ..) | Self::Time(n) => *n,
        }
    }

    /// How exactly it is known.
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

    /// What is written of it; empty where it is unknown.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(n, unit, bound) => unit.words(*n, *bound),
            Self::Time(ms) => words::stamp(*ms),
        }
    }

    /// What stands in a CSV file: plain numbers, and times in milliseconds since 1970.
    pub(super) fn csv(&self) -> String {
        match self {
            Self::Text(text) => csv_text(text),
            Self::Number(n, ..) | Self::Time(n) if n.is_nan() => String::new(),
            Self::Number(n, ..) | Self::Time(n) => shortest(*n),
        }
    }
}

/// What is wrong with what a cell says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Something failed.
    Error,
    /// Something may have been repeated in vain.
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
    /// What is shown; empty where there is nothing to say.
    pub words: String,
    /// What is shown below that.
    pub small: String,
    /// What is shown where the pointer rests, if that says more.
    pub title: Option<String>,
    /// What is wrong with it.
    pub fault: Option<Fault>,
}

impl Cell {
    /// A cell that shows other words than those of its value.
    #[must_use]
    pub fn said(value: Value, words: String) -> Self {
        Self { value, words, small: String::new(), title: None, fault: None }
    }

    /// A text of the file.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::from(Value::Text(text.to_owned()))
    }

    /// A number of things. Nothing is said of none.
    #[must_use]
    pub fn count(n: u64) -> Self {
        let value = Value::count(n);
        let words = if n == 0 { String::new() } else { value.words() };
        Self::said(value, words)
    }

    /// The cell with what is shown where the pointer rests.
    #[must_use]
    pub fn titled(self, title: String) -> Self {
        Self { title: Some(title), ..self }
    }

    /// The cell with what is shown below its words.
    #[must_use]
    pub fn with_small(self, small: String) -> Self {
        Self { small, ..self }
    }

    /// The cell, which says that something is wrong if it is.
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

/// A text in a CSV file. Spreadsheets run what begins like a formula, so that is written after an apostrophe.
fn csv_text(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}
