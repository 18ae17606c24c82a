//! The figures of a run, each as a table cell. The table of runs and the comparison of two runs consist of these cells.

use crate::list::line_view::tokens_in_out;
use crate::prices::{Costs, given_dollars};
use crate::table::{Bound, Cell, Fault, Unit, Value};
use traceloupe_core::model::CostSum;
use traceloupe_protocol::outline::{Counts, RunLine};
use traceloupe_words as words;

/// A run, with the values that have to be counted or looked up for its figures.
#[derive(Clone, Copy)]
pub struct RunFigures<'a> {
    /// The run.
    pub run: &'a RunLine,
    /// How many possible loops it has.
    pub n_loops: u64,
    /// Its cost by the list of prices.
    cost: CostSum,
}

impl<'a> RunFigures<'a> {
    /// The figures of a run.
    #[must_use]
    pub fn new(run: &'a RunLine, n_loops: u64, costs: &Costs) -> Self {
        Self { run, n_loops, cost: costs.of_run(run) }
    }

    /// A count: the one that the file states, otherwise the counted one.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.run.given.unwrap_or(self.run.counts)
    }

    /// How long its agents were active.
    #[must_use]
    pub fn active(&self) -> Cell {
        Value::exact(self.run.active_ms(), Unit::Milliseconds).into()
    }

    /// Whether it has pauses: its duration exceeds the time in which its agents were active.
    #[must_use]
    pub fn has_pauses(&self) -> bool {
        let (wall_ms, active_ms) = (self.run.duration_ms, self.run.active_ms());
        wall_ms != active_ms && !(wall_ms.is_nan() && active_ms.is_nan())
    }

    /// Its input tokens.
    #[must_use]
    pub fn tokens_in(&self) -> Cell {
        Value::tokens(self.run.usage.total_input(), false).into()
    }

    /// Its output tokens.
    #[must_use]
    pub fn tokens_out(&self) -> Cell {
        Value::tokens(self.run.usage.output, self.run.usage.unfinished).into()
    }

    /// Its input and output tokens, sorted by their total.
    #[must_use]
    pub fn tokens(&self) -> Cell {
        let (input, output) = (self.tokens_in().value.number(), self.tokens_out().value.number());
        let both = if input.is_nan() { output } else { input + output.max(0.0) };
        let is_bound = self.run.usage.unfinished;
        let bound = if is_bound { Bound::AtLeast } else { Bound::Exact };
        let value = Value::Number(both, Unit::Tokens, bound);
        Cell::said(value, tokens_in_out(input, output, is_bound))
    }

    /// The size of its largest context, in tokens.
    #[must_use]
    pub fn fullest_context(&self) -> Cell {
        Value::tokens(self.run.context.map(|it| it.tokens), false).into()
    }

    /// Its cost, as stated by the file or by the list of prices.
    #[must_use]
    pub fn cost(&self) -> Cell {
        match given_dollars(self.run) {
            Some(dollars) => Value::exact(dollars, Unit::Dollars).into(),
            None => Value::cost(&self.cost).into(),
        }
    }

    /// The grade of the run: a score, a verdict, or both.
    #[must_use]
    pub fn score(&self) -> Cell {
        let score = self.run.score;
        let value = Value::exact(score.unwrap_or(f64::NAN), Unit::Score);
        Cell::said(value, words::score(score, self.run.verdict))
            .fault_if(score.is_some_and(|it| it <= 0.0), Fault::Error)
    }
}
